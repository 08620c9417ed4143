"""Infrastructure and deployment: terraform, pulumi, ansible, the clouds and their platforms.

The programs and their tables are in infra.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import look_up_verb
from hookwright.shell.programs.infra_table import (
    APPLIES,
    AWS,
    CDK,
    CLOUD_VERBS,
    COPIES,
    DEPLOYS,
    ENDS,
    FOLLOWS,
    PERSON,
    PLATFORM,
    PREPARES,
    QUIET,
    SENDS,
    SERVES,
    SLOW,
    SYNCS,
    TERRAFORM,
    WAITS,
    WATCHES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_cdk(call: Call) -> Row | None:
    if call.has_flag("--watch"):
        return WATCHES
    row = look_up_verb(call, CDK, "-a", "--app", "-c", "--context", "-o", "--output", "--profile")
    return None if call.verb in {"ls", "list", "init"} and call.program == "cdk" else row


def classify_ansible(call: Call) -> Row | None:
    return None if call.option("-m", "--module-name") == "ping" or not call.operands("-i", "-m", "-a") else SENDS


def classify_galaxy(call: Call) -> Row | None:
    return PREPARES if "install" in call.operands() else None


def classify_aws(call: Call) -> Row | None:
    operands = call.operands()
    if len(operands) > 1 and operands[1] == "wait":
        return WAITS
    if operands[:2] == ["logs", "tail"]:
        return FOLLOWS if call.has_flag("--follow") else None
    if operands[:2] == ["configure", "list"] or (len(operands) > 1 and operands[0] == "configure"):
        return None
    row = look_up_verb(call, AWS)
    if row is COPIES and operands[1] in {"cp", "mv"} and not call.has_flag("--recursive"):
        from hookwright.shell.programs.transfers import is_small_file

        if operands[-1] == "-" or is_small_file(operands[2] if len(operands) > 2 else ""):
            return None
    if row is COPIES and operands[1] in {"cp", "mv"} and call.has_flag("--recursive"):
        return SYNCS
    if row is COPIES and operands[1] in {"rm", "rb"} and not call.has_flag("--recursive", "--force"):
        return None
    if row is not None and call.has_flag("--dryrun"):
        return None
    return row


def classify_cloud(call: Call) -> Row | None:
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


def classify_platform(call: Call) -> Row | None:
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
    row = look_up_verb(call, PLATFORM, "-a", "--app", "-c", "--config", "-s", "--stage", "-e", "--env")
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


def classify_terraform(call: Call) -> Row | None:
    if call.verb in {"apply", "destroy", "plan", "init"} and call.has_flag("-help"):
        return None
    if call.verb == "init" and call.has_flag("-backend=false"):
        return PREPARES
    return look_up_verb(call, TERRAFORM, "-chdir", "--terragrunt-working-dir")
