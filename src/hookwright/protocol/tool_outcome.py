"""Read how a tool call ended from payloads, error texts and task notifications of the client.

payload or transcript entry → [read_*] → outcome, exit code, duration, background task
The texts belong to the client and change with its versions: what is not understood is left out, never guessed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OUTCOMES = ("ok", "failed", "timed_out", "interrupted", "background")
NOTICE = "<task-notification>"
_STATUS = {"completed": "ok", "failed": "failed", "killed": "interrupted", "stopped": "interrupted"}


def read_success(tool: object, response: object) -> dict[str, Any]:
    """Outcome from a tool's response. Today's client reports a Bash command with a non-zero exit code as a failure."""
    facts: dict[str, Any] = {"outcome": "ok"}
    if tool == "Bash" and isinstance(response, dict):
        task = response.get("backgroundTaskId")
        if task:
            facts = {"outcome": "background", "task_id": task}
        elif response.get("interrupted"):
            facts["outcome"] = "interrupted"
        else:
            code = response.get("exit_code")  # older documented responses have it, also of a failed command
            facts["exit_code"] = code if type(code) is int else 0
            if facts["exit_code"]:
                facts["outcome"] = "failed"
    return facts


def read_failure(error: object, *, interrupted: bool = False) -> dict[str, Any]:
    """Outcome of a failed tool, from its error text.

    `Exit code 2 …`, `Exit code 143 Command timed out after 2m`, `[Request interrupted …`
    """
    text = error if isinstance(error, str) else ""
    if interrupted or text.startswith("[Request interrupted") or "interrupted by user" in text[:200]:
        return {"outcome": "interrupted"}
    if "ommand timed out after" in text[:400]:
        return {"outcome": "timed_out"}
    facts: dict[str, Any] = {"outcome": "failed"}
    if text.startswith("Exit code "):
        code = text[10:16].split("\n")[0].strip()
        if code.isdecimal():
            facts["exit_code"] = int(code)
    return facts


def read_task_notice(prompt: object) -> dict[str, Any]:
    """Outcome of a background command, from the prompt that tells the model of its end; {} for any other prompt."""
    if not isinstance(prompt, str) or not prompt.lstrip().startswith(NOTICE):
        return {}
    status = read_tag(prompt, "status")
    facts: dict[str, Any] = {"task_id": read_tag(prompt, "task-id"), "task_status": status}
    call = read_tag(prompt, "tool-use-id")
    if call:
        facts["tool_use_id"] = call
    summary = read_tag(prompt, "summary")
    mark = summary.rfind("exit code ")
    code = summary[mark + 10 :].rstrip(")") if mark >= 0 else ""
    if code.isdecimal():
        facts["exit_code"] = int(code)
    outcome = _STATUS.get(status)
    if outcome:
        facts["outcome"] = outcome
    return facts


def summarize_tasks(tasks: object) -> list[dict[str, Any]]:
    """Ids and states of the `background_tasks` that a Stop event lists."""
    if not isinstance(tasks, (list, tuple)):
        return []
    return [{"id": task.get("id"), "status": task.get("status")} for task in tasks[:32] if isinstance(task, dict)]


def read_tag(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0][:400]


def read_outcome(event: Any) -> dict[str, Any]:
    """How a tool call ended, or the state of the background commands, as facts for the journal."""
    name = event.hook_event_name
    if name == "UserPromptSubmit":
        return read_task_notice(event.prompt)
    if name in ("Stop", "SubagentStop"):
        return {"tasks": summarize_tasks(event.background_tasks)} if event.background_tasks else {}
    facts = {"duration_ms": event.duration_ms}
    if name == "PostToolUse":
        facts.update(read_success(event.tool_name, event.tool_response))
        if "task_id" in facts:
            facts["transcript"] = event.transcript_path  # where the client will record its end
    else:
        facts.update(read_failure(event.error, interrupted=event.is_interrupt is True))
    return facts
