"""The built-in hooks in the order in which they decide. The only list of them.

A hook is a folder in `hooks/` with a module `hook`; its class is the hook's name in CamelCase. Hooks that may stop a
call come before hooks that rewrite it, so that no rewrite is computed for a call that does not run.
"""

from __future__ import annotations

HOOKS = (
    *("command_guard", "questions", "auto_background", "observer", "background_tasks", "stop_guard", "context"),
    *("notify", "format", "approve", "summary"),
)

# Former names of sections in configuration files; still read.
FORMER_SECTIONS = {"background": "auto_background", "guard": "command_guard", "stop": "stop_guard"}


def module_name(hook: str) -> str:
    return f"hookwright.hooks.{hook}.hook"


def class_name(hook: str) -> str:
    return "".join(part.capitalize() for part in hook.split("_"))
