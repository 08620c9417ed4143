"""The pages about memory say what is so: their examples run, and their tables name what is written."""

import json
import re
from pathlib import Path

import pytest

from hookwright.store.journal import append
from hookwright.testing.builders import bash

DOCS = Path(__file__).parent.parent.parent / "docs"


def examples(page):
    return re.findall(r"```python\n(.*?)```", (DOCS / page).read_text(), flags=re.DOTALL)


@pytest.mark.parametrize("example", examples("state.md"), ids=lambda text: text.split("\n")[0])
def test_the_examples_of_the_state_kit_run(example, tmp_path, monkeypatch):
    monkeypatch.setenv("HOOKWRIGHT_STATE_HOME", str(tmp_path))
    exec(compile(example, "docs/state.md", "exec"), {"folder": str(tmp_path)})


def test_every_field_of_a_journal_line_is_on_its_page(hook_process):
    hook_process(bash("mysql -phunter2").raw)
    hook_process({**bash("ls").raw, "hook_event_name": "PostToolUse", "tool_response": {"backgroundTaskId": "b"}})
    page = (DOCS / "ledger.md").read_text().partition("### The journal line")[2].partition("### The tables")[0]
    named = set(re.findall(r"`(\w+)`", page))
    written = {name for record in hook_process.journal for name in record}
    assert written <= named


def test_the_line_stands_between_two_newlines_as_the_page_says(tmp_path):
    append(str(tmp_path), 0.0, {"event": "Stop"}, json.dumps)
    (segment,) = (tmp_path / "journal").iterdir()
    assert segment.read_text().startswith("\n")
    assert segment.read_text().endswith("\n")


def test_the_schema_has_a_word_for_every_table():
    schema = (DOCS.parent / "src/hookwright/store/schema.sql").read_text()
    tables = re.findall(r"CREATE (?:TABLE|VIEW) (\w+)", schema)
    page = (DOCS / "ledger.md").read_text()
    internal = {"segments", "transcripts", "meta"}
    assert {name for name in tables if f"`{name}`" not in page} == internal
