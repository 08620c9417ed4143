"""`hookwright`: finds the command, runs it, and turns every ending into words and an exit code.

0 done · 1 the user can mend it · 2 wrong usage · 3 our fault, with a report file
"""

from __future__ import annotations

import importlib
import os
import sys
import time
import traceback
from typing import Any

import click

from hookwright.errors import UserError
from hookwright.state import paths
from hookwright.version import __version__

# Command → the line that the overview shows. The file is cli/<command>.py, the command object is `command`.
COMMANDS = {
    "install": "put hookwright into Claude Code's settings: diff first, then proof",
    "uninstall": "take it out again, exactly",
    "undo": "take back the last change to your settings",
    "status": "what is on, from which file, how it did lately",
    "verify": "receipts for every registered hook, yours and other tools'",
    "hook": "answer one event: payload on stdin, answer on stdout",
    "config": "show, find and check the configuration",
    "run": "play an event through every registered hook: what Claude Code would do, and why",
    "explain": "how a command is read and what would be decided, by whom and why",
    "questions": "what is answered for you, and every question so far",
    "log": "what happened, oldest first; -f goes on with what happens now",
    "why": "for one past event: who decided what, and what came of it",
    "stats": "decisions, commands, time in the background, what the hooks cost",
    "new": "begin a hook or a rule of your own, green at once",
    "test": "play the examples and cases of your hooks; say what differs",
    "learn": "learn how long commands take from Claude Code's transcripts",
    "replay": "what the configuration, or a proposed one, would have done to past calls",
    "trust": "let this project's own hooks run, and its .hookwright.toml do more than tighten",
}


class _Commands(click.Group):
    """Loads a command's file when it is called, so that `hookwright hook` starts nothing else."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(f"hookwright.cli.{cmd_name}").command
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches  # noqa: PLC0415

            close = get_close_matches(args[0], COMMANDS, n=1) if args else []
            if not close:
                raise
            raise click.UsageError(f"{error.message} Did you mean {close[0]!r}?", ctx) from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, "-V", "--version", prog_name="hookwright")
def program() -> None:
    """Hooks for Claude Code that are fast, proven and explained.

    Start with `hookwright install`; `hookwright COMMAND --help` shows an example of each command.
    """


def main() -> None:
    try:
        code = program.main(standalone_mode=False)
    except UserError as error:
        print(f"hookwright: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        print("hookwright: stopped, nothing more was changed", file=sys.stderr)
        sys.exit(1)
    except BrokenPipeError:  # `hookwright log | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception:  # noqa: BLE001  the last net: a report instead of a traceback
        print(_report(), file=sys.stderr)
        sys.exit(3)
    sys.exit(code if isinstance(code, int) else 0)


def _report() -> str:
    """Write what happened to a file and say where it is."""
    text = traceback.format_exc()
    words = " ".join(sys.argv[1:2])
    state = paths.state_dir(os.environ.get)
    if state and paths.make_private(f"{state}/reports"):
        path = f"{state}/reports/{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"hookwright {__version__}, Python {sys.version}\ncommand: {words}\n\n{text}")
        return f"hookwright: this is our fault, not yours: {text.splitlines()[-1]}\n  report: {path}"
    return f"hookwright: this is our fault, not yours:\n{text}"
