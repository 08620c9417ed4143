"""Starts a program as Claude Code starts a hook, for callers that wait: verify, the proofs of our own hooks.

argv, payload → [start] → Ended
The starting itself is the engine's (engine/process.py); nothing that the program started is left.
"""

from __future__ import annotations

from hookwright.engine.process import Ended, start_now as start

__all__ = ["Ended", "start"]
