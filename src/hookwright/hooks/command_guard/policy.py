"""Applies the user's configuration to the findings of the rules, and words the result.

hook → [evaluate_command: parse → evaluate + user_rules → apply_adjustments] → findings → [format_reasons] → reason
Loaded when the prefilter lets a command through or a file is protected.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.evaluate import judge
from hookwright.hooks.command_guard.rule_api import SHARED_BRANCHES, sort_findings
from hookwright.shell.call import SCRIPTED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.guard_settings import Adjustments, CommandSettings
    from hookwright.hooks.command_guard.rule_api import Finding
    from hookwright.shell.command import Call

MAX_REASONS = 3  # findings in one text
SHOWN_CHARS = 199  # of a denial that the client shows the person, its own first words included
CLIENT_WORDS = len("PreToolUse:Bash hook error: "), len("PreToolUse:NotebookEdit hook error: ")
SHORTEST_QUOTE = 14  # characters of a command that is quoted in a reason
ALLOW = " Only the user can allow it: hookwright allow last."
# The first words of suggestions that do the same work with less danger; others only show what is there.
BACKUPS = ("pg_dumpall", "mysqldump", "cp", "tar")
REPLACEMENTS = frozenset(
    (
        *("mv", "claude", "trash-put", ".venv/bin/pip", "npm install", "pip install", "git stash", "git push"),
        *("git commit", "git revert", "git switch", "git branch", "git restore", "curl -fsSL", "npm pack"),
        *("terraform plan", "cargo package", "twine check"),
    )
)


def evaluate_command(settings: CommandSettings, text: str, cwd: str) -> list[Finding]:
    """The findings on a shell command, strictest first, after the user's rules and exceptions."""
    findings = _evaluate_calls(settings, text, cwd, scripts=False)
    if settings.scripts and runs_task(text, cwd) and not (findings and findings[0].verdict == "deny"):
        # Reading the project's files comes second: whatever is in them, what the command itself says is denied.
        findings = [
            finding
            for finding in _evaluate_calls(settings, text, cwd, scripts=True)
            if finding.verdict == "deny" or finding.call is None or finding.call.literal or not is_in_task(finding.call)
        ]
    return findings


def runs_task(text: str, cwd: str) -> bool:
    """Whether the command may run a task of the project that is worth reading."""
    from hookwright.hooks.command_guard.prefilter import find_task_files

    files = find_task_files(text, cwd)
    if not files:
        return False
    from hookwright.hooks.command_guard.task_files import tasks_matter

    return tasks_matter(text, files)


def is_in_task(call: Call) -> bool:
    """Whether a task of the project runs it: its words are the project's, its variables are the task runner's."""
    return call.under(*SCRIPTED) is not None


def _evaluate_calls(settings: CommandSettings, text: str, cwd: str, *, scripts: bool) -> list[Finding]:
    from hookwright.shell.command import parse_cached

    world = settings.world
    project = world.project or cwd
    command = parse_cached(text, cwd or ".", world.home or "", scripts=scripts)
    branches = (*SHARED_BRANCHES, *settings.branches) if settings.branches else SHARED_BRANCHES
    findings = judge(command, project, branches, settings.off, env=world.env, session=settings.session)
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
    """The reason of a decision: its strictest findings, at most MAX_REASONS. The first one's rule is the label."""
    strictest = [finding for finding in findings if finding.verdict == findings[0].verdict][:MAX_REASONS]
    first, *others = strictest
    return " ".join([format_reason(first), *[f"[{finding.rule}] {format_reason(finding)}" for finding in others]])


def format_reason(finding: Finding) -> str:
    """One finding in words: what was seen, a safer command and, for a denial, who can allow it.

    The client shows the person the first 199 characters of a denial, its own words included: what they need is in them.
    """
    call = finding.call
    note = ""
    if call is not None and call.substitution and call.quoted and finding.rule != "message-substitution":
        note = " It stands in double quotes, but the shell runs it all the same."
    advice = f" {finding.advice or _name_advice(finding.instead)}: `{finding.instead}`." if finding.instead else ""
    if finding.verdict != "deny":
        return f"{finding.reason}.{note}{advice}"
    room = SHOWN_CHARS - CLIENT_WORDS[call is None] - len(f"[hookwright {finding.rule}] ") - len(ALLOW)
    if len(finding.reason) + 1 + len(note) + len(advice) <= room:
        return f"{finding.reason}.{note}{advice}{ALLOW}"
    what, rest = _shorten_reason(finding.reason, room - 1)
    return f"{what}{ALLOW}{rest}{note}{advice}"


def _shorten_reason(reason: str, room: int) -> tuple[str, str]:
    """The reason as a sentence of about so many characters, and what of it has to follow later."""
    whole, rest = reason, ""
    if len(reason) > room:
        head, mark, tail = reason.rpartition("; ")
        if mark and head.count("`") % 2 == 0:
            reason, rest = head, f" {tail[:1].upper()}{tail[1:]}."
    if len(reason) > room and reason[:1] == "`":  # the command itself, which the reader can see
        end = reason.find("`", 1)
        kept = max(SHORTEST_QUOTE, end - (len(reason) - room) - 2)
        if 0 < kept < end - 1:
            reason = f"{reason[: kept + 1]}…{reason[end:]}"
    if len(reason) <= room:
        return reason + ".", rest
    end = reason.rfind(" ", 0, room)
    return reason[: end if end > 0 else room - 1] + "…", f" In full: {whole}."


def _name_advice(instead: str) -> str:
    """What the suggested command is good for: most of them only show what is there."""
    program, _, rest = instead.partition(" ")
    if program in BACKUPS:
        return "Back up first"
    return (
        "Instead" if program in REPLACEMENTS or f"{program} {rest.partition(' ')[0]}" in REPLACEMENTS else "Look first"
    )
