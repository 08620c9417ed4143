"""Stop guard: Claude goes on while a check of the project fails or, if you want it, while work waits for a commit.

tool events → [record what this session touched]        stop events → [this hook] → keep going | silence
Only what this session did counts. Silent in plan mode, while background tasks run, and once its ledger is full.
"""

from __future__ import annotations

from hookwright.hooks.base import QUIET, Hook
from hookwright.options import MODES, REQUIRED, option
from hookwright.state import changes, limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.base import Event

_WHEN = {"Stop": "stop", "SubagentStop": "subagent", "TaskCompleted": "task", "TeammateIdle": "teammate"}
_LONGEST_CHECK_S = 540  # Claude Code itself ends a hook after 600 s
_AROUND_S = 45.0  # for what happens beside the checks: git, reading, ending programs
_BY_STDERR = {"1": "stderr", "true": "stderr", "yes": "stderr", "on": "stderr"}


def _check_seconds(value: int) -> int:
    from hookwright.options import BadValue  # noqa: PLC0415  only when files are read

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

    # By name: the classes of both families would have to be loaded for each of them.
    on = (
        ("PostToolUse", "Write", "Edit", "MultiEdit", "NotebookEdit", "Bash"),
        ("PostToolUseFailure", "Bash"),
        ("Stop",),
        ("SubagentStop",),
        ("TaskCompleted",),
        ("TeammateIdle",),
    )
    section = "stop"
    longest_s = dict.fromkeys(_WHEN, _AROUND_S + _LONGEST_CHECK_S)
    status = {"Stop": "Running the project's checks", "TaskCompleted": "Running the project's checks"}  # noqa: RUF012
    mode: str = option(
        "on",
        choices=MODES,
        tighter=("off", "shadow", "on"),
        env={"AGENT_OS_HOOKS_QUIET": QUIET},
        help="on, off, or shadow: decides and records, but answers nothing.",
    )
    checks: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        help="Commands that must pass before Claude stops, when files of theirs were changed in this session.",
        columns={
            "command": option(REQUIRED, kind="words", help="what to run: a text for the shell, or a list of words"),
            "name": option("", help="what it is called in messages; the command itself if it has none"),
            "files": option((), help='patterns of the files it looks at, such as ["*.py"]; all files if none'),
            "timeout": option(120, check=_check_seconds, help="seconds it may take"),
            "when": option(("stop", "task"), check=_check_when, help="some of stop, task, subagent, teammate"),
        },
    )
    uncommitted: str = option(
        "shadow",
        choices=("off", "shadow", "note", "block"),
        tighter=("off", "shadow", "note", "block"),
        help="Files of this session without a commit: off, shadow (recorded), note (the user is told), or block "
        "(Claude is asked to commit them or to say why not).",
    )
    most_blocks: int = option(
        3, tighter="lower", help="Times that one reason keeps Claude going in a session; then the user is told, once."
    )
    ttl: int = option(
        300,
        env={"AGENT_OS_STOP_TTL": None},
        help="Seconds in which the same reason is not raised again (a failing check: unless its files changed).",
    )
    recent_window: str = option(
        "2 hours ago",
        env={"AGENT_OS_RECENT_WINDOW": None},
        help="No commit is asked for in a repository whose last commit is younger than this, in git's words.",
    )
    ignore_tasks: tuple[str, ...] = option(
        (), help='Background tasks that may run while Claude stops, by words of their command, such as "npm run dev".'
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
            self._record(event)
            return None
        checks = [row for row in self.checks if when in row["when"]]
        commits = self.uncommitted != "off" and when in ("stop", "teammate")
        if not checks and not commits:
            return None
        quiet = self._why_quiet(event)
        if quiet:
            self.aside(f"silent: {quiet}")
            return None
        if not checks and self.uncommitted == "shadow" and not self._look_again(event):
            return None  # nobody waits for this answer
        self.world.alarm(_AROUND_S + max([row["timeout"] for row in checks], default=0))
        from hookwright.work.checks import Check  # noqa: PLC0415  there is work now
        from hookwright.work.stopping import Guard, Rules  # noqa: PLC0415

        rules = Rules(
            uncommitted=self.uncommitted,
            most_blocks=self.most_blocks,
            ttl=self.ttl,
            recent_window=self.recent_window,
            voice=self.voice if self.voice != "block" else "",
        )
        decision = Guard(event, self.world, rules).decide([Check(row) for row in checks], commits=commits)
        self.aside(repr(decision) if decision else "nothing unfinished")
        return decision

    def _why_quiet(self, event: Event) -> str:
        """Why this stop is none of our business; "" if it is."""
        if not changes.any_of(self.world.state, event.session_id):
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

    def _look_again(self, event: Event) -> bool:
        here = limits.scope(self.world.state, event.session_id)
        return limits.allow(here, "unfinished", self.world.now, most=1, per_seconds=self.ttl)

    def _record(self, event: Event) -> None:
        """One line of what this call touched."""
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
                changes.add_edit(world.state, session, world.now, agent, path)
            return
        command = tool.get("command")
        if not isinstance(command, str) or is_a_look(command):
            return
        spent = raw.get("duration_ms")
        start = world.now - (spent / 1000 if isinstance(spent, (int, float)) and spent > 0 else 0)
        changes.add_command(world.state, session, start, world.now, agent, event.cwd, command)


_LOOKS = frozenset(("ls", "cat", "grep", "rg", "head", "tail", "wc", "pwd", "echo", "find", "which", "sleep", "true"))


def is_a_look(command: str) -> bool:
    """A plain call of a program that only reads: not worth a line."""
    word = command.split(None, 1)[:1]
    if not word or word[0] not in _LOOKS:
        return not word
    return not (">" in command or ";" in command or "&" in command or "\n" in command or "$(" in command
                or "`" in command or "|" in command or "-exec" in command or "-delete" in command)  # fmt: skip
