"""A handler that hookwright wants registered: what `runtime/registration.py` asks for and `edit.py` writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class DesiredEntry:
    """A handler that should be registered, in its own matcher group."""

    event: str
    matcher: str | None
    handler: Mapping[str, Any]

    @property
    def group(self) -> dict[str, Any]:
        hooks = [dict(self.handler)]
        return {"hooks": hooks} if self.matcher is None else {"matcher": self.matcher, "hooks": hooks}
