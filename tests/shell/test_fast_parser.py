"""The fast parser gives the same calls as the grammar, or leaves the text to it."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from hookwright.shell.command import HARD, Command
from hookwright.shell.evaluator import walk
from hookwright.shell.fast_parser import parse_plain
from tests.sizes import examples

HERE = Path(__file__).parent


def describe(calls):
    """Everything that is known about each call."""
    return [
        (
            list(call.words),
            [vars(word) for word in call.words],
            call.program,
            call.joiner,
            call.cwd,
            dict(call.env),
            [(redirect.op, redirect.fd, redirect.target, redirect.text) for redirect in call.redirects],
            call.place.stage,
            [[one.text for one in stage] for stage in call.pipeline],
            (call.background, call.branch, call.depth, call.loop, call.remote, call.substitution, call.timeout_s),
            [wrapper.text for wrapper in call.wrappers],
        )
        for call in calls
    ]


def both(text):
    """The calls by the fast parser (None: left to the grammar), and by the grammar."""
    if not HARD.isdisjoint(text):
        return None, None
    found = parse_plain(Command(text, "/home/ann/shop"))
    command = Command(text, "/home/ann/shop")
    return None if found is None else describe(found), (describe(walk(command)), command.problem)


@pytest.mark.parametrize(
    "text",
    [
        "cd packages/web && NODE_ENV=production npm install --no-fund && npm run build 2>&1 | tail -20",
        "a 2>&1 | b > x 2>/dev/null && c &>y; d >>z <in",
        "A=1 B= x=y npm ci\nls\n",
        "cd a && cd b && ls; cd; ls; cd /x && ls; cd .. && ls",
        "cd /x | ls && pwd",
        "a >&2; b 3<x; c > y",
        "make -j8 && echo done;",
        "\n\nls\n\npwd\n",
    ],
)
def test_plain_lists_are_parsed_as_by_the_grammar(text):
    found, (expected, problem) = both(text)
    assert found == expected
    assert problem is None


@pytest.mark.parametrize(
    "text",
    ["a || b", "a & b", "a &", "a > ", "a && ; b", "if a; then b; fi", "sudo a; b", "cd - && a", "pushd x; a", "a |& b",
     "a << b", "> x", "x+=1 a; b", "cat <> x", "a ;; b", "a |", "; a", "time a; b"],
)  # fmt: skip
def test_a_text_that_is_not_surely_plain_is_left_to_the_grammar(text):
    assert parse_plain(Command(text)) is None


def corpora():
    return [line for path in (HERE.parent / "corpora").glob("*.jsonl") for line in path.read_text().splitlines()]


def test_all_commands_of_the_corpora_are_parsed_the_same_both_ways():
    texts = [json.loads(line)["cmd"] for line in corpora()]
    texts += [line.partition(" ")[2].strip() for line in (HERE / "durations.txt").read_text().splitlines()]
    read = 0
    for text in texts:
        found, expected = both(text)
        if found is not None:
            read += 1
            assert (found, None) == expected, text
    assert read > len(texts) // 3


WORDS = st.sampled_from(
    ["a", "b.py", "-x", "--k=v", "A=1", "2>&1", ">", ">>", "<", "x>y", "2>/dev/null", "&>", "cd", "..", "/tmp", "&&",
     ";", "|", "\n", "||", "&", "echo", "sudo", "then", "12", ":", "%", "a=b", "cd/", "=x", ">&2", "1>&2", "-"]
)  # fmt: skip


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(WORDS, max_size=12), st.sampled_from([" ", "", "  "]))
def test_drawn_lists_are_parsed_the_same_both_ways(words, space):
    found, expected = both(space.join(words))
    if found is not None:
        assert found == expected[0]
