"""The core of all runners: a program is fed, heard, and ended with everything it started."""

import os
import signal
import subprocess
import sys
import time

import pytest

from hookwright.proc.child_process import ChildProcess, run_program, wait_for_children
from hookwright.proc.run_programs import start_in_directory
from tests.proc.kit import has_pids, is_alive, read_pids, run_with_time, wait_until

pytestmark = pytest.mark.slow


@pytest.fixture(params=["linux", "macos"])
def system(request, monkeypatch):
    """MacOS has no pidfd and, before Python 3.13, no waitid: an exit is then found by asking again and again."""
    if request.param == "macos":
        monkeypatch.delattr(sys.modules["posix"], "pidfd_open")
        monkeypatch.delattr(sys.modules["posix"], "waitid")


def open_descriptors():
    return sorted(os.listdir("/proc/self/fd"))


def run(script, stdin=b"", seconds=60, **options):
    argv = ["/bin/sh", "-c", script]
    return run_program(argv, os.environb, stdin, seconds=seconds, **{"keep": 1 << 20, **options})


def start(script, **options):
    def spawn(streams):
        return start_in_directory(["/bin/sh", "-c", script], cwd="/", env=dict(os.environ), streams=streams)

    return ChildProcess(spawn, **{"seconds": 60, "keep": 1 << 20, **options})


def finish(child, grace_s=1.0):
    try:
        wait_for_children([child])
    finally:
        child.end(grace_s)
    return child.result()


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize(
    ("script", "exit_code", "code", "stdout"),
    [
        ("cat; exit 3", 3, 3, b"said"),
        ("kill -9 $$", -9, 137, b""),
        ("kill $$", -15, 143, b""),
        ("exec 1>&- 2>&-; exit 0", 0, 0, b""),
        ("exec 0<&-; echo on", 0, 0, b"on\n"),
        ("no-such-program-anywhere", 127, 127, b""),
    ],
)
def test_how_it_ended_is_told(script, exit_code, code, stdout):
    before = open_descriptors()
    result = run(script, b"said")
    assert (result.exit_code, result.code, result.stdout) == (exit_code, code, stdout)
    assert (result.started, result.timed_out, result.problem) == (True, False, "")
    assert open_descriptors() == before


@pytest.mark.parametrize("argv", [["/no/such/program"], ["no-such-program-anywhere"], ["/"], ["a\0b"], [""]])
def test_what_cannot_start_leaves_nothing_open(argv):
    before = open_descriptors()
    result = run_program(argv, {}, b"x", seconds=5, keep=100)
    assert (result.started, result.could_not_start, result.exit_code) == (False, True, None)
    assert result.problem.startswith("cannot be started: ")
    assert open_descriptors() == before


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("size", [0, 1, 65_536, 3_000_000])
def test_any_amount_goes_in_and_comes_out(size):
    data = os.urandom(1024) * (size // 1024) + b"x" * (size % 1024)
    assert run("cat; cat /dev/null >&2", data, keep=4 << 20).stdout == data


def test_a_program_that_prints_without_end_costs_the_limit_only():
    result = run_with_time(lambda seconds: run("yes; true", seconds=seconds, keep=1000), lambda result: result.cut)
    assert (result.timed_out, result.cut, len(result.stdout)) == (True, True, 1000)


@pytest.mark.parametrize(("keep_head", "expected"), [(True, b"0\n1\n2\n3\n4\n"), (False, b"\n97\n98\n99\n")])
def test_the_head_or_the_tail_is_kept(keep_head, expected):
    child = start("i=0; while [ $i -lt 100 ]; do echo $i; i=$((i+1)); done", keep=10, keep_head=keep_head)
    result = finish(child)
    assert (result.stdout[-10:], result.cut) == (expected[-10:], True)


@pytest.mark.usefixtures("system")
def test_a_late_program_that_ignores_sigterm_ends_with_its_children(tmp_path):
    script = f"trap '' TERM; (trap '' TERM; sleep 300; sleep 300) & echo $! $$ > {tmp_path}/pids; wait; sleep 300"
    pids = tmp_path / "pids"
    result = run_with_time(lambda seconds: finish(start(script, seconds=seconds), 0.2), lambda _: has_pids(pids, 2), 1)
    assert (result.timed_out, result.exit_code, result.problem[:15]) == (True, None, "did not end in ")
    assert wait_until(lambda: not any(map(is_alive, read_pids(tmp_path / "pids", 2))))


@pytest.mark.usefixtures("system")
def test_a_late_program_may_say_goodbye(tmp_path):
    said = tmp_path / "said"
    script = f"trap 'echo bye > {said}; exit' TERM; sleep 300 & wait"
    result = run_with_time(lambda seconds: run(script, seconds=seconds), lambda _: said.exists())
    assert result.timed_out
    assert said.read_text() == "bye\n"


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("spare", [True, False])
def test_a_grandchild_that_keeps_the_pipes_holds_nobody_up(tmp_path, spare):
    child = start(f"echo said; sleep 300 & echo $! > {tmp_path}/pids; exit 4", spare_children=spare)
    result = finish(child)
    assert (result.exit_code, result.stdout) == (4, b"said\n")
    [grandchild] = read_pids(tmp_path / "pids", 1)
    if spare:
        assert is_alive(grandchild)
        os.kill(grandchild, signal.SIGKILL)
    assert wait_until(lambda: not is_alive(grandchild))


def test_a_spared_grandchild_that_prints_without_end_does_not_keep_us_reading(tmp_path):
    child = start(f"yes & echo $! > {tmp_path}/pids; exit 0", spare_children=True, keep=100)
    try:
        assert finish(child).exit_code == 0
    finally:
        os.kill(read_pids(tmp_path / "pids", 1)[0], signal.SIGKILL)


def test_output_that_arrives_shortly_after_the_end_counts_if_asked_for():
    script = "(sleep {}; echo late) & echo early"
    assert finish(start(script.format(0.3), linger_s=60, spare_children=True)).stdout == b"early\nlate\n"
    assert finish(start(script.format(600))).stdout == b"early\n"


@pytest.mark.parametrize(
    ("script", "unread"), [("cat > /dev/null", 0), ("exit 0", 500_000), ("head -c 100 > /dev/null; exit 0", None)]
)
def test_what_nobody_read_is_counted(script, unread):
    result = finish(start(script, stdin=b"x" * 500_000, count_unread=True))
    if unread is None:
        assert 0 < result.unread <= 499_900  # `head` may take more than it needs
    else:
        assert result.unread == unread


def test_no_input_is_an_empty_device_and_not_a_pipe():
    """Programs such as ripgrep search a pipe instead of the directory."""
    assert finish(start("test -p /dev/stdin && echo pipe || echo none")).stdout == b"none\n"
    assert finish(start("test -p /dev/stdin && echo pipe || echo none", stdin=b"")).stdout == b"pipe\n"


@pytest.mark.usefixtures("system")
def test_a_program_may_be_left_to_itself(tmp_path):
    def leave(child):
        if b"\n" in child.stdout:
            child.detached = True

    result = run(f"echo $$ > {tmp_path}/pids; echo; exec sleep 300", on_stdout=leave)
    assert (result.exit_code, result.timed_out) == (0, False)
    [pid] = read_pids(tmp_path / "pids", 1)
    assert is_alive(pid)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def test_output_may_move_the_deadline():
    def grant(child):
        child.deadline = time.monotonic() + 120

    def run_for(seconds):
        return run(f"echo; sleep {1.5 * seconds}; echo on", seconds=seconds, on_stdout=grant)

    assert run_with_time(run_for, lambda result: result.stdout, 1).stdout == b"\non\n"


def test_a_parent_that_ignores_sigchld_is_told_of_the_end():
    """The kernel reaps then; nobody can learn the exit code, but nobody waits for ever either."""
    program = (
        "import os, signal\n"
        "signal.signal(signal.SIGCHLD, signal.SIG_IGN)\n"
        "from hookwright.proc.child_process import run_program\n"
        "result = run_program(['/bin/sh', '-c', 'echo on; exit 3'], os.environb, b'', seconds=60, keep=100)\n"
        "print(result.exit_code, result.stdout)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=120)
    assert done.stdout == "0 b'on\\n'\n"


def test_it_ends_with_us_if_asked_to(tmp_path):
    program = (
        "import os\n"
        "from hookwright.proc.child_process import run_program\n"
        f"script = 'trap \"\" TERM; sleep 300 & echo $$ $! > {tmp_path}/pids; wait; sleep 300'\n"
        "run_program(['/bin/sh', '-c', script], os.environb, b'', seconds=300, keep=100, die_with_us=True)\n"
    )
    ours = subprocess.Popen([sys.executable, "-c", program])
    pids = read_pids(tmp_path / "pids", 2)
    ours.terminate()
    assert ours.wait(60) == 128 + signal.SIGTERM
    assert wait_until(lambda: not any(map(is_alive, pids)))


def test_a_signal_is_held_back_for_us_and_not_for_the_program():
    result = run("grep SigBlk /proc/self/status", die_with_us=True)
    assert int(result.stdout.split()[-1], 16) == 0
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()


def test_signals_that_python_ignores_are_as_usual_for_the_program():
    script = "grep SigIgn /proc/self/status"
    for result in (run(script), finish(start(script))):
        ignored = int(result.stdout.split()[-1], 16)
        assert not ignored & (1 << (signal.SIGPIPE - 1) | 1 << (signal.SIGXFSZ - 1))
