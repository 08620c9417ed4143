"""The entry of the `hookwright` program: what is asked for most often starts without loading the parser of arguments.

argv → [main] → statusline, log, why in their plain forms | cli/main.py for everything else, with click
Loading click costs more than these commands' work. What is not understood here, is left to click: it knows more
forms, and says what is wrong.
"""

from __future__ import annotations

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

# Objects that are created before the garbage collector looks: importing creates many, and all of them stay.
COLLECT_AFTER = 40_000


def main() -> None:
    gc.set_threshold(COLLECT_AFTER)
    run = find_plain_command(sys.argv[1:])
    if run is None:
        from hookwright.cli.main import main as run_program  # noqa: PLC0415  with click

        run_program()
    else:
        from hookwright.cli.guarded import run_guarded  # noqa: PLC0415

        run_guarded(run)


def find_plain_command(words: list[str]) -> Callable[[], int] | None:
    """The command with these words; None if click has to read them."""
    match words:
        case ["statusline"]:
            from hookwright.cli.statusline import run_statusline  # noqa: PLC0415

            return run_statusline
        case ["log", *options]:
            return _find_log(options)
        case ["why"] | ["why", "--json"]:
            return _find_why("last", as_json=len(words) == 2)
        case ["why", name] | ["why", name, "--json"] if name[:1] not in ("-", ""):
            return _find_why(name, as_json=len(words) == 3)
    return None


def _find_log(options: list[str]) -> Callable[[], int] | None:
    limit = None
    as_json = follow = False
    rest = iter(options)
    for word in rest:
        if word == "--json":
            as_json = True
        elif word in ("-f", "--follow"):
            follow = True
        elif word in ("-n", "--limit"):
            number = next(rest, "")
            if not (number.isascii() and number.isdecimal() and int(number)):
                return None
            limit = int(number)
        else:
            return None
    from hookwright.cli.run_log import run_log  # noqa: PLC0415
    from hookwright.store.filter import Filter  # noqa: PLC0415

    return lambda: run_log(Filter(spoken=not as_json), follow=follow, limit=limit, as_json=as_json)


def _find_why(name: str, *, as_json: bool) -> Callable[[], int]:
    from hookwright.cli.run_log import run_why  # noqa: PLC0415

    return lambda: run_why(name, as_json=as_json)
