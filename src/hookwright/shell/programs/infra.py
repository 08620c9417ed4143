"""Infrastructure and deployment: terraform, pulumi, ansible, the clouds and their platforms.

force    terraform apply -auto-approve
suggest  terraform plan
none     terraform validate
force    ansible-playbook -i hosts site.yml
force    cdk deploy --all
force    aws ec2 wait instance-running --instance-ids i-1
suggest  aws s3 cp big.bin s3://bucket/
none     aws sts get-caller-identity
force    gcloud run deploy api --source .
force    heroku logs --tail
force    wrangler dev
"""

from __future__ import annotations

from hookwright.shell.programs import each, looked_up, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

APPLIES: Row = ("force", "infra", "changes infrastructure")
DEPLOYS: Row = ("force", "infra", "builds and deploys")
SENDS: Row = ("suggest", "infra", "deploys")
PLANS: Row = ("suggest", "infra", "compares with the real infrastructure")
PREPARES: Row = ("suggest", "install", "downloads providers or modules")
SERVES: Row = ("force", "server", "starts a server that does not end")
FOLLOWS: Row = ("force", "follow", "follows without end")
WAITS: Row = ("force", "wait", "waits until something is ready")
COPIES: Row = ("suggest", "transfer", "copies over the network")
SYNCS: Row = ("force", "transfer", "copies much over the network")
PERSON: Row = ("force", "terminal", "waits for a person")
BUILDS: Row = ("suggest", "build", "builds")
TESTS: Row = ("suggest", "test", "runs tests")
MIGRATES: Row = ("suggest", "database", "changes a database")
WATCHES: Row = ("force", "watch", "deploys again with every change")

TERRAFORM = table(
    {
        APPLIES: "apply, destroy, apply-all, destroy-all, run-all apply, run-all destroy, run apply",
        PLANS: "plan, refresh, import, run-all plan",
        PREPARES: "init, get, run-all init",
        TESTS: "test",
        PERSON: "console",
    }
)
PULUMI = table(
    {APPLIES: "up, update, destroy, refresh", PLANS: "preview, import", WATCHES: "watch", PREPARES: "new, install"}
)
CDK = table(
    {
        APPLIES: "deploy, destroy, bootstrap, import, migrate, rollback",
        PLANS: "synth, synthesize, diff, ls, list",
        WATCHES: "watch",
        PREPARES: "get, init",
    }
)


def cdk(call: Call) -> Row | None:
    if call.has_flag("--watch"):
        return WATCHES
    row = looked_up(call, CDK, "-a", "--app", "-c", "--context", "-o", "--output", "--profile")
    return None if call.verb in {"ls", "list", "init"} and call.program == "cdk" else row


def playbook(call: Call) -> Row | None:
    if call.has_flag("--syntax-check", "--list-tasks", "--list-hosts", "--list-tags"):
        return None
    return APPLIES


def ansible(call: Call) -> Row | None:
    return None if call.option("-m", "--module-name") == "ping" or not call.operands("-i", "-m", "-a") else SENDS


def galaxy(call: Call) -> Row | None:
    return PREPARES if "install" in call.operands() else None


AWS = table(
    {
        SYNCS: "s3 sync",
        COPIES: "cloudformation package, s3 cp, s3 mv, s3 rb, s3 rm",
        APPLIES: "cloudformation deploy",
        PERSON: "ssm start-session, configure, sso login",
    }
)


def aws(call: Call) -> Row | None:
    operands = call.operands()
    if len(operands) > 1 and operands[1] == "wait":
        return WAITS
    if operands[:2] == ["logs", "tail"]:
        return FOLLOWS if call.has_flag("--follow") else None
    if operands[:2] == ["configure", "list"] or (len(operands) > 1 and operands[0] == "configure"):
        return None
    row = looked_up(call, AWS)
    if row is COPIES and operands[1] in {"cp", "mv"} and not call.has_flag("--recursive"):
        from hookwright.shell.programs.transfers import small

        if operands[-1] == "-" or small(operands[2] if len(operands) > 2 else ""):
            return None
    if row is COPIES and operands[1] in {"cp", "mv"} and call.has_flag("--recursive"):
        return SYNCS
    if row is COPIES and operands[1] in {"rm", "rb"} and not call.has_flag("--recursive", "--force"):
        return None
    if row is not None and call.has_flag("--dryrun"):
        return None
    return row


# What these clouds do behind a verb, wherever it stands among the operands.
CLOUD_VERBS = table(
    {
        DEPLOYS: "deploy, up, submit, publish, release",
        APPLIES: "create, create-auto, create-with-container, delete, update, upgrade, resize, restore, "
        "provision, down, rebuild, reimage, destroy, "
        "failover",
        FOLLOWS: "tail",
        PERSON: "ssh, login, browse, interactive, console",
        SERVES: "start-iap-tunnel, connect, serve, start, emulators, dev, cloud-shell",
        WAITS: "wait",
        COPIES: "scp, cp, rsync, upload, download, upload-batch, download-batch, sync, copy, import, export, "
        "load, extract",
        BUILDS: "build",
    }
)
# Groups whose creations are slow; others answer in seconds.
SLOW = frozenset(
    "clusters cluster instances instance sql vm vmss aks app webapp functionapp functions run container containers "
    "deployment builds spanner redis postgres mysql cosmosdb dataflow dataproc composer node-pools nodepool "
    "environments emulators compute beta alpha services gke storage acr kubernetes server servers database "
    "databases droplet".split()
)


def cloud(call: Call) -> Row | None:
    """gcloud, az, doctl, hcloud, oci, ibmcloud: GROUP… VERB."""
    operands = call.operands("-g", "-n", "--resource-group", "--name", "-l", "-o", "--query")[:5]
    for word in operands[:1]:
        if word in {"config", "auth", "account", "version", "info", "ad", "role", "projects", "iam", "components"}:
            return (
                PREPARES
                if word == "components" and {"install", "update"} & set(operands)
                else (PERSON if operands[1:2] == ["login"] or operands[:1] == ["login"] else None)
            )
    if operands[:2] == ["group", "delete"] and not call.has_flag("--no-wait"):
        return APPLIES
    if call.has_flag("--async", "--no-wait"):
        return "none", "infra", "does not wait"
    if call.has_flag("--follow", "-f") and "logs" in operands:
        return FOLLOWS
    if "login" in operands[:2] and call.has_flag("--service-principal", "--identity", "--cred-file", "--quiet"):
        return None
    for word in operands[::-1]:
        row = CLOUD_VERBS.get(word)
        if row is None:
            continue
        if row is PERSON and word == "ssh" and (call.has_flag("--command") or "--" in call.words):
            return None
        if row is APPLIES and SLOW.isdisjoint(operands):
            return None
        if row is SERVES and word in {"start", "connect"} and SLOW.isdisjoint(operands):
            return None
        return row if word != "start" or "emulators" in operands else APPLIES
    return None


PLATFORM = table(
    {
        DEPLOYS: "deploy, up, launch, publish, push, release, setup, redeploy",
        FOLLOWS: "logs, log, tail, logs:tail",
        SERVES: (
            "dev, serve, local start-api, local start-lambda, offline, proxy, start, emulators:start, "
            "hosting:serve, emulators:exec, pages dev, local:start, sync, connect, tunnel, mock, host"
        ),
        PERSON: "ssh, ssh console, console, login, shell, pg:psql, redis:cli, ps:exec, postgres connect",
        BUILDS: "build, package, bundle, local invoke, containers build",
        MIGRATES: "pg:backups, pg:backups:capture, pg:reset, pg:push, pg:pull, d1 migrations, d1 execute",
        WATCHES: "sync --watch, dev --watch",
        APPLIES: "remove, destroy, delete-stack, env:create, teardown, rollback",
        SENDS: "pages deploy, pages publish, versions upload, functions:deploy, versions deploy",
        TESTS: "test",
    }
)
# Platforms whose logs end by themselves unless they are told to follow.
ENDS = frozenset("heroku vercel netlify sam eb firebase copilot kamal now serverless sls dokku".split())


def platform(call: Call) -> Row | None:
    """fly, heroku, vercel, netlify, firebase, wrangler, serverless, sam, …"""
    program = call.program
    operands = call.operands(
        "-a", "--app", "-c", "--config", "-s", "--stage", "-e", "--env", "-t", "--template", "--project"
    )
    if not operands:
        if program in {"vercel", "now"}:
            return None if call.has_flag("-v", "--version", "--help") else DEPLOYS
        return None
    verb = operands[0]
    row = looked_up(call, PLATFORM, "-a", "--app", "-c", "--config", "-s", "--stage", "-e", "--env")
    if row is FOLLOWS:
        follows = call.has_flag("-f", "--follow", "--tail", "-t", "--stream")
        if program in {"fly", "flyctl", "wrangler"}:
            return None if call.has_flag("--no-tail", "-n") else FOLLOWS
        return FOLLOWS if follows or program not in ENDS else None
    if row is None and "log" in verb and call.has_flag("-f", "--follow", "--tail", "-t"):
        return FOLLOWS
    if program == "heroku":
        if verb == "run":
            shell = {"bash", "sh", "console", "irb", "python", "psql", "shell"}.isdisjoint(operands[-1:])
            return ("suggest", "infra", "runs a command on a dyno") if shell else PERSON
        if verb.startswith("ps:") or verb in {"builds:create", "container:push"}:
            return SENDS if verb == "container:push" else None
        if verb == "local":
            return SERVES
    if program == "wrangler" and row is DEPLOYS:
        return SENDS
    if program in {"vercel", "now"} and row is None and verb not in QUIET:
        return DEPLOYS  # a folder
    if row is PERSON and program in {"fly", "flyctl"} and call.has_flag("-C", "--command"):
        return None
    return row


QUIET = frozenset(
    "ls list inspect env domains dns certs alias whoami teams projects project link unlink secrets help rm remove "
    "rollback promote switch telemetry git integration target init pull bisect blob cache curl".split()
)


def packer(call: Call) -> Row | None:
    return {"build": ("force", "build", "builds a machine image"), "init": PREPARES}.get(call.verb)


def agent(call: Call) -> Row | None:
    """puppet, chef, salt."""
    return None if call.has_flag("--noop", "--version", "-V") or call.verb in {"help", "module"} else APPLIES


def capistrano(call: Call) -> Row | None:
    return DEPLOYS if "deploy" in call.words or "setup" in call.words else None


def bigquery(call: Call) -> Row | None:
    return {"query": ("suggest", "database", "runs a query"), "load": COPIES, "extract": COPIES, "cp": COPIES}.get(
        call.verb
    )


def terraform(call: Call) -> Row | None:
    if call.verb in {"apply", "destroy", "plan", "init"} and call.has_flag("-help"):
        return None
    if call.verb == "init" and call.has_flag("-backend=false"):
        return PREPARES
    return looked_up(call, TERRAFORM, "-chdir", "--terragrunt-working-dir")


PROGRAMS: dict[str, Handler] = {
    **each("terraform tofu terragrunt", terraform),
    "pulumi": PULUMI,
    **each("cdk cdktf", cdk),
    **each("ansible-playbook ansible-pull", playbook),
    "ansible": ansible,
    "ansible-galaxy": galaxy,
    "packer": packer,
    **each("salt salt-call puppet chef-client chef-solo", agent),
    **each("aws awslocal", aws),
    **each("gcloud az doctl hcloud oci ibmcloud linode-cli scw", cloud),
    "bq": bigquery,
    **each(
        "fly flyctl heroku vercel now netlify firebase wrangler railway serverless sls sam eb copilot amplify azd "
        "func sst zappa chalice kamal dokku surge",
        platform,
    ),
    **each("mina capistrano nixops", capistrano),
    "infracost": table({PLANS: "breakdown, diff"}),
}
