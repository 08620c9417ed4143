"""The page about questions says what is so: its commands run, its settings are settings, its log has these fields."""

import re
import shlex
from pathlib import Path

import pytest

from hookwright.config import compiler
from tests.hooks.questions.kit import question

PAGE = (Path(__file__).parents[4] / "docs/questions.md").read_text()


def blocks(kind):
    return re.findall(rf"```{kind}\n(.*?)```", PAGE, flags=re.DOTALL)


COMMANDS = [line.partition("  #")[0].strip() for block in blocks("sh") for line in block.splitlines()]


@pytest.mark.parametrize("line", COMMANDS)
def test_the_commands_of_the_page_run(questions, ask, house, line):
    house.prefer()
    words = shlex.split(line)
    assert words[:2] == ["hookwright", "questions"]
    # These two need an answer that was given, and a preference of that name.
    questions(*words[2:], code=1 if words[2] in ("undo", "forget") else 0)


@pytest.mark.parametrize("block", blocks("toml"))
def test_the_settings_of_the_page_are_settings(tmp_path, block):
    path = tmp_path / "config.toml"
    path.write_text(block)
    assert compiler.resolve_options(str(path), "", trusted=False).problems == []


def test_every_field_of_a_line_is_on_the_page(questions, ask):
    ask(question(), answers={"Which database?": "SQLite"})
    (line,) = questions.lines("log")
    named = set(re.findall(r"`(\w+)`", PAGE.partition("A line of the log")[2].partition("## ")[0]))
    assert set(line) <= named
