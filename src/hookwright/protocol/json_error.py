"""Word why a text is not JSON, as the client's own parser does (JavaScriptCore).

text → [describe_json_error] → `JSON Parse error: Expected '}'`
Measured messages (tests/conformance: looks-like-json-*); for what was not measured, the nearest of them.
"""

from __future__ import annotations

import re

TOKEN = re.compile(
    r'\s*(?:(?P<string>"(?:[^"\\\x00-\x1f]|\\.)*")|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<mark>[{}\[\]:,])'
    r"|(?P<name>[A-Za-z_$][\w$]*)|(?P<other>.))",
    re.DOTALL,
)
NAMED_VALUES = ("true", "false", "null")


class _Problem(Exception):
    pass


def describe_json_error(text: str) -> str:
    """The client's message for a text that is no JSON; "" for one that is."""
    tokens = [(str(found.lastgroup), found[found.lastgroup or 0]) for found in TOKEN.finditer(text.strip())]
    reader = _Reader([*tokens, ("end", "")])
    try:
        reader.read_all()
    except _Problem as problem:
        return f"JSON Parse error: {problem}"
    except RecursionError:
        return "JSON Parse error: Unable to parse JSON string"
    return ""


class _Reader:
    def __init__(self, tokens: list[tuple[str, str]]) -> None:
        self.tokens, self.at = tokens, 0

    @property
    def kind(self) -> str:
        return self.tokens[self.at][0]

    @property
    def word(self) -> str:
        return self.tokens[self.at][1]

    def read_all(self) -> None:
        self.read_value()
        if self.kind != "end":
            raise _Problem("Unable to parse JSON string")

    def read_value(self) -> None:
        kind, word = self.kind, self.word
        if kind in ("string", "number") or (kind == "name" and word in NAMED_VALUES):
            self.at += 1
        elif word == "{":
            self.read_object()
        elif word == "[":
            self.read_array()
        else:
            raise _Problem(self.describe_unexpected())

    def read_object(self) -> None:
        self.at += 1
        if self.word == "}":
            self.at += 1
            return
        first = True
        while True:
            if self.kind != "string":
                if self.word == "'":
                    raise _Problem("Single quotes (') are not allowed in JSON")
                raise _Problem("Expected '}'" if first else "Property name must be a string literal")
            self.at += 1
            if self.word != ":":
                raise _Problem("Expected ':' before value in object property definition")
            self.at += 1
            self.read_value()
            first = False
            if self.word != ",":
                break
            self.at += 1
        if self.word != "}":
            raise _Problem("Expected '}'")
        self.at += 1

    def read_array(self) -> None:
        self.at += 1
        if self.word == "]":
            self.at += 1
            return
        while True:
            self.read_value()
            if self.word != ",":
                break
            self.at += 1
        if self.word != "]":
            raise _Problem("Expected ']'")
        self.at += 1

    def describe_unexpected(self) -> str:
        kind, word = self.kind, self.word
        if kind == "end":
            return "Unexpected EOF"
        if kind == "name":
            return f'Unexpected identifier "{word}"'
        if word == "'":
            return "Single quotes (') are not allowed in JSON"
        if word == '"':
            return "Unterminated string"
        return f"Unexpected token '{word}'" if kind == "mark" else f"Unrecognized token '{word}'"
