"""explain: a tree for people, the contract for machines, the very answer of the hook process, and no trace."""

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from hookwright.cli.main import program
from hookwright.errors import UserError
from hookwright.store import durations_read, durations_write
from hookwright.testing.builders import bash


@pytest.fixture
def explain(hook_process, monkeypatch, tmp_path):
    """Run explain in the hook process's home; returns exit code and stdout."""
    monkeypatch.setenv("HOME", str(hook_process.home))
    monkeypatch.chdir(hook_process.home)

    def run(*words, stdin=None):
        result = CliRunner().invoke(program, ["explain", *words], input=stdin, standalone_mode=False)
        if result.exception is not None:
            raise result.exception
        return result.return_value, result.stdout

    return run


def test_the_object_is_the_documented_one(explain):
    code, out = explain("--json", "cd web && npm ci; ls")
    found = json.loads(out)
    assert code == 0
    assert found["command"] == "cd web && npm ci; ls"
    assert [(call["argv"], call["program"], call["class"]) for call in found["calls"]] == [
        (["cd", "web"], "cd", "quick"),
        (["npm", "ci"], "npm", "install"),
        (["ls"], "ls", "quick"),
    ]
    assert found["calls"][1]["evidence"] == "installs packages"
    assert found["background"] == {"verdict": "force", "reason": "`npm ci` installs packages", "learned": None}
    assert set(found["guard"]) == {"verdict", "rule", "reason", "instead"}
    assert found["guard"]["verdict"] == "none"
    assert found["answer"]["hookSpecificOutput"]["updatedInput"]["run_in_background"] is True
    assert "auto_background" in [row["hook"] for row in found["hooks"]]


@pytest.mark.parametrize("command", ["npm ci", "pytest", "git status", "sleep 90 && ls", "echo 'npm ci'"])
def test_the_answer_is_the_one_of_the_hook_process(explain, hook_process, command):
    answer = hook_process.answer(bash(command, cwd=str(hook_process.home)).raw)
    assert json.loads(explain("--json", command)[1])["answer"] == answer


def test_many_commands_come_as_lines_of_the_same_form(explain):
    code, out = explain("--jsonl", stdin='{"command": "npm ci"}\n\n{"command": "ls", "cwd": "/tmp"}\n')
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 0
    assert [line["background"]["verdict"] for line in lines] == ["force", "none"]
    assert json.loads(explain("--json", "npm ci")[1]) == lines[0]


@pytest.mark.parametrize(
    ("line", "said"),
    [("nonsense", "line 2: not JSON"), ('{"cmd": "ls"}', 'line 2: not an object with a text "command"')],
)
def test_a_bad_line_says_so_and_the_others_are_answered(explain, line, said):
    code, out = explain("--jsonl", stdin=f'{{"command": "ls"}}\n{line}\n{{"command": "pwd"}}\n')
    lines = [json.loads(line) for line in out.splitlines()]
    assert code == 1
    assert lines[1]["error"].startswith(said)
    assert [lines[0]["command"], lines[2]["command"]] == ["ls", "pwd"]


def test_people_get_a_tree_with_classes_evidence_hooks_and_the_answer(explain):
    _, out = explain("ssh prod 'tail -f /var/log/x' | head; sudo npm ci > log")
    for text in (
        "ssh prod tail -f /var/log/x",
        "└ tail -f /var/log/x",
        "on ssh prod",
        "| head",
        "sudo ⟩ npm ci",
        "installs packages",
        "writes log",
        "background  force",
        "1. ",
        "auto_background",
        "Claude Code runs it in the background",
    ):
        assert text in out
    assert "hookSpecificOutput" not in out  # --json shows it


@pytest.mark.parametrize(
    ("command", "end"),
    [
        ("git status", "Claude Code runs it as it is"),
        ("git push --force origin main", "Claude Code denies it"),
        ("git reset --hard", "Claude Code asks you"),
    ],
)
def test_a_reason_is_given_once_and_the_last_line_says_what_happens(explain, command, end):
    out = explain(command)[1]
    assert out.splitlines()[-1].startswith(end)
    for sentence in ("can erase others' commits", "uncommitted"):
        assert out.count(sentence) <= 1


def test_a_hook_that_is_off_is_not_said_to_decide(explain, hook_process):
    hook_process.config.write_text('[auto_background]\nmode = "off"\n')
    out = explain("npm ci")[1]
    assert "background  off  auto_background is off here; it would say force" in out
    assert out.splitlines()[-1] == "Claude Code runs it as it is"


def test_what_could_not_be_read_is_said(explain):
    _, out = explain("npm ci 'unclosed")
    assert "not parsed to its end" in out
    assert json.loads(explain("--json", "npm ci 'unclosed")[1])["problem"]


def test_a_command_that_is_stopped_is_not_moved(explain):
    found = json.loads(explain("--json", "rm -rf ~/ && npm ci")[1])
    assert found["guard"]["verdict"] == "deny"
    assert found["guard"]["rule"]
    assert found["guard"]["instead"]
    assert found["background"]["verdict"] == "force"
    assert "additionalContext" not in found["answer"]["hookSpecificOutput"]


def test_rules_that_looked_and_let_it_pass_are_named(explain):
    assert "let it pass" not in explain("rm -rf build")[1]
    assert "checked `rm -rf build` and let it pass" in explain("--all", "rm -rf build")[1]


def test_nothing_in_the_command_reaches_the_terminal_as_control(explain):
    assert "\x1b" not in explain("echo \x1b[31mred; npm ci")[1]


def test_it_runs_as_a_session_with_a_person_and_leaves_no_trace(explain, hook_process, monkeypatch):
    monkeypatch.setenv("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
    monkeypatch.setenv("HOOKWRIGHT_OBSERVER_PROJECT_LOG", "seen.jsonl")
    before = set(hook_process.home.rglob("*"))
    assert json.loads(explain("--json", "npm ci")[1])["answer"]
    assert set(hook_process.home.rglob("*")) == before


def test_the_users_configuration_counts(explain, hook_process):
    hook_process.config.write_text('[[auto_background.rules]]\nprogram = "npm"\nsubcommand = "ci"\nclass = "quick"\n')
    found = json.loads(explain("--json", "npm ci")[1])
    assert found["background"]["verdict"] == "none"
    assert found["calls"][0]["evidence"] == "is quick by your own rule"
    assert found["answer"] is None


def test_hooks_of_ones_own_are_not_run_and_that_is_said(explain, hook_process):
    assert "User hooks" not in explain("git status")[1]
    hooks = hook_process.home / ".config/hookwright/hooks"
    hooks.mkdir(parents=True)
    (hooks / "loud.py").write_text(f"open({str(hook_process.home / 'ran')!r}, 'w')\n")
    said = explain("git commit -m 'a b'")[1]
    assert "(they may have side effects): ~/.config/hookwright/hooks" in said
    assert """hookwright run PreToolUse --command 'git commit -m '"'"'a b'"'"''""" in said
    assert "User hooks" not in explain("git status", "--json")[1]
    assert not (hook_process.home / "ran").exists()


def test_a_task_is_explained_with_what_it_runs(explain, hook_process):
    (hook_process.home / "package.json").write_text('{"scripts": {"go": "next dev"}}')
    found = json.loads(explain("--json", "npm run go")[1])
    assert [call["argv"] for call in found["calls"]] == [["npm", "run", "go"], ["next", "dev"]]
    assert found["background"]["reason"] == "`next dev` (in `npm run go`) starts a server that does not end"


def test_another_folder_can_be_named(explain, tmp_path):
    (tmp_path / "package.json").write_text('{"scripts": {"go": "next dev"}}')
    assert json.loads(explain("--json", "--cwd", str(tmp_path), "npm run go")[1])["background"]["verdict"] == "force"


def test_the_page_shows_what_is_printed(explain):
    page = (Path(__file__).parents[3] / "docs/explain.md").read_text()
    shown = page.partition("```\n$ hookwright explain ")[2].partition("```")[0]
    command, _, rest = shown.partition("\n")
    assert explain(command.strip('"'))[1].startswith(rest)


def test_what_was_learned_is_told_also_where_it_decides_nothing(explain, hook_process):
    row = (7, 1.5, 2.0, None, *([0.01] * len(durations_read.THRESHOLDS)))
    assert durations_write.write_durations(
        f"{hook_process.home}/.local/state/hookwright", str(hook_process.home), {"git status": row}
    )
    found = json.loads(explain("--json", "git status")[1])["background"]
    assert found == {
        "verdict": "none",
        "reason": None,
        "learned": {"n": 7, "median_s": 1.5, "p90_s": 2.0, "p_long": 0.01},
    }


def test_what_was_learned_here_is_told(explain, hook_process):
    row = (7, 95.0, 140.0, None, *([0.9] * len(durations_read.THRESHOLDS)))
    assert durations_write.write_durations(
        f"{hook_process.home}/.local/state/hookwright", str(hook_process.home), {"slowly": row}
    )
    found = json.loads(explain("--json", "slowly")[1])["background"]
    assert found["verdict"] == "force"
    assert found["learned"] == {"n": 7, "median_s": 95.0, "p90_s": 140.0, "p_long": 0.9}
    assert "7 runs here, median 95 s" in explain("slowly")[1]


def test_wrong_usage_is_told(explain, tmp_path):
    with pytest.raises(UserError, match="no such directory"):
        explain("--cwd", str(tmp_path / "nowhere"), "ls")
    with pytest.raises(click.UsageError, match="COMMAND is missing"):
        explain("  ")
    with pytest.raises(click.UsageError, match="either COMMAND or --jsonl"):
        explain("--jsonl", "ls")


def test_the_safer_command_is_shown_once_beside_the_reason(explain):
    out = explain("git reset --hard")[1]
    assert out.count("git stash -u") == 1
