"""`gain` claims nothing that cannot be computed again from the log, and subtracts what moving cost."""

import importlib.util
import json
import random
from pathlib import Path

import pytest

from hookwright.store import gain, refresh
from hookwright.store.filter import Filter
from hookwright.store.gain import read_gain
from hookwright.store.queries import format_iso
from hookwright.store.stats import compute_stats

SCRIPT = Path(__file__).parent.parent.parent / "docs" / "recompute_gain.py"


def said(hook, verdict, mode="on"):
    return {"hook": hook, "verdict": verdict, "reason": "because", "us": 50, "mode": mode}


def load_script():
    spec = importlib.util.spec_from_file_location("recompute_gain", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def figures(past, **which):
    found = read_gain(past.store(), Filter(**which)).as_json()
    return {name: value for name, value in found.items() if value and name != "ids"}


@pytest.mark.parametrize(
    ("ends_after", "saved"),
    [(300.0, 115.0), (120.0, 115.0), (60.0, 55.0), (5.0, 0.0), (1.0, -4.0)],
    ids=["longer than the client waits", "as long", "a minute", "as long as a turn", "moved for nothing"],
)
def test_a_move_saves_what_the_client_would_have_waited_less_a_turn(past, ends_after, saved):
    past.moved("make", ends_after=ends_after)
    found = read_gain(past.store(), Filter()).as_json()
    assert (found["moved"], found["seconds_saved"]) == (1, pytest.approx(saved, abs=0.02))


def test_looking_for_the_result_costs_turns_and_waiting(past):
    past.moved("make")
    for tool, command in (("TaskOutput", None), ("Bash", "sleep 20"), ("Bash", "ls")):
        call = past.pre(command, tool=tool)
        past.event(
            "PostToolUse", later=20.0, tool=tool, tool_use_id=call, command=command, duration_ms=20_000, outcome="ok"
        )
    past.event("UserPromptSubmit", later=100.0, task_id="b1", outcome="ok")
    assert figures(past) == {"moved": 1, "seconds_saved": pytest.approx(120 - 5 - 2 * (5 + 20), abs=0.1)}


def test_a_look_counts_against_the_latest_launch_only(past):
    past.moved("make one", task="b1")
    past.moved("make two", task="b2")
    call = past.pre("sleep 5")
    past.post(call, "sleep 5", 5.0)
    past.event("UserPromptSubmit", later=200.0, task_id="b1", outcome="ok")
    past.event("UserPromptSubmit", later=1.0, task_id="b2", outcome="ok")
    assert figures(past)["seconds_saved"] == pytest.approx(2 * 115 - 10, abs=0.1)


@pytest.mark.parametrize(
    ("event", "counted"),
    [
        ({"answer": "deny", "said": [said("command_guard", "deny")]}, {"stopped": 1}),
        ({"answer": "ask", "said": [said("command_guard", "ask")]}, {"asked": 1}),
        ({"answer": "deny", "said": [said("command_guard", "ask"), said("mine", "deny")]}, {"stopped": 1}),
        (
            {"answer": "allow", "said": [said("questions", "allow")], "tool": "AskUserQuestion"},
            {"questions_answered": 1},
        ),
        ({"answer": "deny", "said": [said("questions", "deny")], "tool": "AskUserQuestion"}, {}),
        ({"answer": "allow", "said": [said("approve", "allow")]}, {"prompts_spared": 1}),
        ({"answer": "deny", "said": [said("subagents", "deny")], "tool": "Task"}, {"subagents_capped": 1}),
        ({"answer": "rewrite", "said": [said("subagents", "rewrite")], "tool": "Agent"}, {"subagents_capped": 1}),
        ({"answer": None, "said": [said("command_guard", "deny", "shadow")]}, {}),
        ({"answer": "context", "said": [said("context", "context")]}, {}),
    ],
    ids=str,
)
def test_what_counts_by_hook_and_verdict(past, event, counted):
    past.pre("rm -rf x", **event)
    assert figures(past) == counted


def test_a_block_at_the_end_of_a_turn_is_no_stopped_call(past):
    past.event("Stop", answer="block", decisions=[said("stop_guard", "block")])
    assert figures(past) == {}


def test_a_move_that_the_client_did_not_start_behind_is_none(past):
    past.pre("make", said=[said("auto_background", "rewrite")], answer="rewrite", changed=["run_in_background"])
    assert figures(past) == {}


def live(past, seed):
    """A random life with several sessions."""
    chance = random.Random(seed)
    open_tasks = []
    for n in range(120):
        past.clock += chance.uniform(0, 40)
        session = f"s{chance.randrange(3)}"
        kind = chance.randrange(9)
        if kind < 3:
            task = f"b{n}"
            how = said("auto_background", "rewrite")
            call = past.pre("make", said=[how], answer="rewrite", changed=["run_in_background"], session_id=session)
            if chance.random() < 0.9:
                launch = {"outcome": "background", "exit_code": None, "task_id": task, "session_id": session}
                past.post(call, "make", chance.uniform(0, 0.5), **launch)
                open_tasks.append((session, task))
        elif kind < 5 and open_tasks:
            owner, task = open_tasks.pop(chance.randrange(len(open_tasks)))
            for _ in range(chance.choice((1, 1, 2))):
                past.event(
                    "UserPromptSubmit", later=chance.uniform(0, 90), task_id=task, session_id=owner, outcome="ok"
                )
        elif kind == 5:
            tool, command = chance.choice(
                (("TaskOutput", None), ("BashOutput", None), ("Bash", "sleep 9"), ("Bash", "ls"))
            )
            call = past.pre(command, tool=tool, session_id=session)
            fields = {"tool": tool, "tool_use_id": call, "command": command, "session_id": session, "outcome": "ok"}
            past.event("PostToolUse", later=9.0, duration_ms=chance.choice((None, 9000.5)), **fields)
        else:
            verdict = chance.choice(("deny", "ask", "allow", "rewrite"))
            hook = chance.choice(("command_guard", "questions", "approve"))
            answer = chance.choice((verdict, None, "deny"))
            tool = chance.choice(("Bash", "Task", "AskUserQuestion", "Write"))
            decision = said(hook, verdict, chance.choice(("on", "on", "shadow")))
            past.pre("x", tool=tool, said=[decision], answer=answer, session_id=session)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("share", [0.0, 0.5])
def test_the_script_in_the_docs_computes_the_same_from_the_log(past, hookwright, seed, share):
    begin = past.clock
    live(past, seed)
    since = begin + share * (past.clock - begin) if share else 0.0
    past.store().close()
    rows = [json.loads(line) for line in hookwright("log", "--json")[1].splitlines()]
    store, _ = refresh.open_ledger(past.state, past.clock)
    ours = read_gain(store, Filter(since=since)).as_json()
    iso = format_iso(since) if since else None
    theirs = load_script().compute(rows, iso)
    assert {"since": iso, **ours} == theirs
    assert ours["moved"] > 5


@pytest.mark.parametrize("seed", range(4))
def test_stats_count_the_same_moves_whether_by_day_or_by_event(past, seed):
    live(past, seed)
    store = past.store()
    found = read_gain(store, Filter()).as_json()
    assert compute_stats(store, past.state, Filter())["background"] == {
        "moved": found["moved"],
        "seconds_saved": pytest.approx(found["seconds_saved"], abs=0.1),
    }


def test_the_command_prints_the_form_that_others_build_on(past, hookwright):
    past.moved("make", ends_after=60.0)
    found = json.loads(hookwright("gain", "--since", "2000-01-01", "--json")[1])
    names = ("since", "seconds_saved", *gain.FIGURES, "ids")
    assert tuple(found) == names
    assert found["ids"].keys() == {"seconds_saved", *gain.FIGURES}
    assert found["ids"]["moved"] == found["ids"]["seconds_saved"]


def test_the_command_for_people(past, hookwright):
    past.moved("make", ends_after=65.0)
    past.pre("rm -rf /", said=[said("command_guard", "deny")], answer="deny")
    out = hookwright("gain", "--since", "2000-01-01")[1]
    assert "60 s not waited" in out
    assert "1 call stopped" in out
    assert hookwright("gain", "--since", "2000-01-01", "--badge")[1] == "hookwright: 60 s not waited, 1 stopped\n"
    assert hookwright("gain", "--badge")[1] == "hookwright: nothing to report\n"
