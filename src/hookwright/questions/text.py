"""How words are compared: what a reader would call the same text is the same here.

question, header, label → [this] → one spelling
Hot: plain string methods; `unicodedata` only for texts beyond ASCII.
"""

from __future__ import annotations

MARKER = "-qid:"
RECOMMENDED = "(recommended)"

_ID = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_LONGEST_ID = 64


def normal(text: str) -> str:
    """The text without markers, case, and differences of spacing or of Unicode form."""
    return " ".join(folded(without_markers(text)).split())


def folded(text: str) -> str:
    if not text.isascii():
        from unicodedata import category, normalize  # noqa: PLC0415  texts beyond ASCII only

        # Characters that nobody sees (zero-width spaces, soft hyphens) must not make two texts of one.
        text = "".join(c for c in normalize("NFKC", text) if category(c) != "Cf")
    return text.casefold()


def bare(label: str) -> str:
    """A label without its "(recommended)"."""
    label = label.strip()
    if label.lower().endswith(RECOMMENDED):
        return label[: -len(RECOMMENDED)].rstrip()
    return label


def key(label: str) -> str:
    """What identifies an option: two labels with one key are one option to a reader."""
    return normal(bare(label))


def is_id(text: str) -> bool:
    """Can a marker hold it?"""
    return 0 < len(text) <= _LONGEST_ID and _ID.issuperset(text)


def markers(text: str) -> list[str]:
    """The ids in `<hookwright-qid:ship-target>`, in the order of the text."""
    return [found for _, _, found in _spans(text)]


def without_markers(text: str) -> str:
    for start, end, _ in reversed(_spans(text)):
        text = text[:start] + " " + text[end:]
    return text


def _spans(text: str) -> list[tuple[int, int, str]]:
    found: list[tuple[int, int, str]] = []
    at = text.find(MARKER)
    while at >= 0:
        start = text.rfind("<", 0, at)
        end = text.find(">", at)
        name, identity = text[start + 1 : at], text[at + len(MARKER) : end]
        if start >= 0 and end >= 0 and name and _NAME.issuperset(name) and is_id(identity):
            found.append((start, end + 1, identity))
        at = text.find(MARKER, at + 1)
    return found


def clipped(text: str, most: int) -> str:
    """The text for a line of a message or a record."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
