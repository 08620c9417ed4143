"""What every hook is: what it listens to, which options it has, and one question: decide.

plan → [Hook(world, options)] → decide(event) → Decision | None
A hook reads clock, environment and folders from its world only, so that the tests, the simulator
and the door run the very same code.
"""

from __future__ import annotations

from hookwright.options import MODES, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from hookwright.protocol.decisions import Decision


# What AGENT_OS_HOOKS_QUIET says to a hook's `mode`.
QUIET = {"1": "off", "true": "off", "yes": "off", "on": "off"}


# A hook used up its time: the interpreter's own word for an interruption from outside. Not an Exception, since a hook's
# own `except Exception` must not swallow it; not a class of ours, since making one costs every start five microseconds.
Overrun = KeyboardInterrupt


def describe(error: BaseException) -> str:  # rare
    """What went wrong in a hook, in words."""
    if isinstance(error, Overrun):
        return "it took too long"
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _nothing(name: str) -> str | None:
    return None


def _no_alarm(seconds: float) -> None:
    return None


class World:
    """What is around a hook: environment, clock, folders, and a place for facts worth recording."""

    __slots__ = ("alarm", "alone", "cache", "env", "facts", "home", "names", "now", "only", "project", "said", "state")

    def __init__(
        self,
        env: Callable[[str], str | None] = _nothing,
        *,
        now: float = 0.0,
        home: str | None = None,
        state: str | None = None,
        cache: str | None = None,
        project: str = "",
        alarm: Callable[[float], None] = _no_alarm,
        names: Iterable[bytes] | None = None,
    ) -> None:
        self.env = env
        self.names = names  # of all variables, if they can be listed: spares asking for each
        self.now = now  # seconds since the epoch, when the event came
        self.home = home
        self.state = state
        self.cache = cache
        self.project = project  # the folder that Claude Code was started in
        self.only: tuple[str, ...] = ()  # hooks that this entry was installed for; none: all
        self.alarm = alarm  # raises Overrun after so many seconds; 0 disarms
        self.alone = False  # this process is here for one event and ends with it
        self.facts: dict[str, Any] = {}  # keys of the journal record
        self.said: list[tuple[str, Decision]] = []  # what the hooks before this one decided: (name, decision)


def hook(  # rare
    *on: Any, failure: str = "open", deadline_s: float = 5.0, section: str = "", order: int = 0
) -> Callable[[Any], type[Hook]]:
    """Make a hook of a function: `@hook(PreToolUse, "Bash")` above `def guard(event): …`."""

    def made(function: Any) -> type[Hook]:
        body = {
            "on": on,
            "failure": failure,
            "deadline_s": deadline_s,
            "section": section,
            "order": order,
            "decide": lambda self, event: function(event),  # noqa: ARG005  a method by position
            "__module__": function.__module__,
            "__doc__": function.__doc__,
        }
        return type(function.__name__, (Hook,), body)

    return made


def is_headless(env: Callable[[str], str | None]) -> bool:
    """A run without a person: `claude -p` and SDK hosts that do not say they are attended."""
    attended = env("CLAUDE_CODE_SESSION_ATTENDED")
    if attended is not None:
        return attended in ("0", "false")
    return (env("CLAUDE_CODE_ENTRYPOINT") or "").startswith("sdk")


class Hook:
    """Base of all hooks.

    `on` is one listening or a tuple of them: an event class, then the tools it cares for (none: all);
    a tool name may hold one `*`. `failure` says what the hook's own failure means: open, ask or closed.
    """

    on: tuple[Any, ...] = ()
    section = ""  # its name in the configuration files
    failure = "open"
    order = 0  # among the hooks that users write: lower decides earlier
    deadline_s = 5.0  # seconds that it may take; ours, with longer work, set an alarm of their own
    longest_s: Mapping[str, float] = {}  # event → seconds that its longer work may take at most
    status: Mapping[str, str] = {}  # event → what the client shows while the user's own commands run (`statusMessage`)
    needs: Mapping[str, tuple[str, ...]] = {}  # tool → modules that it always comes to; the bundle brings them along
    mode: str = option(
        "on",
        choices=MODES,
        tighter=("off", "shadow", "on"),
        help="on, off, or shadow: decides and records, but answers nothing.",
    )

    debug: bool = option(False, env={"AGENT_OS_DEBUG": None}, help="Say the reason on stderr.")

    def __init__(self, world: World | None = None, **options: Any) -> None:
        self.world = world or World()
        self.__dict__.update(options)

    def decide(self, event: Any) -> Decision | None:
        """This hook's opinion on the event; None is no opinion."""
        raise NotImplementedError

    def aside(self, text: str) -> None:
        """Say why on stderr, for a person who looks for the reason (`debug`)."""
        if self.debug:
            import sys  # noqa: PLC0415  builtin; most hooks never come here

            sys.stderr.write(f"hookwright {type(self).__name__}: {text}\n")
            sys.stderr.flush()
