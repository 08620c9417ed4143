"""The data types of the engine: a handler, the result of its run, its trace, and the outcome of an event.

settings → Handler → handlers/*.run → RawResult → interpret → HandlerEffect → merge → Outcome (with a Trace each)
Data only; nothing here decides anything.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

Payload = Mapping[str, Any]
STOP_EVENTS = frozenset(("Stop", "SubagentStop"))  # a block here keeps the model going


class Connection(Protocol):
    """Something that outlives a run and is closed with the engine, such as an MCP server."""

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True)
class Handler:
    """One handler of one settings file. `options` are its keys as written: command, url, timeout, if …"""

    type: str
    event: str
    scope: str  # managed, flag, local, project, user, plugin, skill, command, agent
    file: str
    line: int | None
    matcher: str | None
    options: Mapping[str, Any]
    root: str = ""  # the value of ${CLAUDE_PLUGIN_ROOT} in this file
    name: str = ""  # of the plugin or skill

    @property
    def label(self) -> str:
        """The name that the client uses in messages to the model and the user."""
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
class RunContext:
    """The inputs of one run of one handler, besides the payload."""

    project: str  # the directory in which the session was started
    cwd: str  # the current directory of the event
    env: Mapping[str, str]  # the environment of the client
    timeout_s: float
    scratch: str  # a temporary folder, deleted with the engine
    http_env_vars: frozenset[str] | None = None  # httpHookAllowedEnvVars of the settings; None: no limit
    mcp_servers: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # name → command, args, env
    connections: dict[str, Connection] = field(default_factory=dict)  # shared by the runs of a session
    model: str = ""  # `model` of the settings; prompt and agent handlers use it unless they name one
    # Called by a run that wants to continue in the background.
    detach: Callable[[], None] = lambda: None


@dataclass(frozen=True, slots=True)
class RawResult:
    """The result of one run, before it is interpreted."""

    problem: str = ""  # why it could not start or was aborted: "No such file or directory"
    exit_code: int | None = None  # of a command
    stdout: bytes = b""  # of a command; the body of an http response; the text of an MCP tool's result
    stderr: bytes = b""
    status: int | None = None  # of an http response
    timed_out: bool = False
    ms: float | None = None
    not_evaluated: str = ""  # why a model was not asked: "ANTHROPIC_API_KEY is not set"
    answer: Mapping[str, Any] | None = None  # a model's {ok, reason}; None if it gave no verdict
    is_error: bool = False  # an MCP tool reported an error


@dataclass(slots=True)
class Trace:
    """What happened to one handler: did it match, how did it end, which of its output counted, what was ignored."""

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
    said: str = ""  # its stdout, or stderr if that is empty
    stderr: str = ""
    counted: list[str] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)
    timed_out: bool = False
    background: bool = False  # the event did not wait for it

    def as_json(self) -> dict[str, Any]:
        names = ("type", "event", "scope", "file", "line", "matcher", "label", "ran", "why_not", "exit_code", "ms")
        more = ("said", "stderr", "counted", "ignored", "timed_out", "background")
        return {name: getattr(self, name) for name in (*names, *more)}


@dataclass(slots=True)
class Outcome:
    """What the client would do. `later` grows as background handlers end."""

    event: str
    decision: str = "none"  # deny, defer, ask, allow, block
    reason: str | None = None
    updated_input: Mapping[str, Any] | None = None
    updated_output: Any = None
    context: list[str] = field(default_factory=list)
    system_messages: list[str] = field(default_factory=list)
    continue_: bool = True
    stop_reason: str | None = None
    goes_on: bool = False  # Stop, SubagentStop: the model has to continue
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


def encode_payload(payload: Payload) -> bytes:
    """Encode a payload as the client sends it: one line of UTF-8, without the newline."""
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
