"""Remember what was registered at the last verification, and name hooks that appeared, vanished or were rewritten.

take_snapshot → [SnapshotStore] → what changed, in sentences
Hooks are a known persistence mechanism for malware. Entries of the user are stored once, entries of a project per
project.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Sequence

from hookwright.proc.atomic_write import write_atomic
from hookwright.proc.safe_read import read_text
from hookwright.settings.fingerprint import Row, diff_snapshots
from hookwright.store import paths
from hookwright.store.redact import mask

MAX_BYTES = 16 << 20  # of a snapshot
USER_PLACE = "/"
FRONTMATTER_SCOPES = ("agent", "command", "skill")  # of the user or of the project


class SnapshotStore:
    """Snapshots in the state folder."""

    def __init__(self, state: str, project: str) -> None:
        self.folder = f"{state}/looks"
        self.project = project

    def diff_rows(self, rows: Sequence[Row]) -> list[str]:
        """What differs from the last snapshot; nothing if there is none."""
        found: list[str] = []
        for place, now in self._split_by_scope(rows).items():
            before = self._read_snapshot(place)
            if before is not None:
                found += diff_snapshots(before, now)
        return found

    def save_rows(self, rows: Sequence[Row]) -> None:
        """Store this snapshot; does nothing if the state folder is not writable."""
        if not paths.make_private(self.folder):
            return
        for place, now in self._split_by_scope(rows).items():
            path = self._snapshot_path(place)
            with contextlib.suppress(OSError):
                write_atomic(path, json.dumps({"place": place, "hooks": list(now)}).encode())

    def _split_by_scope(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        parts: dict[str, list[Row]] = {USER_PLACE: [], self.project: []}
        for row in rows:
            within = row["file"].startswith(self.project.rstrip("/") + "/.claude/")
            of_project = row["scope"] in ("project", "local") or (within and row["scope"] in FRONTMATTER_SCOPES)
            parts[self.project if of_project else USER_PLACE].append({**row, "runs": mask(row["runs"])[0]})
        return parts

    def _read_snapshot(self, place: str) -> list[Row] | None:
        try:
            rows = json.loads(read_text(self._snapshot_path(place), MAX_BYTES))["hooks"]
            return [{str(key): str(value) for key, value in row.items()} for row in rows]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _snapshot_path(self, place: str) -> str:
        return f"{self.folder}/{paths.project_key(place)}.json"
