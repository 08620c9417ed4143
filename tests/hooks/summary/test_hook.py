"""Summary: one line when there is something new, at most once an hour, and only for a person."""

import pytest

from hookwright.hooks.base import World
from hookwright.hooks.summary.hook import Summary
from hookwright.protocol.events import event_of
from hookwright.protocol.json import dumps
from hookwright.store import journal, session_tally
from hookwright.testing.builders import bash, payload

NOON = 1_763_208_000.0


class Session:
    """Records of the hook process, and ends of turns."""

    def __init__(self, state):
        self.state, self.now, self.env = str(state), NOON, {}

    def record(self, answer, *, session="s1", event="PreToolUse", tool="Bash", changed=None, **fields):
        self.now += 1
        values = {"event": event, "session_id": session, "tool": tool, "answer": answer, "changed": changed, **fields}
        assert journal.append(self.state, self.now, values, dumps)

    def stop(self, session="s1", **fields):
        world = World(self.env.get, state=self.state, project="/p", now=self.now)
        world.alone = True
        payload = {"hook_event_name": "Stop", "session_id": session, "cwd": "/p", "stop_hook_active": False, **fields}
        decision = Summary(world).decide(event_of(payload))
        return decision and decision.message


@pytest.fixture
def turn(tmp_path):
    return Session(tmp_path / "state")


MOVED = {"answer": "rewrite", "changed": ["timeout", "run_in_background"]}


@pytest.mark.parametrize(
    ("record", "line"),
    [
        ({"answer": "deny"}, "1 call stopped"),
        ({"answer": "ask"}, "1 call asked about"),
        (MOVED, "1 command moved to the background"),
        ({"answer": "allow", "tool": "AskUserQuestion"}, "1 question answered"),
        ({"answer": "allow", "tool": "Write"}, "1 permission prompt spared"),
        ({"answer": "rewrite", "changed": ["file_path"]}, None),
        ({"answer": None}, None),
        ({"answer": "deny", "session": "another"}, None),
        ({"answer": "block", "event": "Stop"}, None),
        ({"answer": "deny", "tool": "AskUserQuestion"}, None),
        ({"answer": None, "command": 'echo \'{"answer":"deny"}\''}, None),
    ],
    ids=str,
)
def test_what_a_turn_s_end_says(turn, record, line):
    turn.record(**record)
    assert turn.stop() == (f"this session: {line} (hookwright gain)" if line else None)


def test_it_is_said_once_an_hour_and_counts_the_whole_session(turn):
    turn.record("deny")
    assert "1 call stopped" in turn.stop()
    turn.record("deny")
    assert turn.stop() is None
    turn.now += 3600
    assert turn.stop() is None  # nothing new
    turn.record("ask")
    assert "2 calls stopped, 1 call asked about" in turn.stop()


@pytest.mark.parametrize("env", [{"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, {"CLAUDE_CODE_SESSION_ATTENDED": "0"}])
def test_nobody_at_the_screen_is_told_nothing(turn, env):
    turn.env = env
    turn.record("deny")
    assert turn.stop() is None


def test_switched_off_it_says_nothing(hook_process):
    """In the hook process itself, as a person's configuration switches it."""
    said = []
    for mode in ("on", "off"):
        hook_process.config.write_text(f'[summary]\nmode = "{mode}"\n')
        session = f"session-{mode}"
        hook_process({**bash("git push --force origin main").raw, "session_id": session})
        said.append(b"this session: 1 call stopped" in hook_process(payload("Stop", session_id=session)).stdout)
    assert said == [True, False]


def test_a_turn_that_goes_on_is_not_summed_up(turn):
    turn.record("deny")
    assert turn.stop(stop_hook_active=True) is None


def test_counting_goes_on_over_midnight_and_full_segments(turn):
    turn.record("deny")
    turn.stop()
    values = {"event": "PreToolUse", "session_id": "s1", "tool": "Bash", "answer": "ask", "changed": None}
    journal.append(turn.state, turn.now + 5, dict(values), dumps, (30, 1 << 30, 1))  # the next number of the day
    turn.now += 86400
    turn.record("ask")
    assert "1 call stopped, 2 calls asked about" in turn.stop()


def test_the_time_that_was_not_waited_is_said_when_it_is_known(turn):
    turn.record(**MOVED)
    session_tally.read_tally(turn.state, "s1", turn.now, save=True)
    folder = session_tally.session_dir(turn.state, "s1")
    with open(f"{folder}/{session_tally.SAVED_FILE}", "w") as file:
        file.write("185")
    turn.record("deny")
    assert "3 min not waited" in turn.stop()


@pytest.mark.parametrize(
    "content", [b"", b"x", b"2025-11-15.jsonl -5", b"2025-11-15.jsonl 99999999 1 1 1 1 1", b"\xff" * 300]
)
def test_a_damaged_tally_is_begun_again(turn, content):
    turn.record("deny")
    turn.stop()
    path = f"{session_tally.session_dir(turn.state, 's1')}/{session_tally.FILE}"
    with open(path, "wb") as file:
        file.write(content)
    turn.now += 4000
    turn.record("deny")
    turn.stop()  # says what it can, and fails in no case
    counts, _ = session_tally.read_tally(turn.state, "s1", turn.now)
    assert counts["stopped"] >= 1
