"""Pushing by force.

Why: commits of other people leave the branch, and the server's reflog is out of reach.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "force-push"
EXAMPLES = {
    "Force-push the branch?": "ask",
    "Run git push --force?": "ask",
    "git push -f?": "ask",
    "Push the button twice?": None,
}
PHRASES = (
    *("force push", "force pushes", "force pushed", "force pushing", "push force", "push f", "forced push"),
    *("push with force", "force with lease", "push mirror", "push by force"),
)


def check(text: Text) -> str:
    return text.phrase(PHRASES)
