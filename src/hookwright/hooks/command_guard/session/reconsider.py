"""Looks at findings again in the light of what is known of the session.

hook: findings on a call → [reconsider] → fewer (the session's own scratch, a question that was let pass)
Nothing here approves: a call that is not asked about goes to Claude Code's own permissions, as any other.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.session.knowledge import SessionKnowledge

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import Guard
    from hookwright.hooks.command_guard.rule_api import Finding
    from hookwright.protocol.events.tool import PreToolUse

# Rules about what is lost: silent where the session lost only its own.
ABOUT_LOSS = frozenset(("recursive-delete", "find-delete", "git-discard-changes", "inline-code", "mcp-destroy"))
# Rules whose question is not repeated for the very same call: nothing is destroyed or changed by it.
REPEATABLE = frozenset(
    ("secret-read", "protected-secrets", "secret-in-url", "mcp-secret", "sandbox-off", "production-shell")
)
READERS = ("Bash", "Monitor", "Read", "Grep", "Glob", "WebFetch", "WebSearch", "PowerShell")


def reconsider(guard: Guard, event: PreToolUse, findings: list[Finding]) -> list[Finding]:
    """The findings that remain."""
    world = guard.world
    session = event.session_id
    if any(finding.rule in ABOUT_LOSS for finding in findings):
        knowledge = SessionKnowledge(world.state, session, world.home or "", event.cwd)
        if not knowledge.is_empty:
            guard.session = knowledge
            before = [finding.rule for finding in findings]
            findings = guard.collect_findings(event)
            if len(findings) < len(before) and knowledge.used:
                world.facts["guard"] = {"rules": [], "instead": "", "own": knowledge.used[:8], "silenced": before}
    if findings and is_repeatable(event.tool_name, findings):
        from hookwright.store.session_marks import read_marks

        marks = read_marks(world.state, session)
        trusted = guard.taint != "on" or not marks.outside  # the user said yes before strangers had a say
        if trusted and build_key(event.tool_name, event.tool_input, event.cwd) in marks.passed:
            world.facts["guard"] = {"rules": [], "instead": "", "repeated": [finding.rule for finding in findings]}
            return []
    return findings


def is_repeatable(tool: str, findings: list[Finding]) -> bool:
    """Whether every finding is a question about a call that destroys nothing."""
    reads = tool in READERS or tool[:5] == "mcp__"
    return reads and all(finding.verdict == "ask" and finding.rule in REPEATABLE for finding in findings)


def build_key(tool: str, given: Mapping[str, Any], cwd: str) -> str:
    """The same for the very same call only: tool, arguments, directory."""
    from hookwright.protocol.json import dumps

    kept = {name: value for name, value in given.items() if name not in ("description", "timeout")}
    data = dumps([tool, cwd, kept]).encode("utf-8", "surrogatepass")
    from _sha1 import sha1  # type: ignore[import-not-found]

    return str(sha1(data).hexdigest())
