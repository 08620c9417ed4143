"""Stops signals to more processes than intended: everything, process 1, every process of a common name.

Why: `killall node` also ends the editor's server, another project's and perhaps this session.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "kill-broad"
EXAMPLES = {
    "kill -9 -1": "deny",
    "kill -9 1": "deny",
    "pkill -u root": "deny",
    "pkill «-U|--user» root": "deny",
    "killall5": "deny",
    "pkill '«.|.*|init|systemd»'": "deny",
    "pkill ''": "deny",
    "killall node": "ask",
    "pkill -f python": "ask",
    "pkill -9 java": "ask",
    "pkill -u ann": "ask",
    "kill -9 $(pgrep node)": "ask",
    "ps aux | grep node | awk '{print $2}' | xargs kill": "ask",
    "tmux kill-server": "ask",
    "killall Slack": "ask",
    "pkill «python3|ruby|perl|php|bash|sh|zsh|fish|ssh|sshd|docker|dockerd|containerd|postgres|mysqld|redis»": "ask",
    "pkill «redis-server|mongod|nginx|httpd|apache2|chrome|chromium|firefox|code|electron|claude|tmux»": "ask",
    "pkill screen": "ask",
    "pkill «cron|npm|npx|yarn|pnpm|bun|deno|go|cargo|make|gunicorn|uvicorn|celery|supervisord|kubelet|xorg»": "ask",
    "killall «Finder|Dock»": None,
    "pkill -P $$ node": None,
    "pkill «server|app|worker|main|dev|test|run»": "ask",
    "pkill -f '«...|ab»'": "ask",
    "kill $(«pidof|egrep|rg» node)": "ask",
    "kill 12345": None,
    "kill %1": None,
    "kill -0 $PID": None,
    "kill $(lsof -ti:3000)": None,
    "lsof -ti:3000 | xargs kill -9": None,
    "pkill -f 'vite --port 5199'": None,
    "pkill -f my-server": None,
    "killall -l": None,
    "tmux kill-session -t dev": None,
    "pkill «-l|--list|-0|--version» node": None,
    "pkill «-s|--signal|-g|-G|-P|-t|--pgroup|--parent» dev my-own-tool": None,
    "pkill «-u|-U|--user» dev my-own-tool": None,
    "kill «-s|-n» 1 4242": None,
    "kill -0 $(pgrep node)": None,
    "«lsof -ti :3000|fuser 3000/tcp|ss -ltnp|netstat -ltnp|jobs -p|cat app.pid» | grep node | xargs kill": None,
    "pkill abc": None,
    "kill $(pgrep my-own-tool)": None,
}

COMMON = frozenset(
    (
        "node python python3 java ruby perl php bash sh zsh fish ssh sshd docker dockerd containerd postgres mysqld "
        "redis redis-server mongod nginx httpd apache2 chrome chromium firefox code electron claude tmux screen "
        "systemd init cron npm npx yarn pnpm bun deno go cargo make gunicorn uvicorn celery supervisord kubelet xorg "
        "server app worker main dev test run"
    ).split()
)
RESTARTED = ("Finder", "Dock", "SystemUIServer", "cfprefsd", "ControlCenter")  # macOS starts them again at once
EXACT = frozenset(("lsof", "fuser", "ss", "netstat", "jobs", "cat"))  # they select by port, job or pid file


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if program == "tmux":
        return ask(f"`{format_call(call)}` ends every session in it", "tmux list-sessions")
    if program == "kill":
        return check_kill(call, scene)
    if call.has_flag("-l", "--list", "-0", "--version") or "-0" in call.words:
        return None
    if program == "pkill" and (call.option("-P", "--parent") or "")[:1] == "$":
        return None  # children of this shell
    patterns = call.operands("-s", "--signal", "-g", "-G", "-P", "-t", "-u", "-U", "--user", "--pgroup", "--parent")
    look = "pgrep -fl " + " ".join(f"'{pattern}'" for pattern in patterns) if patterns else "ps aux"
    by_user = call.option("-u", "-U", "--user")
    if by_user == "root" and not patterns:
        return deny(f"`{format_call(call)}` ends everything that keeps the machine running", look)
    if by_user is not None and not patterns:
        return ask(f"`{format_call(call)}` ends everything that {by_user} runs, this session included", look)
    if program == "killall5" or any(pattern in ("", ".", ".*", "init", "systemd") for pattern in patterns):
        return deny(f"`{format_call(call)}` ends everything that runs", look)
    if program == "killall" and all(pattern in RESTARTED for pattern in patterns):
        return None
    if program == "killall" and patterns:
        return ask(f"`{format_call(call)}` ends every process of that name, other projects' too", look)
    for pattern in patterns:
        if is_broad(pattern):
            return ask(f"`{format_call(call)}` ends every process that matches, other projects' too", look)
    return None


def check_kill(call: Call, scene: Scene) -> Finding | None:
    if call.words[1:2] == ["-0"]:
        return None  # only tests whether the process exists
    pids = [word for word in call.args[1:] if word == "-1"] + [
        word for word in call.operands("-s", "-n") if word == "1"
    ]
    if pids:
        what = "every process you may end" if "-1" in pids else "process 1, and with it the system"
        return deny(f"`{format_call(call)}` ends {what}", "ps aux")
    if all(word.literal for word in call.words):
        return None
    feeders = [other for other in scene.command.calls if other.owner is call]
    if any(wrapper.program == "xargs" for wrapper in call.wrappers):
        feeders += [other for stage in call.pipeline for other in stage]
    if any(other.program in EXACT for other in feeders):
        return None
    for other in feeders:
        if other.program in ("pgrep", "pidof", "grep", "egrep", "rg") and any(
            is_broad(word) for word in other.operands()
        ):
            return ask(
                f"`{format_call(call)}` ends every process that `{format_call(other)}` finds",
                "pgrep -fl " + str(other.operands()[-1]),
            )
    return None


def is_broad(pattern: Word) -> bool:
    name = pattern.replace("[", "").replace("]", "").strip("^$").rpartition("/")[2]  # '[n]ode' finds node
    return pattern.literal and (name in COMMON or len(name) < 3 or name in (".*", "..."))
