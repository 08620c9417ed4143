"""How a tool call ended, read from what the client says afterwards: payloads, error texts, task notices.

payload or transcript entry → [this] → outcome, exit code, duration, background task
Pure reading, and defensive: the texts belong to the client and change with its versions. What is not understood is
left out, never guessed.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

OUTCOMES = ("ok", "failed", "timed_out", "interrupted", "background")
NOTICE = "<task-notification>"
_STATUS = {"completed": "ok", "failed": "failed", "killed": "interrupted", "stopped": "interrupted"}


def succeeded(tool: object, response: object) -> dict[str, Any]:
    """Of a tool's result. A Bash command that exits with anything but 0 comes as a failure instead."""
    facts: dict[str, Any] = {"outcome": "ok"}
    if tool == "Bash" and isinstance(response, dict):
        task = response.get("backgroundTaskId")
        if task:
            facts = {"outcome": "background", "task_id": task}
        elif response.get("interrupted"):
            facts["outcome"] = "interrupted"
        else:
            facts["exit_code"] = 0
    return facts


def failed(error: object, *, interrupted: bool = False) -> dict[str, Any]:
    """Of an error text: `Exit code 2 …`, `Exit code 143 Command timed out after 2m`, `[Request interrupted …`."""
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


def finished_task(prompt: object) -> dict[str, Any]:
    """Of the prompt by which the client tells the model that a background command ended; other prompts: nothing."""
    if not isinstance(prompt, str) or not prompt.lstrip().startswith(NOTICE):
        return {}
    status = between(prompt, "status")
    facts: dict[str, Any] = {"task_id": between(prompt, "task-id"), "task_status": status}
    call = between(prompt, "tool-use-id")
    if call:
        facts["tool_use_id"] = call
    summary = between(prompt, "summary")
    mark = summary.rfind("exit code ")
    code = summary[mark + 10 :].rstrip(")") if mark >= 0 else ""
    if code.isdecimal():
        facts["exit_code"] = int(code)
    outcome = _STATUS.get(status)
    if outcome:
        facts["outcome"] = outcome
    return facts


def running_tasks(tasks: object) -> list[dict[str, Any]]:
    """Of `background_tasks` when a turn ends: ids and states only."""
    if not isinstance(tasks, (list, tuple)):
        return []
    return [{"id": task.get("id"), "status": task.get("status")} for task in tasks[:32] if isinstance(task, dict)]


def between(text: str, tag: str) -> str:
    return text.partition(f"<{tag}>")[2].partition(f"</{tag}>")[0][:400]


def ended(event: Any) -> dict[str, Any]:
    """How a call ended, or what became of the commands that run behind."""
    name = event.hook_event_name
    if name == "UserPromptSubmit":
        return finished_task(event.prompt)
    if name in ("Stop", "SubagentStop"):
        return {"tasks": running_tasks(event.background_tasks)} if event.background_tasks else {}
    facts = {"duration_ms": event.duration_ms}
    if name == "PostToolUse":
        facts.update(succeeded(event.tool_name, event.tool_response))
        if "task_id" in facts:
            facts["transcript"] = event.transcript_path  # where the client will note its end
    else:
        facts.update(failed(event.error, interrupted=event.is_interrupt is True))
    return facts
