"""Install: only our bytes, once, with proof; and nothing without the user's word."""

import json
import os

import pytest

from hookwright.recipes import RECIPES
from hookwright.runtime import launcher, managed_launcher, registration
from hookwright.runtime.entry_match import FAIL_CLOSED

pytestmark = pytest.mark.slow

FOREIGN = {
    "model": "opus",
    "hooks": {
        "PreToolUse": [{"matcher": "Bash", "hooks": [{"type": "command", "command": "their-guard --x"}]}],
        "Stop": [{"hooks": [{"type": "command", "command": "say done"}]}],
    },
}


def ours(home, scope="user"):
    return [row for row in home.handlers(scope) if registration.is_ours(row[2])]


def test_a_first_install_makes_the_file_and_proves_the_hooks(home):
    code, found = home.json("install", "--yes")
    assert code == 0
    assert found["files"][0]["path"] == str(home.file())
    assert found["files"][0]["changed"] is True
    assert found["verify"]["ok"] is True
    [row] = [row for row in found["verify"]["handlers"] if row["event"] == "PreToolUse"]
    assert {proof["proof"]: proof["ok"] for proof in row["proofs"]}.items() >= {
        "rewrite": True,
        "silence": True,
    }.items()
    assert all(row["started"] and row["exit_code"] == 0 and row["ours"] for row in found["verify"]["handlers"])
    assert os.stat(home.file()).st_mode & 0o777 == 0o600


def test_what_is_registered_is_what_print_argv_says(home):
    home("install", "--yes")
    _, out, _ = home("hook", "--print-argv")
    for _, _, handler in ours(home):
        assert [handler["command"], *handler["args"]] == json.loads(out)
        assert 0 < handler["timeout"] <= 600


def test_a_second_install_changes_nothing_and_says_so(home):
    home("install", "--yes")
    before = home.file().read_bytes()
    code, out, _ = home("install")  # nothing to ask
    assert code == 0
    assert "nothing was changed" in out
    assert "Claude Code applies this" not in out
    assert home.file().read_bytes() == before


def test_foreign_entries_stay_and_uninstall_is_the_exact_inverse(home):
    before = home.write(FOREIGN)
    home("install", "--yes")
    assert home.settings()["hooks"]["PreToolUse"][0] == FOREIGN["hooks"]["PreToolUse"][0]
    assert home("uninstall", "--yes")[0] == 0
    assert home.file().read_bytes() == before


def test_a_file_that_we_made_goes_again(home):
    home("install", "--yes")
    home("uninstall", "--yes")
    assert not home.file().exists()


def test_without_a_word_of_the_user_nothing_is_written(home):
    before = home.write(FOREIGN)
    code, out, err = home("install")
    assert code == 1
    assert "hookwright install --yes" in err
    assert "Adds hookwright to 13 events" in out  # what would change was shown
    assert home.file().read_bytes() == before


def test_a_dry_run_shows_the_diff_and_writes_nothing(home):
    code, found = home.json("install", "--dry-run")
    assert (code, found["verify"]) == (0, None)
    assert found["files"][0]["diff"].startswith("--- /dev/null\n+++ ")
    assert not home.file().exists()


@pytest.mark.parametrize("scope", ["project", "local"])
def test_the_scope_decides_whose_file(home, scope):
    code, found = home.json("install", "--yes", "--scope", scope)
    assert code == 0
    assert found["files"][0]["path"] == str(home.file(scope))
    assert ours(home, scope)
    assert not home.file().exists()


def test_the_config_folder_of_the_client_is_followed(home, tmp_path, monkeypatch):
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "elsewhere"))
    assert home("install", "--yes")[0] == 0
    assert (tmp_path / "elsewhere/settings.json").exists()
    assert not home.file().exists()


def test_only_some_hooks_are_registered_for_their_events_alone(home):
    code, found = home.json("install", "--yes", "--only", "auto-background")
    assert code == 0
    assert [(event, matcher) for event, matcher, _ in ours(home)] == [("PreToolUse", "Bash")]
    assert ours(home)[0][2]["args"][-1] == "auto_background"
    assert [proof["proof"] for row in found["verify"]["handlers"] for proof in row["proofs"]] == ["rewrite", "silence"]


def test_choices_stay_until_others_are_made(home):
    home("install", "--yes", "--only", "observer", "--only", "background", "--with", "verify-completion")
    before = home.file().read_bytes()
    code, out, _ = home("install")
    assert (code, home.file().read_bytes()) == (0, before)
    assert "only auto_background, observer" in out.replace("observer, auto_background", "auto_background, observer")
    home("install", "--yes", "--only", "all", "--with", "none")
    assert registration.read_choice(row[2] for row in ours(home)) == registration.InstallChoice()
    assert "Stop" in home.settings()["hooks"]


@pytest.mark.parametrize(
    "words",
    [
        ("--only", "observer", "--only", "context"),
        ("--only", "observer,context"),
        ("--only", "observer", "context"),
    ],
)
def test_several_hooks_are_named_in_any_of_the_usual_ways(home, words):
    home("install", "--yes", *words)
    assert registration.read_choice(row[2] for row in ours(home)).only == ("observer", "context")


def test_an_unknown_hook_is_named_with_those_that_there_are(home):
    code, _, err = home("install", "--yes", "--only", "gaurd")
    assert code == 1
    assert "there is no hook 'gaurd'" in err
    assert "did you mean command_guard?" in err
    code, _, err = home("install", "--yes", "--only", "xyz")
    assert "one of command_guard, questions, auto_background" in err


def test_strict_is_about_the_entry_that_carries_the_guard(home):
    home("install", "--yes", "--strict")
    strict = {event: (handler.get("onFailure"), handler["args"] == [FAIL_CLOSED]) for event, _, handler in ours(home)}
    assert strict.pop("PreToolUse") == ("block", True)
    assert set(strict.values()) == {(None, False)}
    home("install", "--yes")
    assert [handler for _, _, handler in ours(home) if handler.get("onFailure")]  # as chosen before
    home("install", "--yes", "--no-strict")
    assert not [handler for _, _, handler in ours(home) if handler.get("onFailure")]


def test_strict_without_the_guard_is_refused(home):
    code, _, err = home("install", "--yes", "--strict", "--only", "observer")
    assert code == 1
    assert "command_guard" in err
    assert not home.file().exists()


def test_recipes_come_in_and_go_out_as_ours(home):
    before = home.write(FOREIGN)
    home("install", "--yes", "--with", "verify-completion", "--with", "run-tests")
    prompts = [handler["prompt"] for _, _, handler in home.handlers() if "prompt" in handler]
    assert prompts == [RECIPES[name]["handler"]["prompt"] for name in ("verify-completion", "run-tests")]
    home("uninstall", "--yes")
    assert home.file().read_bytes() == before


@pytest.mark.parametrize(
    "former",
    [
        {"type": "command", "command": "hookwright hook", "timeout": 5},
        {"type": "command", "command": "/old/venv/bin/hookwright", "args": ["hook"]},
        {"type": "command", "command": "/gone/python3", "args": ["-I", "-c", "import sys  # hookwright\nolder", "/c/"]},
    ],
    ids=["shell form", "program", "older launcher"],
)
def test_former_entries_are_brought_up_to_date_beside_strangers(home, former):
    stranger = {"type": "command", "command": "say done"}
    home.write({"hooks": {"Stop": [{"hooks": [stranger, former]}]}})
    assert home("install", "--yes")[0] == 0
    handlers = [handler for event, _, handler in home.handlers() if event == "Stop"]
    assert handlers[0] == stranger
    assert [handlers[1]["command"], *handlers[1]["args"]] == launcher.build_argv()
    assert len(handlers) == 2


def test_a_hook_that_is_off_is_not_registered(home):
    home.hook_process.config.write_text('[stop_guard]\nmode = "off"\n')
    home("install", "--yes")
    assert "TaskCompleted" not in home.settings()["hooks"]
    home.hook_process.config.write_text("")
    code, found = home.json("install", "--yes")
    assert (code, found["files"][0]["changed"]) == (0, True)
    assert "TaskCompleted" in home.settings()["hooks"]


def test_what_the_client_shows_while_it_waits_is_told_where_checks_run(home):
    home.hook_process.config.write_text('[[stop_guard.checks]]\ncommand = "make test"\n')
    home("install", "--yes")
    messages = {event: handler.get("statusMessage") for event, _, handler in ours(home)}
    assert messages["Stop"] == messages["TaskCompleted"] == "Running the project's checks"
    assert messages["PreToolUse"] is None


def test_a_file_that_does_not_parse_is_not_touched_and_the_place_is_named(home):
    before = home.write('{\n  "hooks": {,}\n}')
    code, _, err = home("install", "--yes")
    assert code == 1
    assert ":2" in err
    assert home.file().read_bytes() == before


def test_undo_brings_the_bytes_back(home):
    before = home.write(FOREIGN)
    home("install", "--yes")
    code, found = home.json("undo", "--yes")
    assert (code, found["files"][0]["changed"], found["verify"]) == (0, True, None)
    assert home.file().read_bytes() == before
    code, _, err = home("undo", "--yes")
    assert code == 1
    assert "there is no change of hookwright to revert" in err


def test_undo_takes_back_the_last_change_of_all_files(home):
    home("install", "--yes")
    home("install", "--yes", "--scope", "local")
    home("undo", "--yes")
    assert home.file().exists()
    assert not home.file("local").exists()
    home("undo", "--yes")
    assert not home.file().exists()


def test_uninstall_finds_every_file_that_we_are_in(home):
    for scope in ("user", "project", "local"):
        home("install", "--yes", "--scope", scope)
    code, found = home.json("uninstall", "--yes")
    assert (code, len(found["files"])) == (0, 3)
    assert not any(home.file(scope).exists() for scope in ("user", "project", "local"))
    code, out, _ = home("uninstall")
    assert code == 0
    assert "nothing was changed" in out


def test_in_the_home_folder_the_project_file_is_the_users(home, monkeypatch):
    monkeypatch.chdir(home.path)
    code, found = home.json("install", "--yes")
    rows = [(row["event"], row["scope"]) for row in found["verify"]["handlers"]]
    assert (code, len(rows)) == (0, len(set(rows)))
    assert {scope for _, scope in rows} == {"user"}
    code, found = home.json("uninstall", "--yes")
    assert (code, len(found["files"])) == (0, 1)


def test_the_same_entries_in_a_second_file_are_named(home):
    home("install", "--yes", "--scope", "project")
    code, found = home.json("install", "--yes")
    assert code == 0  # the client runs equal entries once
    assert {finding["code"] for finding in found["verify"]["findings"]} == {"ours-elsewhere"}
    code, found = home.json("install", "--yes", "--only", "observer", "--scope", "project")
    assert code == 1
    assert "ours-twice" in {finding["code"] for finding in found["verify"]["findings"]}


def test_the_managed_dry_run_needs_no_root_and_shows_the_whole_drop_in(home):
    code, found = home.json("install", "--scope", "managed", "--dry-run")
    assert code == 0
    [file] = found["files"]
    assert file["path"].endswith("/managed-settings.d/50-hookwright.json")
    handlers = [entry for groups in json.loads(file["text"])["hooks"].values() for entry in groups[0]["hooks"]]
    assert {entry["command"] for entry in handlers} == {managed_launcher.managed_launcher_path()}
    assert not os.path.exists(file["path"])


@pytest.mark.skipif(os.geteuid() == 0, reason="managed install: root may write it")
def test_the_managed_scope_is_refused_without_root(home):
    code, _, err = home("install", "--scope", "managed", "--yes")
    assert code == 1
    assert "only root may write them" in err


def test_what_is_shown_and_written_is_little(home):
    _, out, _ = home("install", "--dry-run")
    assert len(out.splitlines()) <= 80
    for words in ("13 events", "command_guard", "~/.local/share/hookwright/hook", "Nothing else in the file changes"):
        assert words in out
    _, out, _ = home("install", "--dry-run", "--diff")
    assert "+++ " in out
    home("install", "--yes")
    assert home.file().stat().st_size <= 5 * 1024
    text = (home.path / ".local/share/hookwright/hook").read_text()
    assert len(text.splitlines()) <= 40


def test_a_project_that_is_not_trusted_is_a_note_and_no_failure(home):
    (home.project / ".hookwright.toml").write_text('[command_guard]\noff = ["git-clean"]\n')
    code, out, _ = home("install", "--yes")
    assert code == 0
    assert "an untrusted project can only make settings stricter" in out
    assert home("verify")[0] == 0


def test_the_command_is_named_so_that_it_can_be_typed(home, monkeypatch):
    script = home.script("hookwright", "#!/bin/sh\n")
    monkeypatch.setattr("sys.argv", [script, "install"])
    _, out, _ = home("install", "--yes")
    assert f'export PATH="$HOME{script.removeprefix(str(home.path)).removesuffix("/hookwright")}:$PATH"' in out
    assert "Next: ~/hookwright status" in out
    monkeypatch.setenv("PATH", f"{home.path}:/usr/bin:/bin")
    _, out, _ = home("install", "--yes")
    assert "Next: hookwright status · " in out


def test_past_sessions_are_offered_and_learned_from_on_request(home):
    folder = home.path / ".claude/projects/-shop"
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text("{}\n")
    _, out, _ = home("install", "--yes")
    assert "hookwright learn" in out
    _, out, _ = home("install", "--yes", "--no-learn")
    assert "hookwright learn" not in out
    _, found = home.json("install", "--yes", "--learn")
    assert found["learn"]["transcripts"] == 1
    assert home("learn", "--from", str(home.path / ".claude/projects"))[0] == 0


def test_uninstall_all_leaves_nothing_but_the_configuration(home):
    before = home.write({"model": "opus"})
    home("install", "--yes")
    home("install", "--yes", "--scope", "project")
    config = home.path / ".config/hookwright"
    config.mkdir(parents=True)
    (config / "config.toml").write_text("")
    environment = home.path / ".local/share/hookwright/venv"
    (environment / "bin").mkdir(parents=True)
    (environment / "bin/hookwright").write_text("")
    link = home.path / ".local/bin/hookwright"
    link.parent.mkdir()
    link.symlink_to(environment / "bin/hookwright")
    _, out, _ = home("uninstall", "--all", "--dry-run")
    assert "would be removed" in out
    assert environment.exists()
    home.monkeypatch.chdir(home.path)  # the entries of the project are found from elsewhere
    code, out, _ = home("uninstall", "--all", "--yes")
    assert code == 0, out
    for what in ("launcher", "cache", "ledger", "command", "environment"):
        assert f"{what} removed" in out or f"{what} and what was learned removed" in out
    assert "~/.config/hookwright stays" in out
    assert home.file().read_bytes() == before
    assert not home.file("project").exists()
    left = sorted(str(path.relative_to(home.path)) for path in home.path.rglob("*") if not path.is_dir())
    assert left == [".claude/settings.json", ".config/hookwright/config.toml"]
