"""JSON text with places: what stands in a settings file, and where.

bytes → [read] → Document → rules, edit
Takes exactly what Claude Code takes: plain JSON, a byte order mark, UTF-16, any bytes inside strings, the last of
two equal keys. The rest is refused by name, with line and column. Every byte comes back as it was.
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
    """The client cannot parse this file either; it goes on without it."""

    def __init__(self, problem: str, document: Document, position: int, language: str = "JSON") -> None:
        self.problem = problem
        self.line, self.column = document.place(position)
        super().__init__(
            f"not valid {language}: {problem}",
            where=f"{document.path}:{self.line}:{self.column}",
            fix="mend it in an editor; Claude Code ignores it until then, and hookwright leaves the file alone",
        )


class Node:
    """One value in the text. Its children are found when asked for, since most of a file is not about hooks."""

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
        """All members of an object in their order, shadowed ones included."""
        if self._members is None:
            self._members = self._read_members()
        return self._members

    def elements(self) -> list[Node]:
        if self._elements is None:
            self._elements = self._read_elements()
        return self._elements

    def get(self, key: str) -> Node | None:
        """The member that counts: the last of that name."""
        return next((m.node for m in reversed(self.members()) if m.key == key), None)

    def _read_members(self) -> list[Member]:
        found: list[Member] = []
        at = _skip(self.text, self.start + 1)
        while self.text[at] != "}":
            key, colon = DECODER.raw_decode(self.text, at)
            begin = _skip(self.text, _skip(self.text, colon) + 1)
            node = Node(self.text, begin, DECODER.raw_decode(self.text, begin)[1])
            found.append(Member(key, at, colon, node))
            at = self._next(node.end)
        return found

    def _read_elements(self) -> list[Node]:
        found: list[Node] = []
        at = _skip(self.text, self.start + 1)
        while self.text[at] != "]":
            node = Node(self.text, at, DECODER.raw_decode(self.text, at)[1])
            found.append(node)
            at = self._next(node.end)
        return found

    def _next(self, at: int) -> int:
        at = _skip(self.text, at)
        return _skip(self.text, at + 1) if self.text[at] == "," else at


@dataclass(frozen=True, slots=True)
class Member:
    """`"key": value` in an object; `start` and `key_end` are the key's own span."""

    key: str
    start: int
    key_end: int
    node: Node

    @property
    def end(self) -> int:
        return self.node.end


@dataclass(frozen=True)
class Document:
    """A file's text between its bytes and its values. `root` is None for a file without any value."""

    path: str
    text: str
    mark: bytes = b""
    encoding: str = "utf-8"
    size: int = 0

    @cached_property
    def root(self) -> Node | None:
        start = _skip(self.text, 0)
        if start == len(self.text):
            return None
        return Node(self.text, start, len(self.text.rstrip(" \t\n\r")))

    @property
    def data(self) -> Any:
        """The values as the client has them."""
        return {} if self.root is None else self.root.value

    def encoded(self, text: str) -> bytes:
        """Text in the file's own encoding, byte order mark included."""
        errors = "surrogateescape" if self.encoding == "utf-8" else "surrogatepass"
        return self.mark + text.encode(self.encoding, errors)

    def place(self, position: int) -> tuple[int, int]:
        """Line and column, both counted from one."""
        line = bisect_right(self._line_starts, position)
        return line, position - self._line_starts[line - 1] + 1

    def where(self, position: int) -> str:
        return f"{self.path}:{self.place(position)[0]}"

    @cached_property
    def _line_starts(self) -> list[int]:
        return [0, *(found.end() for found in LINE_END.finditer(self.text))]


def read(raw: bytes, path: str) -> Document:
    """The document in these bytes, or UnreadableError where the client would not parse them."""
    document = _decoded(raw, path)
    if document.root is not None:
        _parse(document)
    return document


def _decoded(raw: bytes, path: str) -> Document:
    if raw.startswith(UTF16_MARK):
        try:
            text = raw[2:].decode("utf-16-le", "surrogatepass")
        except UnicodeDecodeError as problem:
            raise UnreadableError("the UTF-16 text ends in half a character", Document(path, ""), 0) from problem
        return Document(path, text, UTF16_MARK, "utf-16-le", len(raw))
    mark = UTF8_MARK if raw.startswith(UTF8_MARK) else b""
    # A byte that is not UTF-8 is a replacement character to the client; escaped, it survives our edit.
    return Document(path, raw[len(mark) :].decode("utf-8", "surrogateescape"), mark, "utf-8", len(raw))


def _parse(document: Document) -> None:
    text = document.text
    assert document.root is not None
    try:
        end = DECODER.raw_decode(text, document.root.start)[1]
    except json.JSONDecodeError as problem:
        raise UnreadableError(*_named(text, problem.pos, problem.msg, document)) from None
    except _ConstantError as problem:
        raise UnreadableError(f"{problem} is not a JSON number", document, _find_constant(text, str(problem))) from None
    except RecursionError:
        raise UnreadableError("nested too deeply to be read safely", document, document.root.start) from None
    except ValueError as problem:  # an integer of thousands of digits
        raise UnreadableError(str(problem), document, document.root.start) from None
    if end != document.root.end:
        after = _skip(text, end)
        what = "a comment, which Claude Code does not accept here" if text[after] == "/" else "text after the end"
        raise UnreadableError(what, document, after)


def _named(text: str, position: int, message: str, document: Document) -> tuple[str, Document, int]:
    """What a person would call the problem, and the character that is it."""
    at = _skip(text, position)
    if at == len(text):
        return "the text ends too early", document, at
    before = text[:at].rstrip(" \t\n\r")
    if text.startswith(("//", "/*", "#"), at):
        return "a comment, which Claude Code does not accept here", document, at
    if text[at] in "}]" and before.endswith(","):
        return "a comma after the last entry", document, len(before) - 1
    if text[at] == "," and text[at + 1 :].lstrip(" \t\n\r")[:1] in ("}", "]"):
        return "a comma after the last entry", document, at
    if text[at] in "'`":
        return "text in single quotes; JSON knows double quotes only", document, at
    if "control character" in message:
        return "a line break or tab inside a text; write \\n or \\t", document, position
    if "delimiter" in message and before.endswith(('"', "}", "]")) and text[at] in '"{[':
        return "a missing comma", document, len(before)
    return message[0].lower() + message[1:], document, at


class _ConstantError(ValueError):
    """NaN or Infinity: Python's reader would take them, the client's does not."""


def _refuse_constant(name: str) -> NoReturn:
    raise _ConstantError(name)


def _find_constant(text: str, name: str) -> int:
    """The first place of the word outside of strings."""
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|' + re.escape(name), text, re.DOTALL):
        if found.group() == name:
            return found.start()
    return 0


def _skip(text: str, at: int) -> int:
    found = SPACE.match(text, at)
    assert found is not None
    return found.end()


DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
