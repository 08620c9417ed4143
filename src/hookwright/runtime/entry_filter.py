"""Apply the launcher's arguments: run some hooks only, or skip an event that the settings register as well.

argv → [accepts_event] → names of the hooks to run | skip the event
Loaded only for entries with arguments.
"""

from __future__ import annotations

from hookwright.proc.safe_read import read_head
from hookwright.protocol.json import loads
from hookwright.runtime.entry_match import AS_PLUGIN, FAIL_CLOSED, PROGRAM, runs_hookwright

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.base import World

_LARGEST = 2 << 20  # bytes of a settings file


def accepts_event(words: list[str], event: object, world: World) -> bool:
    """True if this process should answer the event. Sets `world.only` to the hooks that may run."""
    world.only = tuple(word for word in words if word not in (AS_PLUGIN, FAIL_CLOSED))
    return AS_PLUGIN not in words or not is_registered(event, world)


def is_registered(event: object, world: World) -> bool:
    """True if the user's, the project's or the managed settings register hookwright for this event."""
    config = world.env("CLAUDE_CONFIG_DIR") or (f"{world.home}/.claude" if world.home else "")
    project = f"{world.project}/.claude" if world.project else ""
    for path in (
        f"{config}/settings.json" if config else "",
        f"{project}/settings.json" if project else "",
        f"{project}/settings.local.json" if project else "",
        "/etc/claude-code/managed-settings.json",
    ):
        if path and registers_event(_read_file(path), event):
            return True
    return False


def registers_event(data: bytes, event: object) -> bool:
    """True if this settings file registers hookwright for this event."""
    if PROGRAM.encode() not in data:
        return False
    try:
        groups = loads(data.decode("utf-8-sig"))["hooks"][event]
        return any(runs_hookwright(handler) for group in groups for handler in group["hooks"])
    except (ValueError, KeyError, TypeError):
        return False


def _read_file(path: str) -> bytes:
    try:
        return read_head(path, _LARGEST)
    except OSError:
        return b""
