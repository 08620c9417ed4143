"""An MCP server written with the official SDK; `leave` starts a process that outlives it, unless it is killed."""

import asyncio
import json
import os
import subprocess
import sys
from typing import Any

from mcp.server.mcpserver import MCPServer

server = MCPServer("guard")


@server.tool()
def check(command: str, more: Any = None) -> str:
    """Deny what removes."""
    if "rm " not in command:
        return ""
    said = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": f"no: {command}"}
    return json.dumps({"hookSpecificOutput": said})


@server.tool()
def around() -> str:
    """Tell where it runs."""
    names = ("CLAUDE_PROJECT_DIR", "OWN", "OF_SESSION")
    return json.dumps({"cwd": os.getcwd(), "pid": os.getpid(), **{name: os.environ.get(name) for name in names}})


@server.tool()
def fail() -> str:
    """Fail as tools do."""
    raise ValueError("broken inside")


@server.tool()
def leave(far: bool = False) -> str:
    """Start something that does not end by itself."""
    sleeper = [
        sys.executable,
        "-S",
        "-c",
        "import signal, time; signal.signal(signal.SIGTERM, lambda *_: None); time.sleep(600)",
    ]
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return str(subprocess.Popen(sleeper, start_new_session=far, **quiet).pid)


@server.tool()
async def sleep() -> str:
    """Take its time."""
    await asyncio.sleep(600)
    return "never"


@server.tool()
def die() -> str:
    """Go away in the middle of a call."""
    os._exit(3)


if __name__ == "__main__":
    server.run("stdio")
