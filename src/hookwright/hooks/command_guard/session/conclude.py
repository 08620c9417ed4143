"""From findings to a decision: what is known of the session, content from outside, notes for later, the reason.

hook → [conclude: reconsider → taint → note_tool] → Decision | None
"""

from __future__ import annotations

# Their dialog does not show a hook's reason (anthropics/claude-code#80693), nor a system message: a notification of the
# terminal is the one channel that reaches the person in time.
UNEXPLAINED = ("Read", "Write", "Edit", "NotebookEdit")
SHOWN_CHARS = 200

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.guard_settings import Guard
    from hookwright.hooks.command_guard.rule_api import Finding
    from hookwright.protocol.decisions import Decision
    from hookwright.protocol.events.tool import PreToolUse


def conclude(guard: Guard, event: PreToolUse, findings: list[Finding]) -> Decision | None:
    world = guard.world
    if world.state is not None and isinstance(event.tool_input, dict):
        if findings:
            from hookwright.hooks.command_guard.session.reconsider import reconsider

            findings = reconsider(guard, event, findings)
        if guard.taint != "off":
            from hookwright.hooks.command_guard.session.taint import apply_taint

            findings = apply_taint(guard, event, findings)
        if world.alone and not (findings and findings[0].verdict == "deny"):
            note_call(guard, event, findings)
    if not findings:
        return None
    from hookwright.hooks.command_guard.policy import format_reasons
    from hookwright.protocol.decisions import Decision

    rules = [finding.rule for finding in findings]
    world.facts["guard"] = facts = {"rules": rules, "instead": findings[0].instead}
    if event.tool_name not in ("Bash", "Monitor"):
        from hookwright.hooks.command_guard.tools.describe_call import describe_call
        from hookwright.hooks.command_guard.tools.evaluate_tool import exception_text

        world.facts["file"] = exception_text(event.tool_name, event.tool_input)  # what `allow last` allows
        facts["judged"] = describe_call(event.tool_name, event.tool_input)
    reason, verdict = format_reasons(findings), findings[0].verdict
    fields = None
    if verdict == "ask" and event.tool_name in UNEXPLAINED:
        from hookwright.hooks.terminal_sequence import find_sequence

        sequence = find_sequence(world, "hookwright asks", reason[:SHOWN_CHARS])
        fields = {"terminalSequence": sequence} if sequence else None
    return Decision(verdict, reason, fields=fields, label=findings[0].rule)


def note_call(guard: Guard, event: PreToolUse, findings: list[Finding]) -> None:
    """Note what the call is about to make, and what else is to be kept of it once it has run."""
    rows: list[tuple[str, ...]] = []
    if findings:
        from hookwright.hooks.command_guard.session.reconsider import build_key, is_repeatable

        if is_repeatable(event.tool_name, findings):
            rows.append(("asked", build_key(event.tool_name, event.tool_input, event.cwd)))
    if guard.taint != "off":
        from hookwright.hooks.command_guard.session.taint import list_sources

        rows += list_sources(guard, event)
    from hookwright.hooks.command_guard.session.notes import note_tool

    call = event.raw.get("tool_use_id")
    note_tool(guard.world, event.session_id, str(call or ""), event.tool_name, event.tool_input, event.cwd, rows)
