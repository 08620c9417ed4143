"""What past runs say about one command: its key, and the estimate of the next run.

command → shell/command_key → durations_read → [estimate_command] → auto_background, background_tasks, explain
Hot, but loaded only for commands about which something may be known.
"""

from __future__ import annotations

from hookwright.store import durations_read

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.store.durations_read import Estimate


def estimate_command(folder: str, command: str, long_s: float) -> tuple[str, bool, Estimate | None]:
    """The command's key, whether it is a server, and what its past runs say about exceeding `long_s` seconds.

    `folder` is the project's state.
    """
    from hookwright.shell.command_key import key_of  # noqa: PLC0415

    key = key_of(command)
    rows, serves = durations_read.read_rows(
        folder, [key.text, *(level for part in key.segments for level in part.levels)]
    )
    return key.text, serves, durations_read.estimate_segments(rows, key.segments, key.text, long_s)


def estimate_to_dict(past: Estimate) -> dict[str, Any]:
    """What was learned, as the journal and `explain` show it."""
    return {"n": past[0], "median_s": past[1], "p90_s": past[2], "p_long": round(past[4], 3)}
