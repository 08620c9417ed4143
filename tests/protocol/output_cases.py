"""Outputs of a PreToolUse hook on Bash, and what the client makes of them. Read by our reader and by the client itself.

Each row: stdout (data or text), then what differs from silence. `@` in texts is the row's own name, so that it can be
found again; `ignored` is the code of what is not heard.
"""

from dataclasses import dataclass, field
from typing import Any


def own(**fields):
    return {"hookSpecificOutput": {"hookEventName": "PreToolUse", **fields}}


DENY = own(permissionDecision="deny", permissionDecisionReason="reason-@")
CONTEXT = own(additionalContext="context-@")


@dataclass
class Case:
    stdout: Any = ""
    exit: int = 0
    stderr: str = ""
    denied: bool = False
    reason: str = ""
    context: bool = False
    message: bool = False
    rewritten: bool = False
    ignored: tuple[str, ...] = field(default_factory=tuple)


CASES = {
    "silence": Case(),
    "an empty object": Case({}),
    "deny": Case(DENY, denied=True, reason="reason-@"),
    "deny in many lines": Case(
        '{\n "hookSpecificOutput": {"hookEventName": "PreToolUse",\n "permissionDecision": "deny"}}', denied=True
    ),
    "blank lines before": Case("\n\n" + '{"decision": "block", "reason": "reason-@"}', denied=True, reason="reason-@"),
    "byte order mark": Case("\ufeff" + '{"decision": "block", "reason": "reason-@"}', denied=True, reason="reason-@"),
    "legacy block": Case({"decision": "block", "reason": "reason-@"}, denied=True, reason="reason-@"),
    "legacy approve": Case({"decision": "approve", "reason": "reason-@"}),
    "context": Case(CONTEXT, context=True),
    "context with deny": Case(own(permissionDecision="deny", additionalContext="context-@"), denied=True, context=True),
    "message": Case({"systemMessage": "message-@"}, message=True),
    "rewrite": Case(own(updatedInput={"command": "echo rewritten-@"}), rewritten=True),
    "rewrite and deny": Case(own(permissionDecision="deny", updatedInput={"command": "echo rewritten-@"}), denied=True),
    "unknown keys beside": Case({**DENY, "colour": "blue"}, denied=True, reason="reason-@", ignored=("key-unknown",)),
    "unknown keys inside": Case(
        own(permissionDecision="deny", permissionDecisionReason="reason-@", colour="blue"),
        denied=True,
        reason="reason-@",
        ignored=("key-unknown",),
    ),
    "exit 1 with deny": Case(DENY, exit=1, denied=True, reason="reason-@"),
    "exit 1 alone": Case(exit=1, stderr="oops"),
    "exit 3 with context": Case(CONTEXT, exit=3, context=True),
    "exit 2": Case(exit=2, stderr="reason-@", denied=True, reason="reason-@"),
    "exit 2 with approve": Case({"decision": "approve"}, exit=2, stderr="reason-@", denied=True, reason="reason-@"),
    "exit 2 with text": Case(
        "no JSON at all", exit=2, stderr="reason-@", denied=True, reason="reason-@", ignored=("text-unseen",)
    ),
    "exit 2 with a broken answer": Case(
        {"hookSpecificOutput": {"permissionDecision": "allow"}},
        exit=2,
        stderr="reason-@",
        denied=True,
        ignored=("event-name-missing",),
    ),
    "plain text": Case("all is well", ignored=("text-unseen",)),
    "text before": Case('checking…\n{"decision": "block", "reason": "r"}', ignored=("text-then-json",)),
    "text before on the same line": Case('ok {"decision": "block", "reason": "r"}', ignored=("text-then-json",)),
    "text after": Case('{"decision": "block", "reason": "r"}\ndone', ignored=("json-then-text",)),
    "two objects": Case(
        '{"decision": "block", "reason": "r"}\n{"systemMessage": "message-@"}', ignored=("json-twice",)
    ),
    "a list": Case('[{"decision": "block", "reason": "r"}]', ignored=("json-not-object",)),
    "single quotes": Case("{'decision': 'block'}", ignored=("json-invalid",)),
    "a comma too many": Case('{"decision": "block",}', ignored=("json-invalid",)),
    "not a number": Case('{"decision": "block", "reason": "r", "x": NaN}', ignored=("json-invalid",)),
    "no event name": Case({"hookSpecificOutput": {"permissionDecision": "deny"}}, ignored=("event-name-missing",)),
    "no event name beside a block": Case(
        {"decision": "block", "reason": "r", "hookSpecificOutput": {"additionalContext": "context-@"}},
        ignored=("event-name-missing",),
    ),
    "another event's name": Case(
        {"hookSpecificOutput": {"hookEventName": "PostToolUse", "permissionDecision": "deny"}},
        ignored=("event-name-wrong",),
    ),
    "decision at the top": Case(
        {"permissionDecision": "deny", "permissionDecisionReason": "r"},
        ignored=("decision-misplaced", "decision-misplaced"),
    ),
    "context at the top": Case({"additionalContext": "context-@"}, ignored=("decision-misplaced",)),
    "input at the top": Case({"updatedInput": {"command": "echo rewritten-@"}}, ignored=("decision-misplaced",)),
    "decision deny": Case({"decision": "deny", "reason": "r"}, ignored=("schema",)),
    "a context that is no text": Case(own(permissionDecision="deny", additionalContext=5), ignored=("schema",)),
    "a reason that is no text": Case(
        own(permissionDecision="deny", permissionDecisionReason=["r"]), ignored=("schema",)
    ),
    "an unknown permission": Case(own(permissionDecision="block"), ignored=("schema",)),
    "continue as text": Case({"continue": "false", "decision": "block", "reason": "r"}, ignored=("schema",)),
    "a message that is no text": Case({"systemMessage": 5, "decision": "block", "reason": "r"}, ignored=("schema",)),
    "an input that is no object": Case(own(permissionDecision="deny", updatedInput="ls"), ignored=("schema",)),
    "a null context": Case(own(permissionDecision="deny", additionalContext=None), ignored=("schema",)),
    "a null reason at the top": Case({"decision": "block", "reason": None}, ignored=("schema",)),
    "specific output as text": Case(
        {"hookSpecificOutput": "deny", "decision": "block", "reason": "r"}, ignored=("schema",)
    ),
}
