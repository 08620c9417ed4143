"""A hook is started as the client starts it, and nothing of it stays."""

import os
import time

import pytest

from hookwright.receipts.start import start

PAYLOAD = b'{"hook_event_name": "Stop"}\n'


def sh(text, payload=PAYLOAD, timeout_s=30.0, **env):
    return start(
        ["/bin/sh", "-c", text], payload, env={"PATH": os.environ["PATH"], **env}, cwd="/", timeout_s=timeout_s
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cat", {"exit_code": 0, "stdout": PAYLOAD, "unread": 0}),
        ("exit 3", {"exit_code": 3, "unread": len(PAYLOAD)}),
        ("read line", {"exit_code": 0, "unread": 0}),
        ("head -c 5 > /dev/null; echo no >&2; exit 2", {"exit_code": 2, "stderr": b"no\n"}),
        ("pwd; echo $MARK", {"stdout": b"/\nhere\n"}),
        ("test -t 0 || test -t 1 || echo none", {"stdout": b"none\n"}),
        ("cat > /dev/null; kill -9 $$", {"exit_code": -9}),
    ],
)
def test_what_it_did_is_told(text, expected):
    ended = sh(text, MARK="here")
    assert ended.started
    assert {name: getattr(ended, name) for name in expected} == expected


def test_what_cannot_be_started_says_why():
    ended = start(["/nowhere/hook"], b"", env={}, cwd="/", timeout_s=5)
    assert (ended.started, ended.problem) == (False, "No such file or directory")


def test_a_late_one_is_ended_with_its_children(tmp_path):
    mark = tmp_path / "pid"
    ended = sh(f"sleep 300 & echo $! > {mark}; trap '' TERM; sleep 300", timeout_s=0.5)
    assert (ended.late, ended.exit_code) == (True, None)
    gone(int(mark.read_text()))


def test_a_child_that_keeps_the_output_open_holds_nobody_up(tmp_path):
    mark = tmp_path / "pid"
    ended = sh(f"cat; sleep 300 & echo $! > {mark}")
    assert (ended.exit_code, ended.stdout) == (0, PAYLOAD)
    assert ended.ms < 20_000
    gone(int(mark.read_text()))


def test_much_output_is_read_to_its_end():
    ended = sh("head -c 3000000 /dev/zero; echo x >&2")
    assert (ended.exit_code, len(ended.stdout), ended.stderr) == (0, 3_000_000, b"x\n")


def gone(pid):
    for _ in range(500):
        try:
            os.kill(pid, 0)
            with open(f"/proc/{pid}/stat") as file:
                if file.read().rpartition(")")[2].split()[0] == "Z":
                    return
        except (ProcessLookupError, FileNotFoundError):
            return
        time.sleep(0.01)
    pytest.fail(f"{pid} is still there")
