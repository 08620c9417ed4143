"""The common form of every finding: what is wrong, where, and what to try. Made by all checks, shown by `verify`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Effect(Enum):
    """How the client reacts."""

    FILE = "the whole file is skipped"
    HOOKS = "all hooks of the file are skipped"
    ENTRY = "this entry is skipped"
    NOTE = "the client keeps it"
    CHOSEN = "the user has chosen it"


@dataclass(frozen=True, slots=True)
class Finding:
    code: str
    what: str
    where: str  # file:line
    fix: str
    effect: Effect = Effect.NOTE

    def as_json(self) -> dict[str, str]:
        return {"code": self.code, "what": self.what, "where": self.where, "try": self.fix}
