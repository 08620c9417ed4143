"""Programs that may run long, one family a file: what their words say about how long they keep the foreground.

duration.py → families.py (program → family) → [programs/<family>.py] → (verdict, work, evidence)
A program that no family knows is quick, so a command of plain tools loads no family at all. A family's `PROGRAMS`
says for each of its programs: a row (always the same answer), a table (verb → row) or a function of the call. A row:

    ("force",   "install", "installs packages")    surely long, endless, or waiting for a person
    ("suggest", "test",    "runs a test suite")    may well take more than half a minute
    ("none",    "test",    "runs one test")        quick, and why; None where there is nothing to say
    (45.0,      "follow",  "pings 45 times")       seconds that its own words tell

The second word is the kind of work: install, build, test, check, server, watch, follow, terminal, sleep, wait,
download, transfer, vcs, container, infra, database, job or script. The examples in a family's docstring are its
tests and its part of docs/families.md.
"""

from __future__ import annotations

from hookwright.shell.command import Call, Word
from hookwright.shell.families import family_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    Row = tuple[str | float, str, str]
    Table = dict[str, Row]
    Handler = Row | Table | Callable[[Call], Row | None]


LOADED: dict[str, dict[str, Handler]] = {}  # family → its PROGRAMS


def row_of(call: Call) -> Row | None:
    """What the family of the call's program says, by its words alone; the family is loaded when it is needed."""
    program = call.program
    family = family_of(program)
    if not family:
        return None
    programs = LOADED.get(family)
    if programs is None:
        module = __import__("hookwright.shell.programs." + family, None, None, ("PROGRAMS",))
        programs = LOADED[family] = module.PROGRAMS
    handler = programs[program]
    if handler.__class__ is tuple:
        return handler  # a row
    if handler.__class__ is dict:
        return looked_up(call, handler)  # a table
    return handler(call)  # type: ignore[operator]  # a function


def each(programs: str, handler: Handler) -> dict[str, Handler]:
    """The same handler for several programs, named in one text."""
    return dict.fromkeys(programs.split(), handler)


def table(rows: Mapping[Row, str]) -> Table:
    """Verb → row, of verbs written with commas between them; the verb '' is a call without one."""
    return {verb: row for row, verbs in rows.items() for verb in verbs.split(", ")}


def looked_up(call: Call, rows: Table, *valued: str) -> Row | None:
    """The row of the call's first operands: `a b` before `a`. Name options whose value is the next word."""
    operands = call.operands(*valued)
    if not operands:
        return rows.get("")
    if len(operands) > 1:
        row = rows.get(operands[0] + " " + operands[1])
        if row is not None:
            return row
    return rows.get(operands[0])


# A second verb that only tells, or ends something: `prefect worker ls`, `modal app list`, `ngrok tunnel stop`.
TELLING = frozenset(
    "list ls status show stop get info describe inspect delete rm remove kill version config clear enable disable "
    "validate create pause resume".split()
)


def asks(call: Call) -> bool:
    """Whether the second operand takes the force out of the first."""
    second = call.operands()[1:2]
    return bool(second) and second[0] in TELLING


def letters(call: Call, valued: str = "") -> set[str]:
    """The short flags of a call: `-qO-` is q and O. A letter in `valued` takes the rest, or the next word."""
    found: set[str] = set()
    words = call.words
    index = 1
    while index < len(words):
        word = words[index]
        index += 1
        if word == "--":
            break
        if word[:1] != "-" or word[:2] == "--":
            continue
        for at in range(1, len(word)):
            found.add(word[at])
            if word[at] in valued:
                if at == len(word) - 1:
                    index += 1
                break
    return found


def is_fed(call: Call) -> bool:
    """Whether its input comes from a pipe, a file or a here-document, so that it does not wait for a person."""
    if call.producers or any(redirect.op[0] == "<" for redirect in call.redirects):
        return True
    outer = call.outer
    return outer is not None and is_fed(outer)


def behind(call: Call, word: str) -> Sequence[Word]:
    """The arguments after the first that is this word."""
    words = call.words
    for index in range(1, len(words)):
        if words[index] == word:
            return words[index + 1 :]
    return ()


def within(call: Call, words: Sequence[Word]) -> Call:
    """The call that these words of another call are: `yarn jest x` → `jest x`."""
    found = Call(words, call.place, call.cwd)
    found.env = call.env
    found.redirects = call.redirects
    return found


def number(word: str | None) -> float | None:
    """A plain number, or None."""
    try:
        return float(word) if word else None
    except ValueError:
        return None
