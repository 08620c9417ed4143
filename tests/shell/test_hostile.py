"""Hostile input: no unexpected error, no endless loop, and linear work."""

import random
import sys

import pytest
from hypothesis import given, settings, strategies as st

from hookwright.shell.command import Command
from tests.shell.mutations import TOKENS, mutated
from tests.shell.programs import PROGRAMS
from tests.sizes import examples


def ask_everything(text):
    command = Command(text)
    for call in command.calls:
        assert call.words or call.redirects
        _ = (call.literal, call.verb, call.operands(), call.timeout_s, call.stdin_text, call.times, call.under("sudo"))
        _ = (call.consumers, call.producers, call.pipeline, call.writes, call.has_flag("-f", "--x"), call.option("-C"))
        _ = [call.path(word) for word in call.words]
        _ = (repr(call), repr(command), call.args, call.is_("git", "push"), call.is_("docker", "compose", "up"))
    assert command.problem is None or command.problem.isprintable()
    return command


@settings(max_examples=examples(300), deadline=None)
@given(st.text(max_size=60))
def test_any_text_is_parsed_or_rejected(text):
    ask_everything(text)


@settings(max_examples=examples(600), deadline=None)
@given(st.lists(st.sampled_from(TOKENS), max_size=30).flatmap(lambda t: st.sampled_from([" ".join(t), "".join(t)])))
def test_any_mixture_of_shell_words_is_parsed_or_rejected(text):
    ask_everything(text)


@settings(max_examples=examples(300), deadline=None)
@given(PROGRAMS)
def test_every_program_of_the_grammar_has_its_calls(program):
    command = ask_everything(program)
    assert command.problem is None or "nested" in command.problem


def test_mutated_snippets_are_parsed_or_rejected():
    chance = random.Random(20)
    for _ in range(8000):
        ask_everything(mutated(chance))


GROWING = {
    "long word": lambda n: "a" * n,
    "long quote": lambda n: 'echo "' + "a" * n + '"',
    "expansions in a quote": lambda n: 'echo "' + "$a" * n + '"',
    "escapes": lambda n: "echo " + "\\a" * n,
    "arguments": lambda n: "echo " + "x " * n,
    "dynamic arguments": lambda n: "echo " + "$x " * n,
    "list": lambda n: " && ".join(["a"] * n),
    "pipeline": lambda n: " | ".join(["a"] * n),
    "background": lambda n: "a&" * n,
    "open substitutions": lambda n: "$(" * n,
    "open parentheses": lambda n: "(" * n,
    "open parameters": lambda n: "${a:-" * n,
    "open ifs": lambda n: "if " * n,
    "open cases": lambda n: "case x in a) " * n,
    "open quotes": lambda n: "'" + "a" * n,
    "backticks": lambda n: "echo " + "`a` " * n,
    "here-document": lambda n: "cat <<A\n" + "$x `y`\n" * n + "A",
    "here-documents": lambda n: "cat " + "<<A " * n + "\n" + "A\n" * n,
    "redirections": lambda n: "a " + ">b " * n,
    "assignments": lambda n: "a=b " * n + "c",
    "comments": lambda n: "#a\n" * n,
    "continuations": lambda n: "a \\\n" * n,
    "patterns": lambda n: "echo " + "@(a|b)" * n,
    "test": lambda n: "[[ " + "a && " * n + "b ]]",
    "arithmetic": lambda n: "((" + "(" * n + ")" * n + "))",
    "array": lambda n: "a=(" + "x " * n + ")",
    "subscripts": lambda n: "a[b[c[" * n,
    "wrappers": lambda n: "sudo " * n + "ls",
    "find": lambda n: "find . " + "-exec a {} \\; " * n,
    "folders": lambda n: "cd a;" * n + "ls",
    "functions": lambda n: "".join(f"f{i}(){{ a; }};" for i in range(n)) + "f1",
    "variables": lambda n: "".join(f"v{i}=x;" for i in range(n)) + "a $v1",
    "broken braces": lambda n: "echo " + "{a," * n,
}


def steps(text):
    """Lines of Python executed to read a text: the same on every machine, whatever else it does."""
    count = 0

    def tracer(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return tracer

    before = sys.gettrace()
    sys.settrace(tracer)
    try:
        calls = Command(text).calls
    finally:
        sys.settrace(before)
    assert calls is not None
    return count


@pytest.mark.parametrize("kind", GROWING)
def test_twice_the_text_is_about_twice_the_work(kind):
    steps(GROWING[kind](3))  # modules are loaded now
    small, large = steps(GROWING[kind](600)), steps(GROWING[kind](1200))
    assert large <= 2.3 * small + 2000


BOMBS = {
    "doubling variable": "a=aaaaaaaaaaaaaaaa;" + "a=$a$a;" * 60 + "echo $a",
    "doubling array": "a=(x x x x);" + 'a=("${a[@]}" "${a[@]}");' * 60 + 'echo "${a[@]}"',
    "loops in loops": "for a in 1 2 3 4 5 6 7 8 9; do " * 9 + "echo $a" + "; done" * 9,
    "function tree": "".join(f"f{i}(){{ f{i + 1};f{i + 1}; }};" for i in range(40)) + "f40(){ ls; };f0",
    "words tree": "".join(f'f{i}(){{ f{i + 1} "$@" "$@"; }};' for i in range(40)) + "f0 a b",
    "recursion": "f(){ f; f | f & };f",
    "eval of itself": "x='eval $x; eval $x'; eval $x",
    "braces": "echo " + "{a,b}" * 30,
    "braces in braces": "echo " + "{a,b" * 300 + "}" * 300,
    "long range": "for i in {1..1000000000}; do sleep 1; done",
    "seq": "for i in $(seq 1000000000); do sleep 1; done",
    "eval chain": "eval " * 400 + "ls",
    "shell chain": "bash -c " * 400 + "ls",
    "xargs chain": "xargs " * 400 + "ls",
    "positional": "set -- " + "a " * 3000 + ";for i do echo $@;done",
    "array of arrays": "a=(" + "x " * 3000 + ');for i in "${a[@]}";do echo "${a[@]}";done',
    "arithmetic": "x=$((" + "(" * 500 + "1" + ")" * 500 + ")); echo $x",
    "large numbers": "x=9;" + "x=$((x*x));" * 50 + "echo $x",
    "printf": "printf '%s' " + "a " * 5000 + "| sh",
    "command line of 100 kB": "echo " + "word " * 20000,
}


@pytest.mark.parametrize("kind", BOMBS)
def test_exponential_input_is_cut_short(kind):
    command = ask_everything(BOMBS[kind])
    assert len(command.calls) < 10_000
    assert sum(len(word) for call in command.calls for word in call.words) < 40_000_000
