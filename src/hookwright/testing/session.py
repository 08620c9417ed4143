"""A session of Claude Code, played without it: settings in a home of its own, events, what the client would do.

settings, hooks → [Claude] → start, prompt, bash, stop … → Engine → outcomes
Every handler really runs. What a hook changes or stops counts for what comes after it in the session.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.protocol.events.base import Event
from hookwright.testing import builders, typical
from hookwright.testing.fixtures import in_project
from hookwright.testing.stage import ALWAYS, KEPT

if TYPE_CHECKING:
    from hookwright.engine import Engine, Outcome

FILES = {
    "user": ("home", ".claude/settings.json"),
    "project": ("project", ".claude/settings.json"),
    "local": ("project", ".claude/settings.local.json"),
}
PATIENCE_S = 120  # for our own installer, on a machine that does other things too
STOPPED = ("deny", "block", "defer")


@dataclass(frozen=True)
class Call:
    """One tool call: what came before it, whether it ran, and what came after."""

    before: Outcome  # of PreToolUse
    after: Outcome | None  # None: it did not run
    input: Mapping[str, Any]  # as the tool was given it, or would have been
    asked: Outcome | None = None  # the permission dialog, if there was one

    @property
    def ran(self) -> bool:
        """Was it let run?"""
        return self.after is not None

    @property
    def decision(self) -> str:
        """What the hooks before it decided together: deny, ask, allow, none."""
        return self.before.decision

    @property
    def reason(self) -> str | None:
        """Why."""
        return self.before.reason


class Claude:
    """`claude.prompt("fix it"); assert not claude.bash("git push --force").ran`."""

    home: Path  # a folder of the test's own
    project: Path  # the folder that the session was started in
    env: dict[str, str]  # variables of the client's environment
    person: str  # what the person says to a dialog: allow or deny
    outcomes: list[Outcome]  # of every event so far

    def __init__(self, folder: str, cache: str, start: str) -> None:
        self.home = Path(folder, "home")
        self.project = Path(folder, "project")
        self.person = "allow"
        self.outcomes = []
        self.env = {name: os.environ[name] for name in KEPT if name in os.environ}
        self.env.update(ALWAYS, HOME=str(self.home), HOOKWRIGHT_CACHE_HOME=cache)
        self._managed = Path(folder, "managed")
        self._start = start  # where paths of hooks are looked for
        self._engine: Engine | None = None
        self._calls = 0
        self._goes_on = False
        for place in (self.home, self.project, self._managed):
            place.mkdir(parents=True, exist_ok=True)

    # -- settings ----------------------------------------------------------------------------------------------------

    def settings(self, settings: Mapping[str, Any], scope: str = "user") -> None:
        """Write a settings file: user, project or local. Read when the next event comes."""
        path = self._file(scope)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
        self._forget()

    def command(
        self, event: str, command: str, *args: str, matcher: str = "", scope: str = "user", **more: Any
    ) -> None:
        """Register a command for an event, beside what is registered already."""
        builders.keys_of(event)
        path = self._file(scope)
        settings = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
        handler = {"type": "command", "command": command, **({"args": list(args)} if args else {}), **more}
        group = {"hooks": [handler], **({"matcher": matcher} if matcher else {})}
        settings.setdefault("hooks", {}).setdefault(event, []).append(group)
        self.settings(settings, scope)

    def install(self, *hooks: str | os.PathLike[str], config: str = "", scope: str = "user") -> None:
        """Install hookwright itself, for real, with these hook files as the user's own and this `config.toml`."""
        folder = self.home / ".config/hookwright"
        (folder / "hooks").mkdir(parents=True, exist_ok=True)
        for name in hooks:
            shutil.copy(os.path.join(self._start, os.path.expanduser(os.fspath(name))), folder / "hooks")
        if config:
            (folder / "config.toml").write_text(config, encoding="utf-8")
        words = [sys.executable, "-m", "hookwright", "install", "--yes", "--json", "--scope", scope]
        done = subprocess.run(
            words, cwd=self.project, env=self.env, capture_output=True, text=True, timeout=PATIENCE_S, check=False
        )
        if done.returncode:
            raise UserError(f"hookwright could not be installed: {done.stderr or done.stdout}")
        self._forget()

    def put(self, files: Mapping[str, str]) -> None:
        """Files of the project, by their path in it."""
        for name, text in files.items():
            path = self.project / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def _file(self, scope: str) -> Path:
        builders.require(scope, FILES, f"there is no scope {scope!r}")
        place, name = FILES[scope]
        return Path(getattr(self, place), name)

    # -- events ------------------------------------------------------------------------------------------------------

    def fire(self, event: Event | Mapping[str, Any] | str, /, **fields: Any) -> Outcome:
        """Any event: a builder's, a payload, or a name and its keys."""
        if isinstance(event, str):
            payload: Mapping[str, Any] = builders.payload(event, **fields)
        else:
            payload = {**(event.raw if isinstance(event, Event) else event), **fields}
        own = {"session_id": builders.SESSION, "cwd": str(self.project), "transcript_path": self._transcript}
        payload = {**payload, **{name: own[name] for name in own if payload.get(name) == builders.COMMON[name]}}
        outcome = self._running().fire_now(in_project(payload, str(self.project)))
        self.outcomes.append(outcome)
        return outcome

    def play(self, *events: Event | Mapping[str, Any]) -> list[Outcome]:
        """Events one after another."""
        return [self.fire(event) for event in events]

    def start(self, source: str = "startup", **fields: Any) -> Outcome:
        """The session begins."""
        return self.fire("SessionStart", source=source, **fields)

    def prompt(self, text: str, **fields: Any) -> Outcome:
        """The user says something."""
        return self.fire("UserPromptSubmit", prompt=text, **fields)

    def bash(self, command: str, stdout: str = "", *, error: str | None = None, **given: Any) -> Call:
        """Claude runs a command; `stdout` or `error` is what comes of it, if it is let run."""
        response = {**typical.RESPONSES["Bash"], "stdout": stdout}
        return self.tool("Bash", {"command": command, **given}, response, error=error)

    def write(self, file_path: str, content: str = "") -> Call:
        """Claude writes a file; it is really there afterwards, if the call is let run."""
        return self.tool("Write", {"file_path": self._placed(file_path), "content": content})

    def tool(self, name: str, tool_input: Mapping[str, Any], response: Any = None, *, error: str | None = None) -> Call:
        """Claude calls a tool: before it, perhaps the dialog, and after it if it ran."""
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
            self._write(given)
        return Call(before, self._after(about, given, response, error), given, asked)

    def _after(self, about: Mapping[str, Any], given: Mapping[str, Any], response: Any, error: str | None) -> Outcome:
        if error is not None:
            return self.fire("PostToolUseFailure", **about, tool_input=dict(given), error=error)
        fields = {} if response is None else {"tool_response": response}
        return self.fire("PostToolUse", **about, tool_input=dict(given), **fields)

    def stop(self, last_assistant_message: str = "done", **fields: Any) -> Outcome:
        """Claude is done; `goes_on` of the outcome says that a hook does not think so."""
        active = fields.pop("stop_hook_active", self._goes_on)
        told = {"last_assistant_message": last_assistant_message, "stop_hook_active": active}
        outcome = self.fire("Stop", **told, **fields)
        self._goes_on = outcome.goes_on
        return outcome

    def end(self, reason: str = "other") -> Outcome:
        """The session ends."""
        return self.fire("SessionEnd", reason=reason)

    def settle(self) -> None:
        """Wait for handlers that run in the background; what they said is in `later` of their outcome."""
        if self._engine is not None:
            self._engine.settle_now()

    # -- what was said -----------------------------------------------------------------------------------------------

    @property
    def context(self) -> list[str]:
        """Everything that Claude was told so far."""
        return [text for outcome in self.outcomes for text in outcome.context]

    @property
    def messages(self) -> list[str]:
        """Everything that the user was told so far."""
        return [text for outcome in self.outcomes for text in outcome.system_messages]

    def ran(self, event: str = "") -> Iterable[str]:
        """What was started so far, by the words that the client has for it."""
        traces = [trace for outcome in self.outcomes for trace in outcome.handlers if trace.ran]
        return [trace.label for trace in traces if not event or trace.event == event]

    # -- behind it ---------------------------------------------------------------------------------------------------

    @property
    def _transcript(self) -> str:
        return str(self.home / ".claude/projects/session" / f"{builders.SESSION}.jsonl")

    def _running(self) -> Engine:
        if self._engine is None:
            from hookwright.engine import Engine  # noqa: PLC0415  only sessions need it

            self._engine = Engine.from_settings(
                home=str(self.home), project=str(self.project), managed=str(self._managed), env=self.env
            )
        return self._engine

    def _forget(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    close = _forget

    def _write(self, given: Mapping[str, Any]) -> None:
        path = Path(str(given.get("file_path", "")))
        if path.is_relative_to(self.project):
            self.put({str(path.relative_to(self.project)): str(given.get("content", ""))})

    def _placed(self, path: str) -> str:
        placed = typical.placed(path, str(self.project))
        return placed if os.path.isabs(placed) else str(self.project / placed)
