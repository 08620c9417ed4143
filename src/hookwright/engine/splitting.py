"""A command as the client's `if` rules see it: split into simple commands, or beyond what they can split.

command → [split] → Split(texts, sight)
Not what the command does (that is `shell`'s), but how far the client looks: measured command by command
(tests/conformance/cases/if*.json). What it cannot see through, every rule with an argument fits.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hookwright.shell.command import Word
from hookwright.shell.reader import Reader
from hookwright.shell.words import END, Unreadable

KNOWN = frozenset(("HOME",))
DECLARING = frozenset(("declare", "export", "local", "readonly", "typeset"))
# An escaped blank, or a line that goes on within a word.
STRANGE_ESCAPE = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|(?P<blank>\\[ \t]|(?<=[^\s\\])\\\n)|\\.""", re.DOTALL)


class Sight(Enum):
    """How much the client sees of a command."""

    CLEAR = "every simple command in it is seen"
    PARTLY = "one command with an argument that is not known"
    NONE = "more than the client can split"


@dataclass(slots=True)
class Split:
    texts: list[str] = field(default_factory=list)  # the simple commands, quotes and assignments removed
    sight: Sight = Sight.CLEAR


def split(command: str) -> Split:
    """Every simple command, in the order of the text."""
    text = command.rstrip().removesuffix(";;")
    reader = _Reader(text)
    items: list[Any] = []
    try:
        reader.list_(items)
        reader.documents()
    except (Unreadable, RecursionError):
        return Split(sight=Sight.NONE)
    if reader.i < len(text) or reader.strange or _has_strange_escape(text):
        return Split(sight=Sight.NONE)
    survey = _Survey()
    survey.list_(items)
    if survey.strange or (survey.unknown and (survey.compound or text.lstrip().startswith("! "))):
        return Split(survey.texts, Sight.NONE)
    return Split(survey.texts, Sight.PARTLY if survey.unknown else Sight.CLEAR)


def _has_strange_escape(text: str) -> bool:
    return any(found["blank"] for found in STRANGE_ESCAPE.finditer(text))


class _Reader(Reader):
    """Our reader of shell, noting what the client gives up at."""

    __slots__ = ("leads", "strange")

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        self.strange = False
        self.leads = False  # the command begins with a redirection

    def timed(self) -> Any:
        """`time` is a program like any other; before more than a simple command it is too much."""
        if self.s[self.i] in "\n;&|)\0":
            return ("call", [Word("time")], [], [])
        node = self.command()
        if node[0] != "call":
            self.strange = True
            return node
        return ("call", [Word("time"), *node[1]], *node[2:4])

    def simple(self, word: Any) -> Any:
        before, self.leads = self.leads, word is None
        try:
            return super().simple(word)
        finally:
            self.leads = before

    def redirection(self, fd: str) -> Any:
        """A word after a redirection is more than the client follows."""
        leads = self.leads
        found = super().redirection(fd)
        rest = self.s[self.i :].lstrip(" \t")
        if not leads and rest[0] not in END and rest[0] != "#" and not re.match(r"\d+[<>]|\\\n", rest):
            self.strange = True
        return found

    def parameter(self, pieces: list[Any], quoted: bool) -> None:
        self.strange = True
        super().parameter(pieces, quoted)

    def dollar(self, pieces: list[Any], quoted: bool) -> None:
        if not quoted and self.s[self.i + 1] in "'\"":
            self.strange = True
        super().dollar(pieces, quoted)


class _Survey:
    """Walks the tree of a command and collects its simple commands."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.strange = self.unknown = self.compound = False
        self.variables = set(KNOWN)

    # --- lists and compound commands
    def list_(self, items: list[Any]) -> None:
        if len(items) > 1:
            self.compound = True
        for _, node, _ in items:
            self.node(node)

    def node(self, node: Any) -> None:
        kind = node[0]
        if kind == "call":
            self.call(*node[1:])
            return
        self.compound = True
        match kind:
            case "|":
                for part in node[1]:
                    self.node(part)
            case "(":
                self.list_(node[1])
            case "if":
                for condition, body in node[1]:
                    self.list_(condition)
                    self.list_(body)
                self.list_(node[2] or [])
            case "while" | "until":
                self.list_(node[1])
                self.list_(node[2])
            case "for":
                self.expansions(node[2] or ())
                self.list_(node[3])
            case "[[":
                self.expansions(node[1])
            case _:
                self.strange = True
        if kind in ("(", "if", "while", "until") and node[-1]:
            self.strange = True  # its redirections

    # --- simple commands
    def call(self, words: list[Any], assigns: list[Any], redirs: list[Any]) -> None:
        for name, value, _ in assigns:
            self.assigned(name, value, alone=not words)
        for _, _, target, document in redirs:
            self.strange |= document is not None and not document.quoted
            self.strange |= is_dynamic(target) and not all(map(self.is_known, pieces_of(target)))
        if not words:
            return
        self.strange |= is_dynamic(words[0])
        declares = str(words[0]) in DECLARING
        for word in words[1:]:
            if declares and is_dynamic(word):
                self.expansions([word])
            else:
                self.argument(word)
        texts = [text_of(word) for word in words]
        if texts[0] == "xargs" and len(texts) > 1 and not texts[1].startswith("-"):
            texts = texts[1:]
        self.texts.append(" ".join(texts))

    def assigned(self, name: str, value: Any, *, alone: bool) -> None:
        if "[" in name or (isinstance(value, list) and not is_dynamic(value)):
            self.strange = True  # an array
            return
        self.expansions([value])
        if alone and not is_dynamic(value):
            self.variables.add(name)

    def expansions(self, words: Any) -> None:
        """Words in which a command may run, and no variable may stand that is not known."""
        for word in words:
            for piece in pieces_of(word):
                if is_substitution(piece):
                    self.nested(piece)
                elif not self.is_known(piece):
                    self.strange = True

    def argument(self, word: Any) -> None:
        pieces = pieces_of(word)
        if isinstance(word, list) and not is_dynamic(word):
            self.strange = True  # {a,b}
        for piece in pieces:
            if is_substitution(piece):
                in_text = piece[3] and any(is_quoted(other) for other in pieces if other is not piece)
                compound = self.compound
                self.compound = False
                self.nested(piece)
                self.strange |= self.compound and not in_text
                self.compound = compound
                self.unknown |= not in_text
            elif not self.is_known(piece):
                alone = len(pieces) == 1 and not piece[3]
                self.unknown |= alone
                self.strange |= not alone

    def nested(self, piece: Any) -> None:
        self.strange |= piece[4] in ("<(", ">(")
        self.list_(piece[1])

    def is_known(self, piece: Any) -> bool:
        """A text, arithmetic, or a variable of which the client knows the value."""
        if not isinstance(piece, tuple) or piece[0] in ("'", "(("):
            return True
        return bool(piece[0] == "$" and piece[1] in self.variables)


# --- words (the tree is described in shell/reader.py)
def pieces_of(word: Any) -> list[Any]:
    return [str(word)] if isinstance(word, Word) else list(word)


def is_dynamic(word: Any) -> bool:
    """Does it hold something that the shell replaces?"""
    return isinstance(word, list) and any(isinstance(piece, tuple) and piece[0] != "'" for piece in word)


def is_substitution(piece: Any) -> bool:
    return isinstance(piece, tuple) and piece[0] == "("


def is_quoted(piece: Any) -> bool:
    return isinstance(piece, tuple) and (piece[0] == "'" or (piece[0] == "$" and bool(piece[3])))


def text_of(word: Any) -> str:
    """As the program would get it; what the shell would replace stays as written."""
    if isinstance(word, Word):
        return str(word)
    said = {"'": 1, "$": 2, "(": 2, "((": 1}
    return "".join(piece if isinstance(piece, str) else str(piece[said[piece[0]]]) for piece in word)
