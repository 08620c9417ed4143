"""What the past of a project says about a command, and whether that decides.

state.durations, and shell.key where the words are new → [this] → auto_background, explain
Hot, but only for commands of which something was learned.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.state.durations import Learned


def experience(folder: str, command: str, long_s: float) -> tuple[str, bool, Learned | None]:  # rare
    """The command's key, whether it serves, and what its past runs say about taking longer than `long_s` seconds."""
    from hookwright.shell.key import key_of  # noqa: PLC0415
    from hookwright.state import durations  # noqa: PLC0415

    key = key_of(command)
    rows, serves = durations.rows_of(folder, [key.text, *(level for part in key.segments for level in part.levels)])
    return key.text, serves, durations.look_up(rows, key.segments, key.text, long_s)


def weighed(hook: Any, folder: str, command: str, seen: tuple[Any, ...]) -> tuple[str, str] | None:
    """Learned-long is moved, learned-quick is left alone; None: the table decides.

    `hook` is auto_background, for its options and its world; `seen` is what durations.glimpse found.
    """
    if seen:
        from hookwright.state.durations import learned  # noqa: PLC0415

        key, serves, row = seen
        past: Learned | None = learned(row, hook.long_seconds)
    else:
        key, serves, past = experience(folder, command, hook.long_seconds)
    facts = hook.world.facts
    if key:
        facts["key"] = key
    if past is None:
        return None
    n, median, _, background, p_long = past
    facts["learned"] = figures(past)
    if p_long >= hook.long_at or (p_long > hook.quick_at and background):
        told = f"{n} {'run' if n == 1 else 'runs'} here, usually {shown(median)}"
        return "force", f"{told}; longer than {hook.long_seconds} s with probability {p_long:.2f}"
    if p_long <= hook.quick_at or (p_long < hook.long_at and background is False):
        return None if serves else ("none", "")  # a server that ends soon has failed; it is not quick
    return None


def figures(past: Learned) -> dict[str, Any]:
    """What was learned, as the ledger and `explain` tell it."""
    return {"n": past[0], "median_s": past[1], "p90_s": past[2], "p_long": round(past[4], 3)}


def shown(seconds: float) -> str:
    """A duration as people say it."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
