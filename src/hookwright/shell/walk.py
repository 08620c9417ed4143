"""Tree → calls: follows variables, `cd`, loops, branches and functions as far as the words themselves tell.

reader.py → [this walk] → wrappers.py → Command.calls
A word is called literal only when every way to this point gives it the same text.
"""

from __future__ import annotations

from hookwright.shell.command import TOP, Call, Place, Word, join, part

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookwright.shell.command import Command
    from hookwright.shell.parts import Loop, Redirect

UNROLLED = 64  # turns of a literal loop that are walked one by one
MOST_STEPS = 4000  # walked calls after which loops and functions are no longer unrolled
LONGEST = 65536  # characters of a variable that we still follow
MOST_WORDS = 1024  # of an array or of a function's arguments that we still follow
LONGEST_PATH = 4096
DEEPEST = 8  # shells in shells: sh -c, eval, functions, scripts
DECLARES = frozenset(("export", "declare", "local", "readonly", "typeset"))
WRITERS = frozenset(("cat", "echo", "printf", "tee"))
SETS = DECLARES | {
    "cd",
    "pushd",
    "popd",
    "read",
    "unset",
    "mapfile",
    "readarray",
    "printf",
    "let",
    "getopts",
    "set",
    "shift",
}
CHANGES = ("=", "cd", "popd", "read", "((", "let", "set", "shift")  # in a loop's body: its turns may differ
BLANKS = frozenset(" \t\n")
LEAVES = frozenset(("break", "exit", "return"))


class Scope:
    """What one shell knows: its variables and its folder."""

    __slots__ = ("cwd", "exported", "former", "variables")

    def __init__(self, cwd: str | None, variables: dict[str, Any], exported: frozenset[str] = frozenset()) -> None:
        self.cwd = cwd
        self.former: str | None = None
        self.variables = variables
        self.exported = exported

    def copy(self) -> Scope:
        scope = Scope(self.cwd, self.variables.copy(), self.exported)
        scope.former = self.former
        return scope

    def become(self, ways: list[Scope]) -> None:
        """After a branch: only what all ways agree on is still known."""
        first = ways[0]
        self.cwd = first.cwd
        self.variables = first.variables
        self.exported = first.exported
        for way in ways[1:]:
            if way.cwd != self.cwd:
                self.cwd = None
            if way.variables != self.variables:
                other = way.variables
                known = self.variables
                for name in list(known):
                    if name not in other or other[name] != known[name]:
                        known[name] = None
                for name in other:
                    if name not in known:
                        known[name] = None


def walk(command: Command) -> list[Call]:
    walker = Walker(command)
    walker.run(command.text, TOP, Scope(command.cwd, {}))
    return walker.calls


def unwrapped(command: Command, call: Call) -> list[Call]:
    """A plain call that wraps another."""
    from hookwright.shell.wrappers import unwrap

    walker = Walker(command)
    unwrap(walker, call, Scope(command.cwd, {}))
    return walker.calls


class Walker:
    """One walk over one command line; gathers its calls."""

    __slots__ = ("active", "calls", "command", "files", "functions", "shells", "steps", "uncalled")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.calls: list[Call] = []
        self.functions: dict[str, Any] = {}
        self.uncalled: dict[str, Scope] = {}
        self.active: set[str] = set()
        self.files: dict[str, Word] = {}  # what this command itself has written where
        self.steps = 0
        self.shells = 0

    def run(self, text: str, place: Place, scope: Scope) -> None:
        """Reads a text as a shell of its own would."""
        from hookwright.shell.reader import parse

        items, problem = parse(text)
        if problem and self.command.trouble is None:
            self.command.trouble = problem
        self.list_(items, place, scope)
        while self.uncalled and not self.shells:
            name, seen = self.uncalled.popitem()
            inside = Place(place)
            inside.function = name
            inside.branch = (*place.branch, "function")
            self.active.add(name)
            self.node(self.functions[name], inside, seen)
            self.active.discard(name)

    def nested(self, text: str, place: Place, scope: Scope) -> list[Call]:
        """Reads a text that a call carries; its calls join the list."""
        if self.shells >= DEEPEST:
            if self.command.trouble is None:
                self.command.trouble = "its shells are nested too deeply"
            return []
        self.shells += 1
        first = len(self.calls)
        self.run(text, place, scope)
        self.shells -= 1
        return self.calls[first:]

    # -- structure -------------------------------------------------------------------------------------------------

    def list_(self, items: list[Any], place: Place, scope: Scope) -> None:
        for joiner, node, background in items:
            here = place
            if background or joiner == "||":
                here = Place(place)
                if background:
                    here.background = True
                    self.node(node, here, scope.copy(), joiner)
                    continue
                here.branch = (*place.branch, "||")
                before = scope.copy()
                self.node(node, here, scope, joiner)
                if not self.left(node):
                    scope.become([scope.copy(), before])
                else:
                    scope.become([before])
            elif node[0] == "call":
                self.call(node, place, scope, joiner)
            else:
                self.node(node, place, scope, joiner)

    @staticmethod
    def left(node: Any) -> bool:
        """Whether a node plainly ends this list: exit, return, break, continue."""
        if node[0] == "{" and node[1]:
            node = node[1][-1][1]
        return node[0] == "call" and bool(node[1]) and node[1][0] in ("exit", "return", "break", "continue")

    def node(self, node: Any, place: Place, scope: Scope, joiner: str = "") -> None:
        kind = node[0]
        if kind == "call":
            self.call(node, place, scope, joiner)
        elif kind == "|":
            pipe: list[list[Call]] = []
            for stage, stage_node in enumerate(node[1]):
                pipe.append([])
                here = Place(place)
                here.pipe = pipe
                here.stage = stage
                self.node(stage_node, here, scope.copy(), joiner)
        elif kind == "function":
            name = str(node[1])
            self.functions[name] = node[2]
            self.uncalled[name] = scope.copy()
        elif kind == "((" or kind == "[[":
            self.test(node, place, scope)
        elif kind == "coproc":
            here = Place(place)
            here.background = True
            self.node(node[2], here, scope.copy(), joiner)
        else:
            self.compound(kind, node, place, scope)

    def compound(self, kind: str, node: Any, place: Place, scope: Scope) -> None:
        redirs = node[4] if kind in {"for", "select", "for(("} else node[-1]
        if redirs:
            subs: list[Any] = []
            place = Place(place)
            place.redirects = (*place.redirects, *self.redirects(redirs, scope, subs))
            self.substitutions(subs, place, scope, None)
        if kind == "{":
            self.list_(node[1], place, scope)
        elif kind == "(":
            here = Place(place)
            here.depth += 1
            self.list_(node[1], here, scope.copy())
        elif kind == "if":
            self.if_(node, place, scope)
        elif kind == "case":
            self.case(node, place, scope)
        else:
            self.loop(kind, node, place, scope)

    def if_(self, node: Any, place: Place, scope: Scope) -> None:
        ways = []
        for number, (condition, body) in enumerate(node[1]):
            test = Place(place)
            if number:
                test.branch = (*place.branch, "else")
            self.list_(condition, test, scope)
            here = Place(place)
            here.branch = (*place.branch, "if")
            way = scope.copy()
            self.list_(body, here, way)
            if not (body and self.left(body[-1][1])):
                ways.append(way)
        if node[2] is not None:
            here = Place(place)
            here.branch = (*place.branch, "else")
            self.list_(node[2], here, scope)
        ways.append(scope.copy())
        scope.become(ways)

    def case(self, node: Any, place: Place, scope: Scope) -> None:
        subs: list[Any] = []
        self.words([node[1]], scope, subs)
        self.substitutions(subs, place, scope, None)
        here = Place(place)
        here.branch = (*place.branch, "case")
        ways = [scope.copy()]
        for patterns, body in node[2]:
            subs = []
            self.words(patterns, scope, subs)
            self.substitutions(subs, here, scope, None)
            way = scope.copy()
            self.list_(body, here, way)
            ways.append(way)
        scope.become(ways)

    def test(self, node: Any, place: Place, scope: Scope) -> None:
        """[[ … ]] and (( … )): only their substitutions run; what they assign is no longer known."""
        subs: list[Any] = []
        if node[0] == "[[":
            self.words(node[1], scope, subs)
        else:
            gather(node[2], subs)
            self.forget(node[1], scope)
        self.redirects(node[-1], scope, subs)
        self.substitutions(subs, place, scope, None)

    @staticmethod
    def forget(source: str, scope: Scope) -> None:
        """An arithmetic text that assigns may have changed the variables it names."""
        if scope.variables and ("++" in source or "--" in source or "=" in source):
            text = "".join([c if c.isalnum() or c == "_" else " " for c in source])
            for name in text.split():
                if name in scope.variables:
                    scope.variables[name] = None

    # -- loops -----------------------------------------------------------------------------------------------------

    def loop(self, kind: str, node: Any, place: Place, scope: Scope) -> None:
        from hookwright.shell.parts import Loop

        loop = Loop("for" if kind == "for((" else kind, place.loop)
        here = Place(place)
        here.loop = loop
        first = len(self.calls)
        if kind == "while" or kind == "until":
            loop.endless = endless(kind, node[1])
            if not loop.endless and scope.variables:
                from hookwright.shell.values import turns

                loop.count = turns(kind, node[1], node[2], scope.variables)
            self.list_(node[1], here, scope)
            loop.condition = self.calls[first:]
            body = Place(here)
            if not loop.endless:
                body.branch = (*place.branch, kind)
            way = scope.copy()
            self.list_(node[2], body, way)
            scope.become([scope.copy(), way])
        elif kind == "for((":
            from hookwright.shell.values import counted

            subs: list[Any] = []
            gather(node[2], subs)
            self.substitutions(subs, place, scope, None)
            loop.count, loop.endless = counted(node[1], scope.variables)
            self.forget(node[1], scope)
            self.turn(node[3], here, scope)
        else:
            self.for_(loop, node, here, scope)
        loop.breaks = any(call.program in LEAVES for call in self.calls[first:])

    def for_(self, loop: Loop, node: Any, place: Place, scope: Scope) -> None:
        name = loop.variable = str(node[1])
        if node[2] is None:
            values = scope.variables.get("@")
        else:
            subs: list[Any] = []
            values = self.words(node[2], scope, subs)
            outside = Place(place)
            outside.loop = loop.outer
            self.substitutions(subs, outside, scope, None)
            if any(not value.literal or value.glob for value in values):
                loop.values = tuple(values)
                values = None
        if values is None or loop.kind == "select":
            scope.variables[name] = None
            self.turn(node[3], place, scope)
            return
        loop.values = tuple(values)
        loop.count = len(values)
        source = node[5]
        varies = "$" + name in source or "${" + name in source or any(sign in source for sign in CHANGES)
        if not varies or len(values) > UNROLLED or self.steps > MOST_STEPS:
            scope.variables[name] = values[0] if len(values) == 1 else None
            if values:
                self.turn(node[3], place, scope)
                scope.variables[name] = values[-1]
            return
        loop.unrolled = True
        for value in values:
            scope.variables[name] = value
            self.list_(node[3], place, scope)

    def turn(self, items: list[Any], place: Place, scope: Scope) -> None:
        """One turn that stands for several: what it changes is not known after it."""
        before = scope.copy()
        self.list_(items, place, scope)
        if scope.cwd != before.cwd:
            scope.cwd = None
        for name, value in scope.variables.items():
            if name not in before.variables or before.variables[name] != value:
                scope.variables[name] = None

    # -- calls -----------------------------------------------------------------------------------------------------

    def call(self, node: Any, place: Place, scope: Scope, joiner: str) -> None:
        subs: list[Any] = []
        words: list[Word] = []
        for word in node[1]:
            if word.__class__ is Word:
                words.append(word)
            else:
                words.extend(self.expand(word, scope, subs))
        self.steps += 1
        env: dict[str, Word] = {}
        for name, value, appends in node[2]:
            self.assign(name, value, appends, scope, subs, env if words else None)
        redirects = self.redirects(node[3], scope, subs) if node[3] else ()
        if not words and not redirects:
            self.substitutions(subs, place, scope, None)
            return
        if len(node) > 4:  # `time -v make`: bash would run `-v`; where `time` is a program, it is make that runs
            words.insert(0, node[4])
        call = Call(words, place, scope.cwd)
        if env:
            call.env = env
        if redirects:
            call.redirects = (*place.redirects, *redirects)
        if joiner:
            call.joiner = joiner
        if subs:
            self.substitutions(subs, place, scope, call)
        self.emit(call, scope)

    def emit(self, call: Call, scope: Scope) -> None:
        """Adds a call, with its wrappers removed and what it carries after it."""
        if call.wraps(self.command.scripts):
            from hookwright.shell.wrappers import unwrap

            unwrap(self, call, scope)
        elif self.files and call.words and call.path(call.words[0]) in self.files:
            from hookwright.shell.carriers import run_file

            run_file(self, call, scope, call.words[0])
        else:
            self.add(call, scope)

    def add(self, call: Call, scope: Scope) -> None:
        self.calls.append(call)
        place = call.place
        if place.pipe is not None:
            place.pipe[place.stage].append(call)
        program = call.program
        if call.redirects and program in WRITERS:
            self.written(call)
        if program in SETS:
            self.set(call, scope)
        elif self.functions and program in self.functions:
            self.called(call, scope)

    def written(self, call: Call) -> None:
        """Remembers a file whose whole text this command writes; it may run it later."""
        from hookwright.shell.values import text_written

        for target in call.writes:
            path = call.path(target)
            if path is not None:
                text = text_written(call)
                if text is not None:
                    self.files[path] = text
                else:
                    self.files.pop(path, None)

    def called(self, call: Call, scope: Scope) -> None:
        """A function's body runs with the words of its call."""
        name = call.program
        self.uncalled.pop(name, None)
        if name in self.active or self.steps > MOST_STEPS:
            return
        self.active.add(name)
        place = Place(call.place)
        place.function = name
        place.outer = call
        first = len(self.calls)
        positional = {key: value for key, value in scope.variables.items() if key.isdigit() or key == "@"}
        bind(scope.variables, call.words)
        self.node(self.functions[name], place, scope)
        bind(scope.variables, ())
        scope.variables.update(positional)
        call.inner = self.calls[first:]
        self.active.discard(name)

    def substitutions(self, subs: list[Any], place: Place, scope: Scope, owner: Call | None) -> None:
        for _, items, _source, quoted, opening in subs:
            here = Place(place)
            here.pipe = None
            here.redirects = ()
            here.depth += 1
            here.substitution = opening
            here.quoted = quoted
            here.owner = owner
            self.list_(items, here, scope.copy())

    def redirects(self, redirs: list[Any], scope: Scope, subs: list[Any]) -> Sequence[Redirect]:
        if not redirs:
            return ()
        from hookwright.shell.parts import Redirect

        found = []
        for op, fd, target, doc in redirs:
            text = None
            if doc is not None:
                text = self.text_of(doc.body, scope, subs) if doc.body is not None else Word("")
                word = target
            else:
                word = self.text_of(target, scope, subs)
                if op == "<" and target.__class__ is list and target[0][0] == "(":
                    text = self.printed(target[0], scope)
                elif op == "<<<":
                    text = Word(word + "\n")
                    text.literal = word.literal
            found.append(Redirect(op, fd, word, text))
        return found

    # -- variables and folder --------------------------------------------------------------------------------------

    def assign(
        self, name: str, value: Any, appends: bool, scope: Scope, subs: list[Any], env: dict[str, Word] | None
    ) -> None:
        known: Any
        if value.__class__ is list and (
            not value or (value[0].__class__ is not str and value[0].__class__ is not tuple)
        ):
            known = self.words(value, scope, subs)  # an array
            if any(not word.literal for word in known):
                known = None
        else:
            known = self.text_of(value, scope, subs)
        if "[" in name:
            scope.variables[name.partition("[")[0]] = None
            return
        if env is not None:
            if known.__class__ is Word:
                env[name] = known
            return
        variables = scope.variables
        if appends:
            before = variables.get(name)
            if before is None or known is None or before.__class__ is not known.__class__:
                known = None
            elif known.__class__ is Word:
                both = Word(before + known)
                both.literal = before.literal and known.literal
                both.home = before.home or known.home
                known = both
            else:
                known = before + known
        if known is not None and len(known) > (LONGEST if known.__class__ is Word else MOST_WORDS):
            known = None
        variables[name] = known

    def set(self, call: Call, scope: Scope) -> None:
        """Builtins that change what the shell knows."""
        for wrapper in call.wrappers:
            if wrapper.program not in {"command", "builtin", "time"}:
                return
        program = call.program
        variables = scope.variables
        words = call.words
        if program == "cd" or program == "pushd":
            self.change_folder(call, scope)
        elif program == "popd":
            scope.cwd = scope.former
        elif program in DECLARES:
            from hookwright.shell.reader import assignment

            for word in words[1:]:
                start = assignment(word)
                if start:
                    value = part(word, start)
                    if word[start : start + 1] == "~":
                        value.home = True
                    name = word[: start - 1]
                    variables[name] = value
                    if program == "export":
                        scope.exported |= {name}
                elif program == "export":
                    scope.exported |= {str(word)}
        elif program == "unset":
            for word in words[1:]:
                if word[:1] != "-":
                    variables[str(word)] = Word("")
        elif program == "set":
            if "--" in words:
                bind(variables, words[words.index("--") :])
                variables.pop("0", None)
        elif program == "shift":
            bind(variables, ())
        elif program == "printf":
            target = call.option("-v")
            if target:
                variables[str(target)] = None
        elif program == "let":
            self.forget(" ".join(words), scope)
        else:
            for word in words[1:]:
                if word in variables or word == "HOME":
                    variables[str(word)] = None
            text = call.stdin_text if program == "read" and call.redirects and call.place.loop is None else None
            if text is not None and text.literal and words[-1].isidentifier() and len(call.operands()) == 1:
                variables[str(words[-1])] = Word(text.partition("\n")[0].strip())

    @staticmethod
    def change_folder(call: Call, scope: Scope) -> None:
        operands = call.operands()
        former = scope.cwd
        if not operands:
            scope.cwd = "~" if call.program == "cd" else None
        elif operands[0] == "-":
            scope.cwd = scope.former
        elif not operands[0].literal or operands[0].glob or operands[0][:1] == "+":
            scope.cwd = None
        else:
            word = operands[0]
            if word[:1] == "/" or (word.home and word[:1] == "~"):
                scope.cwd = join("", word)
            elif scope.cwd is not None:
                scope.cwd = join(scope.cwd, word) if len(scope.cwd) < LONGEST_PATH else None
        scope.former = former

    # -- words -----------------------------------------------------------------------------------------------------

    def words(self, written: list[Any], scope: Scope, subs: list[Any]) -> list[Word]:
        found: list[Word] = []
        for word in written:
            if word.__class__ is Word:
                found.append(word)
            else:
                found.extend(self.expand(word, scope, subs))
        return found

    def text_of(self, word: Any, scope: Scope, subs: list[Any]) -> Word:
        """A word where the shell does not split: assignments, redirections, here-documents."""
        if word.__class__ is Word:
            return word
        fields = self.fields(word, scope, subs, splits=False)
        return fields[0] if fields else Word("")

    def expand(self, pieces: list[Any], scope: Scope, subs: list[Any]) -> list[Word]:
        """The words that one written word becomes."""
        for piece in pieces:
            if piece.__class__ is str and "{" in piece:
                from hookwright.shell.values import braces

                found = []
                for alternative in braces(pieces):
                    found.extend(self.fields(alternative, scope, subs, splits=True))
                return found
        return self.fields(pieces, scope, subs, splits=True)

    def fields(self, pieces: list[Any], scope: Scope, subs: list[Any], *, splits: bool) -> list[Word]:
        out: list[Word] = []
        text: list[str] = []
        literal = True
        quoted = glob = home = False
        ran: list[str] = []
        for piece in pieces:
            if piece.__class__ is str:
                if piece[0] == "~" and not text and not quoted:
                    home = True
                if "*" in piece or "?" in piece or "[" in piece:
                    glob = True
                text.append(piece)
                continue
            kind = piece[0]
            if kind == "'":
                text.append(piece[1])
                quoted = True
                continue
            if kind == "$":
                value = self.variable(piece, scope, subs)
                source = piece[2]
                in_quotes = piece[3]
            elif kind == "(":
                subs.append(piece)
                value = self.printed(piece, scope) if piece[4] != "<(" else None
                source = piece[2]
                in_quotes = piece[3]
            else:
                gather(piece[3], subs)
                value = None
                if piece[1][0] == "$":
                    from hookwright.shell.values import arithmetic

                    value = arithmetic(piece[1], scope.variables)
                source = piece[1]
                in_quotes = piece[2]
            if in_quotes:
                quoted = True
            if value is None:
                literal = False
                text.append(source)
                if kind == "(":
                    ran.append(source)
            elif value.__class__ is list:  # an array's words
                for number, item in enumerate(value):
                    if number and splits:
                        out.append(made("".join(text), literal, quoted, glob, home))
                        text = []
                        literal = True
                    elif number:
                        text.append(" ")
                    text.append(item)
                    home = item.home
                    literal = literal and item.literal
                if not value and not text:
                    quoted = False
            else:
                if not value.literal:
                    literal = False
                    ran.extend(value.ran)
                if value.home:
                    home = True
                if in_quotes or not splits or not value.literal:
                    text.append(value)
                else:
                    if "*" in value or "?" in value:
                        glob = True
                    split = value.split()
                    if value[:1] in BLANKS and text:
                        out.append(made("".join(text), literal, quoted, glob, home))
                        text = []
                        quoted = False
                    for number, more in enumerate(split):
                        if number:
                            out.append(made("".join(text), literal, quoted, glob, home))
                            text = []
                            quoted = False
                        text.append(more)
                    if split and value[-1] in BLANKS:
                        out.append(made("".join(text), literal, quoted, glob, home))
                        text = []
                        quoted = False
        if text or quoted or not splits:
            whole = "".join(text)
            if whole or quoted or not splits:
                out.append(made(whole, literal, quoted, glob, home))
                if ran:
                    out[-1].ran = tuple(ran)
        return out

    def variable(self, piece: Any, scope: Scope, subs: list[Any]) -> Any:
        """The value of $name or ${name…}: a Word, the words of an array, or None when not known."""
        _, name, source, _quoted, op, arg = piece
        if arg:
            gather(arg, subs)
        variables = scope.variables
        known = variables.get(name)
        if known is None:
            if name == "HOME" and name not in variables:
                known = Word("~")
                known.home = True
            elif name == "PWD" and scope.cwd is not None:
                known = Word(scope.cwd)
                known.home = known[:1] == "~"
            elif name == "IFS" and name not in variables:
                known = Word(" ")
            elif "[" in name:
                array, _, index = name.partition("[")
                words = variables.get(array)
                if words.__class__ is list:
                    if index == "@]" or index == "*]":
                        known = words
                    elif index[:-1].isdigit() and int(index[:-1]) < len(words):
                        known = words[int(index[:-1])]
        if known.__class__ is list and name[-1] not in "]@*":  # an array without subscript is its first word
            known = known[0] if known else None if op else Word("")
        if not op:
            return known
        from hookwright.shell.values import modified

        return modified(self, known, op, arg, scope, source)

    def printed(self, piece: Any, scope: Scope) -> Word | None:
        """What a substitution prints, when it is plain: `$(pwd)`, `$(echo x)`, `$(cat <<'EOF' …)`."""
        items = piece[1]
        if piece[4] == ">(" or len(items) != 1 or items[0][1][0] != "call":
            return None
        _, words, assigns, redirs = items[0][1][:4]
        if assigns or not words or words[0].__class__ is not Word:
            return None
        program = words[0]
        if program == "pwd" and not redirs:
            if scope.cwd is None:
                return None
            here = Word(scope.cwd)
            here.home = here[:1] == "~"
            return here
        if program not in {"echo", "printf", "cat", "seq", "basename", "dirname"}:
            return None
        from hookwright.shell.values import output

        call = Call(self.words(words, scope, []), TOP, scope.cwd)
        call.redirects = self.redirects(redirs, scope, [])
        text = output(call)
        if text is None:
            return None
        stripped = Word(text.rstrip("\n"))
        stripped.literal = text.literal
        stripped.home = text.home
        return stripped


def made(text: str, literal: bool, quoted: bool, glob: bool, home: bool) -> Word:
    word = Word(text)
    if not literal:
        word.literal = False
    if quoted:
        word.quoted = True
    if glob:
        word.glob = True
    if home:
        word.home = True
    return word


def gather(pieces: Any, subs: list[Any]) -> None:
    """The substitutions inside pieces, however deep."""
    for piece in pieces:
        if piece.__class__ is tuple:
            if piece[0] == "(":
                subs.append(piece)
            elif piece[0] == "$":
                if piece[5]:
                    gather(piece[5], subs)
            elif piece[0] == "((":
                gather(piece[3], subs)


def bind(variables: dict[str, Any], words: Sequence[Word]) -> None:
    """The positional parameters, $0 first. Nothing bound means nothing known."""
    for name in [name for name in variables if name.isdigit()]:
        del variables[name]
    for name in "@*#":
        variables.pop(name, None)
    if words and len(words) <= MOST_WORDS:
        for number in range(len(words)):
            variables[str(number)] = words[number]
        for number in range(len(words), 10):
            variables[str(number)] = Word("")
        variables["#"] = Word(str(len(words) - 1))
        variables["@"] = variables["*"] = list(words[1:])


def endless(kind: str, condition: list[Any]) -> bool:
    """While true, while :, while [ 1 ], until false."""
    if len(condition) != 1:
        return False
    node = condition[0][1]
    if node[0] == "((":
        return kind == "while" and node[1].strip() in {"1", "true"}
    if node[0] not in {"call", "[["} or not node[1] or any(word.__class__ is not Word for word in node[1]):
        return False
    text = " ".join(node[1])
    if kind == "until":
        return text in {"false", "! true", "[ ]"}
    return text in {"true", ":", "[ 1 ]", "[ true ]", "1", "true ]]", "test 1", "[ : ]", "/bin/true"}
