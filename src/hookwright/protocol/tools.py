"""Typed views of tool inputs and tool responses: `Bash(event.tool_input).command`.

The raw object stays in `.raw`. Not for hooks that decide on every call: they read the mapping itself, which is cheaper.
Written by hand, since protocol.json names the keys but not their types; tests/protocol/test_tools.py compares the two.
"""

from __future__ import annotations

from hookwright.protocol.json_view import Window, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

QUESTION_TOOL = "AskUserQuestion"
LEGACY_NAMES = {"Task": "Agent"}  # a matcher written for the old name still matches


class Bash(Window):
    __slots__ = ()
    command: str = field("")
    timeout: int | None = field()  # milliseconds
    description: str | None = field()
    run_in_background: bool | None = field()
    dangerouslyDisableSandbox: bool | None = field()  # noqa: N815  Claude's own name


class BashResponse(Window):
    """There is no exit code: a command that fails comes as PostToolUseFailure."""

    __slots__ = ()
    stdout: str = field("")
    stderr: str = field("")
    interrupted: bool = field(default=False)
    isImage: bool = field(default=False)  # noqa: N815
    noOutputExpected: bool = field(default=False)  # noqa: N815
    backgroundTaskId: str | None = field()  # noqa: N815
    backgroundedByUser: bool | None = field()  # noqa: N815
    timedOutAfterMs: float | None = field()  # noqa: N815
    backgroundEndsWithFinalResponse: bool | None = field()  # noqa: N815
    returnCodeInterpretation: str | None = field()  # noqa: N815
    rawOutputPath: str | None = field()  # noqa: N815
    persistedOutputPath: str | None = field()  # noqa: N815
    persistedOutputSize: int | None = field()  # noqa: N815
    dangerouslyDisableSandbox: bool | None = field()  # noqa: N815
    gitOperation: Any = field()  # noqa: N815


class Read(Window):
    __slots__ = ()
    file_path: str = field("")
    offset: int | None = field()
    limit: int | None = field()
    pages: str | None = field()
    allow_large: bool | None = field()


class Write(Window):
    __slots__ = ()
    file_path: str = field("")
    content: str = field("")


class Edit(Window):
    __slots__ = ()
    file_path: str = field("")
    old_string: str = field("")
    new_string: str = field("")
    replace_all: bool = field(default=False)


class FileResponse(Window):
    """The response of Write and Edit; `filePath` is as the model wrote it, perhaps relative."""

    __slots__ = ()
    type: str | None = field()
    filePath: str = field("")  # noqa: N815
    content: str | None = field()
    originalFile: str | None = field()  # noqa: N815
    structuredPatch: Sequence[Mapping[str, Any]] = field(())  # noqa: N815
    userModified: bool | None = field()  # noqa: N815
    oldString: str | None = field()  # noqa: N815
    newString: str | None = field()  # noqa: N815
    replaceAll: bool | None = field()  # noqa: N815


class NotebookEdit(Window):
    __slots__ = ()
    notebook_path: str = field("")
    cell_id: str | None = field()
    new_source: str = field("")
    cell_type: str | None = field()
    edit_mode: str | None = field()


class Glob(Window):
    __slots__ = ()
    pattern: str = field("")
    path: str | None = field()


class Grep(Window):
    __slots__ = ()
    pattern: str = field("")
    path: str | None = field()
    glob: str | None = field()
    output_mode: str | None = field()
    context: int | None = field()
    type: str | None = field()
    head_limit: int | None = field()
    offset: int | None = field()
    multiline: bool | None = field()


class WebFetch(Window):
    __slots__ = ()
    url: str = field("")
    prompt: str = field("")
    offset: int | None = field()


class WebSearch(Window):
    __slots__ = ()
    query: str = field("")
    allowed_domains: Sequence[str] | None = field()
    blocked_domains: Sequence[str] | None = field()


class Agent(Window):
    __slots__ = ()
    description: str = field("")
    prompt: str = field("")
    subagent_type: str | None = field()
    model: str | None = field()
    effort: Any = field()
    run_in_background: bool | None = field()
    name: str | None = field()
    team_name: str | None = field()
    mode: str | None = field()
    isolation: str | None = field()


class Skill(Window):
    __slots__ = ()
    skill: str = field("")
    args: str | None = field()


class AskUserQuestion(Window):
    __slots__ = ()
    questions: Sequence[Mapping[str, Any]] = field(())
    answers: Mapping[str, Any] | None = field()
    annotations: Mapping[str, Any] | None = field()


class ExitPlanMode(Window):
    __slots__ = ()
    plan: str = field("")
    planFilePath: str | None = field()  # noqa: N815


class TodoWrite(Window):
    __slots__ = ()
    todos: Sequence[Mapping[str, Any]] = field(())


class TaskCreate(Window):
    __slots__ = ()
    subject: str = field("")
    description: str = field("")


class TaskUpdate(Window):
    __slots__ = ()
    taskId: str = field("")  # noqa: N815
    status: str | None = field()


class ToolSearch(Window):
    __slots__ = ()
    query: str = field("")
    max_results: int | None = field()


INPUTS: dict[str, type[Window]] = {
    "Bash": Bash,
    "PowerShell": Bash,
    "Read": Read,
    "Write": Write,
    "Edit": Edit,
    "NotebookEdit": NotebookEdit,
    "Glob": Glob,
    "Grep": Grep,
    "WebFetch": WebFetch,
    "WebSearch": WebSearch,
    "Agent": Agent,
    "Task": Agent,
    "Skill": Skill,
    "AskUserQuestion": AskUserQuestion,
    "ExitPlanMode": ExitPlanMode,
    "TodoWrite": TodoWrite,
    "TaskCreate": TaskCreate,
    "TaskUpdate": TaskUpdate,
    "ToolSearch": ToolSearch,
}
RESPONSES: dict[str, type[Window]] = {"Bash": BashResponse, "Write": FileResponse, "Edit": FileResponse}


def input_of(tool_name: str, tool_input: Mapping[str, Any]) -> Window:
    """The typed view of a tool's input; an unknown tool or an MCP tool gets a plain one."""
    return INPUTS.get(base_name(tool_name), Window)(tool_input)


def response_of(tool_name: str, tool_response: Mapping[str, Any]) -> Window:
    return RESPONSES.get(base_name(tool_name), Window)(tool_response)


def mcp_parts(tool_name: str) -> tuple[str, str] | None:
    """Server and tool of `mcp__server__tool`; None for a built-in tool."""
    if not tool_name.startswith("mcp__"):
        return None
    server, separator, tool = tool_name[5:].partition("__")
    return (server, tool) if separator else None


def base_name(tool_name: str) -> str:
    """The name without its MCP server: some hosts route AskUserQuestion through their own server."""
    parts = mcp_parts(tool_name)
    return parts[1] if parts else tool_name
