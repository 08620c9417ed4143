"""A thousand faults: the answer is right or missing, never torn; no record that was acknowledged is lost.

Each kind of fault is a generator of attempts, seeded. After each attempt: the exit code is not 2 (which denies a tool),
stdout is one object or empty, and where the process could answer, `rm -rf /` is denied. An attempt that ended normally
with a journal that can be written is acknowledged: at the end `hookwright log --json` has to show its record.
"""

import fcntl
import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import pytest

from hookwright.runtime import launcher
from hookwright.testing.builders import bash
from tests.sizes import QUICK, examples

DESTROY = "rm -rf /"
DAY = 86400
AFTER_START = (b"in _read_stdin", b"in answer_payload")  # frames of a traceback
WAIT_S = 300  # for a process that should end by itself


class FaultRun:
    """Starts the registered command under a fault, checks what came out, and remembers what was acknowledged."""

    def __init__(self, hook_process, seed):
        self.hook = hook_process
        self.random = random.Random(seed)
        self.home = hook_process.home
        self.state = self.home / ".local/state/hookwright"
        self.attempts = 0
        self.answered = 0
        self.acknowledged = set()
        assert self.attempt() == "deny"  # compiles the plan

    def payload(self):
        self.attempts += 1
        return bash(DESTROY, tool_use_id=f"toolu_{self.attempts}", cwd=str(self.home), session_id="s").raw

    def start(self, *, before=None, stdin=None, stdout=subprocess.PIPE, env=None, unset=(), **options):
        """Start one event. Its payload is in a file: nobody has to write it."""
        payload = self.payload()
        environment = {key: value for key, value in {**self.hook.env, **(env or {})}.items() if key not in unset}
        options = {"cwd": self.home, "stderr": subprocess.PIPE, "env": environment, **options}
        with tempfile.TemporaryFile() as file:
            file.write(json.dumps(payload).encode())
            file.seek(0)
            child = subprocess.Popen(self.hook.argv, stdin=stdin or file, stdout=stdout, preexec_fn=before, **options)  # noqa: PLW1509
        child.tool_use_id = payload["tool_use_id"]
        return child

    def check(self, child, *, answers=True, records=True, said=None, interrupted=False):
        """Wait for the process; "deny", "" (silence) or "gone" (it did not end normally)."""
        stdout, stderr = child.communicate(timeout=WAIT_S)
        stdout = stdout or said or b""
        note = (child.returncode, stdout, stderr)
        assert child.returncode != 2, note
        verdict = ""
        if stdout:
            answer = json.loads(stdout)  # one object: neither torn nor two
            verdict = answer.get("hookSpecificOutput", {}).get("permissionDecision", "message")
        # While the interpreter and our modules are still being loaded, Python reports an interrupt; later nobody does.
        assert not stderr or (interrupted and not any(step in stderr for step in AFTER_START)), note
        if child.returncode != 0:
            return "gone"
        if answers:
            assert verdict == "deny", note
        if answers and records:
            self.acknowledged.add(child.tool_use_id)
        self.answered += verdict == "deny"
        return verdict

    def attempt(self, *, answers=True, records=True, **options):
        return self.check(self.start(**options), answers=answers, records=records)

    def recorded(self):
        """The tool uses that `hookwright log` shows."""
        command = [sys.executable, "-m", "hookwright", "log", "--json"]
        done = subprocess.run(command, env=self.hook.env, capture_output=True, timeout=WAIT_S, check=True)
        return {json.loads(line)["tool_use_id"] for line in done.stdout.splitlines()}


# --- kinds of faults: each yields once for every fault
ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)


def kill_midway(run, count):
    """Ended at a random moment of its life."""
    began = time.monotonic()
    for _ in range(3):
        run.attempt()
    usual = (time.monotonic() - began) / 3
    for _ in range(count):
        child = run.start()
        time.sleep(run.random.uniform(0, 1.3 * usual))
        number = run.random.choice(ENDING)
        child.send_signal(number)
        run.check(child, interrupted=number == signal.SIGINT)
        yield


def close_descriptors(run, count):
    """Standard streams that are closed, in all eight combinations."""
    for number in range(count):
        closed = [stream for stream in (0, 1, 2) if number >> stream & 1]
        run.attempt(
            before=lambda closed=closed: [os.close(stream) for stream in closed], answers=not {0, 1} & set(closed)
        )
        yield


def no_writer(run):
    return {"stdin": subprocess.DEVNULL, "answers": False}


def write_only_stdin(run):
    descriptor = os.open(run.home / "sink", os.O_WRONLY | os.O_CREAT)
    run.keep.append(descriptor)
    return {"stdin": descriptor, "answers": False}


def full_device(run):
    descriptor = os.open("/dev/full", os.O_WRONLY)
    run.keep.append(descriptor)
    return {"stdout": descriptor, "answers": False}


def closed_reader(run):
    reader, writer = os.pipe()
    os.close(reader)
    run.keep.append(writer)
    return {"stdout": writer, "answers": False}


def many_open_files(run):
    return {"close_fds": False, "pass_fds": (), "before": lambda: [os.dup2(0, at) for at in range(60, 200)]}


ODD_STREAMS = (no_writer, write_only_stdin, full_device, closed_reader, many_open_files)


def odd_streams(run, count):
    """Streams that are something else than two pipes."""
    run.keep = []
    for number in range(count):
        options = ODD_STREAMS[number % len(ODD_STREAMS)](run)
        run.attempt(**options)
        for descriptor in run.keep:
            os.close(descriptor)
        run.keep.clear()
        yield


def slow_streams(run, count):
    """Pipes in non-blocking mode, full, written late and in pieces, read late."""
    for number in range(count):
        theirs_in, ours_in = os.pipe()
        ours_out, theirs_out = os.pipe() if number % 2 else [s.detach() for s in socket.socketpair()]
        if number % 3:
            os.set_blocking(theirs_in, False)
            os.set_blocking(theirs_out, False)
        filled = 0
        if number % 4 == 1:
            fcntl.fcntl(ours_out, fcntl.F_SETPIPE_SZ, 4096)
            os.set_blocking(theirs_out, False)
            filled = os.write(theirs_out, b" " * 4096)
            os.set_blocking(theirs_out, not number % 3)
        child = run.start(stdin=theirs_in, stdout=theirs_out)
        payload = json.dumps({**run.payload(), "tool_use_id": child.tool_use_id}).encode()
        run.attempts -= 1
        os.close(theirs_in)
        os.close(theirs_out)
        cut = run.random.randrange(len(payload))
        os.write(ours_in, payload[:cut])
        time.sleep(run.random.uniform(0, 0.03))
        os.write(ours_in, payload[cut:])
        os.close(ours_in)
        time.sleep(run.random.uniform(0, 0.05) if filled else 0)
        with open(ours_out, "rb") as file:
            said = file.read()
        assert said[:filled] == b" " * filled
        run.check(child, said=said[filled:])
        yield


def block_alarm():
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})


def block_everything():
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


def pend_alarm():
    block_alarm()
    os.kill(os.getpid(), signal.SIGALRM)


def ignore_all():
    for number in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGCHLD, signal.SIGPIPE):
        signal.signal(number, signal.SIG_IGN)


def run_timer():
    signal.setitimer(signal.ITIMER_REAL, 200, 200)


SIGNALS = (block_alarm, block_everything, pend_alarm, ignore_all, run_timer)


def signal_setups(run, count):
    """What the client may leave behind: signals blocked, pending or ignored, a running timer."""
    for number in range(count):
        run.attempt(before=SIGNALS[number % len(SIGNALS)])
        yield


def limit(which, amount):
    return lambda: resource.setrlimit(which, (amount, amount))


def resource_limits(run, count):
    """Few files, little memory, no space to write, little time."""
    kinds = (
        *((resource.RLIMIT_NOFILE, amount, amount > 5, True) for amount in (4, 5, 6, 8, 12)),
        *((resource.RLIMIT_AS, amount << 20, False, True) for amount in (4, 12, 20, 28, 40, 64)),
        *((resource.RLIMIT_FSIZE, amount, True, False) for amount in (0, 1, 100, 3000)),
        *((resource.RLIMIT_STACK, amount << 10, False, True) for amount in (64, 256)),
        (resource.RLIMIT_CPU, 20, True, True),
        (resource.RLIMIT_CORE, 0, True, True),
        (resource.RLIMIT_DATA, 8 << 20, False, True),
    )
    quiet = (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_CPU, resource.RLIMIT_CORE)
    for number in range(count):
        which, amount, answers, records = kinds[number % len(kinds)]
        # Without memory the interpreter or the loader itself fails, and says so.
        stderr = subprocess.PIPE if which in quiet else subprocess.DEVNULL
        run.attempt(before=limit(which, amount), answers=answers, records=records, stderr=stderr)
        yield


def surroundings(run, count):
    """A working directory that is gone, a home that is missing, a file, or of nobody."""
    elsewhere = run.home / "elsewhere"
    (run.home / "file").write_text("")
    for number in range(count):
        kind = number % 7
        if kind == 0:
            elsewhere.mkdir()
            run.attempt(cwd=elsewhere, before=lambda: os.rmdir(elsewhere))
        elif kind == 1:
            run.attempt(unset=("HOME",), records=False)
        elif kind == 2:
            run.attempt(unset=("HOME", "PATH", "LANG"), records=False)
        elif kind == 6:
            run.attempt(env={"PYTHONPATH": str(run.home), "PYTHONHOME": "/nowhere", "LANG": "xx", "TZ": "bad/zone"})
        else:
            value = (str(run.home / "not/there"), str(run.home / "file"), "relative")[kind - 3]
            run.attempt(env={"HOME": value}, records=False)
        yield


def make_loop(path):
    path.symlink_to(path)


def make_zero(path):
    path.symlink_to("/dev/zero")


def make_dangling(path):
    path.symlink_to("/nowhere/x")


def make_garbage(path):
    path.write_bytes(bytes(range(256)) * 300)


ODD_OBJECTS = (os.mkfifo, Path.mkdir, make_loop, make_zero, make_dangling, make_garbage)


def places(run):
    """Where something odd is put, and whether the record is written all the same."""
    cache, bundle = run.home / ".cache/hookwright", Path(launcher.bundle_dir())
    segment = max((run.state / "journal").glob("*.jsonl"), key=lambda path: path.stat().st_size)
    [plan] = cache.glob("plan-*")
    durations = run.state / "projects" / launcher.paths.project_key(str(run.home)) / "durations"
    return (
        (segment, True),
        (run.state / "journal", False),
        (run.state, False),
        (run.state / "sessions", True),
        (run.state / "told", True),
        (run.state / "ledger.db", True),
        (durations, True),
        (plan, True),
        (bundle, True),
        (bundle / "core", True),
        (bundle / "PreToolUse-Bash", True),
        (Path(f"{bundle}.lock"), True),
        (run.hook.config, True),
        (run.hook.config.parent / "hooks", True),
        (run.state / "trust", True),
    )


@contextmanager
def replaced(path, make):
    """Something odd in the place of a file or directory, which then comes back."""
    path.parent.mkdir(parents=True, exist_ok=True)
    aside = path.with_name(path.name + ".aside")
    if os.path.lexists(path):
        path.rename(aside)
    make(path)
    try:
        yield
    finally:
        shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)
        if os.path.lexists(aside):
            aside.rename(path)


def odd_objects(run, count):
    """A fifo, a directory, a link loop, a device or garbage in the place of each file that an event reads or writes."""
    known = places(run)
    pairs = [(place, make) for place in known for make in ODD_OBJECTS]
    run.random.shuffle(pairs)
    lock = Path(f"{launcher.bundle_dir()}.lock")
    for number in range(count):
        (path, records), make = pairs[number % len(pairs)]
        lock.touch()  # as if somebody were building: the events do not
        with replaced(path, make):
            child = run.start()
            assert run.check(child, answers=False) == "deny", (path, make)
        if records and not (make is make_garbage and path.suffix == ".jsonl"):  # it went into the file that is gone
            run.acknowledged.add(child.tool_use_id)
        yield


def damaged_bundle(run, count):
    """A random byte of the cached code is another."""
    bundle = Path(launcher.bundle_dir())
    names = ["core", "PreToolUse-Bash", *sorted(path.name for path in bundle.glob("hookwright.hooks.command_guard*"))]
    for _ in range(count):
        Path(f"{bundle}.lock").touch()
        path = bundle / run.random.choice(names[: run.random.choice((1, 2, len(names)))])
        data = bytearray(path.read_bytes())
        data[run.random.randrange(len(data))] ^= run.random.randrange(1, 256)
        whole = path.with_suffix(".whole")
        path.rename(whole)
        path.write_bytes(data[: run.random.randrange(len(data))] if run.random.random() < 0.3 else data)
        run.attempt()
        whole.rename(path)
        yield


SHIFT = "import time; real = time.time; time.time = lambda: real() + float(posix.environ.get(b'SHIFT', 0))"
SHIFTS = (0, 400 * DAY, 5 * 365 * DAY, 50 * 365 * DAY, -DAY, -20 * DAY, 7 * DAY, 0)


def clock_jumps(run, count):
    """The clock jumps ahead and back, by up to 50 years."""
    run.hook.add_code(SHIFT)
    for _ in range(count):
        run.attempt(env={"SHIFT": str(run.random.choice(SHIFTS))})
        yield


def all_at_once(run, count):
    """64 events at the same moment, some of them killed."""
    for _ in range(0, count, 64):
        children = [run.start() for _ in range(64)]
        for child in run.random.sample(children, 8):
            child.send_signal(run.random.choice(ENDING))
        for child in children:
            run.check(child, interrupted=True)
            yield


def beside_load(run, count):
    """Twelve busy processes beside it."""
    hogs = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(12)]
    try:
        for _ in range(0, count, 8):
            for child in [run.start() for _ in range(8)]:
                run.check(child)
                yield
    finally:
        for hog in hogs:
            hog.kill()
            hog.wait()


KINDS = {
    kill_midway: 400,
    close_descriptors: 48,
    odd_streams: 48,
    slow_streams: 72,
    signal_setups: 50,
    resource_limits: 80,
    surroundings: 42,
    odd_objects: 90,
    damaged_bundle: 30,
    clock_jumps: 64,
    all_at_once: 64,
    beside_load: 32,
}


def test_there_are_a_thousand():
    assert sum(KINDS.values()) >= 1000


ALWAYS = (kill_midway, close_descriptors, surroundings)  # in `make quick` too, a few of each


@pytest.mark.parametrize(
    "kind",
    [pytest.param(kind, id=kind.__name__, marks=() if kind in ALWAYS else pytest.mark.slow) for kind in KINDS],
)
@pytest.mark.slow
def test_no_fault_costs_the_guard_or_an_acknowledged_record(hook_process, kind):
    run = FaultRun(hook_process, seed=f"{kind.__name__} 13")
    wanted = examples(KINDS[kind])
    faults = sum(1 for _ in kind(run, wanted))
    recorded = run.recorded()
    print(f"{kind.__name__}: {faults} faults, {run.answered} denied, {len(run.acknowledged)} acknowledged")
    assert faults >= wanted
    assert not run.acknowledged - recorded
    assert run.attempt() == "deny"
    assert QUICK or run.answered > 5
