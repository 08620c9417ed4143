"""Auto-background: long commands leave the foreground, so the talk goes on.

payload → event → [this hook] → decision → stdout
Changes `run_in_background`, drops `timeout` (it would kill the job) and nothing else; permission stays
with the user.
"""

from __future__ import annotations

import posix

from hookwright.hooks.base import Hook, is_headless
from hookwright.options import MODES, REQUIRED, option
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events.tool import PreToolUse
from hookwright.shell.families import glance, may_be_long
from hookwright.state.paths import project_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_OFF = {"0": "off"}
_DISABLED = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"
# What [[background.rules]] may call a program; shell/duration.py says which verdict each stands for.
CLASSES = (
    *("quick", "suggest", "force", "install", "build", "server", "watch", "follow", "terminal", "wait", "job", "infra"),
    *("test", "check", "download", "transfer", "container", "database", "script", "vcs"),
)


class AutoBackground(Hook):
    """Run long commands in the background."""

    on = (PreToolUse, "Bash")
    section = "background"
    needs: Mapping[str, tuple[str, ...]] = {"Bash": ("hookwright.state.durations",)}  # whoever works has a past
    mode: str = option(
        "on",
        choices=MODES,
        tighter=("off", "shadow", "on"),
        env={"CLAUDE_AUTOBACKGROUND": _OFF},
        help="on, off, or shadow: decides and records, but answers nothing.",
    )
    action: str = option(
        "force",
        choices=("force", "suggest"),
        env={"CLAUDE_AUTOBACKGROUND_MODE": {"force": "force", "suggest": "suggest"}},
        help="force: long commands are moved to the background; suggest: Claude is only told that they may be long.",
    )
    patience: int = option(30, help="Seconds of explicit timeout that count as short: such a command stays.")
    headless: bool = option(
        False,
        help="Also act in runs without a person (claude -p, SDK); off, since nobody waits there.",
    )
    extra: str = option(
        "",
        env={"CLAUDE_AUTOBACKGROUND_EXTRA": None},
        help="One extended regular expression; a command that it matches anywhere is long.",
    )
    rules: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        help="What you know of your own programs; the first that fits a call wins over the families.",
        columns={
            "program": option(REQUIRED, kind="text", help="the program's name, without folders"),
            "subcommand": option("", help="its first words, such as `deploy` or `db reset`; empty: any"),
            "flags": option((), help="flags that must all be there"),
            "class": option(REQUIRED, kind="text", choices=CLASSES, help="quick, suggest, force, or a kind of work"),
        },
    )
    learned: bool = option(True, help="Let past runs of a command in this project outweigh what its name suggests.")
    long_seconds: int = option(60, help="A run that takes longer than this should not have held the foreground.")
    long_at: float = option(0.6, help="From this probability of a long run on, a command is moved.")
    quick_at: float = option(
        0.4, help="Up to this probability it is left alone; in between the last decision for that command stays."
    )
    debug: bool = option(
        False,
        env={"CLAUDE_AUTOBACKGROUND_DEBUG": None, "AGENT_OS_DEBUG": None},
        help="Say the reason on stderr.",
    )

    def decide(self, event: PreToolUse) -> Decision | None:
        tool = event.tool_input
        command = tool.get("command")
        if not isinstance(command, str) or not command.strip():
            return None
        chosen = self._chosen_already(event)
        if chosen:
            self._debug(f"left alone: {chosen}")
            return None
        verdict, reason = self.judged(event, command)
        self._debug(f"{verdict}: {reason}" if reason else verdict)
        if verdict == "none":
            return None
        if verdict == "force" and self.action == "force":
            return Decision(
                None,
                reason,
                changes={"run_in_background": True},
                drops=("timeout",),
                context=f"Moved to the background: {reason}. Its output goes to the file named in the result, and you "
                "are notified when it ends; do not poll or sleep for it, go on with other work. To keep a command "
                "in the foreground, pass run_in_background: false.",
            )
        return Decision(
            None,
            context=f"This may take long: {reason}. Next time consider run_in_background: true; you are notified "
            "when it ends.",
        )

    def _chosen_already(self, event: PreToolUse) -> str:
        """Why this call is not ours to change; "" if it is."""
        if any(decision.permission in ("deny", "block") for _, decision in self.world.said):
            return "it does not run"
        tool = event.tool_input
        if "run_in_background" in tool and tool["run_in_background"] is not None:
            return "run_in_background was given"
        timeout = tool.get("timeout")
        if isinstance(timeout, (int, float)) and 0 < timeout <= self.patience * 1000:
            return f"its timeout is at most {self.patience} s"
        if event.in_subagent:
            return "a background command dies with its subagent"
        env = self.world.env
        if env(_DISABLED) in ("1", "true"):
            return "background tasks are disabled in Claude Code"
        if not self.headless and is_headless(env):
            return "nobody waits in a headless run"
        return ""

    def judged(self, event: PreToolUse, command: str) -> tuple[str, str]:
        """The verdict on a command (force, suggest, none) and its reason, whatever is then done about it."""
        if self.extra and self._matches_extra(command):
            return "force", "it matches the configured expression"
        looked = command
        if "<<" in command:
            from hookwright.shell.written import without_written  # noqa: PLC0415  what is only written runs nothing

            looked = without_written(command)
        reason = glance(looked) if not self.rules else ""
        worth = bool(reason) or may_be_long(looked) or bool(self.rules)
        if self.learned and self._has_past():
            past = self._past(command, worth=worth)
            if past is not None:
                return past
        if reason:
            return "force", reason
        if worth:
            from hookwright.shell.duration import longest_in  # noqa: PLC0415  most commands name no such program

            _, found = longest_in(command, event.cwd or ".", self.world.home or "", self.rules)
            if found is not None:
                return found.verdict, found.reason
        return "none", ""

    def _past(self, command: str, *, worth: bool) -> tuple[str, str] | None:
        """What past runs decide, if they do. A command with a quick name is asked about only where it may be slow."""
        from hookwright.state.durations import SLOW_AT, glimpse  # noqa: PLC0415  its cost is in the bundle

        folder = project_dir(self.world.state or "", self.world.project)
        seen = glimpse(folder, command, every=worth or self.long_seconds < SLOW_AT)
        if seen is None:
            return None
        from hookwright.plan.experience import weighed  # noqa: PLC0415

        return weighed(self, folder, command, seen)

    def _has_past(self) -> bool:
        """Is there anything to look up? One system call, so that projects without a past pay nothing more."""
        state, project = self.world.state, self.world.project
        return bool(state and project) and posix.access(project_dir(state or "", project) + "/durations", posix.F_OK)

    def _matches_extra(self, command: str) -> bool:
        from hookwright.shell.expressions import found_in  # noqa: PLC0415  only users of this option pay for it

        return found_in(self.extra, command, self.world.facts)

    def _debug(self, text: str) -> None:
        if self.debug:
            import sys  # noqa: PLC0415

            sys.stderr.write(f"hookwright auto_background: {text}\n")
            sys.stderr.flush()
