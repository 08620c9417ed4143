"""A model that inspects the project before its verdict: its turns, its tools, its limits."""

import asyncio
import os

import pytest

from hookwright.engine.handlers import agent
from tests.client.kit.scripted_api import call
from tests.engine.handlers.kit import PATIENCE_S, api, around, handler, processes, ran

pytestmark = pytest.mark.slow

NO = call("StructuredOutput", ok=False, reason="no")


def judged(tmp_path, script, *, timeout_s=PATIENCE_S, **options):
    with api(tmp_path, script) as served:
        one = handler("agent", **{"prompt": "Look at $ARGUMENTS", **options})
        raw = ran(one, around(tmp_path, env=served.env, timeout_s=timeout_s))
        return raw, served.bodies


def results(body) -> list[tuple[str, bool]]:
    blocks = [block for message in body["messages"] for block in message["content"] if isinstance(block, dict)]
    return [(block["content"], block["is_error"]) for block in blocks if block["type"] == "tool_result"]


def test_an_agent_uses_its_tools_and_then_gives_its_verdict(tmp_path):
    (tmp_path / "a.txt").write_text("hello\n")
    (tmp_path / "b.py").write_text("hello = 1\n")
    looks = [call("Read", file_path="a.txt"), call("Grep", pattern="hello", glob="*.py"), call("Glob", pattern="*.py")]
    raw, bodies = judged(tmp_path, [looks, NO])
    assert raw.answer == {"ok": False, "reason": "no"}
    assert results(bodies[-1]) == [("1\thello", False), ("b.py:1:hello = 1", False), ("b.py", False)]
    assert [tool["name"] for tool in bodies[0]["tools"]] == ["Read", "Grep", "Glob", "StructuredOutput"]


@pytest.mark.parametrize(
    ("script", "answer", "requests"),
    [
        ([call("StructuredOutput", ok=True)], {"ok": True}, 1),
        ([call("StructuredOutput", ok=False)], {"ok": False}, 1),
        ([["hm", NO]], {"ok": False, "reason": "no"}, 1),
        (["certainly", NO], {"ok": False, "reason": "no"}, 2),
        (["certainly", "again", NO], None, 2),
        ([call("StructuredOutput", ok="x"), NO], {"ok": False, "reason": "no"}, 2),
        ([{"status": 400, "error": "invalid_request_error"}], None, 1),
    ],
)
def test_it_ends_as_the_clients_agent_does(tmp_path, script, answer, requests):
    raw, bodies = judged(tmp_path, script)
    assert (raw.answer, len(bodies)) == (answer, requests)
    assert bool(raw.problem) == (answer is None)


def test_fifty_turns_are_all_it_has(tmp_path, monkeypatch):
    monkeypatch.setattr(agent, "MAX_TURNS", 5)
    raw, bodies = judged(tmp_path, [call("Other")] * 9)
    assert raw.problem == "the model had no verdict after 5 turns"
    assert len(bodies) == 5


def test_tools_that_change_things_are_not_there(tmp_path):
    _, bodies = judged(tmp_path, [[call("Bash", command="touch made"), call("Write", file_path="made")], NO])
    assert [failed for _, failed in results(bodies[-1])] == [True, True]
    assert not (tmp_path / "made").exists()


def test_an_agents_model_may_be_a_short_name(tmp_path):
    _, [body] = judged(tmp_path, [NO], model="haiku")
    assert body["model"] == "claude-haiku-5-5"


def test_a_pattern_that_never_ends_is_ended(tmp_path, monkeypatch):
    monkeypatch.setattr(agent, "TOOL_TIMEOUT_S", 1.0)
    (tmp_path / "a.txt").write_text("a" * 60 + "!")
    told, failed = asyncio.run(agent.run_tool("Grep", {"pattern": "(a+)+$"}, str(tmp_path), []))
    assert (told, failed) == ("Grep took longer than 1 s and was killed; ask for less", True)


def test_nothing_is_left_behind_when_time_is_over(tmp_path):
    (tmp_path / "a.txt").write_text("a" * 60 + "!")
    raw, _ = judged(tmp_path, [call("Grep", pattern="(a+)+$"), NO], timeout_s=2.0)
    assert raw.timed_out
    assert not [pid for pid in processes(agent.TOOLS_SCRIPT) if _is_mine(pid)]


def _is_mine(pid: int) -> bool:
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[1] == str(os.getpid())
