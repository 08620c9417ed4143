"""hookwright stats: decisions, commands, time in the background, what the hooks cost, whether anything is missing."""

from __future__ import annotations

from typing import Any

import click

from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.past import (
    folder,
    local_time,
    micros,
    opened,
    plain,
    project_option,
    seconds,
    session_option,
    since_option,
    sparkline,
    state_folder,
)
from hookwright.history import ledger


@click.command("stats", epilog="Example:  hookwright stats --since 7d")
@since_option
@project_option
@session_option
@as_json
def command(*, since: float, project: str, session: str, as_json: bool) -> int:
    """Figures of the past: who decided how often, which commands take long, what the hooks themselves cost."""
    store = opened()
    which = ledger.Filter(project=folder(project), session=session, since=since)
    found = ledger.stats(store, state_folder(), which)
    if as_json:
        print_json(found)
    else:
        show(found)
    return 0


def show(found: dict[str, Any]) -> None:
    from rich.table import Table  # noqa: PLC0415

    out = console()
    span = f" since {local_time(found['since'])}" if found["since"] else ""
    answered = ", ".join(f"{n} answered by {plain(who)}" for who, n in found["questions_answered"].items())
    asked = f"{found['questions']} questions" + (f" ({answered})" if answered else "")
    out.print(f"{found['events']:,} events{span}, {asked}, {found['failures']} failures of hooks")
    if found["decisions"]:
        table = Table(box=None, header_style="bold")
        for column in ("hook", "decisions", "calls", "p50", "p95", "p99"):
            table.add_column(column, justify="left" if column in ("hook", "decisions") else "right")
        for hook in sorted(found["hooks"].keys() | found["decisions"].keys()):
            said = ", ".join(f"{n} {verdict}" for verdict, n in found["decisions"].get(hook, {}).items()) or "-"
            cost = found["hooks"].get(hook, {})
            table.add_row(
                plain(hook),
                said,
                str(cost.get("calls", "-")),
                *(micros(cost.get(share)) for share in ("p50", "p95", "p99")),
            )
        out.print(table)
    if found["reasons"]:
        table = Table(box=None, header_style="bold")
        for column in ("stopped or asked", "times", "because"):
            table.add_column(column, justify="right" if column == "times" else "left")
        for row in found["reasons"]:
            table.add_row(f"{plain(row['hook'])}: {row['verdict']}", str(row["n"]), plain(row["reason"], 100))
        out.print(table)
    if found["rules"]:
        out.print("rules: " + ", ".join(f"{plain(rule)} {n}" for rule, n in found["rules"].items()))
    if found["commands"]:
        table = Table(box=None, header_style="bold")
        for column in ("command", "runs", "median", "p90", "P(>60 s)", "last runs"):
            table.add_column(column, justify="left" if column in ("command", "last runs") else "right")
        for row in found["commands"]:
            chance = "-" if row["p_long"] is None else f"{row['p_long']:.2f}"
            times = (seconds(row["median_s"]), seconds(row["p90_s"]))
            table.add_row(plain(row["key"], 60), str(row["n"]), *times, chance, sparkline(row["last_s"]))
        out.print(table)
    moved = found["background"]
    if moved["moved"]:
        out.print(f"{moved['moved']} moved to the background: {seconds(moved['seconds_saved'])} not waited for")
    cost = found["latency_us"]
    out.print("hooks took " + ", ".join(f"{name} {micros(value)}" for name, value in cost.items()))
    health = found["journal"]
    if any(health.values()):
        out.print(
            ", ".join(f"{value} {name.replace('_', ' ')}" for name, value in health.items() if value) + " (journal)"
        )
