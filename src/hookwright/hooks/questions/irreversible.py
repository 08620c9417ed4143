"""Recognise irreversible questions: only the user may answer them, whatever a preference says.

question → [find_irreversible] → id of the first rule that matches and the words it matched, or None
The rules are data (irreversible.toml, compiled into irreversible_table.py); this module is their only interpreter.
Matching is broad on purpose: a wrong match costs a keystroke, a missed one may cost the user's work. So `dropTable`,
`DROP TABLE`, `drop-table` and a word with a hidden space in it are all the same.
"""

from __future__ import annotations

from hookwright.hooks.questions.irreversible_table import RULES
from hookwright.hooks.questions.normalize import fold_case

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from hookwright.hooks.questions.question import Question

    Words = tuple[str, ...]
    Match = tuple[str, str]  # id of the rule, words that it matched

USER_WORDS = "your-words"  # rule id of the words that the user's configuration adds


def find_irreversible(question: Question, own_words: Iterable[str] = ()) -> Match | None:
    """The first rule that matches any part of this question, and the words it matched."""
    parts = (question.text, question.header, *question.labels, *question.descriptions)
    return match_text(QuestionText(parts), own_words)


def match_text(text: QuestionText, own_words: Iterable[str] = ()) -> Match | None:
    for rule in RULES:
        found = match_rule(rule, text)
        if found:
            return rule[0], found
    for words in own_words:
        wanted = QuestionText((words,)).parts[0]
        if wanted.strip() and wanted in text.whole:
            return USER_WORDS, words
    return None


def match_rule(
    rule: tuple[str, str, Words, Words, Words, Words, tuple[tuple[Words, Words], ...], tuple[tuple[Words, Words], ...]],
    text: QuestionText,
) -> str:
    """The words by which one row of the table matches; "" if it does not."""
    _, code, harmless, words, phrases, fragments, pairs, together = rule
    if code:
        return CODE[code](text)
    if harmless:
        text = text.without_phrases(harmless)
    found = text.find_word(words) or text.find_phrase(phrases) or text.find_fragment(fragments)
    for verbs, nouns in pairs:
        found = found or text.find_pair(verbs, nouns)
    for some_phrases, some_words in together:
        found = found or (text.find_phrase(some_phrases) if text.find_word(some_words) else "")
    return found


def explain_match(match: Match) -> str:
    """For the user: which rule matched, and by which words."""
    rule, words = match
    return f"an irreversible question ({rule.replace('-', ' ')}: \u201c{words}\u201d)"


class QuestionText:
    """The parts of a question (its text, header, labels, descriptions), each as a run of words."""

    __slots__ = ("parts", "whole", "words")

    def __init__(self, parts: Iterable[str]) -> None:
        self.parts = [f" {' '.join(_split_words(part))} " for part in parts]
        self.whole = "\n".join(self.parts)
        self.words = frozenset(self.whole.split())

    def without_phrases(self, phrases: Words) -> QuestionText:
        """The same text with these phrases removed: "drag and drop" drops nothing."""
        if not self.find_phrase(phrases):
            return self
        parts = self.parts
        for phrase in phrases:
            parts = [part.replace(f" {phrase} ", " · ") for part in parts]
        return QuestionText(parts)

    def find_word(self, words: Words) -> str:
        """The first of these words that occurs; "" if none does."""
        for word in words:
            if word in self.words:
                return word
        return ""

    def find_phrase(self, phrases: Words) -> str:
        """The first of these runs of words that occurs."""
        for phrase in phrases:
            if f" {phrase} " in self.whole:
                return phrase
        return ""

    def find_fragment(self, fragments: Words) -> str:
        """The first of these that occurs anywhere, for languages that do not separate words."""
        if self.whole.isascii():
            return ""
        for fragment in fragments:
            if fragment in self.whole:
                return fragment
        return ""

    def find_pair(self, verbs: Words, nouns: Words) -> str:
        """A verb and a noun that occur in the same part."""
        if self.words.isdisjoint(verbs) or self.words.isdisjoint(nouns):
            return ""
        for part in self.parts:
            words = part.split()
            verb = next((word for word in words if word in verbs), "")
            noun = next((word for word in words if word in nouns and word != verb), "")
            if verb and noun:
                return f"{verb} … {noun}"
        return ""


def _split_words(text: str) -> list[str]:
    """Every run of letters and digits in lower case; `dropTable` is two words."""
    spaced: list[str] = []
    before = ""
    for character in text:
        if character.isupper() and before.islower():
            spaced.append(" ")
        spaced.append(character)
        before = character
    folded = fold_case("".join(spaced)).replace("'", "").replace("\u2019", "")
    return "".join([character if character.isalnum() else " " for character in folded]).split()


def find_mixed_alphabets(text: QuestionText) -> str:
    """A word with both Latin and Greek, Cyrillic or Armenian letters."""
    if text.whole.isascii():
        return ""
    for word in text.words:
        if not word.isascii() and any("a" <= c <= "z" for c in word) and any("\u0370" <= c <= "\u058f" for c in word):
            return word
    return ""


CODE = {"find_mixed_alphabets": find_mixed_alphabets}
