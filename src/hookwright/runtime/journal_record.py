"""Build the journal record of one event: which hook decided what, and how long it took; no tool output."""

from __future__ import annotations

from hookwright.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.dispatch import DispatchResult
    from hookwright.hooks.base import World


def build_record(world: World, outcome: DispatchResult) -> dict[str, Any]:
    event = outcome.event
    get = event.raw.get
    updated = outcome.updated_input
    record = {
        "event": event.hook_event_name,
        "session_id": event.session_id,
        "prompt_id": get("prompt_id"),
        "tool_use_id": get("tool_use_id"),
        "agent_id": get("agent_id"),
        "project": world.project,
        "tool": get("tool_name"),
        "decisions": outcome.trace,
        "answer": outcome.verdict,
        "changed": None if updated is None else changed_keys(get("tool_input") or {}, updated),
        "version": __version__,
    }
    record.update(world.facts)
    return record


def changed_keys(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    keys = {**before, **after}
    return [key for key in keys if before.get(key) != after.get(key)]
