"""Text → words: quotes, escapes, expansions and here-documents, up to the operator that ends a word.

text → [words] → reader.py → walk.py → calls
A word that is fully literal is a `Word`; any other is the list of its pieces (reader.py names them).
"""

from __future__ import annotations

from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 48  # nested constructs; each costs at most six Python frames
END = frozenset(" \t\n;&|<>()\0")  # ends a word
STOP = END | frozenset("'\"\\$`*?[{~")  # ends a plain run of a word
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
DIGITS = frozenset("0123456789")
DQ_STOP = frozenset('"\\$`\0')
ONE_CHAR_VARIABLES = frozenset("@*#?-$!0123456789")
PREFIXES = {"": "", "#": "length", "!": "!"}  # ${#x} is not ${x#…}
TWO_CHAR_OPERATORS = frozenset((":-", ":+", ":=", ":?", "##", "%%", "//", "/#", "/%", "^^", ",,"))
ANSI = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "e": "\x1b", "E": "\x1b"}


class Unreadable(Exception):
    """This is not shell, or deeper than we follow; the message says where."""


class Document:
    """A here-document: its body as pieces, known once the line after its command is read."""

    __slots__ = ("body", "delimiter", "quoted", "strips")

    def __init__(self, delimiter: str, quoted: bool, strips: bool) -> None:
        self.delimiter = delimiter
        self.quoted = quoted
        self.strips = strips
        self.body: Any = None  # a word


class Words:
    """A place in a text, moving forward word by word."""

    __slots__ = ("depth", "i", "pending", "s", "start")

    def __init__(self, text: str, depth: int = 0) -> None:
        self.s = text + "\0"
        self.i = 0
        self.start = 0  # of the last word that is not plain
        self.depth = depth
        self.pending: list[Document] = []

    def list_(self, items: list[Any]) -> list[Any]:
        """The commands of a substitution; reader.py knows them."""
        raise NotImplementedError

    def near(self) -> str:
        rest = self.s[self.i : self.i + 12].rstrip("\0").split("\n")[0]
        return f"{rest!r}" if rest else "end"

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("it is nested too deeply")

    def word(self) -> Any:
        """The word that begins here: a Word when fully literal, else its pieces."""
        s = self.s
        start = i = self.i
        while s[i] not in STOP:
            i += 1
        c = s[i]
        if c in END and i > start and (c != "(" or s[i - 1] not in "+@!"):
            self.i = i
            return Word(s[start:i])
        pieces: list[Any] = []
        plain = start  # where the unquoted run began that is not yet a piece
        glob = brace = dynamic = quoted = False
        tilde = c == "~" and i == start
        while True:
            if c in END:
                if c == "(" and i > plain and s[i - 1] in "?*+@!":
                    i = self.extglob(i, pieces, plain)
                    plain = i
                    glob = True
                    dynamic = dynamic or pieces[-1].__class__ is not str
                elif (c == "<" or c == ">") and i == start and s[i + 1] == "(":
                    self.i = i + 2
                    pieces.append(self.substitution(i, False, s[i : i + 2]))
                    i = plain = self.i
                    dynamic = True
                else:
                    break
            elif c == "'":
                if i > plain:
                    pieces.append(s[plain:i])
                close = s.find("'", i + 1)
                if close < 0:
                    raise Unreadable("a single quote is not closed")
                pieces.append(("'", s[i + 1 : close]))
                quoted = True
                i = plain = close + 1
            elif c == '"':
                if i > plain:
                    pieces.append(s[plain:i])
                self.i = i + 1
                if self.double_quoted(pieces):
                    dynamic = True
                quoted = True
                i = plain = self.i
            elif c == "$":
                if i > plain:
                    pieces.append(s[plain:i])
                self.i = i
                count = len(pieces)
                self.dollar(pieces, False)
                if len(pieces) > count:
                    last = pieces[-1]
                    if last.__class__ is tuple and last[0] != "'":
                        dynamic = True
                    elif last.__class__ is tuple:
                        quoted = True
                        for piece in pieces[count:]:
                            if piece.__class__ is tuple and piece[0] != "'":
                                dynamic = True
                i = plain = self.i
            elif c == "\\":
                if s[i + 1] == "\0":
                    i += 1  # a backslash at the very end stands for itself
                    break
                if i > plain:
                    pieces.append(s[plain:i])
                if s[i + 1] != "\n":
                    pieces.append(("'", s[i + 1]))
                    quoted = True
                i = plain = i + 2
            elif c == "`":
                if i > plain:
                    pieces.append(s[plain:i])
                self.i = i
                pieces.append(self.backticks(False))
                dynamic = True
                i = plain = self.i
            else:
                if c == "{":
                    brace = True
                elif c != "~":
                    glob = True
                i += 1
            while s[i] not in STOP:
                i += 1
            c = s[i]
        if i > plain:
            pieces.append(s[plain:i])
        self.i = i
        self.start = start
        if dynamic:
            return pieces
        if brace and braces_expand(pieces):
            return pieces
        text = "".join([piece if piece.__class__ is str else piece[1] for piece in pieces])
        word = Word(text)
        if quoted:
            word.quoted = True
        if glob:
            word.glob = True
        if tilde:
            word.home = True
        return word

    def extglob(self, i: int, pieces: list[Any], plain: int) -> int:
        """`@(a|b)` and its kin: taken as one unquoted piece, with the substitutions in it."""
        s = self.s
        self.i = i + 1
        self.deeper()
        inner: list[Any] = []
        level = 1
        while level:
            c = s[self.i]
            if c == "\0":
                raise Unreadable("a pattern's ( is not closed")
            if c == "(":
                level += 1
            elif c == ")":
                level -= 1
            elif c == "'":
                close = s.find("'", self.i + 1)
                if close < 0:
                    raise Unreadable("a single quote is not closed")
                self.i = close
            elif c == '"':
                self.i += 1
                self.double_quoted(inner)
                continue
            elif c == "\\" and s[self.i + 1] != "\0":
                self.i += 1
            elif c == "$":
                self.dollar(inner, False)
                continue
            elif c == "`":
                inner.append(self.backticks(False))
                continue
            self.i += 1
        self.depth -= 1
        inner = [piece for piece in inner if piece.__class__ is tuple and piece[0] != "'"]
        pieces.append(s[plain : self.i] if not inner else ("((", s[plain : self.i], False, inner))
        return self.i

    # -- quotes --------------------------------------------------------------------------------------------------------

    def double_quoted(self, pieces: list[Any]) -> bool:
        """The text up to the closing quote, as pieces; whether something in it is expanded."""
        s = self.s
        i = self.i
        close = s.find('"', i)
        if close < 0:
            raise Unreadable("a double quote is not closed")
        text = s[i:close]
        if "$" not in text and "\\" not in text and "`" not in text:
            pieces.append(("'", text))
            self.i = close + 1
            return False
        self.deeper()
        dynamic = self.expanded_text(pieces, '"')
        self.depth -= 1
        self.i += 1
        return dynamic

    def expanded_text(self, pieces: list[Any], close: str) -> bool:
        """Text in which only $, ` and backslash mean something, up to `close` (" or the end); left standing there."""
        s = self.s
        run: list[str] = []
        dynamic = False
        i = self.i
        while True:
            j = i
            while s[j] not in DQ_STOP:
                j += 1
            if j > i:
                run.append(s[i:j])
            c = s[j]
            if c == close:
                break
            if c == '"':
                run.append(c)
                i = j + 1
            elif c == "\0":
                raise Unreadable("a double quote is not closed")
            elif c == "\\":
                following = s[j + 1]
                if following == "\n":
                    i = j + 2
                elif following in "$`\\" or following == close == '"':
                    run.append(following)
                    i = j + 2
                else:
                    run.append(c)
                    i = j + 1
            else:
                self.i = j
                found: list[Any] = []
                if c == "$":
                    self.dollar(found, True)
                else:
                    found.append(self.backticks(True))
                i = self.i
                if found and found[0].__class__ is tuple:
                    if run:
                        pieces.append(("'", "".join(run)))
                        run = []
                    pieces.extend(found)
                    dynamic = True
                else:
                    run.extend(found)
        self.i = j
        if run or not dynamic:
            pieces.append(("'", "".join(run)))
        return dynamic

    def ansi(self, pieces: list[Any]) -> None:
        """$'…': escapes as in C."""
        s = self.s
        i = self.i + 2
        run: list[str] = []
        while True:
            j = i
            while s[j] not in "'\\\0":
                j += 1
            run.append(s[i:j])
            c = s[j]
            if c == "'":
                break
            if c == "\0" or s[j + 1] == "\0":
                raise Unreadable("a $' quote is not closed")
            c = s[j + 1]
            i = j + 2
            if c in ANSI:
                run.append(ANSI[c])
            elif c in "xuU" or c in "01234567":
                base, most = (16, {"x": 2, "u": 4, "U": 8}[c]) if c in "xuU" else (8, 3)
                k = i if c in "xuU" else i - 1
                first = k
                digits = "0123456789abcdefABCDEF" if base == 16 else "01234567"
                while k - first < most and s[k] in digits:
                    k += 1
                if k == first:
                    run.append("\\" + c)
                else:
                    code = int(s[first:k], base)
                    run.append(chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "")
                    i = k
            elif c == "c":
                run.append(chr(ord(s[i]) & 31) if s[i] not in "'\0" else "")
                i += s[i] not in "'\0"
            elif c in "\\'\"?":
                run.append(c)
            else:
                run.append("\\" + c)
        self.i = j + 1
        pieces.append(("'", "".join(run)))

    # -- expansions ----------------------------------------------------------------------------------------------------

    def dollar(self, pieces: list[Any], quoted: bool) -> None:
        """What begins with $ here; a lone $ is itself."""
        s = self.s
        i = self.i
        c = s[i + 1]
        if c in NAME and c not in DIGITS:
            j = i + 2
            while s[j] in NAME:
                j += 1
            self.i = j
            pieces.append(("$", s[i + 1 : j], s[i:j], quoted, "", None))
        elif c == "(":
            if s[i + 2] == "(":
                self.i = i + 3
                self.deeper()
                inner = self.arithmetic("))")
                self.depth -= 1
                if inner is not None:
                    pieces.append(("((", s[i : self.i], quoted, inner))
                    return
            self.i = i + 2
            pieces.append(self.substitution(i, quoted, "$("))
        elif c == "{":
            self.parameter(pieces, quoted)
        elif c in ONE_CHAR_VARIABLES:
            self.i = i + 2
            pieces.append(("$", c, s[i : i + 2], quoted, "", None))
        elif c == "[":
            self.i = i + 2
            self.deeper()
            inner = self.arithmetic("]")
            self.depth -= 1
            if inner is None:
                raise Unreadable("$[ is not closed")
            pieces.append(("((", s[i : self.i], quoted, inner))
        elif c == "'" and not quoted:
            self.ansi(pieces)
        elif c == '"' and not quoted:
            self.i = i + 2
            self.double_quoted(pieces)
        else:
            self.i = i + 1
            pieces.append("$")

    def substitution(self, start: int, quoted: bool, opening: str) -> Any:
        """The list after `$(`, `<(` or `>(`, up to its `)`."""
        self.deeper()
        items = self.list_([])
        self.depth -= 1
        if self.s[self.i] != ")":
            raise Unreadable(f"{opening} is not closed before {self.near()}")
        self.i += 1
        return ("(", items, self.s[start : self.i], quoted, opening)

    def backticks(self, quoted: bool) -> Any:
        s = self.s
        start = self.i
        i = start + 1
        plain = i
        text = ""
        run: list[str] = []
        while True:
            c = s[i]
            if c == "`":
                break
            if c == "\0":
                raise Unreadable("a backtick is not closed")
            if c == "\\" and s[i + 1] != "\0":
                if s[i + 1] in "$`\\" or (quoted and s[i + 1] == '"'):
                    run.append(s[plain:i])
                    plain = i + 1
                i += 2
            else:
                i += 1
        run.append(s[plain:i])
        text = "".join(run)
        self.i = i + 1
        self.deeper()
        inner = self.__class__(text, self.depth)
        items = inner.list_([])
        if inner.i < len(text):
            raise Unreadable(f"unexpected {inner.near()} in backticks")
        inner.documents()
        self.depth -= 1
        return ("(", items, s[start : self.i], quoted, "`")

    def parameter(self, pieces: list[Any], quoted: bool) -> None:
        """`${…}`: its name, its operator, and the word after it."""
        s = self.s
        start = self.i
        i = start + 2
        self.deeper()
        if s[i] in " \t\n|":  # ${ list; } runs a list and takes its output
            self.i = i + 1
            items = self.list_([])
            if s[self.i] != "}":
                raise Unreadable("${ is not closed")
            self.i += 1
            self.depth -= 1
            pieces.append(("(", items, s[start : self.i], quoted, "${"))
            return
        j = i
        if s[j] in "!#" and s[j + 1] not in "}:-+=?%/#":
            j += 1
        name = j
        if s[j] in NAME:
            while s[j] in NAME:
                j += 1
        elif s[j] in ONE_CHAR_VARIABLES:
            j += 1
        indirect = s[i:name]
        inner: list[Any] = []
        subscript = ""
        if s[j] == "[":
            self.i = j + 1
            if self.arithmetic("]", inner) is None:
                raise Unreadable("${ is not closed")
            subscript = s[j : self.i]
            j = self.i
        op_start = j
        if s[j] in ":-+=?#%/^,@!":
            j += 2 if s[j : j + 2] in TWO_CHAR_OPERATORS else 1
        op = s[op_start:j]
        self.i = j
        words_after = op[-1:] in {"-", "+", "=", "?"}
        arg = self.until_brace(quoted and words_after, quoted)
        self.depth -= 1
        inner.extend(piece for piece in arg if piece.__class__ is tuple and piece[0] != "'")
        key = s[name:op_start]
        pieces.append(
            ("$", key, s[start : self.i], quoted, PREFIXES[indirect] + op, arg if not subscript or not inner else inner)
        )

    def until_brace(self, plain_quotes: bool, in_quotes: bool) -> list[Any]:
        """The pieces up to the `}` that closes, which is consumed."""
        s = self.s
        pieces: list[Any] = []
        i = plain = self.i
        while True:
            c = s[i]
            if c == "}":
                break
            if c == "\0":
                raise Unreadable("${ is not closed")
            if c == "\\":
                if i > plain:
                    pieces.append(s[plain:i])
                if s[i + 1] == "\0":
                    raise Unreadable("${ is not closed")
                if s[i + 1] != "\n":
                    pieces.append(("'", s[i + 1]))
                i = plain = i + 2
            elif c == "'" and not plain_quotes:
                if i > plain:
                    pieces.append(s[plain:i])
                close = s.find("'", i + 1)
                if close < 0:
                    raise Unreadable("a single quote is not closed")
                pieces.append(("'", s[i + 1 : close]))
                i = plain = close + 1
            elif c in '"$`':
                if i > plain:
                    pieces.append(s[plain:i])
                self.i = i
                if c == '"':
                    self.i += 1
                    self.double_quoted(pieces)
                elif c == "$":
                    self.dollar(pieces, in_quotes)
                else:
                    pieces.append(self.backticks(in_quotes))
                i = plain = self.i
            else:
                i += 1
        if i > plain:
            pieces.append(s[plain:i])
        self.i = i + 1
        return pieces

    def arithmetic(self, close: str, pieces: list[Any] | None = None) -> list[Any] | None:
        """The substitutions inside an arithmetic text up to `close`, which is consumed; None when it is none."""
        s = self.s
        if pieces is None:
            pieces = []
        level = 0
        opening = "(" if close == "))" else "["
        closing = close[0]
        while True:
            c = s[self.i]
            if c == "\0":
                if close == "))":
                    return None
                raise Unreadable(f"{close} is missing")
            if c == closing:
                if level == 0:
                    if not s.startswith(close, self.i):
                        return None
                    self.i += len(close)
                    return [piece for piece in pieces if piece.__class__ is tuple and piece[0] != "'"]
                level -= 1
            elif c == opening:
                level += 1
            elif c == "$":
                self.dollar(pieces, True)
                continue
            elif c == "`":
                pieces.append(self.backticks(True))
                continue
            elif c == '"':
                self.i += 1
                self.double_quoted(pieces)
                continue
            elif c == "'":
                end = s.find("'", self.i + 1)
                if end < 0:
                    return None
                self.i = end
            elif c == "\\" and s[self.i + 1] != "\0":
                self.i += 1
            self.i += 1

    # -- here-documents ------------------------------------------------------------------------------------------------

    def delimiter(self) -> tuple[str, bool]:
        """The word after <<, quotes removed, nothing expanded."""
        s = self.s
        i = self.i
        text = ""
        quoted = False
        while s[i] not in END:
            c = s[i]
            if c in "'\"":
                close = s.find(c, i + 1)
                if close < 0:
                    raise Unreadable("a here-document's delimiter is not closed")
                text += s[i + 1 : close]
                quoted = True
                i = close + 1
            elif c == "\\" and s[i + 1] != "\0":
                text += s[i + 1] if s[i + 1] != "\n" else ""
                quoted = True
                i += 2
            else:
                if c == "$" and s[i + 1] in "'\"":
                    i += 1
                    continue
                text += c
                i += 1
        if i == self.i:
            raise Unreadable("a here-document needs a delimiter")
        self.i = i
        return text, quoted

    def documents(self) -> None:
        """The bodies of the here-documents that began on the line before."""
        s = self.s
        end = len(s) - 1
        for doc in self.pending:
            lines = []
            i = self.i
            while i < end:
                j = s.find("\n", i)
                if j < 0:
                    j = end
                line = s[i:j]
                if doc.strips:
                    line = line.lstrip("\t")
                i = j + 1
                if line == doc.delimiter or line == doc.delimiter + "\r":
                    break
                lines.append(line)
            self.i = min(i, end)
            text = "\n".join(lines) + "\n" if lines else ""
            doc.body = literal(text, True) if doc.quoted else self.unquoted_body(text)
        self.pending = []

    def unquoted_body(self, text: str) -> Any:
        """The body of a here-document in which $ and ` mean something."""
        if "$" not in text and "`" not in text and "\\" not in text:
            return literal(text, True)
        if self.depth >= DEEPEST:
            raise Unreadable("it is nested too deeply")
        inner = self.__class__(text, self.depth + 1)
        pieces: list[Any] = []
        if inner.expanded_text(pieces, "\0"):
            return pieces
        return literal(pieces[0][1], True)


def literal(text: str, quoted: bool) -> Word:
    word = Word(text)
    word.quoted = quoted
    return word


def braces_expand(pieces: list[Any]) -> bool:
    """Whether the unquoted text holds `{a,b}` or `{1..3}`; a lone `{}` or `{a}` stays as it is."""
    for piece in pieces:
        if piece.__class__ is str:
            opening = piece.find("{")
            if opening >= 0:
                return ("," in piece or ".." in piece) or len(pieces) > 1
    return False
