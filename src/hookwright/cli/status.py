"""hookwright status: what is on, from which file, how it did lately."""

from __future__ import annotations

import time
from typing import Any

import click

from hookwright.cli import proving
from hookwright.cli.config import environment_values
from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.past import micros, opened, plain, seconds
from hookwright.cli.registered import Here, tilde
from hookwright.door import registration
from hookwright.door.entry import starts_the_door
from hookwright.history.ledger import iso
from hookwright.plan.compiler import Declared, Resolved
from hookwright.receipts.record import Past, record
from hookwright.settings.load import Registered, load


@click.command("status", epilog="Example:  hookwright status --json")
@as_json
def command(*, as_json: bool) -> int:
    """Show every hook: on, off or shadow, where it is registered, when it last ran, what it cost, how it failed."""
    here = Here()
    loaded = load(here.sources())
    hooks, resolved = here.hooks()
    doors = [registered for registered in loaded.entries if starts_the_door(registered.entry.handler)]
    past = record(opened())
    rows = [_row(hook, resolved, doors, past.get(hook.name, Past())) for hook in hooks]
    changed = proving.looked(here, loaded)
    if as_json:
        print_json({"hooks": [_as_json(row) for row in rows], "changed_since_last_look": changed})
        return 0
    _show(rows, doors)
    proving.show_changes(changed)
    for error in resolved.problems:
        console(stderr=True).print(f"[red]✗[/] {proving.escaped(error.what)} [dim]({proving.escaped(error.where)})[/]")
    return 0


def _row(hook: Declared, resolved: Resolved, doors: list[Registered], past: Past) -> dict[str, Any]:
    mode = resolved.values[hook.name]["mode"].value
    for _, name, value in environment_values(hook):
        if name == "mode":
            mode = value
    carrying = [door for door in doors if door.entry.event in hook.on and _carries(door, hook.name)]
    reached = {door.entry.event for door in carrying}
    return {
        "hook": hook.name,
        "mode": mode,
        "events": list(hook.on),
        "unregistered": [event for event in hook.on if event not in reached],
        "scope": carrying[0].source.scope if carrying else None,
        "file": carrying[0].source.path if carrying else None,
        "past": past,
    }


def _carries(door: Registered, hook: str) -> bool:
    only = registration.names_in(door.entry.handler)
    return not only or hook in only


def _as_json(row: dict[str, Any]) -> dict[str, Any]:
    past: Past = row["past"]
    return {
        **{key: value for key, value in row.items() if key != "past"},
        "last_fired": iso(past.last) if past.last is not None else None,
        "calls": past.calls,
        "median_us": past.median_us,
        "failures": past.failures,
    }


def _show(rows: list[dict[str, Any]], doors: list[Registered]) -> None:
    from rich.table import Table  # noqa: PLC0415

    out = console()
    files = dict.fromkeys((door.source.path, door.source.scope) for door in doors)
    if files:
        out.print("registered in " + ", ".join(f"{tilde(path)} ({scope})" for path, scope in files), markup=False)
    else:
        out.print("[yellow]![/] not registered in Claude Code's settings; try: hookwright install")
    table = Table(box=None, header_style="bold")
    for column in ("hook", "mode", "listens to", "last ran", "calls", "median", "failures"):
        table.add_column(column, justify="right" if column in ("calls", "median", "failures") else "left")
    for row in rows:
        past: Past = row["past"]
        missing = row["mode"] != "off" and row["unregistered"]
        where = f"[yellow]not registered: {', '.join(row['unregistered'])}[/]" if files and missing else ""
        table.add_row(
            plain(row["hook"]),
            {"on": "[green]on[/]", "off": "[dim]off[/]", "shadow": "[yellow]shadow[/]"}.get(row["mode"], row["mode"]),
            where or ", ".join(row["events"]),
            ago(past.last),
            str(past.calls) if past.calls else "-",
            micros(past.median_us),
            f"[red]{past.failures}[/]" if past.failures else "-",
        )
    out.print(table)


def ago(moment: float | None) -> str:
    """A moment as people say it."""
    return "-" if moment is None else f"{seconds(max(0.0, time.time() - moment))} ago"
