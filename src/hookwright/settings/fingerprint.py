"""A fingerprint of the effective hooks: what would run, said in one short word that changes when anything does.

Loaded → [snapshot] → rows to keep → [fingerprint, differences]
Hooks are a known place for malware to stay; a hook that appeared, or whose script was rewritten, should not go unseen.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence

from hookwright.settings.commands import Surroundings, invocation
from hookwright.settings.load import Registered

Row = dict[str, str]
LARGEST_SCRIPT = 4_000_000


def snapshot(entries: Iterable[Registered], project: str, environment: Mapping[str, str]) -> list[Row]:
    """A row for each handler that counts: where it stands, what it says, and the script it would run."""
    rows = []
    for registered in entries:
        entry = registered.entry
        around = Surroundings(project, environment, plugin_root=registered.source.root)
        rows.append(
            {
                "scope": registered.source.scope,
                "file": registered.source.path,
                "event": entry.event,
                "matcher": entry.matcher or "",
                "runs": _runs(entry.handler),
                "handler": _digest(json.dumps(entry.handler, sort_keys=True).encode()),
                "script": _script(entry.handler, around),
            }
        )
    return sorted(rows, key=lambda row: tuple(row.values()))


def fingerprint(rows: Sequence[Row]) -> str:
    return _digest(json.dumps(rows, sort_keys=True).encode())


def differences(old: Sequence[Row], new: Sequence[Row]) -> list[str]:
    """What changed between two looks, a sentence each."""
    before, after = {_key(row): row for row in old}, {_key(row): row for row in new}
    words = [f"new: {_words(after[key])}" for key in after if key not in before]
    words += [f"gone: {_words(before[key])}" for key in before if key not in after]
    for key in after.keys() & before.keys():
        if after[key]["script"] != before[key]["script"]:
            words.append(f"script changed: {_words(after[key])}")
    return sorted(words)


def _key(row: Row) -> tuple[str, ...]:
    return tuple(row[name] for name in ("scope", "file", "event", "matcher", "handler"))


def _words(row: Row) -> str:
    matcher = f" ({row['matcher']})" if row["matcher"] else ""
    return f"{row['event']}{matcher} runs {row['runs']}, in {row['file']}"


def _runs(handler: Mapping[str, object]) -> str:
    """A handler in a few words."""
    kind = handler["type"]
    if kind == "command":
        args = handler.get("args")
        words = [str(handler["command"]), *map(str, args if isinstance(args, list) else ())]
        return " ".join(words)[:200]
    if kind == "mcp_tool":
        return f"mcp_tool {handler['server']}/{handler['tool']}"
    return f"{kind} {handler.get('url') or handler.get('prompt')}"[:200]


def _script(handler: Mapping[str, object], around: Surroundings) -> str:
    """Digest of the script behind a command: the file an interpreter is given, or the program if it is one."""
    if handler["type"] != "command":
        return ""
    started = invocation(handler, around)
    for path in (started.script, started.program):
        try:
            if path is None or os.path.getsize(path) > LARGEST_SCRIPT:
                continue
            with open(path, "rb") as handle:
                raw = handle.read()
        except OSError:
            continue
        if path == started.script or raw.startswith(b"#!"):
            return _digest(raw)
    return ""


def _digest(raw: bytes) -> str:
    return hashlib.sha256(raw).hexdigest()[:16]
