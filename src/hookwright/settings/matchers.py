"""Matchers: whether the client can read one. A regular expression it cannot read never matches, in silence.

matcher text → [trouble] → what is wrong, or None
A small reader of JavaScript's expressions (without the `u` flag), since Python's own differ: `(?P<n>…)` and `(?i)`
are fine here and dead there.
"""

from __future__ import annotations

import re

NAMES = re.compile(r"[A-Za-z0-9_\-,| ]*")
QUANTIFIER = re.compile(r"[*+?]\??|\{(\d+)(?:,(\d*))?\}\??")
GROUP_NAME = re.compile(r"[A-Za-z_$][\w$]*")
GROUP_OPENINGS = re.compile(r"\?(?::|=|!|<=|<!|[ims]*-?[ims]*:|<([^>]*)>)")


def matches_all(matcher: str | None) -> bool:
    return matcher in (None, "", "*")


def names(matcher: str | None) -> frozenset[str] | None:
    """The exact names in a matcher; None if it matches by expression, or everything."""
    if matcher is None or matches_all(matcher) or NAMES.fullmatch(matcher) is None:
        return None
    return frozenset(name for name in (part.strip() for part in re.split(r"[|,]", matcher)) if name)


def may_overlap(one: str | None, other: str | None) -> bool:
    """Whether both may fire for one call. Expressions are given the benefit of the doubt."""
    first, second = names(one), names(other)
    return first is None or second is None or bool(first & second)


def trouble(matcher: str | None) -> str | None:
    """Why the client cannot use this matcher as an expression."""
    if matches_all(matcher) or matcher is None or NAMES.fullmatch(matcher):
        return None
    try:
        _Reader(matcher).expression()
    except _BrokenError as problem:
        return str(problem)
    return None


class _BrokenError(Exception):
    pass


class _Reader:
    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.depth = 0

    def expression(self) -> None:
        while self.at < len(self.text):
            self.term()
        if self.depth:
            raise _BrokenError("a ( is not closed")

    def term(self) -> None:
        char = self.text[self.at]
        if char in "*+?" or (char == "{" and QUANTIFIER.match(self.text, self.at)):
            raise _BrokenError(f"nothing to repeat before {char}")
        if char == "(":
            self.group()
        elif char == ")":
            self.close()
        elif char == "[":
            self.bracket()
            self.quantifier()
        elif char == "\\":
            is_edge = self.text[self.at + 1 : self.at + 2] in ("b", "B")
            self.escape()
            if not is_edge:
                self.quantifier()
        else:
            self.at += 1
            if char not in "|^$":
                self.quantifier()

    def group(self) -> None:
        self.at += 1
        self.depth += 1
        if self.text[self.at : self.at + 1] != "?":
            return
        opening = GROUP_OPENINGS.match(self.text, self.at)
        if opening is None:
            raise _BrokenError(f"({self.text[self.at : self.at + 3]} is not known to JavaScript")
        if opening[1] is not None and GROUP_NAME.fullmatch(opening[1]) is None:
            raise _BrokenError(f"<{opening[1]}> is no group name")
        self.at = opening.end()

    def close(self) -> None:
        if not self.depth:
            raise _BrokenError("a ) without its (")
        self.depth -= 1
        self.at += 1
        self.quantifier()

    def quantifier(self) -> None:
        found = QUANTIFIER.match(self.text, self.at)
        if found is None:
            return
        if found[2] and int(found[1]) > int(found[2]):
            raise _BrokenError(f"{found[0]} counts backwards")
        self.at = found.end()

    def bracket(self) -> None:
        """`[…]`: closed, and no range that runs backwards."""
        self.at += 1
        if self.text[self.at : self.at + 1] == "^":
            self.at += 1
        while self.at < len(self.text) and self.text[self.at] != "]":
            low = self.atom()
            if self.text[self.at : self.at + 1] == "-" and self.text[self.at + 1 : self.at + 2] not in ("]", ""):
                self.at += 1
                high = self.atom()
                if low is not None and high is not None and low > high:
                    raise _BrokenError(f"[{low}-{high}] runs backwards")
        if self.at >= len(self.text):
            raise _BrokenError("a [ is not closed")
        self.at += 1

    def atom(self) -> str | None:
        """One member of a bracket; None for a class of characters, which takes part in no range."""
        char = self.text[self.at]
        if char != "\\":
            self.at += 1
            return char
        start = self.at
        self.escape()
        escaped = self.text[start + 1]
        return None if escaped.isalnum() else escaped

    def escape(self) -> None:
        if self.at + 1 >= len(self.text):
            raise _BrokenError("a \\ at the end")
        self.at += 2
