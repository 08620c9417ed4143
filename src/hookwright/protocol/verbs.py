"""The less common decisions, in a separate module so that most hooks do not load them."""

from __future__ import annotations

from hookwright.protocol.decisions import Decision

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


def replace_output(output: Any) -> Decision:
    """Replace what Claude sees of a tool's result; must have the shape of that tool's result."""
    return Decision(fields={"updatedToolOutput": output})


def set_title(title: str) -> Decision:
    """Name the session."""
    return Decision(fields={"sessionTitle": title})


def watch(*paths: str) -> Decision:
    """Ask for FileChanged events of these absolute paths."""
    return Decision(fields={"watchPaths": list(paths)})


def display(text: str) -> Decision:
    """Show this text instead of Claude's own."""
    return Decision(fields={"displayContent": text})


def retry() -> Decision:
    """Let Claude retry a call that auto mode denied."""
    return Decision(fields={"retry": True})


def answer_elicitation(action: str, content: Mapping[str, Any] | None = None) -> Decision:
    """Answer an MCP server's question: accept, decline or cancel."""
    fields: dict[str, Any] = {"action": action}
    if content is not None:
        fields["content"] = content
    return Decision(fields=fields)


def emit_terminal_sequence(sequence: str) -> Decision:
    """Send an escape sequence (title, notification, bell) to the user's terminal."""
    return Decision(fields={"terminalSequence": sequence})
