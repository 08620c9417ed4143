"""How `hookwright stats` shows its figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookwright.cli.output import Styled, dim, print_line, print_table
from hookwright.cli.text import (
    count,
    escape_line,
    format_local_time,
    format_micros,
    format_seconds,
    render_bar,
    render_sparkline,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

BAR_WIDTH, SMALL_BAR = 20, 6
MAX_COMMANDS, MAX_RULES = 12, 10

JOURNAL_NOUNS = {
    "backlog": ("byte not read", "bytes not read"),
    "bad_lines": ("bad line",),
    "unwritten": ("record not written", "records not written"),
    "problems": ("problem",),
}


def show_stats(found: dict[str, Any]) -> None:
    since = f" since {format_local_time(found['since'])}" if found["since"] else ""
    answered = ", ".join(f"{n} answered by {who}" for who, n in found["questions_answered"].items())
    questions = count(found["questions"], "question") + (f" ({answered})" if answered else "")
    print_line(f"{count(found['events'], 'event')}{since}, {questions}, {count(found['failures'], 'hook failure')}")
    moved = found["background"]
    if moved["moved"]:
        saved = format_seconds(moved["seconds_saved"])
        print_line(f"{count(moved['moved'], 'command')} moved to the background, {saved} of waiting saved")
    _show_weeks(found.get("weeks", []))
    if found["reasons"]:
        rows = [
            (f"{row['hook']}: {row['verdict']}", str(row["n"]), escape_line(row["reason"], 100))
            for row in found["reasons"]
        ]
        _print_section(("stopped or asked", "times", "because"), rows, right=("times",))
    if found["rules"]:
        _show_rules(found["rules"])
    if found["commands"]:
        _show_commands(found["commands"])
    if found["decisions"]:
        _show_decisions(found["hooks"], found["decisions"])
    print_line()
    latency = found["latency_us"]
    print_line("hook latency: " + ", ".join(f"{name} {format_micros(value)}" for name, value in latency.items()))
    if found["latest"] < found["events"]:
        print_line(dim(f"medians, percentiles and last runs: of the latest {found['latest']:,} events"))
    journal = [count(value, *JOURNAL_NOUNS[name]) for name, value in found["journal"].items() if value]
    if journal:
        print_line(f"journal: {', '.join(journal)}")


def _print_section(columns: Sequence[str], rows: Sequence[Sequence[str | Styled]], right: Sequence[str]) -> None:
    print_line()
    print_table(columns, rows, right=right)


def _show_weeks(weeks: list[dict[str, Any]]) -> None:
    """A bar for each week from the first with events on; at least two, for one alone says nothing."""
    begun = next((number for number, week in enumerate(weeks) if week["events"]), len(weeks))
    shown = weeks[begun:]
    if len(shown) < 2:
        return
    top = max(week["events"] for week in shown)
    rows = [
        (
            week["from"],
            Styled(render_bar(week["events"], top, BAR_WIDTH), "cyan"),
            f"{week['events']:,}",
            *(f"{week[name]:,}" if week[name] else "-" for name in ("stopped", "asked", "moved")),
            _format_saved(week["seconds_saved"]),
        )
        for week in shown
    ]
    columns = ("week from", "events", "", "stopped", "asked", "moved", "not waited")
    _print_section(columns, rows, right=columns[2:])


def _format_saved(seconds: float) -> str:
    if not seconds:
        return "-"
    return f"-{format_seconds(-seconds)}" if seconds < 0 else format_seconds(seconds)


def _show_rules(rules: dict[str, int]) -> None:
    top = max(rules.values())
    rows = [
        (rule, Styled(render_bar(n, top, BAR_WIDTH), "red"), f"{n:,}") for rule, n in list(rules.items())[:MAX_RULES]
    ]
    _print_section(("rules", "", "times"), rows, right=("times",))


def _show_decisions(latency: dict[str, dict[str, Any]], decisions: dict[str, dict[str, int]]) -> None:
    rows = []
    for hook in sorted(latency.keys() | decisions.keys()):
        verdicts = ", ".join(f"{n} {verdict}" for verdict, n in decisions.get(hook, {}).items()) or "-"
        times = latency.get(hook, {})
        shares = (format_micros(times.get(share)) for share in ("p50", "p95", "p99"))
        rows.append((hook, verdicts, str(times.get("calls", "-")), *shares))
    columns = ("hook", "decisions", "calls", "p50", "p95", "p99")
    _print_section(columns, rows, right=columns[2:])


def _show_commands(commands: list[dict[str, Any]]) -> None:
    top = max(row["total_s"] for row in commands)
    rows: list[Sequence[str | Styled]] = []
    for row in commands[:MAX_COMMANDS]:
        chance = "-" if row["p_long"] is None else f"{row['p_long']:.2f}"
        bar = Styled(render_bar(row["total_s"], top, SMALL_BAR), "cyan")
        times = map(format_seconds, (row["total_s"], row["median_s"], row["p90_s"]))
        key = escape_line(row["key"], 60)
        rows.append((key, bar, f"{row['n']:,}", *times, chance, render_sparkline(row["last_s"])))
    columns = ("command", "", "runs", "total", "median", "p90", ">60 s", "last runs")
    _print_section(columns, rows, right=columns[2:7])
