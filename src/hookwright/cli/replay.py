"""hookwright replay: what the configuration, or a proposed one, would have done to the calls of the past."""

from __future__ import annotations

import os
import tempfile
from typing import Any

import click

from hookwright.cli.learn import claude_folder
from hookwright.cli.output import as_json, print_json
from hookwright.cli.past import bar, plain, since_option, state_folder
from hookwright.errors import UserError
from hookwright.history import replay, transcripts
from hookwright.plan import compiler, sources
from hookwright.state import paths

SHOWN = 15


@click.command("replay", epilog="Example:  hookwright replay --since 30d --config new.toml")
@since_option
@click.option("--config", "proposed", metavar="FILE", help="A proposed config.toml, compared with the current one.")
@click.option("--from", "folder", metavar="FOLDER", help="Claude Code's folder, if it is not ~/.claude.")
@click.option("--own-hooks", is_flag=True, help="Let hooks that you wrote yourself run too.")
@as_json
def command(*, since: float, proposed: str | None, folder: str | None, own_hooks: bool, as_json: bool) -> int:
    """Run past tool calls through the configuration and show what it would have done, likely mistakes first.

    With --config both configurations are asked, and the calls are shown that they answer differently. Nothing runs,
    nothing is recorded.
    """
    home = folder or claude_folder()
    if not os.path.isdir(f"{home}/projects"):
        raise UserError("there are no transcripts", where=f"{home}/projects", fix="hookwright replay --from FOLDER")
    if proposed:
        _check(proposed)
    files = transcripts.find(home)
    total = sum(os.path.getsize(path) for path in files)
    done = 0
    with tempfile.TemporaryDirectory(prefix="hookwright-replay-") as scratch, bar() as progress:

        def tell(count: int) -> None:
            nonlocal done
            done += count
            progress("replaying", done, total)

        current = _configuration(None, scratch, own_hooks=own_hooks)
        other = _configuration(proposed, scratch, own_hooks=own_hooks) if proposed else None
        found = replay.replay(replay.past_calls(files, since, tell), current, other)
    if as_json:
        print_json(found.as_json())
    else:
        show(found)
    return 0


def _configuration(file: str | None, scratch: str, *, own_hooks: bool) -> replay.Configuration:
    config = paths.config_dir(os.environ.get)
    state = state_folder()
    ours = ("HOOKWRIGHT_", "CLAUDE_AUTOBACKGROUND")
    kept = {name: value for name, value in os.environ.items() if name.startswith(ours)}
    return replay.Configuration(
        user=os.path.abspath(file) if file else sources.user_file(config),
        state=replay.copied_state(state, f"{scratch}/{'proposed' if file else 'current'}"),
        real_state=state,
        home=os.environ.get("HOME", ""),
        env={**kept, "CLAUDE_CODE_ENTRYPOINT": "cli"},  # as in a session with a person
        hooks=sources.hooks_folder(config) if own_hooks else "",
    )


def _check(file: str) -> None:
    """A proposed file with a mistake would compare something else than was meant."""
    if not os.path.isfile(file):
        raise UserError("the proposed configuration is not there", where=file, fix="hookwright config path")
    problems = compiler.resolved(os.path.abspath(file), "", trusted=False).problems
    if problems:
        raise problems[0]


def show(found: replay.Replayed) -> None:
    print(f"{found.calls:,} past calls.")
    _show_counts("The current configuration" if found.proposed else "This configuration", found.counts)
    if found.proposed is not None:
        _show_counts("The proposed one", found.proposed)
        changes = found.as_json()["changes"]
        print(f"\n{len(found.changes)} kinds of calls are answered differently." if changes else "\nNo call differs.")
        for change in changes[:SHOWN]:
            print(f"  {change['before']} → {change['after']}  {change['n']} times  {plain(change['command'], 90)}")
    suspicious = found.suspicious()
    if suspicious:
        print("\nLook at these first:")
        for one in suspicious[:SHOWN]:
            print(f"  {one.verdict:6} {one.n:4} times  {plain(one.command, 80)}\n                    {one.because}")


def _show_counts(who: str, counts: dict[str, dict[str, Any]]) -> None:
    words = {
        "would have been moved to the background": counts["background"]["force"],
        "would have had a note that they may take long": counts["background"]["suggest"],
        "would have been denied": counts["guard"]["deny"],
        "would have been asked about": counts["guard"]["ask"],
        "questions would have been answered": counts["questions"]["answered"],
    }
    print(f"{who}:")
    for text, count in words.items():
        print(f"  {count:6,} {text}")
