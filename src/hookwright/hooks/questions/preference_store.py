"""Change the files of preferences: atomically, under a lock, readable by the user only.

hookwright questions set, forget, undo, presence → [PreferenceStore] → <config>/questions/*.json
The only writer of these files. Used by commands, never by the hook process.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.hooks.questions import preference_files
from hookwright.proc.atomic_write import write_atomic
from hookwright.store.lock import Lock
from hookwright.store.paths import make_private

if TYPE_CHECKING:
    from collections.abc import Iterator

WAIT_SECONDS = 10.0


class PreferenceStore:
    """The preferences that apply in one directory."""

    def __init__(self, config: str | None, start: str, home: str | None) -> None:
        if config is None:
            raise UserError("preferences cannot be stored: HOME is not set", fix="export HOME")
        self.config = config
        self.owner = preference_files.owner_of(start)
        self.user = preference_files.user_file(config)
        self.project = preference_files.project_file(config, self.owner)
        self.active_files = [*preference_files.project_files(config, start, home), self.user]

    def path_of(self, scope: str) -> str:
        return self.user if scope == "user" else self.project

    def list_here(self) -> list[dict[str, Any]]:
        """The preferences that apply in this directory, in order of precedence."""
        return [preference for path in self.active_files for preference in read_preferences(path)["preferences"]]

    def list_all(self) -> list[dict[str, Any]]:
        """The preferences of all projects, each with its project."""
        found = []
        for path in self._list_files():
            content = read_preferences(path)
            found += [{**preference, "project": content.get("project")} for preference in content["preferences"]]
        return found

    def add_preference(self, preference: dict[str, Any], scope: str) -> dict[str, Any]:
        """Store a preference; it replaces one for the same question in the same scope."""
        preference = {"id": "p-" + secrets.token_hex(3), "scope": scope, **preference}
        with self._edit_file(self.path_of(scope)) as content:
            if scope == "project":
                content["project"] = self.owner
            others = [other for other in content["preferences"] if other.get("match") != preference["match"]]
            content["preferences"] = [*others, preference]
        return preference

    def remove_preference(self, identity: str) -> dict[str, Any]:
        return self._change_preference(identity, None)

    def disable_preference(self, identity: str) -> dict[str, Any]:
        return self._change_preference(identity, {"disabled": True})

    def set_away(self, until: float | None) -> None:
        """Away until then, 0 for no end; None: present again."""
        with self._edit_file(self.user) as content:
            content.pop("away_until", None)
            if until is not None:
                content["away_until"] = until

    def away_until(self) -> float | None:
        until = read_preferences(self.user).get("away_until")
        return (
            until
            if isinstance(until, (int, float)) and preference_files.is_away(read_preferences(self.user), time.time())
            else None
        )

    def _change_preference(self, identity: str, change: dict[str, Any] | None) -> dict[str, Any]:
        """Change the preference with this id, or remove it; returns what it was."""
        for path in self._list_files():
            if not any(preference.get("id") == identity for preference in read_preferences(path)["preferences"]):
                continue
            with self._edit_file(path) as content:
                found = next(each for each in content["preferences"] if each.get("id") == identity)
                changed = [] if change is None else [{**found, **change}]
                content["preferences"] = [
                    new for each in content["preferences"] for new in (changed if each is found else [each])
                ]
                return {**found, "project": content.get("project")}
        raise UserError(
            f"there is no preference {identity}",
            where=preference_files.preferences_dir(self.config),
            fix="hookwright questions list",
        )

    def _list_files(self) -> list[str]:
        folder = preference_files.preferences_dir(self.config)
        try:
            names = sorted(name for name in os.listdir(folder) if name.endswith(".json"))
        except FileNotFoundError:
            return []
        return [f"{folder}/{name}" for name in names]

    @contextmanager
    def _edit_file(self, path: str) -> Iterator[dict[str, Any]]:
        """The content of the file to change; written if the block does not raise."""
        folder = preference_files.preferences_dir(self.config)
        if not make_private(folder):
            raise UserError("the directory of the preferences cannot be used", where=folder, fix=f"ls -ld {folder}")
        with Lock(f"{folder}/.lock", WAIT_SECONDS) as held:
            if not held:
                raise UserError("another command is changing the preferences", where=folder, fix="try again")
            content = read_preferences(path)
            yield content
            _write_file(path, {**content, "v": preference_files.FORMAT})


def read_preferences(path: str) -> dict[str, Any]:
    try:
        content = preference_files.load_preferences(path)
    except preference_files.UnusableFile as problem:
        fix = f"chmod 600 {path}" if "others" in str(problem) else f"correct it, or move it away: mv {path} {path}.bad"
        raise UserError(str(problem), where=path, fix=fix) from None
    content["preferences"] = [preference for preference in content["preferences"] if isinstance(preference, dict)]
    return content


def _write_file(path: str, content: dict[str, Any]) -> None:
    try:
        write_atomic(path, json.dumps(content, indent=1, ensure_ascii=True).encode() + b"\n", durable=True)
    except OSError as error:
        raise UserError(f"the preferences cannot be written: {error.strerror}", where=path, fix="df -h") from error
