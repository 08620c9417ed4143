"""Command-line options that several commands share, and how their times are parsed."""

from __future__ import annotations

import os
import re
import time
from datetime import datetime
from typing import Any

import click

SECONDS_IN = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 7 * 86400}


def parse_since(ctx: click.Context, param: click.Parameter, value: str | None) -> float:
    """Seconds since the epoch of `90m`, `24h`, `7d` ago or of `2026-11-15`, `2026-11-15T12:00`; 0 for none."""
    if value is None:
        return 0.0
    text = value.strip()
    if text[-1:] in SECONDS_IN and text[:-1].replace(".", "", 1).isdigit():
        return time.time() - float(text[:-1]) * SECONDS_IN[text[-1]]
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        what = f"{value!r} is neither a duration (90m, 24h, 7d) nor a date (2026-11-15, 2026-11-15T12:00)"
        raise click.BadParameter(what, ctx=ctx, param=param) from None
    return (found if found.tzinfo else found.astimezone()).timestamp()


class DurationType(click.ParamType[float]):
    """A duration in seconds: 45m, 12h, 30d, 2w. With `or_date` also a date in the future: 2027-01-31."""

    name = "time"

    def __init__(self, *, or_date: bool = False) -> None:
        self.or_date = or_date

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"(\d+)\s*([smhdw])", str(value).strip().lower())
        if match and int(match[1]):
            return float(int(match[1]) * SECONDS_IN[match[2]])
        if self.or_date:
            try:
                left = datetime.fromisoformat(str(value)).timestamp() - time.time()
            except ValueError:
                left = 0.0
            if left > 0:
                return left
        wanted = "45m, 12h, 30d, 2w" + (" or a future date" if self.or_date else "")
        return self.fail(f"{value!r} is not a duration such as {wanted}", param, ctx)


def expand_path(ctx: click.Context, param: click.Parameter, value: str) -> str:
    return os.path.abspath(os.path.expanduser(value)) if value else ""


json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON object and nothing else.")
yes_option = click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
dry_run_option = click.option("--dry-run", is_flag=True, help="Show the diff and change nothing.")
since_option = click.option(
    "--since", callback=parse_since, metavar="TIME", help="Only since then: 90m, 24h, 7d, 2026-11-15."
)
project_option = click.option("--project", default="", metavar="DIR", callback=expand_path, help="Only this project.")
session_option = click.option("--session", default="", metavar="ID", help="Only this session; a prefix is enough.")
