"""The base class of all hooks, and `World`: clock, environment and directories as a hook sees them.

plan → [Hook(world, options)] → decide(event) → Decision | None
A hook reads clock, environment and directories from its world only, so that tests, `explain` and the hook process run
the same code.
"""

from __future__ import annotations

import sys

from hookwright.options import mode_option, option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from hookwright.hooks.environment import Environment
    from hookwright.protocol.decisions import Decision


class Overrun(BaseException):
    """A hook exceeded its deadline. Not an Exception: a hook's own `except Exception` must not swallow it."""


def describe_error(error: BaseException) -> str:
    """What went wrong in a hook, as text for the journal and the user."""
    if isinstance(error, Overrun):
        return "it took too long"
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _empty_env(name: str) -> str | None:
    return None


def _no_alarm(seconds: float) -> None:
    return None


class World:
    """The surroundings of a hook: environment, clock, directories, and facts to be recorded in the journal."""

    __slots__ = (
        "alarm",
        "alone",
        "cache",
        "env",
        "facts",
        "home",
        "names",
        "notices",
        "now",
        "only",
        "project",
        "project_env",
        "said",
        "state",
    )

    def __init__(
        self,
        env: Callable[[str], str | None] | Mapping[str, str] = _empty_env,
        *,
        now: float = 0.0,
        home: str | None = None,
        state: str | None = None,
        cache: str | None = None,
        project: str = "",
        alarm: Callable[[float], None] = _no_alarm,
        names: Iterable[bytes] | None = None,
    ) -> None:
        if not callable(env):
            from hookwright.hooks.environment import Environment  # noqa: PLC0415  tests of authors

            names = [name.encode("utf-8", "surrogateescape") for name in env] if names is None else names
            env = Environment(env.get, names)
        given: Any = env  # for our own hooks a plain function, which is faster
        self.env: Environment = given
        self.names = names  # of all environment variables, if they can be listed
        self.now = now  # seconds since the epoch, when the event arrived
        self.home = home
        self.state = state
        self.cache = cache
        self.project = project  # the directory that Claude Code was started in
        self.project_env: Mapping[str, str] = {}  # variables of ours that the project's settings set; not in `env`
        self.notices: list[str] = []  # told to the user once each
        self.only: tuple[str, ...] = ()  # names of the hooks that may run; empty: all
        self.alarm = alarm  # raises Overrun after so many seconds; 0 disarms
        self.alone = False  # True in the hook process, which handles one event and ends
        self.facts: dict[str, Any] = {}  # keys of the journal record
        self.said: list[tuple[str, Decision]] = []  # what the hooks before this one decided: (name, decision)


def is_headless(env: Callable[[str], str | None]) -> bool:
    """True without a person at the screen: `claude -p`, and SDK hosts that do not say they are attended."""
    attended = env("CLAUDE_CODE_SESSION_ATTENDED")
    if attended is not None:
        return attended in ("0", "false")
    return (env("CLAUDE_CODE_ENTRYPOINT") or "").startswith("sdk")


class Hook:
    """Base of all hooks.

    `on` is an event class followed by tool names (none: all tools), or a tuple of such tuples; a tool name may contain
    one `*`. `failure` says what an error or timeout of the hook means: open (allow), ask, or closed (deny).
    """

    on: tuple[Any, ...] = ()
    section = ""  # its table in the configuration files; default: the hook's name
    failure = "open"
    order = 0  # among user hooks: lower runs earlier
    deadline_s = 5.0  # timeout in seconds; built-in hooks that run programs set their own alarm
    longest_s: Mapping[str, float] = {}  # event → timeout of the programs it runs there
    status: Mapping[str, str] = {}  # event → `statusMessage` that the client shows while the user's commands run
    needs: Mapping[str, tuple[str, ...]] = {}  # tool → modules to load together with this hook's own
    mode: str = mode_option()
    debug: bool = option(False, env={"AGENT_OS_DEBUG": None}, help="Say the reason on stderr.")

    def __init__(self, world: World | None = None, **options: Any) -> None:
        if world is not None and not isinstance(world, World):
            raise TypeError(f"{type(self).__name__}(world) takes a World, not {type(world).__name__}: .decide(event)")
        self.world = world or World()
        self.__dict__.update(options)

    def decide(self, event: Any) -> Decision | None:
        """This hook's decision on the event; None is no opinion."""
        raise NotImplementedError

    def log_debug(self, text: str) -> None:
        """Write a line to stderr if the option `debug` is on."""
        if self.debug:
            name = "".join([f"_{c.lower()}" if c.isupper() else c for c in type(self).__name__]).lstrip("_")
            from hookwright.store.redact import mask  # noqa: PLC0415  only with this option

            sys.stderr.write(f"hookwright {name}: {mask(text)[0]}\n")
            sys.stderr.flush()

    def aside(self, text: str) -> None:
        """The former name of `log_debug`."""
        self.log_debug(text)
