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
from hookwright.shell.words import DIGITS, END, NAME, Document, Unreadable, Words, literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLOSERS = frozenset(("then", "do", "done", "fi", "else", "elif", "esac", "}"))
OPENERS = frozenset(("if", "for", "while", "until", "case", "select", "function", "coproc", "{", "[["))
NOTHING: tuple[Any, ...] = ("call", [], [], [])  # `time` alone


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


class Reader(Words):
    """The grammar: lists, pipelines, calls and compound commands, made of words."""

    __slots__ = ()

    # -- lists ---------------------------------------------------------------------------------------------------------

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
                if s[i + 1] in "!|;" and s[i + 2] in " \t\n;\0" and s[i + 1 : i + 3] != ";;":
                    self.i = i + 2  # zsh writes `&!`, `&|` and `&;`
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

    # -- pipelines and calls -------------------------------------------------------------------------------------------

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
                    self.time_prefix()
                    timed = True
                else:
                    break
                self.blanks()
            node = self.timed() if timed else self.command()
            timed = False
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

    def time_prefix(self) -> None:
        """`time` and its -p. Other options are those of a program `time`: bash, too, takes them for the command."""
        self.i += 4
        self.blanks()
        if self.s.startswith("-p", self.i) and self.s[self.i + 2] in END:
            self.i += 2
            self.blanks()
        if self.s.startswith("--", self.i) and self.s[self.i + 2] in END:
            self.i += 2
            self.blanks()

    def timed(self) -> Any:
        """What stands after `time`; a call that begins with an option keeps the word."""
        c = self.s[self.i]
        if c in "\n;&|)\0":
            return NOTHING
        node = self.command()
        return (*node, Word("time")) if c == "-" and node[0] == "call" else node

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

    # -- redirections --------------------------------------------------------------------------------------------------

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

    # -- compound commands ---------------------------------------------------------------------------------------------

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
