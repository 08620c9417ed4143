"""Pushing or merging into what others build on, closing what others wrote.

Why: from that moment it is in their work, in the build, and in everybody's mail.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "shared-branch"
EXAMPLES = {
    "Merge into main now?": "ask",
    "Push the branch?": "ask",
    "Should I commit and push?": "ask",
    "Open a pull request?": "ask",
    "Merge the PR?": "ask",
    "How should the two lists be merged?": None,
    "Use push notifications?": None,
}
PHRASES = (
    *("push to main", "push to master", "push to origin", "push to remote", "push to upstream", "push to github"),
    *("push directly to", "push it to", "push now", "push the branch", "push the commits", "push my changes"),
    *("push the changes", "push changes", "commit and push", "push and merge", "git push"),
    *("merge it now", "merge now", "auto merge", "merge queue", "close the issue", "close the pr", "close issues"),
    *("close the pull request", "open a pull request", "open the pull request", "create a pull request"),
    *("create the pull request", "open a pr", "create a pr", "submit the pr", "submit the pull request"),
)
VERBS = frozenset(("merge", "merging", "land", "push", "pushing"))
NOUNS = frozenset(("main", "master", "trunk", "production", "release", "pr", "prs", "upstream", "origin", "remote"))


def check(text: Text) -> str:
    return text.phrase(PHRASES) or text.together(VERBS, NOUNS)
