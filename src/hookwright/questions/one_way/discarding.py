"""Throwing away work that is not committed.

Why: what was never committed is in no reflog.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "discarding"
EXAMPLES = {
    "Discard the local changes?": "ask",
    "Run git reset --hard?": "ask",
    "Start over?": "ask",
    "Revert the last commit?": "ask",
    "Which work item is next?": None,
    "Show a discard button?": None,
}
PHRASES = (
    *("reset hard", "hard reset", "git clean", "clean fd", "clean fdx", "checkout force", "stash clear"),
    *("lose changes", "lose the changes", "lose your changes", "lose my changes", "lose work", "lose your work"),
    *("start over", "undo all", "revert all", "revert everything", "roll everything back"),
)
VERBS = frozenset(
    ("discard", "discards", "discarded", "discarding", "abandon", "abandons", "scrap", "revert", "reverting", "lose")
)
NOUNS = frozenset(
    (*("change", "changes", "work", "edits", "modifications", "commit", "commits", "branch", "draft", "drafts"),
     *("files", "progress", "everything", "all", "it", "them", "uncommitted", "unsaved", "local"))
)  # fmt: skip


def check(text: Text) -> str:
    return text.phrase(PHRASES) or text.together(VERBS, NOUNS)
