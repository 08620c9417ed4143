"""Compile read_only.toml and git_read_only.toml into the tables that the approve hook loads, and into its page.

python scripts/generate_read_only.py [--check]
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "src/hookwright/hooks/approve"
SOURCES = {"PROGRAMS": FOLDER / "read_only.toml", "GIT": FOLDER / "git_read_only.toml"}
TABLE = FOLDER / "read_only_table.py"
PAGE = ROOT / "docs/hooks/approve_programs.md"
TABLE_HEAD = '''"""What only reads. Made by scripts/generate_read_only.py from the TOML files beside it; do not edit.

Row: flags, options with a value, options with a path, kind of operands, check, options that give the pattern, and
whether `-20` is a number and any flag is harmless.
"""

# fmt: off
# ruff: noqa: E501, Q000  generated lines
'''
PAGE_HEAD = """<!-- made by scripts/generate_read_only.py; change read_only.toml and run `make docs` -->

# What approve knows
Programs that only read, as long as every option is one of these. An option that is missing here is not approved: you
are asked, as without the hook. The last column shows calls that are never approved: why options are listed at all.
"""
COLUMNS = ("flags", "values", "files", "operands", "check", "pattern_by", "digits", "any_flag")


def read_rows(path: Path) -> dict[str, dict[str, Any]]:
    rows: dict[str, dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))
    return {
        name: {**rows[row["same_as"]], "unsafe": row.get("unsafe", ())} if "same_as" in row else row
        for name, row in rows.items()
    }


def format_table(tables: dict[str, dict[str, dict[str, Any]]]) -> str:
    text = TABLE_HEAD
    for name, rows in tables.items():
        lines = [
            f"    {program!r}: ({', '.join(format_cell(row, column) for column in COLUMNS)}),\n"
            for program, row in rows.items()
        ]
        text += f"{name} = {{\n{''.join(lines)}}}\n"
    return text


def format_cell(row: dict[str, Any], column: str) -> str:
    value = row.get(column, "")
    if column in ("flags", "values", "files", "pattern_by"):
        return repr(f" {value} ")  # looked up as text: a set of so many names takes longer to load
    return repr(bool(value)) if column in ("digits", "any_flag") else repr(value)


def format_page(tables: dict[str, dict[str, dict[str, Any]]]) -> str:
    text = PAGE_HEAD
    for title, rows in zip(("Programs", "Git"), tables.values(), strict=True):
        text += f"\n## {title}\n| | options | never approved |\n|---|---|---|\n"
        for program, row in rows.items():
            options = " ".join(row.get(column, "") for column in ("flags", "values", "files")).strip()
            shown = f"`{options}`" if options else "looked at one by one" if row.get("check") else "none"
            unsafe = " · ".join("`" + one.replace("|", "\\|") + "`" for one in row.get("unsafe", ()))
            text += f"| `{program}` | {shown} | {unsafe} |\n"
    return text


def main() -> int:
    tables = {name: read_rows(path) for name, path in SOURCES.items()}
    status = 0
    for path, text in ((TABLE, format_table(tables)), (PAGE, format_page(tables))):
        if "--check" not in sys.argv:
            path.write_text(text, "utf-8")
        elif not path.exists() or path.read_text("utf-8") != text:
            print(f"{path.relative_to(ROOT)} differs: make docs")
            status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
