"""The asyncio adapter keeps what the core promises, and a cancelled run takes its group with it."""

import asyncio
import os

import pytest

from hookwright.proc.run_async import run_program_async
from tests.proc.kit import is_alive, read_pids, run_with_time, wait_until

pytestmark = pytest.mark.slow


def run(script, stdin=b"", *, seconds=60, **options):
    words = {"env": dict(os.environ), "cwd": "/", "seconds": seconds, "keep": 1 << 20, **options}
    return run_program_async(["/bin/sh", "-c", script], stdin, **words)


def test_programs_run_at_the_same_time_and_keep_their_own(tmp_path):
    async def meet():
        # Each waits for the other's file, so in sequence neither would ever end.
        scripts = [
            f"cat; touch {tmp_path}/{own}; while [ ! -e {tmp_path}/{other} ]; do sleep 0.05; done"
            for own, other in ("ab", "ba")
        ]
        return await asyncio.gather(run(scripts[0], b"one"), run(scripts[1], b"two"))

    assert [(result.exit_code, result.stdout) for result in asyncio.run(meet())] == [(0, b"one"), (0, b"two")]


def test_the_loop_goes_on_while_a_late_program_gets_its_grace():
    async def both(seconds):
        late = asyncio.create_task(run("trap '' TERM; echo on; while :; do sleep 0.1; done", seconds=seconds))
        ticks = 0
        while not late.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return ticks, late.result()

    def got_going(found):
        return found[0] > 10 and found[1].stdout

    ticks, result = run_with_time(lambda seconds: asyncio.run(both(seconds)), got_going)
    assert (result.timed_out, result.exit_code, result.stdout) == (True, None, b"on\n")
    assert ticks > 10


@pytest.mark.parametrize("how", ["cancelled", "timed out from outside"])
def test_a_run_that_is_given_up_ends_with_its_children(tmp_path, how):
    async def give_up():
        script = f"trap '' TERM; sleep 300 & echo $! $$ > {tmp_path}/pids; wait; sleep 300"
        task = asyncio.create_task(run(script))
        await asyncio.to_thread(read_pids, tmp_path / "pids", 2)
        if how == "cancelled":
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
        else:
            with pytest.raises(TimeoutError):
                await asyncio.wait_for(task, 0.05)

    before = sorted(os.listdir("/proc/self/fd"))
    asyncio.run(give_up())
    assert wait_until(lambda: not any(map(is_alive, read_pids(tmp_path / "pids", 2))))
    assert sorted(os.listdir("/proc/self/fd")) == before


def test_what_cannot_start_says_why(tmp_path):
    result = asyncio.run(run("true", cwd=str(tmp_path / "gone")))
    assert (result.started, result.start_error) == (False, "No such file or directory")
