"""Command guard: what would destroy is refused, what might is asked about, all else is none of its business.

payload → event → [this hook: rules.judge, or the class of a file] → decision → stdout
Denies only what literal words prove, never approves, and always names a way on that its own rules let pass.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook
from hookwright.options import REQUIRED, option
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events.tool import PreToolUse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.rules.kit import Finding

WRITERS = ("Write", "Edit", "NotebookEdit")
LEVELS = ("off", "ask", "deny")


def _known_rules(names: tuple[str, ...]) -> tuple[str, ...]:
    from hookwright.rules.own import known_ids  # noqa: PLC0415  asked when files are read

    return known_ids(names)


def _rules(rows: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    from hookwright.rules.own import checked_rules  # noqa: PLC0415

    return checked_rules(rows)


def _exceptions(rows: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    from hookwright.rules.own import checked_exceptions  # noqa: PLC0415

    return checked_exceptions(rows)


class CommandGuard(Hook):
    """Refuse commands that would destroy; ask about those that might; protect certain files."""

    on = (PreToolUse, "Bash", "Read", *WRITERS)
    section = "guard"
    failure = "ask"
    needs: Mapping[str, tuple[str, ...]] = {
        "Bash": ("hookwright.rules.worth",),
        **dict.fromkeys(("Read", *WRITERS), ("hookwright.rules.files",)),
    }
    off: tuple[str, ...] = option((), check=_known_rules, adds=True, help="Rules that are switched off, by name.")
    ask: tuple[str, ...] = option(
        (), check=_known_rules, adds=True, help="Rules that ask where they would refuse, by name."
    )
    deny: tuple[str, ...] = option(
        (), check=_known_rules, adds=True, tighter="more", help="Rules that refuse where they would ask, by name."
    )
    branches: tuple[str, ...] = option(
        (), adds=True, tighter="more", help="More branches that others build on, besides main, master and their kind."
    )
    scripts: bool = option(
        False,
        tighter=(False, True),
        help="Judge what the project's own scripts run (npm run, make, just …) too; costs a look at its files.",
    )
    secrets: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="When a file tool reads or writes keys, .env and other secrets."
    )
    git: str = option("ask", choices=LEVELS, tighter=LEVELS, help="When a file tool writes inside .git.")
    profiles: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="When a file tool writes what every new shell runs."
    )
    settings: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="When a file tool writes settings of Claude Code or hookwright."
    )
    outside: str = option(
        "ask", choices=LEVELS, tighter=LEVELS, help="When a file tool writes outside of the project and temp folders."
    )
    deny_paths: tuple[str, ...] = option(
        (),
        adds=True,
        tighter="more",
        help="Paths that no file tool and no command may name; with `*` and `**`.",
    )
    ask_paths: tuple[str, ...] = option(
        (), adds=True, tighter="more", help="Paths that are asked about before a file tool or command names them."
    )
    free_paths: tuple[str, ...] = option(
        (), adds=True, help="Paths that file tools may touch although they are secret or lie outside of the project."
    )
    rules: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        adds=True,
        tighter="more",
        check=_rules,
        help="Rules of your own: a call is met when everything that a rule names is there.",
        columns={
            "program": option(REQUIRED, kind="words", help='the program, or a list of them; "*" for any'),
            "subcommand": option("", help="its first words, such as `db reset`; empty: any"),
            "flags": option((), help="one of these flags is given"),
            "paths": option((), help="one of these paths is named, with `*` and `**`; a folder means all in it"),
            "verdict": option("ask", choices=("ask", "deny"), help="ask or deny"),
            "reason": option("", help="what the reader is told"),
            "instead": option("", help="a better command"),
            "name": option("", help="a name for exceptions and the log"),
        },
    )
    exceptions: tuple[Mapping[str, Any], ...] = option(
        (),
        kind="tables",
        adds=True,
        check=_exceptions,
        help="What passes all the same: by rule, by exact command, or both; perhaps for a while.",
        columns={
            "rule": option("", help="the rule's name"),
            "command": option("", help="the exact command, or the exact call in a longer one"),
            "until": option("", help="the last day on which it counts"),
            "reason": option("", help="why, for those who read the file"),
        },
    )

    def decide(self, event: PreToolUse) -> Decision | None:
        findings = self.findings(event)
        if not findings:
            return None
        from hookwright.rules.guard import told  # noqa: PLC0415  most calls end above

        self.world.facts["guard"] = {"rules": [finding.rule for finding in findings], "instead": findings[0].instead}
        return Decision(findings[0].verdict, told(findings))

    def findings(self, event: PreToolUse) -> list[Finding]:
        """What is to be said about this call, strictest first, with the user's rules and exceptions counted in."""
        given = event.tool_input
        tool = event.tool_name
        if not isinstance(given, dict):
            return []
        if tool != "Bash":
            path = given.get("notebook_path" if tool == "NotebookEdit" else "file_path")
            if not isinstance(path, str) or not path:
                return []
            from hookwright.rules.files import of_file  # noqa: PLC0415  each tool brings what it needs

            return of_file(self, path, event.cwd, tool, writes=tool in WRITERS)
        command = given.get("command")
        if not isinstance(command, str):
            return []
        if not (self.rules or self.deny_paths or self.ask_paths or self.scripts):
            from hookwright.rules.worth import may_matter  # noqa: PLC0415

            if not may_matter(command):
                return []
        from hookwright.rules.guard import of_command  # noqa: PLC0415

        return of_command(self, command, event.cwd)
