"""The plugin works in a repository that knows nothing of ours, and costs those nothing who do not use it."""

import subprocess
import sys

import pytest

from hookwright import Hook, PreToolUse, Stop, add_context, block, deny, hook as as_hook, option
from hookwright.errors import UserError
from hookwright.testing.builders import bash, stop, tool_use, write

pytest_plugins = ["pytester"]
HOOK = '''\
"""Nothing here needs root."""

from hookwright import PreToolUse, deny, hook

EXAMPLES = {
    "sudo ls": "deny: without it",
    "ls": None,
}


@hook(PreToolUse, "Bash")
def no_sudo(event):
    if event.tool_input["command"].startswith("sudo "):
        return deny("sudo is not needed here; run the command without it")
    return None
'''
CASES = """\
=== sudo is refused
command: sudo ls
---
deny: sudo

=== then the rest passes
command: ls
---
silence
"""
TEST = """\
from hookwright.testing.builders import bash

import no_sudo


def test_with_a_fixture(hook):
    assert hook(no_sudo.no_sudo, bash("sudo ls")).verdict == "deny"
    assert hook("no_sudo.py", bash("ls")).verdict is None
"""


def run(folder, *words):
    """Pytest in a folder of somebody else's, with the package installed as it is here."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "--rootdir", ".", *words],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.fixture
def repository(pytester):
    tmp_path = pytester.path
    (tmp_path / "no_sudo.py").write_text(HOOK)
    (tmp_path / "no_sudo.case").write_text(CASES)
    (tmp_path / "test_no_sudo.py").write_text(TEST)
    (tmp_path / ".hookwright/hooks").mkdir(parents=True)
    (tmp_path / ".hookwright/hooks/no_root.py").write_text(HOOK.replace("no_sudo", "no_root"))
    (tmp_path / "foreign.case").write_text("Case 4711, Smith against Jones\n")
    return tmp_path


@pytest.mark.slow
def test_cases_examples_and_fixtures_work_in_a_users_repository(repository):
    done = run(repository, "-v")
    lines = [line.split(" PASSED")[0] for line in done.stdout.splitlines() if " PASSED" in line]
    assert (done.returncode, lines) == (
        0,
        [
            ".hookwright/hooks/no_root.py::sudo ls",
            ".hookwright/hooks/no_root.py::ls",
            "no_sudo.case::sudo is refused",
            "no_sudo.case::then the rest passes",
            "test_no_sudo.py::test_with_a_fixture",
        ],
    ), done.stdout


def test_a_failure_shows_the_difference_and_no_traceback(repository, pytester):
    (repository / "no_sudo.case").write_text(CASES.replace("deny: sudo", "ask: really?"))
    (repository / "bad.case").write_text("=== no end\n")
    done = pytester.runpytest_inprocess("--continue-on-collection-errors")
    text = done.stdout.str()
    assert done.ret == 1
    assert "- ask: really?\n+ deny: [hookwright no_sudo] sudo is not needed here" in text
    assert "at: " + str(repository / "no_sudo.case") + ":1" in text
    assert "no `---` between the event and what is expected" in text
    assert "Traceback" not in text
    done.assert_outcomes(failed=1, errors=1, passed=4)


def test_a_case_that_goes_on_can_be_run_by_itself(repository, pytester):
    pytester.runpytest_inprocess("no_sudo.case::then the rest passes").assert_outcomes(passed=1)


@pytest.mark.parametrize(
    "words", [("--ignore", ".hookwright"), ("-o", "norecursedirs=.hookwright"), ("-p", "no:hookwright")]
)
def test_who_does_not_want_our_folder_looked_into_says_so(repository, pytester, words):
    done = pytester.runpytest_inprocess("--collect-only", "-q", *words)
    assert ".hookwright/hooks" not in done.stdout.str()
    assert ("no_sudo.case" in done.stdout.str()) is (words[0] != "-p")


@pytest.mark.slow
def test_pytest_starts_without_our_engine_hooks_or_libraries(tmp_path):
    """Only what the plugin's own file needs is loaded by a run that uses none of it."""
    (tmp_path / "test_it.py").write_text(
        "import sys\n\ndef test_it():\n"
        "    ours = sorted(name for name in sys.modules if name.split('.')[0] == 'hookwright')\n"
        "    assert ours == ['hookwright', 'hookwright.testing', 'hookwright.testing.plugin']\n"
    )
    done = run(tmp_path, "-q")
    assert done.returncode == 0, done.stdout


# -- the fixture `hook` ----------------------------------------------------------------------------------------------


class Counter(Hook):
    """Remembers how often it was asked, and where."""

    on = ((PreToolUse, "Bash", "Write"), (Stop,))
    word = option("so often", help="What it says after the number.")
    size = option(3, help="A number.")

    def decide(self, event):
        import os  # noqa: PLC0415

        if event.hook_event_name == "Stop":
            return block("not yet")
        if event.tool_name == "Write":
            return deny(f"{event.tool_input['file_path']} {event.cwd} {self.world.env('TEAM')}")
        os.makedirs(self.world.state, exist_ok=True)
        with open(self.world.state + "/count", "a+") as file:
            file.write("x")
            number = file.tell()
        return add_context(f"{number} {self.word}")


def test_a_class_of_the_test_remembers_from_call_to_call(hook):
    assert hook(Counter, bash("ls")).context == "[hookwright counter] 1 so often"
    assert hook(Counter, bash("ls"), options={"word": "now"}).context == "[hookwright counter] 2 now"
    assert (hook(Counter, stop()).verdict, hook(Counter, stop()).sent["decision"]) == ("block", "block")


def test_paths_and_variables_are_the_tests_own(hook):
    said = hook(Counter, write("@/a.py"), env={"TEAM": "blue"})
    assert said.reason == f"[hookwright counter] {hook.project}/a.py {hook.project} blue"
    assert hook(Counter, write("/home/ann/shop/a.py")).reason.startswith(f"[hookwright counter] {hook.project}/a.py")


def test_files_are_there_before_the_hook_looks(hook):
    @as_hook(PreToolUse, "Read")
    def look(event):
        with open(event.tool_input["file_path"]) as file:
            return deny(file.read())

    assert "hello" in hook(look, tool_use("Read", {"file_path": "@/x/a.txt"}), files={"x/a.txt": "hello"}).reason


def test_a_hook_that_fails_or_hangs_is_told(hook):
    @as_hook(PreToolUse, failure="closed", deadline_s=60)
    def fails(event):
        raise KeyError("x")

    @as_hook(PreToolUse, failure="closed", deadline_s=0.2)
    def hangs(event):
        while True:
            pass

    for broken, words in ((fails, "KeyError: 'x'"), (hangs, "took too long")):
        said = hook(broken, bash("ls"))
        assert said.verdict == "deny"
        assert [words in failure for failure in said.failures] == [True]


def test_an_alarm_that_somebody_else_set_is_given_back(hook):
    import signal  # noqa: PLC0415

    former = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        hook("command_guard", bash("rm -rf ~"))
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
        assert 100 < signal.getitimer(signal.ITIMER_REAL)[0] <= 1000
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)


@pytest.mark.parametrize(
    ("target", "event", "options", "words"),
    [
        (Counter, bash("ls"), {"wrd": 1}, "no hook here has an option wrd; there are debug, mode, size, word"),
        (Counter, bash("ls"), {"size": "big"}, "size must be a whole number, got 'big'"),
        ("command_gard", bash("ls"), {}, "no such hook file"),
        ("command_guard", stop(), {}, "the hook listens to PreToolUse, not to Stop"),
    ],
)
def test_what_is_meant_wrongly_is_said(hook, target, event, options, words):
    with pytest.raises(UserError) as error:
        hook(target, event, options=options)
    assert words in str(error.value)
