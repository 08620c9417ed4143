"""Legal matters: licences, terms, consent, rights.

Why: it binds the user, and nobody else may sign.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "legal"
EXAMPLES = {
    "Which licence?": "ask",
    "Accept the terms of service?": "ask",
    "Is GDPR a concern?": "ask",
    "Which API contract style?": None,
}
WORDS = (
    *("legal", "legally", "license", "licenses", "licence", "licences", "licensing", "relicense", "gdpr", "dsgvo"),
    *("hipaa", "compliance", "copyright", "trademark", "patent", "patents", "consent", "nda", "lawsuit", "liability"),
    *("attorney", "lawyer", "regulatory", "lizenz", "rechtlich", "licencia", "licenza", "лицензия"),
)
PHRASES = (
    *("terms of service", "terms of use", "privacy policy", "accept the terms", "agree to the terms", "sign the"),
    *("the agreement", "sign a contract", "legal hold", "data processing"),
)
FRAGMENTS = ("许可证", "授權", "法律", "ライセンス", "라이선스")


def check(text: Text) -> str:
    return text.word(WORDS) or text.phrase(PHRASES) or text.fragment(FRAGMENTS)
