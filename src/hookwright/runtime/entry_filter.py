"""Apply the launcher's arguments: run some hooks only, or skip an event that the settings register as well.

argv → [accepts_event] → names of the hooks to run | skip the event
Loaded only for entries with arguments.
"""

from __future__ import annotations

import sys

from hookwright.proc.safe_read import read_head
from hookwright.protocol.json import loads
from hookwright.runtime.entry_match import AS_PLUGIN, FAIL_CLOSED, PROGRAM, launcher_words, runs_hookwright

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.hooks.base import World

_LARGEST = 2 << 20  # bytes of a settings file


def accepts_event(words: list[str], event: object, tool: object, world: World) -> bool:
    """True if this process should answer the event. Sets `world.only` to the hooks that may run."""
    world.only = tuple(word for word in words if word not in (AS_PLUGIN, FAIL_CLOSED))
    return AS_PLUGIN not in words or not is_registered(event, tool, world)


def is_registered(event: object, tool: object, world: World) -> bool:
    """True if the user's, the project's or the managed settings register hookwright for this event.

    A project counts only if it registers all of what this process would do: with another program of our name, or with
    some hooks only, a cloned repository could silence the plugin.
    """
    config = world.env("CLAUDE_CONFIG_DIR") or (f"{world.home}/.claude" if world.home else "")
    for folder, name in ((config, "settings.json"), ("/etc/claude-code", "managed-settings.json")):
        if folder and registers_event(_read_file(f"{folder}/{name}"), event):
            return True
    for name in ("settings.json", "settings.local.json") if world.project else ():
        if registers_event(_read_file(f"{world.project}/.claude/{name}"), event, (sys.argv[0], tool)):
            return True
    return False


def registers_event(data: bytes, event: object, wanted: tuple[str, object] | None = None) -> bool:
    """True if this settings file registers hookwright for this event; `wanted`: this launcher, for this tool."""
    if PROGRAM.encode() not in data:
        return False
    try:
        groups = loads(data.decode("utf-8-sig"))["hooks"][event]
        return any(
            runs_hookwright(handler) and (wanted is None or _runs_all(group, handler, *wanted))
            for group in groups
            for handler in group["hooks"]
        )
    except (ValueError, KeyError, TypeError):
        return False


def _runs_all(group: dict[str, Any], handler: dict[str, Any], launcher: str, tool: object) -> bool:
    matcher = group.get("matcher")
    if matcher and matcher != "*" and tool not in matcher.removeprefix("^(").removesuffix(")$").split("|"):
        return False
    if handler["command"] != launcher or "if" in handler:
        return False
    return set(launcher_words(handler)) <= {FAIL_CLOSED}


def _read_file(path: str) -> bytes:
    try:
        return read_head(path, _LARGEST)
    except OSError:
        return b""
