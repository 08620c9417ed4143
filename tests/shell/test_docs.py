"""The examples in docs/shell.md run, and name what is there."""

from pathlib import Path

from hookwright.shell.command import Call, Command, Word

INTERNAL = {"doubtful", "place", "wraps", "derive_word", "is_integer", "ran", "trouble"}
PAGE = (Path(__file__).parents[2] / "docs" / "shell.md").read_text(encoding="utf-8")


def test_the_examples_run():
    blocks = PAGE.split("```python\n")[1:]
    assert blocks
    for block in blocks:
        exec(compile(block.partition("```")[0], "docs/shell.md", "exec"), {})


def test_every_public_name_is_explained():
    for kind in (Command, Call, Word):
        names = [name for name in (*vars(kind), *getattr(kind, "__slots__", ())) if not name.startswith("_")]
        missing = [name for name in names if f"`{name}" not in PAGE and name not in INTERNAL]
        assert not missing, kind
