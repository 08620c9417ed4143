"""Giving data of people, or of the company, out of the house.

Why: copies cannot be called in again, and the law asks who allowed it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "personal-data"
EXAMPLES = {
    "Upload the customer list?": "ask",
    "Share this with an external service?": "ask",
    "Does it hold PII?": "ask",
    "Export a function or a class?": None,
}
WORDS = ("pii", "phi", "anonymize", "anonymise", "deanonymize")
VERBS = frozenset(("share", "shares", "sharing", "upload", "uploads", "uploading", "export", "exports", "exporting",
                   "send", "sends", "sending", "copy", "transfer", "sync", "expose", "sell", "disclose"))  # fmt: skip
NOUNS = frozenset(("customer", "customers", "personal", "confidential", "patient", "patients", "employee", "employees",
                   "proprietary", "sensitive", "third", "external", "externally", "partner", "partners"))  # fmt: skip


def check(text: Text) -> str:
    return text.word(WORDS) or text.together(VERBS, NOUNS)
