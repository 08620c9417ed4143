"""The five handler types by name; a module is imported when a handler of its type runs.

handler_run → [load_runner] → handlers/<type>.run(handler, payload, context) → RawResult
Each module has one entry point, `run`. It never raises for anything that a handler does, and never exceeds its timeout.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from importlib import import_module

from hookwright.engine.types import Handler, Payload, RawResult, RunContext

RunFunction = Callable[[Handler, Payload, RunContext], Awaitable[RawResult]]
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
API_KEYS = ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN")


def load_runner(kind: str) -> RunFunction:
    run: RunFunction = import_module(MODULES[kind]).run
    return run


def preload_modules(kind: str, env: Mapping[str, str]) -> None:
    """Import what a type needs before timeouts start: an import takes longer than most hooks, and blocks the loop."""
    load_runner(kind)
    if kind in ("prompt", "agent") and not any(env.get(key) for key in API_KEYS):
        return  # no model will be asked
    with suppress(ImportError):  # the handler reports it
        for library in LIBRARIES.get(kind, ()):
            import_module(library)
