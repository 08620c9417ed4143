"""Decisions each event can carry. Made by scripts/generate_capabilities.py from protocol.json; do not edit.

deny, ask, allow, block, rewrite, context, message and stop; any other word is a key of hookSpecificOutput.
Events in `EXIT_2` know `block` only as exit code 2 with the reason on stderr.
"""

# fmt: off
LEGAL = {
    "PreToolUse": ("deny", "ask", "allow", "rewrite", "context", "message", "terminalSequence", "stop"),
    "PermissionRequest": ("deny", "allow", "rewrite", "message", "terminalSequence", "stop"),
    "PermissionDenied": ("message", "terminalSequence", "stop", "retry"),
    "PostToolUse": ("block", "context", "message", "terminalSequence", "stop", "updatedToolOutput", "updatedMCPToolOutput", "classifierContext"),
    "PostToolUseFailure": ("block", "context", "message", "terminalSequence", "stop"),
    "PostToolBatch": ("block", "context", "message", "terminalSequence", "stop"),
    "UserPromptSubmit": ("block", "context", "message", "terminalSequence", "stop", "sessionTitle", "suppressOriginalPrompt"),
    "UserPromptExpansion": ("block", "context", "message", "terminalSequence", "stop", "suppressOriginalPrompt"),
    "SessionStart": ("context", "message", "terminalSequence", "initialUserMessage", "sessionTitle", "watchPaths", "reloadSkills"),
    "Setup": ("context", "message", "terminalSequence", "stop"),
    "SessionEnd": (),
    "Stop": ("block", "context", "message", "terminalSequence", "stop"),
    "StopFailure": ("terminalSequence",),
    "SubagentStart": ("context", "message", "terminalSequence", "stop"),
    "SubagentStop": ("block", "context", "message", "terminalSequence", "stop"),
    "TeammateIdle": ("block", "message", "terminalSequence", "stop"),
    "TaskCreated": ("block", "message", "terminalSequence"),
    "TaskCompleted": ("block", "message", "terminalSequence", "stop"),
    "PreCompact": ("block",),
    "PostCompact": (),
    "PreModelSwitch": ("deny", "ask", "allow", "message", "terminalSequence", "stop"),
    "PostModelSwitch": ("context", "message", "terminalSequence", "stop"),
    "Notification": ("context", "terminalSequence"),
    "MessageDisplay": ("displayContent",),
    "Elicitation": ("action", "content"),
    "ElicitationResult": ("action", "content"),
    "ConfigChange": ("block",),
    "InstructionsLoaded": (),
    "CwdChanged": ("message", "watchPaths"),
    "FileChanged": ("watchPaths",),
    "DirectoryAdded": ("message",),
    "WorktreeCreate": ("worktreePath",),
    "WorktreeRemove": (),
}

EXIT_2 = ("TeammateIdle", "TaskCompleted")
