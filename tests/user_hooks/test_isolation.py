"""Whatever a user's hook does, the answer of the others arrives whole, in time, and nothing stays behind."""

import json
import os
import subprocess
import uuid
from pathlib import Path

import pytest

from hookwright.testing.builders import bash
from tests.hook_kit import unexpected_lines
from tests.proc.kit import wait_until

pytestmark = pytest.mark.slow

GOOD = """from hookwright import PreToolUse, add_context, hook
@hook(PreToolUse, "Bash", deadline_s=60)
def good(event):
    return add_context("read " + event.tool_input["command"] + " " + event.tool_input["description"])
"""
HEAD = """import ctypes, itertools, os, signal, subprocess, sys, threading, time
from hookwright import Decision, PreToolUse, add_context, deny, hook, rewrite
@hook(PreToolUse, "Bash", deadline_s=60)
def bad(event):
"""
TOO_LONG = "it took too long"
# What it does → the beginning of its failure in the record; None: it has done nothing wrong.
MISDEEDS = {
    "raises": ("1 / 0", "ZeroDivisionError"),
    "exits": ("sys.exit(2)", "SystemExit: 2"),
    "exits at once": ("os._exit(2)", "it ended its process with code 2"),
    "interrupts": ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "aborts": ("os.abort()", "it was ended by signal 6"),
    "crashes": ("ctypes.string_at(0)", "it was ended by signal 11"),
    "kills itself": ("os.kill(os.getpid(), 9)", "it ended without an answer"),
    "becomes another program": ("os.execv('/bin/echo', ['echo', 'hello'])", "it ended"),
    "prints": ("print('hello'); print('x' * 9000, flush=True)", None),
    "prints without end": ("print('x' * 200_000, flush=True)", "BlockingIOError"),
    "writes to stdout": ("os.write(1, b'{}'); os.write(2, b'oops')", None),
    "lets a program print": ("subprocess.run(['echo', '{}'])", None),
    "loops": ("while True: pass", TOO_LONG),
    "loops and swallows": (("\n    while True:\n        try:\n            time.sleep(0.01)\n"
                           "        except BaseException: pass"), TOO_LONG),
    "loops in C": ("sum(itertools.repeat(1))", TOO_LONG),
    "sleeps": ("time.sleep(600)", TOO_LONG),
    "disarms the alarm": (("signal.setitimer(signal.ITIMER_REAL, 0); signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
                          "    while True: pass"), TOO_LONG),
    "leaves a program": ("subprocess.Popen(['sleep', '600'])", None),
    "leaves programs of programs": ("subprocess.run('sleep 600 & sleep 601 &', shell=True)", None),
    "leaves a thread": ("threading.Thread(target=time.sleep, args=(600,)).start()", None),
    "forks and comes back twice": ("os.fork()", None),
    "waits for a program": ("subprocess.run(['sleep', '600'])", TOO_LONG),
    "changes the event": ("event.tool_input['command'] = 'rm'; event.tool_input.clear(); event.raw.clear()", None),
    "changes folder and environment": ("os.chdir('/'); os.environ.clear(); os.umask(0)", None),
    "closes everything": ("os.closerange(0, 256); time.sleep(600)", "it ended without an answer"),
    "recurses": ("bad_again = lambda: bad_again(); bad_again()", "RecursionError"),
    "uses all memory": ("'x' * 10**15", "MemoryError"),
    "returns a text": ("return 'deny'", "TypeError: a hook returns a decision or None, not str"),
    "rewrites with an object": ("return rewrite('r', command=object())", "TypeError: object has no JSON form"),
    "denies with a number": ("return deny(5)", "TypeError: reason must be a text, not int"),
    "permits in words of its own": ("return Decision('maybe')", "ValueError: permission must be"),
    "answers what the event cannot carry": ("return Decision('block', 'no')", "IllegalDecision"),
    "spoils the language": ("import builtins; builtins.len = None; sys.modules.clear()", "it ended its process"),
}  # fmt: skip


def with_deadline(text, failure):
    """Only a hook that hangs gets a short deadline: the others may be slow with the machine."""
    return text.replace("deadline_s=60", "deadline_s=0.5") if failure == TOO_LONG else text


class Yard:
    """The hook process, a folder of hooks, and a mark by which every process that was started here is known."""

    def __init__(self, place):
        self.place = place
        self.hook_process = place.hook_process
        self.mark = uuid.uuid4().hex
        self.state = Path(place.hook_process.home) / ".local/state/hookwright"  # as after the first event of all
        self.state.mkdir(parents=True, mode=0o700)

    def put(self, **files):
        for name, text in files.items():
            self.place.user_hook(name, text)

    def __call__(self, command="ls"):
        done = self.place.ask(bash(command, description="d").raw, HOOKWRIGHT_TEST_MARK=self.mark)
        return done, json.loads(done.stdout).get("hookSpecificOutput") if done.stdout else None

    def failure(self, hook="bad"):
        [row] = [row for row in self.place.rows() if row["hook"] == hook]
        return row.get("failure")

    def left(self):
        """Processes of this test that are still there."""
        found = []
        for path in Path("/proc").glob("[0-9]*"):
            try:
                if self.mark.encode() in (path / "environ").read_bytes() and int(path.name) != os.getpid():
                    found.append((path / "cmdline").read_bytes())
            except OSError:
                continue
        return found

    def nothing_is_left(self):
        return wait_until(lambda: self.left() == [])  # the kernel may need a moment for what was killed


@pytest.fixture
def yard(place):
    return Yard(place)


@pytest.mark.parametrize("deed", MISDEEDS)
def test_the_answer_of_the_others_arrives_whole(yard, deed):
    body, failure = MISDEEDS[deed]
    yard.put(a_good=GOOD, b_bad=with_deadline(HEAD, failure) + f"    {body}\n", c_last=GOOD.replace("good", "last"))
    done, answer = yard()
    assert (done.returncode, unexpected_lines(done.stderr)) == (0, [])
    assert answer == {
        "hookEventName": "PreToolUse",
        "additionalContext": "[hookwright good] read ls d\n[hookwright last] read ls d",
    }
    told = yard.failure()
    assert told is None if failure is None else told.startswith(failure), told
    assert yard.nothing_is_left()


ONE_HOOK = """from hookwright import PreToolUse, add_context, deny, hook, rewrite
@hook(PreToolUse, "Bash", deadline_s=60)
def bad(event):
"""
ALONE = {
    "raises": ("1 / 0", "ZeroDivisionError"),
    "exits": ("raise SystemExit(2)", "SystemExit: 2"),
    "prints": ("print('{}'); print('x' * 9000, flush=True)", None),
    "prints without end": ("print('x' * 200_000, flush=True)", "BlockingIOError"),
    "loops": ("while True: pass", TOO_LONG),
    "loops and catches": (("\n    import time\n    while True:\n        try:\n            time.sleep(0.01)\n"
                          "        except Exception: pass"), TOO_LONG),
    "changes the event": ("event.tool_input['command'] = 'rm'; event.raw.clear()", None),
    "recurses": ("again = lambda: again(); again()", "RecursionError"),
    "rewrites with an object": ("return rewrite('r', command=object())", "TypeError: object has no JSON form"),
}  # fmt: skip


@pytest.mark.parametrize("deed", ALONE)
def test_a_hook_that_is_alone_breaks_nothing_either(yard, deed):
    body, failure = ALONE[deed]
    yard.put(bad=with_deadline(ONE_HOOK, failure) + f"    {body}\n")
    done, answer = yard()
    assert (done.returncode, done.stdout, unexpected_lines(done.stderr), answer) == (0, b"", [], None)
    told = yard.failure()
    assert told is None if failure is None else told.startswith(failure), told
    record = yard.hook_process.journal[-1]
    assert (record["event"], record["tool"]) == ("PreToolUse", "Bash")


def test_what_a_hook_prints_is_in_the_record_and_nowhere_else(yard):
    yard.put(bad=ONE_HOOK + "    print('looked at', event.tool_input['command'])\n")
    yard()
    assert yard.hook_process.journal[-1]["printed"] == {"bad": "looked at ls"}
    assert "printed: looked at ls" in yard.place.run("why", yard.hook_process.journal[-1]["id"]).stdout
    yard.put(bad=HEAD + "    print('apart'); subprocess.run(['echo', 'from a program'])\n")
    yard()
    assert yard.hook_process.journal[-1]["printed"]["bad"].split("\n") == ["from a program", "apart"]


SWALLOWS = """import time
from hookwright import PreToolUse, hook
@hook(PreToolUse, "Bash", deadline_s=0.2)
def swallows(event):
    while "hang" in event.tool_input["command"]:
        try:
            time.sleep(0.01)
        except BaseException:
            pass
"""


def test_a_hook_that_swallows_every_interruption_is_killed_at_its_deadline(yard):
    yard.put(swallows=SWALLOWS)
    yard("ls")
    done, _ = yard("hang")
    assert (done.returncode, done.stdout, yard.failure("swallows")) == (0, b"", TOO_LONG)
    assert yard.nothing_is_left()


HANGS = """from hookwright import PreToolUse, hook
import itertools
@hook(PreToolUse, "Bash", deadline_s=0.5)
def hangs(event):
    if "hang" in event.tool_input["command"]:
        sum(itertools.repeat(1))
"""


def test_a_hook_that_hangs_in_c_is_killed_at_its_deadline(yard):
    yard.put(hangs=HANGS)
    yard("ls")
    done, _ = yard("hang")
    assert (done.returncode, done.stdout, yard.failure("hangs")) == (0, b"", TOO_LONG)
    assert yard.nothing_is_left()


@pytest.mark.parametrize("failure", ["ask", "closed"])
def test_a_hook_that_means_something_by_its_failure_is_never_lost(yard, failure):
    yard.put(hangs=HANGS.replace("deadline_s=0.5", f"deadline_s=0.5, failure={failure!r}"))
    _, answer = yard("hang")
    assert answer["permissionDecision"] == {"ask": "ask", "closed": "deny"}[failure]
    assert TOO_LONG in answer["permissionDecisionReason"]


def test_the_guards_own_word_is_not_lost_to_a_hook_that_hangs(yard):
    yard.put(hangs=HANGS.replace('"hang" in', '"push" in'))
    _, answer = yard("git push --force")
    assert answer["permissionDecision"] == "deny"
    assert yard.failure("hangs") == TOO_LONG


LOADING = {
    "hangs": "import time\ntime.sleep(600)\n",
    "exits": "import os\nos._exit(2)\n",
    "prints": "print('{}')\n",
    "raises": "1 / 0\n",
    "leaves": "import sys\nsys.exit(2)\n",
}


@pytest.mark.parametrize("deed", LOADING)
def test_a_file_that_misbehaves_when_it_is_loaded_costs_itself_only(yard, deed):
    yard.put(a_good=GOOD, b_bad=LOADING[deed])
    done, answer = yard()
    assert (done.returncode, done.stderr) == (0, b"")
    assert answer["additionalContext"] == "[hookwright good] read ls d"
    told = json.loads(done.stdout)["systemMessage"]
    assert "b_bad.py" in told
    assert json.loads(yard()[0].stdout).keys() == {"hookSpecificOutput"}
    assert yard.nothing_is_left()


def test_a_client_that_gives_up_leaves_no_hook_behind(yard):
    begun = yard.state / "begun"
    yard.put(slow=HEAD + f"    os.close(1)\n    os.mkdir({str(begun)!r})\n    time.sleep(600)\n")
    env = {**yard.hook_process.env, "HOOKWRIGHT_TEST_MARK": yard.mark}
    child = subprocess.Popen(yard.hook_process.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
    child.stdin.write(json.dumps(bash("ls").raw).encode())
    child.stdin.close()
    assert wait_until(begun.exists)
    child.terminate()
    child.wait(30)
    child.stdout.close()
    assert yard.nothing_is_left()


def test_a_hook_process_that_is_killed_leaves_no_hook_behind_for_long(yard):
    begun = yard.state / "begun"
    late = HEAD.replace("deadline_s=60", "deadline_s=2.0")
    yard.put(slow=late + f"    os.mkdir({str(begun)!r})\n    time.sleep(600)\n")
    env = {**yard.hook_process.env, "HOOKWRIGHT_TEST_MARK": yard.mark}
    child = subprocess.Popen(yard.hook_process.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
    child.stdin.write(json.dumps(bash("ls").raw).encode())
    child.stdin.close()
    assert wait_until(begun.exists)
    child.kill()
    child.wait(30)
    child.stdout.close()
    assert yard.nothing_is_left()


def one_hook(name, body, failure=None):
    return with_deadline(ONE_HOOK, failure).replace("def bad", f"def {name}") + f"    {body}\n"


NEIGHBOURS = {
    "fine": ("return None", None),
    "raises": ("1 / 0", "ZeroDivisionError"),
    "exits": ("raise SystemExit(2)", "SystemExit: 2"),
    "prints": ("print('{}', flush=True)", None),
    "loops": ("while True: pass", TOO_LONG),
    "hangs in C": ("import itertools\n    sum(itertools.repeat(1))", TOO_LONG),
    "changes the event": ("event.tool_input.clear(); event.raw.clear()", None),
    "returns a text": ("return 'deny'", "TypeError"),
}


@pytest.mark.parametrize("deed", NEIGHBOURS)
def test_one_hook_s_failure_does_not_affect_the_next(yard, deed):
    body, failure = NEIGHBOURS[deed]
    yard.put(
        a=one_hook("first", "return rewrite('r', command=event.tool_input['command'] + ' -l')"),
        b=one_hook("bad", body, failure),
        c=one_hook("last", "return add_context('read ' + event.tool_input['command'])"),
    )
    done, answer = yard()
    assert (done.returncode, unexpected_lines(done.stderr)) == (0, [])
    assert answer["additionalContext"] == "[hookwright last] read ls -l"
    assert answer["updatedInput"] == {"command": "ls -l", "description": "d"}
    told = yard.failure()
    assert told is None if failure is None else told.startswith(failure), told
    assert yard.nothing_is_left()


LISTENER = """from hookwright import Hook, PreToolUse, add_context
class Second(Hook):
    on = (PreToolUse, "Bash")
    def decide(self, event):
        return add_context(" ".join(f"{name}: {said.reason}" for name, said in self.world.said))
"""


def test_a_hook_reads_the_decisions_before_it(yard):
    yard.put(a=one_hook("first", "return deny('no')"), b=LISTENER)
    assert yard()[1]["additionalContext"] == "[hookwright second] first: no"
