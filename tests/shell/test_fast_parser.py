"""The fast parser gives the same calls as the grammar, or leaves the text to it."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from hookwright.shell.command import HARD, Command
from hookwright.shell.evaluator import walk
from hookwright.shell.fast_parser import MAX_CALLS, parse_plain
from hookwright.shell.project_scripts.find_script import Project
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
            [calls.index(one) for one in call.inner],
            None if call.outer is None else calls.index(call.outer),
        )
        for call in calls
    ]


def both(text, scripts=None):
    """The calls by the fast parser (None: left to the grammar), and by the grammar."""
    if not HARD.isdisjoint(text):
        return None, None
    found = parse_plain(Command(text, "/home/ann/shop", scripts=scripts))
    command = Command(text, "/home/ann/shop", scripts=scripts)
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
        "ls\t-l;\tpwd\t&&\tcd\tx\t;\n\tls >\ty",
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


MAKEFILE = """
build: generate
\tcd src && go build ./... 2>&1 | tee build.log
generate:
\t@mkdir -p out; go generate
script:
\techo hello > run.sh
clean:
\trm -rf out
quoted:
\techo "two  words"
again: ; make build
hidden:
\tsudo ls
tabs:
\tls\t-l
"""
PACKAGE = json.dumps(
    {"scripts": {"build": "tsc -p . && vite build", "test": "vitest run", "all": "npm run build; npm test"}}
)
PROJECT = Project(
    {"/home/ann/shop/Makefile": MAKEFILE, "/home/ann/shop/web/package.json": PACKAGE}.get,
    lambda folder: {"/home/ann/shop": ["Makefile", "web"], "/home/ann/shop/web": ["package.json"]}.get(folder, []),
)


@pytest.mark.parametrize(
    "text",
    [
        "make build",
        "make",
        "A=1 make clean build | tail -2; ls",
        "make unknown && ls",
        "cd web && npm run build && ls",
        "cd web; npm test; npm install; npm run nothing",
        "make tabs\tclean > log; cd web; yarn build",
        "make script; ls",
    ],
)
def test_plain_tasks_are_parsed_as_by_the_grammar(text):
    found, (expected, problem) = both(text, PROJECT)
    assert found == expected
    assert problem is None


@pytest.mark.parametrize(
    "text",
    ["make quoted", "make again", "make hidden", "make script; ./run.sh", "echo ls > x; make build; ./x", "npx tsc; ls",
     "cd web && npm run all", "cd web; npm exec tsc", "ls;" * MAX_CALLS + "make build"],
)  # fmt: skip
def test_a_task_that_is_not_surely_plain_is_left_to_the_grammar(text):
    assert parse_plain(Command(text, "/home/ann/shop", scripts=PROJECT)) is None


TASKS = st.sampled_from(
    ["make", "build", "clean", "script", "quoted", "again", "tabs", "npm", "run", "test", "all", "-C", "web", "cd", ";",
     "&&", "|", ">", "x", "run.sh", "./run.sh", "echo", "exec", "A=1"]
)  # fmt: skip


@settings(max_examples=examples(400), deadline=None)
@given(st.lists(TASKS, max_size=10))
def test_drawn_tasks_are_parsed_the_same_both_ways(words):
    found, expected = both(" ".join(words), PROJECT)
    if found is not None:
        assert found == expected[0]


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
