"""Says itself that there is no way back.

Why: who writes "cannot be undone" into a question has already judged it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "irreversible"
EXAMPLES = {
    "Go on? This cannot be undone.": "ask",
    "Apply it? (irreversible)": "ask",
    "Is a breaking change acceptable?": "ask",
    "Use one-way data binding?": None,
    "Which colour?": None,
    "Soll das endgültig sein?": "ask",
}
HARMLESS = ("one way binding", "one way data", "one way sync", "one way flow", "permanent link", "permanent redirect")
WORDS = (
    *("irreversible", "irreversibly", "irrevocable", "irrevocably", "unrecoverable", "irrecoverable", "destructive"),
    *("permanent", "permanently", "undoable", "nonreversible"),
    *("unwiderruflich", "endgültig", "irréversible", "définitivement", "irreversibel", "необратимо", "безвозвратно"),
)
PHRASES = (
    *("cannot be undone", "can not be undone", "cant be undone", "not be undone", "no undo", "hard to undo"),
    *("cannot be reversed", "can not be reversed", "cant be reversed", "not reversible", "hard to reverse"),
    *("cannot be recovered", "can not be recovered", "cant be recovered", "cannot be restored", "no way back"),
    *("no going back", "point of no return", "one way", "no backup", "no rollback", "data loss", "lose data"),
    *("lose the data", "breaking change", "breaking changes", "for good", "nicht rückgängig", "sin vuelta atrás"),
)
FRAGMENTS = ("不可逆", "无法撤销", "無法復原", "取り消せ", "元に戻せ", "되돌릴 수 없")


def check(text: Text) -> str:
    text = text.without(HARMLESS)
    return text.word(WORDS) or text.phrase(PHRASES) or text.fragment(FRAGMENTS)
