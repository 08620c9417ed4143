"""Context: tell Claude the state of the project at the start, and later only what has changed.

SessionStart, UserPromptSubmit, SubagentStart → [this hook] → a few lines for Claude | nothing
Never the same block twice, and never on prompts that the client wrote itself. If nothing has changed, a prompt costs a
few `stat` calls; git runs only when its own files changed or `ttl` has passed.
"""

from __future__ import annotations

import posix

from hookwright.git import directory
from hookwright.hooks.base import Hook
from hookwright.hooks.session_state import forget_state, read_state, write_state
from hookwright.options import LEGACY_QUIET, REQUIRED, mode_option, option
from hookwright.store import limits
from hookwright.store.redact import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

PARTS = ("branch", "changes", "commits", "tasks")
_EXPORT_FLAGS = posix.O_RDWR | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC | posix.O_NONBLOCK
_MOST_SECONDS = 20.0  # the client's timeout for hooks of a prompt is 30


def _check_parts(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415  only when configuration is read

    wrong = [word for word in value if word not in PARTS]
    if wrong:
        raise BadValue(f"must be some of {', '.join(PARTS)}, got {', '.join(wrong)}")
    return value


def _check_assignments(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415

    for text in value:
        name, equals, _ = text.partition("=")
        if not equals or not is_variable_name(name):
            raise BadValue(f"must be assignments such as NODE_ENV=development, got {text!r}")
    return value


def _check_seconds(value: float) -> float:
    from hookwright.options import BadValue  # noqa: PLC0415

    if not 0.1 <= value <= _MOST_SECONDS:
        raise BadValue(f"must be 0.1 to {_MOST_SECONDS:g}, got {value:g}")
    return value


class Context(Hook):
    """Tell Claude the state of the project, and later only what changed."""

    on = (("SessionStart",), ("UserPromptSubmit",), ("SubagentStart",), ("Stop",))
    longest_s = {"SessionStart": 24.0, "UserPromptSubmit": 24.0, "SubagentStart": 24.0}  # noqa: RUF012
    mode: str = mode_option(env=LEGACY_QUIET)
    parts: tuple[str, ...] = option(
        PARTS,
        check=_check_parts,
        help="What is reported: branch (with upstream), changes, commits (recent), tasks (running in the background).",
    )
    commands: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        help="Commands whose first line of output is reported too.",
        columns={
            "command": option(REQUIRED, kind="words", help="what to run: a text for the shell, or a list of words"),
            "name": option(REQUIRED, kind="text", help="the label of the line"),
        },
    )
    export: tuple[str, ...] = option(
        (),
        check=_check_assignments,
        help="Assignments such as NODE_ENV=development for every later Bash command of the session; "
        "${CLAUDE_PROJECT_DIR} is expanded.",
    )
    budget: int = option(1200, tighter="lower", help="Maximum characters of one block.")
    seconds: float = option(
        2.0,
        tighter="lower",
        check=_check_seconds,
        help="Timeout for git and the commands together; what takes longer is left out.",
    )
    ttl: int = option(60, help="Seconds after which git runs again even if none of its own files changed.")
    recent_window: str = option(
        "2 hours ago",
        env={"AGENT_OS_RECENT_WINDOW": None},
        help="Commits younger than this are reported, in git's date format.",
    )
    subagents: bool = option(True, help="Tell each subagent once as well.")

    def decide(self, event: Event) -> Decision | None:
        name = event.hook_event_name
        if name == "Stop":
            self._save_tasks(event)
            return None
        if name == "SessionStart" and self.export and self.mode == "on":
            self._write_exports()
        if name == "UserPromptSubmit" and getattr(event, "is_synthetic", False):
            return None  # written by the client: a background task ended
        if name == "SubagentStart" and not self.subagents:
            return None
        here = limits.scope(self.world.state, event.session_id, event.agent_id)
        if here is None:
            return None  # without stored state it would repeat itself
        project = self.world.project or event.cwd
        top = directory.find_worktree_root(project)
        stamp = directory.read_stamp(top) if top else ()
        last = None if starts_fresh(name, event.raw.get("source")) else _read_last_report(here)
        if last is not None and last[1] == repr(stamp) and abs(self.world.now - last[0]) < self.ttl:
            return None  # nothing has changed
        return self._report_state(event, here, top or project, stamp, last)

    def _report_state(
        self, event: Event, here: str, folder: str, stamp: tuple[Any, ...], last: tuple[float, str, str] | None
    ) -> Decision | None:
        import json  # noqa: PLC0415  only when there is work

        from hookwright.hooks.context.report import Report, ReportOptions  # noqa: PLC0415
        from hookwright.protocol.decisions import Decision  # noqa: PLC0415

        self.world.alarm(self.seconds + 4)
        wanted = ReportOptions(
            parts=self.parts,
            commands=self.commands,
            window=self.recent_window,
            seconds=self.seconds,
            ttl=self.ttl,
            budget=self.budget,
        )
        report = Report(event, self.world, folder, wanted)
        report.collect_state(stamp)
        if last is None:
            text = report.format_full(self._read_tasks(event))
        else:
            text = report.format_difference(json.loads(last[2]), last[0])
        write_state(here, "context", f"{self.world.now}\n{stamp!r}\n{json.dumps(report.seen)}")
        self.log_debug(text or "nothing new")
        return Decision(context=text) if text else None

    def _write_exports(self) -> None:
        """Append the exports to the file that the client reads before each Bash command."""
        path = self.world.env("CLAUDE_ENV_FILE")
        if not path:
            return
        lines = [format_export(text, self.world.project) for text in self.export]
        try:
            descriptor = posix.open(path, _EXPORT_FLAGS, 0o600)
            try:
                present = posix.read(descriptor, 1 << 20).decode("utf-8", "replace").split("\n")
                missing = [line for line in lines if line and line not in present]
                posix.write(descriptor, "".join([f"{line}\n" for line in missing]).encode())
            finally:
                posix.close(descriptor)
        except OSError as error:
            self.world.facts["export"] = str(error)

    def _save_tasks(self, event: Event) -> None:
        """Remember which background tasks run at the end of a turn, for the next report."""
        here = limits.scope(self.world.state, event.session_id)
        tasks = getattr(event, "running_tasks", ())
        running = [str(task.get("command") or task.get("description") or task.get("id")) for task in tasks]
        if here is None or "tasks" not in self.parts:
            return
        if running:
            write_state(here, "tasks", "\0".join([mask(text)[0] for text in running[:8]]))
        else:
            forget_state(here, "tasks")

    def _read_tasks(self, event: Event) -> list[str]:
        """The tasks that ran at the end of the last turn; a resumed session has lost them."""
        here = limits.scope(self.world.state, event.session_id)
        text = read_state(here, "tasks") if here and event.raw.get("source") in ("compact", None) else None
        return text.split("\0") if text else []


def _read_last_report(here: str) -> tuple[float, str, str] | None:
    """The time of the last report, git's stamp at that time, and the report as JSON."""
    try:
        time, stamp, report = (read_state(here, "context") or "").split("\n", 2)
        return float(time), stamp, report
    except ValueError:
        return None


def starts_fresh(event: str, source: object) -> bool:
    """True if Claude no longer has earlier reports in its context. A resumed session still has them."""
    return event == "SubagentStart" or (event == "SessionStart" and source != "resume")


def is_variable_name(text: str) -> bool:
    return text.isidentifier() and text.isascii()


def format_export(assignment: str, project: str) -> str:
    """One line for the shell, the value quoted; "" for an invalid assignment."""
    name, _, value = assignment.partition("=")
    if not is_variable_name(name) or "\0" in value or "\n" in value:
        return ""
    value = value.replace("${CLAUDE_PROJECT_DIR}", project).replace("'", "'\\''")
    return f"export {name}='{value}'"
