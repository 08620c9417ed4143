"""Derive a case's outcome from what the client shows.

Seen (requests, stream events, hook calls) → [a reader per event] → outcome as in README.md
The outcome says what the client did with the hooks' answers, in the words of `hookwright run --json`.
"""

import contextlib
import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.client.kit.run import REMINDER, HookCall, blocks_in, text_of
from tests.conformance.scenes import Case

NOTE = re.compile(
    r"^(?P<who>\w+(?::\S+)?) hook (?P<kind>additional context|success|stopped continuation|blocking error from command)"
    r": (?P<text>.*)$",
    re.DOTALL,
)
SAYS = re.compile(r"^(?P<who>\w+(?::\S+)?) says: (?P<text>.*)$", re.DOTALL)
# A schema failure is told with the whole output and the whole schema; the first line says it.
SCHEMA_DUMP = re.compile(r"\n\nThe hook's output was: .*", re.DOTALL)
# A text above 10,000 characters is told with the file that holds it.
SAVED = re.compile(r"(?<=Full output saved to: )\S+")
STOPPED = ("hook_stopped", "stop_hook_prevented")


@dataclass
class Seen:
    """All that the client let us see of one case."""

    case: Case
    marker: str
    asked: list[dict] = field(default_factory=list)
    events: list[dict] = field(default_factory=list)
    calls: list[HookCall] = field(default_factory=list)
    http: list[dict] = field(default_factory=list)
    requests: list[dict] = field(default_factory=list)
    side: list[dict] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    control: dict = field(default_factory=dict)
    tells_who: bool = True  # the client notes who decided about a call; older ones do not

    @property
    def event(self) -> str:
        return self.case.event["hook_event_name"]

    @property
    def result(self) -> dict:
        return next((event for event in self.events if event.get("type") == "result"), {})

    def sent(self) -> list[tuple[str, dict]]:
        """What the last request holds of this case: from the end of the answer before its prompt."""
        if not self.requests:
            return []
        sent = list(blocks_in(self.requests[-1]))
        if self.event in ("SessionStart", "SubagentStart"):
            return sent
        if self.event == "SubagentStop":
            return first_continuation(sent)
        prompt = max((n for n, (_, b) in enumerate(sent) if self.marker in (b.get("text") or "")), default=len(sent))
        if self.event == "Stop":
            return first_continuation(sent[prompt:])
        before = [n for n, (role, _) in enumerate(sent[:prompt]) if role == "assistant"]
        return sent[before[-1] + 1 if before else 0 :]

    def reminders(self) -> list[str]:
        found = []
        for role, block in self.sent():
            words = text_of(block.get("content")) if block.get("type") == "tool_result" else block.get("text") or ""
            found += REMINDER.findall(words) if role == "user" else []
        return found

    def used_tool(self) -> bool:
        said = [e["message"]["content"] for e in self.events if e.get("type") == "assistant"]
        return any(block["type"] == "tool_use" for content in said for block in content)

    def side_texts(self) -> list[str]:
        """What prompt handlers of this event asked a model."""
        event = f'"hook_event_name":"{self.event}"'
        asked = [text_of(body["messages"][-1]["content"]) for body in self.side]
        # Once a stop was blocked the event comes again; the case is about its first coming.
        return [words for words in asked if event in words and '"stop_hook_active":true' not in words]

    def notes(self, *kinds: str) -> list[re.Match]:
        """Notes of this event's hooks that reached the model."""
        matches = [m for m in map(NOTE.match, self.reminders()) if m]
        return [m for m in matches if m["kind"] in kinds and m["who"].split(":")[0] == self.event]

    def guess_permission(self, words: str) -> dict:
        """Who decided, in a client that does not say it: a refusal has its own words, and nobody else was asked."""
        if words.startswith(f"{self.event}:") or (
            self.event == "PreToolUse"
            and self.case.event["tool_name"].startswith("mcp__")
            and not words.startswith("MCP got ")
            and not self.asked
        ):
            return {"source": "hook", "decision": "reject"}
        if self.event == "PermissionRequest" and not words.startswith("MCP got "):
            by_hook = not re.match(r"Claude requested permissions|The user doesn't want", words)
            return {"source": "hook", "decision": "reject"} if by_hook else {}
        by_hook = words.startswith("MCP got ") and not self.asked and self.event in ("PreToolUse", "PermissionRequest")
        return {"source": "hook", "decision": "accept"} if by_hook else {}

    def tool_result(self) -> tuple[str, dict, dict]:
        """What the model was sent about the call: its words, the block, and what the client noted."""
        for event in self.events:
            block = first_block(event)
            if block.get("type") == "tool_result":
                meta = event.get("tool_result_meta")
                words = text_of(block.get("content"))
                told = meta[0].get("permission_decision", {}) if meta else {}
                permission = told if self.tells_who else self.guess_permission(words)
                if "No such tool available" in words:
                    raise LookupError(f"{self.case.name}: the client had no such tool, so nothing was tried")
                return words, block, permission
        return "", {}, {}


def first_block(event: dict) -> dict:
    content = event["message"]["content"] if event.get("type") == "user" else None
    return content[0] if isinstance(content, list) and content else {}


def first_continuation(sent: list[tuple[str, dict]]) -> list[tuple[str, dict]]:
    """What was said between the first answer, after which the hooks spoke, and the next one."""
    answers = [n for n, (role, _) in enumerate(sent) if role == "assistant"]
    return sent[answers[0] + 1 : answers[1] if len(answers) > 1 else None] if answers else []


def outcome_of(seen: Seen, lines: dict[str, str], places: dict[str, str]) -> dict:
    """The outcome of a case; fields that say nothing are left at their defaults."""
    if "tool_name" in seen.case.event and not seen.used_tool():
        raise LookupError(f"{seen.case.name}: the tool was never called, so nothing was tried")
    calls = [call for call in seen.calls if ours(call, seen)]
    http = [
        entry["path"].strip("/") for entry in seen.http if (entry["body"] or {}).get("hook_event_name") == seen.event
    ]
    asked = [name for name in seen.prompts for words in seen.side_texts() if f"You are {name}." in words]
    outcome = {
        "ran": sorted([call.name for call in calls] + http + asked),
        "cut": sorted(call.name for call in calls if not call.finished),
        "context": [m["text"] for m in seen.notes("additional context", "success")],
        "system_messages": messages(seen),
        "continue": seen.result.get("terminal_reason") not in STOPPED,
        "stop_reason": next((m["text"] for m in seen.notes("stopped continuation")), None),
        "later": later(seen) if seen.case.settle else [],
        **(READERS[seen.event](seen) if seen.event in READERS else {}),
    }
    names = {line: "{" + name + "}" for name, line in lines.items()}
    return neutral(outcome, names | {path: f"<{name}>" for name, path in places.items()})


def ours(call: HookCall, seen: Seen) -> bool:
    """Whether a hook's call belongs to this case's event. (A tool of MCP is not told the event.)"""
    event = call.payload.get("hook_event_name")
    if event is None:
        return True
    # Once a stop was blocked the event comes again; the case is about its first coming.
    again = call.payload.get("stop_hook_active", False) and not seen.case.event.get("stop_hook_active")
    return event == seen.event and not again


def messages(seen: Seen) -> list[str]:
    told = (SAYS.match(event.get("content", "")) for event in seen.events if event.get("subtype") == "informational")
    # The client puts the speaker before each line.
    return [m["text"].replace(f"\n{m['who']} says: ", "\n") for m in told if m and m["who"].split(":")[0] == seen.event]


def later(seen: Seen) -> list[str]:
    """What hooks in the background said afterwards: notes without a name, and wake-up calls."""
    said = set(texts(seen.case.handlers))
    found = []
    for words in seen.reminders():
        told = re.sub(r".*(?=Stop hook blocking error from command )", "", words, flags=re.DOTALL)
        if not NOTE.match(words) and any(part in told for part in said):
            found.append(told)
    return found


def texts(value) -> Iterator[str]:
    """Every text in a behaviour, long enough to be recognised."""
    if isinstance(value, str) and len(value) > 2:
        yield value
        for line in value.splitlines() if "{" in value else ():
            with contextlib.suppress(ValueError):
                yield from texts(json.loads(line))
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


def neutral(value, names: dict[str, str]):
    """Command lines, addresses and places become names: the handler's in braces, `<PROJECT>`."""
    if isinstance(value, str):
        for own in sorted(names, key=len, reverse=True):
            value = value.replace(own, names[own])
        return SAVED.sub("<FILE>", SCHEMA_DUMP.sub("", value))
    if isinstance(value, list):
        return [neutral(inner, names) for inner in value]
    return {key: neutral(inner, names) for key, inner in value.items()} if isinstance(value, dict) else value


# --- what each event's decision is read from


def before_tool(seen: Seen) -> dict:
    words, _, permission = seen.tool_result()
    given = seen.case.event["tool_input"]
    if seen.result.get("terminal_reason") == "tool_deferred":
        return {"decision": "defer"}
    refusal = f"PreToolUse:{seen.case.event['tool_name']} hook error: "
    if permission.get("source") == "hook" and permission.get("decision") == "reject":
        return {"decision": "deny", "reason": words.removeprefix(refusal)}
    managed = re.fullmatch(f"<tool_use_error>{re.escape(refusal)}(.*)</tool_use_error>", words, re.DOTALL)
    if managed:  # refused before anybody else was asked
        return {"decision": "deny", "reason": managed[1]}
    if seen.asked:
        (asked,) = seen.asked
        hooked = asked.get("decision_reason_type") == "hook"
        return {
            "decision": "ask" if hooked else "none",
            "reason": asked.get("decision_reason") or None if hooked else None,
            "updated_input": asked["input"] if not is_same_input(asked["input"], given) else None,
        }
    got = json.loads(words.removeprefix("MCP got ")) if words.startswith("MCP got ") else given
    return {
        "decision": "allow" if permission.get("source") == "hook" else "none",
        "updated_input": got if got != given else None,
    }


def is_same_input(got: dict, given: dict) -> bool:
    """The client makes a path absolute by itself, whatever hooks say."""
    path = given.get("file_path", "")
    if path.startswith(("~", ".")) and os.path.isabs(got.get("file_path", "")):
        return {**got, "file_path": path} == given and got["file_path"].endswith(path.lstrip("~."))
    return got == given


def permission_asked(seen: Seen) -> dict:
    words, _, permission = seen.tool_result()
    denied = next((event for event in seen.events if event.get("subtype") == "permission_denied"), {})
    if denied.get("decision_reason_type") == "hook" and words.startswith("The user doesn't want to proceed"):
        return {"decision": "deny", "reason": denied["message"], "continue": False}  # `interrupt`: no more requests
    if permission.get("source") != "hook":
        return {}
    if permission["decision"] == "reject":
        return {"decision": "deny", "reason": words}
    given = seen.case.event["tool_input"]
    got = json.loads(words.removeprefix("MCP got "))
    return {"decision": "allow", "updated_input": got if got != given else None}


def blocking_errors(seen: Seen) -> list[str]:
    found = seen.notes("blocking error from command")
    return [re.sub(r'^".*?": ', "", m["text"], count=1, flags=re.DOTALL) for m in found]


def after_tool(seen: Seen) -> dict:
    words, _, _ = seen.tool_result()
    reasons = blocking_errors(seen)
    usual = seen.case.event.get("model_sees")
    return {
        "decision": "block" if reasons else "none",
        "reason": "\n".join(reasons) if reasons else None,
        "updated_output": words if usual is not None and words != usual else None,
    }


def prompt_submitted(seen: Seen) -> dict:
    told = next((event for event in seen.events if event.get("prevent_continuation")), None)
    if told is None:
        return {}
    if told["content"].startswith("Operation stopped by hook"):
        return {"continue": False, "stop_reason": told["content"].partition(": ")[2] or None}
    said = re.sub(r"\n\nOriginal prompt: .*$", "", told["content"], flags=re.DOTALL)
    return {"decision": "block", "reason": said.removeprefix(f"{seen.event} operation blocked by hook:\n")}


def stopped(seen: Seen) -> dict:
    said = [b["text"] for role, b in seen.sent() if role == "user" and b.get("type") == "text"]
    feedback = [words.split(":\n", 1)[1].rstrip("\n") for words in said if re.match(r"\w+ hook feedback:\n", words)]
    return {
        "decision": "block" if feedback else "none",
        "reason": "\n".join(feedback) if feedback else None,
        "continuations": sum(1 for body in seen.requests if "flush-" not in json.dumps(body["messages"][-1])) - 1,
    }


def task_created(seen: Seen) -> dict:
    words, block, _ = seen.tool_result()
    reason = words.removeprefix("TaskCreated hook feedback:\n")
    return {"decision": "block", "reason": reason} if block.get("is_error") else {}


def compacting(seen: Seen) -> dict:
    words = next((event["compact_error"] for event in seen.events if event.get("compact_error")), None)
    return {"decision": "block", "reason": words.split(" hook: ", 1)[1]} if words else {}


def displayed(seen: Seen) -> dict:
    words = seen.result.get("result")
    return {"updated_output": words if words != seen.case.event["delta"] else None}


def model_switched(seen: Seen) -> dict:
    if seen.control["subtype"] != "error":
        return {}
    return {"decision": "deny", "reason": seen.control["error"].split(" hook: ", 1)[1]}


READERS = {
    "PreToolUse": before_tool,
    "PermissionRequest": permission_asked,
    "PostToolUse": after_tool,
    "PostToolUseFailure": after_tool,
    "UserPromptSubmit": prompt_submitted,
    "UserPromptExpansion": prompt_submitted,
    "Stop": stopped,
    "SubagentStop": stopped,
    "TaskCreated": task_created,
    "PreCompact": compacting,
    "MessageDisplay": displayed,
    "PreModelSwitch": model_switched,
}
