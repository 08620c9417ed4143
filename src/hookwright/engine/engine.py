"""START HERE: Claude Code's hook engine. Settings and an event in, what the client would do out.

Engine.fire → event_run (all handlers of one event)
    select        which handlers run: scopes, matcher (matcher), `if` (permission_rules, shell_split)
    handler_run   one handler as a task → handlers/<type>.run → RawResult
    interpret     RawResult → HandlerEffect: what one handler's output means (schema, preview)
    merge         all effects → Outcome: precedence, joined texts, rewrites (tool_schemas)
Handlers really run. Everything they started has ended when the engine is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import weakref
from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Any, Self

from hookwright.engine import select
from hookwright.engine.event_run import EventRun
from hookwright.engine.handlers.mcp_servers import load_servers
from hookwright.engine.select import Choice, EffectiveSettings
from hookwright.engine.session_state import SessionState
from hookwright.engine.types import Outcome, Payload
from hookwright.errors import UserError
from hookwright.proc.kill_marked import kill_marked, seconds_since_boot
from hookwright.protocol.client_versions import Version, parse_version
from hookwright.settings.find import SearchPaths, Source, find_sources
from hookwright.settings.load import load_sources

SCOPES = ("managed", "flag", "local", "project", "user")


class Engine:
    """The hooks of one session. Use it with `async with` (or with `with` and `fire_now`), or close it."""

    def __init__(
        self,
        settings: EffectiveSettings,
        *,
        project: str,
        home: str,
        env: Mapping[str, str],
        mcp_servers: Mapping[str, Mapping[str, Any]] | None = None,
        interactive: bool = False,
        skills: Iterable[str] = (),
        client: Version | None = None,
    ) -> None:
        self._session = SessionState(
            settings,
            project=project,
            home=home,
            env=env,
            mcp_servers=mcp_servers,
            interactive=interactive,
            skills=skills,
            client=client,
        )
        self.settings = settings
        self.client = client
        self.mcp_servers = self._session.mcp_servers
        self.session_id = self._session.session_id
        self._runner: asyncio.Runner | None = None
        self._clean_up = weakref.finalize(
            self, _clean_up_session, self._session.scratch, self._session.session_ids, seconds_since_boot()
        )

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
        client: str | Version | None = None,
    ) -> Engine:
        """Load the effective settings of a home and a project, or use exactly those given: `{"user": {"hooks": …}}`.

        `managed` is the folder of managed settings, `flag` the file named by `--settings`. `interactive`: a user is at
        the terminal. `skills`: names of the skills in use, whose own hooks then run. `client`: the version of Claude
        Code to speak for; by default the newest that was measured.
        """
        version = parse_version(client) if isinstance(client, str) else client
        if isinstance(client, str) and version is None:
            raise UserError(f"{client!r} is no version of Claude Code", fix='client="2.1.235"')
        environment = dict(os.environ if env is None else env)
        if home is not None:
            environment["HOME"] = home
        if config_dir is not None:
            environment["CLAUDE_CONFIG_DIR"] = config_dir
        places = SearchPaths.from_environment(
            environment, project or os.getcwd(), settings_flag=flag, plugin_dirs=plugin_dirs, managed=managed
        )
        found = select.build_effective(
            load_sources(find_sources(places) if settings is None else list(_build_sources(settings))), version
        )
        if mcp_servers is None and any(handler.type == "mcp_tool" for handler in found.handlers):
            mcp_servers = load_servers(places, environment)
        return cls(
            found,
            project=places.project,
            home=places.home,
            env=environment,
            mcp_servers=mcp_servers,
            interactive=interactive,
            skills=skills,
            client=version,
        )

    # --- an event
    def choices(self, payload: Payload) -> list[Choice]:
        """Which handlers would run, and why the others would not. Starts nothing."""
        return self._session.choose_handlers(self._session.complete_payload(payload))

    async def fire(self, payload: Payload) -> Outcome:
        """Run every handler of this event and return what the client would do."""
        complete = self._session.complete_payload(payload)
        self._session.session_ids.add(complete["session_id"])
        run = EventRun(self._session, complete)
        try:
            return await run.run_handlers()
        finally:
            await run.cancel_waiting()

    def fire_now(self, payload: Payload) -> Outcome:
        """`fire` for callers without an event loop."""
        return self._get_runner().run(self.fire(payload))

    async def settle(self, timeout_s: float | None = None) -> None:
        """Wait for background handlers; what they report is added to the `later` of their outcome."""
        tasks = self._background_tasks()
        if tasks:
            await asyncio.wait(tasks, timeout=timeout_s)

    def settle_now(self, timeout_s: float | None = None) -> None:
        self._get_runner().run(self.settle(timeout_s))

    def _background_tasks(self) -> list[asyncio.Task[None]]:
        return [run.task for run in self._session.background_runs if run.task is not None]

    # --- closing
    async def aclose(self) -> None:
        """Cancel running handlers and close connections, as the client does when it exits."""
        tasks = self._background_tasks()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._session.background_runs.clear()
        for connection in self._session.connections.values():
            with contextlib.suppress(Exception):
                await connection.aclose()
        self._session.connections.clear()
        self._clean_up()

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

    def _get_runner(self) -> asyncio.Runner:
        if self._runner is None:
            self._runner = asyncio.Runner()
        return self._runner


def _build_sources(settings: Mapping[str, Mapping[str, Any]]) -> Iterable[Source]:
    unknown = sorted(settings.keys() - set(SCOPES))
    if unknown:
        raise UserError(f"there is no settings scope {unknown[0]}", fix=f"one of {', '.join(SCOPES)}")
    for scope in SCOPES:
        if scope in settings:
            yield Source(scope, f"{scope} settings", content=json.dumps(settings[scope], indent=1).encode())


def _clean_up_session(scratch: str, session_ids: Iterable[str], since: float) -> None:
    """Kill processes that left their process group, found by the session id in their environment; delete our folder."""
    marks = [f"CLAUDE_CODE_SESSION_ID={session_id}" for session_id in session_ids]
    if marks:
        kill_marked(f"CLAUDE_PID={os.getpid()}", one_of=marks, born=since)
    shutil.rmtree(scratch, ignore_errors=True)
