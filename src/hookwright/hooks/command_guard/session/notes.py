"""Notes, before a call runs, what it is about to make or to edit, and that its user is asked.

hook, PreToolUse → [note_tool] → store/session_marks → (after the call has run) → knowledge
Only what is proven by the disk at this moment is noted: a path that is not there, a file with this content.
"""

from __future__ import annotations

import posix

from hookwright.hooks.command_guard.session.knowledge import normalize
from hookwright.store import session_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.shell.command import Call, Command, Word

MAX_PATHS = 40  # of one command
WRITERS = ("tee", "touch", "sponge")
EDITORS = ("sed", "gsed", "perl")


def note_tool(
    world: World, session: str, call: str, tool: str, given: Mapping[str, Any], cwd: str, rows: list[tuple[str, ...]]
) -> None:
    """Note one call. `rows`: what else is to be kept of it once it has run."""
    state = world.state
    if state is None or not session or not call:
        return
    home = world.home or ""
    if tool in ("Bash", "Monitor"):
        text = given.get("command")
        if isinstance(text, str):
            rows += note_command(world, session, text, cwd)
    else:
        path = given.get("notebook_path" if tool == "NotebookEdit" else "file_path")
        if isinstance(path, str) and path:
            rows += note_path(normalize(path, cwd, home), world.now)
    if rows:
        session_marks.note_call(state, session, call, rows)


def note_command(world: World, session: str, text: str, cwd: str) -> list[tuple[str, ...]]:
    from hookwright.shell.command import parse_cached

    command = parse_cached(text, cwd or ".", world.home or "", scripts=False)
    if command.problem is not None:
        return []
    rows: list[tuple[str, ...]] = []
    for path in list_written(command, world.home or "", cwd)[:MAX_PATHS]:
        rows += note_path(path, world.now)
    if world.state is not None:
        void_moved(world.state, session, command, world.home or "", cwd)
    return rows


def note_path(path: str, now: float) -> list[tuple[str, ...]]:
    """A path that is not there: the topmost directory that has to be made for it. A file that is: its content."""
    try:
        posix.lstat(path)
    except FileNotFoundError:
        top = path
        while len(top) > 1:
            above = top[: top.rfind("/")]
            try:
                posix.lstat(above or "/")
                break
            except FileNotFoundError:
                top = above
            except (OSError, ValueError):
                return []
        rows: list[tuple[str, ...]] = [(session_marks.MADE, f"{now:.3f}", top)]
        if top != path and session_marks.is_script(path):
            rows.append((session_marks.MADE, f"{now:.3f}", path))
        return rows
    except (OSError, ValueError):
        return []
    before = session_marks.hash_blob(path)
    return [(session_marks.EDIT, before, path)] if before else []


def list_written(command: Command, home: str, cwd: str) -> list[str]:
    """The paths that the calls of a command are about to make or to write, as far as its words name them."""
    from hookwright.hooks.command_guard.delete_targets import created_folders

    found: dict[str, None] = {}
    for call in command.calls:
        if call.place.remote is not None:
            continue
        words: list[Word] = [*call.writes, *created_folders(call)]
        if call.program in WRITERS:
            words += call.operands("-d", "-r", "-t")
        elif call.program in EDITORS and any(word.startswith(("-i", "--in-place", "-pi", "-Ei")) for word in call.args):
            words += call.operands("-e", "-f")
        for word in words:
            path = call.path(word)
            if path and not word.glob and path[:5] != "/dev/":
                found[normalize(path, cwd, home)] = None
    return list(found)


def void_moved(state: str, session: str, command: Command, home: str, cwd: str) -> None:
    """What is moved into a folder of the session may have been there before: then it is no scratch any more."""
    moves = [call for call in command.calls if call.program in ("mv", "rsync") or call.words[:2] == ["git", "mv"]]
    if not moves:
        return
    marks = session_marks.read_marks(state, session)
    void: dict[str, None] = {}
    for target in filter(None, map(move_target, moves)):
        path = normalize(target, cwd, home)
        for made in marks.made:
            if path == made or path.startswith(made + "/") or made.startswith(path + "/"):
                void[made] = None
    if void:
        session_marks.add_rows(state, session, [(session_marks.VOID, path) for path in void])


def move_target(call: Call) -> str | None:
    named = call.option("-t", "--target-directory")
    words = call.operands("-t", "--target-directory", "-S")
    word = named if named is not None else words[-1] if len(words) > 1 else None
    return call.path(word) if word is not None else None
