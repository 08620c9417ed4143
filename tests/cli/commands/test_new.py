"""`hookwright new` writes what is green at once, takes effect in the hook process, and never writes over anything."""

import json

import click
import pytest

from hookwright.testing.builders import bash, prompt


def hooks(home):
    return home.path / ".config/hookwright/hooks"


def test_a_new_hook_is_green_and_answers_in_the_hook_process(home):
    code, out, err = home("new", "hook", "no-deploys")
    assert (code, err) == (0, "")
    assert out.splitlines()[:2] == [
        "wrote ~/.config/hookwright/hooks/no_deploys.py",
        "wrote ~/.config/hookwright/hooks/no_deploys.case",
    ]
    assert home("test") == (0, "✓ 2 examples and 2 cases passed\n", "")
    answer = home.hook_process.answer(bash("echo magic").raw)["hookSpecificOutput"]
    assert (answer["permissionDecision"], "no magic here" in answer["permissionDecisionReason"]) == ("deny", True)


def test_a_new_rule_is_green_and_answers_in_the_hook_process(home):
    assert home("new", "rule", "no_destroy", "--stops", "terraform apply")[0] == 0
    assert home("test") == (0, "✓ 4 examples and 2 cases passed\n", "")
    answer = home.hook_process.answer(bash("cd infra && terraform apply").raw)["hookSpecificOutput"]
    assert answer["permissionDecision"] == "deny"
    assert "[hookwright no_destroy] `terraform apply` is not done here" in answer["permissionDecisionReason"]


def test_for_another_event_and_with_a_test_for_pytest(home):
    code, said = home.json("new", "hook", "polite", "--event", "UserPromptSubmit", "--pytest")
    assert (code, said["kind"], said["name"]) == (0, "hook", "polite")
    test = home.path / ".config/hookwright/tests/test_polite.py"
    assert said["files"] == [str(hooks(home) / "polite.py"), str(hooks(home) / "polite.case"), str(test)]
    assert 'HOOK = "../hooks/polite.py"' in test.read_text()
    assert home.hook_process.answer(prompt("do some magic").raw)["decision"] == "block"


def test_for_a_project_at_its_top(home, monkeypatch):
    (home.project / ".git").mkdir()
    (home.project / "deep/er").mkdir(parents=True)
    monkeypatch.chdir(home.project / "deep/er")
    code, said = home.json("new", "hook", "ours", "--project", "--pytest")
    folder = home.project / ".hookwright/hooks"
    assert (code, said["files"]) == (
        0,
        [str(folder / "ours.py"), str(folder / "ours.case"), str(home.project / "tests/test_ours.py")],
    )
    assert "hookwright trust" in said["next"]
    assert said["next"][0] == "hookwright test ../../.hookwright/hooks"
    assert home("test", "../../.hookwright/hooks")[0] == 0
    monkeypatch.chdir(home.project)
    home("new", "rule", "second", "--project")
    assert sorted(path.name for path in folder.glob("*.py")) == ["ours.py", "second.py"]


def test_a_projects_hook_answers_in_the_door_once_it_is_trusted(home):
    assert home("new", "hook", "ours", "--project")[0] == 0
    call = bash("echo magic", cwd=str(home.project)).raw
    assert "not trusted" in home.hook_process.answer(call)["systemMessage"]
    assert home.hook_process.answer(call) is None
    assert home("trust", "--yes")[0] == 0
    answer = home.hook_process.answer(call)["hookSpecificOutput"]
    assert answer["permissionDecisionReason"] == "[hookwright ours] no magic here; do it step by step"
    assert home("test") == (0, "✓ 2 examples and 2 cases passed\n", "")


@pytest.mark.parametrize("name", ["taken.py", "taken.case"])
def test_nothing_is_written_over_and_nothing_half(home, name):
    hooks(home).mkdir(parents=True)
    (hooks(home) / name).write_text("mine")
    code, _, err = home("new", "hook", "taken")
    assert (code, "exists already" in err, str(hooks(home) / name) in err) == (1, True, True)
    assert [(path.name, path.read_text()) for path in hooks(home).iterdir()] == [(name, "mine")]


@pytest.mark.parametrize(
    ("name", "words", "better"),
    [
        ("NoDeploys", "lower-case letters", "no_deploys"),
        ("no deploys!", "lower-case letters", "no_deploys"),
        ("2fast", "lower-case letters", "no_2fast"),
        ("_hidden", "lower-case letters", "hidden"),
        ("a/b", "lower-case letters", "a_b"),
        ("x" * 51, "at most 50", "x" * 50),
        ("command_guard", "built-in hook", "my_command_guard"),
        ("guard", "built-in hook", "my_guard"),
        ("deny", "a keyword or a name that the file imports", "deny_it"),
        ("class", "a keyword or a name that the file imports", "class_it"),
        ("event", "a keyword or a name that the file imports", "event_it"),
        ("test_it", "pytest would collect", "it"),
    ],
)
def test_a_bad_name_is_refused_with_a_better_one(home, name, words, better):
    code, _, err = home("new", "hook", name)
    assert (code, words in err, f"hookwright new hook {better}\n" in err) == (1, True, True), err
    assert not hooks(home).exists()


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hook", "x", "--event", "PreTool"), "did you mean PreToolUse?"),
        (("hook", "x", "--tool", "bash"), "did you mean Bash?"),
    ],
)
def test_names_of_events_and_tools_are_checked(home, words, said):
    code, _, err = home("new", *words)
    assert (code, said in err, hooks(home).exists()) == (1, True, False)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("hook", "x", "--event", "Stop", "--tool", "Bash"), "Stop has no tool"),
        (("rule", "x", "--stops", "rm -rf / && ls"), "--stops takes a program"),
        (("rule", "x", "--stops", ""), "--stops takes a program"),
        (("thing", "x"), "No such command"),
    ],
)
def test_wrong_usage_is_usage(home, words, said):
    with pytest.raises(click.UsageError) as error:
        home("new", *words)
    assert (said in error.value.format_message(), error.value.exit_code, hooks(home).exists()) == (True, 2, False)


def test_machines_get_one_object(home):
    code, out, err = home("new", "hook", "one", "--json")
    assert (code, err, set(json.loads(out))) == (0, "", {"kind", "name", "files", "next"})


def test_asking_in_json_whether_a_project_is_trusted_trusts_nothing(home):
    home("new", "hook", "ours", "--project")
    assert [json.loads(home("trust", "--json")[1])["trusted"] for _ in range(2)] == [False, False]
    assert json.loads(home("trust", "--json", "--yes")[1])["trusted"] is True
    assert json.loads(home("trust", "--json")[1])["trusted"] is True


def test_the_better_name_comes_with_the_same_command(home):
    assert "try: hookwright new rule a_b" in home("new", "rule", "a b", "--stops", "ls")[2]
