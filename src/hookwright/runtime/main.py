"""The hook process: read the event on stdin, answer on stdout, append to the journal, exit.

stdin → codec.read_payload → plan → dispatch.answer → stdout → journal → _exit
Always exits through `_exit` with the answer's own code (0, or 2 where a hook blocks by exit code), in bounded time,
with one object on stdout or none. Hot: builtin modules only. What every event needs is imported at the top: that is the
core of the bundle.
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # the C half of signal
import posix
import sys
import time

from hookwright import dispatch
from hookwright.config import config_files, plan_cache
from hookwright.hooks.base import Overrun, World
from hookwright.protocol import codec
from hookwright.protocol.json import NotJson, dumps
from hookwright.runtime import bundle_loader
from hookwright.runtime.journal_record import build_record
from hookwright.store import journal, paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, NoReturn

LARGEST = 8 << 20  # bytes of a payload; a larger one is not answered
STDIN_SECONDS = 5.0  # a client that has not finished writing by then never will
STDOUT_SECONDS = 20.0  # a client that has not read the answer by then is not reading
_CHUNK = 1 << 15
_LAUNCHER = "/.local/share/hookwright/hook"  # below HOME; see launcher.py
# Variables that a project may have set: see config/project_env.py, which tells whose they are.
_WATCHED = frozenset(
    (
        *(b"XDG_CONFIG_HOME", b"XDG_STATE_HOME", b"XDG_CACHE_HOME", b"CLAUDE_CONFIG_DIR"),
        b"CLAUDE_CODE_SESSION_ATTENDED",
    )
)
_PREFIXES = frozenset((b"HOOKWRIGH", b"CLAUDE_AU", b"AGENT_OS_"))  # the first nine letters of names that hooks read


def main(bundle: str) -> NoReturn:
    """Answer the event on stdin. `bundle` is the directory where the bundle is or should be."""
    code = 0
    try:
        if _signal.getsignal(_signal.SIGINT) is _signal.default_int_handler:  # it is not ignored
            _signal.signal(_signal.SIGINT, _signal.SIG_DFL)  # an interrupt ends this process without a traceback
        data = _read_stdin()
        try:
            payload = codec.read_payload(data, LARGEST)
        except NotJson as error:
            code = _report_failure(f"payload: {error}", data)
        else:
            code = answer_payload(payload, bundle_loader.build_id)
    except BaseException as error:  # noqa: BLE001  no failure of ours may stop a tool
        code = _report_failure(f"{type(error).__name__}: {error}")
    try:
        if bundle_loader.outdated:
            from hookwright.runtime.bundle_update import update_in_background  # noqa: PLC0415

            update_in_background(bundle)
    finally:  # a failure here is not reported: the answer is on stdout already, and takes no second object
        posix._exit(code)  # noqa: SLF001  nothing is left to clean up


def answer_payload(payload: Mapping[str, Any], build: bytes) -> int:
    """Answer one event and record it; returns the exit code. `build` identifies the bundle, b"" if there is none."""
    world = _build_world(payload)
    event = payload.get("hook_event_name")
    words = sys.argv[1:]
    if words:
        from hookwright.runtime.entry_filter import accepts_event  # noqa: PLC0415  entries with arguments only

        if not accepts_event(words, event, payload.get("tool_name"), world):
            return 0
    bundle_loader.load_event(event, payload.get("tool_name"))
    plan = plan_cache.load_plan(
        build,
        config=paths.config_dir(world.env),
        state=world.state,
        cache=world.cache,
        start=world.project,
        home=world.home,
        policy=config_files.policy_source(world.env),
        event=event,
        may_compile=not bundle_loader.folder,
    )
    if plan is None:
        return _answer_from_source(payload, build)
    if plan["policy"] is not None:
        world.facts["policy"] = plan["policy"]
    outcome = dispatch.answer(payload, plan, world)
    if plan["problems"] or world.notices or outcome.failed:
        from hookwright.runtime import config_notice  # noqa: PLC0415

        config_notice.add_problems(outcome, (*plan["problems"], *world.notices), world.state)
    _write_all(1, outcome.stdout)
    _write_all(2, outcome.stderr)
    _append_record(world, outcome)
    return outcome.exit_code


def _answer_from_source(payload: Mapping[str, Any], build: bytes) -> int:
    """Answer with modules from source: compiling a plan needs the option declarations, which the bundle leaves out."""
    bundle_loader.unload()
    from hookwright.runtime import main as source  # noqa: PLC0415, PLW0406  another copy of this module

    return source.answer_payload(payload, build)


def _build_world(payload: Mapping[str, Any]) -> World:
    environ = posix.environ

    def env(name: str) -> str | None:
        value = environ.get(name.encode())
        return None if value is None else value.decode("utf-8", "surrogateescape")

    project = env("CLAUDE_PROJECT_DIR") or str(payload.get("cwd") or payload.get("projectRoot") or "")
    home = env("HOME")
    separate = None
    # Usually none of our variables is set and the launcher is in its place below HOME: then nobody has moved anything.
    if (
        not _WATCHED.isdisjoint(environ)
        or environ.get(b"CLAUDE_CODE_ENTRYPOINT", b"")[:3] == b"sdk"  # says that nobody sits at the screen
        or any(name[:9] in _PREFIXES for name in environ)
        or home is None
        or sys.argv[0] != home.rstrip("/") + _LAUNCHER
    ):
        from hookwright.config.project_env import separate_hook_process  # noqa: PLC0415

        separate = separate_hook_process(env, project, sys.argv[0])
        env = separate.get
        home = env("HOME")
    world = World(
        env,
        now=time.time(),
        home=home.rstrip("/") if home else None,
        state=paths.state_dir(env),
        cache=paths.cache_dir(env),
        project=project,
        alarm=_set_alarm,
        names=environ,
    )
    world.alone = True
    if separate is not None:
        world.project_env = separate.project
        world.notices = separate.left_out
    return world


def _read_stdin() -> bytes:
    """All of stdin, or what came before the time or the size ran out: then it is longer than LARGEST."""
    chunks: list[bytes] = []
    size = 0
    try:
        try:
            _set_alarm(STDIN_SECONDS)
            while size <= LARGEST:
                try:
                    chunk = posix.read(0, _CHUNK)
                except BlockingIOError:  # the client's own mode of this pipe
                    posix.set_blocking(0, True)
                    continue
                if not chunk:
                    break
                chunks.append(chunk)
                size += len(chunk)
        finally:
            _set_alarm(0)
    except (OSError, Overrun):
        pass  # the object may still be complete; the parser decides
    return b"".join(chunks)


def _set_alarm(seconds: float) -> None:
    """Raise Overrun in the running code after so many seconds, once; 0 disarms."""
    if seconds and _signal.getsignal(_signal.SIGALRM) is not _raise_overrun:
        if _signal.SIGALRM in _signal.pthread_sigmask(_signal.SIG_BLOCK, ()):  # inherited from the client
            _signal.signal(_signal.SIGALRM, _signal.SIG_IGN)  # drops one that is pending
            _signal.pthread_sigmask(_signal.SIG_UNBLOCK, (_signal.SIGALRM,))
        _signal.signal(_signal.SIGALRM, _raise_overrun)
    _signal.setitimer(_signal.ITIMER_REAL, seconds)


def _raise_overrun(signal: int, frame: object) -> None:
    raise Overrun


def _write_all(descriptor: int, data: bytes) -> None:
    """Write to a standard stream, for a limited time; what nobody reads is lost."""
    try:
        if data:
            _set_alarm(STDOUT_SECONDS)  # and it stays: what follows are our last steps
        while data:
            try:
                data = data[posix.write(descriptor, data) :]
            except BlockingIOError:  # the client's own mode of this pipe
                posix.set_blocking(descriptor, True)
    except (OSError, Overrun):
        return  # the client is gone, or does not read


def _append_record(world: World, outcome: dispatch.DispatchResult) -> None:
    try:
        journal.append(
            world.state, world.now, build_record(world, outcome), dumps, payload=outcome.event.raw, cache=world.cache
        )
    except BaseException:  # noqa: BLE001, S110  a failure to record never changes the answer
        pass


def _report_failure(problem: str, payload: bytes | None = None) -> int:
    """Record a failure of our own. The exit code lets tools run, unless the entry says fail-closed.

    `payload`: what could not be decoded. A call that nobody could judge is asked about.
    """
    try:
        from hookwright.runtime import crash  # noqa: PLC0415

        world = _build_world({})
        if payload is None:
            _write_all(1, crash.failure_message(problem, world.state))
        elif "fail-closed" not in sys.argv:  # there the exit code blocks the call
            _write_all(1, crash.answer_unreadable(payload, problem, world.state))
        crash.record_failure(world, problem)
    except BaseException:  # noqa: BLE001, S110  not even that can be recorded
        pass
    return int("fail-closed" in sys.argv)
