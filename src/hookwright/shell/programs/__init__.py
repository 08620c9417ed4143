"""Programs that may run long, in families: what their arguments say about how long they keep the foreground.

duration.py → families.py (program → family) → [row_of] → <family>_table.py, and <family>.py for code → row
A program that no family knows is quick, so a command of plain tools loads no family at all. <family>.toml is the source
of a family; scripts/generate_families.py compiles it. The result of a classification is a row:

    ("force",   "install", "installs packages")    surely long, endless, or waiting for a person
    ("suggest", "test",    "runs a test suite")    may well take more than half a minute
    ("none",    "test",    "runs one test")        quick, and why; None where there is nothing to say
    (45.0,      "follow",  "pings 45 times")       the seconds that its own arguments say

The second field is the kind of work: install, build, test, check, server, watch, follow, terminal, sleep, wait,
download, transfer, vcs, container, infra, database, job or script.
"""

from __future__ import annotations

from hookwright.shell.call import Call
from hookwright.shell.families import family_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from hookwright.shell.call import Word

    Row = tuple[str | float, str, str]
    Verbs = tuple[tuple[Row | None, str], ...]  # (row, "|verb|verb subverb|") each
    Table = dict[str, Row | None]  # verb → row
    Step = tuple[str, Any, Any]  # kind, argument, row; scripts/generate_families.py lists the kinds
    Group = tuple[str, tuple[Step, ...]]  # " program program ", steps
    Handler = Callable[[Call], Row | None]


BRIEF_S = 30.0  # seconds: a shorter wait may stay in the foreground
LOADED: dict[str, tuple[Group, ...]] = {}  # family → its PROGRAMS


def row_of(call: Call) -> Row | None:
    """The row of a call by its words alone; None when it is quick. The family is loaded when it is needed."""
    program = call.program
    family = family_of(program)
    if not family:
        return None
    groups = LOADED.get(family)
    if groups is None:
        groups = LOADED[family] = load(family + "_table").PROGRAMS
    spaced = " " + program + " "
    for names, steps in groups:
        if spaced in names:
            return apply_steps(call, family, steps)
    return None


def load(name: str) -> Any:
    """A module of this package by its name: a command pays for the families of its programs only."""
    return __import__("hookwright.shell.programs." + name, None, None, ("PROGRAMS",))


def apply_steps(call: Call, family: str, steps: tuple[Step, ...]) -> Row | None:
    """The row of the first step that fits."""
    for kind, argument, row in steps:
        if kind == "code":
            handler = getattr(load(family), argument)
            found: Row | None = handler(call) if row is None else handler(call, verb_table(row))
            return found
        if kind == "verbs":
            pair = match_verb(argument, call.operands(*row))
            if pair is not None:
                return pair[0]
        elif (
            kind == "always"
            or (kind == "flags" and call.has_flag(*argument))
            or (kind == "words" and any(word in argument for word in call.args))
            or (kind == "alone" and not call.args)
            or (kind == "input" and has_input(call))
        ):
            return row  # type: ignore[no-any-return]
    return None


def match_verb(rows: Verbs, operands: Sequence[str]) -> tuple[Row | None, str] | None:
    """The pair of (row, verbs) that holds the first operands: `a b` before `a`."""
    keys = (f"{operands[0]} {operands[1]}", operands[0]) if len(operands) > 1 else operands[:1] or ("",)
    for key in keys:
        if "|" not in key:
            for pair in rows:
                if f"|{key}|" in pair[1]:
                    return pair
    return None


def verb_table(rows: Verbs) -> Table:
    """Verb → row."""
    return {verb: row for row, verbs in rows for verb in verbs[1:-1].split("|")}


def look_up_verb(call: Call, rows: Table, *valued: str) -> Row | None:
    """The row of the call's first operands: `a b` before `a`. `valued`: options whose value is the next word."""
    operands = call.operands(*valued)
    if not operands:
        return rows.get("")
    if len(operands) > 1:
        row = rows.get(operands[0] + " " + operands[1])
        if row is not None:
            return row
    return rows.get(operands[0])


# Second verbs that only print, or end something: `prefect worker ls`, `modal app list`, `ngrok tunnel stop`.
QUICK_VERBS = frozenset(
    "list ls status show stop get info describe inspect delete rm remove kill version config clear enable disable "
    "validate create pause resume".split()
)


def has_quick_verb(call: Call) -> bool:
    """Whether the second operand makes the call quick, whatever the first."""
    second = call.operands()[1:2]
    return bool(second) and second[0] in QUICK_VERBS


def short_flags(call: Call, valued: str = "") -> set[str]:
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


def runs_detached(call: Call) -> bool:
    """Whether a wrapper or an outer call sends it to the background: at, ssh -f, tmux, systemd-run, setsid -f."""
    outer = call.outer
    while outer is not None:
        program = outer.program
        if program in {"at", "batch"} or (program == "ssh" and outer.words[1][:1] == "-" and "f" in outer.words[1]):
            return True
        if program in {"kubectl", "oc"} and outer.verb == "run":
            return not any(word[:2] == "-i" or word in {"--attach", "--rm", "--stdin", "-ti"} for word in outer.words)
        if program == "tmux" and outer.verb not in {"new", "new-session"}:
            return True  # a new window or pane; tmux itself returns at once
        outer = outer.outer
    for wrapper in call.wrappers:
        program = wrapper.program
        if program == "systemd-run":
            return not wrapper.has_flag("--wait", "--pty", "-t", "-P", "--pipe", "--scope")
        if (program == "setsid" and wrapper.has_flag("-f", "--fork")) or (program == "sudo" and wrapper.has_flag("-b")):
            return True
    return False


def has_input(call: Call) -> bool:
    """Whether its input comes from a pipe, a file or a here-document, so that it does not wait for a person."""
    if call.producers or any(redirect.op[0] == "<" for redirect in call.redirects):
        return True
    outer = call.outer
    return outer is not None and has_input(outer)


def args_after(call: Call, word: str) -> Sequence[Word]:
    """The arguments after the first that is this word."""
    words = call.words
    for index in range(1, len(words)):
        if words[index] == word:
            return words[index + 1 :]
    return ()


def make_inner_call(call: Call, words: Sequence[Word]) -> Call:
    """A call of these words of another call: `yarn jest x` → `jest x`."""
    found = Call(words, call.place, call.cwd)
    found.env = call.env
    found.redirects = call.redirects
    return found


def parse_number(word: str | None) -> float | None:
    """A plain number, or None."""
    try:
        return float(word) if word else None
    except ValueError:
        return None
