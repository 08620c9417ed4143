"""The parser, text → tree: lists, pipelines, simple and compound commands, by the grammar of bash.

text → [parse] → evaluator.py → calls
Recursive descent, one pass. Invalid text raises ShellSyntaxError inside; `parse` returns its message and the tree
before it.

The tree consists of tuples, kind first, because a tuple is the cheapest object to make:
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
  redir      (op, fd, word, doc | None)         doc: Heredoc
"""

from __future__ import annotations

from hookwright.shell.call import Word
from hookwright.shell.lexer import DIGITS, END, NAME, Heredoc, Lexer, ShellSyntaxError, make_literal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

CLOSERS = frozenset(("then", "do", "done", "fi", "else", "elif", "esac", "}"))
OPENERS = frozenset(("if", "for", "while", "until", "case", "select", "function", "coproc", "{", "[["))
EMPTY_CALL: tuple[Any, ...] = ("call", [], [], [])  # `time` alone


def parse(text: str, depth: int = 0) -> tuple[list[Any], str | None]:
    """The tree of a text, and the syntax error or None; after an error the tree holds the commands before it."""
    if "\0" in text:
        return [], "it holds a NUL character"
    parser = Parser(text, depth)
    items: list[Any] = []
    try:
        parser.parse_list(items)
        parser.read_heredocs()
    except ShellSyntaxError as error:
        return items, str(error)
    except RecursionError:
        return items, "it is nested too deeply"
    if parser.i < len(text):
        return items, f"unexpected {parser.describe_next()}"
    return items, None


def find_value_start(text: str) -> int:
    """The index of the value in `name=value`, `name+=value` or `name[i]=value`; 0 if it is not an assignment."""
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


class Parser(Lexer):
    """The grammar, one method a rule."""

    __slots__ = ()

    # -- lists ---------------------------------------------------------------------------------------------------------

    def parse_list(self, items: list[Any]) -> list[Any]:
        """List: { pipeline (`;` | `&` | `&&` | `||` | newline) }, up to a closing word, `)`, `;;` or the end."""
        s = self.s
        joiner = ""
        first = 0  # start of the and-or list that a later & sends to the background
        while True:
            self.skip_blank_lines()
            i = self.i
            c = s[i]
            if c in ")\0":
                break
            if c == ";":
                if s[i + 1] in ";&":
                    break
                raise ShellSyntaxError(f"unexpected {self.describe_next()}")
            if c in "tdfe}" and self.peek_word() in CLOSERS:
                break
            node = self.parse_pipeline()
            items.append((joiner, node, False))
            joiner = ""
            self.skip_blanks()
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
            elif c == ")" or self.peek_word() in CLOSERS:  # `done }`: no separator between closing words
                break
            else:
                raise ShellSyntaxError(f"unexpected {self.describe_next()}")
        if joiner:
            raise ShellSyntaxError(f"nothing stands after {joiner}")
        return items

    def parse_body(self, *closers: str) -> list[Any]:
        """The list inside a compound command; the next word must be one of `closers`."""
        self.enter_level()
        items = self.parse_list([])
        self.depth -= 1
        word = self.peek_word()
        if word not in closers:
            raise ShellSyntaxError(f"{closers[0]} is missing before {self.describe_next()}")
        return items

    def skip_word(self, word: str) -> None:
        self.i += len(word)

    def peek_word(self) -> str:
        """The plain word at this position, if it is short enough for a reserved word."""
        s = self.s
        j = self.i
        while s[j] not in END:
            j += 1
            if j - self.i > 9:
                return ""
        return s[self.i : j]

    def skip_blanks(self) -> None:
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

    def skip_blank_lines(self) -> None:
        while True:
            self.skip_blanks()
            if self.s[self.i] != "\n":
                return
            self.skip_newline()

    def skip_newline(self) -> None:
        self.i += 1
        if self.pending:
            self.read_heredocs()

    # -- pipelines and calls -------------------------------------------------------------------------------------------

    def parse_pipeline(self) -> Any:
        """Pipeline: { `!` | `time` [-p] } command { (`|` | `|&`) command }."""
        s = self.s
        nodes: list[Any] | None = None
        timed = False
        while True:
            while True:
                c = s[self.i]
                if c == "!" and s[self.i + 1] in " \t\n\\":
                    self.i += 1
                elif c == "t" and s.startswith("time", self.i) and s[self.i + 4] in END:
                    self.skip_time_prefix()
                    timed = True
                else:
                    break
                self.skip_blanks()
            node = self.parse_timed() if timed else self.parse_command()
            timed = False
            self.skip_blanks()
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
            self.skip_blank_lines()

    def skip_time_prefix(self) -> None:
        """`time [-p] [--]`. With another option bash takes the option as the command."""
        self.i += 4
        self.skip_blanks()
        if self.s.startswith("-p", self.i) and self.s[self.i + 2] in END:
            self.i += 2
            self.skip_blanks()
        if self.s.startswith("--", self.i) and self.s[self.i + 2] in END:
            self.i += 2
            self.skip_blanks()

    def parse_timed(self) -> Any:
        """The command after `time`; if it begins with an option, `time` is kept as a word of it."""
        c = self.s[self.i]
        if c in "\n;&|)\0":
            return EMPTY_CALL
        node = self.parse_command()
        return (*node, Word("time")) if c == "-" and node[0] == "call" else node

    def parse_command(self) -> Any:
        """Command: `((…))` | subshell `(list)` | compound command | function definition | simple command."""
        s = self.s
        i = self.i
        c = s[i]
        if c == "(":
            if s[i + 1] == "(":
                self.i = i + 2
                self.enter_level()
                pieces = self.read_arithmetic("))")
                self.depth -= 1
                if pieces is not None:
                    return ("((", s[i + 2 : self.i - 2], pieces, self.parse_redirections())
            self.i = i + 1
            self.enter_level()
            items = self.parse_list([])
            self.depth -= 1
            if s[self.i] != ")":
                raise ShellSyntaxError(f") is missing before {self.describe_next()}")
            self.i += 1
            return ("(", items, self.parse_redirections())
        if c in "<>" or (c == "&" and s[i + 1] == ">"):
            return self.parse_simple(None)
        if c in END:
            raise ShellSyntaxError(f"unexpected {self.describe_next()}")
        word = self.read_word()
        if word.__class__ is Word:
            if word in OPENERS and not word.quoted:
                return self.parse_compound(word)
            if word in CLOSERS and not word.quoted:
                raise ShellSyntaxError(f"unexpected {str(word)!r}")
            c = s[self.i]
            if c == "(" or ((c == " " or c == "\t") and self.parens_follow()):
                return self.parse_function(word)
        return self.parse_simple(word)

    def parens_follow(self) -> bool:
        """Whether `()` comes next, as in a function definition."""
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

    def parse_function(self, name: Word) -> Any:
        """Function: name `()` command."""
        if not self.parens_follow() or find_value_start(name):
            if name[-1:] == "=" and find_value_start(name) == len(name):
                return self.parse_simple(name)
            raise ShellSyntaxError(f"unexpected {self.describe_next()}")
        self.i = self.s.index(")", self.i) + 1
        self.skip_blank_lines()
        self.enter_level()
        node = self.parse_command()
        self.depth -= 1
        return ("function", name, node)

    def parse_simple(self, word: Any) -> Any:
        """Simple command: { assignment | redirection } { word | redirection }, up to an operator.

        `word` was read already, if any. Assignments count only before the first word; `name=(…)` is an array.
        """
        s = self.s
        words: list[Any] = []
        assigns: list[Any] = []
        redirs: list[Any] = []
        while True:
            if word is not None and not words and (word.__class__ is list or word.glob):
                element = self.parse_array_element()
                if element is not None:
                    assigns.append(element)
                    word = None
            if word is not None:
                c = s[self.i]
                if word.__class__ is Word:
                    if (c == "<" or c == ">") and not word.quoted and (word.isdigit() or word[0] == "{"):
                        if word.isdigit() or (word[-1] == "}" and NAME.issuperset(word[1:-1])):
                            redirs.append(self.parse_redirection(str(word)))
                            word = None
                    elif "=" in word:
                        if c == "(" and word[-1] == "=" and find_value_start(word):
                            assigns.append(self.parse_array(word)) if not words else words.append(
                                self.parse_array_argument(word)
                            )
                            word = None
                        elif not words:
                            start = find_value_start(word)
                            if start and (not word.quoted or s.startswith(word[:start], self.start)):
                                assigns.append(split_assignment(word, start))
                                word = None
                elif not words and word[0].__class__ is str and "=" in word[0]:
                    start = find_value_start(word[0])
                    if start:
                        assigns.append(split_assignment_pieces(word, start))
                        word = None
                if word is not None:
                    words.append(word)
            # skip_blanks, inlined: this is the innermost loop
            i = self.i
            c = s[i]
            while c == " " or c == "\t":
                i += 1
                c = s[i]
            self.i = i
            if c in END:
                if c == "<" or c == ">":
                    if s[i + 1] == "(":
                        word = self.read_word()
                    else:
                        redirs.append(self.parse_redirection(""))
                        word = None
                    continue
                if c == "&" and s[i + 1] == ">":
                    redirs.append(self.parse_redirection(""))
                    word = None
                    continue
                if c == "(":
                    raise ShellSyntaxError(f"unexpected {self.describe_next()}")
                break
            if c == "#" or (c == "\\" and s[i + 1] == "\n") or (c == "\r" and s[i + 1] in "\n\0"):
                self.skip_blanks()
                word = None
                if s[self.i] in "\n\0":
                    break
                continue
            word = self.read_word()
        return ("call", words, assigns, redirs)

    def parse_array_element(self) -> Any:
        """Reread the last word as `name[subscript]=value`; None if it is not such an assignment."""
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
        if self.read_arithmetic("]", inner) is not None:
            appends = s[self.i] == "+"
            if s[self.i + appends] == "=":
                self.i += appends + 1
                value = Word("") if s[self.i] in END else self.read_word()
                inner = [piece for piece in inner if piece.__class__ is tuple and piece[0] != "'"]
                if inner:
                    value = inner + (value if value.__class__ is list else [("'", str(value))])
                return (name + "[]", value, appends)
        self.i = end
        return None

    def parse_array(self, name: Word) -> Any:
        """`name=(word …)`."""
        values = self.parse_array_values()
        appends = name[-2:] == "+="
        return (str(name[:-2] if appends else name[:-1]), values, appends)

    def parse_array_argument(self, name: Word) -> Any:
        """An array as an argument of declare, local or export: one word, in which substitutions run."""
        start = self.i
        pieces: list[Any] = [str(name)]
        for value in self.parse_array_values():
            if value.__class__ is list:
                pieces.extend(piece for piece in value if piece.__class__ is tuple and piece[0] != "'")
        pieces.append(("'", self.s[start : self.i]))
        return pieces

    def parse_array_values(self) -> list[Any]:
        s = self.s
        self.i += 1
        self.enter_level()
        values: list[Any] = []
        while True:
            self.skip_blank_lines()
            c = s[self.i]
            if c == ")":
                self.i += 1
                self.depth -= 1
                return values
            if c in END and not (c in "<>" and s[self.i + 1] == "("):
                raise ShellSyntaxError(f"unexpected {self.describe_next()}")
            values.append(self.read_word())

    # -- redirections --------------------------------------------------------------------------------------------------

    def parse_redirections(self) -> list[Any]:
        """The redirections after a compound command."""
        found: list[Any] = []
        s = self.s
        while True:
            self.skip_blanks()
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
                word = self.peek_word()
                if not (word[-1:] == "}" and s[i + len(word)] in "<>"):
                    return found
                fd = word
                self.i = i + len(word)
            elif not (c in "<>" or (c == "&" and s[i + 1] == ">")):
                return found
            found.append(self.parse_redirection(fd))

    def parse_redirection(self, fd: str) -> Any:
        """Redirection: [fd] operator word; after `<<` and `<<-` the word is a delimiter."""
        s = self.s
        i = self.i
        for op in ("<<<", "<<-", "&>>", "<<", ">>", "<>", ">|", ">&", "<&", "&>"):
            if s.startswith(op, i):
                break
        else:
            op = s[i]
        self.i = i + len(op)
        self.skip_blanks()
        if op == "<<" or op == "<<-":
            delimiter, quoted = self.read_delimiter()
            doc = Heredoc(delimiter, quoted, op == "<<-")
            self.pending.append(doc)
            return (op, fd, Word(delimiter), doc)
        c = s[self.i]
        if c in END and not (c in "<>" and s[self.i + 1] == "("):
            raise ShellSyntaxError(f"{op} needs a target before {self.describe_next()}")
        return (op, fd, self.read_word(), None)

    # -- compound commands ---------------------------------------------------------------------------------------------

    def parse_compound(self, opener: str) -> Any:
        """Compound command: by its reserved word, which was read already."""
        if opener == "if":
            return self.parse_if()
        if opener == "while" or opener == "until":
            condition = self.parse_body("do")
            self.skip_word("do")
            turns = self.parse_body("done")
            self.skip_word("done")
            return (str(opener), condition, turns, self.parse_redirections())
        if opener == "for" or opener == "select":
            return self.parse_for(str(opener))
        if opener == "case":
            return self.parse_case()
        if opener == "{":
            items = self.parse_body("}")
            self.skip_word("}")
            return ("{", items, self.parse_redirections())
        if opener == "[[":
            return self.parse_test()
        if opener == "function":
            return self.parse_function_keyword()
        return self.parse_coproc()

    def parse_if(self) -> Any:
        """`if` list `then` list { `elif` list `then` list } [ `else` list ] `fi`."""
        arms = []
        otherwise = None
        while True:
            condition = self.parse_body("then")
            self.skip_word("then")
            arms.append((condition, self.parse_body("fi", "elif", "else")))
            word = self.peek_word()
            self.skip_word(word)
            if word == "else":
                otherwise = self.parse_body("fi")
                self.skip_word("fi")
                break
            if word == "fi":
                break
        return ("if", arms, otherwise, self.parse_redirections())

    def parse_for(self, kind: str) -> Any:
        """`for` name [ `in` { word } ] do-group | `for ((…))` do-group; `select` as `for`."""
        s = self.s
        self.skip_blanks()
        if s.startswith("((", self.i):
            start = self.i = self.i + 2
            pieces = self.read_arithmetic("))")
            if pieces is None:
                raise ShellSyntaxError("for (( is not closed")
            head = s[start : self.i - 2]
            self.skip_blanks()
            if s[self.i] == ";":
                self.i += 1
            items, _ = self.parse_do_group()
            return ("for((", head, pieces, items, self.parse_redirections())
        name = self.read_word()
        if name.__class__ is not Word:
            raise ShellSyntaxError(f"{kind} needs a variable's name")
        self.skip_blank_lines()
        words = None
        if self.peek_word() == "in":
            self.i += 2
            words = []
            while True:
                self.skip_blanks()
                c = s[self.i]
                if c in ";\n":
                    break
                if c in END and not (c in "<>" and s[self.i + 1] == "("):
                    raise ShellSyntaxError(f"unexpected {self.describe_next()}")
                words.append(self.read_word())
        if s[self.i] == ";" and s[self.i + 1] != ";":
            self.i += 1
        items, source = self.parse_do_group()
        return (kind, name, words, items, self.parse_redirections(), source)

    def parse_do_group(self) -> tuple[list[Any], str]:
        """Do-group: `do` list `done` (or the old `{` list `}`); and its source text."""
        self.skip_blank_lines()
        start = self.i
        word = self.peek_word()
        if word not in {"do", "{"}:
            raise ShellSyntaxError(f"do is missing before {self.describe_next()}")
        self.skip_word(word)
        closer = "done" if word == "do" else "}"
        items = self.parse_body(closer)
        self.skip_word(closer)
        return items, self.s[start : self.i]

    def parse_case(self) -> Any:
        """`case` word `in` { [ `(` ] pattern { `|` pattern } `)` list ( `;;` | `;&` | `;;&` ) } `esac`."""
        s = self.s
        self.skip_blanks()
        if s[self.i] in END:
            raise ShellSyntaxError("case needs a word")
        subject = self.read_word()
        self.skip_blank_lines()
        if self.peek_word() != "in":
            raise ShellSyntaxError(f"in is missing before {self.describe_next()}")
        self.i += 2
        arms = []
        while True:
            self.skip_blank_lines()
            if s[self.i] == "(":
                self.i += 1
                self.skip_blanks()
            elif self.peek_word() == "esac":
                self.i += 4
                break
            patterns = []
            while True:
                if s[self.i] in END:
                    raise ShellSyntaxError(f"unexpected {self.describe_next()} in case")
                patterns.append(self.read_word())
                self.skip_blanks()
                c = s[self.i]
                self.i += 1
                if c == ")":
                    break
                if c != "|":
                    self.i -= 1
                    raise ShellSyntaxError(f"unexpected {self.describe_next()} in case")
                self.skip_blanks()
            self.enter_level()
            items = self.parse_list([])
            self.depth -= 1
            arms.append((patterns, items))
            if s[self.i] == ";":
                self.i += 3 if s.startswith(";;&", self.i) else 2
            elif self.peek_word() != "esac":
                raise ShellSyntaxError(f"esac is missing before {self.describe_next()}")
        return ("case", subject, arms, self.parse_redirections())

    def parse_test(self) -> Any:
        """`[[ … ]]`: its words; only substitutions in it run anything."""
        s = self.s
        words: list[Any] = []
        while True:
            self.skip_blank_lines()
            i = self.i
            c = s[i]
            if c == "\0":
                raise ShellSyntaxError("[[ is not closed")
            if words and words[-1] == "=~" and not words[-1].quoted:
                words.append(self.parse_regex())
                continue
            if c in "()<>":
                if c in "<>" and s[i + 1] == "(":
                    words.append(self.read_word())
                    continue
                words.append(Word(c))
                self.i = i + 1
                continue
            if c in "&|;":
                if s[i + 1] != c or c == ";":
                    raise ShellSyntaxError(f"unexpected {self.describe_next()} in [[")
                words.append(Word(c + c))
                self.i = i + 2
                continue
            word = self.read_word()
            if word == "]]" and not word.quoted:
                break
            words.append(word)
        return ("[[", words, self.parse_redirections())

    def parse_regex(self) -> Any:
        """The regular expression after =~, in which ( | < > are part of the word."""
        s = self.s
        start = self.i
        pieces: list[Any] = []
        level = 0
        while True:
            c = s[self.i]
            if c == "\0":
                raise ShellSyntaxError("[[ is not closed")
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
                self.i = self.find_closing_quote(self.i)
            elif c == '"':
                self.i += 1
                self.read_double_quoted(pieces)
                continue
            elif c == "$" and s[self.i + 1] not in ")|":
                self.read_dollar(pieces, True)
                continue
            elif c == "`":
                pieces.append(self.read_backticks(True))
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
        return [("((", source, True, dynamic)] if dynamic else make_literal(source, True)

    def parse_function_keyword(self) -> Any:
        """`function` name [ `()` ] command."""
        self.skip_blanks()
        if self.s[self.i] in END:
            raise ShellSyntaxError("function needs a name")
        name = self.read_word()
        if name.__class__ is not Word:
            raise ShellSyntaxError("function needs a plain name")
        if self.parens_follow():
            self.i = self.s.index(")", self.i) + 1
        self.skip_blank_lines()
        self.enter_level()
        node = self.parse_command()
        self.depth -= 1
        return ("function", name, node)

    def parse_coproc(self) -> Any:
        """`coproc` [ name ] command."""
        self.skip_blanks()
        start = self.i
        name = ""
        word = self.peek_word()
        if word and NAME.issuperset(word) and word not in OPENERS:
            self.i += len(word)
            self.skip_blanks()
            following = self.peek_word()
            if self.s[self.i] in "({" or following in OPENERS:
                name = word
            else:
                self.i = start
        self.enter_level()
        node = self.parse_command()
        self.depth -= 1
        return ("coproc", name, node)


def split_assignment(word: Word, start: int) -> Any:
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


def split_assignment_pieces(pieces: list[Any], start: int) -> Any:
    """`name=value` of a word that is not literal, as (name, value, appends)."""
    name = pieces[0][: start - 1]
    rest = pieces[0][start:]
    value: Any = [rest, *pieces[1:]] if rest else pieces[1:]
    if all(piece.__class__ is str or piece[0] == "'" for piece in value):
        text = "".join([piece if piece.__class__ is str else piece[1] for piece in value])
        value = make_literal(text, True)  # braces are not expanded in an assignment
        if rest[:1] == "~":
            value.home = True
    if name[-1] == "+":
        return (name[:-1], value, True)
    return (name, value, False)
