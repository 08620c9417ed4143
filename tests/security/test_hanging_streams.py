"""A client that does not write, does not read or leaves odd signals behind cannot make the hook process hang."""

import contextlib
import fcntl
import json
import os
import shutil
import signal
import subprocess
import termios
import time

import pytest

from hookwright.testing.builders import bash
from tests.proc.kit import is_alive, wait_until

pytestmark = pytest.mark.slow

DESTROY = bash("rm -rf /").raw
USER_HOOK = (
    "from hookwright import PreToolUse, deny, hook\n\n@hook(PreToolUse, 'Bash'{more})\ndef mine(event):\n    {body}\n"
)


def denied(stdout):
    return json.loads(stdout)["hookSpecificOutput"]["permissionDecision"] == "deny"


def add_hook(hook_process, body, more=""):
    folder = hook_process.config.parent / "hooks"
    folder.mkdir(exist_ok=True)
    (folder / "mine.py").write_text(USER_HOOK.format(body=body, more=more))


def start(hook_process, before=None, **streams):
    options = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams}
    return subprocess.Popen(
        hook_process.argv,
        env=hook_process.env,
        cwd=hook_process.home,
        preexec_fn=before,  # noqa: PLW1509
        **options,
    )


def block_alarm():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})


def block_all():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def ignore_alarm():
    signal.signal(signal.SIGALRM, signal.SIG_IGN)


def pend_alarm():
    block_alarm()
    os.kill(os.getpid(), signal.SIGALRM)


@pytest.mark.parametrize("written", ["whole", "half", "nothing", "drop by drop"])
def test_a_stdin_that_is_never_closed_ends_in_time_whatever_the_signals(hook_process, written):
    """Without the unblocking, this waits for ever where SIGALRM is blocked."""
    payload = json.dumps(DESTROY).encode()
    children = [start(hook_process, before) for before in (None, block_alarm, block_all, ignore_alarm, pend_alarm)]
    parts = {"whole": [payload], "half": [payload[:50]], "nothing": [], "drop by drop": [b" "] * 100}[written]
    for part in parts:
        for child in children:
            with contextlib.suppress(BrokenPipeError):  # it did not wait for the end
                child.stdin.write(part)
                child.stdin.flush()
        time.sleep(0.05 if len(parts) > 1 else 0)
    for child in children:
        stdout, stderr = child.stdout.read(), child.stderr.read()  # ends when the process does: stdin stays open
        assert (child.wait(300), stderr) == (0, b"")
        assert denied(stdout) if written == "whole" else not stdout or json.loads(stdout)
        with contextlib.suppress(BrokenPipeError):
            child.stdin.close()
        child.stdout.close()
        child.stderr.close()


def test_a_stdout_that_nobody_reads_ends_in_time_whatever_the_signals(hook_process):
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    try:
        while True:
            os.write(writer, b" " * 512)
    except BlockingIOError:
        os.set_blocking(writer, True)
    children = [start(hook_process, before, stdout=writer) for before in (None, block_alarm, ignore_alarm)]
    for child in children:
        child.communicate(json.dumps(DESTROY).encode(), timeout=300)
        assert child.returncode == 0
    os.close(reader)
    os.close(writer)
    assert len(hook_process.journal) == len(children)  # recorded all the same


def read_all_of(child):
    """Wait until the process has read everything that was written to it."""
    unread = bytearray(4)

    def is_empty():
        fcntl.ioctl(child.stdin.fileno(), termios.FIONREAD, unread)
        return not any(unread)

    assert wait_until(is_empty, 300)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_without_a_word(hook_process, number):
    hook_process(DESTROY)
    child = start(hook_process)
    child.stdin.write(b'{"hook_event_name": ')
    child.stdin.flush()
    read_all_of(child)
    child.send_signal(number)
    stdout, stderr = child.communicate(timeout=300)
    assert (child.returncode, stdout, stderr) == (-number, b"", b"")


def test_an_interrupt_that_the_client_ignores_stays_ignored(hook_process):
    child = start(hook_process, lambda: signal.signal(signal.SIGINT, signal.SIG_IGN))
    child.stdin.write(b" ")
    child.stdin.flush()
    read_all_of(child)
    child.send_signal(signal.SIGINT)
    stdout, stderr = child.communicate(json.dumps(DESTROY).encode(), timeout=300)
    assert (child.returncode, denied(stdout), stderr) == (0, True, b"")


@pytest.mark.parametrize("closed", range(8))
def test_a_users_hook_decides_with_any_streams_closed(hook_process, closed):
    """Its pipes must not get the numbers of the standard streams."""
    add_hook(hook_process, "open('ran', 'a').write('x'); print('noise'); return deny('mine says no')")
    hook_process(DESTROY)
    streams = [stream for stream in (0, 1, 2) if closed >> stream & 1]
    child = start(hook_process, lambda: [os.close(stream) for stream in streams])
    stdout, stderr = child.communicate(json.dumps(DESTROY).encode(), timeout=300)
    assert (child.returncode, stderr) == (0, b"")
    if 0 not in streams:
        assert len((hook_process.home / "ran").read_text()) == 2
        assert hook_process.journal[-1]["decisions"][-1]["verdict"] == "deny"
    if not {0, 1} & set(streams):
        assert "mine says no" in stdout.decode()


@pytest.mark.parametrize("body", ["sum(range(10**12))", "b'x' * 9 in bytes(10**9) * 3; 10 ** 10 ** 9"])
def test_a_users_hook_in_a_loop_of_c_code_is_ended_by_the_clock(hook_process, body):
    add_hook(hook_process, body, ", deadline_s=0.5, failure='ask'")
    stdout = hook_process(bash("ls").raw).stdout
    assert "took too long" in stdout.decode()


@pytest.mark.parametrize("words", [[], ["fail-closed"]])
def test_where_no_process_can_be_started_the_answer_stays_one_object(hook_process, words):
    """The bundle is gone and nobody can build it: the denial is neither followed by a message nor lost."""
    hook_process.add_code(
        "posix.fork = lambda: posix.kill(1 << 30, 9)"
    )  # raises an OSError, as a full process table does
    hook_process.argv += words
    shutil.rmtree(hook_process.home / ".cache/hookwright")
    done = hook_process(DESTROY)
    assert (done.returncode, denied(done.stdout), done.stderr) == (0, True, b"")


def test_a_users_hook_ends_soon_after_an_interrupt(hook_process):
    add_hook(
        hook_process,
        "open('pid', 'w').write(str(__import__('os').getpid())); __import__('time').sleep(600)",
        ", deadline_s=5",
    )
    child = start(hook_process)
    child.stdin.write(json.dumps(bash("ls").raw).encode())
    child.stdin.close()
    pid = hook_process.home / "pid"
    assert wait_until(lambda: pid.exists() and pid.read_text(), 300)
    child.send_signal(signal.SIGINT)
    assert child.wait(300) == -signal.SIGINT
    assert wait_until(lambda: not is_alive(int(pid.read_text())), 300)
    child.stdout.close()
    child.stderr.close()
