"""The stop guard keeps Claude going for this session's unfinished work, and never longer than promised."""

import os
import time

import pytest

from hookwright.hooks.stop_guard.hook import StopGuard
from hookwright.options import BadValue, validate_option
from hookwright.store import session_edits
from tests.hooks.kit import Desk, git

pytestmark = pytest.mark.slow

BLOCK = {"uncommitted": "block"}


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def check(command="./check", **row):
    (complete,) = validate_option(StopGuard.checks, [{"command": command, **row}])
    return {"checks": (complete,), "uncommitted": "off"}


def stop(desk, options=BLOCK, event="Stop", **fields):
    return desk.fire(StopGuard, event, options, **fields)


def blocked(decision):
    return decision is not None and decision.permission == "block"


# --- work that waits for a commit


def test_a_file_that_the_session_wrote_is_named_and_a_commit_asked_for(desk):
    desk.git("switch", "-q", "-c", "fix/123-login-loop")
    desk.write(StopGuard, "kept.py", "a = 2\n")
    desk.write(StopGuard, "new.py", "b = 1\n")
    decision = stop(desk)
    assert blocked(decision)
    assert "kept.py, new.py" in decision.reason
    assert '"Login loop (#123)"' in decision.reason
    assert "say in your answer why it stays open" in decision.reason


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("echo 'a = 2' > kept.py", True),
        ("sed -i s/1/2/ kept.py", True),
        ("python3 -c \"open('kept.py', 'w').write('a = 2')\"", True),
        ("find . -name kept.py -exec sed -i s/1/2/ {} +", True),
        ("find . -name kept.py", False),
        ("cat kept.py", False),
        ("grep a kept.py | wc -l", False),
        ("echo noise > run.log", False),  # untracked, and no file tool wrote it
        ("git status", False),
    ],
)
def test_commands_that_wrote_count_and_those_that_read_do_not(desk, command, named):
    desk.age("kept.py")
    desk.bash(StopGuard, command)
    assert blocked(stop(desk)) == named


@pytest.mark.parametrize(
    ("command", "recorded"),
    [
        ("find . -name '*.tmp' -delete", True),
        ("find . -name '*.tmp' -exec rm {} +", True),
        ("find . -name '*.tmp'", False),
        ("ls -la", False),
        ("ls > list.txt", True),
        ("cat kept.py | tee copy.py", True),
        ("echo `make`", True),
        ("echo $(make)", True),
        ("ls; make", True),
        ("ls && make", True),
        ("ls\nmake", True),
        ("make", True),
    ],
)
def test_only_a_plain_call_of_a_reading_program_is_not_recorded(desk, command, recorded):
    desk.fire(StopGuard, "PostToolUse", tool_name="Bash", tool_input={"command": command}, tool_response={})
    assert session_edits.has_changes(desk.state, desk.session) == recorded


def test_a_failing_command_may_have_written_too(desk):
    desk.put("kept.py", "a = 2\n")
    call = {"tool_name": "Bash", "tool_input": {"command": "sh gen.sh"}, "error": "Exit code 1", "duration_ms": 500}
    desk.fire(StopGuard, "PostToolUseFailure", BLOCK, **call)
    assert blocked(stop(desk))


def test_edits_of_other_people_are_not_ours(desk):
    desk.put("kept.py", "a = 2\n")
    desk.age("kept.py", 3600)
    desk.bash(StopGuard, "python3 -c pass")
    assert stop(desk) is None


def test_files_outside_of_any_repository_are_nobodys_commit(desk, tmp_path):
    desk.write(StopGuard, str(tmp_path / "notes.txt"), "x")
    assert stop(desk) is None


def test_two_sessions_in_one_repository_answer_for_themselves(desk):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    desk.session = "s2"
    # The second session ran something that might have written anything, at that very moment.
    desk.bash(StopGuard, "python3 -c pass", duration_ms=60_000)
    assert stop(desk) is None
    desk.session = "s1"
    assert blocked(stop(desk))


def test_ignored_files_and_noise_are_left_out(desk):
    desk.put(".gitignore", "build/\n")
    desk.commit("ignore")
    desk.write(StopGuard, "build/out.js", "x")
    desk.write(StopGuard, "debug.log", "x")
    assert stop(desk) is None


def test_after_a_commit_there_is_nothing_to_say(desk):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    desk.commit("done")
    assert stop(desk) is None


def test_a_recent_commit_is_trusted_and_the_window_can_be_set(desk):
    desk.put("other.py", "x")
    desk.commit("an hour ago", date=f"@{int(time.time()) - 3600} +0000")
    desk.write(StopGuard, "kept.py", "a = 2\n")
    assert stop(desk) is None
    assert blocked(stop(desk, {**BLOCK, "recent_window": "30 minutes ago"}))


@pytest.mark.parametrize(
    ("fields", "silent"),
    [
        ({}, False),
        ({"permission_mode": "plan"}, True),
        ({"background_tasks": [{"id": "1", "status": "running", "command": "npm test"}]}, True),
        ({"background_tasks": [{"id": "1", "status": "completed"}]}, False),
        ({"session_crons": [{"id": "1", "schedule": "* * * * *"}]}, True),
        ({"stop_hook_active": True}, True),
    ],
)
def test_silence_in_plan_mode_while_work_runs_and_after_an_answer(desk, fields, silent):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    assert blocked(stop(desk, **fields)) != silent


def test_a_server_that_may_run_is_named(desk):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    server = {"background_tasks": [{"id": "1", "status": "running", "command": "cd web && npm run dev"}]}
    assert stop(desk, **server) is None
    assert blocked(stop(desk, {**BLOCK, "ignore_tasks": ("npm run dev",)}, **server))


@pytest.mark.parametrize(
    ("uncommitted", "permission", "told"),
    [("off", None, ""), ("shadow", None, ""), ("note", None, "Not committed from this session: kept.py")],
)
def test_off_and_shadow_say_nothing_and_note_only_tells_the_user(desk, uncommitted, permission, told):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    decision = stop(desk, {"uncommitted": uncommitted})
    assert (decision.message if decision else "").startswith(told)
    assert (decision.permission if decision else None) == permission
    assert ("unfinished" in desk.facts) == (uncommitted != "off")


def test_the_default_is_to_record_only(desk):
    assert StopGuard().uncommitted == "shadow"


# --- the loop ledger


def test_a_commit_is_asked_for_so_often_then_the_user_is_told_once_then_silence(desk):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    said = []
    for _ in range(8):
        said.append(stop(desk, {**BLOCK, "ttl": 60}))
        desk.later += 100
    assert [blocked(one) for one in said] == [True, True, True, False, False, False, False, False]
    assert len({one.reason for one in said[:3]}) == 3  # never twice in the same words
    assert "will not be asked again" in said[3].message
    assert said[4:] == [None] * 4


def test_within_the_rate_limit_the_same_reason_is_not_raised_again(desk):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    assert blocked(stop(desk))
    desk.later = 299
    assert stop(desk) is None
    desk.later = 301
    assert blocked(stop(desk))


@pytest.mark.parametrize("jump", [10 * 86400, -10 * 86400])
def test_a_clock_that_jumps_neither_loops_nor_loses_the_count(desk, jump):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    for _ in range(3):
        assert blocked(stop(desk))
        desk.later += jump
    assert "will not be asked again" in stop(desk).message
    assert stop(desk) is None


def test_without_a_place_to_remember_the_guard_is_silent(desk):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    desk.state = "/proc/no-such-place"
    assert stop(desk) is None


def test_a_damaged_ledger_silences(desk):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    assert blocked(stop(desk))
    with open(f"{desk.state}/sessions/s1/main/stop.json", "w", encoding="utf-8") as file:
        file.write("{ torn")
    desk.later = 1000
    assert stop(desk) is None


# --- checks


def test_a_failing_check_keeps_claude_going_and_shows_the_end_of_its_output(desk):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    decision = stop(desk, check("echo one; echo '\x1b[31mAssertionError: a\x1b[0m' >&2; exit 3", name="tests"))
    assert blocked(decision)
    assert "The check tests failed with exit code 3" in decision.reason
    assert decision.reason.endswith("one\nAssertionError: a")


def test_a_check_fails_until_the_file_is_right_and_then_is_not_run_again(desk):
    options = check("echo ran >> ../runs; grep -q 'a = 3' kept.py")
    desk.write(StopGuard, "kept.py", "a = 2\n", options)
    assert blocked(stop(desk, options))
    desk.write(StopGuard, "kept.py", "a = 3\n", options)
    assert stop(desk, options, stop_hook_active=True) is None
    assert stop(desk, options) is None
    desk.commit("done")  # the same content, committed
    assert stop(desk, options) is None
    with open(f"{desk.root}/runs", encoding="utf-8") as file:
        assert file.read() == "ran\nran\n"


def test_a_pass_is_remembered_for_other_sessions_too(desk):
    options = check("echo ran >> ../runs")
    desk.write(StopGuard, "kept.py", "a = 2\n", options)
    assert stop(desk, options) is None
    desk.session = "s2"
    desk.write(StopGuard, "kept.py", "a = 2\n", options)
    assert stop(desk, options) is None
    with open(f"{desk.root}/runs", encoding="utf-8") as file:
        assert file.read() == "ran\n"


def test_claude_that_changes_nothing_is_let_go_and_the_user_told_once(desk):
    options = check("exit 1", name="tests")
    desk.write(StopGuard, "kept.py", "a = 2\n", options)
    assert blocked(stop(desk, options))
    second, third = stop(desk, options, stop_hook_active=True), stop(desk, options)
    assert second.message.startswith("The check tests failed, and Claude stopped without changing")
    assert third is None


def test_a_check_keeps_claude_going_so_often_and_never_in_the_same_words(desk):
    options = check("exit 1", name="tests")
    said = []
    for number in range(6):
        desk.write(StopGuard, "kept.py", f"a = {number + 2}\n", options)
        said.append(stop(desk, options, stop_hook_active=number > 0))
    assert [blocked(one) for one in said] == [True, True, True, False, False, False]
    assert len({one.reason for one in said[:3]}) == 3
    assert "This is the last time" in said[2].reason
    assert "no longer keeps Claude going" in said[3].message
    assert said[4:] == [None, None]


@pytest.mark.parametrize(
    ("files", "written", "runs"),
    [
        ([], "a.txt", True),
        (["*.py"], "src/a.py", True),
        (["*.py"], "a.txt", False),
        (["src/**/*.ts", "!*.d.ts"], "src/x/y.ts", True),
        (["src/**/*.ts", "!*.d.ts"], "src/x/y.d.ts", False),
    ],
)
def test_a_check_runs_for_its_own_files(desk, files, written, runs):
    options = check("exit 1", files=files)
    desk.write(StopGuard, written, "x", options)
    assert blocked(stop(desk, options)) == runs


def test_files_that_a_command_made_count_for_checks_and_so_do_committed_ones(desk):
    options = check("exit 1", files=["*.gen"])
    desk.bash(StopGuard, "python3 -c \"open('a.gen', 'w').write('x')\"", options)
    desk.git("add", "-A")
    desk.bash(StopGuard, "git commit -q -m generated", options)
    assert blocked(stop(desk, options))


def test_checks_run_at_the_same_time_and_all_failures_are_told(desk):
    # Each waits for the other, so one after the other would both run into their timeouts.
    rows = [
        {"command": f"touch ../{own}; while [ ! -e ../{other} ]; do sleep 0.05; done; exit 1", "name": own}
        for own, other in (("lint", "types"), ("types", "lint"))
    ]
    options = {"checks": validate_option(StopGuard.checks, rows), "uncommitted": "off"}
    desk.write(StopGuard, "kept.py", "a = 2\n", options)
    reason = stop(desk, options).reason
    assert "The check lint failed with exit code 1" in reason
    assert "The check types failed with exit code 1" in reason


@pytest.mark.parametrize("command", ["no-such-program-at-all --now", ["/no/such/program"]])
def test_a_check_that_cannot_start_is_told_once_and_does_not_block(desk, command):
    options = check(command, name="tests")
    desk.write(StopGuard, "kept.py", "a = 2\n", options)
    first, second = stop(desk, options), stop(desk, options)
    assert first.permission is None
    assert first.message.startswith("The check tests cannot be started (")
    assert second is None


def test_a_check_that_does_not_end_has_not_passed(desk):
    options = check("sleep 600", timeout=1, name="tests")
    desk.write(StopGuard, "kept.py", "a = 2\n", options)
    assert "The check tests did not end in 1 s" in stop(desk, options).reason


@pytest.mark.parametrize(
    ("when", "event", "runs"),
    [
        (None, "Stop", True),
        (None, "TaskCompleted", True),
        (None, "SubagentStop", False),
        (None, "TeammateIdle", False),
        (["subagent", "teammate"], "SubagentStop", True),
        (["subagent", "teammate"], "TeammateIdle", True),
        (["subagent", "teammate"], "Stop", False),
    ],
)
def test_a_check_says_when_it_is_asked(desk, when, event, runs):
    options = check("exit 1", **({"when": when} if when else {}))
    agent = {"agent_id": "a1"} if event == "SubagentStop" else {}
    desk.write(StopGuard, "kept.py", "a = 2\n", options, **agent)
    assert blocked(stop(desk, options, event, **agent)) == runs


def test_a_subagent_answers_for_its_own_files_only(desk):
    options = check("exit 1", when=["subagent"])
    desk.write(StopGuard, "kept.py", "a = 2\n", options, agent_id="a1")
    assert stop(desk, options, "SubagentStop", agent_id="a2") is None
    assert blocked(stop(desk, options, "SubagentStop", agent_id="a1"))


def test_a_session_inside_a_check_is_not_checked(desk):
    options = check("exit 1")
    desk.write(StopGuard, "kept.py", "a = 2\n", options)
    desk.environment["HOOKWRIGHT_INSIDE_CHECK"] = "1"
    assert stop(desk, options) is None


def test_checks_work_without_a_repository(tmp_path):
    desk = Desk(tmp_path, repository=False)
    options = check("exit 1", files=["*.py"])
    desk.write(StopGuard, "a.py", "a = 2\n", options)
    assert blocked(stop(desk, options))


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"command": "x", "timeout": 3600}, "timeout must be 1 to 540 seconds"),
        ({"command": "x", "when": ["always"]}, "when must be some of stop, subagent, task, teammate, got always"),
        ({"name": "x"}, "needs command"),
    ],
)
def test_a_wrong_row_is_explained(row, said):
    with pytest.raises(BadValue, match=said):
        validate_option(StopGuard.checks, [row])


# --- places


def test_a_detached_head_a_worktree_and_a_submodule(desk, tmp_path):
    desk.git("checkout", "-q", "--detach")
    desk.write(StopGuard, "kept.py", "a = 2\n")
    assert "kept.py" in stop(desk).reason

    tree = str(tmp_path / "tree")
    desk.git("worktree", "add", "-q", tree, "main")
    desk.session = "s2"
    desk.write(StopGuard, os.path.join(tree, "kept.py"), "a = 5\n")
    assert f"in {tree}: kept.py" in stop(desk, cwd=tree).reason

    library = str(tmp_path / "library")
    git(tmp_path, "init", "-q", "-b", "main", library)
    with open(f"{library}/lib.py", "w", encoding="utf-8") as file:
        file.write("x = 1\n")
    git(library, "add", "-A")
    git(library, "commit", "-q", "-m", "first")
    desk.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", library, "lib")
    desk.commit("with library")
    desk.session = "s3"
    desk.write(StopGuard, "lib/lib.py", "x = 2\n")
    assert f"in {desk.path('lib')}: lib.py" in stop(desk).reason


def test_without_git_nothing_is_asked(desk, monkeypatch):
    desk.write(StopGuard, "kept.py", "a = 2\n")
    monkeypatch.setenv("PATH", "/nonexistent")
    assert stop(desk) is None
