"""What an author imports from `hookwright` is there, and reads a command as a shell would."""

import subprocess
import sys

import pytest

import hookwright
from hookwright import api, calls, command_of
from hookwright.testing.builders import bash, tool_use


@pytest.mark.parametrize("word", api.WORDS)
def test_every_word_of_an_author_is_importable(word):
    found = getattr(hookwright, word)
    assert (found.__name__, found.__module__) == (word, f"hookwright.{api.WORDS[word]}")


def test_a_word_that_does_not_exist_is_an_attribute_error():
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
