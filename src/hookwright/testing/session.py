"""Simulate a session of Claude Code in a test: settings in a temporary home, events, and what the client would do.

settings, hooks → [Claude] → start, prompt, bash, stop … → Engine → outcomes
Every handler really runs. What a hook changes or stops affects the rest of the session.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.proc.run_programs import Job, run_job
from hookwright.protocol.events.base import Event
from hookwright.testing import builders, sample_values
from hookwright.testing.fixtures import rebase_paths
from hookwright.testing.sandbox import FIXED_VARIABLES, KEPT_VARIABLES

if TYPE_CHECKING:
    from hookwright.engine import Engine, Outcome

FILES = {
    "user": ("home", ".claude/settings.json"),
    "project": ("project", ".claude/settings.json"),
    "local": ("project", ".claude/settings.local.json"),
}
INSTALL_TIMEOUT_S = 120  # generous: the machine may be busy
STOPPED = ("deny", "block", "defer")


@dataclass(frozen=True)
class Call:
    """One tool call: the outcomes before and after it, and whether it ran."""

    before: Outcome  # of PreToolUse
    after: Outcome | None  # None: it did not run
    input: Mapping[str, Any]  # the input that the tool got, or would have got
    asked: Outcome | None = None  # the permission dialog, if there was one

    @property
    def ran(self) -> bool:
        """Whether the hooks and the user let it run."""
        return self.after is not None

    @property
    def decision(self) -> str:
        """The merged decision of PreToolUse: deny, ask, allow, none."""
        return self.before.decision

    @property
    def reason(self) -> str | None:
        """The reason of that decision."""
        return self.before.reason


class Claude:
    """`claude.prompt("fix it"); assert not claude.bash("git push --force").ran`."""

    home: Path  # a directory of the test
    project: Path  # where the session was started
    env: dict[str, str]  # environment of the simulated client
    person: str  # what the user answers in a permission dialog: allow or deny
    outcomes: list[Outcome]  # of every event so far

    def __init__(self, folder: str, cache: str, start: str) -> None:
        self.home = Path(folder, "home")
        self.project = Path(folder, "project")
        self.person = "allow"
        self.outcomes = []
        self.env = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        self.env.update(FIXED_VARIABLES, HOME=str(self.home), HOOKWRIGHT_CACHE_HOME=cache)
        self._managed = Path(folder, "managed")
        self._start = start  # relative paths of hooks start here
        self._engine: Engine | None = None
        self._calls = 0
        self._goes_on = False
        for place in (self.home, self.project, self._managed):
            place.mkdir(parents=True, exist_ok=True)

    # -- settings ----------------------------------------------------------------------------------------------------

    def settings(self, settings: Mapping[str, Any], scope: str = "user") -> None:
        """Write a settings file: user, project or local. It is read at the next event."""
        path = self._settings_path(scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
        self._close_engine()

    def command(
        self, event: str, command: str, *args: str, matcher: str = "", scope: str = "user", **more: Any
    ) -> None:
        """Register a command for an event, in addition to what is registered."""
        builders.keys_of(event)
        path = self._settings_path(scope)
        settings = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        handler = {"type": "command", "command": command, **({"args": list(args)} if args else {}), **more}
        group = {"hooks": [handler], **({"matcher": matcher} if matcher else {})}
        settings.setdefault("hooks", {}).setdefault(event, []).append(group)
        self.settings(settings, scope)

    def install(self, *hooks: str | os.PathLike[str], config: str = "", scope: str = "user") -> None:
        """Really install hookwright, with these hook files as user hooks and this `config.toml`."""
        folder = self.home / ".config/hookwright"
        (folder / "hooks").mkdir(parents=True, exist_ok=True)
        for name in hooks:
            shutil.copy(os.path.join(self._start, os.path.expanduser(os.fspath(name))), folder / "hooks")
        if config:
            (folder / "config.toml").write_text(config, encoding="utf-8")
        words = [sys.executable, "-m", "hookwright", "install", "--yes", "--json", "--scope", scope]
        env = {**dict.fromkeys(os.environ), **self.env}  # ours alone
        done = run_job(Job(words, cwd=str(self.project), seconds=INSTALL_TIMEOUT_S, env=env))
        if not done.ok:
            said = done.problem or (done.stderr or done.stdout).decode("utf-8", "replace")
            raise UserError(f"hookwright could not be installed: {said}")
        self._close_engine()

    def put(self, files: Mapping[str, str]) -> None:
        """Write files of the project, by relative path."""
        for name, text in files.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def _settings_path(self, scope: str) -> Path:
        builders.require(scope, FILES, f"there is no scope {scope!r}")
        place, name = FILES[scope]
        return Path(getattr(self, place), name)

    # -- events ------------------------------------------------------------------------------------------------------

    def fire(self, event: Event | Mapping[str, Any] | str, /, **fields: Any) -> Outcome:
        """Send any event: a built event, a payload, or a name and its keys."""
        if isinstance(event, str):
            payload: Mapping[str, Any] = builders.payload(event, **fields)
        else:
            payload = {**(event.raw if isinstance(event, Event) else event), **fields}
        own = {"session_id": builders.SESSION, "cwd": str(self.project), "transcript_path": self._transcript_path}
        payload = {**payload, **{name: own[name] for name in own if payload.get(name) == builders.COMMON[name]}}
        outcome = self._get_engine().fire_now(rebase_paths(payload, str(self.project)))
        self.outcomes.append(outcome)
        return outcome

    def play(self, *events: Event | Mapping[str, Any]) -> list[Outcome]:
        """Send events one after another."""
        return [self.fire(event) for event in events]

    def start(self, source: str = "startup", **fields: Any) -> Outcome:
        """The session begins."""
        return self.fire("SessionStart", source=source, **fields)

    def prompt(self, text: str, **fields: Any) -> Outcome:
        """The user submits a prompt."""
        return self.fire("UserPromptSubmit", prompt=text, **fields)

    def bash(self, command: str, stdout: str = "", *, error: str | None = None, **given: Any) -> Call:
        """Claude runs a command; `stdout` or `error` is its result, if it may run."""
        response = {**sample_values.RESPONSES["Bash"], "stdout": stdout}
        return self.tool("Bash", {"command": command, **given}, response, error=error)

    def write(self, file_path: str, content: str = "") -> Call:
        """Claude writes a file; it exists afterwards, if the call may run."""
        return self.tool("Write", {"file_path": self._resolve_path(file_path), "content": content})

    def tool(self, name: str, tool_input: Mapping[str, Any], response: Any = None, *, error: str | None = None) -> Call:
        """Claude calls a tool: PreToolUse, perhaps PermissionRequest, then PostToolUse if it ran."""
        self._calls += 1
        about = {"tool_name": name, "tool_use_id": f"toolu_{self._calls}"}
        before = self.fire("PreToolUse", **about, tool_input=dict(tool_input))
        given = before.updated_input or tool_input
        if before.decision in STOPPED:
            return Call(before, None, given)
        asked = None
        if before.decision == "ask":
            asked = self.fire("PermissionRequest", tool_name=name, tool_input=dict(given))
            given = asked.updated_input or given
            if (asked.decision if asked.decision in ("allow", "deny") else self.person) == "deny":
                return Call(before, None, given, asked)
        if name == "Write" and error is None:
            self._write_file(given)
        return Call(before, self._fire_after(about, given, response, error), given, asked)

    def _fire_after(
        self, about: Mapping[str, Any], given: Mapping[str, Any], response: Any, error: str | None
    ) -> Outcome:
        if error is not None:
            return self.fire("PostToolUseFailure", **about, tool_input=dict(given), error=error)
        fields = {} if response is None else {"tool_response": response}
        return self.fire("PostToolUse", **about, tool_input=dict(given), **fields)

    def stop(self, last_assistant_message: str = "done", **fields: Any) -> Outcome:
        """Claude stops; `goes_on` of the outcome is true if a hook makes it continue."""
        active = fields.pop("stop_hook_active", self._goes_on)
        payload = {"last_assistant_message": last_assistant_message, "stop_hook_active": active}
        outcome = self.fire("Stop", **payload, **fields)
        self._goes_on = outcome.goes_on
        return outcome

    def end(self, reason: str = "other") -> Outcome:
        """The session ends."""
        return self.fire("SessionEnd", reason=reason)

    def settle(self) -> None:
        """Wait for async handlers; their output is in `later` of the outcome."""
        if self._engine is not None:
            self._engine.settle_now()

    # -- results -----------------------------------------------------------------------------------------------

    @property
    def context(self) -> list[str]:
        """Everything that Claude was told so far."""
        return [text for outcome in self.outcomes for text in outcome.context]

    @property
    def messages(self) -> list[str]:
        """Everything that the user was told so far."""
        return [text for outcome in self.outcomes for text in outcome.system_messages]

    def ran(self, event: str = "") -> Iterable[str]:
        """Labels of the handlers that ran so far."""
        traces = [trace for outcome in self.outcomes for trace in outcome.handlers if trace.ran]
        return [trace.label for trace in traces if not event or trace.event == event]

    # -- internals ---------------------------------------------------------------------------------------------------

    @property
    def _transcript_path(self) -> str:
        return str(self.home / ".claude/projects/session" / f"{builders.SESSION}.jsonl")

    def _get_engine(self) -> Engine:
        if self._engine is None:
            from hookwright.engine import Engine  # noqa: PLC0415  only sessions need it

            self._engine = Engine.from_settings(
                home=str(self.home), project=str(self.project), managed=str(self._managed), env=self.env
            )
        return self._engine

    def _close_engine(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    close = _close_engine

    def _write_file(self, given: Mapping[str, Any]) -> None:
        path = Path(str(given.get("file_path", "")))
        if path.is_relative_to(self.project):
            self.put({str(path.relative_to(self.project)): str(given.get("content", ""))})

    def _resolve_path(self, path: str) -> str:
        placed = sample_values.expand_project(path, str(self.project))
        return placed if os.path.isabs(placed) else str(self.project / placed)
