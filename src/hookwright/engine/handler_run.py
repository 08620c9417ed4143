"""Run one handler as an asyncio task, and record the result in its trace.

EventRun → [HandlerRun] → handlers/<type>.run → RawResult → callback
An exception inside a handler's module is a failure of that handler only.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable

from hookwright.engine import handlers
from hookwright.engine.types import Handler, Payload, RawResult, RunContext, Trace

MAX_OUTPUT_LENGTH = 2000
EndCallback = Callable[["HandlerRun", RawResult], None]


class HandlerRun:
    """The run of one handler. Calls `on_end` with its result, `on_detach` when it moves to the background."""

    def __init__(
        self, handler: Handler, trace: Trace, on_end: EndCallback, on_detach: Callable[[HandlerRun], None]
    ) -> None:
        self.handler, self.trace = handler, trace
        self.on_end, self.on_detach = on_end, on_detach
        self.task: asyncio.Task[None] | None = None

    @property
    def is_async(self) -> bool:
        """Does its settings entry say that it runs in the background?"""
        options = self.handler.options
        return self.handler.type == "command" and bool(options.get("async") or options.get("asyncRewake"))

    def start_task(self, payload: Payload, context: RunContext) -> None:
        context = dataclasses.replace(context, detach=lambda: self.on_detach(self))
        self.task = asyncio.get_running_loop().create_task(self._run_and_report(payload, context))

    async def _run_and_report(self, payload: Payload, context: RunContext) -> None:
        raw = await self._call_handler(payload, context)
        record_result(self.trace, raw)
        self.on_end(self, raw)

    async def _call_handler(self, payload: Payload, context: RunContext) -> RawResult:
        try:
            return await handlers.load_runner(self.handler.type)(self.handler, payload, context)
        except Exception as error:  # noqa: BLE001 - one handler must not break the others
            return RawResult(problem=f"{type(error).__name__}: {error}")


def new_trace(handler: Handler, why_not: str | None) -> Trace:
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


def record_result(trace: Trace, raw: RawResult) -> None:
    """Record how the run ended; what it means is for `interpret`."""
    trace.exit_code = raw.status if trace.type == "http" else raw.exit_code
    trace.ms, trace.timed_out = raw.ms, raw.timed_out
    trace.ran = not raw.not_evaluated and not (raw.problem and trace.type == "command")
    if raw.not_evaluated:
        trace.why_not = f"not evaluated: {raw.not_evaluated}"
    elif raw.problem and trace.type == "command":
        trace.why_not = f"it could not be started: {raw.problem}"
    trace.stderr = _clip_output(raw.stderr)
    trace.said = _clip_output(raw.stdout) or trace.stderr


def _clip_output(output: bytes) -> str:
    text = output.decode("utf-8", "replace").strip()
    return text if len(text) <= MAX_OUTPUT_LENGTH else text[: MAX_OUTPUT_LENGTH - 1] + "…"
