"""How `hookwright uninstall --all` lists what it removes, and what stays."""

from __future__ import annotations

import os
from collections.abc import Sequence

from hookwright.cli.output import FAILED, NOTE, OK, dim, print_line
from hookwright.cli.remove_all import Belonging, find_package_command
from hookwright.cli.text import shorten_home
from hookwright.store import paths


def show_belongings(belongings: Sequence[Belonging]) -> None:
    if belongings:
        print_line("To be removed:")
    for each in belongings:
        print_line(f"  {shorten_home(each.path)}  ", dim(f"({each.what}, {_format_size(each.size)})"), hang=4)


def show_removed(belongings: Sequence[Belonging], failed: Sequence[str], *, dry_run: bool) -> None:
    """What was removed, what could not be, and what is left to the user."""
    done = "would be removed" if dry_run else "removed"
    for each in belongings:
        if not any(line.startswith(each.path) for line in failed):
            print_line(OK, f" {shorten_home(each.path)}  ", dim(f"({each.what} {done})"), hang=2)
    for line in failed:
        print_line(FAILED, f" not removed: {shorten_home(line)}", hang=2)
    config = paths.config_dir(os.environ.get)
    if config and os.path.isdir(config):
        print_line(NOTE, f" {shorten_home(config)} stays: it is your configuration", hang=2)
    package = find_package_command()
    if package:
        print_line(NOTE, f" the package itself: {package}", hang=2)
    elif not dry_run:
        print_line("Nothing else of hookwright is left.")


def _format_size(size: int) -> str:
    if size < 10_000:
        return f"{size:,} bytes"
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
