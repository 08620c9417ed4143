"""What was registered at the last look: a hook that appeared, went or was rewritten since is named.

effective hooks → [Looks] → what changed, in sentences
Hooks are a known place for malware to stay. Entries of this user are remembered once, those of a project beside it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Sequence

from hookwright.settings.fingerprint import Row, differences
from hookwright.state import paths

EVERYWHERE = "/"
ADDED = ("agent", "command", "skill")  # frontmatter, of the user or of the project


class Looks:
    """The memory of looks in the state folder."""

    def __init__(self, state: str, project: str) -> None:
        self.folder = f"{state}/looks"
        self.project = project

    def changes(self, rows: Sequence[Row]) -> list[str]:
        """What differs from the last look; nothing at the first one."""
        found: list[str] = []
        for place, now in self._parts(rows).items():
            before = self._read(place)
            if before is not None:
                found += differences(before, now)
        return found

    def remember(self, rows: Sequence[Row]) -> None:
        """This is the last look now. Where nothing can be kept, every look is the first."""
        if not paths.make_private(self.folder):
            return
        for place, now in self._parts(rows).items():
            path = self._path(place)
            temporary = f"{path}.{os.getpid()}"
            with contextlib.suppress(OSError):
                with open(temporary, "w", encoding="utf-8") as file:
                    json.dump({"place": place, "hooks": list(now)}, file)
                os.replace(temporary, path)

    def _parts(self, rows: Sequence[Row]) -> dict[str, list[Row]]:
        parts: dict[str, list[Row]] = {EVERYWHERE: [], self.project: []}
        for row in rows:
            within = row["file"].startswith(self.project.rstrip("/") + "/.claude/")
            of_project = row["scope"] in ("project", "local") or (within and row["scope"] in ADDED)
            parts[self.project if of_project else EVERYWHERE].append(row)
        return parts

    def _read(self, place: str) -> list[Row] | None:
        try:
            with open(self._path(place), encoding="utf-8") as file:
                rows = json.load(file)["hooks"]
            return [{str(key): str(value) for key, value in row.items()} for row in rows]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None

    def _path(self, place: str) -> str:
        return f"{self.folder}/{paths.project_key(place)}.json"
