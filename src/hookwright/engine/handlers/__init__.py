"""The five handler types by name; a module is loaded when a handler of its type runs.

engine → [load] → handlers/<type>.run(handler, payload, around) → Raw
Each module has one entrance, `run`, which never raises for what a handler does and never waits beyond its deadline.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
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
LIBRARIES = {
    "http": ("httpx",),
    "prompt": ("anthropic", "anthropic.resources.messages"),
    "agent": ("anthropic", "anthropic.resources.messages"),
    "mcp_tool": ("mcp",),
}
KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def load(kind: str) -> Run:
    run: Run = import_module(MODULES[kind]).run
    return run


def prepare(kind: str, env: Mapping[str, str]) -> None:
    """Load what a type needs before any clock runs: an import takes longer than most hooks, and holds all up."""
    load(kind)
    if kind in ("prompt", "agent") and not any(env.get(key) for key in KEYS):
        return  # nobody will be asked
    with suppress(ImportError):  # the handler says so in its own words
        for library in LIBRARIES.get(kind, ()):
            import_module(library)
