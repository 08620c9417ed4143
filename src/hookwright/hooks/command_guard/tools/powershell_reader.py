"""Reads PowerShell far enough to judge it: statements, their words, pipes, redirections. No expressions are evaluated.

text → [read_statements] → [Statement(words, piped, target)], of script blocks and substitutions as well
"""

from __future__ import annotations

MAX_CHARS = 64 << 10
BREAKS = "{}();"
ALIASES = {
    **dict.fromkeys(("rm", "ri", "del", "erase", "rd", "rmdir"), "remove-item"),
    **dict.fromkeys(("cat", "gc", "type"), "get-content"),
    **dict.fromkeys(("sc", "set-content"), "set-content"),
    **dict.fromkeys(("ac",), "add-content"),
    **dict.fromkeys(("clc",), "clear-content"),
    **dict.fromkeys(("mv", "move", "mi"), "move-item"),
    **dict.fromkeys(("cp", "copy", "cpi"), "copy-item"),
    **dict.fromkeys(("ni", "md", "mkdir"), "new-item"),
    **dict.fromkeys(("ls", "dir", "gci"), "get-childitem"),
    **dict.fromkeys(("iex",), "invoke-expression"),
    **dict.fromkeys(("irm",), "invoke-restmethod"),
    **dict.fromkeys(("iwr", "curl", "wget"), "invoke-webrequest"),
    **dict.fromkeys(("icm",), "invoke-command"),
    **dict.fromkeys(("kill", "spps"), "stop-process"),
    **dict.fromkeys(("spsv",), "stop-service"),
    **dict.fromkeys(("sasv",), "start-service"),
    **dict.fromkeys(("sp",), "set-itemproperty"),
    **dict.fromkeys(("rp",), "remove-itemproperty"),
    **dict.fromkeys(("rnp",), "rename-itemproperty"),
    **dict.fromkeys(("cli", "clear-item"), "clear-item"),
    **dict.fromkeys(("start", "saps"), "start-process"),
    **dict.fromkeys(("echo", "write"), "write-output"),
    **dict.fromkeys(("sls",), "select-string"),
    **dict.fromkeys(("ii",), "invoke-item"),
}


class Unreadable(ValueError):
    """A quote or a here-string that does not end."""


class Statement:
    """One command: its words without quotes, the statement that feeds it, the files it is redirected into."""

    __slots__ = ("literal", "piped_from", "targets", "words")

    def __init__(self) -> None:
        self.words: list[str] = []
        self.literal: list[bool] = []  # word by word: was it wholly in quotes
        self.targets: list[str] = []
        self.piped_from: Statement | None = None

    @property
    def name(self) -> str:
        """The cmdlet or program in lower case, aliases resolved, without `.exe` and folder."""
        word = self.words[0].lower() if self.words else ""
        word = word.replace("\\", "/").rpartition("/")[2].removesuffix(".exe")
        return ALIASES.get(word, word)

    def parameter(self, *names: str) -> str | None:
        """The word after a parameter, which may be shortened: `-Rec` for `-Recurse`; "" if nothing follows."""
        for index, word in enumerate(self.words[1:], 1):
            given, colon, value = word.lower().partition(":")
            if given[:1] == "-" and len(given) > 1 and any(name.startswith(given) for name in names):
                if colon and value:
                    return value
                return self.words[index + 1] if index + 1 < len(self.words) else ""
        return None

    def has(self, *names: str) -> bool:
        value = self.parameter(*names)
        return value is not None and value.lower() not in ("$false", "0")

    def operands(self) -> list[str]:
        """The words that are no parameters, those of a list one by one."""
        found: list[str] = []
        for word, quoted in zip(self.words[1:], self.literal[1:], strict=True):
            if quoted or word[:1] != "-":
                found += [part for part in ([word] if quoted else word.split(",")) if part]
        return found


def read_statements(text: str) -> list[Statement]:
    """Every statement in the text, inner ones too, in the order in which they are written."""
    reader = _Reader(text[:MAX_CHARS])
    if len(text) > MAX_CHARS:
        raise Unreadable("it is too long to be read")
    return reader.read()


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.found: list[Statement] = []
        self.here = Statement()
        self.word: list[str] | None = None
        self.quoted = False
        self.redirects = False

    def read(self) -> list[Statement]:  # noqa: PLR0912  one branch per sign of the language
        text, size = self.text, len(self.text)
        while self.at < size:
            c = text[self.at]
            two = text[self.at : self.at + 2]
            if two in ("@'", '@"') and text[self.at + 2 : self.at + 4].strip(" \r")[:1] in ("\n", ""):
                self._read_here_string(two[1])
            elif c in "'\"":
                self._read_string(c)
            elif c == "`":
                after = text[self.at + 1 : self.at + 2]
                if after not in ("\n", "\r"):
                    self._add(after)
                self.at += 3 if text[self.at + 1 : self.at + 3] == "\r\n" else 2
            elif two == "<#":
                end = text.find("#>", self.at)
                self.at = size if end < 0 else end + 2
            elif c == "#" and self.word is None:
                end = text.find("\n", self.at)
                self.at = size if end < 0 else end
            elif two in ("$(", "@(", "@{", "${"):
                self._read_opening(two)
            elif c in BREAKS or c == "\n":
                self._end_statement()
                self.at += 1
            elif two in ("&&", "||"):
                self._end_statement()
                self.at += 2
            elif c == "|":
                before = self._end_statement()
                self.here.piped_from = before
                self.at += 1
            elif c == ">":
                self._end_redirect_source()
                self.redirects = True
                self.at += 2 if two == ">>" else 1
            elif c == "&" and self.word is None:
                self.at += 1  # the call operator
            elif c in " \t\r,&":
                self._end_word(comma=c == ",")
                self.at += 1
            else:
                self._add(c)
                self.at += 1
        self._end_statement()
        return self.found

    def _read_opening(self, two: str) -> None:
        if two == "${":
            end = self.text.find("}", self.at)
            end = len(self.text) if end < 0 else end
            self._add("$" + self.text[self.at + 2 : end])
            self.at = end + 1
            return
        if self.word is not None:
            self._add("$(…)")
        self._end_statement()
        self.at += 2

    def _read_string(self, quote: str) -> None:
        self.quoted = self.word is None or self.quoted
        at = self.at + 1
        pieces: list[str] = []
        while True:
            if at >= len(self.text):
                raise Unreadable("a quote does not end")
            c = self.text[at]
            if c == quote:
                if self.text[at + 1 : at + 2] != quote:
                    break
                pieces.append(quote)
                at += 2
            elif c == "`" and quote == '"':
                pieces.append(self.text[at + 1 : at + 2])
                at += 2
            else:
                pieces.append(c)
                at += 1
        self._add("".join(pieces))
        self.at = at + 1

    def _read_here_string(self, quote: str) -> None:
        start = self.text.find("\n", self.at)
        end = self.text.find("\n" + quote + "@", start) if start >= 0 else -1
        if end < 0:
            raise Unreadable("a here-string does not end")
        self.quoted = True
        self._add(self.text[start + 1 : end])
        self.at = end + 3

    def _add(self, piece: str) -> None:
        if self.word is None:
            self.word = []
        self.word.append(piece)

    def _end_redirect_source(self) -> None:
        if self.word is not None and "".join(self.word) in ("1", "2", "3", "4", "5", "6", "*"):
            self.word = None  # the number of a stream
            self.quoted = False
            return
        self._end_word()

    def _end_word(self, *, comma: bool = False) -> None:
        if self.word is None:
            return
        word = "".join(self.word)
        if self.redirects:
            if word[:1] != "&" and word.lower() != "$null":
                self.here.targets.append(word)
            self.redirects = False
        elif word == "=" or (self.here.words and word.endswith("=") and len(self.here.words) == 1):
            self.here.words, self.here.literal = [], []  # `$x = Get-Item …`: what is assigned is the statement
        elif not self.here.words and word in (
            ".",
            "if",
            "else",
            "elseif",
            "foreach",
            "while",
            "try",
            "catch",
            "return",
        ):
            pass
        else:
            self.here.words.append(word)
            self.here.literal.append(self.quoted)
        self.word = None
        self.quoted = False

    def _end_statement(self) -> Statement | None:
        self._end_word()
        before = self.here
        if before.words or before.targets:
            self.found.append(before)
        self.here = Statement()
        return before if before.words else None
