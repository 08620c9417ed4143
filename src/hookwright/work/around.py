"""What the work needs of a hook's world; the hooks' own `World` has it all. For the type checker's eyes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable


class World(Protocol):
    """Clock, folders, environment, and the place for facts worth recording."""

    env: Callable[[str], str | None]
    now: float
    home: str | None
    state: str | None
    cache: str | None
    project: str
    facts: dict[str, Any]
