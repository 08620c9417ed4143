"""`hookwright allow`, `on`, `off`, `shadow` count in the next hook process, where they should and nowhere else."""

import json
import os
import subprocess
import sys
import tomllib

import pytest

from hookwright.testing.builders import bash, tool_use

PUSH = "git push --force origin main"
OTHER = "git push --force origin develop"


class Desk:
    """Two projects of one user; commands and hook processes in them."""

    def __init__(self, home, tmp_path):
        self.home = home
        self.project = home.project
        self.other = tmp_path / "other"
        for folder in (self.project, self.other):
            (folder / ".git").mkdir(parents=True)

    def answer(self, command=PUSH, project=None, event=None, **env):
        """The permission that the hook process answers with; None for silence."""
        where = project or self.project
        payload = {**(event or bash(command)).raw, "cwd": str(where)}
        done = self.home.hook_process(payload, CLAUDE_PROJECT_DIR=str(where), **env)
        assert done.returncode == 0, done
        said = json.loads(done.stdout).get("hookSpecificOutput", {}) if done.stdout else {}
        return said.get("permissionDecision") or ("moved" if "updatedInput" in said else None)

    def here_files(self):
        return sorted((self.home.path / ".config/hookwright/projects").glob("*.toml"))

    def tree(self):
        return sorted(str(path.relative_to(self.project)) for path in self.project.rglob("*"))


@pytest.fixture
def desk(home, tmp_path):
    return Desk(home, tmp_path)


def test_what_was_denied_last_passes_here_and_only_here(desk):
    assert desk.answer() == "deny"
    before = desk.tree()
    code, found = desk.home.json("allow", "last", "--yes")
    assert code == 0
    assert found["exception"] == {"rule": "git-force-push", "command": PUSH}
    assert [found["file"]] == [str(path) for path in desk.here_files()]
    assert desk.answer() is None
    assert desk.answer(OTHER) == "deny"  # the narrowest: this command
    assert desk.answer(project=desk.other) == "deny"  # and this project
    assert desk.tree() == before
    assert str(desk.project) in desk.here_files()[0].read_text().splitlines()[0]


def test_a_second_run_changes_nothing_and_undo_brings_the_rule_back(desk):
    desk.answer()
    desk.home("allow", "last", "--yes")
    text = desk.here_files()[0].read_bytes()
    code, out, _ = desk.home("allow", PUSH)  # nothing to confirm, so no --yes
    assert code == 0
    assert "was allowed already here" in out
    assert desk.here_files()[0].read_bytes() == text
    code, out, _ = desk.home("undo", "--yes")
    assert "reverted the last allow" in out
    assert desk.here_files() == []
    assert desk.answer() == "deny"


def test_everywhere_is_in_the_users_file_whose_other_bytes_stay(desk):
    config = desk.home.path / ".config/hookwright/config.toml"
    config.parent.mkdir(parents=True)
    text = '# mine\n[command_guard]\nask = ["git-reset-hard"]  # why\n[format]\nmode = "off"'
    config.write_text(text)
    code, found = desk.home.json("allow", PUSH, "--everywhere", "--yes")
    assert (code, found["file"]) == (0, str(config))
    assert config.read_text().startswith(text)
    assert desk.answer() is None
    assert desk.answer(project=desk.other) is None
    desk.home("undo", "--yes")
    assert config.read_text() == text


def test_a_rule_is_allowed_as_a_whole(desk):
    code, found = desk.home.json("allow", "git-force-push", "--yes")
    assert (code, found["exception"]) == (0, {"rule": "git-force-push", "command": ""})
    assert desk.answer() is None
    assert desk.answer(OTHER) is None
    assert desk.answer("rm -rf ~/") == "deny"


def test_an_event_is_named_by_its_id(desk):
    desk.answer()
    desk.answer("rm -rf /etc")
    _, out, _ = desk.home("log", "--json")
    number = json.loads(out.splitlines()[0])["id"]
    code, found = desk.home.json("allow", number, "--yes")
    assert (code, found["exception"]["command"]) == (0, PUSH)
    assert desk.answer("rm -rf /etc") == "deny"


def test_a_command_that_two_rules_stop_is_allowed_as_exactly_that_command(desk):
    both = "git push --force origin main; git reset --hard HEAD~3"
    _, found = desk.home.json("allow", both, "--yes")
    assert found["exception"] == {"rule": "", "command": both}
    assert desk.answer(both) is None
    assert desk.answer() == "deny"


@pytest.mark.parametrize(
    ("tool", "given", "other"),
    [
        ("mcp__db__execute_sql", {"sql": "DROP TABLE a"}, {"sql": "DROP TABLE b"}),
        ("PowerShell", {"command": "Remove-Item -Recurse src"}, {"command": "Remove-Item -Recurse lib"}),
        (
            "WebFetch",
            {"url": "https://webhook.site/a?b=1", "prompt": "x"},
            {"url": "https://webhook.site/a?b=2", "prompt": "x"},
        ),
    ],
)
def test_a_call_of_another_tool_is_allowed_and_named_in_the_log(desk, tool, given, other):
    assert desk.answer(event=tool_use(tool, given)) in ("ask", "deny")
    _, log, _ = desk.home("log")
    _, why, _ = desk.home("why", "last")
    shown = next(iter(given.values()))
    assert f"{tool} " in log
    assert shown in log
    assert shown in why
    assert desk.home.json("allow", "last", "--yes")[0] == 0
    assert desk.answer(event=tool_use(tool, given)) is None
    assert desk.answer(event=tool_use(tool, other)) in ("ask", "deny")


def test_the_file_of_a_tool_is_allowed_too(desk):
    secret = desk.project / ".env"
    secret.write_text("A=1")
    event = tool_use("Read", {"file_path": str(secret)})
    assert desk.answer(event=event) == "ask"
    code, found = desk.home.json("allow", "last", "--yes")
    assert (code, found["exception"]) == (0, {"rule": "protected-secrets", "command": str(secret)})
    assert desk.answer(event=event) is None
    assert desk.answer(event=tool_use("Write", {"file_path": str(desk.project / ".git/config")})) == "ask"


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("last", "has not denied or asked about anything yet"),
        ("git-force-psh", "did you mean git-force-push?"),
        ("ls -la", "no rule stops `ls -la` here"),
        ("guard-off", "keeps an agent from changing what is checked"),
        ("hookwright allow last", "is for a person to run"),
    ],
)
def test_what_cannot_be_allowed_is_explained_and_nothing_is_written(desk, word, expected):
    code, _, err = desk.home("allow", word, "--yes")
    assert code == 1
    assert expected in err
    assert desk.here_files() == []


def test_last_never_means_what_an_agent_tried_with_our_own_commands(desk):
    desk.answer()
    assert desk.answer("hookwright allow last --yes") == "deny"
    _, found = desk.home.json("allow", "last", "--yes")
    assert found["exception"]["command"] == PUSH


def test_last_in_another_project_is_not_taken_for_this_one(desk):
    desk.answer(project=desk.other)
    code, _, err = desk.home("allow", "last", "--yes")
    assert code == 1
    assert str(desk.other) in err
    code, found = desk.home.json("allow", "last", "--everywhere", "--yes")
    assert (code, found["exception"]["command"]) == (0, PUSH)


def test_a_masked_command_is_not_allowed_from_its_record(desk):
    desk.answer("git push --force https://ann:hunter2secret@host/x main")
    code, _, err = desk.home("allow", "last", "--yes")
    assert code == 1
    assert "does not hold the whole command" in err


def test_without_a_terminal_and_without_yes_nothing_is_written(desk):
    desk.answer()
    code, _, err = desk.home("allow", "last")
    assert code == 1
    assert "needs a terminal" in err
    assert desk.here_files() == []


# --- modes


@pytest.mark.parametrize(("mode", "expected"), [("off", None), ("shadow", None), ("on", "deny")])
def test_a_mode_counts_at_once_here_and_only_here(desk, mode, expected):
    code, found = desk.home.json(mode, "command_guard", "--here")
    assert code == 0
    assert found == {"hook": "command_guard", "mode": mode, "file": str(desk.here_files()[0]), "changed": True}
    assert desk.answer() == expected
    assert desk.answer(project=desk.other) == "deny"
    assert desk.answer(project=desk.project / ".git") == expected  # a session that begins below
    desk.home("undo", "--yes")
    assert desk.answer() == "deny"


def test_a_mode_everywhere_is_in_the_users_file_and_here_wins_over_it_and_over_the_project(desk):
    _, found = desk.home.json("off", "auto-background")
    assert found["file"].endswith("/.config/hookwright/config.toml")
    assert desk.answer("npm install") is None
    desk.home("on", "auto_background", "--here")
    assert desk.answer("npm install") == "moved"
    assert desk.answer("npm install", project=desk.other) is None
    (desk.project / ".hookwright.toml").write_text('[auto_background]\nmode = "on"\n')
    desk.home("off", "auto_background", "--here")
    assert desk.answer("npm install") is None
    _, found = desk.home.json("config", "show")
    assert found["values"]["auto_background.mode"] == {"value": "off", "from": "here"}


def test_a_hook_that_is_off_is_no_fault_of_the_settings_and_one_that_is_on_is_registered(desk):
    desk.home("install", "--yes")
    for hook in ("notify", "command_guard"):
        desk.home("off", hook)
        code, out, _ = desk.home("verify")
        assert code == 0, out
    desk.home("undo", "--yes")
    _, out, _ = desk.home("on", "format", "--here")
    assert ("not registered yet" in out) == ("PostToolUse" not in desk.home.settings()["hooks"])
    assert "nothing was changed" in desk.home("install")[1] or desk.home("install", "--yes")[0] == 0
    assert desk.home("verify")[0] == 0


def test_an_unknown_hook_is_corrected(desk):
    code, _, err = desk.home("off", "auto_backgroud", "--here")
    assert code == 1
    assert "did you mean auto_background?" in err


def test_a_mode_that_another_layer_overrules_is_told(desk, monkeypatch):
    monkeypatch.setenv("HOOKWRIGHT_AUTO_BACKGROUND_MODE", "shadow")
    code, out, _ = desk.home("off", "auto_background", "--here")
    assert code == 0
    assert "HOOKWRIGHT_AUTO_BACKGROUND_MODE" in out


def test_a_private_file_that_is_broken_is_named_and_costs_only_itself(desk):
    desk.home("off", "command_guard", "--here")
    desk.here_files()[0].write_text("[command_guard\n")
    assert desk.answer(project=desk.other) == "deny"
    code, out, _ = desk.home("config", "check")
    assert code == 1
    assert str(desk.here_files()[0]) in out
    code, _, err = desk.home("off", "notify", "--here")
    assert code == 1
    assert "not valid TOML" in err


def test_undo_takes_our_lines_back_out_of_a_file_that_was_edited_since(desk):
    desk.home("off", "notify")
    config = desk.home.path / ".config/hookwright/config.toml"
    config.write_text(config.read_text() + '\n[format]\nmode = "shadow"\n')
    desk.home("undo", "--yes")
    assert tomllib.loads(config.read_text()) == {"format": {"mode": "shadow"}}


@pytest.mark.parametrize(
    "text",
    [
        '[command_guard]\nexceptions = [{rule = "git-clean"}]\n',
        "command_guard = {exceptions = []}\n",
    ],
)
def test_a_form_of_toml_that_is_not_edited_is_left_alone_with_the_lines_to_add(desk, text):
    config = desk.home.path / ".config/hookwright/config.toml"
    config.parent.mkdir(parents=True)
    config.write_text(text)
    code, _, err = desk.home("allow", PUSH, "--everywhere", "--yes")
    assert code == 1
    assert "[[command_guard.exceptions]]" in err
    assert config.read_text() == text


# --- a person's commands


@pytest.mark.parametrize(
    "words",
    [
        ("allow", "last", "--yes"),
        ("off", "command_guard", "--here"),
        ("on", "notify"),
        ("shadow", "command_guard"),
        ("undo", "--yes"),
        ("uninstall", "--yes"),
        ("trust", "--yes"),
        ("questions", "set", "--match", ".", "--never-ask"),
        ("questions", "presence", "away"),
    ],
)
@pytest.mark.parametrize("mark", ["CLAUDECODE", "GEMINI_CLI"])
def test_an_agent_is_refused_whatever_it_says(desk, monkeypatch, words, mark):
    (desk.project / ".hookwright.toml").write_text('[format]\nmode = "off"\n')
    desk.answer()
    monkeypatch.setenv(mark, "1")
    code, _, err = desk.home(*words)
    assert code == 1
    assert "Only the user can run it" in err
    assert desk.answer() == "deny"
    assert desk.here_files() == []


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="the environment of other processes is not readable")
def test_an_agent_that_removes_the_variable_is_refused_all_the_same(desk):
    desk.answer()
    argv = ["sh", "-c", f"env -u CLAUDECODE {sys.executable} -m hookwright allow last --yes; exit $?"]
    env = {**os.environ, "CLAUDECODE": "1"}
    done = subprocess.run(argv, env=env, cwd=desk.project, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "started by Claude Code" in done.stderr
    assert desk.answer() == "deny"


def test_a_file_tool_may_not_write_the_private_file(desk):
    desk.home("off", "notify", "--here")
    path = str(desk.here_files()[0])
    for tool in ("Write", "Edit"):
        assert desk.answer(event=tool_use(tool, {"file_path": path})) == "deny"
    assert desk.answer("echo x > ~/.config/hookwright/projects/shop.toml") == "deny"
