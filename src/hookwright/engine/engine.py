"""START HERE: Claude Code's hook engine. Settings and an event in, what the client would do out.

settings → select → handlers/* (all at once) → judge → merge → Outcome with a trace
Every handler really runs. What it started is gone when the engine is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import shutil
import tempfile
import uuid
import weakref
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from hookwright.engine import environment, select
from hookwright.engine.handlers.servers import configured
from hookwright.engine.hearing import Hearing
from hookwright.engine.preview import Shelf
from hookwright.engine.process import end_marked, since_boot
from hookwright.engine.running import Run
from hookwright.engine.select import Choice, Effective
from hookwright.engine.types import Around, Handler, Outcome, Payload
from hookwright.errors import UserError
from hookwright.protocol.events import FAMILY
from hookwright.settings.find import Places, Source, find
from hookwright.settings.load import load

SCOPES = ("managed", "flag", "local", "project", "user")
CAP_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
CAP = 8  # continuations in a row; the next block is overruled
TURNS_END = frozenset(("Stop", "SubagentStop"))


class Engine:
    """A session's hooks. Use it with `async with` (or `with`, and `fire_now`), or close it."""

    def __init__(
        self,
        settings: Effective,
        *,
        project: str,
        home: str,
        env: Mapping[str, str],
        mcp_servers: Mapping[str, Mapping[str, Any]] | None = None,
        interactive: bool = False,
        skills: Iterable[str] = (),
    ) -> None:
        self.settings = settings
        self.project, self.home = project, home
        self.env = {**env, **settings.environment}
        self.mcp_servers = dict(mcp_servers or {})
        self.interactive, self.skills = interactive, frozenset(skills)
        self.session_id = str(uuid.uuid4())
        self._scratch = tempfile.mkdtemp(prefix="hookwright-engine-")
        self.shelf = Shelf(self._scratch)
        self._sessions: set[str] = set()
        self._behind: set[Run] = set()
        self._kept: dict[str, Any] = {}
        self._stops: dict[tuple[str, str], int] = {}
        self._had_their_turn: set[str] = set()  # a skill's handlers that run once
        self._runner: asyncio.Runner | None = None
        self._sweep = weakref.finalize(self, _sweep, self._scratch, self._sessions, since_boot())

    @classmethod
    def from_settings(
        cls,
        *,
        project: str | None = None,
        home: str | None = None,
        config_dir: str | None = None,
        settings: Mapping[str, Mapping[str, Any]] | None = None,
        managed: str | None = None,
        flag: str | None = None,
        plugin_dirs: Iterable[str] = (),
        env: Mapping[str, str] | None = None,
        mcp_servers: Mapping[str, Mapping[str, Any]] | None = None,
        interactive: bool = False,
        skills: Iterable[str] = (),
    ) -> Engine:
        """The effective settings of a home and a project, or exactly those given: `{"user": {"hooks": …}}`.

        `managed` is the folder of managed settings, `flag` the file that `--settings` names. `interactive`: somebody
        sits in front of a terminal. `skills`: those whose own hooks are in force.
        """
        surroundings = dict(os.environ if env is None else env)
        if home is not None:
            surroundings["HOME"] = home
        if config_dir is not None:
            surroundings["CLAUDE_CONFIG_DIR"] = config_dir
        places = Places.of(
            surroundings, project or os.getcwd(), settings_flag=flag, plugin_dirs=plugin_dirs, managed=managed
        )
        found = select.effective(load(find(places) if settings is None else list(_given(settings))))
        if mcp_servers is None and any(handler.type == "mcp_tool" for handler in found.handlers):
            mcp_servers = configured(places, surroundings)
        return cls(
            found,
            project=places.project,
            home=places.home,
            env=surroundings,
            mcp_servers=mcp_servers,
            interactive=interactive,
            skills=skills,
        )

    # --- an event
    def choices(self, payload: Payload) -> list[Choice]:
        """Who would run, and why the others would not. Starts nothing."""
        complete = self.complete(payload)
        choices = select.choose(self.settings, complete, project=self.project, home=self.home, skills=self.skills)
        return [
            Choice(choice.handler, choice.why_not or "it was to run once, and has")
            if choice.handler.where in self._had_their_turn
            else choice
            for choice in choices
        ]

    def complete(self, payload: Payload) -> dict[str, Any]:
        """The payload with what every payload has."""
        event = payload.get("hook_event_name")
        if event not in FAMILY:
            raise UserError(f"Claude Code has no event {json.dumps(event)}", fix='"hook_event_name": "PreToolUse"')
        session = str(payload.get("session_id") or self.session_id)
        folder = re.sub(r"[^A-Za-z0-9]", "-", self.project)
        config = self.env.get("CLAUDE_CONFIG_DIR") or os.path.join(self.home, ".claude")
        transcript = os.path.join(config, "projects", folder, session + ".jsonl")
        common = {"session_id": session, "transcript_path": transcript, "cwd": self.project}
        return {**common, **payload, "session_id": session}

    async def fire(self, payload: Payload) -> Outcome:
        """Run every handler of this event and say what the client would do."""
        complete = self.complete(payload)
        self._sessions.add(complete["session_id"])
        hearing = Hearing(self, complete)
        try:
            return await hearing.outcome()
        finally:
            await hearing.abandon()

    def fire_now(self, payload: Payload) -> Outcome:
        """`fire` for callers without an event loop."""
        return self._now().run(self.fire(payload))

    async def settle(self, timeout_s: float | None = None) -> None:
        """Wait for handlers in the background; what they say is in the `later` of their outcome."""
        tasks = [run.task for run in self._behind if run.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=timeout_s)

    def settle_now(self, timeout_s: float | None = None) -> None:
        self._now().run(self.settle(timeout_s))

    # --- the end
    async def aclose(self) -> None:
        """End what still runs, as the client does when it leaves."""
        tasks = [run.task for run in self._behind if run.task is not None]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._behind.clear()
        for kept in self._kept.values():
            if hasattr(kept, "aclose"):
                with contextlib.suppress(Exception):
                    await kept.aclose()
        self._kept.clear()
        self._sweep()

    def close(self) -> None:
        """`aclose` for callers without an event loop."""
        if self._runner is None:
            asyncio.run(self.aclose())
            return
        self._runner.run(self.aclose())
        self._runner.close()
        self._runner = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _now(self) -> asyncio.Runner:
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner

    # --- for the hearing
    def around(self, handler: Handler, payload: Payload) -> Around:
        cwd = str(payload.get("cwd") or self.project)
        is_plugin = handler.scope == "plugin"
        own = handler.options.get("timeout")
        return Around(
            project=self.project,
            cwd=cwd if os.path.isdir(cwd) else self.project,
            env=self.env,
            timeout_s=environment.timeout_s(
                handler.event, handler.type, own, environment=self.env, is_plugin=is_plugin
            ),
            scratch=self._scratch,
            http_env_vars=self.settings.http_env_vars,
            mcp_servers=self.mcp_servers,
            kept=self._kept,
            model=self.settings.model,
        )

    def note_start(self, handler: Handler) -> None:
        """`once` counts in a skill; in settings the client ignores it."""
        if handler.scope == "skill" and handler.options.get("once"):
            self._had_their_turn.add(handler.where)

    def leave_behind(self, run: Run) -> None:
        self._behind.add(run)
        if run.task is not None:
            run.task.add_done_callback(lambda _task: self._behind.discard(run))

    def count_stops(self, payload: Payload, outcome: Outcome) -> None:
        """A model may be kept going so often in a row; a tool call or a new turn begins the count anew."""
        whose = (payload["session_id"], str(payload.get("agent_id", "")))
        if outcome.event not in TURNS_END or not payload.get("stop_hook_active"):
            self._stops.pop(whose, None)
        if not outcome.goes_on:
            return
        count = self._stops[whose] = self._stops.get(whose, 0) + 1
        limit = self.env.get(CAP_VARIABLE, "")
        cap = int(limit) if limit.isdigit() else CAP
        if cap and count > cap:
            why = f"the model was kept going {cap} times in a row, and that is the limit ({CAP_VARIABLE})"
            outcome.decision, outcome.reason, outcome.goes_on = "none", None, False
            outcome.won = why
            for trace in outcome.handlers:
                trace.ignored += [f"its {words}: {why}" for words in trace.counted]
                trace.counted.clear()


def _given(settings: Mapping[str, Mapping[str, Any]]) -> Iterable[Source]:
    unknown = sorted(settings.keys() - set(SCOPES))
    if unknown:
        raise UserError(f"no scope of settings is called {unknown[0]}", fix=f"one of {', '.join(SCOPES)}")
    for scope in SCOPES:
        if scope in settings:
            yield Source(scope, f"{scope} settings", content=json.dumps(settings[scope], indent=1).encode())


def _sweep(scratch: str, sessions: Iterable[str], born: float) -> None:
    """What left its group before it could be ended, and our folder."""
    ours = [f"CLAUDE_CODE_SESSION_ID={session}" for session in sessions]
    if ours:
        end_marked(f"CLAUDE_PID={os.getpid()}", one_of=ours, born=born)
    shutil.rmtree(scratch, ignore_errors=True)
