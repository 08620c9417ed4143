"""Command: a command line and the calls that it would make.

text → [one plain call here | fast_parser.py | parser.py → evaluator.py] → calls
Never raises for text that it cannot parse: `Command.problem` describes the error, and `calls` holds what was parsed
before it.
"""

from __future__ import annotations

from hookwright.shell.call import HARD, KEYWORDS, TOP, Call as Call, Word as Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import ScriptResolver

# A text without any of these, and whose first word is no reserved word, is one call of plain words.
SPECIAL = frozenset("\n\r\0'\"\\$`;&|<>(){}#~*?[=!")


class Command:
    """A command line and what it would run; parsed when `calls` or `problem` is first asked for.

    `cwd` and `home` are absolute when known. `scripts` looks up what project tasks run
    (project_scripts.find_script.Project); without it `npm run x` stays a call of npm.
    """

    __slots__ = ("_calls", "cwd", "doubtful", "home", "scripts", "text", "trouble")

    def __init__(self, text: str, cwd: str = ".", home: str = "", scripts: ScriptResolver | None = None) -> None:
        self.text = text
        self.cwd = cwd
        self.home = home
        self.scripts = scripts
        self.trouble: str | None = None  # set while parsing; read `problem`
        self.doubtful: list[Call] | None = []  # with a problem: the calls of the text that has it; None: all calls
        self._calls: list[Call] | None = None

    def __repr__(self) -> str:
        return f"Command({self.text!r})"

    @property
    def calls(self) -> list[Call]:
        """Every call, wrappers removed, in the order of the text; a substitution's calls precede its owner."""
        calls = self._calls
        if calls is None:
            calls = self._calls = self._parse_calls()
        return calls

    @property
    def problem(self) -> str | None:
        """What could not be parsed, in a sentence; `calls` then holds the calls before it."""
        if self._calls is None:
            self._calls = self._parse_calls()
        return self.trouble

    def _parse_calls(self) -> list[Call]:
        text = self.text
        if SPECIAL.isdisjoint(text):
            words = list(map(Word, text.split()))
            if not words:
                return []
            if words[0] not in KEYWORDS:
                call = Call(words, TOP, self.cwd)
                if not call.wraps(self.scripts):
                    return [call]
                if call.wraps(None):
                    from hookwright.shell.evaluator import walk_wrapped_call

                    return walk_wrapped_call(self, call)
        if HARD.isdisjoint(text):
            from hookwright.shell.fast_parser import parse_plain

            calls = parse_plain(self)
            if calls is not None:
                return calls
        from hookwright.shell.evaluator import walk

        return walk(self)

    def calls_of(self, program: str, *verbs: str) -> list[Call]:
        """The calls of one program: `command.calls_of("git", "push")`."""
        return [call for call in self.calls if call.program == program and call.is_(program, *verbs)]

    @property
    def programs(self) -> set[str]:
        """The names of all programs that it calls, to choose the rules to run."""
        return {call.program for call in self.calls}


_last = _last_with_scripts = Command("")


def parse_cached(text: str, cwd: str = ".", home: str = "", *, scripts: bool = False) -> Command:
    """The parsed command; all hooks of an event that ask for the same one share one object.

    With `scripts` the project's files are read to find what its tasks run.
    """
    global _last, _last_with_scripts  # noqa: PLW0603  the last one is all that an event needs
    last = _last_with_scripts if scripts else _last
    if last.text == text and last.cwd == cwd and last.home == home:
        return last
    if scripts:
        from hookwright.shell.project_scripts.find_script import Project

        _last_with_scripts = Command(text, cwd, home, Project())
        return _last_with_scripts
    _last = Command(text, cwd, home)
    return _last
