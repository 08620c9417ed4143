"""Compute a fingerprint of the effective hooks, and name what changed between two snapshots.

LoadedHooks → [take_snapshot] → rows to store → [compute_fingerprint, diff_snapshots]
Hooks are a known persistence mechanism for malware: a new hook, or a script that was rewritten, should be noticed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence

from hookwright.proc.safe_read import read_file
from hookwright.settings.handler_command import LaunchContext, describe_handler, resolve_invocation
from hookwright.settings.load import RegisteredHandler

Row = dict[str, str]
LARGEST_SCRIPT = 4_000_000


def take_snapshot(entries: Iterable[RegisteredHandler], project: str, environment: Mapping[str, str]) -> list[Row]:
    """One row per effective handler: its place, its definition, and a digest of the script it runs."""
    rows = []
    for registered in entries:
        entry = registered.entry
        context = LaunchContext(project, environment, plugin_root=registered.source.root)
        rows.append(
            {
                "scope": registered.source.scope,
                "file": registered.source.path,
                "event": entry.event,
                "matcher": entry.matcher or "",
                "runs": _format_handler(entry.handler),
                "handler": _short_hash(json.dumps(entry.handler, sort_keys=True).encode()),
                "script": _script_digest(entry.handler, context),
            }
        )
    return sorted(rows, key=lambda row: tuple(row.values()))


def compute_fingerprint(rows: Sequence[Row]) -> str:
    return _short_hash(json.dumps(rows, sort_keys=True).encode())


def diff_snapshots(old: Sequence[Row], new: Sequence[Row]) -> list[str]:
    """What changed between two snapshots, one sentence each."""
    before, after = {_row_key(row): row for row in old}, {_row_key(row): row for row in new}
    changes = [f"new: {_format_row(after[key])}" for key in after if key not in before]
    changes += [f"gone: {_format_row(before[key])}" for key in before if key not in after]
    for key in after.keys() & before.keys():
        if after[key]["script"] != before[key]["script"]:
            changes.append(f"script changed: {_format_row(after[key])}")
    return sorted(changes)


def _row_key(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in ("scope", "file", "event", "matcher", "handler"))


def _format_row(row: Row) -> str:
    matcher = f" ({row['matcher']})" if row["matcher"] else ""
    return f"{row['event']}{matcher} runs {row['runs']}, in {row['file']}"


def _format_handler(handler: Mapping[str, object]) -> str:
    text = describe_handler(handler)
    return (text if handler["type"] == "command" else f"{handler['type']} {text}")[:200]


def _script_digest(handler: Mapping[str, object], context: LaunchContext) -> str:
    """Digest of the script that a command runs: the interpreter's argument, or the program if it has a #! line."""
    if handler["type"] != "command":
        return ""
    invocation = resolve_invocation(handler, context)
    for path in (invocation.script, invocation.program):
        if path is None:
            continue
        try:
            raw = read_file(path, LARGEST_SCRIPT)
        except OSError:
            continue
        if path == invocation.script or raw.startswith(b"#!"):
            return _short_hash(raw)
    return ""


def _short_hash(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:16]
