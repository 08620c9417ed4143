"""The compiled plan as a cache file: read if every source still has the stamp it was compiled from, else compiled anew.

config files → [load_plan] → plan → dispatch
Never stale: the stamps (ctime, size, inode) of all sources are in the file and compared on each call. Where the file
cannot be written, the plan is compiled for each event: slower, with the same result. Hot: builtin modules only.
"""

from __future__ import annotations

import marshal
import posix
from _imp import source_hash

from hookwright.config import config_files
from hookwright.store.paths import make_private, project_key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Plan = dict[str, Any]

SALT = 0x686F6F6B  # of the checksum, so that a cache file of another kind is never taken for a plan
_USUAL = 1 << 15  # bytes of the first read; allocating the largest size would map and unmap memory on every call
_LARGEST = 4 << 20


def load_plan(
    build: bytes,
    *,
    config: str | None,
    state: str | None,
    cache: str | None,
    start: str,
    home: str | None,
    policy: str = "",
    event: Any = None,
    may_compile: bool = True,
) -> Plan | None:
    """The plan for a session that was started in `start`; None if it must be compiled and `may_compile` is false.

    `build` identifies the code that the plan was compiled by; without it nothing is cached. A cached plan stores the
    rows of each event separately; with `event` only that event's rows are decoded.
    """
    project, folder, root = config_files.find_project(start, home)
    user = config_files.user_file(config)
    hooks = config_files.hooks_folder(config)
    name = config_files.project_name(project, folder)
    trust = config_files.trust_file(state, name, project_key)
    here = config_files.existing_here_file(config, root, project_key)
    fixed = (user, project, trust, hooks, folder, policy, here)
    # Projects without a configuration of their own share one plan.
    path = f"{cache}/plan-{project_key(name or (root if here else '/'))}" if cache and build else ""
    cached = read_plan_file(path) if path else None
    if cached is not None and cached[0] != build:
        cached = None
    if cached is not None and cached[1] == config_files.stamp_files(fixed + cached[2]["files"]):
        return _decode_rows(cached[2], event)
    if not may_compile:
        return None
    from hookwright.config.compiler import compile_plan, keep_policy  # noqa: PLC0415  tomllib and others, only when a source changed
    from hookwright.config.policy_files import last_good_policy  # noqa: PLC0415  as above

    stamps = config_files.stamp_files(fixed)  # taken before reading: a file that changes meanwhile is read again
    last_good = _decode_rows(cached[2], None) if cached else None
    kept = last_good_policy(state)
    plan = compile_plan(
        user=user,
        project=project,
        trust=trust,
        hooks=hooks,
        folder=folder,
        policy=policy,
        here=here,
        last_good_policy=kept,
        last_good=last_good,
    )
    if plan["policy"] is not None:
        keep_policy(policy, kept)
    if path:
        rows = {name: marshal.dumps(rows) for name, rows in plan["hooks"].items()}
        write_plan_file(path, (build, stamps + plan["stamps"], {**plan, "hooks": rows}))
    return plan


def _decode_rows(plan: Plan, event: Any) -> Plan:
    """The plan with the rows of one event, or of all if none is named."""
    encoded = plan["hooks"]
    names = [event] if isinstance(event, str) else list(encoded)
    plan["hooks"] = {name: marshal.loads(encoded[name]) for name in names if name in encoded}  # noqa: S302
    return plan


def read_plan_file(path: str) -> tuple[Any, ...] | None:
    """The three values that `write_plan_file` wrote; None if the file is missing, damaged or something else."""
    try:
        descriptor = posix.open(path, posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC)
        try:
            if posix.fstat(descriptor)[:5:4] != (0o100600, posix.geteuid()):  # mode and owner: ours alone
                return None
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


def write_plan_file(path: str, value: tuple[Any, ...]) -> bool:
    """Write the plan atomically; False if it cannot be written."""
    from hookwright.proc.atomic_write import write_atomic  # noqa: PLC0415  only when a source changed
    from hookwright.proc.shared_dir import find_sharing  # noqa: PLC0415

    data = marshal.dumps(value)
    try:
        folder = path[: path.rfind("/")]
        if not make_private(folder) or find_sharing(folder):
            return False
        write_atomic(path, source_hash(SALT, data) + data)
    except (OSError, ValueError):
        return False
    return True
