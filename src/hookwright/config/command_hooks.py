"""Commands as hooks: `[[hooks.command]]` in a configuration file, run inside the dispatcher as Claude Code would.

table → [build_command_hooks] → HookSpec, in file order
Matchers have Claude Code's meaning: `settings/matcher_syntax.py`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

from hookwright.config.builtin_hooks import HOOKS
from hookwright.config.hook_spec import HookSpec, UserHook, options_of
from hookwright.errors import UserError
from hookwright.options import MODES, REQUIRED, BadValue, Option, option
from hookwright.protocol.catalogue import load_protocol
from hookwright.protocol.events import FAMILY
from hookwright.protocol.tools import LEGACY_NAMES
from hookwright.settings import matcher_syntax

if TYPE_CHECKING:
    from hookwright.protocol.event_matcher import CompiledMatcher

SECTION = "hooks"
LONGEST_S = 600.0


def _check_event(name: str) -> str:
    if name not in FAMILY:
        close = get_close_matches(name, FAMILY, n=1)
        raise BadValue(f"is no event: {name!r}" + (f"; did you mean {close[0]}?" if close else ""))
    return name


def _check_timeout(seconds: float) -> float:
    if not 0 < seconds <= LONGEST_S:
        raise BadValue(f"must be above 0 and at most {LONGEST_S:g} seconds, got {seconds:g}")
    return seconds


def _check_matcher(matcher: str) -> str:
    trouble = matcher_syntax.why_invalid(matcher)
    if trouble:
        raise BadValue(f"{matcher!r} would never match: {trouble}")
    return matcher


def _check_name(name: str) -> str:
    if name and not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise BadValue(f"must be small letters, digits and _, got {name!r}")
    return name


class Hooks:
    """Commands that run as hooks, and the directories that your hooks import libraries from."""

    command = option(
        (),
        kind="tables",
        adds=True,
        help="Commands to run as hooks, one table each.",
        columns={
            "event": option(REQUIRED, help="the event, such as PreToolUse", check=_check_event),
            "command": option(
                REQUIRED, kind="words", help="what to run: a text for the shell, or a list: a program and its arguments"
            ),
            "args": option((), help="arguments; the command is then a program, as in settings.json"),
            "matcher": option("", help="as in settings.json: names, or a JavaScript expression", check=_check_matcher),
            "timeout": option(60.0, help="seconds that it may take", check=_check_timeout),
            "order": option(0, help="order among your hooks: lower decides earlier"),
            "name": option("", help="what it is called in answers and records", check=_check_name),
            "failure": option(
                "open", choices=("open", "ask", "closed"), help="what its own failure means: open, ask or closed"
            ),
            "mode": option("on", choices=MODES, help="on, off, or shadow: runs and is recorded, but answers nothing"),
        },
    )
    path = option((), help="Folders with libraries and packages of hooks, beside hookwright's own environment.")


def hooks_section() -> HookSpec:
    """The section as a declaration: files are read, checked and documented like those of a hook."""
    return HookSpec(SECTION, SECTION, "open", 0.0, {}, dict(options_of(Hooks)), Hooks.__doc__ or "")


def build_command_hooks(
    tables: Sequence[Mapping[str, Any]], file: str, options: Mapping[str, Option]
) -> list[HookSpec]:
    """A hook for each table. `options` are those that every hook has."""
    taken: set[str] = set(HOOKS)
    found = []
    for table in tables:
        name = table["name"] or _unique_name(_derive_name(table["command"]), taken)
        taken.add(name)
        tools, matcher = compile_matcher(table["event"], table["matcher"])
        mode = options["mode"]
        own = option(table["mode"], choices=MODES, tighter=mode.tighter, help=mode.help)
        found.append(
            HookSpec(
                name=name,
                section=name,
                failure=table["failure"],
                deadline_s=table["timeout"],
                on={table["event"]: tools},
                options={**options, "mode": own},
                doc=_describe_command(table["command"]),
                file=file,
                order=table["order"],
                user_hook=UserHook(
                    place="command",
                    command={"run": _build_argv(table), "matcher": matcher, "shell": not _is_exec(table)},
                ),
            )
        )
    return found


def find_command_problems(hooks: Sequence[HookSpec], tables: Sequence[Mapping[str, Any]]) -> list[UserError]:
    """Report tables that are valid but probably not intended."""
    return [
        UserError(
            f"{hook.name}: {table['event']} knows no matcher, so it runs every time",
            where=hook.file,
            fix="remove its matcher",
        )
        for hook, table in zip(hooks, tables, strict=True)
        if not matcher_syntax.matches_all(table["matcher"])
        and load_protocol()["events"][table["event"]]["matcher_field"] is None
    ]


def _is_exec(table: Mapping[str, Any]) -> bool:
    return bool(table["args"]) or not isinstance(table["command"], str)


def _build_argv(table: Mapping[str, Any]) -> tuple[str, ...]:
    command = table["command"]
    if not _is_exec(table):
        return ("/bin/sh", "-c", command)
    return (*((command,) if isinstance(command, str) else command), *table["args"])


def _describe_command(command: str | Sequence[str]) -> str:
    return f"Runs {command if isinstance(command, str) else ' '.join(command)}"


def _derive_name(command: str | Sequence[str]) -> str:
    """A script's own name, else the program's."""
    words = command.split() if isinstance(command, str) else list(command)
    paths = [word.strip("\"'") for word in words]
    scripts = [path for path in paths if "/" in path or path.endswith((".sh", ".py", ".js", ".ts", ".rb"))]
    base = os.path.basename((scripts or paths or ["command"])[-1 if scripts else 0])
    name = re.sub(r"[^a-z0-9]+", "_", base.rsplit(".", 1)[0].lower()).strip("_")
    return name if name and name[0].isalpha() else f"command_{name}".rstrip("_")


def _unique_name(name: str, taken: set[str]) -> str:
    if name not in taken:
        return name
    number = 2
    while f"{name}_{number}" in taken:
        number += 1
    return f"{name}_{number}"


def compile_matcher(event: str, matcher: str) -> tuple[tuple[str, ...], CompiledMatcher | None]:
    """The tools that dispatch compares itself, else what `protocol/event_matcher.py` evaluates."""
    compiled = matcher_syntax.compile_matcher(event, matcher)
    if compiled is None or compiled[0] != "tool_name" or not compiled[2] or not isinstance(compiled[2], tuple):
        return (), compiled
    names = set(compiled[2])
    return tuple(sorted(names | {LEGACY_NAMES[name] for name in names if name in LEGACY_NAMES})), None
