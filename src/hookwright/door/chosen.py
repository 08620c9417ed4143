"""What the words behind the launcher's arguments ask for: some hooks only, or standing aside as a plugin.

argv → [chosen] → the hooks that may speak | nobody
Loaded only by entries that have such words.
"""

from __future__ import annotations

import posix

from hookwright.door.entry import AS_PLUGIN, FAIL_CLOSED, PROGRAM, starts_the_door
from hookwright.protocol.json import loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.base import World

_LARGEST = 2 << 20  # of a settings file that the client reads


def chosen(words: list[str], event: object, world: World) -> bool:
    """Is this event for us? Leaves the names of the hooks that may speak in the world."""
    world.only = tuple(word for word in words if word not in (AS_PLUGIN, FAIL_CLOSED))
    return AS_PLUGIN not in words or not in_settings(event, world)


def in_settings(event: object, world: World) -> bool:
    """Do the user's, the project's or the managed settings register the door for this event?"""
    config = world.env("CLAUDE_CONFIG_DIR") or (f"{world.home}/.claude" if world.home else "")
    project = f"{world.project}/.claude" if world.project else ""
    for path in (
        f"{config}/settings.json" if config else "",
        f"{project}/settings.json" if project else "",
        f"{project}/settings.local.json" if project else "",
        "/etc/claude-code/managed-settings.json",
    ):
        if path and registers(_read(path), event):
            return True
    return False


def registers(data: bytes, event: object) -> bool:
    """Does this settings file start the door on this event?"""
    if PROGRAM.encode() not in data:
        return False
    try:
        groups = loads(data.decode("utf-8-sig"))["hooks"][event]
        return any(starts_the_door(handler) for group in groups for handler in group["hooks"])
    except (ValueError, KeyError, TypeError):
        return False


def _read(path: str) -> bytes:
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            return posix.read(descriptor, _LARGEST)
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return b""
