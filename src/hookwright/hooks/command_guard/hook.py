"""Command guard: denies calls that would destroy something, asks about risky ones, protects certain files.

payload → event → [this hook] → decision → stdout
Denies only what the literal words prove, never approves, and always names a safer command that its own rules let pass.
"""

from __future__ import annotations

import posix

from hookwright.hooks.base import Hook
from hookwright.options import REQUIRED, option
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events.tool import PreToolUse
from hookwright.store.paths import session_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import SessionView
    from hookwright.hooks.command_guard.rule_api import Finding

WRITERS = ("Write", "Edit", "NotebookEdit")
COMMANDS = ("Bash", "Monitor")  # the client runs what Monitor is given in the same shell
# Parts of commands that make or write files, or move them.
MAKERS = (
    "mkdir",
    "clone",
    "worktree",
    ">",
    "tee ",
    "touch ",
    "cp ",
    "mv ",
    "unzip",
    "init",
    "create-",
    " new ",
    "sed -",
)
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
        **dict.fromkeys(("Read", *WRITERS), ("hookwright.hooks.command_guard.file_access",)),
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
        False,
        tighter=(False, True),
        help="Also check what the project's scripts run (npm run, make, just …); reads its files.",
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
        if findings and self.world.state is not None:
            from hookwright.hooks.command_guard.session.reconsider import reconsider

            findings = reconsider(self, event, findings)
        self._note_call(event, findings)
        if not findings:
            return None
        from hookwright.hooks.command_guard.policy import format_reasons

        path = event.tool_input.get("notebook_path" if event.tool_name == "NotebookEdit" else "file_path")
        if isinstance(path, str):
            self.world.facts["file"] = path
        rules = [finding.rule for finding in findings]
        self.world.facts["guard"] = facts = {"rules": rules, "instead": findings[0].instead}
        if event.tool_name not in COMMANDS:
            from hookwright.hooks.command_guard.tools.describe_call import describe_call

            facts["judged"] = describe_call(event.tool_name, event.tool_input)
        return Decision(findings[0].verdict, format_reasons(findings), label=findings[0].rule)

    def _note_call(self, event: PreToolUse, findings: list[Finding]) -> None:
        """Note what the call is about to make, so that its deletion later is known to lose nothing."""
        tool, given = event.tool_name, event.tool_input
        if not self.world.alone or not isinstance(given, dict) or (findings and findings[0].verdict == "deny"):
            return
        asked = ""
        if findings:
            from hookwright.hooks.command_guard.session.reconsider import build_key, is_repeatable

            asked = build_key(tool, given, event.cwd) if is_repeatable(tool, findings) else ""
        command = given.get("command")
        makes = tool in WRITERS or (tool in COMMANDS and isinstance(command, str) and any(w in command for w in MAKERS))
        if makes or asked:
            from hookwright.hooks.command_guard.session.notes import note_tool

            call = event.raw.get("tool_use_id")
            note_tool(self.world, event.session_id, str(call or ""), tool, given, event.cwd, asked)

    def collect_findings(self, event: PreToolUse) -> list[Finding]:
        """The findings on this call, strictest first, after the user's rules and exceptions."""
        tool_input = event.tool_input
        tool = event.tool_name
        if not isinstance(tool_input, dict):
            return []
        if tool in COMMANDS:
            return self._judge_command(tool_input, event)
        if tool == "Read" or tool in WRITERS:
            return self._judge_file(tool_input, event.cwd, tool)
        from hookwright.hooks.command_guard.tools.evaluate_tool import evaluate_tool

        return evaluate_tool(
            self, OTHERS.get(tool, "mcp"), tool, tool_input, event.cwd, str(event.raw.get("permission_mode"))
        )

    def _judge_command(self, tool_input: Mapping[str, Any], event: PreToolUse) -> list[Finding]:
        cwd = event.cwd
        command = tool_input.get("command")
        if not isinstance(command, str):
            return []
        findings: list[Finding] = []
        if tool_input.get("dangerouslyDisableSandbox") is True and self.sandbox != "off":
            from hookwright.hooks.command_guard.tools.sandbox import check_sandbox

            findings = check_sandbox(self, command)
        if self.world.state is not None and has_scripts(self.world.state, event.session_id):
            from hookwright.hooks.command_guard.session.scripts import evaluate_scripts

            findings += evaluate_scripts(self, event.session_id, command, cwd)
        if not (self.rules or self.deny_paths or self.ask_paths or self.scripts):
            from hookwright.hooks.command_guard.prefilter import may_matter

            if not may_matter(command):
                return findings
        from hookwright.hooks.command_guard.policy import evaluate_command

        found = evaluate_command(self, command, cwd)
        return sort_strictest(found + findings) if findings else found

    def _judge_file(self, tool_input: Mapping[str, Any], cwd: str, tool: str) -> list[Finding]:
        path = tool_input.get("notebook_path" if tool == "NotebookEdit" else "file_path")
        if not isinstance(path, str) or not path:
            return []
        from hookwright.hooks.command_guard.file_access import evaluate_file_access

        findings = evaluate_file_access(self, path, cwd, tool, writes=tool != "Read")
        if tool != "Read":
            from hookwright.hooks.command_guard.live_keys import may_hold_key

            if may_hold_key(str(tool_input.get("content") or tool_input.get("new_string") or tool_input)):
                from hookwright.hooks.command_guard.tools.written_keys import evaluate_content

                findings = sort_strictest(findings + evaluate_content(self, tool_input, path, tool))
        return findings


def has_scripts(state: str, session: str) -> bool:
    """Whether this session wrote scripts; see store/session_marks.py."""
    try:
        return posix.access(session_dir(state, session) + "/scripts", posix.R_OK)
    except ValueError:
        return False


def sort_strictest(findings: list[Finding]) -> list[Finding]:
    from hookwright.hooks.command_guard.rule_api import sort_findings

    return sort_findings(findings)
