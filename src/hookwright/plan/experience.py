"""What the past of a project says about a command: its key looked up in what was learned.

command → shell.key → state.durations → [this] → auto_background, explain, replay
Hot, but only in projects in which something was learned.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.state.durations import Learned


def experience(state: str | None, project: str, command: str, long_s: float) -> tuple[str, str, Learned | None]:
    """The command's key and intent, and what its past runs say about taking longer than `long_s` seconds.

    Key and intent are empty when nothing that is known can be about this command.
    """
    from hookwright.state import durations  # noqa: PLC0415  see above

    rows = durations.relevant(state, project, command)
    if not rows:
        return "", "", None
    from hookwright.shell.key import key_of  # noqa: PLC0415

    key = key_of(command)
    return key.text, key.intent, durations.look_up(rows, key.segments, key.text, long_s)


def weighed(hook: Any, command: str, verdict: str, reason: str) -> tuple[str, str]:
    """Learned-long is moved, learned-quick is left alone, unknown is what the table says.

    `hook` is auto_background, for its options and its world.
    """
    world = hook.world
    key, intent, past = experience(world.state, world.project, command, hook.long_seconds)
    if key:
        world.facts["key"] = key
    if past is None:
        return verdict, reason
    world.facts["learned"] = {
        "n": past.n,
        "median_s": past.median_s,
        "p90_s": past.p90_s,
        "p_long": round(past.p_long, 3),
    }
    is_long = past.p_long >= hook.long_at or (past.p_long > hook.quick_at and past.background)
    is_quick = past.p_long <= hook.quick_at or (past.p_long < hook.long_at and past.background is False)
    told = f"{past.n} {'run' if past.n == 1 else 'runs'} here, usually {shown(past.median_s)}"
    if is_long:
        return "force", f"{told}; longer than {hook.long_seconds} s with probability {past.p_long:.2f}"
    if is_quick and intent != "server":  # one that ends soon has failed; it is not quick
        return "none", ""
    return verdict, reason


def shown(seconds: float) -> str:
    """A duration as people say it."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min"
