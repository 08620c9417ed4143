"""Makes docs/one_way_doors.md from the rules in src/hookwright/questions/one_way/.

python scripts/generate_one_way.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from hookwright.questions.one_way import RULES

PAGE = Path(__file__).resolve().parent.parent / "docs/one_way_doors.md"
HEAD = """<!-- made by scripts/generate_one_way.py; change the rules and run `make docs` -->

# One-way doors
Questions that are always asked, whatever you have [decided](questions.md). The rules look at the question, its header,
its options and their descriptions, as words and not as letters: `dropTable`, `DROP TABLE` and a word with a hidden
space are the same. Wrongly asking costs a keystroke, wrongly answering may cost the work, so a word that can be meant
either way counts as the door. Add words of your own with `one_way` in `[questions]`.
"""


def section(rule: Any) -> str:
    title, _, why = rule.__doc__.strip().partition("\n\n")
    asked = [text for text, verdict in rule.EXAMPLES.items() if verdict]
    free = [text for text, verdict in rule.EXAMPLES.items() if not verdict]
    return (
        f"\n## {rule.ID}\n{title} {why}\n\n"
        f"- asked: {' · '.join(map(shown, asked))}\n- not this door: {' · '.join(map(shown, free))}\n"
    )


def shown(text: str) -> str:
    """An example, with what cannot be seen made visible."""
    seen = "".join(c if c.isprintable() else f"[U+{ord(c):04X}]" for c in text)
    return f"“{seen}”"


def main() -> int:
    text = HEAD + "".join(map(section, RULES))
    if PAGE.exists() and PAGE.read_text() == text:
        return 0
    if "--check" in sys.argv:
        print("docs/one_way_doors.md differs from the rules; try: make docs", file=sys.stderr)
        return 1
    PAGE.write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
