"""A progress bar on stderr for work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hookwright.cli.text import escape_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def step_line(label: str) -> Iterator[None]:
    """Name a step of some seconds while it runs; nothing is shown where stderr is no terminal."""
    is_shown = sys.stderr.isatty()
    if is_shown:
        sys.stderr.write(f"… {escape_line(label)}")
        sys.stderr.flush()
    try:
        yield
    finally:
        if is_shown:
            sys.stderr.write("\r" + " " * (len(label) + 2) + "\r")
            sys.stderr.flush()


@contextmanager
def progress_bar(after_seconds: float = 1.0) -> Iterator[Callable[[str, int, int], None]]:
    """Gives a function (label, done, total) to call during the work; nothing is shown where stderr is no terminal."""
    began = time.monotonic()
    shown: list[Any] = []

    def update_bar(label: str, done: int, total: int) -> None:
        if not shown and (time.monotonic() - began < after_seconds or not sys.stderr.isatty()):
            return
        if not shown:
            from rich.console import Console  # noqa: PLC0415  costs more than most commands' work
            from rich.progress import Progress  # noqa: PLC0415

            progress = Progress(console=Console(stderr=True), transient=True)
            shown.extend((progress, progress.add_task(escape_line(label), total=total)))
            progress.start()
        shown[0].update(shown[1], description=escape_line(label), completed=done, total=max(total, done, 1))

    try:
        yield update_bar
    finally:
        if shown:
            shown[0].stop()
