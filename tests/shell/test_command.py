"""The calls of a command line, and the questions that a call answers."""

import json
from pathlib import Path

import pytest

from hookwright.shell.command import Command

CORPORA = Path(__file__).parent.parent / "corpora"


def texts(command: str) -> list[str]:
    read = Command(command)
    calls = [call.text for call in read.calls]
    assert read.problem is None
    return calls


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("git status", ["git status"]),
        ("a && b || c; d & e", ["a", "b", "c", "d", "e"]),
        ("X=/; rm -rf $X", ["rm -rf /"]),
        ("for d in / /home; do rm -rf $d; done", ["rm -rf /", "rm -rf /home"]),
        ("echo {a,b}{1..3}", ["echo a1 a2 a3 b1 b2 b3"]),
        ("f() { rm -rf $1; }; f /", ["f /", "rm -rf /"]),
        ("bash -c 'rm -rf \"$1\"' _ /", ['bash -c rm -rf "$1" _ /', "rm -rf /"]),
        ("echo cm0gLXJmIC8= | base64 -d | sh", ["echo cm0gLXJmIC8=", "base64 -d", "sh", "rm -rf /"]),
        ("bash <<EOF\nrm -rf /\nEOF", ["bash", "rm -rf /"]),
        ("cat <<'EOF' > x\nrm -rf /\nEOF", ["cat"]),
        ("timeout 5m env A=1 nice -n 5 npx --yes prisma@5 migrate", ["prisma migrate"]),
        ("python -m pytest -q", ["pytest -q"]),
        ("echo / | xargs rm -rf", ["echo /", "rm -rf /"]),
        ("(cd / && rm -rf .)", ["cd /", "rm -rf ."]),
        ("git commit -m 'npm install'", ["git commit -m npm install"]),
    ],
)
def test_a_command_line_is_the_calls_it_makes(command, calls):
    assert texts(command) == calls


@pytest.mark.parametrize("corpus", ["danger_dev", "long_dev"])
def test_every_command_of_the_corpora_is_parsed(corpus):
    for line in (CORPORA / f"{corpus}.jsonl").read_text().splitlines():
        assert texts(json.loads(line)["cmd"])


@pytest.mark.parametrize(
    ("command", "flags", "given"),
    [
        ("rm -rf x", ("-f",), True),
        ("rm -fr x", ("-r", "--recursive"), True),
        ("rm --recursive x", ("-r", "--recursive"), True),
        ("rm x -f", ("-f",), True),
        ("rm -- -f", ("-f",), False),
        ("git push --force=x", ("--force",), True),
        ("git push --force-with-lease", ("-f", "--force"), False),
        ("tar -xzf a", ("-z",), True),
        ("x --no-f", ("-f",), False),
        ("x -I/a/f", ("-f",), False),
        ("x -n=5", ("-n",), True),
        ("terraform apply -auto-approve=true", ("-auto-approve",), True),
        ("x -", ("-f",), False),
        ("x", ("-f",), False),
    ],
)
def test_flags_are_found_alone_and_in_clusters(command, flags, given):
    assert Command(command).calls[0].has_flag(*flags) is given


@pytest.mark.parametrize(
    ("command", "names", "values"),
    [
        ("git -C x log", ("-C",), ["x"]),
        ("git -Cx log", ("-C",), ["x"]),
        ("npm --prefix x run y", ("--prefix", "-C"), ["x"]),
        ("npm --prefix=x run y", ("--prefix", "-C"), ["x"]),
        ("x -e a -e b --env=c", ("-e", "--env"), ["a", "b", "c"]),
        ("x -- -C y", ("-C",), []),
        ("x -C", ("-C",), []),
        ("x --prefixed y", ("--prefix",), []),
        ("x -C $Y/z", ("-C",), ["$Y/z"]),
    ],
)
def test_options_give_their_values(command, names, values):
    call = Command(command).calls[0]
    assert call.options(*names) == values
    assert call.option(*names) == (values[0] if values else None)


def test_the_value_of_an_option_knows_whether_it_is_literal():
    [call] = Command("x --dir=$Y --in=a -C$Z").calls
    assert [value.literal for value in call.options("--dir", "--in", "-C")] == [False, True, False]


@pytest.mark.parametrize(
    ("command", "verb", "operands"),
    [
        ("git -C x -c a=b push origin", "push", ["push", "origin"]),
        ("git push -u origin main", "push", ["push", "origin", "main"]),
        ("docker compose -f a.yml up -d web", "compose", ["compose", "up", "web"]),
        ("kubectl -n prod delete pod x", "delete", ["delete", "pod", "x"]),
        ("make -j test", "test", ["test"]),
        ("make -j 8 test", "test", ["test"]),
        ("make -j8 -C x test", "test", ["test"]),
        ("x -- -a b", "-a", ["-a", "b"]),
        ("x - y", "-", ["-", "y"]),
        ("ls", "", []),
        ("ls -la", "", []),
    ],
)
def test_the_verb_is_the_first_operand(command, verb, operands):
    call = Command(command).calls[0]
    assert (call.verb, call.operands()) == (verb, operands)


def test_calls_are_found_by_program_and_verb():
    command = Command("git pull; docker compose -f x up -d && docker ps | grep x; git -C y push; /usr/bin/git push")
    assert [call.text for call in command.calls_of("git", "push")] == ["git -C y push", "/usr/bin/git push"]
    assert len(command.calls_of("docker", "compose", "up")) == 1
    assert len(command.calls_of("git")) == 3
    assert command.programs == {"git", "docker", "grep"}


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "# only a comment", "X=1"])
def test_nothing_to_run_is_no_call(text):
    command = Command(text)
    assert command.calls == []
    assert command.problem is None


@pytest.mark.parametrize(
    ("text", "calls"),
    [("sleep 5 &!", [True]), ("a &| b", [True, False]), ("sleep 5 &; ls", [True, False]), ("a &! b", [True, False])],
)
def test_the_background_operators_of_zsh(text, calls):
    command = Command(text)
    assert [call.background for call in command.calls] == calls
    assert command.problem is None
