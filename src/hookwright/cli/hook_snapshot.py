"""Remember which hooks are registered here, and say what changed since the last time.

SettingsContext → [this] → verify.snapshots → sentences
"""

from __future__ import annotations

from hookwright.cli.settings_context import SettingsContext
from hookwright.runtime import launcher
from hookwright.settings.fingerprint import Row, take_snapshot
from hookwright.settings.load import LoadedHooks, load_sources
from hookwright.verify.snapshots import SnapshotStore


def snapshot_rows(context: SettingsContext, loaded: LoadedHooks) -> list[Row]:
    """A row for every handler that would run. Our own entry is named `hookwright` only if its argv is exactly ours."""
    argv = launcher.build_argv()
    rows = []
    for registered in loaded.entries:
        [row] = take_snapshot([registered], context.project, context.environment)
        handler = registered.entry.handler
        if [handler.get("command"), *(handler.get("args") or ())][: len(argv)] == argv:
            row["runs"] = "hookwright"
        rows.append(row)
    return rows


def diff_snapshot(context: SettingsContext) -> list[str]:
    """What changed among all hooks since the last snapshot; call it before changing anything."""
    return SnapshotStore(context.state, context.project).diff_rows(
        snapshot_rows(context, load_sources(context.list_sources()))
    )


def update_snapshot(context: SettingsContext, loaded: LoadedHooks) -> list[str]:
    """What changed since the last snapshot, which this one replaces."""
    rows = snapshot_rows(context, loaded)
    snapshots = SnapshotStore(context.state, context.project)
    changed = snapshots.diff_rows(rows)
    snapshots.save_rows(rows)
    return changed
