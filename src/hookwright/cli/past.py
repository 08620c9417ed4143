"""What `log`, `why`, `stats`, `learn` and `replay` share: opening the past, spans of time, figures in words."""

from __future__ import annotations

import os
import sys
import time
from contextlib import contextmanager
from datetime import datetime
from typing import TYPE_CHECKING, Any

import click

from hookwright.errors import UserError
from hookwright.history import ledger
from hookwright.state import paths

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}
BARS = "▁▂▃▄▅▆▇█"


def moment(ctx: click.Context, param: click.Parameter, value: str | None) -> float:
    """A span back from now (`90m`, `24h`, `7d`) or a moment (`2026-11-15`, `2026-11-15T12:00`); 0 for none."""
    if value is None:
        return 0.0
    text = value.strip()
    if text[-1:] in UNITS and text[:-1].replace(".", "", 1).isdigit():
        return time.time() - float(text[:-1]) * UNITS[text[-1]]
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        what = f"{value!r} is no span like 90m, 24h, 7d and no moment like 2026-11-15 or 2026-11-15T12:00"
        raise click.BadParameter(what, ctx=ctx, param=param) from None
    return (found if found.tzinfo else found.astimezone()).timestamp()


since_option = click.option("--since", callback=moment, help="Only from then on: 90m, 24h, 7d, 2026-11-15.")
project_option = click.option("--project", default="", metavar="FOLDER", help="Only this project.")
session_option = click.option("--session", default="", metavar="ID", help="Only this session; its beginning is enough.")


def state_folder() -> str:
    state = paths.state_dir(os.environ.get)
    if state is None:
        raise UserError("there is no place for the ledger: HOME is not set", fix="export HOME")
    return state


def opened() -> sqlite3.Connection:
    """The ledger, up to the last event. Takes a bar on the screen when it takes longer than a second."""
    with bar() as progress:
        store, done = ledger.bring_up(state_folder(), progress=progress)
    if done.busy:
        print("hookwright: another hookwright is reading the journal; this may miss the latest events", file=sys.stderr)
    return store


@contextmanager
def bar(after_seconds: float = 1.0) -> Iterator[Callable[[str, int, int], None]]:
    """A progress bar on stderr that appears only if the work lasts."""
    began = time.monotonic()
    shown: list[Any] = []

    def tell(what: str, done: int, total: int) -> None:
        if not shown and (time.monotonic() - began < after_seconds or not sys.stderr.isatty()):
            return
        if not shown:
            from rich.progress import Progress  # noqa: PLC0415  costs more than most commands' work

            shown.extend((progress := Progress(transient=True), progress.add_task(what, total=total)))
            progress.start()
        shown[0].update(shown[1], description=what, completed=done, total=max(total, done, 1))

    try:
        yield tell
    finally:
        if shown:
            shown[0].stop()


def folder(name: str) -> str:
    return os.path.abspath(os.path.expanduser(name)) if name else ""


def plain(text: object, most: int = 0) -> str:
    """Text of strangers for a terminal: no control characters, one line, not longer than asked."""
    line = "".join(c if c.isprintable() else "⏎" if c == "\n" else "·" for c in str("" if text is None else text))
    return line if not most or len(line) <= most else line[: most - 1] + "…"


def seconds(value: float | None) -> str:
    """A duration as people say it."""
    if value is None:
        return "-"
    if value < 1:
        return f"{value * 1000:.0f} ms"
    if value < 10:
        return f"{value:.1f} s"
    if value < 120:
        return f"{value:.0f} s"
    return f"{value / 60:.0f} min" if value < 7200 else f"{value / 3600:.1f} h"


def micros(value: int | None) -> str:
    if value is None:
        return "-"
    return f"{value} µs" if value < 10_000 else f"{value / 1000:.0f} ms"


def sparkline(values: list[float]) -> str:
    top = max(values, default=0)
    return "".join(BARS[min(7, int(value / top * 7.99))] if top > 0 else BARS[0] for value in values)


def local_time(iso: str) -> str:
    """The moment of a record in the reader's own time."""
    try:
        return datetime.fromisoformat(iso).astimezone().strftime("%Y-%m-%d %H:%M:%S")
    except ValueError:
        return iso
