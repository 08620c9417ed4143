"""The evaluator, tree → calls: follows variables, `cd`, loops, branches and functions as far as they are literal.

parser.py → [Walker] → wrappers.py, nested_commands.py → Command.calls
Nothing is executed. A word is literal only when every path to it gives it the same text.
"""

from __future__ import annotations

from hookwright.shell.call import TOO_DEEP, TOP, Call, CallContext, Word, join_path, slice_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookwright.shell.command import Command
    from hookwright.shell.redirects import Loop, Redirect

MAX_UNROLLED = 64  # iterations of a literal loop that are walked one by one
MAX_STEPS = 4000  # walked calls after which loops and functions are no longer unrolled
MAX_VARIABLE_CHARS = 65536  # of a variable whose value is still followed
MAX_WORDS = 1024  # of an array, or arguments of a function, that are still followed
MAX_PATH_CHARS = 4096
MAX_SHELL_DEPTH = 8  # nested shells: sh -c, eval, project scripts
DECLARING_BUILTINS = frozenset(("export", "declare", "local", "readonly", "typeset"))
WRITERS = frozenset(("cat", "echo", "printf", "tee"))
COPIERS = frozenset(("mv", "cp", "install", "ln"))
INTERPRETERS = frozenset("python pypy ipython node nodejs deno bun tsx ts-node ruby perl php lua Rscript".split())
TASK_FILES = {
    **dict.fromkeys(("make", "gmake"), ("Makefile", "makefile", "GNUmakefile")),
    "just": ("justfile", "Justfile", ".justfile"),
}
STATE_BUILTINS = DECLARING_BUILTINS | {
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
# Substrings of a loop body whose iterations may differ.
STATE_CHANGING_TEXT = ("=", "cd", "popd", "read", "((", "let", "set", "shift")
BLANKS = frozenset(" \t\n")
LOOP_EXITS = frozenset(("break", "exit", "return"))


class Scope:
    """The state of one shell: its variables (None: unknown) and its folder."""

    __slots__ = ("cwd", "exported", "previous_cwd", "variables")

    def __init__(self, cwd: str | None, variables: dict[str, Any], exported: frozenset[str] = frozenset()) -> None:
        self.cwd = cwd
        self.previous_cwd: str | None = None
        self.variables = variables
        self.exported = exported

    def copy(self) -> Scope:
        scope = Scope(self.cwd, self.variables.copy(), self.exported)
        scope.previous_cwd = self.previous_cwd
        return scope

    @staticmethod
    def new_shell(
        cwd: str | None, variables: dict[str, Any] | None = None, exported: frozenset[str] = frozenset()
    ) -> Scope:
        """What another shell knows: this folder and these variables only."""
        return Scope(cwd, {} if variables is None else variables, exported)

    def bind_positional(self, words: Sequence[Word]) -> None:
        """Set the positional parameters, $0 first; no words: they are unknown."""
        variables = self.variables
        for name in [name for name in variables if name.isdigit()]:
            del variables[name]
        for name in "@*#":
            variables.pop(name, None)
        if words and len(words) <= MAX_WORDS:
            for number in range(len(words)):
                variables[str(number)] = words[number]
            for number in range(len(words), 10):
                variables[str(number)] = Word("")
            variables["#"] = Word(str(len(words) - 1))
            variables["@"] = variables["*"] = list(words[1:])

    def merge_branches(self, ways: list[Scope]) -> None:
        """Continue after a branch: only what all branches agree on stays known."""
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
    """The calls of a command, by the full grammar."""
    walker = Walker(command)
    walker.walk_text(command.text, TOP, Scope(command.cwd, {}))
    return walker.calls


def walk_wrapped_call(command: Command, call: Call) -> list[Call]:
    """The calls behind a plain call that wraps another one."""
    walker = Walker(command)
    walker.unwrap(call, Scope(command.cwd, {}))
    return walker.calls


class Walker:
    """One walk over the tree of one command line; collects its calls."""

    __slots__ = ("active", "calls", "command", "files", "functions", "script_chars", "shells", "steps", "uncalled")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.calls: list[Call] = []
        self.functions: dict[str, Any] = {}
        self.uncalled: dict[str, Scope] = {}
        self.active: set[str] = set()
        self.files: dict[str, Word] = {}  # path → text of the files that this command itself has written
        self.steps = 0
        self.script_chars = 0  # of the project scripts that were walked
        self.shells = 0

    @property
    def is_over_budget(self) -> bool:
        """Whether so many calls were walked that loops, functions and scripts are no longer unrolled."""
        return self.steps > MAX_STEPS

    def walk_text(self, text: str, place: CallContext, scope: Scope) -> None:
        """Parse a text and walk it; at the end of the command also the functions that nothing has called."""
        from hookwright.shell.parser import parse

        items, problem = parse(text)
        first = len(self.calls)
        if problem and not self.shells:
            self.note_problem(problem, None)
        self.walk_list(items, place, scope)
        if problem and self.shells:
            self.note_problem(problem, self.calls[first:])
        while self.uncalled and not self.shells:
            name, seen = self.uncalled.popitem()
            inside = CallContext(place)
            inside.function = name
            inside.branch = (*place.branch, "function")
            self.active.add(name)
            self.walk_node(self.functions[name], inside, seen)
            self.active.discard(name)

    def walk_nested(self, text: str, place: CallContext, scope: Scope) -> list[Call]:
        """Walk the text of a nested command; returns its calls, which are also in `calls`."""
        if self.shells >= MAX_SHELL_DEPTH:
            self.note_problem(f"its shells are {TOO_DEEP}", [])
            return []
        self.shells += 1
        first = len(self.calls)
        self.walk_text(text, place, scope)
        self.shells -= 1
        return self.calls[first:]

    def note_problem(self, problem: str, calls: list[Call] | None) -> None:
        """Keep the first problem, and the calls that it makes doubtful; None: all, the command's own text has it."""
        command = self.command
        if command.trouble is None:
            command.trouble = problem
        if calls is None:
            command.doubtful = None
        elif command.doubtful is not None:
            command.doubtful.extend(calls)

    # -- structure -------------------------------------------------------------------------------------------------

    def walk_list(self, items: list[Any], place: CallContext, scope: Scope) -> None:
        for joiner, node, background in items:
            here = place
            if background or joiner == "||":
                here = CallContext(place)
                if background:
                    here.background = True
                    self.walk_node(node, here, scope.copy(), joiner)
                    continue
                here.branch = (*place.branch, "||")
                before = scope.copy()
                self.walk_node(node, here, scope, joiner)
                if not self.ends_list(node):
                    scope.merge_branches([scope.copy(), before])
                else:
                    scope.merge_branches([before])
            elif node[0] == "call":
                self.walk_call(node, place, scope, joiner)
            else:
                self.walk_node(node, place, scope, joiner)

    @staticmethod
    def ends_list(node: Any) -> bool:
        """Whether a node ends the list that it is in: exit, return, break, continue."""
        if node[0] == "{" and node[1]:
            node = node[1][-1][1]
        return node[0] == "call" and bool(node[1]) and node[1][0] in ("exit", "return", "break", "continue")

    def walk_node(self, node: Any, place: CallContext, scope: Scope, joiner: str = "") -> None:
        kind = node[0]
        if kind == "call":
            self.walk_call(node, place, scope, joiner)
        elif kind == "|":
            pipe: list[list[Call]] = []
            for stage, stage_node in enumerate(node[1]):
                pipe.append([])
                here = CallContext(place)
                here.pipe = pipe
                here.stage = stage
                self.walk_node(stage_node, here, scope.copy(), joiner)
        elif kind == "function":
            name = str(node[1])
            self.functions[name] = node[2]
            self.uncalled[name] = scope.copy()
        elif kind == "((" or kind == "[[":
            self.walk_test(node, place, scope)
        elif kind == "coproc":
            here = CallContext(place)
            here.background = True
            self.walk_node(node[2], here, scope.copy(), joiner)
        else:
            self.walk_compound(kind, node, place, scope)

    def walk_compound(self, kind: str, node: Any, place: CallContext, scope: Scope) -> None:
        redirs = node[4] if kind in {"for", "select", "for(("} else node[-1]
        if redirs:
            subs: list[Any] = []
            place = CallContext(place)
            place.redirects = (*place.redirects, *self.expand_redirects(redirs, scope, subs))
            self.walk_substitutions(subs, place, scope, None)
        if kind == "{":
            self.walk_list(node[1], place, scope)
        elif kind == "(":
            here = CallContext(place)
            here.depth += 1
            self.walk_list(node[1], here, scope.copy())
        elif kind == "if":
            self.walk_if(node, place, scope)
        elif kind == "case":
            self.walk_case(node, place, scope)
        else:
            self.walk_loop(kind, node, place, scope)

    def walk_if(self, node: Any, place: CallContext, scope: Scope) -> None:
        ways = []
        for number, (condition, body) in enumerate(node[1]):
            test = CallContext(place)
            if number:
                test.branch = (*place.branch, "else")
            self.walk_list(condition, test, scope)
            here = CallContext(place)
            here.branch = (*place.branch, "if")
            way = scope.copy()
            self.walk_list(body, here, way)
            if not (body and self.ends_list(body[-1][1])):
                ways.append(way)
        if node[2] is not None:
            here = CallContext(place)
            here.branch = (*place.branch, "else")
            self.walk_list(node[2], here, scope)
        ways.append(scope.copy())
        scope.merge_branches(ways)

    def walk_case(self, node: Any, place: CallContext, scope: Scope) -> None:
        subs: list[Any] = []
        self.expand_words([node[1]], scope, subs)
        self.walk_substitutions(subs, place, scope, None)
        here = CallContext(place)
        here.branch = (*place.branch, "case")
        ways = [scope.copy()]
        for patterns, body in node[2]:
            subs = []
            self.expand_words(patterns, scope, subs)
            self.walk_substitutions(subs, here, scope, None)
            way = scope.copy()
            self.walk_list(body, here, way)
            ways.append(way)
        scope.merge_branches(ways)

    def walk_test(self, node: Any, place: CallContext, scope: Scope) -> None:
        """`[[ … ]]` and `(( … ))`: only their substitutions run; variables that they assign become unknown."""
        subs: list[Any] = []
        if node[0] == "[[":
            self.expand_words(node[1], scope, subs)
        else:
            collect_substitutions(node[2], subs)
            self.forget_assigned(node[1], scope)
        self.expand_redirects(node[-1], scope, subs)
        self.walk_substitutions(subs, place, scope, None)

    @staticmethod
    def forget_assigned(source: str, scope: Scope) -> None:
        """Variables in an arithmetic text that assigns become unknown."""
        if scope.variables and ("++" in source or "--" in source or "=" in source):
            text = "".join([c if c.isalnum() or c == "_" else " " for c in source])
            for name in text.split():
                if name in scope.variables:
                    scope.variables[name] = None

    # -- loops -----------------------------------------------------------------------------------------------------

    def walk_loop(self, kind: str, node: Any, place: CallContext, scope: Scope) -> None:
        from hookwright.shell.redirects import Loop

        loop = Loop("for" if kind == "for((" else kind, place.loop)
        here = CallContext(place)
        here.loop = loop
        first = len(self.calls)
        if kind == "while" or kind == "until":
            loop.endless = is_endless(kind, node[1])
            if not loop.endless and scope.variables:
                from hookwright.shell.expansion import count_while_iterations

                loop.count = count_while_iterations(kind, node[1], node[2], scope.variables)
            self.walk_list(node[1], here, scope)
            loop.condition = self.calls[first:]
            body = CallContext(here)
            if not loop.endless:
                body.branch = (*place.branch, kind)
            way = scope.copy()
            self.walk_list(node[2], body, way)
            scope.merge_branches([scope.copy(), way])
        elif kind == "for((":
            from hookwright.shell.expansion import count_for_iterations

            subs: list[Any] = []
            collect_substitutions(node[2], subs)
            self.walk_substitutions(subs, place, scope, None)
            loop.count, loop.endless = count_for_iterations(node[1], scope.variables)
            self.forget_assigned(node[1], scope)
            self.walk_loop_body(node[3], here, scope)
        else:
            self.walk_for(loop, node, here, scope)
        loop.breaks = any(call.program in LOOP_EXITS for call in self.calls[first:])

    def walk_for(self, loop: Loop, node: Any, place: CallContext, scope: Scope) -> None:
        name = loop.variable = str(node[1])
        if node[2] is None:
            values = scope.variables.get("@")
        else:
            subs: list[Any] = []
            values = self.expand_words(node[2], scope, subs)
            outside = CallContext(place)
            outside.loop = loop.outer
            self.walk_substitutions(subs, outside, scope, None)
            if any(not value.literal or value.glob for value in values):
                loop.values = tuple(values)
                values = None
        if values is None or loop.kind == "select":
            scope.variables[name] = None
            self.walk_loop_body(node[3], place, scope)
            return
        loop.values = tuple(values)
        loop.count = len(values)
        source = node[5]
        varies = "$" + name in source or "${" + name in source or any(sign in source for sign in STATE_CHANGING_TEXT)
        if not varies or len(values) > MAX_UNROLLED or self.is_over_budget:
            scope.variables[name] = values[0] if len(values) == 1 else None
            if values:
                self.walk_loop_body(node[3], place, scope)
                scope.variables[name] = values[-1]
            return
        loop.unrolled = True
        for value in values:
            scope.variables[name] = value
            self.walk_list(node[3], place, scope)

    def walk_loop_body(self, items: list[Any], place: CallContext, scope: Scope) -> None:
        """Walk a loop body once for all iterations: what it changes is unknown afterwards."""
        before = scope.copy()
        self.walk_list(items, place, scope)
        if scope.cwd != before.cwd:
            scope.cwd = None
        for name, value in scope.variables.items():
            if name not in before.variables or before.variables[name] != value:
                scope.variables[name] = None

    # -- calls -----------------------------------------------------------------------------------------------------

    def walk_call(self, node: Any, place: CallContext, scope: Scope, joiner: str) -> None:
        subs: list[Any] = []
        words: list[Word] = []
        for word in node[1]:
            if word.__class__ is Word:
                words.append(word)
            else:
                words.extend(self.expand_word(word, scope, subs))
        self.steps += 1
        env: dict[str, Word] = {}
        for name, value, appends in node[2]:
            self.assign_variable(name, value, appends, scope, subs, env if words else None)
        redirects = self.expand_redirects(node[3], scope, subs) if node[3] else ()
        if not words and not redirects:
            self.walk_substitutions(subs, place, scope, None)
            return
        if len(node) > 4:  # `time -v make`: bash would run `-v`; with time(1) it is make that runs
            words.insert(0, node[4])
        call = Call(words, place, scope.cwd)
        if env:
            call.env = env
        if redirects:
            call.redirects = (*place.redirects, *redirects)
        if joiner:
            call.joiner = joiner
        if subs:
            self.walk_substitutions(subs, place, scope, call)
        self.emit_call(call, scope)

    def emit_call(self, call: Call, scope: Scope) -> None:
        """Add a call with its wrappers removed, and its nested commands after it."""
        if call.wraps(self.command.scripts):
            self.unwrap(call, scope)
        elif not (self.files and self.runs_written_file(call, scope)):
            self.add_call(call, scope)

    def runs_written_file(self, call: Call, scope: Scope) -> bool:
        """Add a call that runs a file which this command has written itself, with what is in it; False for others."""
        words = call.words
        if not words:
            return False
        if call.path(words[0]) in self.files:
            from hookwright.shell.nested_commands import walk_written_file

            walk_written_file(self, call, scope, words[0])
            return True
        if call.program in TASK_FILES:
            folder = call.option("-C", "--directory")
            for name in TASK_FILES[call.program]:
                path = join_path((call.cwd if folder is None else call.path(folder)) or ".", name)
                if path in self.files:
                    from hookwright.shell.nested_commands import walk_written_tasks

                    walk_written_tasks(self, call, scope, self.files[path])
                    return True
        if call.program.rstrip("0123456789.") in INTERPRETERS:
            for word in words[1:]:
                if word[:1] == "-":
                    continue
                if call.path(word) in self.files:
                    from hookwright.shell.nested_commands import walk_written_code

                    walk_written_code(self, call, scope, word)
                    return True
                break
        return False

    def unwrap(self, call: Call, scope: Scope) -> None:
        """Add the call behind its wrappers; a program that runs nested commands adds them itself."""
        from hookwright.shell.wrappers import (
            MAX_WRAPPERS,
            PLAIN,
            REMOVERS,
            RUNNERS,
            STDIN_SHELLS,
            TOOLS,
            remove_wrapper,
            strip_version,
        )

        scripts = self.command.scripts
        for _ in range(MAX_WRAPPERS):
            if not call.wraps(scripts):
                break
            program = call.program
            found: Call | None
            if program in REMOVERS:
                found = REMOVERS[program](call)
            elif program in TOOLS and scripts is None and "-c" not in call.words and "--call" not in call.words:
                found = strip_version(call, remove_wrapper(call))
            elif program not in TOOLS and (program in PLAIN or program in RUNNERS):
                found = remove_wrapper(call)
            else:
                from hookwright.shell.nested_commands import HANDLERS

                found = HANDLERS[program](self, call, scope)
                if found is None:
                    return
            if found is call:
                if program in STDIN_SHELLS and call.stdin_text is not None:
                    from hookwright.shell.nested_commands import walk_stdin

                    walk_stdin(self, call, scope)
                    return
                break
            call = found
        else:
            if call.wraps(scripts):
                self.note_problem(f"its wrappers are {TOO_DEEP}", [])
        if not (self.files and self.runs_written_file(call, scope)):
            self.add_call(call, scope)

    def add_call(self, call: Call, scope: Scope) -> None:
        """Append a call and apply its effect on the shell's state."""
        self.calls.append(call)
        place = call.place
        if place.pipe is not None:
            place.pipe[place.stage].append(call)
        program = call.program
        if program in WRITERS and (call.redirects or program == "tee"):
            self.record_written_file(call)
        elif self.files and program in COPIERS:
            self.record_copied_file(call)
        if program in STATE_BUILTINS:
            self.apply_builtin(call, scope)
        elif self.functions and program in self.functions:
            self.walk_function_body(call, scope)

    def record_written_file(self, call: Call) -> None:
        """Remember the text of a file that this command writes: it may run it later."""
        from hookwright.shell.simulated_output import predict_written_text

        targets = [(redirect.target, redirect.op == ">>") for redirect in call.redirects if redirect.writes]
        if call.program == "tee":
            targets += [(word, call.has_flag("-a", "--append")) for word in call.operands()]
        for target, appends in targets:
            path = call.path(target)
            if path is not None:
                text = predict_written_text(call)
                if text is not None and appends and path in self.files:
                    text = call.derive_word(self.files[path] + text, (self.files[path], text))
                if text is not None:
                    self.files[path] = text
                else:
                    self.files.pop(path, None)

    def record_copied_file(self, call: Call) -> None:
        """`mv a.txt a.sh`: a file that this command has written is known by its new name too."""
        operands = call.operands("-m", "--mode", "-o", "-g")
        for word in operands[:-1]:
            text = self.files.get(call.path(word) or "")
            target = call.path(operands[-1])
            if text is not None and target is not None:
                self.files[target] = text
                self.files[target + "/" + word.rpartition("/")[2]] = text

    def walk_function_body(self, call: Call, scope: Scope) -> None:
        """Walk the body of a called function with the arguments of the call."""
        name = call.program
        self.uncalled.pop(name, None)
        if name in self.active or self.is_over_budget:
            return
        self.active.add(name)
        place = CallContext(call.place)
        place.function = name
        place.outer = call
        first = len(self.calls)
        positional = {key: value for key, value in scope.variables.items() if key.isdigit() or key == "@"}
        scope.bind_positional(call.words)
        self.walk_node(self.functions[name], place, scope)
        scope.bind_positional(())
        scope.variables.update(positional)
        call.inner = self.calls[first:]
        self.active.discard(name)

    def walk_substitutions(self, subs: list[Any], place: CallContext, scope: Scope, owner: Call | None) -> None:
        for _, items, _source, quoted, opening in subs:
            here = CallContext(place)
            here.pipe = None
            here.redirects = ()
            here.depth += 1
            here.substitution = opening
            here.quoted = quoted
            here.owner = owner
            self.walk_list(items, here, scope.copy())

    def expand_redirects(self, redirs: list[Any], scope: Scope, subs: list[Any]) -> Sequence[Redirect]:
        if not redirs:
            return ()
        from hookwright.shell.redirects import Redirect

        found = []
        for op, fd, target, doc in redirs:
            text = None
            if doc is not None:
                text = self.expand_unsplit(doc.body, scope, subs) if doc.body is not None else Word("")
                word = target
            else:
                word = self.expand_unsplit(target, scope, subs)
                if op == "<" and target.__class__ is list and target[0][0] == "(":
                    text = self.predict_substitution(target[0], scope)
                elif op == "<<<":
                    text = Word(word + "\n")
                    text.literal = word.literal
            found.append(Redirect(op, fd, word, text))
        return found

    # -- variables and cwd -----------------------------------------------------------------------------------------

    def assign_variable(
        self, name: str, value: Any, appends: bool, scope: Scope, subs: list[Any], env: dict[str, Word] | None
    ) -> None:
        """`name=value` or `name+=value`: into `env` in front of a call, else into the shell's variables."""
        known: Any
        if value.__class__ is list and (
            not value or (value[0].__class__ is not str and value[0].__class__ is not tuple)
        ):
            known = self.expand_words(value, scope, subs)  # an array
            if any(not word.literal for word in known):
                known = None
        else:
            known = self.expand_unsplit(value, scope, subs)
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
        if known is not None and len(known) > (MAX_VARIABLE_CHARS if known.__class__ is Word else MAX_WORDS):
            known = None
        variables[name] = known

    def apply_builtin(self, call: Call, scope: Scope) -> None:
        """Apply a builtin that changes variables or the folder."""
        for wrapper in call.wrappers:
            if wrapper.program not in {"command", "builtin", "time"}:
                return
        program = call.program
        variables = scope.variables
        words = call.words
        if program == "cd" or program == "pushd":
            self.change_directory(call, scope)
        elif program == "popd":
            scope.cwd = scope.previous_cwd
        elif program in DECLARING_BUILTINS:
            from hookwright.shell.parser import find_value_start

            for word in words[1:]:
                start = find_value_start(word)
                if start:
                    value = slice_from(word, start)
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
                scope.bind_positional(words[words.index("--") :])
                variables.pop("0", None)
        elif program == "shift":
            scope.bind_positional(())
        elif program == "printf":
            target = call.option("-v")
            if target:
                variables[str(target)] = None
        elif program == "let":
            self.forget_assigned(" ".join(words), scope)
        else:
            for word in words[1:]:
                if word in variables or word == "HOME":
                    variables[str(word)] = None
            text = call.stdin_text if program == "read" and call.redirects and call.place.loop is None else None
            if text is not None and text.literal and words[-1].isidentifier() and len(call.operands()) == 1:
                variables[str(words[-1])] = Word(text.partition("\n")[0].strip())

    @staticmethod
    def change_directory(call: Call, scope: Scope) -> None:
        operands = call.operands()
        before = scope.cwd
        if not operands:
            scope.cwd = "~" if call.program == "cd" else None
        elif operands[0] == "-":
            scope.cwd = scope.previous_cwd
        elif not operands[0].literal or operands[0].glob or operands[0][:1] == "+":
            scope.cwd = None
        else:
            word = operands[0]
            if word[:1] == "/" or (word.home and word[:1] == "~"):
                scope.cwd = join_path("", word)
            elif scope.cwd is not None:
                scope.cwd = join_path(scope.cwd, word) if len(scope.cwd) < MAX_PATH_CHARS else None
        scope.previous_cwd = before

    # -- words -----------------------------------------------------------------------------------------------------

    def expand_words(self, written: list[Any], scope: Scope, subs: list[Any]) -> list[Word]:
        found: list[Word] = []
        for word in written:
            if word.__class__ is Word:
                found.append(word)
            else:
                found.extend(self.expand_word(word, scope, subs))
        return found

    def expand_unsplit(self, word: Any, scope: Scope, subs: list[Any]) -> Word:
        """Expand a word without field splitting: in assignments, redirections and here-documents."""
        if word.__class__ is Word:
            return word
        fields = self.expand_fields(word, scope, subs, splits=False)
        return fields[0] if fields else Word("")

    def expand_word(self, pieces: list[Any], scope: Scope, subs: list[Any]) -> list[Word]:
        """Expand one word: brace expansion, then parameters and substitutions, then field splitting."""
        for piece in pieces:
            if piece.__class__ is str and "{" in piece:
                from hookwright.shell.expansion import expand_braces

                found = []
                for alternative in expand_braces(pieces):
                    found.extend(self.expand_fields(alternative, scope, subs, splits=True))
                return found
        return self.expand_fields(pieces, scope, subs, splits=True)

    def expand_fields(self, pieces: list[Any], scope: Scope, subs: list[Any], *, splits: bool) -> list[Word]:
        """The fields that the pieces of a word expand to; with `splits` unquoted values are split at blanks.

        Quoted text stays one field, `"${array[@]}"` is one field an element, and an unknown value stays as written and
        makes its field not literal. Substitutions that occur are appended to `subs`.
        """
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
                value = self.expand_variable(piece, scope, subs)
                source = piece[2]
                in_quotes = piece[3]
            elif kind == "(":
                subs.append(piece)
                value = self.predict_substitution(piece, scope) if piece[4] != "<(" else None
                source = piece[2]
                in_quotes = piece[3]
            else:
                collect_substitutions(piece[3], subs)
                value = None
                if piece[1][0] == "$":
                    from hookwright.shell.expansion import expand_arithmetic

                    value = expand_arithmetic(piece[1], scope.variables)
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
                        out.append(make_word("".join(text), literal, quoted, glob, home))
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
                        out.append(make_word("".join(text), literal, quoted, glob, home))
                        text = []
                        quoted = False
                    for number, more in enumerate(split):
                        if number:
                            out.append(make_word("".join(text), literal, quoted, glob, home))
                            text = []
                            quoted = False
                        text.append(more)
                    if split and value[-1] in BLANKS:
                        out.append(make_word("".join(text), literal, quoted, glob, home))
                        text = []
                        quoted = False
        if text or quoted or not splits:
            whole = "".join(text)
            if whole or quoted or not splits:
                out.append(make_word(whole, literal, quoted, glob, home))
                if ran:
                    out[-1].ran = tuple(ran)
        return out

    def expand_variable(self, piece: Any, scope: Scope, subs: list[Any]) -> Any:
        """The value of $name or ${name…}: a Word, the words of an array, or None when unknown."""
        _, name, source, _quoted, op, arg = piece
        if arg:
            collect_substitutions(arg, subs)
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
        if known.__class__ is list and name[-1] not in "]@*":  # an array without a subscript is its first element
            known = known[0] if known else None if op else Word("")
        if not op:
            return known
        from hookwright.shell.expansion import apply_parameter_operator

        return apply_parameter_operator(self, known, op, arg, scope, source)

    def predict_substitution(self, piece: Any, scope: Scope) -> Word | None:
        """The output of a plain substitution: `$(pwd)`, `$(echo x)`, `$(cat <<'EOF' …)`; None when unknown."""
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
        from hookwright.shell.simulated_output import predict_stdout

        call = Call(self.expand_words(words, scope, []), TOP, scope.cwd)
        call.redirects = self.expand_redirects(redirs, scope, [])
        text = predict_stdout(call)
        if text is None:
            return None
        stripped = Word(text.rstrip("\n"))
        stripped.literal = text.literal
        stripped.home = text.home
        return stripped


def make_word(text: str, literal: bool, quoted: bool, glob: bool, home: bool) -> Word:
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


def collect_substitutions(pieces: Any, subs: list[Any]) -> None:
    """Append the substitutions inside pieces, at any depth, to `subs`."""
    for piece in pieces:
        if piece.__class__ is tuple:
            if piece[0] == "(":
                subs.append(piece)
            elif piece[0] == "$":
                if piece[5]:
                    collect_substitutions(piece[5], subs)
            elif piece[0] == "((":
                collect_substitutions(piece[3], subs)


def is_endless(kind: str, condition: list[Any]) -> bool:
    """Whether a loop condition is constant: while true, while :, while [ 1 ], until false."""
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
