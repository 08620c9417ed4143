"""Containers, clusters and virtual machines: docker, compose, kubectl, helm, minikube, vagrant.

force    docker build -t app .
force    docker compose up
none     docker compose up -d
suggest  docker compose up -d --build
force    docker compose logs -f web
none     docker logs --tail 100 api
force    docker run -it ubuntu bash
suggest  docker run --rm app:latest
none     docker exec db pg_isready
force    kubectl port-forward svc/api 8080:80
force    kubectl get pods -w
suggest  kubectl rollout status deploy/api
none     kubectl apply -f k8s/
force    minikube start
"""

from __future__ import annotations

from hookwright.shell.command import Word
from hookwright.shell.families import family_of
from hookwright.shell.programs import behind, each, is_fed, letters, looked_up, number, row_of, table, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

BUILDS: Row = ("force", "build", "builds an image")
PULLS: Row = ("force", "download", "downloads an image")
PUSHES: Row = ("suggest", "transfer", "uploads an image")
COPIES: Row = ("suggest", "transfer", "copies an image or archive")
STAYS: Row = ("force", "server", "shows its containers and does not end")
SERVES: Row = ("force", "server", "starts something that does not end")
FOLLOWS: Row = ("force", "follow", "follows without end")
WAITS: Row = ("force", "wait", "waits until something ends")
MAY_WAIT: Row = ("suggest", "wait", "waits until it is ready")
RUNS: Row = ("suggest", "container", "runs a container, perhaps for long")
PERSON: Row = ("force", "terminal", "waits for a person")
CLEANS: Row = ("suggest", "container", "removes much")
CREATES: Row = ("force", "infra", "makes a cluster or machine")
DEPLOYS: Row = ("suggest", "infra", "changes a cluster")
WATCHES: Row = ("force", "watch", "builds and deploys again with every change")
DETACHED: Row = ("none", "container", "goes to the background by itself")
INSIDE: Row = ("none", "container", "runs the command that it names")

DOCKER = table(
    {
        BUILDS: "build, image build, buildx build, buildx bake, builder build, bake",
        PULLS: "pull, image pull",
        PUSHES: "push, image push, manifest push",
        COPIES: "save, load, export, import, image save, image load, scout, sbom",
        CLEANS: "system prune, builder prune, buildx prune",
        WAITS: "wait, container wait",
        FOLLOWS: "events, system events",
        PERSON: "attach, login",
        DEPLOYS: "stack deploy, swarm init, service create, service update",
    }
)


def docker(call: Call) -> Row | None:
    operands = call.operands(*RUN_VALUED)
    if not operands:
        return None
    verb = operands[0]
    if verb == "container" and len(operands) > 1:
        verb = operands[1]
    if verb == "compose":
        return compose(call, operands[1] if len(operands) > 1 else "")
    if verb in {"run", "exec"}:
        return ran(call, verb)
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


RUN_VALUED = (
    "-f --file -t --tag --build-arg --target --platform -H --host --context -p --project-name --profile --env-file"
).split()


def ran(call: Call, verb: str) -> Row | None:
    """`docker run` and `exec`: what runs inside is a call of its own; alone, the image decides."""
    head = call.words
    if call.inner:
        inner = call.inner[0].words
        head = head[: max(len(head) - len(inner), 2)]
    flags = [word for word in head[1:] if word[:1] == "-"]
    short = "".join(word[1:] for word in flags if word[:2] != "--" and word[1:].isalpha() and len(word) < 5)
    if "d" in short or "--detach" in flags:
        return DETACHED
    if ("t" in short and "i" in short) or {"--interactive", "--tty"} <= set(flags):
        return PERSON if not call.inner and not is_fed(call) else INSIDE
    if call.inner and verb == "run":
        return of_image(call)
    if verb == "exec" or head[-1] in {"hello-world", "alpine", "busybox"}:
        return INSIDE
    if "p" in short or "P" in short or any(word.startswith(("--publish", "-p", "--service-ports")) for word in flags):
        return "force", "server", "runs a server in a container"
    return RUNS


def of_image(call: Call) -> Row | None:
    """`docker run aquasec/trivy fs .`: an image named after a program takes that program's words."""
    first = call.inner[0]
    image = (first.remote or ("", ""))[1].partition("@")[0].rpartition("/")[2].partition(":")[0]
    if family_of(first.program) or not family_of(image) or image in {"node", "python", "ruby", "bash", "perl"}:
        from hookwright.shell.programs.names import task

        if "/" in (first.remote or ("", ""))[1] and task(first.program) is not None:
            return RUNS  # a word for the program of an image that is not of the system
        return INSIDE
    return row_of(within(call, [Word(image), *first.words])) or INSIDE


COMPOSE = table(
    {
        BUILDS: "build, bake",
        PULLS: "pull",
        PUSHES: "push",
        FOLLOWS: "events",
        WATCHES: "watch",
        WAITS: "wait",
        PERSON: "attach",
    }
)


def compose(call: Call, verb: str) -> Row | None:
    if verb == "up":
        if call.has_flag("-d", "--detach", "--wait"):
            if call.has_flag("--build", "--pull"):
                return "suggest", "build", "builds images first"
            return bounded(number(call.option("--wait-timeout"))) if call.has_flag("--wait") else DETACHED
        return None if call.has_flag("--no-start") else STAYS
    if verb in {"run", "exec"}:
        return ran(call, verb)
    if verb == "logs":
        return FOLLOWS if any(word in {"-f", "--follow", "-ft", "-tf"} for word in behind(call, "logs")) else None
    if verb == "start" and call.has_flag("--attach"):
        return STAYS
    return COMPOSE.get(verb)


def docker_compose(call: Call) -> Row | None:
    operands = call.operands("-f", "--file", "-p", "--project-name", "--profile", "--env-file")
    if not operands:
        return None
    return compose(call, operands[0])


KUBECTL = table(
    {
        ("force", "server", "keeps a connection open"): "port-forward, proxy, tunnel",
        PERSON: "edit, attach",
        DEPLOYS: "drain",
        RUNS: "debug",
    }
)
KUBE_VALUED = (
    "-n --namespace --context --kubeconfig -l --selector -o --output -f --filename -c --container --timeout --for"
).split()


def kubectl(call: Call) -> Row | None:
    operands = call.operands(*KUBE_VALUED)
    if not operands:
        return None
    verb = operands[0]
    if verb == "logs":
        follows = any(word in {"-f", "--follow", "--follow=true"} for word in behind(call, "logs"))
        return FOLLOWS if follows else None
    if verb in {"get", "events", "top"}:
        watches = any(word in {"-w", "--watch", "--watch=true", "--watch-only"} for word in call.args)
        return FOLLOWS if watches else None
    if verb == "exec" or verb == "rsh":
        return INSIDE if call.inner or len(operands) > 2 or is_fed(call) else PERSON
    if verb == "debug" and call.has_flag("-i", "--stdin") and not call.inner and not is_fed(call):
        return PERSON
    if verb == "run":
        tty = {"i", "t"} <= letters(call, "nlocfs") or {"--stdin", "--tty"} <= set(call.args)
        return PERSON if tty and not call.inner and not is_fed(call) else INSIDE if call.inner else None
    if verb == "wait" or (verb == "rollout" and operands[1:2] == ["status"]):
        seconds = span(call.option("--timeout"))
        if call.has_flag("--watch=false") or "--watch=false" in call.words:
            return None
        return bounded(seconds)
    if verb == "delete":
        if (
            operands[1:2]
            and operands[1] in {"ns", "namespace", "namespaces", "pvc", "pv"}
            and "--wait=false" not in call.words
        ):
            return "suggest", "wait", "waits until it is gone"
        return None
    return KUBECTL.get(verb)


def bounded(seconds: float | None) -> Row:
    """A wait that names its longest time."""
    if seconds is None:
        return MAY_WAIT
    if seconds < 30:
        return "none", "wait", f"waits at most {seconds:g} s"
    return ("force" if seconds >= 60 else "suggest"), "wait", f"waits for up to {seconds:g} s"


def span(text: str | None) -> float | None:
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
        value = number(digits)
        if unit is None or value is None:
            return None
        total += value * unit
        digits = ""
    return total + (number(digits) or 0.0)


def helm(call: Call) -> Row | None:
    if call.verb in {"install", "upgrade", "uninstall", "rollback", "test", "delete"}:
        if call.verb == "test" or call.has_flag("--wait", "--atomic", "--wait-for-jobs"):
            return bounded(span(call.option("--timeout")) or 300.0)  # its own default
        return None
    return looked_up(call, HELM)


HELM = table({COPIES: "dependency update, dependency build, dep update, dep build, repo update, pull, push"})


def cluster(call: Call) -> Row | None:
    """minikube, kind, k3d, eksctl, colima, multipass: machines that start."""
    row = looked_up(call, CLUSTER)
    if row is not None and call.has_flag("--dry-run"):
        return None
    return row


CLUSTER = table(
    {
        ("force", "infra", "deletes a cluster"): "delete cluster",
        CREATES: "start, create, create cluster, cluster create, init, launch, up, upgrade, create nodegroup, "
        "update cluster",
        SERVES: "dashboard, tunnel, mount, server, agent",
        COPIES: "image load, load docker-image, image build, image import, cache add, load, delete, destroy",
        PERSON: "ssh, shell",
        FOLLOWS: "logs -f",
    }
)


def vagrant(call: Call) -> Row | None:
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


def develops(call: Call) -> Row | None:
    """skaffold, tilt, devspace, garden, okteto, telepresence."""
    inner = behind(call, "--")
    if inner:
        return row_of(within(call, inner))
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


def machine(call: Call) -> Row | None:
    """Virsh console, lxc."""
    if call.verb in {"console", "shell"}:
        return PERSON
    return CREATES if call.program in {"lxc", "incus"} and call.verb in {"launch", "publish", "copy"} else None


def sync(call: Call) -> Row | None:
    """argocd, flux: wait until the cluster agrees."""
    operands = call.operands()
    if not {"wait", "sync", "reconcile", "bootstrap"}.isdisjoint(operands):
        return bounded(span(call.option("--timeout")))
    return FOLLOWS if call.has_flag("--follow", "-f") and "logs" in operands else None


def local_ci(call: Call) -> Row | None:
    """Act runs workflows in containers."""
    if call.has_flag("-l", "--list", "-n", "--dryrun", "-g", "--graph", "--version"):
        return None
    return "force", "test", "runs workflows in containers"


def image_tool(call: Call) -> Row | None:
    """skopeo, crane, buildah, kaniko, pack, apptainer."""
    return {
        "copy": COPIES,
        "sync": COPIES,
        "pull": PULLS,
        "push": PUSHES,
        "build": BUILDS,
        "bud": BUILDS,
        "cp": COPIES,
        "exec": INSIDE,
        "run": RUNS,
        "shell": PERSON,
        "export": COPIES,
    }.get(call.verb)


PROGRAMS: dict[str, Handler] = {
    **each("docker podman nerdctl finch", docker),
    **each("docker-compose podman-compose", docker_compose),
    **each("kubectl oc k", kubectl),
    **each("helm helmfile", helm),
    **each("minikube kind k3d k3s colima limactl lima multipass eksctl kops kubeadm docker-machine", cluster),
    "vagrant": vagrant,
    **each("skaffold tilt devspace garden okteto telepresence devcontainer werf", develops),
    **each("virsh lxc incus", machine),
    **each("argocd flux", sync),
    "act": local_ci,
    **each("skopeo crane buildah pack apptainer singularity", image_tool),
    **each("k9s dive", PERSON),
    "velero": table({MAY_WAIT: "backup create, restore create"}),
}
