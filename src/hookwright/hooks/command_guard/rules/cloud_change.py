"""Stops deletions through Google's and Azure's command lines, and asks before they change anything.

Why: --quiet and --yes skip the confirmation, and a deleted project or resource group takes everything in it along.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.production_names import names_production
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, has_piped_yes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "cloud-change"
EXAMPLES = {
    "gcloud projects delete my-project --quiet": "deny",
    "gcloud compute instances delete vm-1 -q": "deny",
    "gsutil -m rm -r gs://bucket": "deny",
    "bq rm -r -f dataset": "deny",
    "az group delete --name rg --yes": "deny",
    "gcloud compute instances «delete|remove|destroy|purge» vm «-q|--quiet»": "deny",
    "az vm delete --ids x «-y|--yes»": "deny",
    "gcloud compute disks delete d --force": "deny",
    "gcloud projects delete demo-1": "deny",
    "gsutil rb gs://bucket": "deny",
    "gsutil rm «-r|-R|-a» gs://bucket": "deny",
    "gsutil rm gs://bucket/«**|*»": "deny",
    "gcloud storage rm --recursive gs://bucket": "deny",
    "gcloud storage buckets delete gs://bucket": "deny",
    "gcloud storage «objects|folders» delete --recursive gs://bucket/a": "deny",
    "gcloud compute instances delete vm-1": "ask",
    "gcloud run deploy web": "ask",
    "az vm stop -g rg -n vm": "ask",
    "gsutil rm gs://bucket/a.txt": "ask",
    "gsutil cp a.txt gs://bucket/": "ask",
    "gcloud storage objects delete gs://bucket/a": "ask",
    "gcloud compute disks «remove|purge|destroy|disable» d": "ask",
    "az storage blob delete-batch -s src": "ask",
    "gcloud compute instances «create|update|start|reset|resize|set|move|attach|detach|import|add» vm": "ask",
    "gcloud compute instances replace vm": "ask",
    "gcloud projects «set-iam-policy|add-iam-policy-binding|remove-iam-policy-binding|undelete» demo-1": "ask",
    "gcloud projects enable demo-1": "ask",
    "gcloud sql instances «restart|failover|patch|promote» db": "ask",
    "gcloud run services «migrate|rollback|invoke» web": "ask",
    "az vm «deallocate|restart|run-command|resize|upgrade|scale» -n vm -g rg": "ask",
    "az storage blob «upload|sync|copy» -f a": "ask",
    "az webapp deployment slot swap -n web -g rg --slot s": "ask",
    "gcloud builds submit .": "ask",
    "gcloud sql users set-password root": "ask",
    "az webapp up": "ask",
    "gsutil «mv|setmeta|iam|acl|cp|rsync» a gs://bucket": "ask",
    "gsutil rsync -d a b": "ask",
    "gcloud storage cp a gs://bucket": "ask",
    "gsutil cp a s3://bucket": "ask",
    "gcloud config list": None,
    "gcloud compute instances list": None,
    "gsutil ls": None,
    "gsutil cp gs://bucket/a.txt .": None,
    "az group list": None,
    "az account show": None,
    "bq query 'select 1'": None,
    "gcloud «config|auth|info|version|components|help|init» set x": None,
    "az «account|login|configure» set -s x": None,
    "az vm show «-n|--name|-g|--resource-group» create": None,
    "bq rm «-h|--dry-run|-n» data.t": None,
    "gsutil rsync -n a gs://bucket": None,
    "gcloud storage ls gs://bucket": None,
    "gcloud storage buckets list": None,
    "gsutil cp gs://bucket/a .": None,
    "gsutil ls gs://bucket": None,
    "bq update data.t": None,
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
    if not operands or operands[0] in HARMLESS or (call.has_flag("-h", "--dry-run", "-n") and program == "bq"):
        return None
    if program == "gsutil" and call.has_flag("-n"):
        return None
    if program == "gsutil" or (operands[:1] == ["storage"] and program == "gcloud"):
        return check_storage(call, operands[1:] if operands[0] == "storage" else operands)
    verb = next((word for word in operands if word in TAKES), None)
    look = {"bq": "bq ls", "az": "az resource list"}.get(program, "gcloud projects list")
    if verb is not None:
        if call.has_flag(*UNASKED) or has_piped_yes(call) or names_production(call) or operands[:1] == ["projects"]:
            return deny(f"`{format_call(call)}` deletes it for good, and nothing asks back", look)
        return ask(f"`{format_call(call)}` deletes something in the account", look)
    if any(word in CHANGES for word in operands) and program != "bq":
        return ask(f"`{format_call(call)}` changes something in the account", look)
    return None


def check_storage(call: Call, operands: list[Word]) -> Finding | None:
    verb = operands[0] if operands else ""
    look = "gsutil ls"
    if verb in ("buckets", "objects", "folders"):
        operands = operands[1:]
        verb = "rb" if verb == "buckets" and operands[:1] == ["delete"] else operands[0] if operands else ""
    whole = verb == "rm" and any(word.endswith(("/**", "/*")) for word in operands)
    if whole or verb == "rb" or (verb in ("rm", "delete") and call.has_flag("-r", "-R", "--recursive", "-a")):
        return deny(f"`{format_call(call)}` deletes every object in it for good", look)
    to_cloud = operands[-1:] and operands[-1].startswith(("gs://", "s3://"))
    if verb in ("rm", "delete", "mv", "setmeta", "iam", "acl") or (
        verb in ("cp", "rsync") and (to_cloud or call.has_flag("-d"))
    ):
        return ask(f"`{format_call(call)}` changes what is in the bucket", look)
    return None
