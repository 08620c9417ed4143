"""Commands that are not moved although they are long: moving them costs more than it saves in this project.

auto_background (a project with demotions) → [find_demotion] → the reason, or ""
"""

from __future__ import annotations

from hookwright.shell.duration import find_longest_in_text, is_own_rule, never_ends
from hookwright.store import demotions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import World


def find_demotion(world: World, cwd: str, command: str, rules: tuple[Mapping[str, Any], ...]) -> str:
    """Why moving such a command does not pay in this project; "" if it does, or if it does not end by itself."""
    _, found = find_longest_in_text(command, cwd, world.home or "", rules)
    if found is not None and (never_ends(found.work, found.evidence) or is_own_rule(found.evidence)):
        return ""
    reason = demotions.find_demotion(world.state or "", world.project, command)
    if reason:
        world.facts["demoted"] = reason
    return reason
