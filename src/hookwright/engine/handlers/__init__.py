"""The five handler types by name; a module is loaded when a handler of its type runs.

engine → [load] → handlers/<type>.run(handler, payload, around) → Raw
Each module has one entrance, `run`, which never raises for what a handler does and never waits beyond its deadline.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from importlib import import_module

from hookwright.engine.types import Around, Handler, Payload, Raw

Run = Callable[[Handler, Payload, Around], Awaitable[Raw]]
MODULES = {
    "command": "hookwright.engine.handlers.command",
    "http": "hookwright.engine.handlers.http",
    "prompt": "hookwright.engine.handlers.prompt",
    "agent": "hookwright.engine.handlers.agent",
    "mcp_tool": "hookwright.engine.handlers.mcp_tool",
}
# Loaded with the handler's module: an import takes longer than most hooks, and stops the clock of all that run.
LIBRARIES = {
    "http": ("httpx",),
    "prompt": ("anthropic", "anthropic.resources.messages"),
    "agent": ("anthropic", "anthropic.resources.messages"),
    "mcp_tool": ("mcp",),
}


def load(kind: str) -> Run:
    """A type's entrance. To be called for every type before the first handler starts."""
    with suppress(ImportError):  # the handler says so in its own words
        for library in LIBRARIES.get(kind, ()):
            import_module(library)
    run: Run = import_module(MODULES[kind]).run
    return run
