"""Approve in the real client: what only reads is not asked about, and no question that somebody wanted is answered."""

import os
from pathlib import Path

import pytest

from tests.client.conftest import find_client
from tests.client.kit import install
from tests.client.kit.lab import Lab
from tests.client.kit.scripted_api import bash, call
from tests.hook_kit import prepare_hook

READS = ["awk '{print $1}' a.txt", "for f in *.txt; do wc -l $f; done", "diff <(sort a.txt) <(sort b.txt)"]
ASK = {
    "hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "ask", "permissionDecisionReason": "x"}
}
DEFAULT = ["--permission-mode", "default"]


@pytest.fixture
def approving(claude_binary, tmp_path, monkeypatch, built_bundle):
    """A lab, of any client version, with approve on and nothing allowed."""
    for name in [name for name in os.environ if name.startswith(("XDG_", "HOOKWRIGHT_", "CLAUDE"))]:
        monkeypatch.delenv(name)

    def prepare(version=install.VERSION, mode="on"):
        lab = Lab(tmp_path / f"lab-{version}", binary=find_client(version))
        monkeypatch.setenv("HOME", lab.home)
        config = Path(lab.home) / ".config/hookwright/config.toml"
        config.parent.mkdir(parents=True, mode=0o700)
        config.write_text(f'[approve]\nmode = "{mode}"\n')
        argv = prepare_hook(built_bundle)
        exec_form = {"command": argv[0], "args": []} if version == install.VERSION else {"command": argv[0]}
        for event in ("PreToolUse", "PermissionRequest"):
            lab.handler(event, {"type": "command", **exec_form, "timeout": 60}, matcher="Bash|Read")
        for name in ("a.txt", "b.txt"):
            lab.write(name, "one two\n")
        return lab

    return prepare


def play(lab, commands, args=DEFAULT):
    """Whether each command ran."""
    run = lab.run([*map(bash, commands), "done"], args=args)
    return [not result.failed for result in run.tool_results]


def test_what_only_reads_runs_without_a_question_and_nothing_else_does(approving):
    commands = [*READS, "touch made", "awk '{print > \"made\"}' a.txt", "cat a.txt > made", "git commit -m x"]
    assert play(approving(), commands) == [True] * 3 + [False] * 4


def test_where_it_is_off_or_in_shadow_everything_is_asked_as_ever(approving):
    assert play(approving(mode="shadow"), READS) == [False] * 3


def test_the_users_own_rules_win(approving):
    lab = approving()
    lab.settings["permissions"] = {"ask": ["Bash(awk:*)"], "deny": ["Bash(diff:*)"]}
    assert play(lab, READS) == [False, True, False]


def test_a_question_of_the_guard_or_another_hook_is_the_persons(approving):
    lab = approving()
    lab.hook("PreToolUse", "other", matcher="Bash", reply=ASK)
    with lab.stream([bash(READS[0]), "done"], args=DEFAULT) as session:  # the person says no
        session.say("go")
        session.wait_for_result()
    assert [request["tool_name"] for request in session.asked] == ["Bash"]
    assert session.run.tool_results[0].failed


def test_a_secret_is_asked_about_by_every_tool(approving):
    lab = approving()
    lab.write(".env", "TOKEN=1")
    run = lab.run(
        [bash("awk 1 .env"), call("Read", file_path=str(Path(lab.root) / "outside.txt")), "done"], args=DEFAULT
    )
    assert [result.failed for result in run.tool_results] == [True, True]


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2.1.139", "2.1.235"])
def test_older_clients_say_as_well_who_asked(approving, version):
    lab = approving(version)
    lab.settings["permissions"] = {"ask": ["Bash(awk:*)"]}
    assert play(lab, [*READS[:1], "touch made"]) == [False, False]
