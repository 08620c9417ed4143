"""Patterns of files mean what people expect from ignore files."""

import pytest

from hookwright.hooks.file_patterns import matches_patterns


@pytest.mark.parametrize(
    ("patterns", "path", "meant"),
    [
        ((), "anything", True),
        (("*.py",), "a.py", True),
        (("*.py",), "deep/in/a.py", True),
        (("*.py",), "a.pyc", False),
        (("/setup.py",), "setup.py", True),
        (("/setup.py",), "sub/setup.py", False),
        (("src/**/*.ts",), "src/a.ts", True),
        (("src/**/*.ts",), "src/x/y/a.ts", True),
        (("src/*.ts",), "src/x/a.ts", False),
        (("src/**",), "src/x/a", True),
        (("docs/",), "docs/x/a.md", True),
        (("docs/",), "docs", False),
        (("*.{js,ts}",), "a.ts", True),
        (("*.{js,ts}",), "a.css", False),
        (("*.py", "!*_pb2.py"), "a_pb2.py", False),
        (("!*.md",), "a.py", True),
        (("!*.md",), "a.md", False),
        (("a?.[ch]",), "ab.c", True),
        (("[!a]*",), "b", True),
        (("[!a]*",), "a", False),
        (("we(ird+.py",), "we(ird+.py", True),
        (("./a.py",), "a.py", True),
    ],
)
def test_a_pattern_list_selects_the_paths_that_match(patterns, path, meant):
    assert matches_patterns(patterns, path) == meant
