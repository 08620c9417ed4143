"""Stops Docker from deleting volumes and everything unused, and asks before a container gets the host's files.

Why: volumes hold the databases of every project on the machine; `/` mounted into a container is the machine itself.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "docker-delete"
EXAMPLES = {
    "docker system prune -a --volumes -f": "deny",
    "docker compose down -v --rmi all": "deny",
    "docker volume rm $(docker volume ls -q)": "deny",
    "docker volume ls -q | xargs docker volume rm": "deny",
    "docker volume prune «-a|--all» -f": "deny",
    "docker compose down --volumes --rmi all": "deny",
    "docker image prune -af": "ask",
    "docker system prune -f": "ask",
    "docker volume prune -f": "ask",
    "docker volume rm data": "ask",
    "docker compose down -v": "ask",
    "docker rm -f $(docker ps -aq)": "ask",
    "docker run --privileged -v /:/host alpine ls /host": "ask",
    "docker network prune -f": None,
    "docker compose rm -fsv": "ask",
    "docker run -v /var/run/docker.sock:/var/run/docker.sock x": "ask",
    "docker volume remove data": "ask",
    "docker swarm leave": "ask",
    "docker «stack|service|secret» rm web": "ask",
    "docker container prune -f": "ask",
    "docker «rmi|stop|kill» $(docker ps -q)": "ask",
    "docker compose rm -fs --volumes": "ask",
    "docker-compose rm -fsv": "ask",
    "docker image prune --all -f": "ask",
    "docker system prune --all": "ask",
    "docker system prune --volumes": "ask",
    "docker compose down --volumes": "ask",
    "docker run --privileged alpine": "ask",
    "docker «run|create» «-v|--volume» «/|/etc|/root|~|/home|/var|/usr|/boot»:/host alpine": "ask",
    "docker compose down": None,
    "docker compose rm -fs web": None,
    "docker network rm web": None,
    "docker stop web": None,
    "docker rm -f web": None,
    "docker ps -a": None,
    "docker system df": None,
    "docker image prune -f": None,
    'docker run --rm -v "$PWD":/w alpine ls /w': None,
    "docker compose --dry-run down -v": None,
    "docker rm -v web": None,
    "docker run -v data:/ alpine": None,
}

DISK_USE = "docker system df"


def check(call: Call, scene: Scene) -> Finding | None:
    operands = call.operands()
    if operands[:1] == ["compose"]:
        operands = operands[1:]
    if call.has_flag("--dry-run") or not operands:
        return None
    verb = operands[0]
    what = operands[1] if len(operands) > 1 else ""
    if verb == "down":
        return check_down(call)
    if what in ("prune", "rm", "remove", "leave"):
        return check_removal(call, verb, what)
    if verb in ("rm", "rmi", "stop", "kill") and not call.literal:
        return ask(f"`{format_call(call)}` ends or deletes containers of every project", "docker ps -a")
    composed = "compose" in call.program or call.operands()[:1] == ["compose"]
    if verb == "rm" and call.has_flag("-v", "--volumes") and composed:
        return ask(f"`{format_call(call)}` deletes volumes with the data in them", "docker volume ls")
    return check_host_mount(call, scene) if verb in ("run", "create") else None


def check_removal(call: Call, verb: str, what: str) -> Finding | None:
    """`docker volume rm`, `docker system prune` and the like."""
    every = call.has_flag("-a", "--all")
    if verb == "system":
        if every and call.has_flag("--volumes"):
            return deny(
                f"`{format_call(call)}` deletes every image, container and volume that is not running", DISK_USE
            )
        return ask(f"`{format_call(call)}` deletes what no running container uses, of every project", DISK_USE)
    if verb == "volume":
        listed = any(source.program == call.program and source.verb == "volume" for source in call.producers)
        if listed or any("volume ls" in word for word in call.args):
            return deny(f"`{format_call(call)}` deletes every volume with the data in it", "docker volume ls")
        if what == "prune" and every:
            return deny(
                f"`{format_call(call)}` deletes every volume that is not in use, named ones too", "docker volume ls"
            )
        return ask(f"`{format_call(call)}` deletes volumes with the data in them", "docker volume ls")
    if verb == "image":
        return ask(f"`{format_call(call)}` deletes every image that is not running", "docker images") if every else None
    if verb == "container":
        return ask(f"`{format_call(call)}` deletes every stopped container with what was written in it", "docker ps -a")
    return ask(f"`{format_call(call)}` takes services down for all their users", "docker service ls")


def check_down(call: Call) -> Finding | None:
    if not call.has_flag("-v", "--volumes"):
        return None
    if call.option("--rmi") == "all":
        return deny(
            f"`{format_call(call)}` deletes this project's volumes with their data, and all its images",
            "docker compose down",
        )
    return ask(f"`{format_call(call)}` deletes this project's volumes with their data", "docker compose down")


def check_host_mount(call: Call, scene: Scene) -> Finding | None:
    if "--privileged" in call.words:
        return ask(f"`{format_call(call)}` gives a container all rights on this machine", "docker ps")
    for volume in call.options("-v", "--volume"):
        if volume.partition(":")[0] == scene.project:
            continue  # `-v "$PWD":/app`, wherever the project is
        if volume.partition(":")[0].endswith("/docker.sock"):
            return ask(f"`{format_call(call)}` gives a container all of Docker, and so this machine", "docker ps")
        if volume.partition(":")[0] in ("/", "/etc", "/root", "~", "/home", "/var", "/usr", "/boot"):
            return ask(
                f"`{format_call(call)}` gives a container {volume.partition(':')[0]} of this machine", "docker ps"
            )
    return None
