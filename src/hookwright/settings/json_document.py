"""JSON text with positions: the values of a settings file, and where each one is.

bytes → [read_document] → Document → client_validation, edit
Accepts exactly what Claude Code accepts: plain JSON, a byte order mark, UTF-16, any bytes inside strings, the last of
two equal keys. Everything else is refused with the problem's name, line and column. Encoding the text again gives the
original bytes.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NoReturn

from hookwright.errors import UserError

SPACE = re.compile(r"[ \t\n\r]*")
LINE_END = re.compile(r"\r\n|\n|\r")
UTF8_MARK, UTF16_MARK = b"\xef\xbb\xbf", b"\xff\xfe"


class UnreadableError(UserError):
    """The file cannot be parsed; the client cannot parse it either and ignores it."""

    def __init__(self, problem: str, document: Document, position: int, language: str = "JSON") -> None:
        self.problem = problem
        self.line, self.column = document.line_and_column(position)
        super().__init__(
            f"not valid {language}: {problem}",
            where=f"{document.path}:{self.line}:{self.column}",
            fix="fix it in an editor; until then Claude Code ignores the file, and hookwright does not touch it",
        )


class Node:
    """One value in the text. Children are parsed on demand, since most of a file is not about hooks."""

    __slots__ = ("_elements", "_members", "end", "start", "text")

    def __init__(self, text: str, start: int, end: int) -> None:
        self.text, self.start, self.end = text, start, end
        self._members: list[Member] | None = None
        self._elements: list[Node] | None = None

    @property
    def source(self) -> str:
        return self.text[self.start : self.end]

    @property
    def value(self) -> Any:
        return DECODER.raw_decode(self.text, self.start)[0]

    @property
    def is_object(self) -> bool:
        return self.text[self.start] == "{"

    @property
    def is_array(self) -> bool:
        return self.text[self.start] == "["

    def members(self) -> list[Member]:
        """All members of an object in order, including those that a later duplicate overrides."""
        if self._members is None:
            self._members = self._read_members()
        return self._members

    def elements(self) -> list[Node]:
        if self._elements is None:
            self._elements = self._read_elements()
        return self._elements

    def get(self, key: str) -> Node | None:
        """The effective member: the last one with this key."""
        return next((m.node for m in reversed(self.members()) if m.key == key), None)

    def _read_members(self) -> list[Member]:
        found: list[Member] = []
        at = _skip_space(self.text, self.start + 1)
        while self.text[at] != "}":
            key, colon = DECODER.raw_decode(self.text, at)
            begin = _skip_space(self.text, _skip_space(self.text, colon) + 1)
            node = Node(self.text, begin, DECODER.raw_decode(self.text, begin)[1])
            found.append(Member(key, at, colon, node))
            at = self._skip_comma(node.end)
        return found

    def _read_elements(self) -> list[Node]:
        found: list[Node] = []
        at = _skip_space(self.text, self.start + 1)
        while self.text[at] != "]":
            node = Node(self.text, at, DECODER.raw_decode(self.text, at)[1])
            found.append(node)
            at = self._skip_comma(node.end)
        return found

    def _skip_comma(self, at: int) -> int:
        at = _skip_space(self.text, at)
        return _skip_space(self.text, at + 1) if self.text[at] == "," else at


@dataclass(frozen=True, slots=True)
class Member:
    """`"key": value` in an object; `start` and `key_end` are the span of the key."""

    key: str
    start: int
    key_end: int
    node: Node

    @property
    def end(self) -> int:
        return self.node.end


@dataclass(frozen=True)
class Document:
    """A decoded file. `root` is None for a file without any value."""

    path: str
    text: str
    mark: bytes = b""
    encoding: str = "utf-8"
    size: int = 0

    @cached_property
    def root(self) -> Node | None:
        start = _skip_space(self.text, 0)
        if start == len(self.text):
            return None
        return Node(self.text, start, len(self.text.rstrip(" \t\n\r")))

    @property
    def data(self) -> Any:
        """The parsed values; an empty file is an empty object, as for the client."""
        return {} if self.root is None else self.root.value

    def encode_text(self, text: str) -> bytes:
        """Encode text as the file is encoded, including the byte order mark."""
        errors = "surrogateescape" if self.encoding == "utf-8" else "surrogatepass"
        return self.mark + text.encode(self.encoding, errors)

    def line_and_column(self, position: int) -> tuple[int, int]:
        """Line and column, both starting at 1."""
        line = bisect_right(self._line_starts, position)
        return line, position - self._line_starts[line - 1] + 1

    def where(self, position: int) -> str:
        return f"{self.path}:{self.line_and_column(position)[0]}"

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in LINE_END.finditer(self.text))]


def read_document(raw: bytes, path: str) -> Document:
    """Decode and parse; raises UnreadableError where the client would not parse the file."""
    document = _decode_document(raw, path)
    if document.root is not None:
        _check_syntax(document)
    return document


def _decode_document(raw: bytes, path: str) -> Document:
    if raw.startswith(UTF16_MARK):
        try:
            text = raw[2:].decode("utf-16-le", "surrogatepass")
        except UnicodeDecodeError as problem:
            raise UnreadableError("the UTF-16 text ends in half a character", Document(path, ""), 0) from problem
        return Document(path, text, UTF16_MARK, "utf-16-le", len(raw))
    mark = UTF8_MARK if raw.startswith(UTF8_MARK) else b""
    # The client decodes an invalid UTF-8 byte as a replacement character; surrogateescape preserves it through edits.
    return Document(path, raw[len(mark) :].decode("utf-8", "surrogateescape"), mark, "utf-8", len(raw))


def _check_syntax(document: Document) -> None:
    text = document.text
    assert document.root is not None
    try:
        end = DECODER.raw_decode(text, document.root.start)[1]
    except json.JSONDecodeError as problem:
        raise UnreadableError(*_name_problem(text, problem.pos, problem.msg, document)) from None
    except _ConstantError as problem:
        raise UnreadableError(f"{problem} is not a JSON number", document, _find_constant(text, str(problem))) from None
    except RecursionError:
        raise UnreadableError("nested too deeply to be read safely", document, document.root.start) from None
    except ValueError as problem:  # an integer of thousands of digits
        raise UnreadableError(str(problem), document, document.root.start) from None
    if end != document.root.end:
        after = _skip_space(text, end)
        what = "a comment, which Claude Code does not accept here" if text[after] == "/" else "text after the end"
        raise UnreadableError(what, document, after)


def _name_problem(text: str, position: int, message: str, document: Document) -> tuple[str, Document, int]:
    """Name the problem as a person would, and find the character that causes it."""
    at = _skip_space(text, position)
    if at == len(text):
        return "the file ends too early", document, at
    before = text[:at].rstrip(" \t\n\r")
    if text.startswith(("//", "/*", "#"), at):
        return "a comment, which Claude Code does not accept here", document, at
    if text[at] in "}]" and before.endswith(","):
        return "a comma after the last entry", document, len(before) - 1
    if text[at] == "," and text[at + 1 :].lstrip(" \t\n\r")[:1] in ("}", "]"):
        return "a comma after the last entry", document, at
    if text[at] in "'`":
        return "a string in single quotes; JSON has double quotes only", document, at
    if "control character" in message:
        return "a line break or tab inside a string; write \\n or \\t", document, position
    if "delimiter" in message and before.endswith(('"', "}", "]")) and text[at] in '"{[':
        return "a missing comma", document, len(before)
    return message[0].lower() + message[1:], document, at


class _ConstantError(ValueError):
    """NaN or Infinity: Python's json module accepts them, the client does not."""


def _refuse_constant(name: str) -> NoReturn:
    raise _ConstantError(name)


def _find_constant(text: str, name: str) -> int:
    """The first occurrence of the constant outside of strings."""
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|' + re.escape(name), text, re.DOTALL):
        if found.group() == name:
            return found.start()
    return 0


def _skip_space(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    assert found is not None
    return found.end()


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
