"""How install and verify show what was checked: a row per handler, findings, changes since the last snapshot."""

from __future__ import annotations

import sys

from hookwright.cli.output import FAILED, NOTE, OK, WARNING, bold, dim, print_line, screen_width
from hookwright.cli.text import count, escape_line, shorten_home
from hookwright.cli.views.changes_view import show_changes
from hookwright.cli.views.client_view import show_client
from hookwright.settings.findings import Finding
from hookwright.verify.report import HandlerReport, Report, is_wrong

RUNS_WIDTH = 46  # columns for what a handler runs
EVENT_WIDTH = 40
WIDEST = 120  # columns of such a row
PROOFS = {"deny": "denying", "rewrite": "moving to the background", "silence": "leaving alone"}
PROVEN = {"deny": "denied", "rewrite": "moved to the background", "silence": "passed without an answer"}


def show_report(report: Report) -> None:
    """The whole report of `hookwright verify`."""
    files: dict[str, list[HandlerReport]] = {}
    for row in report.rows:
        files.setdefault(row.registered.source.path, []).append(row)
    for path, rows in files.items():
        print_line(bold(shorten_home(path)))
        for row in rows:
            _show_row(row)
    show_findings(report.findings + report.about_ours)
    show_client(report.client)
    show_changes(report.changed)
    if not report.is_installed:
        print_line(WARNING, " hookwright is not registered here; try: hookwright install")
    hooks = count(len(report.rows), "hook")
    if report.ok:
        started = sum(row.started is True for row in report.rows)
        fingerprint = dim(f"(fingerprint {report.fingerprint})")
        print_line(OK, f" {hooks} checked, {started} started, no problems ", fingerprint)
    else:
        failing = sum(not row.ok for row in report.rows)
        others = sum(map(is_wrong, report.findings + report.about_ours))
        what = [f"{count(failing, 'hook')} {'has' if failing == 1 else 'have'} problems"] if failing else []
        what += [count(others, "other problem")] if others else []
        print_line(FAILED, f" {hooks} checked: {', '.join(what)}")


def _show_row(row: HandlerReport) -> None:
    entry = row.registered.entry
    mark = FAILED if not row.ok else OK if row.started else NOTE
    if row.proofs:
        done = ", ".join(f"{PROOFS[proof.name]} {'proven' if proof.ok else 'not proven'}" for proof in row.proofs)
    else:
        done = row.says or row.why_not
    took = f"{row.ms:.0f} ms" if row.ms is not None else ""
    room = min(screen_width(), WIDEST) if sys.stdout.isatty() else WIDEST
    event_width = min(EVENT_WIDTH, room * 2 // 5)
    runs_width = min(RUNS_WIDTH, max(12, room - event_width - 16))
    event = escape_line(f"{entry.event}{f' ({entry.matcher})' if entry.matcher else ''}", event_width)
    runs = escape_line(row.runs, runs_width)
    line = f" {event:{event_width}} {runs:{runs_width}} {took:>7}"
    if 4 + len(line) + 2 + len(done) <= room or not sys.stdout.isatty():
        print_line("  ", mark, f"{line}  ", dim(done))
    else:  # a line of its own: the columns above stay readable
        print_line("  ", mark, line)
        print_line("      ", dim(done), hang=6)
    _show_findings(row.findings, 6)


def show_ours(report: Report, *, changed: bool) -> None:
    """What is registered of ours, what was proven, what is wrong with it."""
    started = [row for row in report.our_rows if row.started is not None]
    if started and all(row.started for row in started):
        off = dim(f"  off: {', '.join(report.off)}" if report.off else "")
        print_line(OK, f" on: {', '.join(report.on)}", off)
        print_line(OK, f" started on each of {count(len({row.event for row in started}), 'event')}")
    proofs = {proof.name: proof for row in started for proof in row.proofs}
    for proof in proofs.values():
        result = PROVEN[proof.name] if proof.ok else f"not {PROVEN[proof.name]}"
        took = dim(f"({proof.ended.ms:.0f} ms)")
        print_line(OK if proof.ok else FAILED, " ", bold(f"{proof.command:14}"), f" {result} ", took)
    show_findings([finding for row in report.our_rows for finding in row.findings] + report.about_ours)
    others = [finding for row in report.rows if not row.ours for finding in row.findings] + report.findings
    problems = sum(map(is_wrong, others))
    if problems:
        print_line(WARNING, f" {count(problems, 'problem')} with other hooks or settings; see: hookwright verify")
    show_changes(report.changed)
    if report.ours_work and changed:
        print_line("Claude Code applies this at once, also in running sessions.")


def show_findings(findings: list[Finding]) -> None:
    _show_findings(findings, 0)


def _show_findings(findings: list[Finding], indent: int) -> None:
    lead = " " * indent
    inner = lead + ("  " if indent else "    ")
    for finding in findings:
        print_line(lead, FAILED if is_wrong(finding) else NOTE, f" {finding.what}", hang=len(inner))
        print_line(inner, dim("at:"), f" {shorten_home(finding.where)}")
        if finding.fix:
            print_line(inner, dim("try:"), f" {finding.fix}")
