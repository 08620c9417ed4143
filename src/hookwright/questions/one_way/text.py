"""What a question says, as words and phrases that rules can look for.

question → [Text] → rules
Wide on purpose: `dropTable`, `DROP TABLE`, `drop-table` and a word with a hidden space in it are all the same.
"""

from __future__ import annotations

from hookwright.questions.text import folded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Text:
    """The parts of a question (its text, header, labels, descriptions), each as a run of words."""

    __slots__ = ("parts", "whole", "words")

    def __init__(self, parts: Iterable[str]) -> None:
        spelled = [_spelled(part) for part in parts]
        self.parts = [f" {' '.join(part.split())} " for part in spelled]
        self.whole = "\n".join(self.parts)
        self.words = frozenset(self.whole.split())

    def without(self, phrases: Iterable[str]) -> Text:
        """The same text, where these phrases are not said: "drag and drop" drops nothing."""
        if not any(f" {phrase} " in self.whole for phrase in phrases):
            return self
        parts = self.parts
        for phrase in phrases:
            parts = [part.replace(f" {phrase} ", " · ") for part in parts]
        return Text(parts)

    def word(self, words: Iterable[str]) -> str:
        """The first of these words that is said; "" if none is."""
        for word in words:
            if word in self.words:
                return word
        return ""

    def phrase(self, phrases: Iterable[str]) -> str:
        """The first of these runs of words that is said."""
        for phrase in phrases:
            if f" {phrase} " in self.whole:
                return phrase
        return ""

    def fragment(self, fragments: Iterable[str]) -> str:
        """The first of these that occurs anywhere, for languages that do not part their words."""
        if self.whole.isascii():
            return ""
        for fragment in fragments:
            if fragment in self.whole:
                return fragment
        return ""

    def together(self, verbs: frozenset[str], nouns: frozenset[str]) -> str:
        """A verb and a noun that one part says both."""
        if verbs.isdisjoint(self.words) or nouns.isdisjoint(self.words):
            return ""
        for part in self.parts:
            words = part.split()
            verb = next((word for word in words if word in verbs), "")
            noun = next((word for word in words if word in nouns and word != verb), "")
            if verb and noun:
                return f"{verb} … {noun}"
        return ""


def _spelled(text: str) -> str:
    """Lower case, every run of letters and digits a word, `dropTable` two."""
    made: list[str] = []
    before = ""
    for character in text:
        if character.isupper() and before.islower():
            made.append(" ")
        made.append(character)
        before = character
    plain = folded("".join(made)).replace("'", "").replace("\u2019", "")
    return "".join([character if character.isalnum() else " " for character in plain])
