"""install, verify, status and run know the installed client and the mods that it loads."""

import json

import pytest

from hookwright.runtime import registration

pytestmark = pytest.mark.slow


def codes(found):
    return [finding["code"] for finding in found["findings"]]


def test_a_client_that_is_too_old_is_refused_and_nothing_is_written(home):
    home.client("2.0.14 (Claude Code)")
    before = home.write({"permissions": {"deny": ["Read(.env)"]}})
    home.hook_process.launcher.unlink()
    for words in (["--yes"], ["--yes", "--json"], ["--dry-run"]):
        code, out, err = home("install", *words)
        assert (code, out) == (1, "")
        assert "Claude Code 2.0.14 is older than 2.1.71" in err
        assert "--force-old-client" in err
    assert home.file().read_bytes() == before
    assert not home.hook_process.launcher.exists()


def test_force_old_client_registers_what_that_client_knows(home):
    home.client("2.0.14 (Claude Code)")
    code, found = home.json("install", "--yes", "--force-old-client")
    assert code == 0
    assert found["client"]["supported"] is False
    assert set(home.settings()["hooks"]) == {
        "PreToolUse",
        "PostToolUse",
        "UserPromptSubmit",
        "SessionStart",
        "SessionEnd",
        "Stop",
        "SubagentStop",
        "Notification",
    }
    code, found = home.json("verify")
    assert (code, codes(found)) == (1, ["client-too-old"])


@pytest.mark.parametrize(
    ("version", "left_out", "form"),
    [
        ("2.1.71", {"StopFailure"}, {"command"}),
        ("2.1.112", set(), {"command"}),
        ("2.1.139", set(), {"command", "args"}),
        ("2.1.325", set(), {"command", "args"}),
    ],
)
def test_only_what_the_client_knows_is_registered(home, version, left_out, form):
    home.client("2.1.325 (Claude Code)")
    _, newest = home.json("install", "--yes")
    events = set(home.settings()["hooks"])
    assert newest["client"]["note"] is None
    path = home.client(f"{version} (Claude Code)")
    code, found = home.json("install", "--yes")
    assert code == 0
    note = found["client"].pop("note")
    assert found["client"] == {"path": str(path), "version": version, "supported": True}
    assert all(event in note for event in left_out) if left_out else note is None
    assert events - set(home.settings()["hooks"]) == left_out
    keys = {key for _, _, handler in home.handlers() for key in handler} - {"type", "timeout", "statusMessage"}
    assert keys == form
    code, found = home.json("verify")
    assert (code, codes(found), found["client"]["version"]) == (0, [], version)
    _, found = home.json("status")
    assert found["client"]["version"] == version
    assert all(not row["unregistered"] for row in found["hooks"] if row["mode"] == "on")


def test_chosen_words_survive_in_shell_text(home):
    home.client("2.1.112 (Claude Code)")
    home("install", "--yes", "--strict", "--only", "command_guard")
    [(_, _, handler)] = home.handlers()
    assert handler["command"].endswith("/hookwright/hook command_guard fail-closed")
    assert "onFailure" not in handler
    choice = registration.read_choice([handler])
    assert (choice.only, choice.strict) == (("command_guard",), True)
    assert "nothing was changed" in home("install", "--yes")[1]
    code, found = home.json("verify")
    assert (code, codes(found)) == (1, ["on-failure-ignored"])
    [row] = found["handlers"]
    assert {proof["proof"] for proof in row["proofs"] if proof["ok"]} >= {"deny", "silence"}


@pytest.mark.parametrize(("version", "said"), [("2.1.294", True), ("2.1.295", False)])
def test_strict_says_where_it_has_no_effect(home, version, said):
    home.client(version)
    code, out, _ = home("install", "--yes", "--strict")
    assert code == 0
    assert ("--strict has no effect in Claude Code" in out) is said


def test_without_a_client_everything_is_registered_and_that_is_said(home):
    code, found = home.json("install", "--yes")
    assert code == 0
    assert (found["client"]["path"], found["client"]["version"], found["client"]["supported"]) == (None, None, None)
    assert "was not found" in found["client"]["note"]
    assert "StopFailure" in home.settings()["hooks"]
    assert home.json("verify")[1]["ok"] is True


def test_a_client_that_does_not_answer_stops_nothing(home):
    home.client("", code=3)
    code, found = home.json("install", "--yes")
    assert (code, found["client"]["supported"]) == (0, None)
    assert "its version is unknown" in found["client"]["note"]


def test_a_stated_version_counts_until_a_client_is_found(home):
    code, found = home.json("install", "--yes", "--client-version", "2.1.71")
    assert (code, found["verify"]["ok"]) == (0, True)
    assert "StopFailure" not in home.settings()["hooks"]
    assert home.json("verify")[1]["client"]["version"] == "2.1.71"
    assert "nothing was changed" in home("install", "--yes")[1]
    home.client()
    home("install", "--yes")
    assert "StopFailure" in home.settings()["hooks"]
    assert home.json("verify")[1]["client"]["version"] == "2.1.325"


@pytest.mark.parametrize("text", ["2.1", "new", "2.1.71 ", "v2.1.71"])
def test_a_stated_version_has_three_numbers(home, text):
    with pytest.raises(Exception, match="is no version"):
        home("install", "--yes", "--client-version", text)


def test_an_old_client_that_would_skip_the_file_is_found(home):
    home.client()
    home("install", "--yes")
    home.client("2.1.71 (Claude Code)")
    code, found = home.json("verify")
    assert code == 1
    [finding] = [finding for finding in found["findings"] if finding["code"] == "client-skips-file"]
    assert "StopFailure" in finding["what"]
    assert finding["try"] == "hookwright install"
    home("install", "--yes")
    assert home.json("verify")[0] == 0


@pytest.mark.parametrize(("version", "code"), [("2.1.100", "client-skips-file"), ("2.1.101", "event-not-in-client")])
def test_what_an_unknown_event_of_somebody_else_does(home, version, code):
    home.client(version)
    home.write({"hooks": {"PostToolBatch": [{"hooks": [{"type": "command", "command": "true"}]}]}})
    assert code in codes(home.json("verify")[1])


def test_args_that_the_client_ignores_are_found(home):
    home.client("2.1.112 (Claude Code)")
    theirs = {"type": "command", "command": "/bin/true", "args": ["-x"]}
    home.write({"hooks": {"Stop": [{"hooks": [theirs]}]}})
    assert "args-ignored" in codes(home.json("verify")[1])


# --- mods
def put_mod(folder, name="theme"):
    (folder / ".claude-plugin").mkdir(parents=True)
    (folder / ".claude-plugin/plugin.json").write_text(json.dumps({"name": name}))
    (folder / "hooks").mkdir()
    (folder / "hooks/hooks.json").write_text(json.dumps({"modules": ["./register.mjs"]}))
    return folder / "hooks/hooks.json"


@pytest.mark.parametrize("version", ["2.1.325", None])
def test_a_mod_is_named_by_verify_status_and_run(home, version):
    if version:
        home.client(version)
    home("install", "--yes")
    file = put_mod(home.project / ".claude/skills/theme")
    code, found = home.json("verify")
    [finding] = [finding for finding in found["findings"] if finding["code"] == "mod-can-bypass-hooks"]
    assert (code, finding["where"]) == (1, str(file))
    assert "theme@skills-dir, which came with this project" in finding["what"]
    assert finding["try"] == "claude plugin disable theme@skills-dir"
    row = {"plugin": "theme@skills-dir", "file": str(file), "module": "./register.mjs", "in_project": True}
    assert home.json("status")[1]["mods"] == [row]
    assert "theme@skills-dir can answer before hooks are asked" in home("status")[1]
    assert home.json("run", "PreToolUse", "--command", "git status")[1]["mods"] == [row]
    assert "theme@skills-dir can answer before hooks are asked" in home("run", "PreToolUse", "--command", "ls")[1]


def test_a_client_without_mods_loads_none(home):
    home.client("2.1.286")
    home("install", "--yes")
    put_mod(home.path / ".claude/skills/theme")
    assert home.json("verify")[0] == 0
    assert home.json("status")[1]["mods"] == []


def test_run_says_for_which_version_it_speaks(home):
    home.client("2.1.139")
    home("install", "--yes")
    said = home("run", "PreToolUse", "--command", "git status")[1]
    assert "this shows what Claude Code 2.1.139 does, the installed version" in said
    assert home.json("run", "PreToolUse", "--command", "git status")[1]["client"] == "2.1.139"
