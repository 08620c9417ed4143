"""Word what is wrong with the declaration of a hook: which event or tool was probably meant.

listening.py → [require_tool, refuse_tools] → BadDeclaration, or the name of a tool that is new to us
Loaded only if a declaration has a name that is not known. `settings/check_names.py` uses the same words for matchers.
"""

from __future__ import annotations

from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, NoReturn

from hookwright.protocol.events import FAMILY
from hookwright.protocol.events.base import Event
from hookwright.protocol.tool_names import TOOL_EVENTS, TOOLS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

# What people write for a tool, in other agents or in plain English → the tool.
OTHER_NAMES = {
    "shell": "Bash",
    "sh": "Bash",
    "terminal": "Bash",
    "exec": "Bash",
    "execute": "Bash",
    "command": "Bash",
    "create": "Write",
    "file": "Write",
    "str_replace": "Edit",
    "update": "Edit",
    "view": "Read",
    "search": "Grep",
    "find": "Glob",
    "fetch": "WebFetch",
    "subagent": "Agent",
    "todo": "TodoWrite",
    "question": "AskUserQuestion",
}


class BadDeclaration(TypeError):
    """A hook that could never run as it is declared; the text says what is wrong and what was probably meant."""


def require_tool(word: Any, group: Sequence[str]) -> str:
    """The tool that this word names. Before any event it should have been an event."""
    if isinstance(word, type) and issubclass(word, Event):
        raise BadDeclaration(f"{word.__name__} is no event that Claude Code sends{_suggest(word.__name__, FAMILY)}")
    if not isinstance(word, str):
        raise BadDeclaration(f"a hook listens to an event such as PreToolUse, not to {_show(word)}")
    if not group:
        if word in TOOLS:
            raise BadDeclaration(f'{word} is a tool: name the event first, @hook(PreToolUse, "{word}")')
        raise BadDeclaration(f"{word!r} is no event{_suggest(word, FAMILY)}")
    if not word.strip():
        raise BadDeclaration(f"an empty text is no tool; @hook({group[0]}) listens to all tools")
    meant = find_tool_meant(word)
    if meant:
        raise BadDeclaration(
            f'{word!r} is no tool of Claude Code, so the hook would never run; did you mean "{meant}"?'
        )
    event = find_event_meant(word)
    if event:
        raise BadDeclaration(f"{word!r} is no event; did you mean {event}?")
    if "|" in word or "," in word:
        tools = ", ".join(f'"{part.strip()}"' for part in word.replace(",", "|").split("|") if part.strip())
        raise BadDeclaration(f"{word!r} is no tool; write each by itself: @hook({group[0]}, {tools})")
    return word  # a tool that a newer client may have: `list_unknown_tools` reports it


def refuse_tools(event: str, tools: Iterable[str]) -> NoReturn:
    """The event has no tool, so that a hook with one would never run."""
    named = " and ".join(tools)
    about = ", ".join(sorted(TOOL_EVENTS))
    raise BadDeclaration(
        f"{event} is not about a tool, so a hook for {named} would never run; write @hook({event}), or one of {about}"
    )


def find_tool_meant(word: str) -> str:
    """The tool that this name is a misspelling of; "" if none is near."""
    lowered = {tool.lower(): tool for tool in sorted(TOOLS)}
    plain = word.lower().removesuffix("tool").replace("_", "").replace("-", "").replace(" ", "")
    for name in (word.lower(), plain):
        if name in lowered and lowered[name] != word:
            return lowered[name]
    if word.lower() in OTHER_NAMES:
        return OTHER_NAMES[word.lower()]
    close = get_close_matches(word.lower(), lowered, n=1, cutoff=0.75)
    return lowered[close[0]] if close and lowered[close[0]] != word else ""


def find_event_meant(word: str) -> str:
    """The event that this name is a misspelling of; "" if none is near."""
    lowered = {name.lower(): name for name in FAMILY}
    plain = word.lower().replace("_", "").replace("-", "").replace(" ", "")
    if plain in lowered:
        return lowered[plain]
    close = get_close_matches(plain, lowered, n=1, cutoff=0.75)
    return lowered[close[0]] if close else ""


def _suggest(word: str, known: Iterable[str]) -> str:
    meant = find_event_meant(word)
    return f"; did you mean {meant}?" if meant else f"; events are {', '.join(list(known)[:6])} …"


def _show(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:59] + "…"
