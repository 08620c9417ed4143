"""`hookwright test` plays examples and cases, tells what differs, and is never green for nothing."""

import json

import pytest

HOOK = '''\
"""Nothing here needs root."""

from hookwright import PreToolUse, deny, hook

EXAMPLES = {
    "sudo ls": "deny: without it",
    "ls": None,
}


@hook(PreToolUse, "Bash")
def no_sudo(event):
    if event.tool_input["command"].startswith("sudo "):
        return deny("sudo is not needed here; run the command without it")
    return None
'''
CASE = "=== sudo is refused\ncommand: sudo ls\n---\ndeny: sudo\n"


@pytest.fixture
def hooks(home):
    folder = home.path / ".config/hookwright/hooks"
    folder.mkdir(parents=True)
    (folder / "no_sudo.py").write_text(HOOK)
    return folder


def test_without_a_path_the_users_own_hooks_are_tried(home, hooks):
    (hooks / "no_sudo.case").write_text(CASE)
    assert home("test") == (0, "✓ 2 examples and 1 case passed\n", "")


def test_what_differs_is_shown_and_the_exit_code_is_1(home, hooks):
    (hooks / "no_sudo.case").write_text(CASE.replace("deny: sudo", "ask: really?"))
    code, out, err = home("test")
    assert (code, err) == (1, "")
    assert out.splitlines() == [
        "✗ sudo is refused",
        "    at: ~/.config/hookwright/hooks/no_sudo.case:1",
        "    - ask: really?",
        "    + deny: [hookwright no_sudo] sudo is not needed here; run the command without it",
        "✗ 2 examples and 1 case, 1 failed",
    ]


def test_machines_get_one_object(home, hooks):
    (hooks / "no_sudo.case").write_text(CASE + "=== wrong\ncommand: ls\n---\ndeny\n")
    (hooks / "broken.case").write_text("=== no end\n")
    (hooks / "mute.py").write_text(
        "from hookwright import Stop, hook\n@hook(Stop)\ndef mute(event):\n    return None\n"
    )
    code, said = home.json("test")
    assert (code, said["ok"], said["passed"], said["failed"], said["errors"]) == (1, False, 3, 1, 1)
    assert [(row["kind"], row["title"], row["ok"]) for row in said["cases"]] == [
        ("case", "sudo is refused", True),
        ("case", "wrong", False),
        ("example", "sudo ls", True),
        ("example", "ls", True),
    ]
    assert said["cases"][1]["diff"] == ["- deny", "+ silence"]
    assert said["problems"][0]["where"] == f"{hooks / 'broken.case'}:1"
    assert said["untested"] == [str(hooks / "mute.py")]


@pytest.mark.parametrize("asked", [(), (".",)])
def test_no_tests_is_said_and_is_no_success(home, asked):
    code, out, _ = home("test", *asked)
    assert (code, "no tests" in out, "hookwright new hook" in out) == (1, True, True)
    assert home.json("test", *asked)[1] | {"left_out": []} == {
        "ok": False,
        "passed": 0,
        "failed": 0,
        "errors": 0,
        "cases": [],
        "problems": [],
        "untested": [],
        "left_out": [],
    }


@pytest.mark.parametrize(
    ("name", "text", "word"),
    [
        ("x.py", "EXAMPLES = {}\nfrom hookwright import (\n", "not Python"),
        ("x.py", "from hookwright import nothing\nEXAMPLES = {'a': None}\n", "cannot be loaded: ImportError"),
        ("x.py", "from hookwright import deny\nEXAMPLES = {'a': None}\n", "no hook in this file"),
        ("x.py", HOOK.replace('"ls": None', '"ls": "no"'), "an answer has no 'no'"),
        ("x.py", HOOK.replace('"ls": None', '"ls": 5'), "an example is not understood"),
        ("x.py", HOOK.replace("{\n", "5 or {\n"), "EXAMPLES is not a literal"),
        ("x.py", HOOK.replace("EXAMPLES = {", "EXAMPLES = 5\nOTHERS = {"), "EXAMPLES is not understood"),
        ("x.py", "raise SystemExit\n" + HOOK, "cannot be loaded: SystemExit"),
        ("x.py", "import os\nos._exit(0)\n" + HOOK, "cannot be loaded: it ended the process"),
        ("x.case", "hello\n", "no case in this file"),
        ("x.txt", "hello\n", "neither a case file nor Python"),
        ("", "", "no such file or directory"),
    ],
)
def test_a_file_that_cannot_be_played_is_named(home, name, text, word):
    path = home.project / (name or "nowhere")
    if name:
        path.write_text(text)
    code, out, err = home("test", str(path))
    assert code == 1
    assert word in out + err
    assert path.name in out + err


def test_a_part_can_be_chosen_and_the_passed_named(home, hooks):
    code, out, _ = home("test", "-v", "-k", "SUDO", str(hooks))
    assert (code, out.splitlines()) == (
        0,
        ["✓ sudo ls  ~/.config/hookwright/hooks/no_sudo.py:6", "✓ 1 example passed"],
    )


def test_a_project_is_not_run_without_a_word(home):
    folder = home.project / ".hookwright/hooks"
    folder.mkdir(parents=True)
    (folder / "no_sudo.py").write_text(
        HOOK + '\nwith open(__file__.replace("no_sudo.py", "ran"), "w") as file:\n    file.write("x")\n'
    )
    code, said = home.json("test")
    assert (code, said["cases"], (folder / "ran").exists()) == (1, [], False)
    assert said["left_out"][0]["try"] == "hookwright trust, or hookwright test .hookwright/hooks"
    assert home("test", ".hookwright")[0] == 0
    assert (folder / "ran").exists()
    (folder / "ran").unlink()
    assert home("trust", "--yes")[0] == 0
    assert home("test") == (0, "✓ 2 examples passed\n", "")
    assert (folder / "ran").exists()


def test_what_a_hook_file_prints_is_no_part_of_the_answer(home):
    (home.project / "x.py").write_text(
        HOOK.replace("\n    if ", "\n    print('here')\n    if ") + "\nprint('loaded')\n"
    )
    code, said = home.json("test", "x.py")
    assert (code, said["passed"]) == (0, 2)


def test_other_python_in_a_folder_is_left_alone(home):
    (home.project / "setup.py").write_text("raise SystemExit('ran')\nEXAMPLES = {}\n")
    (home.project / "test_x.py").write_text("from hookwright import hook\nEXAMPLES = {}\nraise SystemExit('ran')\n")
    (home.project / "a.case").write_text("config: none\n" + CASE.replace("deny: sudo", "silence"))
    assert json.loads(json.dumps(home.json("test", ".")))[1]["passed"] == 1
