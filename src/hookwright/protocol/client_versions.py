"""What each version of Claude Code does with hooks: events since, fields since. The data is in `protocol.json`.

version, or None if nobody knows it → [knows_event | has | …] → what to register there, what to say of it
An unknown version counts as the newest. Not used by the hook process.
"""

from __future__ import annotations

import re

from hookwright.protocol.catalogue import load_protocol

Version = tuple[int, int, int]

_VERSION = re.compile(r"(?<![\d.])(\d{1,5})\.(\d{1,5})\.(\d{1,5})(?![\d.])")

# What a client may lack; the keys of `client_versions` in protocol.json.
UNKNOWN_EVENT_IGNORED = "unknown_event_ignored"  # before, one unknown event makes it skip the whole settings file
EXEC_FORM = "exec_form"  # before, `args` are ignored, and `command` is shell text
ON_FAILURE = "on_failure"
MODS = "mods"
MANAGED_FIRST = "managed_first"  # before, managed handlers run beside the others
DENIAL_WORDS = "denial_words"  # before, a deny without a reason has other words
FIRST_ASK = "first_ask"  # before, the last of two asks gives the reason
JOINED_CONTEXT = "joined_context"  # before, each context before a tool is told by itself
COERCED_REWRITE = "coerced_rewrite"  # before, a rewrite is taken as it is


def parse_version(text: str) -> Version | None:
    """The version in `2.1.112 (Claude Code)` or `2.1.112`; None if there is none."""
    found = _VERSION.search(text)
    return (int(found[1]), int(found[2]), int(found[3])) if found else None


def format_version(version: Version) -> str:
    return ".".join(map(str, version))


def least_version() -> Version:
    """The oldest version that hookwright supports: the tests play sessions through it."""
    return _required(load_protocol()["client_versions"]["least"])


def newest_version() -> Version:
    """The version that protocol.json describes."""
    return _required(load_protocol()["claude_code"])


def since(feature: str) -> Version:
    return _required(load_protocol()["client_versions"][feature])


def has(version: Version | None, feature: str) -> bool:
    return version is None or version >= since(feature)


def event_since(event: str) -> Version | None:
    """The first version that knows this event; None for a word that is no event."""
    known = load_protocol()["events"].get(event)
    return _required(known["since"]) if known else None


def knows_event(version: Version | None, event: str) -> bool:
    first = event_since(event)
    return first is not None and (version is None or version >= first)


def _required(text: str) -> Version:
    version = parse_version(text)
    assert version is not None, text
    return version
