"""Matchers of the client: read, checked, and compiled to something that is cheap to evaluate.

matcher text → [compile_matcher] → (field, kind, wanted) → protocol/event_matcher.py
matcher text → [why_invalid] → what is wrong with it, or None
A list of names is compared exactly; anything else is a JavaScript expression, unanchored. Measured on the client: one
that it cannot parse never matches, silently. So there is a small parser of JavaScript's expressions (without the `u`
flag) here, since Python's own differ: `(?P<n>…)` and `(?i)` are valid in Python only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from hookwright.protocol.catalogue import load_protocol
from hookwright.settings.js_regex import translate_regex

if TYPE_CHECKING:
    from hookwright.protocol.event_matcher import CompiledMatcher

NAMES = re.compile(r"[A-Za-z0-9_\-,| ]*")
NARROW_EVENTS = frozenset(("FileChanged", "StopFailure"))  # a comma, hyphen or space makes an expression there
NARROW_NAMES = re.compile(r"[A-Za-z0-9_|]*")
PLAIN_TEXT = re.compile(r"[A-Za-z0-9_-]+")
QUANTIFIER = re.compile(r"[*+?]\??|\{(\d+)(?:,(\d*))?\}\??")
GROUP_NAME = re.compile(r"[A-Za-z_$][\w$]*")
GROUP_OPENINGS = re.compile(r"\?(?::|=|!|<=|<!|[ims]*-?[ims]*:|<([^>]*)>)")


def matches_all(matcher: str | None) -> bool:
    return matcher in (None, "", "*")


def exact_names(matcher: str | None) -> frozenset[str] | None:
    """The exact names in a matcher; None if it matches by expression, or everything."""
    if matcher is None or matches_all(matcher) or NAMES.fullmatch(matcher) is None:
        return None
    return frozenset(name for name in (part.strip() for part in re.split(r"[|,]", matcher)) if name)


def field_of(event: str) -> str | None:
    """The key of the payload that a matcher of this event looks at; None: the event has no matcher."""
    written = load_protocol()["events"][event]["matcher_field"]
    found = re.match(r"\w+", written) if written is not None else None
    return found[0] if found else None


@lru_cache(maxsize=256)
def compile_matcher(event: str, matcher: str | None) -> CompiledMatcher | None:
    """What `protocol/event_matcher.py` evaluates; None: every event of this name passes."""
    field = field_of(event)
    if field is None or matcher is None or matches_all(matcher):
        return None
    names = exact_names(matcher)
    if names is not None and (event not in NARROW_EVENTS or NARROW_NAMES.fullmatch(matcher)):
        return field, "is", tuple(sorted(names))
    return field, *_compile_expression(matcher)


def _compile_expression(text: str) -> tuple[str, str]:
    """An expression that is a plain text, with or without anchors, needs no regex engine."""
    starts, ends = text.startswith("^"), text.endswith("$") and not text.endswith("\\$")
    inner = text[starts : len(text) - ends]
    if inner.startswith(".*"):
        starts, inner = False, inner[2:]
    if inner.endswith(".*"):
        ends, inner = False, inner[:-2]
    if PLAIN_TEXT.fullmatch(inner):
        kind = {(True, True): "is", (True, False): "starts", (False, True): "ends", (False, False): "has"}
        return kind[starts, ends], inner
    translated = translate_regex(text)
    try:
        re.compile(translated, re.ASCII)
    except (re.error, OverflowError, RecursionError):  # Python has no such thing: a lookbehind of any width
        return "never", text
    return "re", translated


def may_overlap(one: str | None, other: str | None) -> bool:
    """Whether both may fire for one call; True where an expression makes that unknown."""
    first, second = exact_names(one), exact_names(other)
    return first is None or second is None or bool(first & second)


def why_invalid(matcher: str | None) -> str | None:
    """Why the client cannot use this matcher as an expression."""
    if matches_all(matcher) or matcher is None or NAMES.fullmatch(matcher):
        return None
    try:
        _RegexParser(matcher).parse_expression()
    except _InvalidRegexError as problem:
        return str(problem)
    return None


class _InvalidRegexError(Exception):
    pass


class _RegexParser:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.depth = 0

    def parse_expression(self) -> None:
        while self.at < len(self.text):
            self.parse_term()
        if self.depth:
            raise _InvalidRegexError("a ( is not closed")

    def parse_term(self) -> None:
        char = self.text[self.at]
        if char in "*+?" or (char == "{" and QUANTIFIER.match(self.text, self.at)):
            raise _InvalidRegexError(f"nothing to repeat before {char}")
        if char == "(":
            self.open_group()
        elif char == ")":
            self.close_group()
        elif char == "[":
            self.parse_bracket()
            self.skip_quantifier()
        elif char == "\\":
            is_edge = self.text[self.at + 1 : self.at + 2] in ("b", "B")
            self.skip_escape()
            if not is_edge:
                self.skip_quantifier()
        else:
            self.at += 1
            if char not in "|^$":
                self.skip_quantifier()

    def open_group(self) -> None:
        self.at += 1
        self.depth += 1
        if self.text[self.at : self.at + 1] != "?":
            return
        opening = GROUP_OPENINGS.match(self.text, self.at)
        if opening is None:
            raise _InvalidRegexError(f"({self.text[self.at : self.at + 3]} is not known to JavaScript")
        if opening[1] is not None and GROUP_NAME.fullmatch(opening[1]) is None:
            raise _InvalidRegexError(f"<{opening[1]}> is no group name")
        self.at = opening.end()

    def close_group(self) -> None:
        if not self.depth:
            raise _InvalidRegexError("a ) without its (")
        self.depth -= 1
        self.at += 1
        self.skip_quantifier()

    def skip_quantifier(self) -> None:
        found = QUANTIFIER.match(self.text, self.at)
        if found is None:
            return
        if found[2] and int(found[1]) > int(found[2]):
            raise _InvalidRegexError(f"{found[0]} counts backwards")
        self.at = found.end()

    def parse_bracket(self) -> None:
        """`[…]`: closed, and no range that runs backwards."""
        self.at += 1
        if self.text[self.at : self.at + 1] == "^":
            self.at += 1
        while self.at < len(self.text) and self.text[self.at] != "]":
            low = self.parse_atom()
            if self.text[self.at : self.at + 1] == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self.parse_atom()
                if low is not None and high is not None and low > high:
                    raise _InvalidRegexError(f"[{low}-{high}] runs backwards")
        if self.at >= len(self.text):
            raise _InvalidRegexError("a [ is not closed")
        self.at += 1

    def parse_atom(self) -> str | None:
        """One member of a bracket; None for a class of characters, which takes part in no range."""
        char = self.text[self.at]
        if char != "\\":
            self.at += 1
            return char
        start = self.at
        self.skip_escape()
        escaped = self.text[start + 1]
        return None if escaped.isalnum() else escaped

    def skip_escape(self) -> None:
        if self.at + 1 >= len(self.text):
            raise _InvalidRegexError("a \\ at the end")
        self.at += 2
