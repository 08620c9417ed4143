"""How `hookwright status` shows the hooks: where they are registered, then a row for each."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from hookwright.cli.output import FAILED, WARNING, Styled, dim, print_line, print_table
from hookwright.cli.text import format_ago, format_micros, shorten_home
from hookwright.cli.views.changes_view import show_changes
from hookwright.cli.views.policy_view import describe_policy

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.config.policy import Policy
    from hookwright.errors import UserError
    from hookwright.settings.findings import Finding
    from hookwright.verify.usage import HookUsage

MODE_STYLES = {"on": "green", "off": "dim", "shadow": "yellow"}


def show_status(
    rows: Sequence[dict[str, Any]],
    files: Sequence[tuple[str, str]],
    changed: list[str],
    problems: Sequence[UserError],
    findings: Sequence[Finding],
    policy: Policy,
) -> None:
    if files:
        print_line("registered in " + ", ".join(f"{shorten_home(path)} ({scope})" for path, scope in files))
    else:
        print_line(WARNING, " not registered in Claude Code's settings; try: hookwright install")
    if policy.revision is not None:
        print_line(f"policy {policy.revision} ", dim(f"({describe_policy(policy)})"))
    columns = ("hook", "mode", "events", "last run", "calls", "median", "failures")
    print_table(columns, [_format_row(row, bool(files)) for row in rows], right=("calls", "median", "failures"))
    show_changes(changed)
    for finding in findings:
        print_line(WARNING, f" {finding.what} ", dim(f"({shorten_home(finding.where)})"))
    for error in problems:
        print_line(FAILED, f" {error.what} ", dim(f"({shorten_home(error.where)})"), stderr=True)


def _format_row(row: dict[str, Any], is_registered: bool) -> list[str | Styled]:
    past: HookUsage = row["past"]
    missing = is_registered and row["mode"] != "off" and row["unregistered"]
    return [
        row["hook"],
        Styled(row["mode"], MODE_STYLES.get(row["mode"], "")),
        Styled(f"not registered: {', '.join(row['unregistered'])}", "yellow") if missing else ", ".join(row["events"]),
        format_ago(past.last, time.time()),
        str(past.calls) if past.calls else "-",
        format_micros(past.median_us),
        Styled(str(past.failures), "red") if past.failures else "-",
    ]
