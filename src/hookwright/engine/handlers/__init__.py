"""The five handler types by name; a module is loaded when a handler of its type runs.

engine → [load] → handlers/<type>.run(handler, payload, around) → Raw
Each module has one entrance, `run`, which never raises for what a handler does and never waits beyond its deadline.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
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


def load(kind: str) -> Run:
    run: Run = import_module(MODULES[kind]).run
    return run
