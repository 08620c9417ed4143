"""Run a command: errors become messages and exit codes.

Exit codes: 0 done, 1 the user can fix it, 2 wrong usage, 3 our fault, with a report file.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from hookwright.errors import UserError

if TYPE_CHECKING:
    from collections.abc import Callable


def run_guarded(function: Callable[[], object]) -> None:
    """Call it and exit: with its result if that is a number, else with what the error means."""
    try:
        code = function()
    except UserError as error:
        _print_error(error)
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
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
    from hookwright.version import __version__  # noqa: PLC0415

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
