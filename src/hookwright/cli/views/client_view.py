"""How install, verify and status show the installed client and the mods that it loads."""

from __future__ import annotations

from collections.abc import Sequence

from hookwright.cli.output import NOTE, OK, WARNING, dim, print_line
from hookwright.cli.text import escape_line, shorten_home
from hookwright.protocol.client_versions import format_version
from hookwright.settings.installed_client import SessionClient
from hookwright.settings.mods import Mod

WIDTH = 300


def show_client(client: SessionClient, limits: Sequence[str] | None = None) -> None:
    """The client in one line, then what it does not support."""
    notes = list(limits if limits is not None else [client.note] if client.note else [])
    if client.version is not None:
        mark = OK if client.supported else WARNING
        print_line(mark, f" Claude Code {format_version(client.version)}", dim(f"  ({_describe_path(client)})"))
    elif client.path:
        print_line(NOTE, f" {shorten_home(client.path)}")
    for note in notes:
        print_line(NOTE, f" {escape_line(note, WIDTH)}", hang=2)


def _describe_path(client: SessionClient) -> str:
    return shorten_home(client.path) if client.path else "not found here"


def show_mods(mods: Sequence[Mod]) -> None:
    for mod in mods:
        print_line(WARNING, f" {describe_mod(mod)}; see: hookwright verify", hang=2)


def describe_mod(mod: Mod) -> str:
    return f"the mod of plugin {escape_line(mod.name, 80)} can answer before hooks are asked"
