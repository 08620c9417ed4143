"""What a call of a tool is about, in one line: for the journal, `log` and `why`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

MAX_CHARS = 300
# The arguments that say it, in this order; of other tools every short text.
KEYS = ("file_path", "notebook_path", "url", "query", "command", "pattern", "path", "glob", "subagent_type", "mode")


def describe_call(tool: str, given: Mapping[str, Any]) -> str:
    """The tool and the arguments that were judged, cut at MAX_CHARS."""
    if tool[:5] == "mcp__":
        parts = [f"{name}={value}" for name, value in given.items() if isinstance(value, str | int | float | bool)]
    else:
        parts = [str(given[name]) for name in KEYS if isinstance(given.get(name), str)]
    text = " ".join((tool, *parts)).replace("\n", " ")
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1] + "…"
