"""The environment as a user hook reads it: `world.env("CI")`, `world.env["CI"]`, `"CI" in world.env`.

World.env → [Environment] → user hooks and tests
The hook process itself uses the plain function; the mapping is made for hooks that are not ours.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    T = TypeVar("T")


class Environment:
    """Environment variables by name. Called, it returns None for a variable that is not set."""

    __slots__ = ("_names", "_read")

    def __init__(self, read: Callable[[str], str | None], names: Iterable[bytes] | None = None) -> None:
        self._read = read
        self._names = names

    def __call__(self, name: str) -> str | None:
        return self._read(name)

    def __getitem__(self, name: str) -> str:
        value = self._read(name)
        if value is None:
            raise KeyError(name)
        return value

    def get(self, name: str, default: T | None = None) -> str | T | None:
        value = self._read(name)
        return default if value is None else value

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._read(name) is not None

    def __iter__(self) -> Iterator[str]:
        for name in self._names or ():
            text = name.decode("utf-8", "surrogateescape")
            if self._read(text) is not None:
                yield text

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True  # there is an environment, even if its names cannot be listed

    def keys(self) -> list[str]:
        return list(self)

    def items(self) -> list[tuple[str, str]]:
        return [(name, self[name]) for name in self]

    def values(self) -> list[str]:
        return [self[name] for name in self]
