"""Refuse a command that loosens checks when an agent runs it: only a person may.

allow, on, off, shadow, trust, undo, uninstall, questions set … → [require_person] → UserError under an agent
The guard denies these commands in an agent's shell. This is the second line: a script that the agent wrote, a program
that it started, a variable that it removed. Whoever starts the shell of an agent says so in its environment, and a
child cannot take that out of the environment of the processes above it.
"""

from __future__ import annotations

import os

from hookwright.errors import UserError
from hookwright.proc.safe_read import read_file

# Set by agents for the commands that they run: Claude Code, Codex, Gemini CLI, Qwen Code, OpenCode, Cursor, Copilot.
MARKS = {
    "CLAUDECODE": "Claude Code",
    "CODEX_SANDBOX": "Codex",
    "CODEX_THREAD_ID": "Codex",
    "GEMINI_CLI": "Gemini CLI",
    "QWEN_CODE": "Qwen Code",
    "OPENCODE": "OpenCode",
    "CURSOR_AGENT": "Cursor",
    "COPILOT_CLI": "Copilot",
}
MAX_ANCESTORS = 64
MAX_BYTES = 4 << 20


def require_person(command: str) -> None:
    """Refuse under an agent, whatever the arguments. `command`: as the person would type it."""
    agent = find_agent()
    if agent:
        what = f"nothing was changed: this was started by {agent}, and `{command}` changes what is checked"
        raise UserError(f"{what}. Only the user can run it, in a terminal of their own.")


def find_agent() -> str:
    """The agent that started this process or one above it; "" if there is none."""
    for name, agent in MARKS.items():
        if os.environ.get(name):
            return agent
    process = os.getppid()
    for _ in range(MAX_ANCESTORS):
        if process <= 1:
            break
        agent = _find_mark(process)
        if agent:
            return agent
        process = _parent_of(process)
    return ""


def _find_mark(process: int) -> str:
    """The agent that the environment of this process names; "" where it cannot be read."""
    try:
        words = read_file(f"/proc/{process}/environ", MAX_BYTES).split(b"\0")
    except OSError:
        return ""
    for word in words:
        name, _, value = word.partition(b"=")
        if value and name.decode("utf-8", "replace") in MARKS:
            return MARKS[name.decode()]
    return ""


def _parent_of(process: int) -> int:
    try:
        text = read_file(f"/proc/{process}/stat", MAX_BYTES)
        return int(text.rpartition(b")")[2].split()[1])  # the name before it may hold anything
    except (OSError, ValueError, IndexError):
        return 0
