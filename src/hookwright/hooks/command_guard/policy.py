"""Applies the user's configuration to the findings of the rules, and words the result.

hook → [evaluate_command: parse → evaluate + user_rules → apply_adjustments] → findings → [format_reasons] → reason
Loaded when the prefilter lets a command through or a file is protected.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.evaluate import judge
from hookwright.hooks.command_guard.rule_api import SHARED_BRANCHES, sort_findings

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.guard_settings import Adjustments, CommandSettings
    from hookwright.hooks.command_guard.rule_api import Finding

MAX_REASONS = 3  # findings in one text


def evaluate_command(settings: CommandSettings, text: str, cwd: str) -> list[Finding]:
    """The findings on a shell command, strictest first, after the user's rules and exceptions."""
    findings = _evaluate_calls(settings, text, cwd, scripts=False)
    if settings.scripts and not (findings and findings[0].verdict == "deny"):
        # Reading the project's files comes second: whatever is in them, what the command itself says is denied.
        findings = _evaluate_calls(settings, text, cwd, scripts=True)
    return findings


def _evaluate_calls(settings: CommandSettings, text: str, cwd: str, *, scripts: bool) -> list[Finding]:
    from hookwright.shell.command import parse_cached

    world = settings.world
    project = world.project or cwd
    command = parse_cached(text, cwd or ".", world.home or "", scripts=scripts)
    branches = (*SHARED_BRANCHES, *settings.branches) if settings.branches else SHARED_BRANCHES
    findings = judge(command, project, branches, settings.off, env=world.env)
    if settings.rules or settings.deny_paths or settings.ask_paths:
        from hookwright.hooks.command_guard import user_rules

        excess = user_rules.find_excess(command, settings.rules, (*settings.deny_paths, *settings.ask_paths))
        if excess:
            return sort_findings(apply_adjustments(settings, findings + excess, text))
        findings += user_rules.check_rules(command, settings.rules, project)
        findings += user_rules.check_paths(command, settings.deny_paths, "deny", project)
        findings += user_rules.check_paths(command, settings.ask_paths, "ask", project)
    return sort_findings(apply_adjustments(settings, findings, text)) if findings else findings


def apply_adjustments(settings: Adjustments, findings: list[Finding], text: str) -> list[Finding]:
    """The findings that remain, softened and hardened as the user wants. `text`: the command, or the path of a file."""
    kept = []
    for finding in findings:
        if finding.rule in settings.off:
            continue
        if finding.verdict == "deny" and finding.rule in settings.ask:
            finding.verdict = "ask"
        elif finding.verdict == "ask" and finding.rule in settings.deny:
            finding.verdict = "deny"
        kept.append(finding)
    if not kept or not settings.exceptions:
        return kept
    from hookwright.hooks.command_guard.user_rules import is_excepted

    return [finding for finding in kept if not is_excepted(finding, text, settings.exceptions, settings.world.now)]


def format_reasons(findings: list[Finding]) -> str:
    """The reason of a decision: its strictest findings, at most MAX_REASONS."""
    strictest = findings[0].verdict
    return " ".join([format_reason(finding) for finding in findings if finding.verdict == strictest][:MAX_REASONS])


def format_reason(finding: Finding) -> str:
    """One finding in words: what was seen, a safer command, and the rule's id (to switch it off)."""
    call = finding.call
    note = ""
    if call is not None and call.substitution and call.quoted and finding.rule != "message-substitution":
        note = " It stands in double quotes, but the shell runs it all the same."
    safer = f" Safer: `{finding.instead}`." if finding.instead else ""
    return f"{finding.reason}.{note}{safer} (rule {finding.rule})"
