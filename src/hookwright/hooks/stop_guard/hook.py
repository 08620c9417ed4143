"""Stop guard: keep Claude going while a project check fails or, as an option, while work is uncommitted.

tool events → [record what this session wrote]        stop events → [this hook] → block | nothing
Only files of this session count. Does nothing in plan mode, while background tasks run, and above `most_blocks`.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook
from hookwright.options import LEGACY_QUIET, REQUIRED, mode_option, option
from hookwright.store import limits, session_edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

_WHEN = {"Stop": "stop", "SubagentStop": "subagent", "TaskCompleted": "task", "TeammateIdle": "teammate"}
_LONGEST_CHECK_S = 540  # Claude Code itself ends a hook after 600 s
_OVERHEAD_S = 45.0  # besides the checks: git, reading files, ending processes
_BY_STDERR = {"1": "stderr", "true": "stderr", "yes": "stderr", "on": "stderr"}


def _check_seconds(value: int) -> int:
    from hookwright.options import BadValue  # noqa: PLC0415  only when configuration is read

    if not 1 <= value <= _LONGEST_CHECK_S:
        raise BadValue(f"must be 1 to {_LONGEST_CHECK_S} seconds, since Claude Code ends a hook after 600, got {value}")
    return value


def _check_when(value: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.options import BadValue  # noqa: PLC0415

    wrong = [word for word in value if word not in _WHEN.values()]
    if wrong or not value:
        raise BadValue(f"must be some of {', '.join(_WHEN.values())}, got {', '.join(wrong) or 'nothing'}")
    return value


class StopGuard(Hook):
    """Keep Claude going while this session's work is unfinished."""

    # Events by name: their classes would load several family modules in every process.
    on = (
        ("PostToolUse", "Write", "Edit", "MultiEdit", "NotebookEdit", "Bash"),
        ("PostToolUseFailure", "Bash"),
        ("Stop",),
        ("SubagentStop",),
        ("TaskCompleted",),
        ("TeammateIdle",),
    )
    longest_s = dict.fromkeys(_WHEN, _OVERHEAD_S + _LONGEST_CHECK_S)
    status = {"Stop": "Running the project's checks", "TaskCompleted": "Running the project's checks"}  # noqa: RUF012
    mode: str = mode_option(env=LEGACY_QUIET)
    checks: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        short="command",
        help="Commands that must pass before Claude stops, if this session changed files that they check.",
        columns={
            "command": option(REQUIRED, kind="words", help="what to run: a text for the shell, or a list of words"),
            "name": option("", help="its name in messages; the command itself if empty"),
            "files": option((), help='patterns of the files that it checks, such as ["*.py"]; all files if empty'),
            "timeout": option(120, check=_check_seconds, help="timeout in seconds"),
            "when": option(("stop", "task"), check=_check_when, help="some of stop, task, subagent, teammate"),
        },
    )
    uncommitted: str = option(
        "shadow",
        choices=("off", "shadow", "note", "block"),
        tighter=("off", "shadow", "note", "block"),
        help="Uncommitted files of this session: off, shadow (only recorded), note (the user is told), or block "
        "(Claude is asked to commit them or to say why not).",
    )
    most_blocks: int = option(
        3,
        tighter="lower",
        help="How often one reason may keep Claude going in a session; then the user is told once.",
    )
    ttl: int = option(
        300,
        env={"AGENT_OS_STOP_TTL": None},
        help="Seconds in which the same reason is not raised again (for a failing check: unless its files changed).",
    )
    recent_window: str = option(
        "2 hours ago",
        env={"AGENT_OS_RECENT_WINDOW": None},
        help="No commit is asked for in a repository whose last commit is younger than this, in git's date format.",
    )
    ignore_tasks: tuple[str, ...] = option(
        (), help='Background tasks that do not count as running, by a part of their command, such as "npm run dev".'
    )
    voice: str = option(
        "block",
        choices=("block", "context", "stderr"),
        env={"AGENT_OS_STOP_NO_JSON": _BY_STDERR},
        help="How Claude is told: block (an error), context (a reminder, without the hook's command line), or stderr "
        "with exit code 2.",
    )

    def decide(self, event: Event) -> Decision | None:
        when = _WHEN.get(event.hook_event_name)
        if when is None:
            self._record_change(event)
            return None
        checks = [row for row in self.checks if when in row["when"]]
        commits = self.uncommitted != "off" and when in ("stop", "teammate")
        if not checks and not commits:
            return None
        skip = self._skip_reason(event)
        if skip:
            self.log_debug(f"skipped: {skip}")
            return None
        if not checks and self.uncommitted == "shadow" and not self._may_look_again(event):
            return None  # shadow mode: the result is only recorded
        self.world.alarm(_OVERHEAD_S + max([row["timeout"] for row in checks], default=0))
        from hookwright.hooks.stop_guard.decide import StopEvaluation, StopOptions  # noqa: PLC0415
        from hookwright.hooks.stop_guard.project_checks import Check  # noqa: PLC0415  only when there is work

        rules = StopOptions(
            uncommitted=self.uncommitted,
            most_blocks=self.most_blocks,
            ttl=self.ttl,
            recent_window=self.recent_window,
            voice=self.voice if self.voice != "block" else "",
        )
        decision = StopEvaluation(event, self.world, rules).decide([Check(row) for row in checks], commits=commits)
        self.log_debug(_describe_decision(decision) if decision else "nothing unfinished")
        return decision

    def _skip_reason(self, event: Event) -> str:
        """Why this stop is left alone; "" if it is not."""
        if not session_edits.has_changes(self.world.state, event.session_id):
            return "this session changed nothing"
        if event.permission_mode == "plan":
            return "plan mode"
        waits_for = getattr(event, "waits_for", None)
        if waits_for and waits_for(self.ignore_tasks):
            return "background tasks are running"
        if event.raw.get("session_crons"):
            return "scheduled prompts are waiting"
        if self.world.env("HOOKWRIGHT_INSIDE_CHECK"):
            return "a check started this session"
        return ""

    def _may_look_again(self, event: Event) -> bool:
        here = limits.scope(self.world.state, event.session_id)
        return limits.allow(here, "unfinished", self.world.now, most=1, per_seconds=self.ttl)

    def _record_change(self, event: Event) -> None:
        """Record what this tool call wrote, as one line."""
        if self.uncommitted == "off" and not self.checks:
            return
        raw = event.raw
        tool = raw.get("tool_input")
        if not isinstance(tool, dict):
            return
        world, session, agent = self.world, event.session_id, event.agent_id or ""
        if raw.get("tool_name") != "Bash":
            path = tool.get("file_path") or tool.get("notebook_path")
            if isinstance(path, str) and path[:1] == "/":
                session_edits.add_edit(world.state, session, world.now, agent, path)
            return
        command = tool.get("command")
        if not isinstance(command, str) or only_reads(command):
            return
        spent = raw.get("duration_ms")
        start = world.now - (spent / 1000 if isinstance(spent, (int, float)) and spent > 0 else 0)
        session_edits.add_command(world.state, session, start, world.now, agent, event.cwd, command)


_READ_ONLY = frozenset(
    ("ls", "cat", "grep", "rg", "head", "tail", "wc", "pwd", "echo", "find", "which", "sleep", "true")
)


def only_reads(command: str) -> bool:
    """True for a plain call of a program that only reads: not worth recording."""
    word = command.split(None, 1)[:1]
    if not word or word[0] not in _READ_ONLY:
        return not word
    return not (">" in command or ";" in command or "&" in command or "\n" in command or "$(" in command
                or "`" in command or "|" in command or "-exec" in command or "-delete" in command)  # fmt: skip


def _describe_decision(decision: Decision) -> str:
    """One line for the debug log: what was decided, and why."""
    told = decision.reason or decision.message or decision.context
    return f"{decision.permission or 'told'}: {' '.join(told.split())}"
