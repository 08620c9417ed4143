"""One handler on its way: started, waited for or not, and traced.

Choice → [Run] → Raw, told to whoever listens
A run that fails in our own hands is a failure of that handler alone.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable

from hookwright.engine import handlers
from hookwright.engine.types import Around, Handler, Payload, Raw, Trace

LONGEST_WORDS = 2000
Ended = Callable[["Run", Raw], None]


class Run:
    """A handler's run. `told` hears of its end; `detached`, that nobody has to wait for it."""

    def __init__(self, handler: Handler, trace: Trace, told: Ended, detached: Callable[[Run], None]) -> None:
        self.handler, self.trace = handler, trace
        self.told, self.detached = told, detached
        self.task: asyncio.Task[None] | None = None

    @property
    def is_async(self) -> bool:
        """Does its settings entry say that nobody waits for it?"""
        options = self.handler.options
        return self.handler.type == "command" and bool(options.get("async") or options.get("asyncRewake"))

    def start(self, payload: Payload, around: Around) -> None:
        around = dataclasses.replace(around, detach=lambda: self.detached(self))
        self.task = asyncio.get_running_loop().create_task(self._run(payload, around))

    async def _run(self, payload: Payload, around: Around) -> None:
        raw = await self._raw(payload, around)
        note(self.trace, raw)
        self.told(self, raw)

    async def _raw(self, payload: Payload, around: Around) -> Raw:
        try:
            return await handlers.load(self.handler.type)(self.handler, payload, around)
        except Exception as error:  # noqa: BLE001 - whatever it is, it must not cost the other handlers their say
            return Raw(problem=f"{type(error).__name__}: {error}")


def begun(handler: Handler, why_not: str | None) -> Trace:
    return Trace(
        type=handler.type,
        event=handler.event,
        scope=handler.scope,
        file=handler.file,
        line=handler.line,
        matcher=handler.matcher,
        label=handler.label,
        why_not=why_not,
    )


def note(trace: Trace, raw: Raw) -> None:
    """How it ended, before anybody judges it."""
    trace.exit_code = raw.status if trace.type == "http" else raw.exit_code
    trace.ms, trace.timed_out = raw.ms, raw.timed_out
    trace.ran = not raw.not_evaluated and not (raw.problem and trace.type == "command")
    if raw.not_evaluated:
        trace.why_not = f"not evaluated: {raw.not_evaluated}"
    elif raw.problem and trace.type == "command":
        trace.why_not = f"it could not be started: {raw.problem}"
    said = raw.stdout.decode("utf-8", "replace").strip() or raw.stderr.decode("utf-8", "replace").strip()
    trace.said = said if len(said) <= LONGEST_WORDS else said[: LONGEST_WORDS - 1] + "…"
