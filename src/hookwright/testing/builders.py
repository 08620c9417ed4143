"""Build payloads as Claude Code sends them, for tests: complete, and with keys of the protocol only.

decision = AutoBackground().decide(bash("npm install"))
A test gives the keys it is about; the others have usual values. A name that the protocol does not have is an error
that lists the right ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import cache
from typing import Any

from hookwright.protocol import catalogue
from hookwright.protocol.events import event_of
from hookwright.protocol.events.base import Event
from hookwright.protocol.events.notice import Notification
from hookwright.protocol.events.prompt import UserPromptSubmit
from hookwright.protocol.events.result import PostToolUse, PostToolUseFailure
from hookwright.protocol.events.session import SessionEnd, SessionStart
from hookwright.protocol.events.stop import Stop
from hookwright.protocol.events.tool import PreToolUse
from hookwright.protocol.tools import LEGACY_NAMES, mcp_parts
from hookwright.testing import sample_values

SESSION = "00000000-0000-4000-8000-000000000001"
PROJECT = "/home/ann/shop"
COMMON = {
    "session_id": SESSION,
    "transcript_path": f"/home/ann/.claude/projects/-home-ann-shop/{SESSION}.jsonl",
    "cwd": PROJECT,
}
# Tools without known input keys: old ones that hooks still see in other clients.
_TOOLS_WITHOUT_KEYS = ("MultiEdit", "BashOutput", "KillShell", "Monitor", "LSP", "TaskList", "TaskGet", "EnterPlanMode")


# -- any event -------------------------------------------------------------------------------------------------------


def payload(event: str, /, **fields: Any) -> dict[str, Any]:
    """A complete payload of this event. An unknown key, tool or input key is a ValueError."""
    known = keys_of(event)
    for name in fields:
        require(name, known, f"{event} has no {name}")
    full = {**COMMON, "hook_event_name": event, **sample_values.EVENTS[event], **fields}
    if "tool_name" in known:
        _complete_call(event, full)
    return {
        name: sample_values.expand_project(value, full["cwd"]) if name not in fields else value
        for name, value in full.items()
    }


def event(name: str | type[Event], /, **fields: Any) -> Any:
    """The typed event of such a payload."""
    return event_of(payload(name if isinstance(name, str) else name.__name__, **fields))


def _complete_call(event: str, full: dict[str, Any]) -> None:
    tool = full["tool_name"]
    allowed = inputs_of(tool)
    full.setdefault("tool_input", dict(sample_values.TOOLS.get(tool, {})))
    if allowed is not None and isinstance(full["tool_input"], dict):
        for name in full["tool_input"]:
            require(name, allowed, f"{tool}'s input has no {name}")
    if event == "PostToolUse":
        full.setdefault("tool_response", sample_values.RESPONSES.get(tool, {}))
    parts = mcp_parts(tool)
    if parts:
        full.setdefault("mcp_server", {"name": parts[0], "source": "dynamic"})


# -- before and after a tool -----------------------------------------------------------------------------------------


def tool_use(tool: str, tool_input: dict[str, Any], **fields: Any) -> PreToolUse:
    """A tool is about to run."""
    made: PreToolUse = event("PreToolUse", **fields, tool_name=tool, tool_input=tool_input)
    return made


def tool_done(tool: str, tool_input: dict[str, Any], tool_response: Any = None, **fields: Any) -> PostToolUse:
    """A tool call succeeded."""
    if tool_response is not None:
        fields["tool_response"] = tool_response
    made: PostToolUse = event("PostToolUse", **fields, tool_name=tool, tool_input=tool_input)
    return made


def tool_failed(tool: str, tool_input: dict[str, Any], error: str, **fields: Any) -> PostToolUseFailure:
    """A tool call failed."""
    made: PostToolUseFailure = event("PostToolUseFailure", **fields, tool_name=tool, tool_input=tool_input, error=error)
    return made


_EVENT_KEYS = frozenset(("agent_id", "agent_type", "cwd", "permission_mode", "session_id", "tool_use_id"))


def bash(command: str, **fields: Any) -> PreToolUse:
    """A Bash call is about to run; other keywords are keys of its input, or of the event where it has them."""
    return _tool_call("Bash", {"command": command}, fields)


def write(file_path: str, content: str = "", **fields: Any) -> PreToolUse:
    """A file is about to be written."""
    return _tool_call("Write", {"file_path": file_path, "content": content}, fields)


def edit(file_path: str, old_string: str = "a", new_string: str = "b", **fields: Any) -> PreToolUse:
    """A file is about to be edited."""
    given = {"file_path": file_path, "old_string": old_string, "new_string": new_string, "replace_all": False}
    return _tool_call("Edit", given, fields)


def read(file_path: str, **fields: Any) -> PreToolUse:
    """A file is about to be read."""
    return _tool_call("Read", {"file_path": file_path}, fields)


def _tool_call(tool: str, tool_input: dict[str, Any], fields: dict[str, Any]) -> PreToolUse:
    of_event = {name: value for name, value in fields.items() if name in _EVENT_KEYS}
    of_input = {name: value for name, value in fields.items() if name not in _EVENT_KEYS}
    return tool_use(tool, {**tool_input, **of_input}, **of_event)


def bash_done(command: str, stdout: str = "", **fields: Any) -> PostToolUse:
    """A Bash call succeeded."""
    return tool_done("Bash", {"command": command}, {**sample_values.RESPONSES["Bash"], "stdout": stdout}, **fields)


def bash_failed(command: str, error: str = "Exit code 1", **fields: Any) -> PostToolUseFailure:
    """A Bash call failed."""
    return tool_failed("Bash", {"command": command}, error, **fields)


# -- sessions and prompts --------------------------------------------------------------------------------------------


def prompt(text: str, **fields: Any) -> UserPromptSubmit:
    """The user submitted a prompt."""
    made: UserPromptSubmit = event("UserPromptSubmit", prompt=text, **fields)
    return made


def session_start(source: str = "startup", **fields: Any) -> SessionStart:
    """A session begins: startup, resume, clear, compact or fork."""
    made: SessionStart = event("SessionStart", source=source, **fields)
    return made


def session_end(reason: str = "other", **fields: Any) -> SessionEnd:
    """A session ends."""
    made: SessionEnd = event("SessionEnd", reason=reason, **fields)
    return made


def stop(last_assistant_message: str = "done", **fields: Any) -> Stop:
    """Claude finished a turn."""
    made: Stop = event("Stop", last_assistant_message=last_assistant_message, **fields)
    return made


def notification(message: str = "Claude is waiting for your input", **fields: Any) -> Notification:
    """Claude Code shows a notification."""
    made: Notification = event("Notification", message=message, **fields)
    return made


# -- names -----------------------------------------------------------------------------------------------------------


@cache
def keys_of(event: str) -> dict[str, bool]:
    """Key → whether it is always present in payloads of this event; ValueError for an unknown event."""
    require(event, catalogue.list_events(), f"Claude Code has no event {event!r}", every=False)
    # The catalogue says "same as PreModelSwitch".
    return catalogue.payload_keys(event) | (
        catalogue.payload_keys("PreModelSwitch") if event == "PostModelSwitch" else {}
    )


def inputs_of(tool: str) -> tuple[str, ...] | None:
    """The keys of a tool's input; None if they are not known (MCP tools). ValueError for an unknown tool."""
    if mcp_parts(tool):
        return None
    known = _tool_keys()
    name = LEGACY_NAMES.get(tool, tool)
    if name in _TOOLS_WITHOUT_KEYS:
        return None
    require(name, known, f"Claude Code has no tool {tool!r}", every=False)
    return known[name]


@cache
def _tool_keys() -> dict[str, tuple[str, ...]]:
    """Tool → keys of its input, from the notes of the catalogue: `timeout? ms (…)`, `-A -B -C`."""
    found: dict[str, tuple[str, ...]] = {}
    for title, about in catalogue.load_protocol()["tools"].items():
        if isinstance(about, dict) and isinstance(about["in"], list):
            words = [note.split() if note[0] == "-" else note.split(maxsplit=1)[:1] for note in about["in"]]
            found[title.split(maxsplit=1)[0]] = tuple(word.rstrip("?") for group in words for word in group)
    return found | {"PowerShell": found["Bash"]}


def require(name: str, known: Iterable[str], problem: str, *, every: bool = True) -> None:
    """Raise ValueError with the closest known name, and with `every` all of them."""
    known = list(known)
    if name in known:
        return
    lower = {one.lower(): one for one in known}
    close = get_close_matches(name.lower(), lower, n=1)
    hint = f"; did you mean {lower[close[0]]}?" if close else ""
    raise ValueError(problem + hint + (f" It has {', '.join(known)}" if every else ""))
