"""Context: Claude knows where the project stands, once at the start and again only when something changed.

SessionStart, UserPromptSubmit, SubagentStart → [this hook] → a few lines for Claude | silence
Never the same block twice, never on prompts that the client wrote itself. A prompt after which nothing moved costs a
few `stat` calls; git is asked only when its own files changed or the time is up.
"""

from __future__ import annotations

import posix

from hookwright.hooks.base import QUIET, Hook
from hookwright.options import MODES, REQUIRED, option
from hookwright.plan.keep import write
from hookwright.plan.read import read
from hookwright.state import limits
from hookwright.work import gitdir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

PARTS = ("branch", "changes", "commits", "tasks")
_MOST_SECONDS = 20.0  # the client ends a hook of a prompt after 30


def _known_parts(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415  only when files are read

    wrong = [word for word in value if word not in PARTS]
    if wrong:
        raise BadValue(f"must be some of {', '.join(PARTS)}, got {', '.join(wrong)}")
    return value


def _assignments(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415

    for text in value:
        name, equals, _ = text.partition("=")
        if not equals or not is_name(name):
            raise BadValue(f"must be assignments such as NODE_ENV=development, got {text!r}")
    return value


def _bounded(value: float) -> float:
    from hookwright.options import BadValue  # noqa: PLC0415

    if not 0.1 <= value <= _MOST_SECONDS:
        raise BadValue(f"must be 0.1 to {_MOST_SECONDS:g}, got {value:g}")
    return value


class Context(Hook):
    """Tell Claude where the project stands, and later only what changed."""

    on = (("SessionStart",), ("UserPromptSubmit",), ("SubagentStart",), ("Stop",))
    section = "context"
    longest_s = {"SessionStart": 24.0, "UserPromptSubmit": 24.0, "SubagentStart": 24.0}  # noqa: RUF012
    mode: str = option(
        "on",
        choices=MODES,
        tighter=("off", "shadow", "on"),
        env={"AGENT_OS_HOOKS_QUIET": QUIET},
        help="on, off, or shadow: decides and records, but answers nothing.",
    )
    parts: tuple[str, ...] = option(
        PARTS,
        check=_known_parts,
        help="What is told: branch (with upstream), changes, commits (recent ones), tasks (running in the background).",
    )
    commands: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        help="Commands whose first line of output is told too.",
        columns={
            "command": option(REQUIRED, kind="words", help="what to run: a text for the shell, or a list of words"),
            "name": option(REQUIRED, kind="text", help="what the line is called"),
        },
    )
    export: tuple[str, ...] = option(
        (),
        check=_assignments,
        help="Assignments such as NODE_ENV=development for every later Bash command of the session; "
        "${CLAUDE_PROJECT_DIR} is filled in.",
    )
    budget: int = option(1200, tighter="lower", help="Characters of one block at most.")
    seconds: float = option(
        2.0, tighter="lower", check=_bounded, help="Time for git and the commands together; what is late is left out."
    )
    ttl: int = option(60, help="Seconds until git is asked again although none of its own files changed.")
    recent_window: str = option(
        "2 hours ago",
        env={"AGENT_OS_RECENT_WINDOW": None},
        help="Commits younger than this are told, in git's words.",
    )
    subagents: bool = option(True, help="Tell subagents too, each once.")

    def decide(self, event: Event) -> Decision | None:
        name = event.hook_event_name
        if name == "Stop":
            self._remember_tasks(event)
            return None
        if name == "SessionStart" and self.export and self.mode == "on":
            self._export()
        if name == "UserPromptSubmit" and getattr(event, "is_synthetic", False):
            return None  # the client's own words: a background task ended
        if name == "SubagentStart" and not self.subagents:
            return None
        here = limits.scope(self.world.state, event.session_id, event.agent_id)
        if here is None:
            return None  # without memory it would say the same again and again
        project = self.world.project or event.cwd
        top = gitdir.top_of(project)
        stamp = gitdir.stamp(top) if top else ()
        kept = read(f"{here}/context")
        if starts_anew(name, event.raw.get("source")):
            kept = None
        elif kept is not None and kept[0] == stamp and abs(self.world.now - kept[1]) < self.ttl:
            return None  # nothing moved
        return self._look(event, here, top or project, stamp, kept)

    def _look(
        self, event: Event, here: str, folder: str, stamp: tuple[Any, ...], kept: tuple[Any, ...] | None
    ) -> Decision | None:
        from hookwright.protocol.decisions import Decision  # noqa: PLC0415
        from hookwright.work.context import Report, Wanted  # noqa: PLC0415  there is work now

        self.world.alarm(self.seconds + 4)
        wanted = Wanted(
            parts=self.parts,
            commands=self.commands,
            window=self.recent_window,
            seconds=self.seconds,
            ttl=self.ttl,
            budget=self.budget,
        )
        report = Report(event, self.world, folder, wanted)
        report.gather(stamp)
        text = report.whole(self._tasks(event)) if kept is None else report.difference(kept[2], kept[1])
        write(f"{here}/context", (stamp, self.world.now, report.seen))
        self.aside(text or "nothing new")
        return Decision(context=text) if text else None

    def _export(self) -> None:
        """Append to the file that the client reads before each Bash command."""
        path = self.world.env("CLAUDE_ENV_FILE")
        if not path:
            return
        lines = [export_line(text, self.world.project) for text in self.export]
        try:
            descriptor = posix.open(path, posix.O_RDWR | posix.O_APPEND | posix.O_CREAT | posix.O_CLOEXEC, 0o600)
            try:
                there = posix.read(descriptor, 1 << 20).decode("utf-8", "replace").split("\n")
                missing = [line for line in lines if line and line not in there]
                posix.write(descriptor, "".join([f"{line}\n" for line in missing]).encode())
            finally:
                posix.close(descriptor)
        except OSError as error:
            self.world.facts["export"] = str(error)

    def _remember_tasks(self, event: Event) -> None:
        """Which background tasks run when a turn ends: the next block tells it."""
        here = limits.scope(self.world.state, event.session_id)
        tasks = getattr(event, "running_tasks", ())
        running = [str(task.get("command") or task.get("description") or task.get("id")) for task in tasks]
        if here is None or "tasks" not in self.parts:
            return
        path = f"{here}/tasks"
        if running:
            write(path, ((), self.world.now, running[:8]))
        elif posix.access(path, posix.F_OK):
            posix.unlink(path)

    def _tasks(self, event: Event) -> list[str]:
        """Those that ran at the end of the last turn; a resumed session has lost its own."""
        here = limits.scope(self.world.state, event.session_id)
        kept = read(f"{here}/tasks") if here and event.raw.get("source") in ("compact", None) else None
        return list(kept[2]) if kept else []


def starts_anew(event: str, source: object) -> bool:
    """Has Claude nothing of what it was told before? A resumed session still has it."""
    return event == "SubagentStart" or (event == "SessionStart" and source != "resume")


def is_name(text: str) -> bool:
    return text.isidentifier() and text.isascii()


def export_line(assignment: str, project: str) -> str:
    """One line for the shell, its value taken literally."""
    name, _, value = assignment.partition("=")
    if not is_name(name) or "\0" in value or "\n" in value:
        return ""
    value = value.replace("${CLAUDE_PROJECT_DIR}", project).replace("'", "'\\''")
    return f"export {name}='{value}'"
