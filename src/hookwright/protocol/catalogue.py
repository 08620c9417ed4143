"""What is known of Claude Code's protocol, as data: `protocol.json`, read once. Cold."""

from __future__ import annotations

import json
import os
from functools import cache
from typing import Any


@cache
def protocol() -> dict[str, Any]:
    """The whole catalogue: events, handlers, semantics, environment, settings, tools."""
    with open(os.path.join(os.path.dirname(__file__), "protocol.json"), encoding="utf-8") as file:
        loaded: dict[str, Any] = json.load(file)
    return loaded


def keys_of(event: str) -> dict[str, bool]:
    """The keys of an event's payload, and whether each is always there."""
    known = protocol()
    return dict(_key(text) for text in (*known["base_stdin"], *known["events"][event]["stdin_extra"]) if _is_key(text))


def _is_key(text: str) -> bool:
    return not text.startswith(("(", "same as"))


def _key(text: str) -> tuple[str, bool]:
    name = text.split(":", maxsplit=1)[0].split(" ", maxsplit=1)[0]
    return name.rstrip("?"), not name.endswith("?")


def events() -> tuple[str, ...]:
    """Every event, in the order in which the catalogue tells them."""
    return tuple(protocol()["events"])


def is_about_tools(event: str) -> bool:
    """Does a matcher of this event look at the tool's name?"""
    return bool(protocol()["events"][event]["matcher_field"] == "tool_name")
