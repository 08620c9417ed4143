"""What is wrong with a settings file, where, and what to try. Every check speaks in these."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Effect(Enum):
    """What the client does about it."""

    FILE = "the whole file is skipped"
    HOOKS = "all hooks of the file are skipped"
    ENTRY = "this entry is skipped"
    NOTE = "the client keeps it"


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    what: str
    where: str  # file:line
    fix: str
    effect: Effect = Effect.NOTE

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "what": self.what, "where": self.where, "try": self.fix}
