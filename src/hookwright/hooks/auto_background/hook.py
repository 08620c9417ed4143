"""Auto-background: runs long commands in the background, so that the conversation can continue.

payload → event → [this hook] → decision → stdout
Sets `run_in_background` and drops `timeout` (it would kill the job), nothing else; permission stays with the user.
"""

from __future__ import annotations

import posix

from hookwright.hooks.base import Hook, is_headless
from hookwright.options import REQUIRED, mode_option, option
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events.tool import PreToolUse
from hookwright.shell.families import match_certain_command, may_be_long
from hookwright.store.paths import project_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_OFF = {"0": "off"}
_DISABLED = "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS"
# Values of `class` in [[auto_background.rules]]; shell/duration.py maps each to a verdict.
CLASSES = (
    *("quick", "suggest", "force", "install", "build", "server", "watch", "follow", "terminal", "wait", "job", "infra"),
    *("test", "check", "download", "transfer", "container", "database", "script", "vcs"),
)


class AutoBackground(Hook):
    """Run long commands in the background."""

    on = (PreToolUse, "Bash")
    # Loaded with the hook: to import it for a command that is moved would cost more than to have it always.
    needs: Mapping[str, tuple[str, ...]] = {"Bash": ("hookwright.hooks.auto_background.telling",)}
    mode: str = mode_option(env={"CLAUDE_AUTOBACKGROUND": _OFF})
    action: str = option(
        "force",
        choices=("force", "suggest"),
        env={"CLAUDE_AUTOBACKGROUND_MODE": {"force": "force", "suggest": "suggest"}},
        help="force: move long commands to the background; suggest: only tell Claude that they may take long.",
    )
    by_name: str = option(
        "seed",
        choices=("seed", "endless", "never"),
        help="What the name of a command nobody has seen run may do. seed: whatever is long by its name is moved; "
        "endless: only what does not end by itself (servers, watchers, followers, tunnels, loops, training); never: "
        "nothing. What is not moved is noted. Past runs count in all three.",
    )
    patience: int = option(
        30, help="Seconds: a command with an explicit timeout of at most this stays in the foreground."
    )
    headless: bool = option(
        False,
        help="Also act in headless runs (claude -p, SDK), where no user waits.",
    )
    extra: str = option(
        "",
        env={"CLAUDE_AUTOBACKGROUND_EXTRA": None},
        help="A POSIX extended regular expression; a command with a match is long.",
    )
    rules: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        help="Your own programs; the first rule that matches a call wins over the families.",
        columns={
            "program": option(REQUIRED, kind="text", help="the program's name, without directories"),
            "subcommand": option("", help="its first operands, such as `deploy` or `db reset`; empty: any"),
            "flags": option((), help="flags that must all be given"),
            "class": option(REQUIRED, kind="text", choices=CLASSES, help="quick, suggest, force, or a kind of work"),
        },
    )
    learned: bool = option(True, help="Let past runs of a command in this project outweigh the family of its program.")
    long_seconds: int = option(60, help="A run that takes longer than this is long.")
    long_at: float = option(0.6, help="A command is moved from this probability of a long run on.")
    quick_at: float = option(
        0.4,
        help="A command stays up to this probability of a long run; in between, the last decision for it is repeated.",
    )
    tell_user: bool = option(True, help="Show you one line when a command is moved, once per kind and session.")
    polling: str = option(
        "tell",
        choices=("off", "tell", "deny"),
        help="Commands that wait by asking again and again. tell: Claude learns that it is notified anyway; deny: "
        "those that never end, or that sleep before reading a background command's output, do not run.",
    )
    debug: bool = option(
        False,
        env={"CLAUDE_AUTOBACKGROUND_DEBUG": None, "AGENT_OS_DEBUG": None},
        help="Say the reason on stderr.",
    )

    def decide(self, event: PreToolUse) -> Decision | None:
        tool = event.tool_input
        command = tool.get("command") if isinstance(tool, dict) else None
        if not isinstance(command, str) or not command.strip():
            return None
        skip_reason = self._skip_reason(event)
        if skip_reason:
            self.log_debug(f"left alone: {skip_reason}")
            return None
        verdict, reason = self.classify_command(event, command)
        self.log_debug(f"{verdict}: {reason}" if reason else verdict)
        if verdict == "none":
            return None
        from hookwright.hooks.auto_background import telling  # noqa: PLC0415  most commands are quick

        polling = self._find_polling(event, command)
        if verdict == "force" and self.action == "force":
            return telling.build_move(
                self.world,
                event,
                reason,
                polling=polling,
                tell_user=self.tell_user,
                deny_polling=self.polling == "deny",
            )
        return telling.build_note(self.world, event, reason, polling)

    def _find_polling(self, event: PreToolUse, command: str) -> str:
        """What the command polls, as polling.find_polling says it; "" for nothing."""
        if self.polling == "off" or "sleep" not in command:
            return ""
        from hookwright.hooks.auto_background.polling import find_polling  # noqa: PLC0415  few commands sleep

        return find_polling(command, event.cwd or ".", self.world.home or "")

    def _skip_reason(self, event: PreToolUse) -> str:
        """Why this call is left as it is; "" if it may be changed."""
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
            return "no user waits in a headless run"
        return ""

    def classify_command(self, event: PreToolUse, command: str) -> tuple[str, str]:
        """The verdict on a command (force, suggest or none) and its reason; `explain` asks for it too."""
        if self.extra and self._matches_extra(command):
            return "force", "it matches the configured expression"
        verdict, reason = self._classify_unless_told(event, command)
        state, project = self.world.state, self.world.project
        if verdict != "force" or not self.learned or not state or not project:
            return verdict, reason
        if posix.access(project_dir(state, project) + "/demoted", posix.F_OK):
            from hookwright.hooks.auto_background.demoted import find_demotion  # noqa: PLC0415  few projects have any

            demotion = find_demotion(self.world, event.cwd or ".", command, self.rules)
            if demotion:
                return "none", demotion
        return verdict, reason

    def _classify_unless_told(self, event: PreToolUse, command: str) -> tuple[str, str]:
        """The verdict by past runs, else by name."""
        text = command
        if "<<" in command:
            from hookwright.shell.strip_heredocs import strip_heredocs  # noqa: PLC0415

            text = strip_heredocs(command)  # the text of a here-document is data: naming a program there runs nothing
        reason = match_certain_command(text) if not self.rules and self.by_name == "seed" else ""
        may_run_long = bool(reason) or may_be_long(text) or bool(self.rules)
        if self.learned and self._has_history(may_run_long=may_run_long):
            learned = self._decide_from_history(command, may_run_long=may_run_long)
            if learned is not None:
                return learned
        if reason:
            return "force", reason
        if may_run_long:
            from hookwright.shell import duration  # noqa: PLC0415  most commands name no such program

            _, found = duration.find_longest_in_text(command, event.cwd or ".", self.world.home or "", self.rules)
            if found is not None:
                return duration.limit_by_name(found, self.by_name), found.reason
        return "none", ""

    def _decide_from_history(self, command: str, *, may_run_long: bool) -> tuple[str, str] | None:
        """Verdict and reason from past runs; None if they do not decide.

        A command that its program's name makes quick is looked up only if one of its keys may be slow.
        """
        from hookwright.store.durations_read import SHARED, SLOW_AT, probe_command  # noqa: PLC0415  only where there are some

        state = self.world.state or ""
        folder = project_dir(state, self.world.project)
        found = probe_command(folder, command, every=may_run_long or self.long_seconds < SLOW_AT)
        shared = f"{state}/{SHARED}" if may_run_long else ""
        if found is None:
            if not shared or probe_command(shared, command, every=True) is None:
                return None
            folder, shared, found = shared, "", ()
        from hookwright.hooks.auto_background.learned import decide_from_history  # noqa: PLC0415

        return decide_from_history(
            folder,
            command,
            found,
            self.world.facts,
            shared=shared,
            long_seconds=self.long_seconds,
            long_at=self.long_at,
            quick_at=self.quick_at,
        )

    def _has_history(self, *, may_run_long: bool) -> bool:
        """Whether this project has learned durations: one system call, all that a project without them pays.

        A command that is long by its name is looked up in what all projects share, too.
        """
        state, project = self.world.state, self.world.project
        if not state or not project:
            return False
        if posix.access(project_dir(state, project) + "/durations", posix.F_OK):
            return True
        return may_run_long and posix.access(f"{state}/shared/durations", posix.F_OK)

    def _matches_extra(self, command: str) -> bool:
        from hookwright.shell.posix_ere import matches_ere  # noqa: PLC0415  only users of this option pay for it

        return matches_ere(self.extra, command, self.world.facts)
