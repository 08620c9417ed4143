"""Stops the table of scheduled jobs from being removed or replaced.

Why: `crontab -r` has no undo and no confirmation; a new entry runs unseen, long after this session.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "crontab"
EXAMPLES = {
    "crontab -r": "deny",
    "crontab new.cron": "ask",
    "echo '* * * * * x' | crontab -": "ask",
    "(crontab -l; echo '@daily x') | crontab -": "ask",
    "«at|batch» «-f script.sh|< script.sh» now": "ask",
    "sudo crontab -u ann jobs.txt": "ask",
    "crontab -l": None,
    "crontab -l > /tmp/cron.txt": None,
    "grep crontab README.md": None,
    "echo 'make test' | at now": None,
    "at now + 1 hour": None,
    "crontab": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("-l"):
        return None
    if call.program in ("at", "batch"):
        from_file = call.stdin_text is None and any(redirect.op == "<" for redirect in call.redirects)
        return (
            ask(f"`{format_call(call)}` runs it long after this session", "atq")
            if call.has_flag("-f") or from_file
            else None
        )
    if call.has_flag("-r"):
        return deny(f"`{format_call(call)}` deletes every scheduled job without a question", "crontab -l")
    if call.operands("-u") or call.has_flag("-e") or call.producers or call.stdin_text is not None:
        return ask(
            f"`{format_call(call)}` replaces the scheduled jobs, which run long after this session", "crontab -l"
        )
    return None
