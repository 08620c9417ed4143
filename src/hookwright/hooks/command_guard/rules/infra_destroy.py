"""Stops Terraform, Pulumi and CDK from destroying infrastructure, and asks before they change it.

Why: one command removes servers, networks and databases together; `-auto-approve` skips the review of the plan.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, has_piped_yes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "infra-destroy"
EXAMPLES = {
    "terraform destroy -auto-approve": "deny",
    "terraform apply -destroy -auto-approve": "deny",
    "tofu destroy --auto-approve": "deny",
    "terragrunt run-all destroy --terragrunt-non-interactive": "deny",
    "pulumi destroy --yes": "deny",
    "cdk destroy --all --force": "deny",
    "yes | terraform destroy": "deny",
    "terraform destroy «-y|-f|--non-interactive|--skip-preview»": "deny",
    "pulumi «down|destroy» --yes": "deny",
    "terragrunt destroy-all -y": "deny",
    "pulumi stack rm dev --yes": "deny",
    "terraform apply --destroy --auto-approve": "deny",
    "TF_CLI_ARGS=-auto-approve terraform destroy": "deny",
    "terraform destroy": "ask",
    "terraform apply -auto-approve": "ask",
    "terraform state rm aws_instance.x": "ask",
    "terraform workspace delete old": "ask",
    "pulumi up --yes": "ask",
    "cdk deploy": "ask",
    "pulumi «down|remove|rm» x": "ask",
    "terragrunt «destroy-all|apply-all»": "ask",
    "terraform «import|taint|untaint|force-unlock|refresh» x": "ask",
    "pulumi cancel": "ask",
    "cdk bootstrap": "ask",
    "terraform state «mv|push|replace-provider» x": "ask",
    "terragrunt run apply": "ask",
    "terraform plan -destroy": None,
    "terraform init": None,
    "terraform fmt": None,
    "terraform state list": None,
    "pulumi preview": None,
    "cdk diff": None,
    "terraform «destroy -help|apply --dry-run»": None,
    "pulumi up --preview-only": None,
    "terraform «show|validate» -destroy": None,
    "pulumi preview --destroy": None,
    "cdk diff --destroy": None,
    "terraform rm x": None,
}

UNASKED = ("-auto-approve", "--auto-approve", "-y", "--yes", "-f", "--force",
           "--terragrunt-non-interactive", "--non-interactive", "--skip-preview")  # fmt: skip
DESTROYS = frozenset("destroy remove down destroy-all".split())
CHANGES = frozenset("apply apply-all up deploy import taint untaint force-unlock refresh cancel bootstrap".split())
STATE = frozenset(("rm", "mv", "push", "delete", "replace-provider"))


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("-help", "--dry-run", "--preview-only"):
        return None
    operands = call.operands()
    words = [word for word in operands if word not in ("run-all", "run", "stack")]
    verb = words[0] if words else ""
    look = (
        "terraform plan"
        if call.program not in ("pulumi", "cdk")
        else "pulumi preview"
        if call.program == "pulumi"
        else "cdk diff"
    )
    if call.program in ("tofu", "terragrunt"):
        look = f"{call.program} plan"
    destroys = verb in DESTROYS or (verb == "rm" and call.program == "pulumi") or call.has_flag("-destroy", "--destroy")
    if verb in ("plan", "preview", "show", "validate", "diff"):
        return None
    if destroys and verb:
        look = {"pulumi": "pulumi preview --diff", "cdk": "cdk list"}.get(call.program, f"{look} -destroy")
        if call.has_flag(*UNASKED) or has_piped_yes(call) or "-auto-approve" in "".join(call.env.values()):
            return deny(f"`{format_call(call)}` would destroy the infrastructure without a last look", look)
        return ask(f"`{format_call(call)}` destroys the infrastructure", look)
    if verb in CHANGES:
        return ask(f"`{format_call(call)}` changes running infrastructure", look)
    if verb in ("state", "workspace") and words[1:2] and words[1] in STATE:
        return ask(f"`{format_call(call)}` makes it forget what it manages", "terraform state list")
    return None
