"""What the questions commands need of the outside: folders, records, options, times as people write them."""

from __future__ import annotations

import os
import re
import time
from datetime import datetime
from typing import Any

import click

from hookwright.cli.config import Files, in_force
from hookwright.cli.past import UNITS, opened, plain
from hookwright.history.questions import Entry, entries, learned
from hookwright.questions.keep import Keeper
from hookwright.state import paths


def state() -> str | None:
    return paths.state_dir(os.environ.get)


def keeper() -> Keeper:
    home = os.environ.get("HOME")
    return Keeper(paths.config_dir(os.environ.get), os.getcwd(), home.rstrip("/") if home else None)


def past(since: float = 0.0, *, transcripts: bool = False) -> list[Entry]:
    """Every question so far, oldest first; with what was learned from transcripts if wanted."""
    store = opened()
    try:
        return (learned(store, since) if transcripts else []) + entries(store, since)
    finally:
        store.close()


def options() -> dict[str, Any]:
    """The [questions] section as it is in force here."""
    prefix = "questions."
    values = in_force(Files().everything(only_ours=True))
    return {name.removeprefix(prefix): row["value"] for name, row in values.items() if name.startswith(prefix)}


class Span(click.ParamType[float]):
    """A length of time: 45m, 12h, 30d, 2w. As an end also a date: 2027-01-31."""

    name = "time"

    def __init__(self, *, or_date: bool = False) -> None:
        self.or_date = or_date

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        match = re.fullmatch(r"(\d+)\s*([smhdw])", str(value).strip().lower())
        if match and int(match[1]):
            return float(int(match[1]) * UNITS[match[2]])
        if self.or_date:
            try:
                left = datetime.fromisoformat(str(value)).timestamp() - time.time()
            except ValueError:
                left = 0.0
            if left > 0:
                return left
        wanted = "like 45m, 12h, 30d, 2w" + (", or a date to come" if self.or_date else "")
        return self.fail(f"{value!r} is not a time {wanted}", param, ctx)


def when(moment: float) -> str:
    return datetime.fromtimestamp(moment).astimezone().strftime("%Y-%m-%d %H:%M")


def described(preference: dict[str, Any]) -> str:
    """Which questions a preference is about, in words."""
    match = preference.get("match") or {}
    about = preference.get("about") or {}
    if "id" in match:
        named = f"id {match['id']}"
    elif "pattern" in match:
        named = f"/{match['pattern']}/"
    else:
        named = f"\u201c{match.get('question') or about.get('question') or match.get('fingerprint')}\u201d"
    narrower = [f"{name} {match[name]}" for name in ("header", "skill", "agent", "server") if name in match]
    if "options" in match:
        narrower.append("options " + " / ".join(match["options"]))
    return plain(named + (f" ({', '.join(narrower)})" if narrower else ""))


def meaning(preference: dict[str, Any]) -> str:
    """What a preference does, in words."""
    if preference.get("value") == "answer":
        return plain("\u2192 " + (preference.get("text") or ", ".join(preference.get("answer") or [])))
    return plain(preference.get("value"))
