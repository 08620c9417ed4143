"""Dropping a table, a column, a database, a stash, support for something.

Why: a dropped table takes its rows along, and a dropped platform its users.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "drop"
EXAMPLES = {
    "Drop the users table?": "ask",
    "DROP TABLE and start over?": "ask",
    "Call dropTable now?": "ask",
    "Should we drop Python 3.9?": "ask",
    "Use a drop-in replacement?": None,
    "Which dropdown component?": None,
    "Add drag and drop?": None,
}
HARMLESS = (
    *("drop in", "drop down", "drop downs", "drag and drop", "drag n drop", "drop shadow", "drop shadows", "drop cap"),
    *("drop zone", "drag drop", "drop target", "air drop", "drops in"),
)
WORDS = ("drop", "drops", "dropped", "dropping", "dropdb")


def check(text: Text) -> str:
    return text.without(HARMLESS).word(WORDS)
