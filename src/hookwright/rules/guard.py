"""What the hook makes of the rules: the user's own counted in, switches and exceptions applied, one text to tell.

hooks/command_guard.py → [of_command, told] → decision
Loaded when a command is worth reading or a file is protected.
"""

from __future__ import annotations

from hookwright.rules import SHARED
from hookwright.rules.judging import in_order, judge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.rules.kit import Finding

MOST = 3  # findings in one text


def of_command(guard: Any, text: str, cwd: str) -> list[Finding]:
    """What is to be said about a command; `guard` is the hook with its options."""
    from hookwright.shell.shared import read

    world = guard.world
    project = world.project or cwd
    command = read(text, cwd or ".", world.home or "", scripts=guard.scripts)
    findings = judge(command, project, (*SHARED, *guard.branches) if guard.branches else SHARED, guard.off)
    if guard.rules or guard.deny_paths or guard.ask_paths:
        from hookwright.rules import own

        findings += own.found(command, guard.rules, project)
        findings += own.on_paths(command, guard.deny_paths, "deny", project)
        findings += own.on_paths(command, guard.ask_paths, "ask", project)
    return in_order(as_configured(guard, findings, text)) if findings else findings


def as_configured(guard: Any, findings: list[Finding], text: str) -> list[Finding]:
    """Switched off, softened, hardened or excepted, as the user wants it."""
    kept = []
    for finding in findings:
        if finding.rule in guard.off:
            continue
        if finding.verdict == "deny" and finding.rule in guard.ask:
            finding.verdict = "ask"
        elif finding.verdict == "ask" and finding.rule in guard.deny:
            finding.verdict = "deny"
        kept.append(finding)
    if not kept or not guard.exceptions:
        return kept
    from hookwright.rules.own import excepted

    return [finding for finding in kept if not excepted(finding, text, guard.exceptions, guard.world.now)]


def told(findings: list[Finding]) -> str:
    """The strictest findings in words."""
    strictest = findings[0].verdict
    return " ".join([sentence(finding) for finding in findings if finding.verdict == strictest][:MOST])


def sentence(finding: Finding) -> str:
    """What was seen, what it would do, the way on, and the rule's name for who wants it otherwise."""
    call = finding.call
    note = ""
    if call is not None and call.substitution and call.quoted and finding.rule != "message-substitution":
        note = " It stands in double quotes, but the shell runs it all the same."
    way = f" Safer: `{finding.instead}`." if finding.instead else ""
    return f"{finding.reason}.{note}{way} (rule {finding.rule})"
