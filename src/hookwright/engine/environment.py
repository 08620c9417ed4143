"""The environment variables and the timeout that the client gives to a hook.

event, handler, session → [build_environment, choose_timeout_s] → handlers/command, handlers/mcp_tool, verify
Measured: the client's own environment, its markers, and what an event or a plugin adds.
"""

from __future__ import annotations

import os
from collections.abc import Mapping

# Set for every hook of an interactive session.
MARKERS = {
    "AI_AGENT": "claude-code_2-1-325_harness",
    "CLAUDECODE": "1",
    "CLAUDE_CODE_CHILD_SESSION": "1",
    "CLAUDE_CODE_ENTRYPOINT": "cli",
    "CLAUDE_CODE_SESSION_ATTENDED": "1",
    "COREPACK_ENABLE_AUTO_PIN": "0",
    "NoDefaultCurrentDirectoryInExePath": "1",
}
GETS_EFFORT = frozenset(("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "Stop", "SubagentStop"))
GETS_ENV_FILE = frozenset(("SessionStart", "Setup", "CwdChanged", "FileChanged"))
HIDDEN_PREFIX = "OTEL_"  # variables that hooks do not see

TIMEOUT_S = {"command": 600.0, "http": 600.0, "mcp_tool": 600.0, "prompt": 30.0, "agent": 60.0}
EVENT_TIMEOUT_S = {"UserPromptSubmit": 30.0, "MessageDisplay": 10.0, "SessionEnd": 1.5}  # command, http, mcp_tool
MAX_SESSION_END_S = 60.0
SESSION_END_VARIABLE = "CLAUDE_CODE_SESSIONEND_HOOKS_TIMEOUT_MS"


def build_environment(
    event: str,
    *,
    base: Mapping[str, str],
    project: str,
    session_id: str,
    scratch: str,
    plugin_root: str = "",
    effort: str = "medium",
) -> dict[str, str]:
    """Build the environment of a command hook."""
    own = {
        **MARKERS,
        "CLAUDE_PROJECT_DIR": project,
        "CLAUDE_CODE_SESSION_ID": session_id,
        "CLAUDE_PID": str(os.getpid()),
    }
    if event in GETS_EFFORT:
        own["CLAUDE_EFFORT"] = effort
    if plugin_root:
        own["CLAUDE_PLUGIN_ROOT"] = plugin_root
        own["CLAUDE_PLUGIN_DATA"] = scratch
    if event in GETS_ENV_FILE:
        own["CLAUDE_ENV_FILE"] = os.path.join(scratch, "env")
    return {**{name: value for name, value in base.items() if not name.startswith(HIDDEN_PREFIX)}, **own}


def choose_timeout_s(
    event: str, kind: str, own: float | None, *, environment: Mapping[str, str], is_plugin: bool = False
) -> float:
    """How long the client waits: by the handler's own timeout, else by event, else by type."""
    if event == "SessionEnd" and kind in ("command", "http", "mcp_tool"):
        return _session_end_timeout_s(own, environment.get(SESSION_END_VARIABLE, ""), is_plugin=is_plugin)
    if own is not None:
        return float(own)
    if kind in ("prompt", "agent"):
        return TIMEOUT_S[kind]
    return EVENT_TIMEOUT_S.get(event, TIMEOUT_S[kind])


def _session_end_timeout_s(own: float | None, override_ms: str, *, is_plugin: bool) -> float:
    """1.5 s; a settings file may raise it, a plugin may not."""
    if override_ms.isdigit() and int(override_ms):
        return int(override_ms) / 1000
    if own is None or is_plugin:
        return EVENT_TIMEOUT_S["SessionEnd"]
    return min(float(own), MAX_SESSION_END_S)
