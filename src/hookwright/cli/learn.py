"""hookwright learn: what the user's own transcripts say about durations and questions."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.output import as_json, print_json
from hookwright.cli.past import bar, opened, plain, seconds, state_folder
from hookwright.errors import UserError
from hookwright.history import learn, samples, transcripts
from hookwright.shell.command import Command
from hookwright.shell.duration import judge
from hookwright.state import durations, published

if TYPE_CHECKING:
    import sqlite3

SHOWN = 8


@click.command("learn", epilog="Example:  hookwright learn --dry-run")
@click.option("--dry-run", is_flag=True, help="Read and count, keep nothing.")
@click.option("--from", "folder", metavar="FOLDER", help="Claude Code's folder, if it is not ~/.claude.")
@as_json
def command(*, dry_run: bool, folder: str | None, as_json: bool) -> int:
    """Learn how long your commands take from the transcripts that Claude Code keeps on this machine.

    Reads only what is new since the last time. Nothing leaves the machine, and nothing is written to Claude Code's
    own folders.
    """
    home = folder or claude_folder()
    if not os.path.isdir(f"{home}/projects"):
        raise UserError("there are no transcripts", where=f"{home}/projects", fix="hookwright learn --from FOLDER")
    store = opened()
    with bar() as progress:
        found = learn.learn(store, transcripts.find(home), dry_run=dry_run, progress=progress)
    if not dry_run:
        samples.publish(store, state_folder(), time.time())
    if as_json:
        print_json(found.as_json())
    else:
        show(store, found, dry_run=dry_run)
    return 0


def claude_folder() -> str:
    """Where Claude Code keeps its files."""
    return os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")


def show(store: sqlite3.Connection, found: learn.Found, *, dry_run: bool) -> None:
    words = (
        f"{found.transcripts} transcripts, {found.calls} tool calls, {found.durations} durations of commands, "
        f"{found.background_ends} ends of background commands, {found.questions} questions, {found.hooks} hook runs."
    )
    print(f"{'Would learn from' if dry_run else 'Read'} {words}")
    if found.skipped:
        print(f"{found.skipped} entries were of no known form and were passed over.")
    if dry_run:
        return
    for title, rows in summary(store, state_folder()).items():
        if rows:
            print(f"\n{title}")
            for row in rows:
                runs = "run" if row["n"] == 1 else "runs"
                print(f"  {plain(row['key'], 60):60} {row['n']:4} {runs}, usually {seconds(row['median_s'])}")


def summary(store: sqlite3.Connection, state: str) -> dict[str, list[dict[str, Any]]]:
    """What is now known: commands that will be moved, and commands that will not although their name suggests it."""
    place = 4 + durations.THRESHOLDS.index(60)
    long, quick = [], []
    projects = [
        row["project"] for row in store.execute("SELECT DISTINCT project FROM samples WHERE project IS NOT NULL")
    ]
    for project in projects:
        for key, row in published.read(state, project).items():
            if key.endswith("…"):
                continue
            known = {"key": key, "n": row[0], "median_s": row[1]}
            if row[place] >= 0.6:
                long.append(known)
            elif row[place] <= 0.4 and judge(Command(key))[0] == "force":
                quick.append(known)
    return {
        "These take long and will go to the background:": sorted(long, key=lambda row: -row["median_s"])[:SHOWN],
        "These are quick here, whatever their name suggests:": sorted(quick, key=lambda row: -row["n"])[:SHOWN],
    }
