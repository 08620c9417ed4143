"""Text → tree: quotes, expansions, here-documents, lists, pipelines, loops, branches, functions; bash's grammar.

text → [this reader] → walk.py → calls
One pass over the text; what is no shell raises `Unreadable` with a sentence, and nothing else is raised.

The tree is made of tuples, kind first, because a tuple is the cheapest thing to make:
  list       [(joiner, node, background), …]   joiner: "" or "&&" or "||"
  node       ("call", words, assigns, redirs)   ("|", nodes)   ("(" | "{", list, redirs)
             ("if", [(list, list), …], list | None, redirs)    ("while" | "until", list, list, redirs)
             ("for" | "select", name, words | None, list, redirs, source)   ("for((", source, pieces, list, redirs)
             ("case", word, [(words, list), …], redirs)        ("function", name, node)
             ("[[", words, redirs)   ("((", source, pieces, redirs)   ("coproc", name, node)
  word       Word (fully literal), or a list of pieces
  piece      str (unquoted)   ("'", text)   ("$", name, source, quoted, op, pieces)
             ("(", list, source, quoted, opening)   ("((", source, quoted, pieces)
  assign     (name, word | [words] for an array, appends)
  redir      (op, fd, word, doc | None)         doc: Document
"""

from __future__ import annotations

from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

DEEPEST = 48  # nested constructs; each costs at most six Python frames

END = frozenset(" \t\n;&|<>()\0")  # ends a word
STOP = END | frozenset("'\"\\$`*?[{~")  # ends a plain run of a word
GLOB = frozenset("*?[")
NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")
DIGITS = frozenset("0123456789")
DQ_STOP = frozenset('"\\$`\0')
ONE_CHAR_VARIABLES = frozenset("@*#?-$!0123456789")
TWO_CHAR_OPERATORS = frozenset((":-", ":+", ":=", ":?", "##", "%%", "//", "/#", "/%", "^^", ",,"))
CLOSERS = frozenset(("then", "do", "done", "fi", "else", "elif", "esac", "}"))
OPENERS = frozenset(("if", "for", "while", "until", "case", "select", "function", "coproc", "{", "[["))
NOTHING: tuple[Any, ...] = ("call", [], [], [])  # `time` alone
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


def parse(text: str, depth: int = 0) -> tuple[list[Any], str | None]:
    """The tree of a text, and what could not be read (then the tree holds the lists before it)."""
    if "\0" in text:
        return [], "it holds a NUL character"
    reader = Reader(text, depth)
    items: list[Any] = []
    try:
        reader.list_(items)
        reader.documents()
    except Unreadable as error:
        return items, str(error)
    except RecursionError:
        return items, "it is nested too deeply"
    if reader.i < len(text):
        return items, f"unexpected {reader.near()}"
    return items, None


def assignment(text: str) -> int:
    """Where the value begins in `name=value`, `name+=value` or `name[i]=value`; 0 when it is none."""
    equals = text.find("=")
    if equals < 1:
        return 0
    name = text[: equals - 1] if text[equals - 1] == "+" else text[:equals]
    bracket = name.find("[")
    if bracket > 0:
        if name[-1] != "]":
            return 0
        name = name[:bracket]
    return equals + 1 if NAME.issuperset(name) and name and name[0] not in DIGITS else 0


class Reader:
    """A place in a text, moving forward."""

    __slots__ = ("depth", "i", "pending", "s", "start")

    def __init__(self, text: str, depth: int = 0) -> None:
        self.s = text + "\0"
        self.i = 0
        self.start = 0  # of the last word that is not plain
        self.depth = depth
        self.pending: list[Document] = []

    def near(self) -> str:
        rest = self.s[self.i : self.i + 12].rstrip("\0").split("\n")[0]
        return f"{rest!r}" if rest else "end"

    def deeper(self) -> None:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("it is nested too deeply")

    # -- lists -----------------------------------------------------------------------------------------------------

    def list_(self, items: list[Any]) -> list[Any]:
        """Commands up to a closing word, `)`, `;;` or the end; left standing there."""
        s = self.s
        joiner = ""
        first = 0  # of the and-or list that a later & would send to the background
        while True:
            self.blank_lines()
            i = self.i
            c = s[i]
            if c in ")\0":
                break
            if c == ";":
                if s[i + 1] in ";&":
                    break
                raise Unreadable(f"unexpected {self.near()}")
            if c in "tdfe}" and self.peek() in CLOSERS:
                break
            node = self.pipeline()
            items.append((joiner, node, False))
            joiner = ""
            self.blanks()
            i = self.i
            c = s[i]
            if c == "\n" or c == "\0":
                first = len(items)
            elif c == ";":
                if s[i + 1] in ";&":
                    break
                self.i = i + 1
                first = len(items)
            elif c == "&":
                if s[i + 1] == "&":
                    self.i = i + 2
                    joiner = "&&"
                    continue
                for index in range(first, len(items)):
                    items[index] = (items[index][0], items[index][1], True)
                self.i = i + 1
                first = len(items)
            elif c == "|" and s[i + 1] == "|":
                self.i = i + 2
                joiner = "||"
            elif c == ")" or self.peek() in CLOSERS:  # `done }`: a closing word needs no separator after another
                break
            else:
                raise Unreadable(f"unexpected {self.near()}")
        if joiner:
            raise Unreadable(f"nothing stands after {joiner}")
        return items

    def body(self, *closers: str) -> list[Any]:
        """A list inside a construct, and the word that closes it, which is consumed."""
        self.deeper()
        items = self.list_([])
        self.depth -= 1
        word = self.peek()
        if word not in closers:
            raise Unreadable(f"{closers[0]} is missing before {self.near()}")
        return items

    def close(self, word: str) -> None:
        self.i += len(word)

    def peek(self) -> str:
        """The plain word that stands here."""
        s = self.s
        j = self.i
        while s[j] not in END:
            j += 1
            if j - self.i > 9:
                return ""
        return s[self.i : j]

    def blanks(self) -> None:
        s = self.s
        i = self.i
        while True:
            c = s[i]
            if c == " " or c == "\t":
                i += 1
            elif c == "\\" and s[i + 1] == "\n":
                i += 2
            elif c == "#":
                i = s.find("\n", i)
                if i < 0:
                    i = len(s) - 1
            elif c == "\r" and s[i + 1] in "\n\0":
                i += 1
            else:
                break
        self.i = i

    def blank_lines(self) -> None:
        while True:
            self.blanks()
            if self.s[self.i] != "\n":
                return
            self.newline()

    def newline(self) -> None:
        self.i += 1
        if self.pending:
            self.documents()

    # -- pipelines and commands ------------------------------------------------------------------------------------

    def pipeline(self) -> Any:
        s = self.s
        nodes: list[Any] | None = None
        timed = False
        while True:
            while True:
                c = s[self.i]
                if c == "!" and s[self.i + 1] in " \t\n\\":
                    self.i += 1
                elif c == "t" and s.startswith("time", self.i) and s[self.i + 4] in END:
                    if not self.time_prefix():
                        break
                    timed = True
                else:
                    break
                self.blanks()
            node = NOTHING if timed and s[self.i] in "\n;&|)\0" else self.command()
            self.blanks()
            i = self.i
            if s[i] != "|" or s[i + 1] == "|":
                if nodes is None:
                    return node
                nodes.append(node)
                return ("|", nodes)
            if nodes is None:
                nodes = []
            nodes.append(node)
            self.i = i + (2 if s[i + 1] == "&" else 1)
            self.blank_lines()

    def time_prefix(self) -> bool:
        """`time` and its -p; False when it is the program `time` with options of its own."""
        start = self.i
        self.i += 4
        self.blanks()
        if self.s.startswith("-p", self.i) and self.s[self.i + 2] in END:
            self.i += 2
            self.blanks()
        if self.s.startswith("--", self.i) and self.s[self.i + 2] in END:
            self.i += 2
            self.blanks()
        if self.s[self.i] == "-":
            self.i = start
            return False
        return True

    def command(self) -> Any:
        s = self.s
        i = self.i
        c = s[i]
        if c == "(":
            if s[i + 1] == "(":
                self.i = i + 2
                self.deeper()
                pieces = self.arithmetic("))")
                self.depth -= 1
                if pieces is not None:
                    return ("((", s[i + 2 : self.i - 2], pieces, self.redirections())
            self.i = i + 1
            self.deeper()
            items = self.list_([])
            self.depth -= 1
            if s[self.i] != ")":
                raise Unreadable(f") is missing before {self.near()}")
            self.i += 1
            return ("(", items, self.redirections())
        if c in "<>" or (c == "&" and s[i + 1] == ">"):
            return self.simple(None)
        if c in END:
            raise Unreadable(f"unexpected {self.near()}")
        word = self.word()
        if word.__class__ is Word:
            if word in OPENERS and not word.quoted:
                return self.compound(word)
            if word in CLOSERS and not word.quoted:
                raise Unreadable(f"unexpected {str(word)!r}")
            c = s[self.i]
            if c == "(" or ((c == " " or c == "\t") and self.parens_follow()):
                return self.function(word)
        return self.simple(word)

    def parens_follow(self) -> bool:
        """Whether `()` comes next, as in a function's head."""
        s = self.s
        i = self.i
        while s[i] == " " or s[i] == "\t":
            i += 1
        if s[i] != "(":
            return False
        i += 1
        while s[i] == " " or s[i] == "\t":
            i += 1
        return s[i] == ")"

    def function(self, name: Word) -> Any:
        if not self.parens_follow() or assignment(name):
            if name[-1:] == "=" and assignment(name) == len(name):
                return self.simple(name)
            raise Unreadable(f"unexpected {self.near()}")
        self.i = self.s.index(")", self.i) + 1
        self.blank_lines()
        self.deeper()
        node = self.command()
        self.depth -= 1
        return ("function", name, node)

    def simple(self, word: Any) -> Any:
        """One call: assignments, words and redirections, up to an operator."""
        s = self.s
        words: list[Any] = []
        assigns: list[Any] = []
        redirs: list[Any] = []
        while True:
            if word is not None and not words and (word.__class__ is list or word.glob):
                element = self.element()
                if element is not None:
                    assigns.append(element)
                    word = None
            if word is not None:
                c = s[self.i]
                if word.__class__ is Word:
                    if (c == "<" or c == ">") and not word.quoted and (word.isdigit() or word[0] == "{"):
                        if word.isdigit() or (word[-1] == "}" and NAME.issuperset(word[1:-1])):
                            redirs.append(self.redirection(str(word)))
                            word = None
                    elif "=" in word:
                        if c == "(" and word[-1] == "=" and assignment(word):
                            assigns.append(self.array(word)) if not words else words.append(self.array_word(word))
                            word = None
                        elif not words:
                            start = assignment(word)
                            if start and (not word.quoted or s.startswith(word[:start], self.start)):
                                assigns.append(assigned(word, start))
                                word = None
                elif not words and word[0].__class__ is str and "=" in word[0]:
                    start = assignment(word[0])
                    if start:
                        assigns.append(assigned_pieces(word, start))
                        word = None
                if word is not None:
                    words.append(word)
            # blanks, inlined: this is the innermost loop
            i = self.i
            c = s[i]
            while c == " " or c == "\t":
                i += 1
                c = s[i]
            self.i = i
            if c in END:
                if c == "<" or c == ">":
                    if s[i + 1] == "(":
                        word = self.word()
                    else:
                        redirs.append(self.redirection(""))
                        word = None
                    continue
                if c == "&" and s[i + 1] == ">":
                    redirs.append(self.redirection(""))
                    word = None
                    continue
                if c == "(":
                    raise Unreadable(f"unexpected {self.near()}")
                break
            if c == "#" or (c == "\\" and s[i + 1] == "\n") or (c == "\r" and s[i + 1] in "\n\0"):
                self.blanks()
                word = None
                if s[self.i] in "\n\0":
                    break
                continue
            word = self.word()
        return ("call", words, assigns, redirs)

    def element(self) -> Any:
        """`name[…]=value` in place of the word just read, whatever its subscript holds; None when it is none."""
        s = self.s
        end = self.i
        i = self.start
        while s[i] in NAME:
            i += 1
        if s[i] != "[" or i == self.start:
            return None
        name = s[self.start : i]
        inner: list[Any] = []
        self.i = i + 1
        if self.arithmetic("]", inner) is not None:
            appends = s[self.i] == "+"
            if s[self.i + appends] == "=":
                self.i += appends + 1
                value = Word("") if s[self.i] in END else self.word()
                inner = [piece for piece in inner if piece.__class__ is tuple and piece[0] != "'"]
                if inner:
                    value = inner + (value if value.__class__ is list else [("'", str(value))])
                return (name + "[]", value, appends)
        self.i = end
        return None

    def array(self, name: Word) -> Any:
        """`name=(…)` with its words."""
        values = self.array_values()
        appends = name[-2:] == "+="
        return (str(name[:-2] if appends else name[:-1]), values, appends)

    def array_word(self, name: Word) -> Any:
        """An array as an argument of declare, local, export: kept as one word whose substitutions run."""
        start = self.i
        pieces: list[Any] = [str(name)]
        for value in self.array_values():
            if value.__class__ is list:
                pieces.extend(piece for piece in value if piece.__class__ is tuple and piece[0] != "'")
        pieces.append(("'", self.s[start : self.i]))
        return pieces

    def array_values(self) -> list[Any]:
        s = self.s
        self.i += 1
        self.deeper()
        values: list[Any] = []
        while True:
            self.blank_lines()
            c = s[self.i]
            if c == ")":
                self.i += 1
                self.depth -= 1
                return values
            if c in END and not (c in "<>" and s[self.i + 1] == "("):
                raise Unreadable(f"unexpected {self.near()}")
            values.append(self.word())

    # -- redirections ----------------------------------------------------------------------------------------------

    def redirections(self) -> list[Any]:
        """Those after a compound command."""
        found: list[Any] = []
        s = self.s
        while True:
            self.blanks()
            i = self.i
            c = s[i]
            fd = ""
            if c in DIGITS:
                while s[i] in DIGITS:
                    i += 1
                if s[i] not in "<>":
                    return found
                fd = s[self.i : i]
                self.i = i
            elif c == "{":
                word = self.peek()
                if not (word[-1:] == "}" and s[i + len(word)] in "<>"):
                    return found
                fd = word
                self.i = i + len(word)
            elif not (c in "<>" or (c == "&" and s[i + 1] == ">")):
                return found
            found.append(self.redirection(fd))

    def redirection(self, fd: str) -> Any:
        s = self.s
        i = self.i
        for op in ("<<<", "<<-", "&>>", "<<", ">>", "<>", ">|", ">&", "<&", "&>"):
            if s.startswith(op, i):
                break
        else:
            op = s[i]
        self.i = i + len(op)
        self.blanks()
        if op == "<<" or op == "<<-":
            delimiter, quoted = self.delimiter()
            doc = Document(delimiter, quoted, op == "<<-")
            self.pending.append(doc)
            return (op, fd, Word(delimiter), doc)
        c = s[self.i]
        if c in END and not (c in "<>" and s[self.i + 1] == "("):
            raise Unreadable(f"{op} needs a target before {self.near()}")
        return (op, fd, self.word(), None)

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
            doc.body = literal(text, True) if doc.quoted else unquoted_body(text, self.depth + 1)
        self.pending = []

    # -- words -----------------------------------------------------------------------------------------------------

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

    # -- expansions ------------------------------------------------------------------------------------------------

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
        inner = Reader(text, self.depth)
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
            ("$", key, s[start : self.i], quoted, indirect + op, arg if not subscript or not inner else inner)
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

    # -- compound commands -----------------------------------------------------------------------------------------

    def compound(self, opener: str) -> Any:
        if opener == "if":
            return self.if_()
        if opener == "while" or opener == "until":
            condition = self.body("do")
            self.close("do")
            turns = self.body("done")
            self.close("done")
            return (str(opener), condition, turns, self.redirections())
        if opener == "for" or opener == "select":
            return self.for_(str(opener))
        if opener == "case":
            return self.case()
        if opener == "{":
            items = self.body("}")
            self.close("}")
            return ("{", items, self.redirections())
        if opener == "[[":
            return self.test()
        if opener == "function":
            return self.function_keyword()
        return self.coproc()

    def if_(self) -> Any:
        arms = []
        otherwise = None
        while True:
            condition = self.body("then")
            self.close("then")
            arms.append((condition, self.body("fi", "elif", "else")))
            word = self.peek()
            self.close(word)
            if word == "else":
                otherwise = self.body("fi")
                self.close("fi")
                break
            if word == "fi":
                break
        return ("if", arms, otherwise, self.redirections())

    def for_(self, kind: str) -> Any:
        s = self.s
        self.blanks()
        if s.startswith("((", self.i):
            start = self.i = self.i + 2
            pieces = self.arithmetic("))")
            if pieces is None:
                raise Unreadable("for (( is not closed")
            head = s[start : self.i - 2]
            self.blanks()
            if s[self.i] == ";":
                self.i += 1
            items, _ = self.do_group()
            return ("for((", head, pieces, items, self.redirections())
        name = self.word()
        if name.__class__ is not Word:
            raise Unreadable(f"{kind} needs a variable's name")
        self.blank_lines()
        words = None
        if self.peek() == "in":
            self.i += 2
            words = []
            while True:
                self.blanks()
                c = s[self.i]
                if c in ";\n":
                    break
                if c in END and not (c in "<>" and s[self.i + 1] == "("):
                    raise Unreadable(f"unexpected {self.near()}")
                words.append(self.word())
        if s[self.i] == ";" and s[self.i + 1] != ";":
            self.i += 1
        items, source = self.do_group()
        return (kind, name, words, items, self.redirections(), source)

    def do_group(self) -> tuple[list[Any], str]:
        """`do … done` (or the old `{ … }`), and its source."""
        self.blank_lines()
        start = self.i
        word = self.peek()
        if word not in {"do", "{"}:
            raise Unreadable(f"do is missing before {self.near()}")
        self.close(word)
        closer = "done" if word == "do" else "}"
        items = self.body(closer)
        self.close(closer)
        return items, self.s[start : self.i]

    def case(self) -> Any:
        s = self.s
        self.blanks()
        if s[self.i] in END:
            raise Unreadable("case needs a word")
        subject = self.word()
        self.blank_lines()
        if self.peek() != "in":
            raise Unreadable(f"in is missing before {self.near()}")
        self.i += 2
        arms = []
        while True:
            self.blank_lines()
            if s[self.i] == "(":
                self.i += 1
                self.blanks()
            elif self.peek() == "esac":
                self.i += 4
                break
            patterns = []
            while True:
                if s[self.i] in END:
                    raise Unreadable(f"unexpected {self.near()} in case")
                patterns.append(self.word())
                self.blanks()
                c = s[self.i]
                self.i += 1
                if c == ")":
                    break
                if c != "|":
                    self.i -= 1
                    raise Unreadable(f"unexpected {self.near()} in case")
                self.blanks()
            self.deeper()
            items = self.list_([])
            self.depth -= 1
            arms.append((patterns, items))
            if s[self.i] == ";":
                self.i += 3 if s.startswith(";;&", self.i) else 2
            elif self.peek() != "esac":
                raise Unreadable(f"esac is missing before {self.near()}")
        return ("case", subject, arms, self.redirections())

    def test(self) -> Any:
        """`[[ … ]]`: its words; nothing in it is a call but what is substituted."""
        s = self.s
        words: list[Any] = []
        while True:
            self.blank_lines()
            i = self.i
            c = s[i]
            if c == "\0":
                raise Unreadable("[[ is not closed")
            if words and words[-1] == "=~" and not words[-1].quoted:
                words.append(self.regex())
                continue
            if c in "()<>":
                if c in "<>" and s[i + 1] == "(":
                    words.append(self.word())
                    continue
                words.append(Word(c))
                self.i = i + 1
                continue
            if c in "&|;":
                if s[i + 1] != c or c == ";":
                    raise Unreadable(f"unexpected {self.near()} in [[")
                words.append(Word(c + c))
                self.i = i + 2
                continue
            word = self.word()
            if word == "]]" and not word.quoted:
                break
            words.append(word)
        return ("[[", words, self.redirections())

    def regex(self) -> Any:
        """The pattern after =~, where ( | < > are part of the word."""
        s = self.s
        start = self.i
        pieces: list[Any] = []
        level = 0
        while True:
            c = s[self.i]
            if c == "\0":
                raise Unreadable("[[ is not closed")
            if c in " \t\n" and level <= 0:
                break
            if c == "(":
                level += 1
            elif c == ")":
                level -= 1
                if level < 0:
                    break
            elif c == "&" and level <= 0 and s[self.i + 1] == "&":
                break
            elif c == "\\" and s[self.i + 1] != "\0":
                self.i += 1
            elif c == "'":
                close = s.find("'", self.i + 1)
                if close < 0:
                    raise Unreadable("a single quote is not closed")
                self.i = close
            elif c == '"':
                self.i += 1
                self.double_quoted(pieces)
                continue
            elif c == "$" and s[self.i + 1] not in ")|":
                self.dollar(pieces, True)
                continue
            elif c == "`":
                pieces.append(self.backticks(True))
                continue
            elif c == "[":
                self.i += 1
                if s[self.i] == "^":
                    self.i += 1
                if s[self.i] == "]":
                    self.i += 1
                    continue
                continue
            self.i += 1
        dynamic = [piece for piece in pieces if piece.__class__ is tuple and piece[0] != "'"]
        source = s[start : self.i]
        return [("((", source, True, dynamic)] if dynamic else literal(source, True)

    def function_keyword(self) -> Any:
        self.blanks()
        if self.s[self.i] in END:
            raise Unreadable("function needs a name")
        name = self.word()
        if name.__class__ is not Word:
            raise Unreadable("function needs a plain name")
        if self.parens_follow():
            self.i = self.s.index(")", self.i) + 1
        self.blank_lines()
        self.deeper()
        node = self.command()
        self.depth -= 1
        return ("function", name, node)

    def coproc(self) -> Any:
        self.blanks()
        start = self.i
        name = ""
        word = self.peek()
        if word and NAME.issuperset(word) and word not in OPENERS:
            self.i += len(word)
            self.blanks()
            following = self.peek()
            if self.s[self.i] in "({" or following in OPENERS:
                name = word
            else:
                self.i = start
        self.deeper()
        node = self.command()
        self.depth -= 1
        return ("coproc", name, node)


# -- small helpers ---------------------------------------------------------------------------------------------------


def literal(text: str, quoted: bool) -> Word:
    word = Word(text)
    word.quoted = quoted
    return word


def unquoted_body(text: str, depth: int) -> Any:
    """The body of a here-document in which $ and ` mean something."""
    if "$" not in text and "`" not in text and "\\" not in text:
        return literal(text, True)
    if depth > DEEPEST:
        raise Unreadable("it is nested too deeply")
    reader = Reader(text, depth)
    pieces: list[Any] = []
    if reader.expanded_text(pieces, "\0"):
        return pieces
    return literal(pieces[0][1], True)


def assigned(word: Word, start: int) -> Any:
    """`name=value` as (name, value, appends)."""
    name = word[: start - 1]
    value = Word(word[start:])
    if word.glob:
        value.glob = True
    if value[:1] == "~" and not word.quoted:
        value.home = True
    if name[-1] == "+":
        return (name[:-1], value, True)
    return (name, value, False)


def assigned_pieces(pieces: list[Any], start: int) -> Any:
    name = pieces[0][: start - 1]
    rest = pieces[0][start:]
    value: Any = [rest, *pieces[1:]] if rest else pieces[1:]
    if all(piece.__class__ is str or piece[0] == "'" for piece in value):
        text = "".join([piece if piece.__class__ is str else piece[1] for piece in value])
        value = literal(text, True)  # braces are not expanded in an assignment
        if rest[:1] == "~":
            value.home = True
    if name[-1] == "+":
        return (name[:-1], value, True)
    return (name, value, False)


def braces_expand(pieces: list[Any]) -> bool:
    """Whether the unquoted text holds `{a,b}` or `{1..3}`; a lone `{}` or `{a}` stays as it is."""
    for piece in pieces:
        if piece.__class__ is str:
            opening = piece.find("{")
            if opening >= 0:
                return ("," in piece or ".." in piece) or len(pieces) > 1
    return False
