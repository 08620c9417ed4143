"""Decides from the durations of past runs whether a command runs in the background.

store/durations_read, and shell/command_key for words that were not run before → [this] → auto_background, explain
Hot, but loaded only for commands about which something was learned.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.store.durations_read import Estimate


def decide_from_history(
    folder: str,
    command: str,
    found: tuple[Any, ...],
    facts: dict[str, Any],
    *,
    shared: str = "",
    long_seconds: int,
    long_at: float,
    quick_at: float,
) -> tuple[str, str] | None:
    """Verdict and reason: learned-long is moved, learned-quick is left alone; None if the program's family decides.

    `folder` is the project's state, `found` what durations_read.probe_command returned; what was learned is added to
    `facts`, for the journal. `shared` is where other projects' runs are, if they may count: only where this project has
    none. The rest are auto_background's options of these names.
    """
    if found:
        from hookwright.store.durations_read import estimate_from_row  # noqa: PLC0415

        key, serves, row = found
        past: Estimate | None = estimate_from_row(row, long_seconds)
    else:
        from hookwright.store.durations_lookup import estimate_command  # noqa: PLC0415

        key, serves, past = estimate_command(folder, command, long_seconds)
    where = "in other projects" if folder.endswith("/shared") else "here"
    if past is None and shared:
        from hookwright.store.durations_lookup import estimate_command  # noqa: PLC0415

        key, serves, past = estimate_command(shared, command, long_seconds)
        where = "in other projects"
    if key:
        facts["key"] = key
    if past is None:
        return None
    n, median, _, background, p_long = past
    facts["learned"] = {"n": n, "median_s": median, "p90_s": past[2], "p_long": round(p_long, 3)}
    if p_long >= long_at or (p_long > quick_at and background):
        runs = f"{n} {'run' if n == 1 else 'runs'} {where}, usually {format_duration(median)}"
        return "force", f"{runs}; longer than {long_seconds} s with probability {p_long:.2f}"
    if p_long <= quick_at or (p_long < long_at and background is False):
        if serves or ("sleep" in command and sleeps_long(command, long_seconds)):
            return None  # a server that ends soon has failed, and the number after `sleep` is surer than other sleeps
        return "none", ""
    return None


def sleeps_long(command: str, long_seconds: int) -> bool:
    """Whether the command's own words say that it sleeps so long: `sleep 300` after many `sleep 2`."""
    from hookwright.shell.command import parse_cached  # noqa: PLC0415
    from hookwright.shell.sleeps_and_loops import holds_foreground, sleep_seconds  # noqa: PLC0415

    calls = [call for call in parse_cached(command, ".").calls if call.program == "sleep" and holds_foreground(call)]
    return sum(sleep_seconds(call) * call.times for call in calls) >= long_seconds


def format_duration(seconds: float) -> str:
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
