"""The guard's options as the modules below the hook see them. For the type checker only: never imported at run time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from hookwright.hooks.base import World


class Adjustments(Protocol):
    """What the user changes about findings: rules switched off, softened to ask, hardened to deny, exceptions."""

    off: tuple[str, ...]
    ask: tuple[str, ...]
    deny: tuple[str, ...]
    exceptions: tuple[Mapping[str, Any], ...]
    world: World


class CommandSettings(Adjustments, Protocol):
    """The options that apply to shell commands."""

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
