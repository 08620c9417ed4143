"""Kinds of commands that cost more than they save when they are moved to the background, found from past moves.

events → gain.balance_move → [find_demotions] → <state>/projects/<project>/demoted → [find_demotion] → auto_background
For each move of the last DAYS in a project:

    saved    what Claude would have waited (at most 120 s), less the launch; 0 if the result was needed at once: the
             next thing Claude did was to look at the output, or to end its turn and wait
    cost     a turn (TURN_S) for taking the result, and one for each look at the output while it ran
    balance  saved - cost, in seconds

A key with LEAST_MOVES, or a kind of work (test, build, install) with LEAST_WORK_MOVES moves, whose balances sum up to
less than nothing is left in the foreground from then on. Old moves are forgotten, so it gets another chance. Servers
and others that do not end by themselves are never demoted. `find_demotion` is hot, the rest belongs to the refresh.
"""

from __future__ import annotations

import posix

from hookwright.store.paths import project_dir
from hookwright.store.record_lines import read_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator

FILE = "demoted"
DAYS = 30
LEAST_MOVES = 3
LEAST_WORK_MOVES = 5
WORK = ("test", "build", "install")  # intents that are demoted as a whole
MAX_BYTES = 1 << 16


def find_demotion(state: str, project: str, command: str) -> str:
    """Why this command is left in the foreground; "" if it is not demoted."""
    from hookwright.shell.command_key import key_of  # noqa: PLC0415  only in projects with demotions

    key = key_of(command)
    intent = key.intent
    if intent == "server":
        return ""
    for name, moves, seconds in read_demotions(state, project):
        if name in (key.text, f"work:{intent}"):
            what = f"commands that {intent}" if name[:5] == "work:" else f"`{name}`"
            return f"moving {what} to the background cost more than it saved here: {moves} moves, {seconds} s"
    return ""


def read_demotions(state: str, project: str) -> Iterator[tuple[str, str, str]]:
    """Key or `work:intent`, the number of moves and the sum of their balances, of all that is demoted."""
    for fields in read_lines(f"{project_dir(state, project)}/{FILE}", MAX_BYTES):
        if len(fields) == 3:
            yield fields[0], fields[1], fields[2]


def publish_demotions(store: sqlite3.Connection, state: str, now: float) -> int:
    """Write what is demoted in each project; returns in how many. What no longer counts is removed."""
    from hookwright.proc.atomic_write import write_atomic  # noqa: PLC0415  not in the hook process
    from hookwright.store.paths import make_private, project_key  # noqa: PLC0415

    written = set()
    for project, found in find_demotions(store, now).items():
        folder = project_dir(state, project)
        if found and make_private(folder):
            lines = (f"{_plain(name)}\t{moves}\t{seconds:.0f}\n" for name, (moves, seconds) in found.items())
            write_atomic(f"{folder}/{FILE}", "".join(lines).encode("utf-8", "replace"))
            written.add(project_key(project))
    try:
        folders = set(posix.listdir(f"{state}/projects"))
    except OSError:
        return 0
    for name in folders - written:
        if posix.access(f"{state}/projects/{name}/{FILE}", posix.F_OK):
            posix.unlink(f"{state}/projects/{name}/{FILE}")
    return len(written)


def _plain(name: str) -> str:
    return name.replace("%", "%25").replace("\t", " ").replace("\n", " ")


def find_demotions(store: sqlite3.Connection, now: float) -> dict[str, dict[str, tuple[int, float]]]:
    """Project → key or `work:intent` → moves and balance of those that cost more than they saved."""
    sums: dict[str, dict[str, tuple[int, float]]] = {}
    rows = store.execute(
        "SELECT * FROM events WHERE time > ? AND event = 'PreToolUse' AND answer = 'rewrite' "
        "AND changed LIKE '%run_in_background%' ORDER BY id",
        (now - DAYS * 86400,),
    ).fetchall()
    for row in rows:
        balance = balance_of_move(store, row)
        project = row["project"] or ""
        if not project:
            continue
        named = sums.setdefault(project, {})
        if balance is None or row["intent"] == "server":
            continue
        for name in (row["key"], f"work:{row['intent']}" if row["intent"] in WORK else None):
            if name:
                moves, seconds = named.get(name, (0, 0.0))
                named[name] = (moves + 1, seconds + balance)
    return {
        project: {
            name: (moves, seconds)
            for name, (moves, seconds) in named.items()
            if seconds < 0 and moves >= (LEAST_WORK_MOVES if name.startswith("work:") else LEAST_MOVES)
        }
        for project, named in sums.items()
    }


def balance_of_move(store: sqlite3.Connection, pre: sqlite3.Row) -> float | None:
    """Seconds that one move saved, less what it cost; None while its end is not known."""
    from hookwright.store.gain import TURN_S, balance_move  # noqa: PLC0415  not in the hook process

    found = balance_move(store, pre)
    if found is None or found.saved_s is None or found.end_id is None:
        return None
    launch = store.execute(
        "SELECT * FROM events WHERE tool_use_id = ? AND session_id IS ? AND event = 'PostToolUse' AND id > ? "
        "ORDER BY id LIMIT 1",
        (pre["tool_use_id"], pre["session_id"], pre["id"]),
    ).fetchone()
    between = store.execute(
        "SELECT event, tool, key, extra FROM events WHERE session_id IS ? AND time >= ? AND id > ? AND id < ? "
        "ORDER BY id",
        (pre["session_id"], launch["time"], launch["id"], found.end_id),
    ).fetchall()
    reads = sum(_reads_task(row, launch["task_id"]) for row in between)
    balance = found.saved_s - TURN_S * reads
    if not _is_needed_at_once(between, launch["task_id"]):
        return balance
    return min(balance, -TURN_S * (1 + found.looks + reads))


def _is_needed_at_once(between: list[sqlite3.Row], task: str | None) -> bool:
    """Whether the first thing after the launch was to look at the output, to sleep, or to end the turn."""
    from hookwright.store.gain import is_look  # noqa: PLC0415

    for row in between:
        if row["event"] == "Stop":
            return True
        if row["event"] in ("PostToolUse", "PostToolUseFailure"):
            return _reads_task(row, task) or is_look(row["tool"], row["key"])
    return False


def _reads_task(row: sqlite3.Row, task: str | None) -> bool:
    """Whether the hook background_tasks saw this call read the task's output (a `polled` in its record)."""
    return bool(task and row["extra"] and f'"polled": "{task}"' in row["extra"])
