"""A typed window on a JSON object: the raw object stays whole, reading is an attribute.

Types cost nothing at start, unknown keys survive in `raw`, and a key that the client
used to send under another name is still found.
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

    def __get__(self, window: Any, owner: type | None = None) -> Any:
        if window is None:
            return self
        value = window.raw.get(self.name, _MISSING)
        if value is not _MISSING:
            return value
        for path in self.older:
            value = dig(window.raw, path)
            if value is not None:
                return value
        return self.default


def field(default: Any = None, *, older: tuple[str, ...] = ()) -> Any:
    """A key of the payload; `older` lists the dotted paths where former clients kept it."""
    return _Field(default, older)


def dig(raw: Mapping[str, Any], path: str) -> Any:  # rare
    """The value at a dotted path, or None."""
    value: Any = raw
    for key in path.split("."):
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


class Window:
    """Base of events and tool inputs: one slot, the raw object."""

    __slots__ = ("raw",)

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw

    def __repr__(self) -> str:
        return f"{type(self).__name__}({dict(self.raw)!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Window) and type(self) is type(other) and self.raw == other.raw

    __hash__ = None  # type: ignore[assignment]

    def replace(self, **changes: Any) -> Self:
        """The same window over a copy of the payload with these keys changed."""
        return type(self)({**self.raw, **changes})
