"""Events about files and directories."""

from __future__ import annotations

from hookwright.protocol.events.base import Event
from hookwright.protocol.json_view import field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class ConfigChange(Event):
    """A settings or skill file changed during the session."""

    __slots__ = ()
    source: str = field("")
    file_path: str | None = field()


class InstructionsLoaded(Event):
    """A CLAUDE.md or rule file was loaded."""

    __slots__ = ()
    file_path: str = field("")
    memory_type: str = field("")
    load_reason: str = field("")
    globs: Sequence[str] | None = field()
    trigger_file_path: str | None = field()
    parent_file_path: str | None = field()


class CwdChanged(Event):
    """The working directory changed."""

    __slots__ = ()
    old_cwd: str = field("")
    new_cwd: str = field("")


class FileChanged(Event):
    """A watched file changed on disk."""

    __slots__ = ()
    file_path: str = field("")
    event: str = field("")


class DirectoryAdded(Event):
    """A directory was added to the session."""

    __slots__ = ()
    directory: str = field("")
    source: str = field("")


class WorktreeCreate(Event):
    """A worktree is being created; a hook here replaces git's own behaviour."""

    __slots__ = ()
    name: str = field("")


class WorktreeRemove(Event):
    """A worktree is being removed."""

    __slots__ = ()
    worktree_path: str = field("")
