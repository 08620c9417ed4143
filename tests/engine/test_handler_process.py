"""A hook is started as the client starts it, and nothing of it stays."""

import asyncio
import os

import pytest

from hookwright.engine.handler_process import run_process, run_process_now
from hookwright.proc.kill_marked import kill_marked, seconds_since_boot
from tests.engine.kit import gone, there
from tests.proc.kit import run_with_time

PAYLOAD = b'{"hook_event_name": "Stop"}\n'


def sh(text, payload=PAYLOAD, timeout_s=60.0, **env):
    return run_process_now(
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
    ended = run_process_now(["/nowhere/hook"], b"", env={}, cwd="/", timeout_s=5)
    assert (ended.started, ended.start_error) == (False, "No such file or directory")


def test_a_late_one_is_ended_with_its_children(tmp_path):
    mark = tmp_path / "pid"
    hangs = f"trap '' TERM; sleep 300 & echo $! > {mark}.new; mv {mark}.new {mark}; sleep 300"
    ended = run_with_time(lambda seconds: sh(hangs, timeout_s=seconds), lambda _: mark.exists())
    assert (ended.timed_out, ended.exit_code) == (True, None)
    assert gone(int(mark.read_text()))


def test_a_child_that_keeps_the_output_open_holds_nobody_up(tmp_path):
    mark = tmp_path / "pid"
    ended = sh(f"cat; sleep 300 & echo $! > {mark}")
    assert (ended.exit_code, ended.stdout) == (0, PAYLOAD)
    assert gone(int(mark.read_text()))


def test_much_output_is_read_to_its_end():
    ended = sh("head -c 3000000 /dev/zero; echo x >&2")
    assert (ended.exit_code, len(ended.stdout), ended.stderr) == (0, 3_000_000, b"x\n")


@pytest.mark.parametrize(
    ("text", "read"),
    [("cat", 1_000_000), ("head -c 10; sleep 0.2", 10), ("exit 0", 0), ("exec 0<&-; sleep 0.2", 0)],
)
def test_a_payload_larger_than_a_pipe_hangs_nobody(text, read):
    payload = b"x" * 1_000_000
    ended = sh(text, payload)
    assert (ended.exit_code, len(ended.stdout)) == (0, read)
    assert ended.unread == 0 if read == len(payload) else 0 < ended.unread <= len(payload)


def test_one_that_is_cancelled_is_ended_with_its_children(tmp_path):
    mark = tmp_path / "pid"

    async def given_up():
        run = asyncio.create_task(
            run_process(
                ["/bin/sh", "-c", f"sleep 300 & echo $! > {mark}.new; mv {mark}.new {mark}; wait"],
                b"",
                env=dict(os.environ),
                cwd="/",
                timeout_s=60,
            )
        )
        await there(mark)
        run.cancel()
        with pytest.raises(asyncio.CancelledError):
            await run

    asyncio.run(given_up())
    assert gone(int(mark.read_text()))


def test_children_may_be_spared_and_are_found_by_what_marks_them(tmp_path):
    mark = tmp_path / "pid"
    env = {"PATH": os.environ["PATH"], "MARK": f"one-{os.getpid()}", "KIND": "a"}
    began = seconds_since_boot()
    argv = ["/bin/sh", "-c", f"setsid sleep 300 > /dev/null 2>&1 & echo $! > {mark}"]
    ended = asyncio.run(run_process(argv, b"", env=env, cwd="/", timeout_s=60, spare_children=True))
    child = int(mark.read_text())
    assert ended.exit_code == 0
    assert os.path.exists(f"/proc/{child}")
    mine = f"MARK=one-{os.getpid()}"
    assert kill_marked(mine, one_of=["KIND=b"], born=began) == []
    assert kill_marked("MARK=another", one_of=["KIND=a"], born=began) == []
    assert kill_marked(mine, one_of=["KIND=a"], born=seconds_since_boot() + 60) == []
    assert child in kill_marked(mine, one_of=["KIND=b", "KIND=a"], born=began)
    assert gone(child)


@pytest.mark.slow
def test_the_first_line_is_heard_at_once_and_may_grant_time():
    heard = []

    def first(line, clock):
        heard.append(line)
        clock.set_timeout(120)

    def run_for(seconds):
        heard.clear()
        argv = ["/bin/sh", "-c", f"echo one; echo two; sleep {1.5 * seconds}; echo three"]
        run = run_process(argv, b"", env=dict(os.environ), cwd="/", timeout_s=seconds, on_first_line=first)
        return asyncio.run(run)

    ended = run_with_time(run_for, lambda _: heard, 1)
    assert (ended.timed_out, ended.stdout, heard) == (False, b"one\ntwo\nthree\n", [b"one"])


def test_many_at_once_keep_their_own():
    async def all_of_them():
        runs = [
            run_process(["/bin/sh", "-c", f"cat; echo {n}"], b"%d " % n, env=dict(os.environ), cwd="/", timeout_s=60)
            for n in range(20)
        ]
        return await asyncio.gather(*runs)

    assert [ended.stdout for ended in asyncio.run(all_of_them())] == [b"%d %d\n" % (n, n) for n in range(20)]
