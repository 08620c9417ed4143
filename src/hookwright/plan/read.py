"""The door's side of the plan: one small file, read if it still fits its sources, else made anew.

sources' stamps → [load] → plan
Never stale: the stamps of every source are in the file and compared on each call. If the file cannot
be written the plan is compiled each time: slower, and just as right.
"""

from __future__ import annotations

import marshal
import posix
from _imp import source_hash

from hookwright.plan import sources
from hookwright.state.paths import project_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    Plan = dict[str, Any]

SALT = 0x686F6F6B  # of the checksum, so that a file of another kind never fits
_USUAL = 1 << 15  # a buffer of the largest size would be mapped and torn down on every call
_LARGEST = 4 << 20


def from_sources(**paths: Any) -> Plan:  # rare
    from hookwright.plan.compiler import compiled  # noqa: PLC0415  tomllib and friends, only when something changed

    return compiled(**paths)


def load(
    build: bytes,
    *,
    config: str | None,
    state: str | None,
    cache: str | None,
    start: str,
    home: str | None,
    compiled: Callable[..., Plan] = from_sources,
    event: Any = None,
) -> Plan:
    """The plan for a session that was started in `start`. `build` names the code that made the plan.

    A kept plan holds each event's rows by themselves; with `event` only that event's are read.
    """
    project, folder = sources.project_places(start, home)
    user = sources.user_file(config)
    hooks = sources.hooks_folder(config)
    name = sources.project_name(project, folder)
    trust = sources.trust_file(state, name, project_key)
    fixed = (user, project, trust, hooks, folder)
    target = f"{cache}/plan-{project_key(name or '/')}" if cache and build else ""
    kept = read(target) if target else None
    if kept is not None and kept[0] != build:
        kept = None
    if kept is not None and kept[1] == sources.stamps(fixed + kept[2]["files"]):
        return unpacked(kept[2], event)
    # Before reading: a file that changes while it is read must not pass for read.
    before = sources.stamps(fixed)
    last_good = unpacked(kept[2], None) if kept else None
    plan = compiled(user=user, project=project, trust=trust, hooks=hooks, folder=folder, last_good=last_good)
    if target:
        from hookwright.plan.keep import write  # noqa: PLC0415

        packed = {**plan, "hooks": {name: marshal.dumps(rows) for name, rows in plan["hooks"].items()}}
        write(target, (build, before + plan["stamps"], packed))
    return plan


def unpacked(plan: Plan, event: Any) -> Plan:
    """The plan with the rows of one event, or of all if none is named."""
    packed = plan["hooks"]
    names = [event] if isinstance(event, str) else list(packed)
    plan["hooks"] = {name: marshal.loads(packed[name]) for name in names if name in packed}  # noqa: S302
    return plan


def read(path: str) -> tuple[Any, ...] | None:
    """What `write` wrote, or None for anything else."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
        try:
            data = posix.read(descriptor, _USUAL)
            if len(data) == _USUAL:
                data += posix.read(descriptor, _LARGEST)
        finally:
            posix.close(descriptor)
        if source_hash(SALT, data[8:]) != data[:8]:
            return None
        value = marshal.loads(data[8:])  # noqa: S302  our own file, checked above
    except (OSError, ValueError, EOFError, TypeError):
        return None
    return value if isinstance(value, tuple) and len(value) == 3 else None
