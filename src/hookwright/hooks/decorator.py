"""`@hook(PreToolUse, "Bash")`: make a hook of a function.

function → [hook] → a class that the plan can name, and that still is called like the function: `guard(event)`
A declaration that could never fire raises BadDeclaration where it stands (protocol/listening.py).
"""

from __future__ import annotations

from hookwright.hooks.base import Hook, World
from hookwright.protocol.listening import read_listening

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, Literal, Protocol, TypeVar, overload

    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

    E_contra = TypeVar("E_contra", bound=Event, contravariant=True)
    E = TypeVar("E", bound=Event)
    Failure = Literal["open", "ask", "closed"]

    class DecoratedHook(Protocol[E_contra]):
        """A function with `@hook` above it: called with an event it returns its decision."""

        __name__: str
        on: tuple[Any, ...]
        failure: str
        order: int
        section: str
        deadline_s: float

        def __call__(self, event: E_contra, /) -> Decision | None: ...

    class Decorator(Protocol[E]):
        def __call__(self, function: Callable[[E], Decision | None], /) -> DecoratedHook[E]: ...

    class AnyDecorator(Protocol):
        def __call__(self, function: Callable[[E], Decision | None], /) -> DecoratedHook[E]: ...

    @overload
    def hook(
        event: type[E],
        /,
        *tools: str,
        failure: Failure = "open",
        deadline_s: float = 5.0,
        section: str = "",
        order: int = 0,
    ) -> Decorator[E]: ...
    @overload
    def hook(function: Callable[[E], Decision | None], /) -> DecoratedHook[E]: ...
    @overload
    def hook(
        on: str | tuple[type[Event] | str, ...],
        /,
        *more: type[Event] | str | tuple[type[Event] | str, ...],
        failure: Failure = "open",
        deadline_s: float = 5.0,
        section: str = "",
        order: int = 0,
    ) -> AnyDecorator: ...
    @overload
    def hook(
        *, failure: Failure = "open", deadline_s: float = 5.0, section: str = "", order: int = 0
    ) -> AnyDecorator: ...
    def hook(*on: Any, **options: Any) -> Any:
        """Make a hook of a function: `@hook(PreToolUse, "Bash")` above `def guard(event): …`."""

else:

    def hook(
        *on: Any, failure: str = "open", deadline_s: float = 5.0, section: str = "", order: int = 0
    ) -> Callable[[Any], Any]:
        """Make a hook of a function: `@hook(PreToolUse, "Bash")` above `def guard(event): …`.

        The event is a class or its name; tools follow, none: all. Several: `@hook((PreToolUse, "Bash"), (Stop,))`.
        Without an event (`@hook` alone) it is that of the annotation: `def guard(event: PreToolUse)`.
        `failure`: what an error or a timeout of the hook means: "open" (nothing), "ask" or "closed" (deny).
        `deadline_s`: its timeout. `order`: lower decides earlier. `section`: its table in config.toml.
        """
        if len(on) == 1 and _is_function(on[0]):
            return _build_class(on[0], _read_annotation(on[0]), {})
        if failure not in ("open", "ask", "closed"):
            raise _refuse(f'failure is "open", "ask" or "closed", not {failure!r}')
        if isinstance(deadline_s, bool) or not isinstance(deadline_s, (int, float)) or not deadline_s > 0:
            raise _refuse(f"deadline_s is a number of seconds above 0, not {deadline_s!r}")
        if isinstance(order, bool) or not isinstance(order, int):
            raise _refuse(f"order is a whole number, not {order!r}")
        if on:
            read_listening(on)  # raises where the author's line is in the traceback
        options = {"failure": failure, "deadline_s": deadline_s, "section": section, "order": order}

        def decorate(function: Any) -> Any:
            if not _is_function(function):
                raise _refuse(f"@hook makes a hook of a function, not of {type(function).__name__}")
            return _build_class(function, on or _read_annotation(function), options)

        return decorate


def _refuse(what: str) -> Exception:
    from hookwright.protocol.declaration_errors import BadDeclaration  # noqa: PLC0415  only if it is wrong

    return BadDeclaration(what)


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, type)


def _build_class(function: Any, on: Any, options: dict[str, Any]) -> Any:
    code = getattr(function, "__code__", None)
    if code is not None and code.co_flags & 0x80:  # async def
        raise _refuse(f"{function.__name__} is async; a hook is an ordinary function that returns its decision")

    def new(cls: type[Hook], world: Any = None, **given: Any) -> Any:
        """An instance for the dispatcher; or, called with an event, the function's own decision."""
        if world is None or isinstance(world, World):
            return object.__new__(cls)
        from hookwright.protocol.events.base import Event  # noqa: PLC0415  only in the author's own tests

        if given or not isinstance(world, Event):
            name = type(world).__name__
            raise TypeError(
                f"{function.__name__} takes an event, such as bash('ls') of hookwright.testing.builders, not {name}"
            )
        return function(world)

    body = {
        **options,
        "on": on,
        "decide": lambda self, event: function(event),  # noqa: ARG005  becomes a method
        "__new__": new,
        "__wrapped__": staticmethod(function),
        "__module__": function.__module__,
        "__qualname__": function.__qualname__,
        "__doc__": function.__doc__,
    }
    return type(function.__name__, (Hook,), body)


def _read_annotation(function: Any) -> tuple[Any, ...]:
    """The events that a function's first parameter is annotated with."""
    from hookwright.protocol.events import FAMILY  # noqa: PLC0415  loaded anyway

    name = function.__name__
    told = [value for key, value in getattr(function, "__annotations__", {}).items() if key != "return"]
    if told:
        first = told[0]
        parts = first.split("|") if isinstance(first, str) else getattr(first, "__args__", None) or (first,)
        names = [part.strip(" '\"").rpartition(".")[2] if isinstance(part, str) else part.__name__ for part in parts]
        if all(one in FAMILY for one in names):
            return tuple((one,) for one in names)
    raise _refuse(
        f"{name} names no event: write @hook(PreToolUse), or annotate its parameter, def {name}(event: PreToolUse)"
    )
