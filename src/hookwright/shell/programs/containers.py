"""Containers, clusters and virtual machines: docker, compose, kubectl, helm, minikube, vagrant.

The programs and their tables are in containers.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.call import Word
from hookwright.shell.families import family_of
from hookwright.shell.programs import (
    args_after,
    has_input,
    look_up_verb,
    make_inner_call,
    parse_number,
    row_of,
    short_flags,
)
from hookwright.shell.programs.containers_table import (
    BUILDS,
    CLEANS,
    COMPOSE,
    COPIES,
    CREATES,
    DEPLOYS,
    DETACHED,
    DOCKER,
    FOLLOWS,
    HELM,
    INSIDE,
    KUBE_VALUED,
    KUBECTL,
    MAY_WAIT,
    PERSON,
    PULLS,
    RUN_VALUED,
    RUNS,
    SERVES,
    STAYS,
    WATCHES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_docker(call: Call) -> Row | None:
    operands = call.operands(*RUN_VALUED)
    if not operands:
        return None
    verb = operands[0]
    if verb == "container" and len(operands) > 1:
        verb = operands[1]
    if verb == "compose":
        return classify_compose(call, operands[1] if len(operands) > 1 else "")
    if verb in {"run", "exec"}:
        return classify_run_or_exec(call, verb)
    if verb in {"logs", "service"} and (verb == "logs" or operands[1:2] == ["logs"]):
        return FOLLOWS if call.has_flag("-f", "--follow") else None
    if verb == "stats":
        return None if call.has_flag("--no-stream") else FOLLOWS
    if verb == "start" and call.has_flag("-a", "--attach", "-i", "--interactive"):
        return SERVES
    if verb == "login" and call.has_flag("--password-stdin", "-p", "--password"):
        return None
    if operands[:2] == ["image", "prune"]:
        return CLEANS if call.has_flag("-a", "--all") else None
    row = DOCKER.get(verb + " " + operands[1]) if len(operands) > 1 else None
    return row or DOCKER.get(verb)


def classify_run_or_exec(call: Call, verb: str) -> Row | None:
    """`docker run` and `exec`: the command inside is classified as a separate call; without one, the image decides."""
    head = call.words
    if call.inner:
        inner = call.inner[0].words
        head = head[: max(len(head) - len(inner), 2)]
    flags = [word for word in head[1:] if word[:1] == "-"]
    short = "".join(word[1:] for word in flags if word[:2] != "--" and word[1:].isalpha() and len(word) < 5)
    if "d" in short or "--detach" in flags:
        return DETACHED
    if ("t" in short and "i" in short) or {"--interactive", "--tty"} <= set(flags):
        return PERSON if not call.inner and not has_input(call) else INSIDE
    if call.inner and verb == "run":
        return classify_image(call)
    if verb == "exec" or head[-1] in {"hello-world", "alpine", "busybox"}:
        return INSIDE
    if "p" in short or "P" in short or any(word.startswith(("--publish", "-p", "--service-ports")) for word in flags):
        return "force", "server", "runs a server in a container"
    return RUNS


def classify_image(call: Call) -> Row | None:
    """`docker run aquasec/trivy fs .`: an image named after a program takes the arguments of that program."""
    first = call.inner[0]
    image = (first.remote or ("", ""))[1].partition("@")[0].rpartition("/")[2].partition(":")[0]
    if family_of(first.program) or not family_of(image) or image in {"node", "python", "ruby", "bash", "perl"}:
        from hookwright.shell.programs.name_hints import classify_task_name

        if "/" in (first.remote or ("", ""))[1] and classify_task_name(first.program) is not None:
            return RUNS  # a verb for the entrypoint of the image
        return INSIDE
    return row_of(make_inner_call(call, [Word(image), *first.words])) or INSIDE


def classify_compose(call: Call, verb: str) -> Row | None:
    if verb == "up":
        if call.has_flag("-d", "--detach", "--wait"):
            if call.has_flag("--build", "--pull"):
                return "suggest", "build", "builds images first"
            return (
                classify_bounded_wait(parse_number(call.option("--wait-timeout")))
                if call.has_flag("--wait")
                else DETACHED
            )
        return None if call.has_flag("--no-start") else STAYS
    if verb in {"run", "exec"}:
        return classify_run_or_exec(call, verb)
    if verb == "logs":
        return FOLLOWS if any(word in {"-f", "--follow", "-ft", "-tf"} for word in args_after(call, "logs")) else None
    if verb == "start" and call.has_flag("--attach"):
        return STAYS
    return COMPOSE.get(verb)


def classify_docker_compose(call: Call) -> Row | None:
    operands = call.operands("-f", "--file", "-p", "--project-name", "--profile", "--env-file")
    if not operands:
        return None
    return classify_compose(call, operands[0])


def classify_kubectl(call: Call) -> Row | None:
    operands = call.operands(*KUBE_VALUED)
    if not operands:
        return None
    verb = operands[0]
    if verb == "logs":
        follows = any(word in {"-f", "--follow", "--follow=true"} for word in args_after(call, "logs"))
        return FOLLOWS if follows else None
    if verb in {"get", "events", "top"}:
        watches = any(word in {"-w", "--watch", "--watch=true", "--watch-only"} for word in call.args)
        return FOLLOWS if watches else None
    if verb == "exec" or verb == "rsh":
        return INSIDE if call.inner or len(operands) > 2 or has_input(call) else PERSON
    if verb == "debug" and call.has_flag("-i", "--stdin") and not call.inner and not has_input(call):
        return PERSON
    if verb == "run":
        tty = {"i", "t"} <= short_flags(call, "nlocfs") or {"--stdin", "--tty"} <= set(call.args)
        return PERSON if tty and not call.inner and not has_input(call) else INSIDE if call.inner else None
    if verb == "wait" or (verb == "rollout" and operands[1:2] == ["status"]):
        seconds = parse_timespan(call.option("--timeout"))
        if call.has_flag("--watch=false") or "--watch=false" in call.words:
            return None
        return classify_bounded_wait(seconds)
    if verb == "delete":
        if (
            operands[1:2]
            and operands[1] in {"ns", "namespace", "namespaces", "pvc", "pv"}
            and "--wait=false" not in call.words
        ):
            return "suggest", "wait", "waits until it is gone"
        return None
    return KUBECTL.get(verb)


def classify_bounded_wait(seconds: float | None) -> Row:
    """A wait with a timeout, if one is given."""
    if seconds is None:
        return MAY_WAIT
    if seconds < 30:
        return "none", "wait", f"waits at most {seconds:g} s"
    return ("force" if seconds >= 60 else "suggest"), "wait", f"waits for up to {seconds:g} s"


def parse_timespan(text: str | None) -> float | None:
    """30s, 5m, 1h, 1m30s, or plain seconds."""
    if not text:
        return None
    total = 0.0
    digits = ""
    for c in text:
        if c.isdigit() or c == ".":
            digits += c
            continue
        unit = {"s": 1.0, "m": 60.0, "h": 3600.0}.get(c)
        value = parse_number(digits)
        if unit is None or value is None:
            return None
        total += value * unit
        digits = ""
    return total + (parse_number(digits) or 0.0)


def classify_helm(call: Call) -> Row | None:
    if call.verb in {"install", "upgrade", "uninstall", "rollback", "test", "delete"}:
        if call.verb == "test" or call.has_flag("--wait", "--atomic", "--wait-for-jobs"):
            return classify_bounded_wait(parse_timespan(call.option("--timeout")) or 300.0)  # its own default
        return None
    return look_up_verb(call, HELM)


def classify_vagrant(call: Call) -> Row | None:
    operands = call.operands("-c")
    if operands[:1] == ["ssh"]:
        return None if call.has_flag("-c", "--command") else PERSON
    if operands[:1] == ["box"]:
        return PULLS if operands[1:2] in (["add"], ["update"]) else None
    return {
        "up": CREATES,
        "reload": CREATES,
        "provision": CREATES,
        "destroy": DEPLOYS,
        "halt": DEPLOYS,
        "suspend": DEPLOYS,
        "resume": CREATES,
        "package": COPIES,
        "rsync-auto": WATCHES,
    }.get(operands[0] if operands else "")


def classify_dev_tool(call: Call) -> Row | None:
    """skaffold, tilt, devspace, garden, okteto, telepresence."""
    inner = args_after(call, "--")
    if inner:
        return row_of(make_inner_call(call, inner))
    return {
        "dev": WATCHES,
        "debug": WATCHES,
        "up": WATCHES if call.program != "devcontainer" else CREATES,
        "run": ("force", "infra", "builds and deploys"),
        "deploy": ("force", "infra", "builds and deploys"),
        "build": BUILDS,
        "ci": ("force", "infra", "builds and deploys"),
        "test": ("suggest", "test", "runs a test suite"),
        "ui": SERVES,
        "logs": FOLLOWS,
        "enter": PERSON,
        "exec": INSIDE,
    }.get(call.verb)


def classify_gitops(call: Call) -> Row | None:
    """argocd, flux: wait until the cluster is in sync."""
    operands = call.operands()
    if not {"wait", "sync", "reconcile", "bootstrap"}.isdisjoint(operands):
        return classify_bounded_wait(parse_timespan(call.option("--timeout")))
    return FOLLOWS if call.has_flag("--follow", "-f") and "logs" in operands else None
