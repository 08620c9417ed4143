"""One event: all its handlers started, heard in the order in which they end, until the client would stop listening.

Engine.fire → [Hearing] → judge → merge → Outcome
Whoever is not waited for runs on behind the engine, and may be heard later.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from hookwright.engine import handlers, judge, select
from hookwright.engine.merge import End, is_over, merge
from hookwright.engine.running import Run, begun
from hookwright.engine.types import Outcome, Raw

if TYPE_CHECKING:
    from hookwright.engine.engine import Engine
    from hookwright.engine.select import Choice
    from hookwright.engine.types import Trace

MANAGED = "managed"
MANAGED_LAST = ("PostToolUse",)  # there they have the last word; everywhere else the first, and may refuse for all
REFUSALS = ("deny", "block")


class Hearing:
    """One event: the runs, and who is still listened to."""

    def __init__(self, engine: Engine, payload: dict[str, Any]) -> None:
        self.engine, self.payload = engine, payload
        self.event = str(payload["hook_event_name"])
        self.heard: asyncio.Queue[tuple[Run, Raw | None]] = asyncio.Queue()
        self.waiting: set[Run] = set()
        self.behind: set[Run] = set()
        self.later: list[str] = []

    async def outcome(self) -> Outcome:
        choices = self.engine.choices(self.payload)
        traces = [begun(choice.handler, choice.why_not) for choice in choices]
        ends: list[End] = []
        for kind in {choice.handler.type for choice in choices if choice.why_not is None}:
            handlers.prepare(kind, self.engine.env)
        chosen = [pair for pair in zip(choices, traces, strict=True) if pair[0].why_not is None]
        for managed in (False, True) if self.event in MANAGED_LAST else (True, False):
            turn = [pair for pair in chosen if (pair[0].handler.scope == MANAGED) is managed]
            refusal = next((end for end in ends if end.heard.refuses or end.heard.decision in REFUSALS), None)
            if refusal is not None and self.event not in MANAGED_LAST:
                self._ask_nobody_else(turn, refusal)
                break
            ends += await self._heard_out(turn)
        outcome = merge(self.payload, ends, interactive=self.engine.interactive)
        outcome.handlers, outcome.later = traces, self.later
        self.engine.count_stops(self.payload, outcome)
        return outcome

    async def _heard_out(self, turn: list[tuple[Choice, Trace]]) -> list[End]:
        """These at once, in the order in which they end."""
        for choice, trace in turn:
            run = Run(choice.handler, trace, self._told, self._detached)
            if not self._is_barred(run):
                self._start(run)
        ends: list[End] = []
        while self.waiting:
            run, raw = await self.heard.get()
            self.waiting.discard(run)
            if raw is None:
                continue
            ends.append(End(run.handler, run.trace, judge.hear(run.handler, raw)))
            self.engine.shelf.shorten(ends[-1].heard, self.event)
            if is_over(self.event, ends[-1].heard):
                self._hear_nobody_else(run)
                break
        return ends

    @staticmethod
    def _ask_nobody_else(turn: list[tuple[Choice, Trace]], refusal: End) -> None:
        for _, trace in turn:
            trace.why_not = f"managed handlers come first, and {refusal.handler.where} refused"

    def _is_barred(self, run: Run) -> bool:
        """An address that the settings do not allow counts as a failure of its handler."""
        url = run.handler.label
        if run.handler.type != "http" or select.is_allowed(url, self.engine.settings.allowed_urls):
            return False
        run.trace.why_not = "allowedHttpHookUrls does not allow this address"
        self.waiting.add(run)
        problem = f"HTTP hook blocked: {url} does not match any pattern in allowedHttpHookUrls"
        self.heard.put_nowait((run, Raw(problem=problem)))
        return True

    def _start(self, run: Run) -> None:
        run.trace.ran = True
        self.engine.note_start(run.handler)
        run.start(self.payload, self.engine.around(run.handler, self.payload))
        if run.is_async:
            self._leave(run)
        else:
            self.waiting.add(run)

    # --- what runs tell
    def _told(self, run: Run, raw: Raw) -> None:
        if run not in self.behind:
            self.heard.put_nowait((run, raw))
        elif run.trace.background:
            self._say_later(run, raw)

    def _detached(self, run: Run) -> None:
        """At once: it may end before anybody looks here again, and must not be heard as if it had been waited for."""
        if run in self.waiting:
            self.waiting.discard(run)
            self._leave(run)
            self.heard.put_nowait((run, None))

    def _leave(self, run: Run) -> None:
        run.trace.background = True
        self.behind.add(run)
        self.engine.leave_behind(run)

    def _hear_nobody_else(self, decider: Run) -> None:
        for run in self.waiting:
            run.trace.ignored.append(f"all it says: {decider.handler.where} had already decided")
            self.behind.add(run)
            self.engine.leave_behind(run)
        self.waiting = set()

    def _say_later(self, run: Run, raw: Raw) -> None:
        told, ignored = judge.hear_later(run.handler, raw)
        if run.handler.options.get("asyncRewake") and raw.exit_code == 2:
            tool = self.payload.get("tool_name")
            source = f"{self.event}:{tool}" if tool else self.event
            told = [f'Stop hook blocking error from command "{source}": {words}' for words in told]
        self.later += told
        run.trace.counted += [f"later: {text}" for text in told]
        run.trace.ignored += ignored

    async def abandon(self) -> None:
        """Nobody is waited for any more: the event is over, or whoever fired it has left."""
        tasks = [run.task for run in self.waiting if run.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
