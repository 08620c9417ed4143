"""Stops deletions through Google's and Azure's command lines, and asks before they change anything.

Why: with --quiet or --yes nothing asks back, and a deleted project or resource group takes everything in it along.
"""

from __future__ import annotations

from hookwright.rules.kit import answered, ask, deny, shown
from hookwright.rules.production import names_production

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "cloud-change"
EXAMPLES = {
    "gcloud projects delete my-project --quiet": "deny",
    "gcloud compute instances delete vm-1 -q": "deny",
    "gsutil -m rm -r gs://bucket": "deny",
    "bq rm -r -f dataset": "deny",
    "az group delete --name rg --yes": "deny",
    "gcloud compute instances delete vm-1": "ask",
    "gcloud run deploy web": "ask",
    "az vm stop -g rg -n vm": "ask",
    "gsutil rm gs://bucket/a.txt": "ask",
    "gsutil cp a.txt gs://bucket/": "ask",
    "gcloud config list": None,
    "gcloud compute instances list": None,
    "gsutil ls": None,
    "gsutil cp gs://bucket/a.txt .": None,
    "az group list": None,
    "az account show": None,
    "bq query 'select 1'": None,
}

TAKES = frozenset("delete remove destroy purge rm rb delete-batch disable".split())
CHANGES = frozenset(
    (
        "create update deploy set-iam-policy add-iam-policy-binding remove-iam-policy-binding stop start reset "
        "restart resize scale set patch import attach detach failover promote rollback migrate move undelete enable "
        "upload sync copy deallocate upgrade run-command invoke add replace swap submit set-password up"
    ).split()
)
UNASKED = ("-q", "--quiet", "-y", "--yes", "-f", "--force")
HARMLESS = frozenset(
    ("config", "auth", "info", "version", "components", "account", "login", "configure", "help", "init")
)


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    operands = call.operands("-n", "--name", "-g", "--resource-group")
    if (
        not operands
        or operands[0] in HARMLESS
        or (call.has_flag("--help", "-h", "--dry-run", "-n") and program == "bq")
    ):
        return None
    if program == "gsutil" and call.has_flag("-n"):
        return None
    if program == "gsutil" or (operands[:1] == ["storage"] and program == "gcloud"):
        return storage(call, operands[1:] if operands[0] == "storage" else operands)
    verb = next((word for word in operands if word in TAKES), None)
    look = {"bq": "bq ls", "az": "az resource list"}.get(program, "gcloud projects list")
    if verb is not None:
        if call.has_flag(*UNASKED) or answered(call) or names_production(call) or operands[:1] == ["projects"]:
            return deny(f"`{shown(call)}` deletes it for good, and nothing asks back", look)
        return ask(f"`{shown(call)}` deletes something in the account", look)
    if any(word in CHANGES for word in operands) and program != "bq":
        return ask(f"`{shown(call)}` changes something in the account", look)
    return None


def storage(call: Call, operands: list[Word]) -> Finding | None:
    verb = operands[0] if operands else ""
    look = "gsutil ls"
    if verb in ("buckets", "objects", "folders"):
        operands = operands[1:]
        verb = "rb" if verb == "buckets" and operands[:1] == ["delete"] else operands[0] if operands else ""
    whole = verb == "rm" and any(word.endswith(("/**", "/*")) for word in operands)
    if whole or verb == "rb" or (verb in ("rm", "delete") and call.has_flag("-r", "-R", "--recursive", "-a")):
        return deny(f"`{shown(call)}` deletes every object in it for good", look)
    to_cloud = operands[-1:] and operands[-1].startswith(("gs://", "s3://"))
    if verb in ("rm", "delete", "mv", "setmeta", "iam", "acl") or (
        verb in ("cp", "rsync") and (to_cloud or call.has_flag("-d"))
    ):
        return ask(f"`{shown(call)}` changes what is in the bucket", look)
    return None
