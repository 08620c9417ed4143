"""Writes preferences: whole files, one writer at a time, for the user alone.

hookwright questions set, forget, undo, presence → [this] → <config>/questions/*.json
Nothing else in the project writes there. Cold: commands only.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.questions import files
from hookwright.state.lock import Lock
from hookwright.state.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_SECONDS = 10.0


class Keeper:
    """The preferences that count in one folder."""

    def __init__(self, config: str | None, start: str, home: str | None) -> None:
        if config is None:
            raise UserError("there is no place for preferences: HOME is not set", fix="export HOME")
        self.config = config
        self.owner = files.owner_of(start)
        self.user = files.user_file(config)
        self.project = files.project_file(config, self.owner)
        self.counting = [*files.project_files(config, start, home), self.user]

    def path(self, scope: str) -> str:
        return self.user if scope == "user" else self.project

    def here(self) -> list[dict[str, Any]]:
        """Preferences that can speak in this folder, in the order in which they do."""
        return [preference for path in self.counting for preference in read(path)["preferences"]]

    def everywhere(self) -> list[dict[str, Any]]:
        """Preferences of all projects; each project's with its owner."""
        found = []
        for path in self._files():
            content = read(path)
            found += [{**preference, "project": content.get("project")} for preference in content["preferences"]]
        return found

    def add(self, preference: dict[str, Any], scope: str) -> dict[str, Any]:
        """Keep it, in place of one that names the same question in the same scope."""
        preference = {"id": "p-" + secrets.token_hex(3), "scope": scope, **preference}
        with self._changing(self.path(scope)) as content:
            if scope == "project":
                content["project"] = self.owner
            others = [other for other in content["preferences"] if other.get("match") != preference["match"]]
            content["preferences"] = [*others, preference]
        return preference

    def remove(self, identity: str) -> dict[str, Any]:
        return self._change(identity, None)

    def disable(self, identity: str) -> dict[str, Any]:
        return self._change(identity, {"disabled": True})

    def set_away(self, until: float | None) -> None:
        """Away until then, 0 for no end; None: present again."""
        with self._changing(self.user) as content:
            content.pop("away_until", None)
            if until is not None:
                content["away_until"] = until

    def away_until(self) -> float | None:
        until = read(self.user).get("away_until")
        return until if isinstance(until, (int, float)) and files.is_away(read(self.user), time.time()) else None

    def _change(self, identity: str, change: dict[str, Any] | None) -> dict[str, Any]:
        """Change the preference with this id, or take it out; says what it was."""
        for path in self._files():
            if not any(preference.get("id") == identity for preference in read(path)["preferences"]):
                continue
            with self._changing(path) as content:
                found = next(each for each in content["preferences"] if each.get("id") == identity)
                changed = [] if change is None else [{**found, **change}]
                content["preferences"] = [
                    new for each in content["preferences"] for new in (changed if each is found else [each])
                ]
                return {**found, "project": content.get("project")}
        raise UserError(
            f"there is no preference {identity}", where=files.folder(self.config), fix="hookwright questions list"
        )

    def _files(self) -> list[str]:
        folder = files.folder(self.config)
        try:
            names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
        except FileNotFoundError:
            return []
        return [f"{folder}/{name}" for name in names]

    @contextmanager
    def _changing(self, path: str) -> Iterator[dict[str, Any]]:
        """The file's content to change; written when the block ends well."""
        folder = files.folder(self.config)
        if not make_private(folder):
            raise UserError("the folder of the preferences cannot be used", where=folder, fix=f"ls -ld {folder}")
        with Lock(f"{folder}/.lock", WAIT_SECONDS) as held:
            if not held:
                raise UserError("another command is changing the preferences", where=folder, fix="try again")
            content = read(path)
            yield content
            _write(path, {**content, "v": files.FORM})


def read(path: str) -> dict[str, Any]:
    try:
        content = files.load(path)
    except files.Unusable as problem:
        fix = f"chmod 600 {path}" if "others" in str(problem) else f"mend it, or move it away: mv {path} {path}.bad"
        raise UserError(str(problem), where=path, fix=fix) from None
    content["preferences"] = [preference for preference in content["preferences"] if isinstance(preference, dict)]
    return content


def _write(path: str, content: dict[str, Any]) -> None:
    draft = f"{path}.{os.getpid()}.draft"
    try:
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        with open(descriptor, "w", encoding="utf-8") as file:
            json.dump(content, file, indent=1, ensure_ascii=True)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(draft, path)
    except OSError as error:
        raise UserError(f"the preferences cannot be written: {error.strerror}", where=path, fix="df -h") from error
