"""The built-in hooks in the order in which they decide. The only list of them.

A name is a file in `hooks/`; its class is the name in CamelCase. Who may stop a call comes before
who rewrites it, so that a rewrite is never computed for a call that does not run.
"""

from __future__ import annotations

HOOKS = ("command_guard", "questions", "auto_background", "observer", "stop_guard", "context", "notify", "format")


def class_name(hook: str) -> str:
    return "".join(part.capitalize() for part in hook.split("_"))
