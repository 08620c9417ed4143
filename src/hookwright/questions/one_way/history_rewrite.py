"""Rewriting commits that others may have.

Why: every clone then disagrees with the server, and merging it back brings the old commits again.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "history-rewrite"
EXAMPLES = {
    "Rewrite the git history?": "ask",
    "Rebase the published branch?": "ask",
    "Use git filter-repo?": "ask",
    "Rewrite this function?": None,
    "Squash the commits on merge?": None,
}
PHRASES = (
    *("filter branch", "filter repo", "amend the pushed", "rewrite the commits", "squash and force"),
    *("rebase main", "rebase master", "rebase onto", "reset the branch", "reset main", "reset master", "move the tag"),
)
VERBS = frozenset(("rewrite", "rewrites", "rewriting", "rewritten", "squash", "rebase", "rebasing", "amend"))
NOUNS = frozenset(("history", "pushed", "published", "shared", "public", "remote", "upstream", "origin"))


def check(text: Text) -> str:
    return text.phrase(PHRASES) or text.together(VERBS, NOUNS)
