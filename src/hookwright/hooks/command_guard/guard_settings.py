"""The guard's options as the modules below the hook see them. For the type checker only: never imported at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from hookwright.hooks.base import World


class SessionView(Protocol):
    """What the session made itself; see session/knowledge.py."""

    def is_scratch(self, path: str, cwd: str = "") -> bool:
        """Whether the session made everything at this path."""

    def owns_edits(self, call: Any) -> bool:
        """Whether a checkout of files discards nothing but edits of the session."""


class Adjustments(Protocol):
    """What the user changes about findings: rules switched off, softened to ask, hardened to deny, exceptions."""

    off: tuple[str, ...]
    ask: tuple[str, ...]
    deny: tuple[str, ...]
    exceptions: tuple[Mapping[str, Any], ...]
    world: World


class CommandSettings(Adjustments, Protocol):
    """The options that apply to shell commands."""

    session: SessionView | None  # what the session made itself; None: not looked up

    branches: tuple[str, ...]
    scripts: bool
    rules: tuple[Mapping[str, Any], ...]
    deny_paths: tuple[str, ...]
    ask_paths: tuple[str, ...]


class FileSettings(Adjustments, Protocol):
    """The options that apply to paths of file tools."""

    secrets: str
    git: str
    profiles: str
    settings: str
    outside: str
    deny_paths: tuple[str, ...]
    ask_paths: tuple[str, ...]
    free_paths: tuple[str, ...]


class ToolSettings(CommandSettings, FileSettings, Protocol):
    """The options that apply to any other tool: its arguments may be commands and paths."""

    sandbox: str


class Guard(ToolSettings, Protocol):
    """The hook itself, for what looks at its findings again."""

    taint: str

    def collect_findings(self, event: Any) -> list[Any]:
        """The findings on a call, strictest first."""
