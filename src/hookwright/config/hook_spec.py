"""A hook as its class declares it: everything that the plan, the docs and the installer need without running it.

class → [build_hook_spec] → HookSpec
Cold: runs when a plan is compiled.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from hookwright.options import Option
from hookwright.protocol.listening import read_listening


class DeclaredHook(Protocol):
    """The attributes of a hook class that are read here; this layer cannot import `hooks.base.Hook`."""

    on: tuple[Any, ...]
    section: str
    failure: str
    order: int
    deadline_s: float
    longest_s: Mapping[str, float]
    status: Mapping[str, str]
    needs: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class UserHook:
    """The additional facts of a user hook: where its code is and how to run it."""

    code: bytes = b""  # of a file, compiled
    helpers: Mapping[str, tuple[str, bytes]] = field(default_factory=dict)  # name → file and code of `_name.py`
    module: str = ""  # of a package
    paths: tuple[str, ...] = ()  # where its libraries are
    command: Mapping[str, Any] | None = None
    place: str = "user"  # user, package, project or command


@dataclass(frozen=True)
class HookSpec:
    """A hook as its class declares it."""

    name: str
    section: str
    failure: str
    deadline_s: float
    on: dict[str, tuple[str, ...]]  # event → tools, () for all
    options: dict[str, Option]
    doc: str
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # tool → modules to preload
    file: str = ""  # of a user hook
    class_name: str = ""
    longest_s: dict[str, float] = field(default_factory=dict)
    status: dict[str, str] = field(default_factory=dict)
    order: int = 0
    user_hook: UserHook | None = None


def build_hook_spec(name: str, hook: type[DeclaredHook], file: str = "", user_hook: UserHook | None = None) -> HookSpec:
    """Read the declaration of a hook class."""
    return HookSpec(
        name=name,
        section=hook.section or name,
        failure=hook.failure,
        deadline_s=hook.deadline_s,
        on=read_listening(hook.on),
        options=dict(options_of(hook)),
        doc=(hook.__doc__ or "").strip(),
        needs=hook.needs,
        file=file,
        class_name=hook.__name__ if user_hook is None or not user_hook.module else hook.__qualname__,
        longest_s=dict(hook.longest_s),
        status=dict(hook.status),
        order=hook.order,
        user_hook=user_hook,
    )


def is_hook(value: object) -> bool:
    """True for a class with events to listen to and a `decide` method."""
    return isinstance(value, type) and bool(getattr(value, "on", ())) and callable(getattr(value, "decide", None))


def snake_case(name: str) -> str:
    """The name of a hook, from the name of its class or function."""
    return "".join(
        f"_{letter.lower()}" if letter.isupper() and place else letter.lower() for place, letter in enumerate(name)
    )


def options_of(hook: type) -> Iterator[tuple[str, Option]]:
    found: dict[str, Option] = {}
    for owner in reversed(hook.__mro__):
        found.update({name: value for name, value in vars(owner).items() if isinstance(value, Option)})
    yield from found.items()
