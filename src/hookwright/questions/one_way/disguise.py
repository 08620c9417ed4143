"""A word that mixes alphabets, so that it looks like another one.

Why: with a Cyrillic letter in "delete" no list of words would know it, and no person writes it by accident.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "disguise"
EXAMPLES = {
    "D\u0435lete it?": "ask",
    "\u0412\u044b\u0431\u0440\u0430\u0442\u044c SQLite?": None,
    "Which \u03b1 for the blend?": None,
    "Which caf\u00e9?": None,
}


def check(text: Text) -> str:
    if text.whole.isascii():
        return ""
    for word in text.words:
        if not word.isascii() and any("a" <= c <= "z" for c in word) and any("\u0370" <= c <= "\u058f" for c in word):
            return word
    return ""
