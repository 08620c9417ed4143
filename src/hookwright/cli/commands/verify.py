"""hookwright verify: check every registered hook, ours and other tools'."""

from __future__ import annotations

import click

from hookwright.cli.arguments import json_option


@click.command("verify", epilog="Example:  hookwright verify --all")
@click.option("--all", "everything", is_flag=True, help="Run other tools' hooks too; they may have side effects.")
@click.option(
    "--patience", type=click.FloatRange(min=0.1), default=30.0, show_default=True, help="Timeout per hook in seconds."
)
@click.option("--settings", type=click.Path(exists=True), help="A file that Claude Code is given with --settings.")
@click.option(
    "--plugin-dir", "plugins", type=click.Path(exists=True), multiple=True, help="A directory given with --plugin-dir."
)
@click.option("--expect", metavar="policy=REV", help="Fail unless this revision of the policy is in force.")
@json_option
def command(
    *,
    everything: bool,
    patience: float,
    settings: str | None,
    plugins: tuple[str, ...],
    expect: str | None,
    as_json: bool,
) -> int:
    """Check every hook of the effective settings.

    For each hook: would it start, does Claude Code understand its answer, could it lock you out. hookwright's own hooks
    are run and their answers proven; other tools' hooks are run only with --all, on harmless payloads.
    """
    name, _, revision = (expect or "policy=").partition("=")
    if name != "policy" or (expect and not revision):
        raise click.UsageError(f"--expect takes policy=REV, got {expect!r}")
    from hookwright.cli.output import print_json  # noqa: PLC0415  not needed for --help
    from hookwright.cli.settings_context import SettingsContext  # noqa: PLC0415
    from hookwright.cli.verify_settings import verify_all  # noqa: PLC0415
    from hookwright.cli.views.verify_view import show_report  # noqa: PLC0415

    report = verify_all(
        SettingsContext(settings, plugins),
        everything=everything,
        max_wait_s=patience,
        expected_policy=revision or None,
    )
    if as_json:
        print_json(report.as_json())
    else:
        show_report(report)
    return 0 if report.ok else 1
