"""Run a user hook in a forked child, so that a crash, hang or exit loses only its own decision.

dispatch → [run_user_hook] → fork | command → the hook's decision, and why it failed if it did
"""

from __future__ import annotations

from hookwright.hooks.base import describe_error
from hookwright.proc.run_forked import run_forked
from hookwright.user_hooks.load_hook import load_hook
from hookwright.user_hooks.serialize import copy_payload, decode_decision, encode_decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from hookwright.hooks.base import World
    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

MAX_PRINTED = 1000  # characters of a hook's own output that are kept in the journal


def run_user_hook(
    row: Mapping[str, Any], event: Event, world: World, options: Mapping[str, Any]
) -> tuple[Decision | None, str]:
    """The hook's decision, and the failure ("" if there was none)."""
    if row["command"]:
        from hookwright.user_hooks import run_command  # noqa: PLC0415  few users register commands

        return run_command.run(row, event, world)
    if not world.alone:
        return _run_in_process(row, event, world, options)

    def decide(report: Callable[[bytes], None]) -> bytes:
        return encode_decision(load_hook(row, world, options).decide(event)).encode("utf-8", "backslashreplace")

    result = run_forked(decide, row["deadline_s"], describe_error)
    _record_output(row, world, result.printed)
    if result.data is None:
        return None, result.problem
    return decode_decision(result.data.decode()), ""


def _run_in_process(
    row: Mapping[str, Any], event: Event, world: World, options: Mapping[str, Any]
) -> tuple[Decision | None, str]:
    """Run the hook without a fork, for tests, explain and replay, so that debuggers and coverage tools see it."""
    text, failure = "", ""
    world.alarm(row["deadline_s"])
    try:
        text = encode_decision(load_hook(row, world, options).decide(type(event)(copy_payload(event.raw))))
    except BaseException as error:  # noqa: BLE001  one hook's failure must not affect the others
        failure = describe_error(error)
    finally:
        world.alarm(0)
    return decode_decision(text), failure


def _record_output(row: Mapping[str, Any], world: World, data: bytes) -> None:
    """Keep what the hook printed in the journal record: stdout belongs to the answer."""
    text = data.decode("utf-8", "replace").strip()
    if text:
        world.facts.setdefault("printed", {})[row["hook"]] = text[:MAX_PRINTED]
