"""hookwright replay: what the current or a proposed configuration would have decided on past calls."""

from __future__ import annotations

import os

import click

from hookwright import replay
from hookwright.cli.arguments import json_option, since_option
from hookwright.cli.output import print_json
from hookwright.cli.progress import progress_bar
from hookwright.cli.transcript_context import require_transcripts
from hookwright.cli.views.replay_view import show_replay
from hookwright.config import compiler, config_files
from hookwright.errors import UserError
from hookwright.proc.scratch_dir import ScratchDir
from hookwright.store import paths, transcripts


@click.command("replay", epilog="Example:  hookwright replay --since 30d --config new.toml")
@since_option
@click.option("--config", "proposed", metavar="FILE", help="A proposed config.toml, compared with the current one.")
@click.option("--from", "folder", metavar="DIR", help="Claude Code's directory. [default: ~/.claude]")
@click.option("--own-hooks", is_flag=True, help="Run user hooks too.")
@json_option
def command(*, since: float, proposed: str | None, folder: str | None, own_hooks: bool, as_json: bool) -> int:
    """Show what the configuration would have decided on past tool calls, likely mistakes first.

    With --config the calls are shown that the proposed configuration decides differently. No command is run and nothing
    is recorded.
    """
    claude_dir = require_transcripts(folder, "hookwright replay")
    if proposed:
        _check_proposed(proposed)
    files = transcripts.find_transcripts(claude_dir)
    total = sum(os.path.getsize(path) for path in files)
    done = 0
    with ScratchDir("replay") as scratch, progress_bar() as progress:

        def report_progress(count: int) -> None:
            nonlocal done
            done += count
            progress("replaying past calls", done, total)

        current = _load_configuration(None, scratch, own_hooks=own_hooks)
        other = _load_configuration(proposed, scratch, own_hooks=own_hooks) if proposed else None
        found = replay.replay(replay.read_past_calls(files, since, report_progress), current, other)
    if as_json:
        print_json(found.as_json())
    else:
        show_replay(found)
    return 0


def _load_configuration(file: str | None, scratch: str, *, own_hooks: bool) -> replay.ReplayConfig:
    config = paths.config_dir(os.environ.get)
    state = paths.state_dir(os.environ.get)
    if state is None:
        raise UserError("the state directory is unknown: HOME is not set", fix="export HOME")
    ours = ("HOOKWRIGHT_", "CLAUDE_AUTOBACKGROUND")
    kept = {name: value for name, value in os.environ.items() if name.startswith(ours)}
    return replay.ReplayConfig(
        user=os.path.abspath(file) if file else config_files.user_file(config),
        state=replay.copy_state(state, f"{scratch}/{'proposed' if file else 'current'}"),
        real_state=state,
        home=os.environ.get("HOME", ""),
        env={**kept, "CLAUDE_CODE_ENTRYPOINT": "cli"},  # as in an interactive session
        hooks=config_files.hooks_folder(config) if own_hooks else "",
        config=config,
    )


def _check_proposed(file: str) -> None:
    """Refuse a proposed file with problems: the comparison would be with something else than was meant."""
    if not os.path.isfile(file):
        raise UserError("the proposed configuration does not exist", where=file, fix="hookwright config path")
    problems = compiler.resolve_options(os.path.abspath(file), "", trusted=False).problems
    if problems:
        raise problems[0]
