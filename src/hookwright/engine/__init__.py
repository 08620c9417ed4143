"""Claude Code's hook engine, reimplemented: run the handlers of any settings and merge their answers."""

from __future__ import annotations

from hookwright.engine.engine import Engine
from hookwright.engine.select import Choice
from hookwright.engine.types import Handler, Outcome, RawResult, RunContext, Trace

__all__ = ["Choice", "Engine", "Handler", "Outcome", "RawResult", "RunContext", "Trace"]
