"""One process, one event: read stdin, answer on stdout, record, leave.

stdin → wire.read → plan → dispatch.answer → stdout → journal → _exit
Always leaves through `_exit` with the answer's own code (0 unless a hook means 2), in bounded time, with one
object on stdout or none. Hot: builtin modules only, and every import is deliberate.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix
import sys
import time

from hookwright.hooks.base import Overrun, World
from hookwright.state import paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn

    from hookwright.dispatch import Outcome

LARGEST = 8 << 20  # bytes of a payload; a larger one passes unjudged
STDIN_SECONDS = 5.0  # a client that has not finished writing by then never will
_CHUNK = 1 << 15
_OWN_WORDS = 4  # of the command line: -c, two paths, a way out
_AGAIN = 0.05  # seconds until an overrun is raised again, should a hook have swallowed it


def _nothing(event: object, tool: object) -> None:
    return None


def main(build: bytes = b"", preload: Callable[[object, object], None] = _nothing) -> NoReturn:
    """Answer the event on stdin. `build` names the bundle that this code came from, `preload` warms it up."""
    code = 0
    world = World()
    try:
        world = _world()
        code = _run(build, preload, world)
    except BaseException as error:  # noqa: BLE001  whatever happened: tools go on
        code = _trouble(world, f"{type(error).__name__}: {error}", tell=True)
    finally:
        posix._exit(code)  # noqa: SLF001  nothing is left to clean up


def _run(build: bytes, preload: Callable[[object, object], None], world: World) -> int:
    from hookwright.protocol import wire  # noqa: PLC0415  its own failure must find the handler above in place

    try:
        payload = wire.read(_stdin())
    except wire.Unreadable as unreadable:
        return _trouble(world, f"payload: {unreadable}", tell=False)
    if len(sys.argv) > _OWN_WORDS and not _is_for_us(payload, world):
        return 0
    preload(payload.get("hook_event_name"), payload.get("tool_name"))
    outcome = _answer(build, payload, world)
    _say(1, outcome.stdout)
    _say(2, outcome.stderr)
    _record(world, outcome)
    return outcome.exit_code


def _answer(build: bytes, payload: Mapping[str, Any], world: World) -> Outcome:
    from hookwright import dispatch  # noqa: PLC0415
    from hookwright.plan import read  # noqa: PLC0415

    if not world.project:
        world.project = str(payload.get("cwd") or payload.get("projectRoot") or "")
    plan = read.load(
        build,
        config=paths.config_dir(world.env),
        state=world.state,
        cache=world.cache,
        start=world.project,
        home=world.home,
        compiled=_compiled if build else read.from_sources,
        event=payload.get("hook_event_name"),
    )
    outcome = dispatch.answer(payload, plan, world)
    if plan["problem"]:
        from hookwright.door import notice  # noqa: PLC0415

        notice.add_problem(outcome, plan["problem"], world.state)
    return outcome


def _is_for_us(payload: Mapping[str, Any], world: World) -> bool:  # rare
    from hookwright.door.chosen import chosen  # noqa: PLC0415  for entries with words of their own

    if not world.project:
        world.project = str(payload.get("cwd") or payload.get("projectRoot") or "")
    return chosen(sys.argv[_OWN_WORDS:], payload.get("hook_event_name"), world)


def _compiled(**sources: Any) -> dict[str, Any]:  # rare
    from hookwright.door.source import compiled  # noqa: PLC0415  only when a configuration file changed

    return compiled(**sources)


def _world() -> World:
    environ = posix.environ

    def env(name: str) -> str | None:
        value = environ.get(name.encode())
        return None if value is None else value.decode("utf-8", "surrogateescape")

    home = env("HOME")
    world = World(
        env,
        now=time.time(),
        home=home.rstrip("/") if home else None,
        state=paths.state_dir(env),
        cache=paths.cache_dir(env),
        project=env("CLAUDE_PROJECT_DIR") or "",
        alarm=_alarm,
        names=environ,
    )
    world.alone = True
    return world


def _stdin() -> bytes:
    """All of stdin, or what came before the time or the size ran out."""
    chunks: list[bytes] = []
    size = 0
    try:
        _alarm(STDIN_SECONDS)
        while size <= LARGEST:
            chunk = posix.read(0, _CHUNK)
            if not chunk:
                break
            chunks.append(chunk)
            size += len(chunk)
    except Overrun:
        pass  # a whole object may have come all the same; the reader decides
    finally:
        _alarm(0)
    if size > LARGEST:
        raise ValueError(f"larger than {LARGEST >> 20} MiB")
    return b"".join(chunks)


def _alarm(seconds: float) -> None:
    """Raise Overrun in the running hook after so many seconds; 0 disarms."""
    if seconds and _signal.getsignal(_signal.SIGALRM) is not _overrun:
        _signal.signal(_signal.SIGALRM, _overrun)
    _signal.setitimer(_signal.ITIMER_REAL, seconds, _AGAIN if seconds else 0)


def _overrun(signal: int, frame: object) -> None:
    raise Overrun


def _say(descriptor: int, data: bytes) -> None:
    try:
        while data:
            data = data[posix.write(descriptor, data) :]
    except OSError:
        return  # the client has gone; there is nobody to tell


def _record(world: World, outcome: Outcome) -> None:
    try:
        from hookwright.door.record import record_of  # noqa: PLC0415
        from hookwright.protocol.json import dumps  # noqa: PLC0415
        from hookwright.state.journal import append  # noqa: PLC0415

        append(world.state, world.now, record_of(world, outcome), dumps)
    except BaseException:  # noqa: BLE001, S110  a failure to record never changes the answer
        pass


def _trouble(world: World, problem: str, *, tell: bool) -> int:  # rare
    """The exit code of a door that cannot judge: tools go on, unless the user asked for the contrary."""
    try:
        from hookwright.door import trouble  # noqa: PLC0415

        if tell:
            _say(1, trouble.told(problem, world.state))
        trouble.record(world, problem)
    except BaseException:  # noqa: BLE001, S110  then in silence
        pass
    return int("fail-closed" in sys.argv)
