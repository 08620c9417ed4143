"""Normalize texts for comparison, so that texts that look the same to a reader are equal.

question, header, label → [normalize_text, label_key] → one spelling
Hot: plain string methods; `unicodedata` is loaded for non-ASCII texts only.
"""

from __future__ import annotations

MARKER = "-qid:"
RECOMMENDED = "(recommended)"

_ID = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/-")
_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-")
_LONGEST_ID = 64


def normalize_text(text: str) -> str:
    """The text without markers, in lower case, with normalized spacing and Unicode form."""
    return " ".join(fold_case(remove_markers(text)).split())


def fold_case(text: str) -> str:
    if not text.isascii():
        from unicodedata import category, normalize  # noqa: PLC0415  non-ASCII texts only

        # Invisible characters (zero-width spaces, soft hyphens) must not make a difference.
        text = "".join(c for c in normalize("NFKC", text) if category(c) != "Cf")
    return text.casefold()


def strip_recommended(label: str) -> str:
    """A label without its "(recommended)"."""
    label = label.strip()
    if label.lower().endswith(RECOMMENDED):
        return label[: -len(RECOMMENDED)].rstrip()
    return label


def label_key(label: str) -> str:
    """The key of an option: two labels with the same key are the same option to a reader."""
    return normalize_text(strip_recommended(label))


def is_id(text: str) -> bool:
    """True if the text can be the id in a marker."""
    return 0 < len(text) <= _LONGEST_ID and _ID.issuperset(text)


def find_markers(text: str) -> list[str]:
    """The ids of markers such as `<hookwright-qid:ship-target>`, in text order."""
    return [found for _, _, found in _marker_spans(text)]


def remove_markers(text: str) -> str:
    for start, end, _ in reversed(_marker_spans(text)):
        text = text[:start] + " " + text[end:]
    return text


def _marker_spans(text: str) -> list[tuple[int, int, str]]:
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


def clip_text(text: str, most: int) -> str:
    """The text as one line of at most `most` characters."""
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"
