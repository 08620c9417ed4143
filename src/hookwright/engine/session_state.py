"""What outlives one event: settings, environment, running background handlers, connections, counters.

Engine → [SessionState] ← EventRun
An engine has one; every event of the session reads and updates it.
"""

from __future__ import annotations

import json
import os
import re
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from hookwright.engine import environment, select
from hookwright.engine.handler_run import HandlerRun
from hookwright.engine.preview import LongTextStore
from hookwright.engine.select import Choice, EffectiveSettings
from hookwright.engine.types import STOP_EVENTS, Connection, Handler, Outcome, Payload, RunContext
from hookwright.errors import UserError
from hookwright.proc.scratch_dir import make_scratch_dir
from hookwright.protocol.client_versions import Version
from hookwright.protocol.events import FAMILY

STOP_LIMIT_VARIABLE = "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP"
SHOWN_AS = {"Monitor": "Bash"}  # tools that the client shows to hooks under another name
STOP_LIMIT = 8  # continuations in a row; the next block is ignored


class SessionState:
    """The state of one session of the client."""

    def __init__(
        self,
        settings: EffectiveSettings,
        *,
        project: str,
        home: str,
        env: Mapping[str, str],
        mcp_servers: Mapping[str, Mapping[str, Any]] | None,
        interactive: bool,
        skills: Iterable[str],
        client: Version | None = None,
    ) -> None:
        self.settings = settings
        self.client = client
        self.project, self.home = project, home
        self.env = {**env, **settings.environment}
        self.mcp_servers = dict(mcp_servers or {})
        self.interactive, self.skills = interactive, frozenset(skills)
        self.session_id = str(uuid.uuid4())
        self.session_ids: set[str] = set()  # of all events so far; a payload may bring its own
        self.scratch = make_scratch_dir("engine")
        self.long_texts = LongTextStore(self.scratch)
        self.background_runs: set[HandlerRun] = set()
        self.connections: dict[str, Connection] = {}
        self._stop_counts: dict[tuple[str, str], int] = {}
        self._ran_once: set[str] = set()  # `once` handlers of skills

    def complete_payload(self, payload: Payload) -> dict[str, Any]:
        """Add the keys that every payload has."""
        event = payload.get("hook_event_name")
        if event not in FAMILY:
            raise UserError(f"Claude Code has no event {json.dumps(event)}", fix='"hook_event_name": "PreToolUse"')
        session = str(payload.get("session_id") or self.session_id)
        folder = re.sub(r"[^A-Za-z0-9]", "-", self.project)
        config = self.env.get("CLAUDE_CONFIG_DIR") or os.path.join(self.home, ".claude")
        transcript = os.path.join(config, "projects", folder, session + ".jsonl")
        common = {"session_id": session, "transcript_path": transcript, "cwd": self.project}
        shown = {"tool_name": SHOWN_AS[payload["tool_name"]]} if payload.get("tool_name") in SHOWN_AS else {}
        return {**common, **payload, **shown, "session_id": session}

    def choose_handlers(self, payload: Payload) -> list[Choice]:
        choices = select.choose_handlers(
            self.settings, payload, project=self.project, home=self.home, skills=self.skills, client=self.client
        )
        return [
            Choice(choice.handler, choice.why_not or 'it has "once" and has already run')
            if choice.handler.where in self._ran_once
            else choice
            for choice in choices
        ]

    def build_context(self, handler: Handler, payload: Payload) -> RunContext:
        cwd = str(payload.get("cwd") or self.project)
        return RunContext(
            project=self.project,
            cwd=cwd if os.path.isdir(cwd) else self.project,
            env=self.env,
            timeout_s=environment.choose_timeout_s(
                handler.event,
                handler.type,
                handler.options.get("timeout"),
                environment=self.env,
                is_plugin=handler.scope == "plugin",
            ),
            scratch=self.scratch,
            http_env_vars=self.settings.http_env_vars,
            mcp_servers=self.mcp_servers,
            connections=self.connections,
            model=self.settings.model,
        )

    def note_start(self, handler: Handler) -> None:
        """Remember `once` of a skill's handler; in settings files the client ignores it."""
        if handler.scope == "skill" and handler.options.get("once"):
            self._ran_once.add(handler.where)

    def leave_running(self, run: HandlerRun) -> None:
        """Let a run continue after its event; it is cancelled when the engine is closed."""
        self.background_runs.add(run)
        if run.task is not None:
            run.task.add_done_callback(lambda _task: self.background_runs.discard(run))

    def apply_stop_limit(self, payload: Payload, outcome: Outcome) -> None:
        """Ignore a block that would keep the model going once too often; a tool call or a new turn resets the count."""
        key = (payload["session_id"], str(payload.get("agent_id", "")))
        if outcome.event not in STOP_EVENTS or not payload.get("stop_hook_active"):
            self._stop_counts.pop(key, None)
        if not outcome.goes_on:
            return
        count = self._stop_counts[key] = self._stop_counts.get(key, 0) + 1
        setting = self.env.get(STOP_LIMIT_VARIABLE, "")
        limit = int(setting) if setting.isdigit() else STOP_LIMIT
        if limit and count > limit:
            why = f"the model was kept going {limit} times in a row, and that is the limit ({STOP_LIMIT_VARIABLE})"
            outcome.decision, outcome.reason, outcome.goes_on = "none", None, False
            outcome.won = why
            for trace in outcome.handlers:
                trace.ignored += [f"its {effect}: {why}" for effect in trace.counted]
                trace.counted.clear()
