"""Transcript entries as several versions of the client write them, made by hand.

Only keys that readers may rely on are varied; the rest is what that version puts beside them.
"""

import json

SESSION = "5564463c-134e-4cdc-9085-8a52a0874d52"
PROJECT = "/home/ann/shop"
DAY = "2026-11-15T12:"


def at(seconds):
    minutes, rest = divmod(seconds, 60)
    return f"{DAY}{int(minutes):02}:{rest:06.3f}Z"


class Version:
    """One client's way to write. `number` is what stands in its entries."""

    def __init__(self, number, *, permission=True, notices=True, task_field=True):
        self.number = number
        self.permission = permission  # writes who permitted a call
        self.notices = notices  # tells of ended background commands
        self.task_field = task_field  # names a background task in the result, not only in its text

    def common(self, seconds, **more):
        entry = {"timestamp": at(seconds), "cwd": PROJECT, "sessionId": SESSION, "isSidechain": False, **more}
        return {**entry, "version": self.number} if self.number else entry

    def prompt(self, text, seconds=0.0):
        return self.common(seconds, type="user", message={"role": "user", "content": text})

    def use(self, call, tool, tool_input, seconds, message="", **more):
        block = {"type": "tool_use", "id": call, "name": tool, "input": tool_input}
        said = {"role": "assistant", "id": message or f"msg_{call}", "content": [block]}
        return self.common(seconds, type="assistant", message=said, **more)

    def result(self, call, content, seconds, *, error=False, result=None, source="user_permanent", **more):
        block = {"type": "tool_result", "tool_use_id": call, "content": content}
        if error:
            block["is_error"] = True
        entry = self.common(seconds, type="user", message={"role": "user", "content": [block]}, **more)
        entry["toolUseResult"] = (
            result if result is not None else (f"Error: {content}" if error else {"stdout": content})
        )
        if self.permission:
            entry["permissionDecision"] = {"decision": "accept", "source": source}
        return entry

    def ran(self, call, command, began, took, **options):
        """A whole Bash call."""
        extra = options.pop("input", {})
        return [
            self.use(call, "Bash", {"command": command, **extra}, began),
            self.result(call, options.pop("content", "ok"), began + took, **options),
        ]

    def launched(self, call, command, began, task):
        text = f"Command running in background with ID: {task}. Output is being written to: /tmp/x."
        result = {"stdout": "", "backgroundTaskId": task} if self.task_field else {"stdout": text}
        return self.ran(call, command, began, 0.1, content=text, result=result, input={"run_in_background": True})

    def ended(self, call, task, seconds, status="completed", code=0):
        """The notice of an ended background command, in all the places where it stands."""
        text = notice(call, task, status, code)
        return [
            {
                "type": "queue-operation",
                "operation": "enqueue",
                "timestamp": at(seconds),
                "sessionId": SESSION,
                "content": text,
            },
            {"type": "queue-operation", "operation": "dequeue", "timestamp": at(seconds), "sessionId": SESSION},
            self.prompt(text, seconds + 1),
        ]

    def ended_within_a_turn(self, call, task, seconds):
        return [
            self.common(
                seconds + 5,
                type="attachment",
                attachment={"type": "queued_command", "prompt": notice(call, task), "timestamp": at(seconds)},
            )
        ]


def notice(call, task, status="completed", code=0):
    return (
        f"<task-notification>\n<task-id>{task}</task-id>\n<tool-use-id>{call}</tool-use-id>\n<status>{status}</status>\n"
        f'<summary>Background command "x" {status} (exit code {code})</summary>\n</task-notification>'
    )


TODAY = Version("2.1.325")
LAST_YEAR = Version("2.0.14", permission=False)
FIRST = Version("1.0.17", permission=False, notices=False, task_field=False)
NAMELESS = Version("", permission=False, notices=False, task_field=False)
VERSIONS = [TODAY, LAST_YEAR, FIRST, NAMELESS]


def lines(*entries):
    flat = [entry for part in entries for entry in (part if isinstance(part, list) else [part])]
    return "".join(json.dumps(entry) + "\n" for entry in flat)
