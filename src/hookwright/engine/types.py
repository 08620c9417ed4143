"""The words of the engine: a handler, how its run ended, what became of it, and what came of all of them.

settings → Handler → handlers/*.run → Raw → judge → Trace → merge → Outcome
Nothing here decides anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

Payload = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Handler:
    """One handler of one settings file. `options` are its own keys, as written: command, url, timeout, if …"""

    type: str
    event: str
    scope: str  # managed, flag, local, project, user, plugin, skill, command, agent
    file: str
    line: int | None
    matcher: str | None
    options: Mapping[str, Any]
    root: str = ""  # what ${CLAUDE_PLUGIN_ROOT} means in this file
    name: str = ""  # of the plugin or skill

    @property
    def label(self) -> str:
        """What the client calls it when it tells the model or the user about it."""
        options = self.options
        match self.type:
            case "command":
                return " ".join((str(options["command"]), *map(str, options.get("args") or ())))
            case "http":
                return str(options["url"])
            case "mcp_tool":
                return f"mcp__{options['server']}__{options['tool']}"
        return str(options["prompt"])

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}" if self.line is not None else self.file


@dataclass(frozen=True, slots=True)
class Around:
    """What one run of one handler may know and use."""

    project: str  # where the session was started
    cwd: str  # where the event happens
    env: Mapping[str, str]  # the environment of the client itself
    timeout_s: float
    scratch: str  # a folder that lives as long as the engine
    http_env_vars: frozenset[str] | None = None  # httpHookAllowedEnvVars of the settings; None: no limit
    mcp_servers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # name → command, args, env
    # Things that outlive a run (a connection, a client). One with `async def aclose()` is closed with the engine.
    kept: dict[str, Any] = field(default_factory=dict)
    model: str = ""  # `model` of the settings, which prompt and agent handlers ask unless they name one
    # Say that nobody should wait any longer; the run goes on in the background.
    detach: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class Raw:
    """How one run ended. What it means is not said here."""

    problem: str = ""  # why there was no run, or why it broke off: "No such file or directory"
    exit_code: int | None = None  # of a command
    stdout: bytes = b""  # of a command; the body of an http response; the text of an MCP tool's result
    stderr: bytes = b""
    status: int | None = None  # of an http response
    timed_out: bool = False
    ms: float | None = None
    not_evaluated: str = ""  # why a model was not asked: "ANTHROPIC_API_KEY is not set"
    answer: Mapping[str, Any] | None = None  # a model's {ok, reason}; None if it said nothing of the kind
    is_error: bool = False  # an MCP tool's own error


@dataclass(slots=True)
class Trace:
    """What became of one handler: matched or why not, how it ended, what counted and what was passed over."""

    type: str
    event: str
    scope: str
    file: str
    line: int | None
    matcher: str | None
    label: str
    ran: bool = False
    why_not: str | None = None
    exit_code: int | None = None  # of a command; the status of an http response
    ms: float | None = None
    said: str = ""  # its own words: stdout, or stderr if that is empty
    counted: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    timed_out: bool = False
    background: bool = False  # nobody waited for its end

    def as_json(self) -> dict[str, Any]:
        names = ("type", "event", "scope", "file", "line", "matcher", "label", "ran", "why_not", "exit_code", "ms")
        more = ("said", "counted", "ignored", "timed_out", "background")
        return {name: getattr(self, name) for name in (*names, *more)}


@dataclass(slots=True)
class Outcome:
    """What the client would do. `later` fills up as handlers in the background end."""

    event: str
    decision: str = "none"  # deny, defer, ask, allow, block
    reason: str | None = None
    updated_input: Mapping[str, Any] | None = None
    updated_output: Any = None
    context: list[str] = field(default_factory=list)
    system_messages: list[str] = field(default_factory=list)
    continue_: bool = True
    stop_reason: str | None = None
    goes_on: bool = False  # Stop, SubagentStop: the model has to work on
    won: str = ""  # who decided, and against whom
    later: list[str] = field(default_factory=list)
    others: dict[str, Any] = field(default_factory=dict)  # sessionTitle, watchPaths, retry …
    handlers: list[Trace] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """The form of `hookwright run --json`."""
        outcome = {
            "decision": self.decision,
            "reason": self.reason,
            "updated_input": self.updated_input,
            "updated_output": self.updated_output,
            "context": self.context,
            "system_messages": self.system_messages,
            "continue": self.continue_,
            "stop_reason": self.stop_reason,
            "goes_on": self.goes_on,
            "won": self.won or None,
            "later": self.later,
            "others": self.others,
        }
        return {"event": self.event, "outcome": outcome, "handlers": [trace.as_json() for trace in self.handlers]}


def wire(payload: Payload) -> bytes:
    """The payload as the client sends it: one line of UTF-8, without the line's end."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
