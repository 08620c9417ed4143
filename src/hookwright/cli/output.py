"""How commands speak: tables for people, one JSON object for machines, plain text in a pipe."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

as_json = click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, nothing else.")


def print_json(value: Any) -> None:
    indent = 1 if sys.stdout.isatty() else None
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character, which JSON may hold and no text may
        text = json.dumps(value, indent=indent)
    sys.stdout.write(text + "\n")


def console(*, stderr: bool = False) -> Console:
    """A console that never breaks lines in a pipe."""
    from rich.console import Console  # noqa: PLC0415  costs more than most commands' work

    stream = sys.stderr if stderr else sys.stdout
    return Console(
        stderr=stderr, width=None if stream.isatty() else 200, highlight=False, soft_wrap=not stream.isatty()
    )
