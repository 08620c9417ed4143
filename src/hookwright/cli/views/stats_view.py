"""How `hookwright stats` shows its figures."""

from __future__ import annotations

from typing import Any

from hookwright.cli.output import print_line, print_table
from hookwright.cli.text import count, escape_line, format_local_time, format_micros, format_seconds, render_sparkline

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
    if found["decisions"]:
        _show_decisions(found["hooks"], found["decisions"])
    if found["reasons"]:
        rows = [
            (f"{row['hook']}: {row['verdict']}", str(row["n"]), escape_line(row["reason"], 100))
            for row in found["reasons"]
        ]
        print_table(("stopped or asked", "times", "because"), rows, right=("times",))
    if found["rules"]:
        print_line("rules: " + ", ".join(f"{rule} {n}" for rule, n in found["rules"].items()))
    if found["commands"]:
        _show_commands(found["commands"])
    moved = found["background"]
    if moved["moved"]:
        saved = format_seconds(moved["seconds_saved"])
        print_line(f"{count(moved['moved'], 'command')} moved to the background, {saved} of waiting saved")
    latency = found["latency_us"]
    print_line("hook latency: " + ", ".join(f"{name} {format_micros(value)}" for name, value in latency.items()))
    journal = [count(value, *JOURNAL_NOUNS[name]) for name, value in found["journal"].items() if value]
    if journal:
        print_line(f"journal: {', '.join(journal)}")


def _show_decisions(latency: dict[str, dict[str, Any]], decisions: dict[str, dict[str, int]]) -> None:
    rows = []
    for hook in sorted(latency.keys() | decisions.keys()):
        verdicts = ", ".join(f"{n} {verdict}" for verdict, n in decisions.get(hook, {}).items()) or "-"
        times = latency.get(hook, {})
        shares = (format_micros(times.get(share)) for share in ("p50", "p95", "p99"))
        rows.append((hook, verdicts, str(times.get("calls", "-")), *shares))
    columns = ("hook", "decisions", "calls", "p50", "p95", "p99")
    print_table(columns, rows, right=columns[2:])


def _show_commands(commands: list[dict[str, Any]]) -> None:
    rows = []
    for row in commands:
        chance = "-" if row["p_long"] is None else f"{row['p_long']:.2f}"
        times = ("-" if seconds is None else f"{seconds:,.1f} s" for seconds in (row["median_s"], row["p90_s"]))
        rows.append((escape_line(row["key"], 60), str(row["n"]), *times, chance, render_sparkline(row["last_s"])))
    columns = ("command", "runs", "median", "p90", "P(>60 s)", "last runs")
    print_table(columns, rows, right=columns[1:5])
