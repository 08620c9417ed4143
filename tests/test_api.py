"""What an author imports from `hookwright` is there, and reads a command as a shell would."""

import subprocess
import sys

import pytest

import hookwright
from hookwright import api, calls, command_of, version
from hookwright.protocol.events import FAMILY
from hookwright.testing.builders import bash, tool_use


@pytest.mark.parametrize("name", api.MODULES)
def test_every_public_name_is_importable(name):
    found = getattr(hookwright, name)
    if name != "REQUIRED":  # a text
        assert (found.__name__, found.__module__) == (name, f"hookwright.{api.MODULES[name]}")


def test_the_package_lists_its_public_names():
    assert {*api.MODULES, *FAMILY} == set(hookwright.__all__)
    assert {*hookwright.__all__, "__version__", "__doc__"} <= set(dir(hookwright))
    names: dict = {}
    exec("from hookwright import *", names)
    assert set(hookwright.__all__) <= set(names)


def test_the_package_knows_its_version():
    assert hookwright.__version__ == version.__version__


AUTHOR = """
import hookwright
from hookwright import Decision, Event, Hook, PostToolUse, PreToolUse, Stop, calls, deny, hook, option

VERSION: str = hookwright.__version__


@hook(PreToolUse, "Bash")
def no_force(event: PreToolUse) -> Decision | None:
    \"\"\"No forced pushes.\"\"\"
    forced = any(call.has_flag("--force") for call in calls(event, "git", "push"))
    return deny(f"push to a new branch, {event.tool_name}") if forced else None


@hook((PreToolUse, "Write", "Edit"), (Stop,), failure="closed", order=1)
def listens_twice(event: Event) -> Decision | None:
    return None


@hook("PostToolUse", "Bash")
def by_name(event: PostToolUse) -> Decision | None:
    return None


@hook
def by_annotation(event: Stop) -> Decision | None:
    return None


DECIDED: Decision | None = no_force(PreToolUse({}))


class Limits(Hook):
    on = (PreToolUse, "Bash")
    most: int = option(3, help="At most.")

    def decide(self, event: PreToolUse) -> Decision | None:
        self.log_debug(event.tool_use_id)
        self.aside("the former name")
        if self.world.env.get("CI") or self.world.env["CI"] or self.world.env("CI"):
            return None
        return deny("too many") if len(self.world.said) > self.most else None
"""
WRONG = """
from hookwright import Decision, PreToolUse, Stop, hook


@hook(PreToolUse, "Bash")
def returns_a_text(event: PreToolUse) -> str:
    return event.tool_name


event_name = PreToolUse({}).tool_nmae


@hook(PreToolUse)
def returns_a_number(event: PreToolUse) -> int:
    return 1


@hook(42)
def listens_to_a_number(event: PreToolUse) -> Decision | None:
    return None


@hook(PreToolUse, failure="close")
def has_no_such_failure(event: PreToolUse) -> Decision | None:
    return None


@hook(PreToolUse)
def takes_another_event(event: Stop) -> Decision | None:
    return None


@hook(Stop)
def takes_anything(event):
    return None
"""


@pytest.mark.slow
def test_the_hooks_of_an_author_pass_a_strict_type_checker_and_mistakes_do_not(tmp_path):
    (tmp_path / "right.py").write_text(AUTHOR)
    (tmp_path / "wrong.py").write_text(WRONG)
    argv = [sys.executable, "-m", "mypy", "--strict", "--config-file=", f"--cache-dir={tmp_path}/cache"]
    done = subprocess.run(
        [*argv, "--no-error-summary", "right.py", "wrong.py"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    lines = [line for line in done.stdout.splitlines() if ": error: " in line]
    wrong = WRONG.splitlines()
    begin = [wrong[int(line.split(":")[1]) - 1] for line in lines if line.startswith("wrong.py:")]
    assert len(begin) == len(lines), done.stdout + done.stderr
    for mistake in (
        '@hook(PreToolUse, "Bash")',
        "event_name =",
        "@hook(PreToolUse)",
        "@hook(42)",
        "failure=",
        "def takes_any",
    ):
        assert any(mistake in line for line in begin), (mistake, done.stdout)
    assert sum(line == "@hook(PreToolUse)" for line in begin) == 2, done.stdout


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'dney'"):
        hookwright.dney  # noqa: B018


@pytest.mark.parametrize(
    ("command", "found"),
    [
        ("git push --force", ["git push --force"]),
        ("cd /srv && sudo timeout 5m git -C app push", ["git -C app push"]),
        ("bash -c 'git push origin'", ["git push origin"]),
        ("echo 'git push'", []),
        ("git commit -m 'git push'", []),
    ],
)
def test_calls_are_what_runs_and_not_what_is_written(command, found):
    assert [call.text for call in calls(bash(command), "git", "push")] == found


def test_without_a_program_all_calls_are_given():
    assert [call.program for call in calls(bash("npm ci && npm test | tail"))] == ["npm", "npm", "tail"]


def test_a_call_knows_its_folder():
    [call] = calls(bash("cd web && npm ci", cwd="/home/ann/shop"), "npm")
    assert call.cwd == "/home/ann/shop/web"


def test_what_cannot_be_read_is_said():
    assert command_of(bash("echo 'open")).problem
    assert command_of(bash("echo closed")).problem is None


@pytest.mark.parametrize("tool_input", [{}, {"command": None}, {"file_path": "/x"}])
def test_a_tool_without_a_command_runs_nothing(tool_input):
    assert list(calls(tool_use("mcp__desk__write", tool_input))) == []


def test_the_reader_is_loaded_when_it_is_asked_and_not_before():
    code = "import sys; from hookwright import PreToolUse, calls, deny, hook; print('hookwright.shell' in sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout == "False\n"
