"""Asks before a command changes something on a machine that is named as production.

Why: what runs there is in use. Reading passes.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.production_names import MARKS, split_name
from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
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
    "ssh prod-web '«docker-compose|podman» up'": "ask",
    "ssh web 'docker compose «down|restart»'": "ask",
    "ssh web 'docker «stop|kill|rm» app'": "ask",
    "ssh web '«docker-compose|podman» up'": "ask",
    "ssh web './«restart|deploy|release|redeploy».sh'": "ask",
    "ssh prod-web 'cat a > b'": "ask",
    "ssh web 'docker compose ps && docker logs api'": None,
    "ssh prod": None,
    "ssh prod-web '«cat|head|less|more|egrep|zgrep|rg|awk|sed|cut|sort|uniq|wc|find|stat|file|du|df|free» x'": None,
    "ssh prod-web 'ps x'": None,
    "ssh prod-web '«top|htop|w|who|whoami|id|hostname|uname|date|pwd|cd|echo|printf|printenv PATH|which|type»'": None,
    "ssh prod-web 'test'": None,
    "ssh prod-web '«true|journalctl|dmesg|ss|netstat|lsof|ping x|dig x|nslookup x|curl x|wget x|history»'": None,
    "ssh prod-web 'vmstat'": None,
    "ssh prod-web '«iostat|mount|lsblk|nproc|tree|jq . x|column x|sleep 1|env -u X ls»'": None,
    "ssh prod-web 'docker «ps|logs app|images|inspect app|stats|top app|version|info»'": None,
    "ssh prod-web 'kubectl «get pods|describe pod x|logs x|top pods»'": None,
    "ssh prod-web 'systemctl «status|show|list-units|list-timers|is-active|is-enabled|cat» web'": None,
    "ssh prod-web 'git «status|log|diff|show|branch|rev-parse|remote» x'": None,
    "ssh prod-web 'pm2 «list|ls|logs|status»'": None,
    "ssh prod-web 'service web status'": None,
    "ssh web 'make deploy-docs'": None,
}

LOOKS = frozenset(
    (
        "ls cat head tail less more grep egrep zgrep rg awk sed cut sort uniq wc find stat file du df free uptime ps "
        "top htop w who whoami id hostname uname date pwd cd echo printf printenv env which type test true journalctl "
        "dmesg ss netstat lsof ping dig nslookup curl wget history vmstat iostat mount lsblk nproc tree jq column "
        "xargs sleep timeout sudo dpkg-query"
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
    changes = [inner for inner in call.inner if not only_reads(inner)]
    if not changes:
        return None
    host = changes[0].remote[1] if changes[0].remote is not None else ""
    if MARKS.isdisjoint(split_name(host)):
        started = next((inner for inner in changes if is_deployment(inner)), None)
        if started is None:
            return None
        return ask(f"`{format_call(started)}` changes what runs on {host}", f"ssh {host} uptime")
    return ask(f"`{format_call(changes[0])}` changes something on {host}, which is in use", f"ssh {host} uptime")


def is_deployment(call: Call) -> bool:
    """`docker compose up`, `./restart.sh`: it changes what runs there."""
    if call.program in ("docker", "docker-compose", "podman"):
        return not STARTS.isdisjoint(call.operands()[:2])
    name = call.words[0] if call.words else ""
    return "/" in name and name.rpartition("/")[2].partition(".")[0] in ("restart", "deploy", "release", "redeploy")


STARTS = frozenset("up down restart stop kill rm".split())


def only_reads(call: Call) -> bool:
    if call.program in READS:
        return any(word in READS[call.program].split() for word in call.operands())
    return call.program in LOOKS and not call.writes
