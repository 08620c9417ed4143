"""The lexer, text → words: quotes, escapes, expansions and here-documents, up to the operator that ends a word.

text → [Lexer] → parser.py → evaluator.py → calls
A word that is fully literal becomes a `Word`; any other the list of its pieces (parser.py lists their kinds).
"""

from __future__ import annotations

from hookwright.shell.call import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MAX_DEPTH = 48  # of nested constructs; each takes at most six Python frames
END = frozenset(" \t\n;&|<>()\0")  # ends a word
STOP = END | frozenset("'\"\\$`*?[{~")  # ends a plain run of a word
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
DIGITS = frozenset("0123456789")
DQ_STOP = frozenset('"\\$`\0')
ONE_CHAR_VARIABLES = frozenset("@*#?-$!0123456789")
PREFIXES = {"": "", "#": "length", "!": "!"}  # ${#x} is not ${x#…}
TWO_CHAR_OPERATORS = frozenset((":-", ":+", ":=", ":?", "##", "%%", "//", "/#", "/%", "^^", ",,"))


class ShellSyntaxError(Exception):
    """The text is not valid shell, or nested too deeply; the message says where."""


class Heredoc:
    """A here-document; its body is read when the line of its command ends."""

    __slots__ = ("body", "delimiter", "quoted", "strips")

    def __init__(self, delimiter: str, quoted: bool, strips: bool) -> None:
        self.delimiter = delimiter
        self.quoted = quoted
        self.strips = strips
        self.body: Any = None  # a word


class Lexer:
    """A position in a text that moves forward word by word. The text ends with NUL, so no index is checked."""

    __slots__ = ("depth", "i", "pending", "s", "start")

    def __init__(self, text: str, depth: int = 0) -> None:
        self.s = text + "\0"
        self.i = 0
        self.start = 0  # of the last word that was not a plain run
        self.depth = depth
        self.pending: list[Heredoc] = []

    def parse_list(self, items: list[Any]) -> list[Any]:
        """The commands of a substitution; the parser implements it."""
        raise NotImplementedError

    def describe_next(self) -> str:
        rest = self.s[self.i : self.i + 12].rstrip("\0").split("\n")[0]
        return f"{rest!r}" if rest else "end"

    def enter_level(self) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise ShellSyntaxError("it is nested too deeply")

    def read_word(self) -> Any:
        """Word: { plain run | '…' | "…" | $… | `…` | escaped character | glob | {brace} | <(…) | extglob(…) }.

        It ends at a character in END. Returns a Word when it is fully literal, else the list of its pieces.
        """
        s = self.s
        start = i = self.i
        while s[i] not in STOP:
            i += 1
        c = s[i]
        if c in END and i > start and (c != "(" or s[i - 1] not in "+@!"):
            self.i = i
            return Word(s[start:i])
        pieces: list[Any] = []
        plain = start  # start of the unquoted run that is not yet a piece
        glob = brace = dynamic = quoted = False
        tilde = c == "~" and i == start
        while True:
            if c in END:
                if c == "(" and i > plain and s[i - 1] in "?*+@!":
                    i = self.read_extglob(i, pieces, plain)
                    plain = i
                    glob = True
                    dynamic = dynamic or pieces[-1].__class__ is not str
                elif (c == "<" or c == ">") and i == start and s[i + 1] == "(":
                    self.i = i + 2
                    pieces.append(self.read_substitution(i, False, s[i : i + 2]))
                    i = plain = self.i
                    dynamic = True
                else:
                    break
            elif c == "'":
                if i > plain:
                    pieces.append(s[plain:i])
                close = self.find_closing_quote(i)
                pieces.append(("'", s[i + 1 : close]))
                quoted = True
                i = plain = close + 1
            elif c == '"':
                if i > plain:
                    pieces.append(s[plain:i])
                self.i = i + 1
                if self.read_double_quoted(pieces):
                    dynamic = True
                quoted = True
                i = plain = self.i
            elif c == "$":
                if i > plain:
                    pieces.append(s[plain:i])
                self.i = i
                count = len(pieces)
                self.read_dollar(pieces, False)
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
                    i += 1  # a backslash at the end of the text is literal
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
                pieces.append(self.read_backticks(False))
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
        if brace and has_brace_expansion(pieces):
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

    def read_extglob(self, i: int, pieces: list[Any], plain: int) -> int:
        """Extglob: `@(a|b)`, `?(a)`, `*(a)`, `+(a)`, `!(a)` as one unquoted piece, with the substitutions in it."""
        s = self.s
        self.i = i + 1
        self.enter_level()
        inner: list[Any] = []
        level = 1
        while level:
            c = s[self.i]
            if c == "\0":
                raise ShellSyntaxError("a pattern's ( is not closed")
            if c == "(":
                level += 1
            elif c == ")":
                level -= 1
            elif c == "'":
                self.i = self.find_closing_quote(self.i)
            elif c == '"':
                self.i += 1
                self.read_double_quoted(inner)
                continue
            elif c == "\\" and s[self.i + 1] != "\0":
                self.i += 1
            elif c == "$":
                self.read_dollar(inner, False)
                continue
            elif c == "`":
                inner.append(self.read_backticks(False))
                continue
            self.i += 1
        self.depth -= 1
        inner = [piece for piece in inner if piece.__class__ is tuple and piece[0] != "'"]
        pieces.append(s[plain : self.i] if not inner else ("((", s[plain : self.i], False, inner))
        return self.i

    # -- quotes --------------------------------------------------------------------------------------------------------

    def find_closing_quote(self, start: int) -> int:
        """The index of the `'` that closes the one at `start`."""
        close = self.s.find("'", start + 1)
        if close < 0:
            raise ShellSyntaxError("a single quote is not closed")
        return close

    def read_double_quoted(self, pieces: list[Any]) -> bool:
        """`"…"`: append its pieces; returns whether anything in it is expanded."""
        s = self.s
        i = self.i
        close = s.find('"', i)
        if close < 0:
            raise ShellSyntaxError("a double quote is not closed")
        text = s[i:close]
        if "$" not in text and "\\" not in text and "`" not in text:
            pieces.append(("'", text))
            self.i = close + 1
            return False
        self.enter_level()
        dynamic = self.read_expanded_text(pieces, '"')
        self.depth -= 1
        self.i += 1
        return dynamic

    def read_expanded_text(self, pieces: list[Any], close: str) -> bool:
        """Text in which only $, ` and backslash are special, up to `close` (" or the end), where the position stays."""
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
                raise ShellSyntaxError("a double quote is not closed")
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
                    self.read_dollar(found, True)
                else:
                    found.append(self.read_backticks(True))
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

    def read_ansi_quoted(self, pieces: list[Any]) -> None:
        """`$'…'`: a quoted string with the escapes of C."""
        from hookwright.shell.ansi_quotes import decode_ansi_quoted

        text, end = decode_ansi_quoted(self.s, self.i + 2)
        if not end:
            raise ShellSyntaxError("a $' quote is not closed")
        self.i = end
        pieces.append(("'", text))

    # -- expansions ----------------------------------------------------------------------------------------------------

    def read_dollar(self, pieces: list[Any], quoted: bool) -> None:
        """`$name`, `$(…)`, `$((…))`, `${…}`, `$[…]`, `$'…'`, `$"…"`, `$1`; a lone $ is literal."""
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
                self.enter_level()
                inner = self.read_arithmetic("))")
                self.depth -= 1
                if inner is not None:
                    pieces.append(("((", s[i : self.i], quoted, inner))
                    return
            self.i = i + 2
            pieces.append(self.read_substitution(i, quoted, "$("))
        elif c == "{":
            self.read_parameter(pieces, quoted)
        elif c in ONE_CHAR_VARIABLES:
            self.i = i + 2
            pieces.append(("$", c, s[i : i + 2], quoted, "", None))
        elif c == "[":
            self.i = i + 2
            self.enter_level()
            inner = self.read_arithmetic("]")
            self.depth -= 1
            if inner is None:
                raise ShellSyntaxError("$[ is not closed")
            pieces.append(("((", s[i : self.i], quoted, inner))
        elif c == "'" and not quoted:
            self.read_ansi_quoted(pieces)
        elif c == '"' and not quoted:
            self.i = i + 2
            self.read_double_quoted(pieces)
        else:
            self.i = i + 1
            pieces.append("$")

    def read_substitution(self, start: int, quoted: bool, opening: str) -> Any:
        """The command list after `$(`, `<(` or `>(`, up to its `)`."""
        self.enter_level()
        items = self.parse_list([])
        self.depth -= 1
        if self.s[self.i] != ")":
            raise ShellSyntaxError(f"{opening} is not closed before {self.describe_next()}")
        self.i += 1
        return ("(", items, self.s[start : self.i], quoted, opening)

    def read_backticks(self, quoted: bool) -> Any:
        """`` `…` ``: its text, with one level of backslashes removed, is parsed as a list."""
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
                raise ShellSyntaxError("a backtick is not closed")
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
        self.enter_level()
        inner = self.__class__(text, self.depth)
        items = inner.parse_list([])
        if inner.i < len(text):
            raise ShellSyntaxError(f"unexpected {inner.describe_next()} in backticks")
        inner.read_heredocs()
        self.depth -= 1
        return ("(", items, s[start : self.i], quoted, "`")

    def read_parameter(self, pieces: list[Any], quoted: bool) -> None:
        """Parameter expansion: `${` [!#] name [subscript] [operator word] `}`."""
        s = self.s
        start = self.i
        i = start + 2
        self.enter_level()
        if s[i] in " \t\n|":  # ${ list; } runs a list and takes its output
            self.i = i + 1
            items = self.parse_list([])
            if s[self.i] != "}":
                raise ShellSyntaxError("${ is not closed")
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
            if self.read_arithmetic("]", inner) is None:
                raise ShellSyntaxError("${ is not closed")
            subscript = s[j : self.i]
            j = self.i
        op_start = j
        if s[j] in ":-+=?#%/^,@!":
            j += 2 if s[j : j + 2] in TWO_CHAR_OPERATORS else 1
        op = s[op_start:j]
        self.i = j
        words_after = op[-1:] in {"-", "+", "=", "?"}
        arg = self.read_until_brace(quoted and words_after, quoted)
        self.depth -= 1
        inner.extend(piece for piece in arg if piece.__class__ is tuple and piece[0] != "'")
        key = s[name:op_start]
        pieces.append(
            ("$", key, s[start : self.i], quoted, PREFIXES[indirect] + op, arg if not subscript or not inner else inner)
        )

    def read_until_brace(self, plain_quotes: bool, in_quotes: bool) -> list[Any]:
        """The pieces up to the closing `}`, which is consumed."""
        s = self.s
        pieces: list[Any] = []
        i = plain = self.i
        while True:
            c = s[i]
            if c == "}":
                break
            if c == "\0":
                raise ShellSyntaxError("${ is not closed")
            if c == "\\":
                if i > plain:
                    pieces.append(s[plain:i])
                if s[i + 1] == "\0":
                    raise ShellSyntaxError("${ is not closed")
                if s[i + 1] != "\n":
                    pieces.append(("'", s[i + 1]))
                i = plain = i + 2
            elif c == "'" and not plain_quotes:
                if i > plain:
                    pieces.append(s[plain:i])
                close = self.find_closing_quote(i)
                pieces.append(("'", s[i + 1 : close]))
                i = plain = close + 1
            elif c in '"$`':
                if i > plain:
                    pieces.append(s[plain:i])
                self.i = i
                if c == '"':
                    self.i += 1
                    self.read_double_quoted(pieces)
                elif c == "$":
                    self.read_dollar(pieces, in_quotes)
                else:
                    pieces.append(self.read_backticks(in_quotes))
                i = plain = self.i
            else:
                i += 1
        if i > plain:
            pieces.append(s[plain:i])
        self.i = i + 1
        return pieces

    def read_arithmetic(self, close: str, pieces: list[Any] | None = None) -> list[Any] | None:
        """The substitutions in an arithmetic text up to `close`, which is consumed; None if it is not arithmetic."""
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
                raise ShellSyntaxError(f"{close} is missing")
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
                self.read_dollar(pieces, True)
                continue
            elif c == "`":
                pieces.append(self.read_backticks(True))
                continue
            elif c == '"':
                self.i += 1
                self.read_double_quoted(pieces)
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

    def read_delimiter(self) -> tuple[str, bool]:
        """The delimiter after <<: quotes are removed, nothing is expanded; and whether it was quoted."""
        s = self.s
        i = self.i
        text = ""
        quoted = False
        while s[i] not in END:
            c = s[i]
            if c in "'\"":
                close = s.find(c, i + 1)
                if close < 0:
                    raise ShellSyntaxError("a here-document's delimiter is not closed")
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
            raise ShellSyntaxError("a here-document needs a delimiter")
        self.i = i
        return text, quoted

    def read_heredocs(self) -> None:
        """Read the bodies of the here-documents that were opened on the previous line."""
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
            doc.body = make_literal(text, True) if doc.quoted else self.read_heredoc_body(text)
        self.pending = []

    def read_heredoc_body(self, text: str) -> Any:
        """The body of a here-document whose delimiter is not quoted: $ and ` are expanded."""
        if "$" not in text and "`" not in text and "\\" not in text:
            return make_literal(text, True)
        if self.depth >= MAX_DEPTH:
            raise ShellSyntaxError("it is nested too deeply")
        inner = self.__class__(text, self.depth + 1)
        pieces: list[Any] = []
        if inner.read_expanded_text(pieces, "\0"):
            return pieces
        return make_literal(pieces[0][1], True)


def make_literal(text: str, quoted: bool) -> Word:
    word = Word(text)
    word.quoted = quoted
    return word


def has_brace_expansion(pieces: list[Any]) -> bool:
    """Whether the unquoted text has `{a,b}` or `{1..3}`; `{}` and `{a}` are literal."""
    for piece in pieces:
        if piece.__class__ is str:
            opening = piece.find("{")
            if opening >= 0:
                return ("," in piece or ".." in piece) or len(pieces) > 1
    return False
