"""A case file is read as a person reads it, and what is wrong in it has a line."""

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hookwright.errors import UserError
from hookwright.testing import cases
from hookwright.testing.cases import parse_cases

WHOLE = """\
# for all cases of this file
hook: no_push.py
env TEAM: blue

=== a forced push is denied
command: git push --force
---
deny: --force-with-lease

=== then the plain one passes
{"tool_name": "Bash",
 "tool_input": {"command": "git push"}}
cwd: @/sub
env TEAM: red
option patience: 10
now: 2030-12-31T17:00
file src/app.py:
    import os

    print(1)
file notes: one line
config:
    [command_guard]
    off = ["git-force-push"]
---
context:
    first line
    second line
...
"""


def test_a_file_is_read_with_its_head():
    first, second = parse_cases(WHOLE, "x.case")
    assert (first.title, first.line, first.is_continuation) == ("a forced push is denied", 5, False)
    assert (first.given.hooks, first.given.env) == ([("no_push.py", 2)], {"TEAM": "blue"})
    assert [(one.name, one.value, one.line) for one in first.given.fields] == [("command", "git push --force", 6)]
    assert [str(line) for line in first.expected] == ["deny: --force-with-lease"]
    assert (second.is_continuation, second.given.env, second.given.options) == (
        True,
        {"TEAM": "red"},
        {"patience": "10"},
    )
    assert second.given.payload == {"tool_name": "Bash", "tool_input": {"command": "git push"}}
    assert second.given.files == {"src/app.py": "import os\n\nprint(1)\n", "notes": "one line\n"}
    assert second.given.config == '[command_guard]\noff = ["git-force-push"]'
    assert [str(line) for line in second.expected] == ["context:\n    first line\n    second line", "..."]


@pytest.mark.parametrize(
    ("text", "line", "word"),
    [
        ("", 1, "no case in this file"),
        ("command: ls\n", 1, "no case in this file"),
        ("=== \ncommand: ls\n---\nsilence\n", 1, "needs a title"),
        ("=== a\ncommand: ls\n", 1, "no `---`"),
        ("=== a\n---\nsilence\n---\ndeny\n", 4, "more than one `---`"),
        ("=== a\ncommand: ls\n---\n\n", 3, "nothing is expected"),
        ("=== a\ncommand: ls\n---\n...\n", 3, "nothing is expected"),
        ("=== a\n{'command': 1}\n---\nsilence\n", 2, "not JSON"),
        ('=== a\n{"a":\n [1,\n}\n---\nsilence\n', 4, "not JSON"),
        ('=== a\n{"a": 1} x: 2\n---\nsilence\n', 2, "follows the payload"),
        ("=== a\ncommand ls\n---\nsilence\n", 2, "not understood"),
        ("=== a\n    indented\n---\nsilence\n", 2, "indented line"),
        ("=== a\nfile: x\n---\nsilence\n", 2, "which file?"),
        ("=== a\nfiles x: y\n---\nsilence\n", 2, "did you mean `file`?"),
        ("=== a\nnow: friday\n---\nsilence\n", 2, "now must be a time"),
        ("=== a\n---\nsilent\n", 3, "did you mean silence?"),
        ("=== a\n---\ndeny.reason: x\n", 3, "deny has no parts"),
        ("=== a\n---\nupdated_input: x\n", 3, "must be JSON"),
        ("=== a\n---\nanswer: [1]\n", 3, "must be a JSON object"),
        ("=== a\n---\nexit: two\n", 3, "exit is a number"),
        ("=== a\n---\nupdated_input\n", 3, "needs a value"),
        ("=== then it goes on\n---\nsilence\n", 1, "none before it"),
    ],
)
def test_what_is_wrong_has_a_line(text, line, word):
    with pytest.raises(UserError) as error:
        parse_cases(text, "x.case")
    assert word in error.value.what
    assert (error.value.where, bool(error.value.fix)) == (f"x.case:{line}", True)


PIECES = (
    "=== a title",
    "=== then more",
    "---",
    "...",
    "command: ls",
    "config:",
    "    indented",
    '{"a": 1}',
    "{",
    "file x: y",
)
MORE = (
    "",
    "#",
    ":",
    "env A: b",
    "now: 2030-01-01",
    "hook: x",
    "deny: no",
    "silence",
    "updated_input.a: 1",
    "answer: {}",
    "\t",
    "\0",
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.one_of(st.sampled_from(PIECES + MORE), st.text(max_size=20)), max_size=12))
def test_any_text_is_read_or_refused_with_a_line(lines):
    text = "\n".join(lines)
    where, found = "x.case:1", []
    try:
        found = parse_cases(text, "x.case")
    except UserError as error:
        where = error.where
    file, _, line = where.rpartition(":")
    assert (file, 1 <= int(line) <= text.count("\n") + 1) == ("x.case", True)
    assert all(case.title and case.expected for case in found)


def test_a_file_that_is_no_text_says_so(tmp_path):
    (tmp_path / "x.case").write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="cannot be read"):
        cases.read_cases(str(tmp_path / "x.case"))
