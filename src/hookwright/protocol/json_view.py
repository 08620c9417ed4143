"""Typed attribute access to a JSON object, without copying or converting it.

payload → [Window with fields] → event.tool_name
Declaring types costs nothing at start-up, unknown keys stay readable in `raw`, and a key that former clients sent
under another name is still found.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Self

_MISSING = object()


class _Field:
    __slots__ = ("default", "name", "older")

    def __init__(self, default: Any, older: tuple[str, ...]) -> None:
        self.default = default
        self.older = older

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, view: Any, owner: type | None = None) -> Any:
        if view is None:
            return self
        value = view.raw.get(self.name, _MISSING)
        if value is not _MISSING:
            return value
        for path in self.older:
            value = read_path(view.raw, path)
            if value is not None:
                return value
        return self.default


def field(default: Any = None, *, older: tuple[str, ...] = ()) -> Any:
    """A key of the object; `older` lists the dotted paths under which former clients sent it."""
    return _Field(default, older)


def read_path(raw: Mapping[str, Any], path: str) -> Any:
    """The value at a dotted path, or None."""
    value: Any = raw
    for key in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


class Window:
    """Base of events and tool views: one slot, the raw object."""

    __slots__ = ("raw",)

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.raw)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Window) and type(self) is type(other) and self.raw == other.raw

    __hash__ = None  # type: ignore[assignment]

    def replace(self, **changes: Any) -> Self:
        """A view of the same class over a copy of the object with these keys changed."""
        return type(self)({**self.raw, **changes})
