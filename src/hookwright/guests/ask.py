"""A guest's hook is asked: inside this process where nothing can be lost, otherwise in another.

dispatch → [asked] → inside | shared | apart | command → its decision, and why it failed if it did
Whatever a guest does, the answer of the others arrives whole, and its deadline is real.
"""

from __future__ import annotations

import sys

from hookwright.guests import APART, bring
from hookwright.protocol.decisions import Decision
from hookwright.protocol.legal import LEGAL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.protocol.events.base import Event

SHARED = "hookwright.guests.shared"
PRINTED = 1000  # characters of what a guest printed that are kept for the record


def asked(
    row: Mapping[str, Any], event: Event, world: World, options: Mapping[str, Any]
) -> tuple[Decision | None, str]:
    """The guest's decision, and what went wrong ("" if nothing did)."""
    if row["command"]:
        from hookwright.guests import command  # noqa: PLC0415

        return command.run(row, event, world)
    if not world.alone:
        return plainly(row, event, world, options)
    words = ""
    if row["light"] and row["last"] and not at_stake(row, world):
        from hookwright.guests import inside  # noqa: PLC0415

        note = inside.note_of(world.state, row["file"])
        if note is not None:
            return inside.run(row, event, world, options, note)
        words = inside.told_of_note(world.state) if "message" in LEGAL.get(event.hook_event_name, ()) else ""
    if SHARED not in sys.modules:
        bring(APART)
    from hookwright.guests import apart, shared  # noqa: PLC0415

    decision, failure = (shared if row["light"] else apart).run(row, event, world, options)
    if words:
        decision = Decision(message=words) if decision is None else decision & Decision(message=words)
    return decision, failure


def at_stake(row: Mapping[str, Any], world: World) -> bool:
    """Would more than the guest's own opinion be lost with this process? Or is there a process for it already?"""
    return bool(world.said) or row["failure"] != "open" or "fail-closed" in sys.argv or SHARED in sys.modules


def plainly(
    row: Mapping[str, Any], event: Event, world: World, options: Mapping[str, Any]
) -> tuple[Decision | None, str]:
    """Here and now, for tests, explanations and replays: a debugger and a coverage tool see the hook at work."""
    from hookwright.guests.load import hook_of  # noqa: PLC0415
    from hookwright.guests.said import copied, decision_of, text_of  # noqa: PLC0415
    from hookwright.hooks.base import describe  # noqa: PLC0415

    text, failure = "", ""
    world.alarm(row["deadline_s"])
    try:
        text = text_of(hook_of(row, world, options).decide(type(event)(copied(event.raw))))
    except BaseException as error:  # noqa: BLE001  one hook's failure is never the others'
        failure = describe(error)
    finally:
        world.alarm(0)
    return decision_of(text), failure


def flush() -> None:
    """What a guest printed leaves Python's own buffers."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (AttributeError, OSError, ValueError):  # closed, full, or none at all
            continue


def keep_printed(row: Mapping[str, Any], world: World, data: bytes) -> None:
    """What a guest printed goes into the record: stdout belongs to the answer."""
    text = data.decode("utf-8", "replace").strip()
    if text:
        world.facts.setdefault("printed", {})[row["hook"]] = text[:PRINTED]
