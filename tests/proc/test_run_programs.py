"""Programs run bounded: in time, in kept output, and nothing of them stays."""

import signal
import subprocess
import sys

import pytest

from hookwright.proc.run_programs import Job, run_job, run_jobs
from tests.proc.kit import has_pids, is_alive, read_pids, run_with_time, wait_until

pytestmark = pytest.mark.slow


def job(command, **options):
    return Job(command, **{"cwd": "/", "seconds": 60, **options})


def test_output_and_exit_code_come_back():
    result = run_job(job("echo out; echo err >&2; exit 3"))
    assert (result.code, result.stdout, result.stderr) == (3, b"out\n", b"err\n")
    assert not result.ok
    assert result.started


def test_a_list_runs_without_a_shell():
    assert run_job(job(["echo", "$HOME"])).stdout == b"$HOME\n"


def test_input_larger_than_a_pipe_is_written_while_output_is_read():
    data = b"x" * 900_000
    assert run_job(job(["cat"], stdin=data, keep=2_000_000)).stdout == data


def test_a_program_that_does_not_read_its_input_is_no_problem():
    assert run_job(job("exit 0", stdin=b"x" * 900_000)).code == 0


def test_only_so_much_output_is_kept():
    many = "i=0; while [ $i -lt 2000 ]; do echo line $i; i=$((i+1)); done"
    head = run_job(job(many, keep=100))
    tail = run_job(job(many, keep=100, keep_head=False))
    assert head.stdout.startswith(b"line 0\n")
    assert tail.stdout.endswith(b"line 1999\n")
    assert (len(head.stdout), len(tail.stdout)) == (100, 100)
    assert head.cut


def test_jobs_run_at_the_same_time(tmp_path):
    # Each waits for the other's file, so in sequence neither would ever end.
    def meets(own, other):
        return job(f"touch {own}; while [ ! -e {other} ]; do sleep 0.05; done", cwd=str(tmp_path))

    assert [result.code for result in run_jobs([meets("a", "b"), meets("b", "a")])] == [0, 0]


def test_a_program_that_cannot_start_says_so():
    missing, folder = run_jobs([job(["/no/such/program"]), job("true", cwd="/no/such/folder")])
    assert missing.could_not_start
    assert "No such file" in missing.problem
    assert folder.could_not_start
    assert run_job(job("no-such-program-anywhere")).could_not_start


def test_several_late_programs_share_their_grace(tmp_path):
    stubborn = "trap '' TERM; echo $$ >> pids; while :; do sleep 0.1; done"
    pids = tmp_path / "pids"

    def run_six(seconds):
        pids.write_text("")
        return run_jobs([job(stubborn, cwd=str(tmp_path), seconds=seconds) for _ in range(6)])

    results = run_with_time(run_six, lambda _: has_pids(pids, 6), 1)
    assert all(result.timed_out for result in results)
    assert wait_until(lambda: not any(map(is_alive, read_pids(pids, 6))))


def test_the_environment_is_ours_with_changes(monkeypatch):
    monkeypatch.setenv("KEPT", "1")
    monkeypatch.setenv("GONE", "1")
    script = "echo ${KEPT-none} ${GONE-none} ${NEW-none}"
    assert run_job(job(script, env={"GONE": None, "NEW": "2"})).stdout == b"1 none 2\n"


def test_at_its_time_a_program_and_its_children_end(tmp_path):
    pids = tmp_path / "pids"
    hangs = f"trap '' TERM; sleep 300 & echo $$ $! > {pids}; wait; sleep 300"
    result = run_with_time(lambda seconds: run_job(job(hangs, seconds=seconds)), lambda _: has_pids(pids, 2))
    assert result.timed_out
    assert result.code is None
    assert result.problem.startswith("did not end in ")
    assert wait_until(lambda: not any(map(is_alive, read_pids(pids, 2))))


def test_a_child_that_keeps_the_streams_does_not_keep_us():
    result = run_job(job("sleep 300 & echo $!"))
    assert result.code == 0
    assert wait_until(lambda: not is_alive(int(result.stdout)))


def test_a_sigterm_while_a_program_is_being_started_ends_it(tmp_path):
    program = (
        "import os, signal\n"
        "from hookwright.proc import run_programs\n"
        "start = run_programs.start_in_directory\n"
        "def start_and_be_told_to_end(*words, **options):\n"
        "    pid = start(*words, **options)\n"
        f"    open('{tmp_path}/pids', 'w').write(str(pid))\n"
        "    os.kill(os.getpid(), signal.SIGTERM)\n"
        "    return pid\n"
        "run_programs.start_in_directory = start_and_be_told_to_end\n"
        "run_programs.run_job(run_programs.Job('sleep 300', cwd='/', seconds=300))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert done.stderr.endswith("Terminated\n")
    [pid] = read_pids(tmp_path / "pids", 1)
    assert wait_until(lambda: not is_alive(pid))


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_when_we_are_told_to_end_the_programs_end_too(tmp_path, number):
    pids = tmp_path / "pids"
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.SIG_DFL)\n"  # as the launcher does
        "from hookwright.proc.run_programs import Job, run_job\n"
        f"run_job(Job('echo $$ > {pids}; sleep 300', cwd='/', seconds=300))"
    )
    ours = subprocess.Popen([sys.executable, "-c", program], stderr=subprocess.DEVNULL)
    assert wait_until(lambda: pids.exists() and pids.read_text().strip())
    ours.send_signal(number)
    ours.wait(30)
    assert wait_until(lambda: not is_alive(int(pids.read_text())))
