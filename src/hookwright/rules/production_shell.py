"""Asks before a command changes something on a machine that is named as production.

Why: what runs there is in use; looking is free.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, shown
from hookwright.rules.production import MARKS, pieces

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "production-shell"
EXAMPLES = {
    "ssh prod 'cd app && git pull && docker compose up -d'": "ask",
    "ssh web1.production.example.com ./restart.sh": "ask",
    "ssh prod uptime": None,
    "ssh prod 'tail -n 100 /var/log/app.log | grep ERROR'": None,
    "ssh prod 'docker ps && systemctl status app'": None,
    "ssh staging 'cd app && git pull'": None,
    "ssh web1 'cd /srv && git pull && ./restart.sh'": "ask",
    "ssh web 'docker compose pull && docker compose up -d'": "ask",
    "ssh web 'docker compose ps && docker logs api'": None,
    "ssh prod": None,
}

LOOKS = frozenset(
    (
        "ls cat head tail less more grep egrep zgrep rg awk sed cut sort uniq wc find stat file du df free uptime ps "
        "top htop w who whoami id hostname uname date pwd cd echo printf printenv env which type test true journalctl "
        "dmesg ss netstat lsof ping dig nslookup curl wget history vmstat iostat mount lsblk nproc tree jq column "
        "xargs sleep timeout sudo"
    ).split()
)
READS = {
    "docker": "ps logs images inspect stats top version info",
    "kubectl": "get describe logs top",
    "systemctl": "status show list-units list-timers is-active is-enabled cat",
    "git": "status log diff show branch rev-parse remote",
    "pm2": "list ls logs status",
    "service": "status",
}


def check(call: Call, scene: Scene) -> Finding | None:
    changes = [inner for inner in call.inner if not looks(inner)]
    if not changes:
        return None
    host = changes[0].remote[1] if changes[0].remote is not None else ""
    if MARKS.isdisjoint(pieces(host)):
        started = next((inner for inner in changes if deploys(inner)), None)
        if started is None:
            return None
        return ask(f"`{shown(started)}` changes what runs on {host}", f"ssh {host} uptime")
    return ask(f"`{shown(changes[0])}` changes something on {host}, which is in use", f"ssh {host} uptime")


def deploys(call: Call) -> bool:
    """`docker compose up`, `./restart.sh`: what runs there is another afterwards."""
    if call.program in ("docker", "docker-compose", "podman"):
        return not STARTS.isdisjoint(call.operands()[:2])
    name = call.words[0] if call.words else ""
    return "/" in name and name.rpartition("/")[2].partition(".")[0] in ("restart", "deploy", "release", "redeploy")


STARTS = frozenset("up down restart stop kill rm".split())


def looks(call: Call) -> bool:
    reads = READS.get(call.program)
    if reads is not None:
        return any(word in reads.split() for word in call.operands())
    return call.program in LOOKS and not call.writes
