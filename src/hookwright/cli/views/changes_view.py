"""How commands show that the registered hooks changed since the last snapshot."""

from __future__ import annotations

from hookwright.cli.output import WARNING, print_line
from hookwright.cli.text import escape_line, shorten_home_paths


def show_changes(changed: list[str]) -> None:
    """Hooks that appeared, vanished or changed since the last snapshot."""
    if changed:
        print_line(WARNING, " hooks changed since the last check:")
        for sentence in changed:
            print_line(f"    {escape_line(shorten_home_paths(sentence), 200)}")
