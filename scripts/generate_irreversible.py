"""Compile irreversible.toml into the table that the questions hook loads, and into its page of the docs.

python scripts/generate_irreversible.py [--check]
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RULES = ROOT / "src/hookwright/hooks/questions/irreversible.toml"
TABLE = RULES.with_name("irreversible_table.py")
PAGE = ROOT / "docs/irreversible_questions.md"
TABLE_HEAD = '''"""Irreversible questions. Made by scripts/generate_irreversible.py from irreversible.toml; do not edit.

Row: id, code, harmless, words, phrases, fragments, pairs of (verbs, nouns), pairs of (phrases, words).
A module of constants: loading it costs one unmarshal, and the hook process needs no TOML parser.
"""

# fmt: off
# ruff: noqa: E501, Q000  generated lines
'''
PAGE_HEAD = """<!-- made by scripts/generate_irreversible.py; change irreversible.toml and run `make docs` -->

# Irreversible questions
These questions are always asked, whatever you have [decided](questions.md). The rules look at the question, its header,
its options and their descriptions, word by word: `dropTable`, `DROP TABLE` and a word with a hidden space in it are the
same. Asking once too often costs a keystroke, answering wrongly may cost the work, so an ambiguous word counts. Add
your own words with `one_way` in `[questions]`.
"""


def read_rules() -> list[dict[str, Any]]:
    rules: list[dict[str, Any]] = tomllib.loads(RULES.read_text("utf-8"))["rule"]
    return rules


def split_list(text: str) -> tuple[str, ...]:
    return tuple(" ".join(item.split()) for item in text.split(",")) if text else ()


def format_table(rules: list[dict[str, Any]]) -> str:
    return TABLE_HEAD + "RULES = (\n" + "".join(map(format_row, rules)) + ")\n"


def format_row(rule: dict[str, Any]) -> str:
    lists = [split_list(rule.get(name, "")) for name in ("harmless", "words", "phrases", "fragments")]
    pairs = tuple((split_list(one["verbs"]), split_list(one["nouns"])) for one in rule.get("pairs", ()))
    together = tuple((split_list(one["phrases"]), split_list(one["words"])) for one in rule.get("together", ()))
    columns = (rule["id"], rule.get("code", ""), *lists, pairs, together)
    return "    (\n" + "".join(f"        {column!r},\n" for column in columns) + "    ),\n"


def format_page(rules: list[dict[str, Any]]) -> str:
    return PAGE_HEAD + "".join(
        f"\n## {rule['id']}\n{rule['about']} Why: {rule['why']}\n\n"
        f"- asked: {' · '.join(map(quote_example, rule['asked']))}\n"
        f"- not matched: {' · '.join(map(quote_example, rule['not_asked']))}\n"
        for rule in rules
    )


def quote_example(text: str) -> str:
    """An example, with invisible characters made visible."""
    seen = "".join(c if c.isprintable() else f"[U+{ord(c):04X}]" for c in text)
    return f"“{seen}”"


def main() -> int:
    status = 0
    rules = read_rules()
    for path, text in ((TABLE, format_table(rules)), (PAGE, format_page(rules))):
        if path.exists() and path.read_text("utf-8") == text:
            continue
        if "--check" in sys.argv:
            print(f"{path.relative_to(ROOT)} differs from irreversible.toml; try: make docs", file=sys.stderr)
            status = 1
        else:
            path.write_text(text, "utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
