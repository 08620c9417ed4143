"""Split a command into simple commands as far as the client's `if` rules can.

command → [split_command] → Split(texts, visibility) → permission_rules
Not what the command does (that is the `shell` package), but how much of it the client sees, measured command by
command (tests/conformance/cases/if*.json). What the client cannot split matches every rule with an argument.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from hookwright.shell.command import Word
from hookwright.shell.lexer import END, ShellSyntaxError
from hookwright.shell.parser import Parser

KNOWN_VARIABLES = frozenset(("HOME",))
DECLARATION_COMMANDS = frozenset(("declare", "export", "local", "readonly", "typeset"))
# An escaped space, or a line continuation inside a word.
UNSUPPORTED_ESCAPE = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|(?P<blank>\\[ \t]|(?<=[^\s\\])\\\n)|\\.""", re.DOTALL)
COPROC = re.compile(r"(?P<before>(?:^|[;&|\n])\s*)coproc(?=\s)")
COPROC_PROGRAM = "\x1fcoproc"  # to the client an ordinary program; our parser knows the keyword
QUOTED_HEREDOC = re.compile(r"""<<-?[ \t]*(?:'([^'\n]+)'|"([^"\n]+)"|\\(\w+))""")


class Visibility(Enum):
    """How much of a command the client can split."""

    FULL = "every simple command is seen"
    PARTIAL = "one command with an argument of unknown value"
    NONE = "too complex for the client"


@dataclass(slots=True)
class Split:
    texts: list[str] = field(default_factory=list)  # the simple commands, quotes and assignments removed
    visibility: Visibility = Visibility.FULL


def split_command(command: str) -> Split:
    """Every simple command, in source order."""
    text = COPROC.sub(r"\g<before>" + COPROC_PROGRAM, command.rstrip().removesuffix(";;"))
    if _continues_after_heredoc(text):
        return Split(visibility=Visibility.NONE)
    reader = _Reader(text)
    items: list[Any] = []
    try:
        reader.parse_list(items)
        reader.read_heredocs()
    except (ShellSyntaxError, RecursionError):
        return Split(visibility=Visibility.NONE)
    if reader.i < len(text) or reader.unsupported or _has_unsupported_escape(text):
        return Split(visibility=Visibility.NONE)
    collector = _CommandCollector()
    collector.walk_list(items)
    if collector.unsupported or (collector.unknown and (collector.compound or text.lstrip().startswith("! "))):
        return Split(collector.texts, Visibility.NONE)
    return Split(collector.texts, Visibility.PARTIAL if collector.unknown else Visibility.FULL)


def _continues_after_heredoc(text: str) -> bool:
    """The client gives up at a quoted here-document that another line follows."""
    for found in QUOTED_HEREDOC.finditer(text):
        end = re.compile(rf"^\t*{re.escape(found[1] or found[2] or found[3])}$", re.MULTILINE).search(text, found.end())
        if end is not None and text[end.end() :].strip():
            return True
    return False


def _has_unsupported_escape(text: str) -> bool:
    return any(found["blank"] for found in UNSUPPORTED_ESCAPE.finditer(text))


class _Reader(Parser):
    """Our shell parser; sets `unsupported` at syntax that the client cannot split."""

    __slots__ = ("leads", "unsupported")

    def __init__(self, text: str, depth: int = 0) -> None:
        super().__init__(text, depth)
        self.unsupported = False
        self.leads = False  # the command begins with a redirection

    def parse_timed(self) -> Any:
        """To the client `time` is an ordinary program; before a compound command it gives up."""
        if self.s[self.i] in "\n;&|)\0":
            return ("call", [Word("time")], [], [])
        node = self.parse_command()
        if node[0] != "call":
            self.unsupported = True
            return node
        return ("call", [Word("time"), *node[1]], *node[2:4])

    def parse_simple(self, word: Any) -> Any:
        before, self.leads = self.leads, word is None
        try:
            return super().parse_simple(word)
        finally:
            self.leads = before

    def parse_redirection(self, fd: str) -> Any:
        """The client gives up at a word after a redirection."""
        leads = self.leads
        found = super().parse_redirection(fd)
        rest = self.s[self.i :].lstrip(" \t")
        if not leads and rest[0] not in END and rest[0] != "#" and not re.match(r"\d+[<>]|\\\n", rest):
            self.unsupported = True
        return found

    def read_parameter(self, pieces: list[Any], quoted: bool) -> None:
        self.unsupported = True
        super().read_parameter(pieces, quoted)

    def read_dollar(self, pieces: list[Any], quoted: bool) -> None:
        if not quoted and self.s[self.i + 1] in "'\"":
            self.unsupported = True
        super().read_dollar(pieces, quoted)


class _CommandCollector:
    """Walks the tree of a command and collects its simple commands."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.unsupported = self.unknown = self.compound = False
        self.variables = set(KNOWN_VARIABLES)

    # --- lists and compound commands
    def walk_list(self, items: list[Any]) -> None:
        if len(items) > 1:
            self.compound = True
        for _, node, _ in items:
            self.walk_node(node)

    def walk_node(self, node: Any) -> None:
        kind = node[0]
        if kind == "call":
            self.collect_call(*node[1:])
            return
        self.compound = True
        match kind:
            case "|":
                for part in node[1]:
                    self.walk_node(part)
            case "(":
                self.walk_list(node[1])
            case "if":
                for condition, body in node[1]:
                    self.walk_list(condition)
                    self.walk_list(body)
                self.walk_list(node[2] or [])
            case "while" | "until":
                self.walk_list(node[1])
                self.walk_list(node[2])
            case "for":
                self.check_expansions(node[2] or ())
                self.walk_list(node[3])
            case "[[":
                self.check_expansions(node[1])
            case _:
                self.unsupported = True
        if kind in ("(", "if", "while", "until") and node[-1]:
            self.unsupported = True  # its redirections

    # --- simple commands
    def collect_call(self, words: list[Any], assigns: list[Any], redirs: list[Any]) -> None:
        for name, value, _ in assigns:
            self.note_assignment(name, value, alone=not words)
        for _, _, target, document in redirs:
            self.unsupported |= document is not None and not document.quoted
            self.unsupported |= is_dynamic(target) and not all(map(self.is_known, pieces_of(target)))
        if not words:
            return
        self.unsupported |= is_dynamic(words[0])
        declares = str(words[0]) in DECLARATION_COMMANDS
        for word in words[1:]:
            if declares and is_dynamic(word):
                self.check_expansions([word])
            else:
                self.check_argument(word)
        texts = [text_of(word) for word in words]
        if texts[0] == "xargs" and len(texts) > 1 and not texts[1].startswith("-"):
            texts = texts[1:]
        self.texts.append(" ".join(texts).replace(COPROC_PROGRAM, "coproc"))

    def note_assignment(self, name: str, value: Any, *, alone: bool) -> None:
        if "[" in name or (isinstance(value, list) and not is_dynamic(value)):
            self.unsupported = True  # an array
            return
        self.check_expansions([value])
        if alone and not is_dynamic(value):
            self.variables.add(name)

    def check_expansions(self, words: Any) -> None:
        """Words that may contain command substitutions, but no variables of unknown value."""
        for word in words:
            for piece in pieces_of(word):
                if is_substitution(piece):
                    self.walk_substitution(piece)
                elif not self.is_known(piece):
                    self.unsupported = True

    def check_argument(self, word: Any) -> None:
        pieces = pieces_of(word)
        if isinstance(word, list) and not is_dynamic(word):
            self.unsupported = True  # {a,b}
        for piece in pieces:
            if is_substitution(piece):
                in_text = piece[3] and any(is_quoted(other) for other in pieces if other is not piece)
                compound = self.compound
                self.compound = False
                self.walk_substitution(piece)
                self.unsupported |= self.compound and not in_text
                self.compound = compound
                self.unknown |= not in_text
            elif not self.is_known(piece):
                alone = len(pieces) == 1 and not piece[3]
                self.unknown |= alone
                self.unsupported |= not alone

    def walk_substitution(self, piece: Any) -> None:
        self.unsupported |= piece[4] in ("<(", ">(")
        self.walk_list(piece[1])

    def is_known(self, piece: Any) -> bool:
        """Literal text, arithmetic, or a variable whose value the client knows."""
        if not isinstance(piece, tuple) or piece[0] in ("'", "(("):
            return True
        return bool(piece[0] == "$" and piece[1] in self.variables)


# --- words (the tree is described in shell/parser.py)
def pieces_of(word: Any) -> list[Any]:
    return [str(word)] if isinstance(word, Word) else list(word)


def is_dynamic(word: Any) -> bool:
    """Does it contain an expansion?"""
    return isinstance(word, list) and any(isinstance(piece, tuple) and piece[0] != "'" for piece in word)


def is_substitution(piece: Any) -> bool:
    return isinstance(piece, tuple) and piece[0] == "("


def is_quoted(piece: Any) -> bool:
    return isinstance(piece, tuple) and (piece[0] == "'" or (piece[0] == "$" and bool(piece[3])))


def text_of(word: Any) -> str:
    """The argument as the program would get it; expansions stay as written."""
    if isinstance(word, Word):
        return str(word)
    source_index = {"'": 1, "$": 2, "(": 2, "((": 1}
    return "".join(piece if isinstance(piece, str) else str(piece[source_index[piece[0]]]) for piece in word)
