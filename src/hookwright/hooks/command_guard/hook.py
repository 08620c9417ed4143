"""Command guard: denies calls that would destroy something, asks about risky ones, protects certain files.

payload → event → [this hook] → decision → stdout
Denies only what the literal words prove, never approves, and always names a safer command that its own rules let pass.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook
from hookwright.options import REQUIRED, option
from hookwright.protocol.events.tool import PreToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import SessionView
    from hookwright.hooks.command_guard.rule_api import Finding
    from hookwright.protocol.decisions import Decision

WRITERS = ("Write", "Edit", "NotebookEdit")
COMMANDS = ("Bash", "Monitor")  # the client runs what Monitor is given in the same shell
# Other tools and the modules in `tools/` that judge them.
OTHERS = {
    "Grep": "search",
    "Glob": "search",
    "WebFetch": "web",
    "WebSearch": "web",
    "Agent": "agents",
    "Task": "agents",  # its former name
    "PowerShell": "powershell",
    "mcp__*": "mcp",
}
_TOOLS = "hookwright.hooks.command_guard.tools."
LEVELS = ("off", "ask", "deny")


def _check_rule_ids(names: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.hooks.command_guard.option_checks import validate_ids

    return validate_ids(names)


def _check_rules(rows: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    from hookwright.hooks.command_guard.option_checks import validate_rules

    return validate_rules(rows)


def _check_exceptions(rows: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    from hookwright.hooks.command_guard.option_checks import validate_exceptions

    return validate_exceptions(rows)


class CommandGuard(Hook):
    """Deny destructive commands, ask about risky ones, protect certain files."""

    on = (PreToolUse, "Bash", "Read", *WRITERS, "Monitor", *OTHERS)
    failure = "ask"
    needs: Mapping[str, tuple[str, ...]] = {
        **dict.fromkeys(COMMANDS, ("hookwright.hooks.command_guard.prefilter",)),
        **dict.fromkeys(("Read", *WRITERS), (_TOOLS + "evaluate_tool", _TOOLS + "files")),
        **{tool: (_TOOLS + "evaluate_tool", _TOOLS + name) for tool, name in OTHERS.items()},
    }
    session: SessionView | None = None  # set where the session's own files matter
    off: tuple[str, ...] = option((), check=_check_rule_ids, adds=True, help="Ids of rules that are switched off.")
    ask: tuple[str, ...] = option(
        (), check=_check_rule_ids, adds=True, help="Ids of rules that ask instead of denying."
    )
    deny: tuple[str, ...] = option(
        (), check=_check_rule_ids, adds=True, tighter="more", help="Ids of rules that deny instead of asking."
    )
    branches: tuple[str, ...] = option(
        (), adds=True, tighter="more", help="More shared branches, besides main, master, develop and the like."
    )
    scripts: bool = option(
        True,
        tighter=(False, True),
        help="Also check what the project's tasks run (npm run, make, just …); reads its files.",
    )
    secrets: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="A file tool reads or writes keys, .env and other secrets."
    )
    git: str = option("ask", choices=LEVELS, tighter=LEVELS, help="A file tool writes inside .git.")
    profiles: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="A file tool writes a file that every new shell runs."
    )
    settings: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="A file tool writes settings of Claude Code or hookwright."
    )
    outside: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="A file tool writes outside of the project and temp directories."
    )
    sandbox: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="A command is to run outside of Claude Code's sandbox."
    )
    taint: str = option(
        "off",
        choices=("off", "shadow", "on"),
        tighter=("off", "shadow", "on"),
        help="After content from outside (web, MCP, downloads) entered the session, rules for network code, secrets, "
        "remote writes and settings go one step up. shadow: only recorded.",
    )
    deny_paths: tuple[str, ...] = option(
        (),
        adds=True,
        tighter="more",
        help="Paths that no file tool and no command may name; `*` and `**` are wildcards.",
    )
    ask_paths: tuple[str, ...] = option(
        (), adds=True, tighter="more", help="Paths that a file tool or command may name only after asking."
    )
    free_paths: tuple[str, ...] = option(
        (), adds=True, help="Paths that file tools may use although they are secret or outside of the project."
    )
    rules: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        adds=True,
        tighter="more",
        check=_check_rules,
        help="Your own rules: a rule applies to a call that has everything the rule names.",
        columns={
            "program": option(REQUIRED, kind="words", help='the program, or a list of them; "*" for any'),
            "subcommand": option("", help="its first operands, such as `db reset`; empty: any"),
            "flags": option((), help="at least one of these flags is given"),
            "paths": option(
                (),
                help="at least one of these paths is named; with `*` and `**`, a directory includes all in it",
            ),
            "verdict": option("ask", choices=("ask", "deny"), help="ask or deny"),
            "reason": option("", help="the reason that is shown"),
            "instead": option("", help="a safer command to suggest"),
            "name": option("", help="its id, for exceptions and the log"),
        },
    )
    exceptions: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        adds=True,
        check=_check_exceptions,
        help="What passes although a rule applies: by rule, by exact command, or both; optionally until a day.",
        columns={
            "rule": option("", help="the rule's id"),
            "command": option("", help="the exact command, or one exact call in it"),
            "until": option("", help="the last day on which it is valid, such as 2030-12-31"),
            "reason": option("", help="why; not used"),
        },
    )

    def decide(self, event: PreToolUse) -> Decision | None:
        findings = self.collect_findings(event)
        if not findings and self.taint == "off" and not self._may_make(event):
            return None
        from hookwright.hooks.command_guard.session.conclude import conclude

        return conclude(self, event, findings)

    def collect_findings(self, event: PreToolUse) -> list[Finding]:
        """The findings on this call, strictest first, after the user's rules and exceptions."""
        tool_input = event.tool_input
        tool = event.tool_name
        if not isinstance(tool_input, dict):
            return []
        if tool not in COMMANDS:
            from hookwright.hooks.command_guard.tools.evaluate_tool import evaluate_tool

            module = "files" if tool == "Read" or tool in WRITERS else OTHERS.get(tool, "mcp")
            return evaluate_tool(self, module, event)
        command = tool_input.get("command")
        if not isinstance(command, str):
            return []
        if not (self.rules or self.deny_paths or self.ask_paths):
            from hookwright.hooks.command_guard.prefilter import find_task_files, may_matter, may_run_script

            if (
                not may_matter(command)
                and "dangerouslyDisableSandbox" not in tool_input
                and not may_run_script(command, self.world.state, event.session_id)
                and not (self.scripts and self._task_matters(command, find_task_files(command, event.cwd)))
            ):
                return []
        from hookwright.hooks.command_guard.session.commands import evaluate_call

        return evaluate_call(self, event, command)

    def _task_matters(self, command: str, files: list[str]) -> bool:
        """Whether the project's tasks that the command may run, in these files, have to be read."""
        if not files:
            return False
        from hookwright.hooks.command_guard.task_files import tasks_matter

        return tasks_matter(command, files)

    def _may_make(self, event: PreToolUse) -> bool:
        """Whether the call may make or edit files, which is noted before it runs."""
        if event.tool_name in COMMANDS:
            from hookwright.hooks.command_guard.prefilter import may_make

            command = event.tool_input.get("command") if isinstance(event.tool_input, dict) else None
            return isinstance(command, str) and may_make(command)
        return event.tool_name in WRITERS
