"""The page about moving tells the truth: what it shows as new is loaded and asked, the old script is run beside it."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from hookwright.config import compiler
from hookwright.config.builtin_hooks import HOOKS
from hookwright.dispatch import answer
from hookwright.hooks.base import World
from hookwright.testing.builders import bash, tool_use

PAGE = (Path(__file__).resolve().parent.parent / "docs/migrate.md").read_text()
CODE = re.compile(r"^```(\w+)\n(.*?)^```$|^(\|[^\n]*(?:\n\|[^\n]*)*)", flags=re.MULTILINE | re.DOTALL)


def parts():
    """(kind, text) of every block of code and every table, in order."""
    for kind, code, table in CODE.findall(PAGE):
        yield (kind, code) if kind else ("table", table)


def rows(table):
    """A table as dicts, `code` without its ticks."""
    cells = [[cell.strip().strip("`") for cell in line.strip("|").split(" | ")] for line in table.splitlines()]
    return [dict(zip((name.strip() for name in cells[0]), line, strict=True)) for line in cells[2:]]


def shown():
    """Every row of a table about commands or files, with the code above it: its kind, itself, and the old script."""
    kind = code = script = ""
    for part, text in parts():
        if part == "sh":
            script = text
        elif part in ("python", "toml"):
            kind, code = part, text
        elif text.startswith(("| command |", "| file |")):
            for row in rows(text):
                yield pytest.param(kind, code, script, row, id=f"{kind}: {' '.join(row.values())}")


def verdict_of(kind, code, script, folder, payload, monkeypatch):
    """What a home with this file, or this configuration, and with the old script beside it, says."""
    monkeypatch.setenv("HOME", str(folder))
    place = folder / ".claude/hooks/no-deploy.sh"
    place.parent.mkdir(parents=True)
    place.write_text(script)
    place.chmod(0o755)
    (folder / "hooks").mkdir()
    config = folder / "config.toml"
    if kind == "toml":
        config.write_text(code)
    else:
        (folder / "hooks/mine.py").write_text(code)
    plan = compiler.compile_plan(user=str(config), project="", trust="", hooks=str(folder / "hooks"))
    assert plan["problems"] == ()
    said = answer(payload, plan, World(os.environ.get, project=str(folder), home=str(folder)))
    assert not any("failure" in row for row in said.trace), said.trace
    own = [row["verdict"] for row in said.trace if row["hook"] not in HOOKS or (kind == "toml" and "guard" in code)]
    return next((verdict for verdict in own if verdict in ("deny", "ask")), "silence")


@pytest.mark.parametrize(("kind", "code", "script", "row"), list(shown()))
def test_a_row_says_what_happens(kind, code, script, row, tmp_path, monkeypatch):
    if "command" in row:
        payload = bash(row["command"]).raw
    else:
        payload = tool_use("Write", {"file_path": str(tmp_path / row["file"]), "content": row["text"]}).raw
    assert verdict_of(kind, code, script, tmp_path, payload, monkeypatch) == row["now"]
    if "before" in row:
        assert before(script, payload) == row["before"]


def before(script, payload):
    """What the old script says, as Claude Code takes it."""
    run = subprocess.run(["sh", "-c", script], input=json.dumps(payload), capture_output=True, text=True, check=False)
    return "deny" if run.returncode == 2 else "silence"


def test_every_block_of_code_on_the_page_is_asked_something():
    kinds = [kind for kind, _ in parts() if kind in ("python", "toml")]
    asked = {code for param in shown() for code in [param.values[1]]}
    assert len(kinds) == len(asked) == 5


def test_the_verbs_that_the_page_names_exist():
    import hookwright  # noqa: PLC0415

    named = set(re.findall(r"`&? ?(\w+)\((?:reason|text|message|…|\")", PAGE.partition("| cchooks |")[2]))
    ours = {"allow", "deny", "ask", "rewrite", "block", "add_context", "stop", "system_message"}
    assert ours <= named
    assert all(callable(getattr(hookwright, name)) for name in ours)
