"""You are told when Claude needs you or is done: once, not too often, and only where you asked for it."""

import json
import time

import pytest

from hookwright.hooks.notify import message
from hookwright.hooks.notify.hook import Notify, parse_hours
from hookwright.options import BadValue, validate_option
from hookwright.protocol.decisions import block
from tests.hooks.kit import Desk

TERMINAL = {"channels": ("terminal",), "done_after": 0}


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path, repository=False)


@pytest.fixture
def sent(monkeypatch):
    """The jobs that went to the sender; tests/hooks/notify/test_send.py shows that it delivers them."""
    jobs = []
    monkeypatch.setattr(message, "start_sender", jobs.append)
    return jobs


def sequence(decision):
    return (decision.fields or {}).get("terminalSequence") if decision else None


def waiting(desk, kind="permission_prompt", options=TERMINAL, **fields):
    fields = {"message": "Claude needs your permission", "notification_type": kind, **fields}
    return desk.fire(Notify, "Notification", options, **fields)


def stop(desk, options=TERMINAL, **fields):
    return desk.fire(Notify, "Stop", options, **fields)


def prompt(desk, options=TERMINAL, text="go"):
    return desk.fire(Notify, "UserPromptSubmit", options, prompt=text)


def test_nothing_is_said_until_a_channel_is_named(desk, sent):
    assert stop(desk, {"done_after": 0}) is None
    assert waiting(desk, options={}) is None
    assert sent == []
    assert "notified" not in desk.facts


def test_a_url_in_the_environment_is_a_channel(desk, sent):
    desk.environment["HOOKWRIGHT_NOTIFY_URLS"] = "ntfy://topic"
    assert stop(desk, {"done_after": 0}) is None
    (job,) = sent
    assert (job["kind"], job["title"], job["body"]) == ("done", "project", "Claude is done")
    assert "ntfy" not in json.dumps(job)  # the URL stays where it is


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("permission_prompt", "Claude needs your permission"),
        ("idle_prompt", "Claude is waiting for you"),
        ("elicitation_dialog", "Claude has a question for you"),
        ("agent_needs_input", "Claude has a question for you"),
        ("auth_success", None),
        ("elicitation_complete", None),
        ("something_new", None),
    ],
)
def test_notifications_that_need_you(desk, sent, kind, body):
    waiting(desk, kind, {"channels": ("desktop",)})
    assert [job["body"] for job in sent] == ([body] if body else [])


@pytest.mark.parametrize(
    ("event", "fields", "options", "body"),
    [
        ("Stop", {}, {}, "Claude is done"),
        ("Stop", {}, {"events": ("needs-you",)}, None),
        ("StopFailure", {"error": "rate_limit"}, {}, "The turn ended with an error: rate_limit"),
        ("SessionEnd", {"reason": "other"}, {}, None),
        ("SessionEnd", {"reason": "other"}, {"events": ("ended",)}, "The session has ended"),
        ("SessionEnd", {"reason": "clear"}, {"events": ("ended",)}, None),
        ("Stop", {"last_assistant_message": "All\nof it"}, {"preview": True}, "Claude is done\nAll"),
        ("Stop", {"last_assistant_message": "secret plans"}, {}, "Claude is done"),
    ],
)
def test_ends_that_you_asked_for(desk, sent, event, fields, options, body):
    desk.fire(Notify, event, {"channels": ("desktop",), "done_after": 0, **options}, **fields)
    assert [job["body"] for job in sent] == ([body] if body else [])


def test_only_turns_that_took_long_are_told(desk, sent):
    options = {"channels": ("desktop",), "done_after": 30}
    prompt(desk, options)
    desk.later = 10
    stop(desk, options)
    assert sent == []
    desk.later = 40
    stop(desk, options)
    assert len(sent) == 1


def test_silence_while_background_tasks_run_and_a_word_when_all_is_over(desk, sent):
    options = {"channels": ("desktop",), "done_after": 30}
    prompt(desk, options)
    desk.later = 60
    stop(desk, options, background_tasks=[{"id": "b1", "status": "running"}])
    waiting(desk, "idle_prompt", options)
    assert sent == []
    prompt(desk, options, "<task-notification>\n<task-id>b1</task-id></task-notification>")
    desk.later = 70
    stop(desk, options, background_tasks=[])
    assert [job["kind"] for job in sent] == ["done"]


def test_a_server_that_may_run_is_named(desk):
    server = {"background_tasks": [{"id": "1", "status": "running", "command": "npm run dev"}]}
    assert stop(desk, **server) is None
    assert sequence(stop(desk, {**TERMINAL, "ignore_tasks": ("run dev",)}, **server))


def test_what_keeps_claude_going_is_not_an_end(desk, sent):
    world = desk.world()
    world.said = [("stop_guard", block("tests fail"))]
    assert Notify(world, **TERMINAL).decide(desk.event("Stop")) is None


def test_one_turn_sends_one_notification(desk, sent):
    options = {"channels": ("desktop",), "done_after": 0, "repeat_after": 0}
    prompt(desk, options)
    stop(desk, options)
    waiting(desk, "idle_prompt", options)  # a minute later, about the same end
    waiting(desk, "idle_prompt", options)
    assert [job["kind"] for job in sent] == ["done"]
    prompt(desk, options)
    waiting(desk, "idle_prompt", options)
    assert [job["kind"] for job in sent] == ["done", "needs-you"]


def test_the_same_message_does_not_come_twice_in_a_row(desk, sent):
    options = {"channels": ("desktop",)}
    waiting(desk, options=options)
    waiting(desk, options=options)
    desk.later = 121
    waiting(desk, options=options)
    assert len(sent) == 2


def test_only_so_many_a_minute_of_all_sessions(desk, sent):
    options = {"channels": ("desktop",), "per_minute": 2}
    for number in range(5):
        desk.session = f"s{number}"
        waiting(desk, options=options)
    assert len(sent) == 2
    desk.later, desk.session = 61, "another"
    waiting(desk, options=options)
    assert len(sent) == 3


@pytest.mark.parametrize("jump", [86400 * 3, -86400 * 3])
def test_a_clock_that_jumps_neither_floods_nor_silences(desk, sent, jump):
    options = {"channels": ("desktop",)}
    waiting(desk, options=options)
    desk.later = jump
    waiting(desk, options=options)
    waiting(desk, options=options)
    assert len(sent) == 2


@pytest.mark.parametrize(
    ("hours", "clock", "silent"),
    [
        ("22:00-07:30", "23:10", True),
        ("22:00-07:30", "07:29", True),
        ("22:00-07:30", "07:30", False),
        ("22:00-07:30", "12:00", False),
        ("12-14", "13:59", True),
        ("12-14", "14:00", False),
        ("", "03:00", False),
    ],
)
def test_nothing_is_sent_in_quiet_hours(desk, sent, hours, clock, silent):
    hour, minute = map(int, clock.split(":"))
    today = time.localtime()
    then = time.mktime((today.tm_year, today.tm_mon, today.tm_mday, hour, minute, 0, 0, 0, -1))
    desk.later = then - time.time()
    waiting(desk, options={"channels": ("desktop",), "quiet_hours": hours})
    assert (sent == []) == silent


@pytest.mark.parametrize(
    ("env", "shown"),
    [
        ({"TERM_PROGRAM": "iTerm.app"}, "\x1b]9;project: Claude is done\x07"),
        ({"TERM": "xterm-kitty"}, "\x1b]99;;project: Claude is done\x1b\\"),
        ({"TERM": "foot"}, "\x1b]777;notify;project;Claude is done\x07"),
        ({"TERM": "xterm-256color"}, "\x07"),
    ],
)
def test_the_terminal_gets_what_it_understands(desk, env, shown):
    desk.environment.update(env)
    assert sequence(stop(desk)) == shown


def test_hostile_text_cannot_leave_its_sequence(desk):
    desk.environment["TERM_PROGRAM"] = "iTerm.app"
    desk.project += "/e\x1b]0;owned\x07vil;x"
    assert sequence(stop(desk)) == "\x1b]9;evil,x: Claude is done\x07"


def test_runs_without_a_person_are_silent_unless_wanted(desk):
    desk.environment["CLAUDE_CODE_ENTRYPOINT"] = "sdk-cli"
    assert stop(desk) is None
    assert sequence(stop(desk, {**TERMINAL, "headless": True}))


def test_in_shadow_nothing_is_sent(desk, sent):
    stop(desk, {"channels": ("desktop",), "done_after": 0, "mode": "shadow"})
    assert sent == []
    assert desk.facts["notified"] == "done"


def test_a_lost_message_is_told_once_at_the_end_of_a_turn(desk):
    desk.put("../state/notify/failed", "ntfy: the server answered 500")
    assert stop(desk).message == "A notification could not be sent: ntfy: the server answered 500"
    desk.later = 1000
    assert stop(desk).message == ""


def test_without_memory_there_is_silence(desk):
    desk.state = None
    assert stop(desk) is None
    desk.state = "/proc/nowhere"
    assert stop(desk) is None


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("channels", ["desktop", "pigeon"], "must be some of terminal, desktop, sound, got pigeon"),
        ("events", ["always"], "must be some of needs-you, done, failed, ended, got always"),
        ("urls_from", ["https://hooks.slack.com/services/T/B/x"], "must name where the URL is"),
        ("quiet_hours", "late", "must look like 22:00-07:30, got 'late'"),
        ("quiet_hours", "25:00-26:00", "must look like"),
    ],
)
def test_a_wrong_value_is_explained(option, value, said):
    with pytest.raises(BadValue, match=said):
        validate_option(vars(Notify)[option], value)


def test_hours_are_read():
    assert parse_hours("22:00 - 07:30") == (1320, 450)
    assert parse_hours("8-9:15") == (480, 555)
    assert parse_hours("nonsense") is None


# --- gentle reminders


def record(desk, **facts):
    """A line of the journal, as the observer leaves it."""
    from hookwright.protocol.json import dumps  # noqa: PLC0415
    from hookwright.store.journal import append  # noqa: PLC0415

    common = {"event": "PostToolUse", "session_id": desk.session, "tool": "Bash"}
    assert append(desk.state, time.time() + desk.later, {**common, **facts}, dumps)


def reminded(desk, sent, **options):
    waiting(desk, "idle_prompt", {"channels": ("desktop",), "repeat_after": 0, "reminders": True, **options})
    return sent[-1]["body"].splitlines()[1:]


def test_a_server_left_running_is_remembered_until_its_end_is_heard(desk, sent):
    record(desk, command="npm run dev", outcome="background", task_id="b1")
    record(desk, command="npm install", outcome="background", task_id="b2")
    assert reminded(desk, sent) == ["Still running: npm run dev"]
    record(desk, event="UserPromptSubmit", tool=None, task_id="b1", task_status="completed")
    prompt(desk, {"channels": ("desktop",)})
    assert reminded(desk, sent) == []


def test_tests_that_keep_failing_are_remembered_until_they_pass(desk, sent):
    for _ in range(3):
        record(desk, event="PostToolUseFailure", command="pytest -q", outcome="failed", exit_code=1)
    assert reminded(desk, sent) == ["The tests failed 3 times in a row: pytest -q"]
    record(desk, command="pytest -q", outcome="ok")
    prompt(desk, {"channels": ("desktop",)})
    assert reminded(desk, sent) == []


def test_reminders_are_off_by_default(desk, sent):
    for _ in range(3):
        record(desk, event="PostToolUseFailure", command="pytest -q", outcome="failed", exit_code=1)
    assert reminded(desk, sent, reminders=Notify().reminders) == []


def test_a_terminal_alone_needs_no_sender(desk, sent):
    assert sequence(stop(desk)) == "\x07"
    assert sent == []
