"""The `hookwright` program: find the command, run it, turn errors into messages and exit codes.

Exit codes: 0 done, 1 the user can fix it, 2 wrong usage, 3 our fault, with a report file.
"""

from __future__ import annotations

import gc
import importlib
import os
import sys
from typing import Any

gc.set_threshold(50_000)  # importing creates objects that stay: collecting them is a tenth of a short command's work

import click  # noqa: E402

from hookwright.cli.output import screen_width  # noqa: E402
from hookwright.errors import UserError  # noqa: E402
from hookwright.version import __version__  # noqa: E402

# Command → its line in `hookwright --help`. The file is cli/commands/<command>.py, the click object is `command`.
COMMANDS = {
    "install": "register hookwright in Claude Code's settings: shows the diff, asks, proves it works",
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
    try:
        code = program.main(standalone_mode=False)
    except UserError as error:
        _print_error(error)
        sys.exit(error.exit_code)
    except click.ClickException as error:
        from hookwright.cli.output import print_usage_error  # noqa: PLC0415  only for errors

        print_usage_error(error)
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        _print_error("interrupted; nothing more was changed")
        sys.exit(1)
    except BrokenPipeError:  # `hookwright log | head`
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except Exception:  # noqa: BLE001  the user gets a report file instead of a traceback
        _print_error(_write_crash_report())
        sys.exit(3)
    sys.exit(code if isinstance(code, int) else 0)


def _print_error(error: UserError | str) -> None:
    """What, where, what to try; escaped, since a path or a value may hold anything."""
    from hookwright.cli.output import print_line  # noqa: PLC0415  only for errors

    for line in f"hookwright: {error}".splitlines():
        print_line(line, stderr=True)


def _write_crash_report() -> str:
    """Write the traceback to a file; the message names it."""
    import time  # noqa: PLC0415  only for errors
    import traceback  # noqa: PLC0415

    from hookwright.store import paths  # noqa: PLC0415
    from hookwright.store.redact import mask  # noqa: PLC0415

    text = mask(traceback.format_exc())[0]
    words = " ".join(sys.argv[1:2])
    state = paths.state_dir(os.environ.get)
    if state and paths.make_private(f"{state}/reports"):
        path = f"{state}/reports/{time.strftime('%Y%m%d-%H%M%S')}-{os.getpid()}.txt"
        report = f"hookwright {__version__}, Python {sys.version}\ncommand: {words}\n\n{text}"
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(report.encode("utf-8", "backslashreplace"))
        return f"internal error: {text.splitlines()[-1]}\n  report: {path}"
    return f"internal error:\n{text}"
