"""hookwright verify: receipts for every registered hook, ours and others'."""

from __future__ import annotations

import click

from hookwright.cli import proving
from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.past import plain
from hookwright.cli.registered import Here, tilde
from hookwright.receipts.report import Report, Row, is_wrong

WIDTH = 46  # of what a hook runs


@click.command("verify", epilog="Example:  hookwright verify --all")
@click.option("--all", "everything", is_flag=True, help="Start other tools' hooks too; they may have effects.")
@click.option(
    "--patience", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Seconds for one hook at most."
)
@click.option("--settings", type=click.Path(exists=True), help="A file that Claude Code is given with --settings.")
@click.option(
    "--plugin-dir", "plugins", type=click.Path(exists=True), multiple=True, help="A folder given with --plugin-dir."
)
@as_json
def command(*, everything: bool, patience: float, settings: str | None, plugins: tuple[str, ...], as_json: bool) -> int:
    """Show what each registered hook really does.

    Every hook of the effective settings is looked at: would it start, does Claude Code hear its answer, would it lock
    you out. Hookwright's own are started and proven; other tools' are started with --all, on harmless payloads.
    """
    report = proving.verified(Here(settings, plugins), everything=everything, patience_s=patience)
    if as_json:
        print_json(report.as_json())
    else:
        show(report)
    return 0 if report.ok else 1


def show(report: Report) -> None:
    out = console()
    files: dict[str, list[Row]] = {}
    for row in report.rows:
        files.setdefault(row.registered.source.path, []).append(row)
    for path, rows in files.items():
        out.print(tilde(path), style="bold", markup=False)
        for row in rows:
            _show_row(row)
    proving.show_findings(report.findings + report.about_ours)
    proving.show_changes(report.changed)
    if not report.installed:
        out.print("[yellow]![/] hookwright itself is not registered here; try: hookwright install")
    wrong = sum(not row.ok for row in report.rows)
    others = sum(map(is_wrong, report.findings + report.about_ours))
    hooks = f"{len(report.rows)} {'hook' if len(report.rows) == 1 else 'hooks'}"
    if report.ok:
        tried = sum(row.started is True for row in report.rows)
        out.print(f"[green]✓[/] {hooks}, {tried} started, nothing wrong [dim](fingerprint {report.fingerprint})[/]")
    else:
        out.print(f"[red]✗[/] {hooks}, {wrong} not as they should be, {others} findings beside them")


def _show_row(row: Row) -> None:
    out = console()
    entry = row.registered.entry
    mark = "[red]✗[/]" if not row.ok else "[green]✓[/]" if row.started else "[dim]·[/]"
    runs = proving.escaped(plain(row.runs, WIDTH))
    if row.proofs:
        done = ", ".join(f"{proof.name}{'' if proof.ok else ' not'} proven" for proof in row.proofs)
    else:
        done = row.says or row.why_not
    took = f"{row.ms:.0f} ms" if row.ms is not None else ""
    about = f"{entry.event}{f' ({entry.matcher})' if entry.matcher else ''}"
    what = f"{proving.escaped(plain(about, 40)):40} {runs:{WIDTH}} {took:>8}"
    out.print(f"  {mark} {what}  [dim]{proving.escaped(done)}[/]")
    for finding in row.findings:
        inner = "[red]✗[/]" if is_wrong(finding) else "[dim]·[/]"
        out.print(f"      {inner} {proving.escaped(finding.what)}", soft_wrap=True)
        out.print(f"        [dim]at:[/] {proving.escaped(tilde(finding.where))}", soft_wrap=True)
        if finding.fix:
            out.print(f"        [dim]try:[/] {proving.escaped(finding.fix)}", soft_wrap=True)
