"""hookwright allow: let one command pass, or everything that one rule stops; a person's command, and undoable."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.arguments import json_option, yes_option
from hookwright.cli.config_choice import ConfigChoice, choose_file, write_choice
from hookwright.cli.config_context import ConfigContext
from hookwright.cli.guard_findings import BASH, find_findings
from hookwright.cli.ledger_context import open_ledger
from hookwright.cli.output import OK, WARNING, bold, dim, print_json, print_line
from hookwright.cli.prompts import confirm_change
from hookwright.cli.require_person import require_person
from hookwright.cli.text import escape_line, shorten_home
from hookwright.config import config_edit, config_files
from hookwright.errors import UserError
from hookwright.store import queries
from hookwright.store.event_rows import parse_decisions

if TYPE_CHECKING:
    import sqlite3

    from hookwright.hooks.command_guard.rule_api import Finding

LAST = "last"
GUARD = "command_guard"
PERSONAL = ("guard-off", "questions-decided", "protected-private")  # deny an agent what only a person may do
# What is judged of a tool's input; others have file_path.
FILE_KEYS = {
    "NotebookEdit": "notebook_path",
    "Grep": "path",
    "Glob": "path",
    "WebFetch": "url",
    "WebSearch": "query",
    "PowerShell": "command",
    "Monitor": "command",
}
FILE_TOOLS = ("Read", "Write", "Edit", "NotebookEdit")


@dataclass(frozen=True)
class Refused:
    """What was stopped: a command or a file of a tool (`text`), and the rules that stopped it; text "": the rule."""

    rules: tuple[str, ...]
    text: str = ""
    tool: str = BASH
    cwd: str = ""

    @property
    def exception(self) -> dict[str, str]:
        """The narrowest exception: this rule for exactly this command. Several rules: exactly this command."""
        return {"rule": self.rules[0] if len(self.rules) == 1 else "", "command": self.text}

    @property
    def tool_input(self) -> dict[str, Any]:
        if self.tool.startswith("mcp__"):
            given = json.loads(self.text.partition(" ")[2] or "{}")
            return given if isinstance(given, dict) else {}
        return {"command" if self.tool == BASH else FILE_KEYS.get(self.tool, "file_path"): self.text}


@click.command("allow", epilog="Example:  hookwright allow last")
@click.argument("what", metavar="last|ID|RULE|COMMAND")
@click.option("--here", "scope", flag_value="here", help="Only in this project, for you alone. [default]")
@click.option("--everywhere", "scope", flag_value="everywhere", help="In every project.")
@yes_option
@json_option
def command(*, what: str, scope: str | None, yes: bool, as_json: bool) -> int:
    """Let a command pass that the guard denied or asked about.

    `last` is the last one in this project, ID one of `hookwright log`; both allow exactly that command, and only for
    the rule that stopped it. RULE allows everything that this rule stops. COMMAND is a command in quotes.

    Nothing is written into the repository: without --everywhere the exception is in a file of yours for this project.
    Only a person can do this: started by an agent, it refuses. `hookwright undo` reverts it.
    """
    require_person("hookwright allow")
    context = ConfigContext()
    refused = _resolve_refused(what, context, everywhere=scope == "everywhere")
    _refuse_by_policy(context)
    choice = choose_file(context, everywhere=scope == "everywhere")
    exception = refused.exception
    change = config_edit.plan_exception(choice.path, exception, choice.about)
    if change.changed:
        if not as_json:
            _show_plan(refused, choice)
        confirm_change("Allow it?", f"hookwright allow {what if what == LAST else '…'}", yes=yes)
    write_choice(change, choice)
    if as_json:
        print_json({"exception": exception, "file": choice.path, "changed": change.changed})
        return 0
    done = "allowed" if change.changed else "was allowed already"
    print_line(OK, f" {done} {choice.where}: ", bold(_describe(refused)), dim(f"  ({shorten_home(choice.path)})"))
    _show_what_still_stops(refused)
    if change.changed:
        print_line(dim("Undo: hookwright undo"))
    return 0


def _resolve_refused(what: str, context: ConfigContext, *, everywhere: bool) -> Refused:
    from hookwright.hooks.command_guard.rule_catalogue import list_ids  # noqa: PLC0415  imports every rule

    if what == LAST:
        return _read_last(context, everywhere=everywhere)
    rules = list_ids()
    if what in PERSONAL:
        raise UserError(f"{what} keeps an agent from changing what is checked; it cannot be allowed as a whole")
    if what in rules:
        return Refused((what,))
    row = queries.find_event(open_ledger(), what) if what.replace("_", "").isalnum() and len(what) >= 8 else None
    if row is not None:
        return _read_event(row)
    findings, _ = find_findings({"command": what}, os.getcwd(), exceptions=False)
    if any(finding.verdict == "deny" and finding.rule in PERSONAL for finding in findings):
        raise UserError(f"`{escape_line(what, 100)}` is for a person to run; it cannot be allowed to an agent")
    if findings:
        return Refused(_list_rules(findings), what, cwd=os.getcwd())
    close = get_close_matches(what, rules, n=1) if " " not in what.strip() else []
    if close:
        raise UserError(f"there is no rule {what!r}", fix=f"did you mean {close[0]}?")
    raise UserError(
        f"no rule stops `{escape_line(what, 100)}` here, so there is nothing to allow",
        fix="hookwright log --decision deny",
    )


def _is_personal(row: sqlite3.Row) -> bool:
    """True for an agent's attempt to do what only a person may: never what `last` means."""
    extra = json.loads(row["extra"] or "{}")
    rules = (extra.get("guard") or {}).get("rules") or [""]
    return row["answer"] == "deny" and rules[0] in PERSONAL


def _list_rules(findings: list[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.rule for finding in findings))


def _read_last(context: ConfigContext, *, everywhere: bool) -> Refused:
    """The last event that the guard denied or asked about: in this project or, with --everywhere, in any."""
    store = open_ledger()
    which = queries.Filter(hook=GUARD, project="" if everywhere else context.root)
    for row in queries.iterate_latest(store, which, ("deny", "ask")):
        if not _is_personal(row):
            return _read_event(row)
    anywhere = next(iter(queries.iterate_latest(store, queries.Filter(hook=GUARD), ("deny", "ask"))), None)
    if anywhere is None:
        raise UserError("the guard has not denied or asked about anything yet", fix="hookwright log")
    what = "the guard has not denied or asked about anything in this project"
    fix = f"cd {anywhere['project']}, where the last one was; or hookwright allow {LAST} --everywhere"
    raise UserError(what, where=context.root, fix=fix)


def _read_event(row: sqlite3.Row) -> Refused:
    if _is_personal(row):
        raise UserError("this is for a person to run; it cannot be allowed to an agent", where=row["id"])
    extra = json.loads(row["extra"] or "{}")
    guard = extra.get("guard") if isinstance(extra, dict) else None
    rules = tuple(guard["rules"]) if isinstance(guard, dict) and guard.get("rules") else ()
    if not rules:
        hooks = [each.get("hook") for each in parse_decisions(row["decisions"]) if each.get("verdict") != "none"]
        if hooks and row["answer"] in ("deny", "ask", "block"):
            what = f"this was decided by {hooks[0]}, which has no rules to allow"
            raise UserError(what, where=row["id"], fix=f"hookwright off {hooks[0]} --here")
        raise UserError("the guard did not stop this event", where=row["id"], fix="hookwright log --decision deny")
    tool = row["tool"] or BASH
    text = row["command"] if tool == BASH else extra.get("file")
    hidden = [*json.loads(row["masked"] or "[]"), *json.loads(row["truncated"] or "[]")]
    if not text or any(name.startswith(("command", "file", "*")) for name in hidden):
        what = "the record does not hold the whole command: a secret in it was masked, or it was cut"
        raise UserError(what, where=row["id"], fix="hookwright allow 'COMMAND', or hookwright allow " + rules[0])
    return Refused(rules, text, tool, row["project"] or "")


def _refuse_by_policy(context: ConfigContext) -> None:
    policy = context.load_policy()
    if policy.holds_exceptions:
        what = "the administrator's policy keeps the guard on and accepts no exceptions of users; nothing was changed"
        raise UserError(what, where=policy.source or config_files.POLICY_DIR, fix="hookwright policy show")


def _describe(refused: Refused) -> str:
    if not refused.text:
        return f"everything that rule {refused.rules[0]} stops"
    named = refused.tool == BASH or refused.text.startswith(refused.tool)
    return escape_line(refused.text if named else f"{refused.tool} {refused.text}", 200)


def _show_plan(refused: Refused, choice: ConfigChoice) -> None:
    print_line("Allow ", bold(_describe(refused)))
    if refused.text:
        rules = ", ".join(refused.rules)
        what = "command" if refused.tool == BASH else "file" if refused.tool in FILE_TOOLS else "call"
        only = f"for exactly this {what}"
        print_line(f"  although  {rules} ", dim(f"({only}; every other one is stopped as before)"), hang=12)
    print_line(f"  where     {choice.explained}", hang=12)
    print_line(f"  file      {shorten_home(choice.path)}", hang=12)


def _show_what_still_stops(refused: Refused) -> None:
    """The proof: the guard is asked again, with the configuration as it is now."""
    if not refused.text:
        return
    findings, mode = find_findings(refused.tool_input, refused.cwd or os.getcwd(), refused.tool)
    if findings and mode != "off":
        rules = ", ".join(_list_rules(findings))
        print_line(WARNING, f" it is still stopped by {rules}; see: hookwright explain", hang=2)
    elif refused.tool == BASH:
        print_line(OK, " checked: the guard lets it pass now")
