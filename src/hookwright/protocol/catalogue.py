"""Read `protocol.json`, everything that is known of Claude Code's protocol. Not used by the hook process."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any


@cache
def load_protocol() -> dict[str, Any]:
    """The whole catalogue: events, handlers, semantics, environment, settings, tools."""
    with open(os.path.join(os.path.dirname(__file__), "protocol.json"), encoding="utf-8") as file:
        loaded: dict[str, Any] = json.load(file)
    return loaded


def payload_keys(event: str) -> dict[str, bool]:
    """The keys of an event's payload, and whether each is always present."""
    known = load_protocol()
    return dict(
        _parse_key(text) for text in (*known["base_stdin"], *known["events"][event]["stdin_extra"]) if _is_key(text)
    )


def _is_key(text: str) -> bool:
    return not text.startswith(("(", "same as"))


def _parse_key(text: str) -> tuple[str, bool]:
    name = text.split(":", maxsplit=1)[0].split(" ", maxsplit=1)[0]
    return name.rstrip("?"), not name.endswith("?")


def list_events() -> tuple[str, ...]:
    """Every event, in the order of protocol.json."""
    return tuple(load_protocol()["events"])


def is_about_tools(event: str) -> bool:
    """True if a matcher of this event is compared with the tool's name."""
    return bool(load_protocol()["events"][event]["matcher_field"] == "tool_name")


@cache
def tool_input_keys(tools: tuple[str, ...] | None) -> frozenset[str]:
    """The keys of these tools' inputs, of all for None; empty if the keys of one of them are not known."""
    table = {name.split(" ")[0]: about for name, about in load_protocol()["tools"].items()}
    table = {**table, "Task": table["Agent"], "MultiEdit": table["Edit"], "Monitor": table["Bash"]}
    found: set[str] = set()
    for tool in table if tools is None else tools:
        about = table.get(tool)
        written = about.get("in") if isinstance(about, dict) else None
        if written == "as Bash":
            written = table["Bash"]["in"]
        if isinstance(written, list):
            found |= {word.split(" ")[0].rstrip("?") for word in written}
        elif tools is not None:
            return frozenset()
    return frozenset(found)
