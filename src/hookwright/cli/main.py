"""The `hookwright` program: find the command, run it, turn errors into messages and exit codes.

Exit codes: 0 done, 1 the user can fix it, 2 wrong usage, 3 our fault, with a report file.
"""

from __future__ import annotations

import importlib
from typing import Any

import click

from hookwright.cli.guarded import run_guarded
from hookwright.cli.output import screen_width
from hookwright.version import __version__

# Command → its line in `hookwright --help`. The file is cli/commands/<command>.py, the click object is `command`.
COMMANDS = {
    "install": "register hookwright in Claude Code's settings: says what changes, asks, proves it works",
    "uninstall": "remove it from Claude Code's settings",
    "undo": "revert the last change to your settings",
    "allow": "let a command pass that was denied or asked about: last, ID, RULE or 'COMMAND'",
    "on": "turn a hook on, everywhere or (--here) in this project only",
    "off": "turn a hook off, everywhere or (--here) in this project only",
    "shadow": "let a hook decide without sending its decision",
    "status": "which hooks are on, where they are registered, what they did lately",
    "verify": "check that every registered hook works, hookwright's and other tools'",
    "hook": "answer one event: payload on stdin, answer on stdout",
    "config": "show, find and check the configuration",
    "policy": "show and check the administrator's policy, a floor under everybody's configuration",
    "run": "run every registered hook on an event and show what Claude Code would do",
    "explain": "show how a shell command is parsed and what the hooks would decide",
    "questions": "preferences for Claude's questions, and every question so far",
    "log": "recorded events, oldest first; -f follows new ones",
    "why": "for one past event: which hook decided what, and how the call ended",
    "open": "a local page of what happened and why, live",
    "gain": "what hookwright was good for: time not waited, calls stopped, questions answered",
    "statusline": "a segment for Claude Code's status line",
    "stats": "decisions, slow commands, time saved, what the hooks cost",
    "background": "background commands: expected end, overdue ones, those that ended sessions left running; end one",
    "new": "write a hook or a rule of your own, with passing tests",
    "test": "run the examples and cases of your hooks",
    "learn": "learn how long commands take from Claude Code's transcripts",
    "replay": "what the current or a proposed configuration would have decided on past calls",
    "trust": "let this project's hooks run and its .hookwright.toml loosen limits",
}


class _LazyGroup(click.Group):
    """Imports a command's module only when that command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        found: click.Command = importlib.import_module(f"hookwright.cli.commands.{cmd_name}").command
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


# click would ask shutil for the width of the screen, which loads three compressors.
_CONTEXT = {"help_option_names": ["-h", "--help"], "terminal_width": max(50, min(screen_width(), 80) - 2)}


@click.group(cls=_LazyGroup, context_settings=_CONTEXT)
@click.version_option(__version__, "-V", "--version", prog_name="hookwright")
def program() -> None:
    """Hooks for Claude Code that are fast, verified and explained.

    Start with `hookwright install`; `hookwright COMMAND --help` shows an example of each command.
    """


def main() -> None:
    run_guarded(_run_program)


def _run_program() -> object:
    try:
        return program.main(standalone_mode=False)
    except click.ClickException as error:
        from hookwright.cli.output import print_usage_error  # noqa: PLC0415  only for errors

        print_usage_error(error)
        return error.exit_code
    except click.Abort:
        raise KeyboardInterrupt from None
