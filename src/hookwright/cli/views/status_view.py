"""How `hookwright status` shows the hooks: where they are registered, then a row for each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hookwright.cli.output import FAILED, OK, WARNING, Styled, dim, print_line, print_table
from hookwright.cli.text import count, format_ago, format_micros, shorten_home
from hookwright.cli.views.changes_view import show_changes
from hookwright.cli.views.policy_view import describe_policy
from hookwright.runtime.launcher import find_launcher_problem

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.config.policy import Policy
    from hookwright.errors import UserError
    from hookwright.settings.findings import Finding
    from hookwright.verify.usage import HookUsage

OWN_SCOPES = ("user", "project", "local")  # the plugin and managed settings have launchers of their own
MODE_STYLES = {"on": "green", "off": "dim", "shadow": "yellow"}


def show_status(
    rows: Sequence[dict[str, Any]],
    files: Sequence[tuple[str, str]],
    changed: list[str],
    problems: Sequence[UserError],
    findings: Sequence[Finding],
    policy: Policy,
) -> None:
    _show_health(rows, files, problems)
    if policy.revision is not None:
        print_line(f"policy {policy.revision} ", dim(f"({describe_policy(policy)})"))
    columns = ("hook", "mode", "events", "last run", "calls", "median", "failures")
    print_table(
        columns, [_format_row(row, bool(files)) for row in rows], right=("events", "calls", "median", "failures")
    )
    show_changes(changed)
    for finding in findings:
        print_line(WARNING, f" {finding.what} ", dim(f"({shorten_home(finding.where)})"))
    for error in problems:
        print_line(FAILED, f" {error.what} ", dim(f"({shorten_home(error.where)})"), stderr=True)


def _show_health(
    rows: Sequence[dict[str, Any]], files: Sequence[tuple[str, str]], problems: Sequence[UserError]
) -> None:
    """The first line tells whether it works, the second where it is registered."""
    if not files:
        print_line(FAILED, " off: not registered in Claude Code's settings; try: hookwright install")
        return
    broken = find_launcher_problem() if any(scope in OWN_SCOPES for _, scope in files) else ""
    missing = [row["hook"] for row in rows if row["mode"] != "off" and row["unregistered"]]
    last = max((row["past"].last for row in rows if row["past"].last is not None), default=None)
    seen = f"last event {format_ago(last, time.time())}" if last is not None else "no event yet"
    failures = sum(row["past"].failures for row in rows)
    if broken:
        print_line(FAILED, f" off: {broken}; try: hookwright install", hang=2)
    elif missing:
        print_line(WARNING, f" works in part: {', '.join(missing)} not registered; try: hookwright install", hang=2)
    else:
        told = f", {count(failures, 'failure')} of hooks" if failures else ""
        wrong = f", {count(len(problems), 'problem')} in the configuration" if problems else ""
        print_line(WARNING if failures or problems else OK, f" works: {seen}{told}{wrong}", hang=2)
    print_line("  registered in " + ", ".join(f"{shorten_home(path)} ({scope})" for path, scope in files), hang=4)


def _format_row(row: dict[str, Any], is_registered: bool) -> list[str | Styled]:
    past: HookUsage = row["past"]
    missing = is_registered and row["mode"] != "off" and row["unregistered"]
    return [
        row["hook"],
        Styled(row["mode"], MODE_STYLES.get(row["mode"], "")),
        Styled(f"not registered: {', '.join(row['unregistered'])}", "yellow") if missing else str(len(row["events"])),
        format_ago(past.last, time.time()),
        str(past.calls) if past.calls else "-",
        format_micros(past.median_us),
        Styled(str(past.failures), "red") if past.failures else "-",
    ]
