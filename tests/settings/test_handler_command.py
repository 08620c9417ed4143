"""What a command handler would start, as far as it can be told without starting it."""

import os

import pytest

from hookwright.settings.handler_command import LaunchContext, is_shim, read_shebang, resolve_invocation, script_of

AROUND = LaunchContext("/p", {"HOME": "/h", "PATH": "/usr/bin:/bin", "X": "/x y"}, plugin_root="/plug")


def shell(text):
    return resolve_invocation({"type": "command", "command": text}, AROUND)


# A shell text, and the words of its first simple command.
TEXTS = [
    ("echo hi", ["echo", "hi"]),
    ("FOO=1 BAR=2 ./check.sh --fast", ["./check.sh", "--fast"]),
    ("~/bin/x a", ["/h/bin/x", "a"]),
    ('"$CLAUDE_PROJECT_DIR"/hooks/x.sh', ["/p/hooks/x.sh"]),
    ("${CLAUDE_PLUGIN_ROOT}/x.sh", ["/plug/x.sh"]),
    ('"$X/run" a', ["/x y/run", "a"]),
    ("cat | jq .", ["cat"]),
    ("a && b", ["a"]),
    ("a; b", ["a"]),
    ("a > /dev/null", ["a"]),
    ("a\nb", ["a"]),
    ("env -i python3 x.py", ["python3", "x.py"]),
    ("exec node x.js", ["node", "x.js"]),
    ("if true; then x; fi", None),
    ("(a; b)", None),
    ("[ -f x ] && y", None),
    ("$(which python3) x.py", None),
    ("$UNSET/x.sh", None),
    ("'unclosed", None),
    ("", None),
]


@pytest.mark.parametrize(("text", "words"), TEXTS)
def test_the_first_simple_command_of_a_shell_text(text, words):
    found = shell(text)
    assert found.argv[:2] == ["/bin/sh", "-c"]
    assert found.words == words or (words is None and not found.words)


def test_exec_form_is_taken_word_for_word():
    handler = {"type": "command", "command": "python3", "args": ["$HOME", "${CLAUDE_PROJECT_DIR}/x.py", "a b"]}
    found = resolve_invocation(handler, AROUND)
    assert found.argv == ["python3", "$HOME", "/p/x.py", "a b"]
    assert not found.uses_shell


# An interpreter's words, and the script among them.
SCRIPTS = [
    (["python3", "x.py"], "x.py"),
    (["/usr/bin/python3.11", "-I", "-S", "x.py", "y.py"], "x.py"),
    (["python", "-W", "error", "x.py"], "x.py"),
    (["python3", "-m", "mod"], None),
    (["python3", "-c", "pass"], None),
    (["bash", "x.sh"], "x.sh"),
    (["bash", "-lc", "x.sh"], None),
    (["sh", "-e", "x.sh"], "x.sh"),
    (["node", "--require", "a", "x.js"], "x.js"),
    (["bun", "run", "x.ts"], "x.ts"),
    (["./x.sh", "y"], None),
    (["python3"], None),
]


@pytest.mark.parametrize(("words", "script"), SCRIPTS)
def test_the_script_that_an_interpreter_is_given(words, script):
    assert script_of(words) == script


def test_scripts_are_looked_for_in_the_project():
    assert shell("python3 hooks/x.py").script == "/p/hooks/x.py"


@pytest.mark.parametrize(
    ("path", "shim"),
    [
        ("/home/u/.pyenv/shims/python3", True),
        ("/home/u/.asdf/shims/node", True),
        ("/home/u/.local/share/mise/shims/ruby", True),
        ("/home/u/.volta/bin/node", True),
        ("/usr/bin/python3", False),
        ("/home/u/.pyenv/versions/3.12.1/bin/python3", False),
    ],
)
def test_shims_of_version_managers(path, shim):
    assert is_shim(path) is shim


@pytest.mark.parametrize(
    ("first", "words"),
    [
        ("#!/bin/sh\n", ["/bin/sh"]),
        ("#! /usr/bin/env python3\r\n", ["/usr/bin/env", "python3\r"]),
        ("echo\n", None),
        ("", None),
    ],
)
def test_the_first_line_of_a_script(tmp_path, first, words):
    (tmp_path / "x").write_bytes(first.encode())
    assert read_shebang(os.fspath(tmp_path / "x")) == words
