"""Run one event: start all its handlers, collect results in order of completion, merge them.

Engine.fire → [EventRun] → handler_run → interpret → merge → Outcome
Stops collecting where the client stops listening. Handlers that are not waited for continue in the background and may
be reported later.
"""

from __future__ import annotations

import asyncio
from typing import Any

from hookwright.engine import handlers, interpret, select
from hookwright.engine.handler_run import HandlerRun, new_trace
from hookwright.engine.merge import FinishedRun, merge, stops_listening
from hookwright.engine.select import Choice
from hookwright.engine.session_state import SessionState
from hookwright.engine.types import Outcome, RawResult, Trace
from hookwright.protocol import client_versions

MANAGED = "managed"
MANAGED_LAST = ("PostToolUse",)  # everywhere else managed handlers run first, and a refusal ends the event
SETTINGS_ORDER = ("PreCompact",)  # results count in the order of the settings; everywhere else in order of completion
REFUSALS = ("deny", "block")


class EventRun:
    """One event: its runs, and which of them are still waited for."""

    def __init__(self, session: SessionState, payload: dict[str, Any]) -> None:
        self.session, self.payload = session, payload
        self.event = str(payload["hook_event_name"])
        self.results: asyncio.Queue[tuple[HandlerRun, RawResult | None]] = asyncio.Queue()
        self.waiting: set[HandlerRun] = set()
        self.background_runs: set[HandlerRun] = set()
        self.later: list[str] = []

    async def run_handlers(self) -> Outcome:
        choices = self.session.choose_handlers(self.payload)
        traces = [new_trace(choice.handler, choice.why_not) for choice in choices]
        ends: list[FinishedRun] = []
        for kind in {choice.handler.type for choice in choices if choice.why_not is None}:
            handlers.preload_modules(kind, self.session.env)
        chosen = [pair for pair in zip(choices, traces, strict=True) if pair[0].why_not is None]
        for batch in self._split_batches(chosen):
            refusal = next((end for end in ends if end.effect.refuses or end.effect.decision in REFUSALS), None)
            if refusal is not None and self.event not in MANAGED_LAST:
                self._skip_after_refusal(batch, refusal)
                break
            ends += await self._run_batch(batch)
        if self.event in SETTINGS_ORDER:
            places = {id(trace): place for place, trace in enumerate(traces)}
            ends.sort(key=lambda end: places[id(end.trace)])
        outcome = merge(self.payload, ends, interactive=self.session.interactive, client=self.session.client)
        outcome.handlers, outcome.later = traces, self.later
        self.session.apply_stop_limit(self.payload, outcome)
        return outcome

    def _split_batches(self, chosen: list[tuple[Choice, Trace]]) -> list[list[tuple[Choice, Trace]]]:
        """Managed handlers, then the others; after a tool the other way round. Older clients run all together."""
        if not client_versions.has(self.session.client, client_versions.MANAGED_FIRST):
            return [chosen]
        managed = [pair for pair in chosen if pair[0].handler.scope == MANAGED]
        others = [pair for pair in chosen if pair[0].handler.scope != MANAGED]
        return [others, managed] if self.event in MANAGED_LAST else [managed, others]

    async def _run_batch(self, batch: list[tuple[Choice, Trace]]) -> list[FinishedRun]:
        """Run these concurrently; results in order of completion."""
        for choice, trace in batch:
            run = HandlerRun(choice.handler, trace, self._on_end, self._on_detach)
            if not self._reject_disallowed_url(run):
                self._start_run(run)
        ends: list[FinishedRun] = []
        while self.waiting:
            run, raw = await self.results.get()
            self.waiting.discard(run)
            if raw is None:
                continue
            ends.append(FinishedRun(run.handler, run.trace, interpret.interpret_result(run.handler, raw)))
            self.session.long_texts.shorten_texts(ends[-1].effect, self.event)
            if stops_listening(self.event, ends[-1].effect):
                self._ignore_remaining(run)
                break
        return ends

    @staticmethod
    def _skip_after_refusal(batch: list[tuple[Choice, Trace]], refusal: FinishedRun) -> None:
        for _, trace in batch:
            trace.why_not = f"managed handlers come first, and {refusal.handler.where} refused"

    def _reject_disallowed_url(self, run: HandlerRun) -> bool:
        """A URL that allowedHttpHookUrls does not match counts as a failure of its handler."""
        url = run.handler.label
        if run.handler.type != "http" or select.is_url_allowed(url, self.session.settings.allowed_urls):
            return False
        run.trace.why_not = "allowedHttpHookUrls does not allow this address"
        self.waiting.add(run)
        problem = f"HTTP hook blocked: {url} does not match any pattern in allowedHttpHookUrls"
        self.results.put_nowait((run, RawResult(problem=problem)))
        return True

    def _start_run(self, run: HandlerRun) -> None:
        run.trace.ran = True
        self.session.note_start(run.handler)
        run.start_task(self.payload, self.session.build_context(run.handler, self.payload))
        if run.is_async:
            self._move_to_background(run)
        else:
            self.waiting.add(run)

    # --- callbacks of the runs
    def _on_end(self, run: HandlerRun, raw: RawResult) -> None:
        if run not in self.background_runs:
            self.results.put_nowait((run, raw))
        elif run.trace.background:
            self._report_later(run, raw)

    def _on_detach(self, run: HandlerRun) -> None:
        """Handled immediately: the run may end before the queue is read again, and must not count as waited for."""
        if run in self.waiting:
            self.waiting.discard(run)
            self._move_to_background(run)
            self.results.put_nowait((run, None))

    def _move_to_background(self, run: HandlerRun) -> None:
        run.trace.background = True
        self.background_runs.add(run)
        self.session.leave_running(run)

    def _ignore_remaining(self, decider: HandlerRun) -> None:
        for run in self.waiting:
            run.trace.ignored.append(f"all it says: {decider.handler.where} had already decided")
            self.background_runs.add(run)
            self.session.leave_running(run)
        self.waiting = set()

    def _report_later(self, run: HandlerRun, raw: RawResult) -> None:
        texts, ignored = interpret.interpret_late_result(run.handler, raw)
        if run.handler.options.get("asyncRewake") and raw.exit_code == 2:
            tool = self.payload.get("tool_name")
            source = f"{self.event}:{tool}" if tool else self.event
            texts = [f'Stop hook blocking error from command "{source}": {text}' for text in texts]
        self.later += texts
        run.trace.counted += [f"later: {text}" for text in texts]
        run.trace.ignored += ignored

    async def cancel_waiting(self) -> None:
        """Cancel runs that are still waited for: the caller of `fire` was cancelled."""
        tasks = [run.task for run in self.waiting if run.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
