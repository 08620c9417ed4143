"""Literal words are those that bash passes: drawn programs are run by bash itself, with a program that only reports.

The programs know nothing but builtins and their own functions, in an empty folder with an empty PATH.
"""

import subprocess

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hookwright.shell.command import Command, Word
from hookwright.shell.expansion import MAX_WORDS, count_for_iterations, evaluate_arithmetic, matches_glob
from tests.sizes import examples

HOME = "/home-of-test"
REPORT = 'x() { printf \'%s\\0\' "$#" "$@"; }\n'

NAMES = st.sampled_from(["A", "B", "long_name"])
TEXT = st.sampled_from(
    ["a", "b c", "", "/", "-rf", "a.b.c", "/u/v/w.tar.gz", "x=y", " lead", "trail ", "it", "5", "12"]
)
WORD = st.sampled_from([
    "a", "'b c'", '"d e"', "f\\ g", "$'t\\tx\\x41'", "{a,b}", "{1..3}", "a{b,c}d", "{a,{b,c}}", "{a}", "{}",
    'a"b"\'c\'', "~", "~/x", "\\~", '"~"', "''", '""', "{01..03}", "{c..a}", "{3..1}", "{1..9..4}", "x{,y}",
    "--a=~", "{'a b',c}", "\\{a,b}", "$((1+2*3))", "$(( (4 - 1) / 2 ))", "$((-7 % 3))", "$(echo e f)",
    '"$(echo e  f)"', "$(printf '%s-' a b)", "`echo q`", '"$(echo -n z)"', "$HOME", '"$HOME/y"', "${HOME}z",
    "$(basename_of)", "$#",
])  # fmt: skip
USES = st.sampled_from([
    "$N", '"$N"', "${N}", "${N}s", '"${N}s"', "p$N", "${N:-d}", "${N-d}", "${N:+s}", "${N+s}", "${#N}", "${N%.*}",
    "${N%%.*}", "${N#*/}", "${N##*/}", "${N/a/X}", "${N//./_}", "${N:1}", "${N:0:2}", "${N^^}", '"${N:-"q r"}"',
    "$N$N", '"$N"$N', "${N[0]}", '"${N[@]}"', "${#N[@]}",
])  # fmt: skip


@st.composite
def argument(draw):
    return draw(WORD) if draw(st.booleans()) else draw(USES).replace("N", draw(NAMES))


@st.composite
def statement(draw, depth=0):
    kind = draw(st.integers(0, 9 if depth < 2 else 4))
    name = draw(NAMES)
    arguments = " ".join(draw(st.lists(argument(), max_size=4)))
    if kind == 0:
        return f"{name}={quote(draw(TEXT))}"
    if kind == 1:
        return f"{name}={draw(argument())}"
    if kind == 2:
        return f"{name}+={quote(draw(TEXT))}"
    if kind in {3, 4}:
        return f"x {arguments}"
    body = "\n".join(draw(st.lists(statement(depth=depth + 1), min_size=1, max_size=3)))
    if kind == 5:
        return f"for {name} in {arguments}; do {body}\ndone"
    if kind == 6:
        return f'f{depth}() {{ x "$@" $1 ${{2}} $#\n{body}\n}}\nf{depth} {arguments}'
    if kind == 7:
        return f"( {body}\n)"
    if kind == 8:
        return f"{name}=({arguments})"
    return f'set -- {arguments}\nx "$@" $1 "$2"'


@st.composite
def program(draw):
    """Statements after all variables have a value; what is not set is not known to us."""
    values = [draw(TEXT) for _ in range(3)]
    lines = [f"{name}={quote(value)}" for name, value in zip(("A", "B", "long_name"), values, strict=True)]
    return "\n".join([*lines, *draw(st.lists(statement(), min_size=1, max_size=4))])


def quote(text):
    return "'" + text + "'"


def around(call):
    """All loops around a call, innermost first."""
    loop = call.loop
    while loop is not None:
        yield loop
        loop = loop.outer


def ours(text):
    """The words of each report; None when something in the program is not known to us."""
    command = Command(text)
    reports = [call for call in command.calls if call.program == "x"]
    assert command.problem is None, text
    if any(not call.literal or any(word.glob for word in call.words) for call in command.calls):
        return None
    if any(loop.count is None for call in command.calls for loop in around(call)):
        return None  # unknown turns are listed once
    return sorted(
        [word.replace("~", HOME) if word.home else str(word) for word in call.args]
        for call in reports
        for _ in range(int(call.times))
    )


def bash(programs):
    """The same from bash, each program in a shell of its own."""
    parts = [f"( PATH=; {REPORT}{text}\n) 2>/dev/null; printf 'END\\0'\n" for text in programs]
    done = subprocess.run(
        ["bash", "--norc", "--noprofile", "-c", "".join(parts)],
        capture_output=True, check=False, timeout=120, env={"HOME": HOME, "LC_ALL": "C.UTF-8"}, cwd="/",
    )  # fmt: skip
    found = []
    fields = done.stdout.decode().split("\0")[:-1]
    reports = []
    at = 0
    while at < len(fields):
        if fields[at] == "END":
            found.append(sorted(reports))
            reports = []
            at += 1
        else:
            count = int(fields[at])
            reports.append(fields[at + 1 : at + 1 + count])
            at += 1 + count
    return found


@settings(
    max_examples=examples(60), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(st.lists(program(), min_size=10, max_size=10))
def test_literal_words_are_those_that_bash_passes(programs):
    mine = [ours(text) for text in programs]
    for text, expected, found in zip(programs, bash(programs), mine, strict=True):
        if found is not None:
            assert found == expected, text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1+2*3", 7),
        ("(1+2)*3", 9),
        ("-7/2", -3),
        ("-7%2", -1),
        ("n*60", 300),
        ("${n} - $n", 0),
        ("1/0", None),
        ("x+1", None),
        ("2**3", None),
        ("1<<2", None),
        ("010", None),
        ("", None),
        ("(1", None),
        ("1 2", None),
        ("9" * 40, None),
    ],
)
def test_integer_arithmetic(text, value):
    assert evaluate_arithmetic(text, {"n": Word("5")}) == value


@pytest.mark.parametrize(
    ("head", "turns"),
    [
        ("i=0; i<10; i++", (10, False)),
        ("i=0; i<=10; i+=2", (6, False)),
        ("i=10; i>0; i=i-3", (4, False)),
        ("i=0; i<0; i++", (0, False)),
        ("i=0; i>5; i++", (None, False)),
        ("i=0; i<n; i++", (None, False)),
        ("i=0;;i++", (None, True)),
        ("x", (None, False)),
    ],
)
def test_iterations_of_a_counting_loop(head, turns):
    assert count_for_iterations(head, {}) == turns


@pytest.mark.parametrize(
    ("pattern", "text", "fits"),
    [
        ("*", "", True),
        ("a*", "abc", True),
        ("*c", "abc", True),
        ("a*b*c", "a-b-c", True),
        ("a*b*c", "acb", False),
        ("abc", "abc", True),
        ("ab", "abc", False),
        ("a*a", "a", False),
    ],
)
def test_patterns_with_stars(pattern, text, fits):
    assert matches_glob(pattern, text) is fits


def test_too_many_words_stay_as_written():
    [call] = Command(f"x {{1..{MAX_WORDS + 5}}}").calls
    assert call.args == ["{1.." + str(MAX_WORDS + 5) + "}"]
