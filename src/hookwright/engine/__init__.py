"""Claude Code's hook engine, re-created: runs any settings' handlers and merges their answers as the client does."""

from __future__ import annotations

from hookwright.engine.engine import Engine
from hookwright.engine.select import Choice
from hookwright.engine.types import Around, Handler, Outcome, Raw, Trace

__all__ = ["Around", "Choice", "Engine", "Handler", "Outcome", "Raw", "Trace"]
