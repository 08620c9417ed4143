"""Asks before a key that looks live is written into a file.

Why: a key in a file of the project is committed sooner or later, and then has to be revoked. In a file for secrets,
outside of git's reach or not, it is in its place; such a file has its own option (`secrets`).
"""

from __future__ import annotations

from hookwright.hooks.command_guard.live_keys import find_live_key
from hookwright.hooks.command_guard.policy import apply_adjustments
from hookwright.hooks.command_guard.rule_api import Finding
from hookwright.hooks.command_guard.secret_paths import is_secret_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import Adjustments

ID = "written-key"
CONTENT = ("content", "new_string", "new_source")


def evaluate_content(settings: Adjustments, given: Mapping[str, Any], path: str, tool: str) -> list[Finding]:
    """The finding on what a file tool writes, after the user's adjustments."""
    return apply_adjustments(settings, check_content(given, path, tool), path)


def check_content(given: Mapping[str, Any], path: str, tool: str) -> list[Finding]:
    """A finding if the call would write a key that the file does not have yet."""
    if is_secret_path(path):
        return []
    texts = [given[name] for name in CONTENT if isinstance(given.get(name), str)]
    for edit in given["edits"] if isinstance(given.get("edits"), list) else ():
        texts += [edit["new_string"]] if isinstance(edit, dict) and isinstance(edit.get("new_string"), str) else []
    for text in texts:
        kind = find_live_key(text)
        if kind and not (isinstance(given.get("old_string"), str) and find_live_key(given["old_string"]) == kind):
            found = Finding(
                "ask", f"{tool} would write {kind}, which looks live, into {path}: from there it gets into git", ""
            )
            found.rule = ID
            return [found]
    return []
