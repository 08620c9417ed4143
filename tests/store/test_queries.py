"""The ledger answers: who decided, what came of it, what it cost."""

import pytest

from hookwright.store import queries, stats
from hookwright.store.filter import Filter

DENY = {"hook": "command_guard", "verdict": "deny", "reason": "erases all", "us": 80, "mode": "on"}
SHADOW = {"hook": "auto_background", "verdict": "rewrite", "reason": "long", "us": 40, "mode": "shadow"}
BROKEN = {"hook": "format", "verdict": "none", "reason": "", "us": 5, "mode": "on", "failure": "KeyError: x"}


@pytest.fixture
def busy(past):
    past.ran("git status", 0.1)
    past.pre("rm -rf /", said=[DENY], answer="deny", guard={"rules": ["recursive-delete"], "instead": None})
    past.moved("npm install", ends_after=300.0)
    past.pre("npm run build", said=[SHADOW, BROKEN], project="/home/ann/other", session_id="s2")
    return past


@pytest.mark.parametrize(
    ("which", "commands"),
    [
        (Filter(), ["git status", "git status", "rm -rf /", "npm install", "npm install", None, "npm run build"]),
        (Filter(hook="command_guard"), ["rm -rf /"]),
        (Filter(decision="rewrite"), ["npm install", "npm run build"]),
        (Filter(hook="auto_background", decision="deny"), []),
        (Filter(session="s2"), ["npm run build"]),
        (Filter(project="/home/ann/other"), ["npm run build"]),
        (
            Filter(project="/home/ann"),
            ["git status", "git status", "rm -rf /", "npm install", "npm install", None, "npm run build"],
        ),
        (Filter(project="/home/an"), []),
        (Filter(event="UserPromptSubmit"), [None]),
        (Filter(since=1_763_208_300.0), [None, "npm run build"]),
    ],
)
def test_filters_choose_events_and_keep_their_order(busy, which, commands):
    assert [record["command"] for record in queries.read_events(busy.store(), which)] == commands


def test_a_limit_takes_the_latest_in_order(busy):
    assert [r["command"] for r in queries.read_events(busy.store(), Filter(), limit=2)] == [None, "npm run build"]


def test_a_record_has_the_form_that_others_build_on(busy):
    record = next(queries.read_events(busy.store(), Filter(decision="deny")))
    assert list(record) == [
        *("id", "time", "event", "session_id", "tool_use_id", "agent_id", "project", "tool", "command", "key"),
        *("intent", "decisions", "answer", "changed", "duration_ms", "outcome", "exit_code", "task_id"),
        *("agent", "policy", "file"),
    ]
    assert record["decisions"][0] == DENY
    assert record["time"].endswith("Z")


@pytest.mark.parametrize("name", ["last", "toolu_3", "id", "prefix"])
def test_an_event_is_found_by_its_id_its_beginning_its_call_or_as_the_last_answered(busy, name):
    store = busy.store()
    (wanted,) = queries.read_events(store, Filter(hook="auto_background", session="s1"))
    name = {"id": wanted["id"], "prefix": wanted["id"][:20]}.get(name, name)
    assert queries.find_event(store, name)["id"] == wanted["id"]


def test_why_tells_what_each_hook_said_and_what_happened_then(busy):
    store = busy.store()
    found = queries.explain_event(store, queries.find_event(store, "toolu_3"))
    assert [(hook["order"], hook["hook"], hook["verdict"]) for hook in found["hooks"]] == [
        (1, "auto_background", "rewrite"),
        (2, "observer", "none"),
    ]
    assert [(later["event"], later["outcome"]) for later in found["afterwards"]] == [
        ("PostToolUse", "background"),
        ("UserPromptSubmit", "ok"),
    ]
    assert found["answer"] == "rewrite"


def test_a_denied_call_has_nothing_afterwards(busy):
    store = busy.store()
    assert queries.explain_event(store, queries.find_event(store, "toolu_2"))["afterwards"] == []


def test_stats_count_decisions_commands_and_costs(busy):
    found = stats.compute_stats(busy.store(), busy.state, Filter())
    assert found["events"] == 7
    assert found["decisions"] == {
        "auto_background": {"rewrite": 2},
        "command_guard": {"deny": 1},
        "format": {"none": 1},
    }
    assert found["failures"] == 1
    assert found["reasons"] == [{"hook": "command_guard", "verdict": "deny", "reason": "erases all", "n": 1}]
    assert found["rules"] == {"recursive-delete": 1}
    assert found["commands"][0]["key"] == "git status"
    assert found["latency_us"]["p50"] is not None
    assert found["hooks"]["command_guard"]["p50"] == 80
    assert found["journal"] == {"backlog": 0, "bad_lines": 0, "unwritten": 0, "problems": 0}


def test_a_problem_of_the_hook_process_itself_is_told(past):
    past.event(None, problem="payload: it ends too early")
    (record,) = queries.read_events(past.store(), Filter())
    assert record["problem"] == "payload: it ends too early"
    assert stats.compute_stats(past.store(), past.state, Filter())["journal"]["problems"] == 1


def test_saved_time_is_claimed_only_up_to_what_the_client_would_have_waited(busy):
    assert stats.compute_stats(busy.store(), busy.state, Filter())["background"] == {
        "moved": 1,
        "seconds_saved": 115.0,  # 120 s less one more turn for taking the result
    }


def test_time_is_not_claimed_for_a_command_whose_end_nobody_saw(past):
    past.moved("npm install")
    assert stats.compute_stats(past.store(), past.state, Filter())["background"] == {"moved": 1, "seconds_saved": 0.0}


def test_stats_of_one_project_leave_the_others_out(busy):
    found = stats.compute_stats(busy.store(), busy.state, Filter(project="/home/ann/other"))
    assert found["events"] == 1
    assert found["decisions"] == {"auto_background": {"rewrite": 1}, "format": {"none": 1}}


def test_an_empty_past_has_empty_answers(past):
    store = past.store()
    assert list(queries.read_events(store, Filter())) == []
    assert queries.find_event(store, "last") is None
    assert stats.compute_stats(store, past.state, Filter())["latency_us"] == {"p50": None, "p95": None, "p99": None}


@pytest.mark.parametrize(
    ("values", "expected"),
    [([], (None, None, None)), ([5], (5, 5, 5)), (list(range(1, 101)), (50, 95, 99)), ([3, 1, 2], (2, 3, 3))],
)
def test_percentiles_are_values_that_occurred(values, expected):
    assert tuple(stats.compute_percentiles(values).values()) == expected
