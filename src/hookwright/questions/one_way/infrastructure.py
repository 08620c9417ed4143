"""Changing or ending machines, clusters, domains.

Why: what runs on them ends with them, and names on the network come back slowly.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.questions.one_way.text import Text

ID = "infrastructure"
EXAMPLES = {
    "Run terraform apply?": "ask",
    "Shut down the old servers?": "ask",
    "Terminate the instance?": "ask",
    "Tear down the environment?": "ask",
    "Which test teardown style?": None,
    "Which server framework?": None,
}
WORDS = ("decommission", "decommissions", "decommissioned", "decommissioning", "deprovision", "failover", "terminate",
         "terminates", "terminated", "terminating")  # fmt: skip
PHRASES = (
    *("terraform apply", "terraform destroy", "tofu apply", "tofu destroy", "pulumi up", "pulumi destroy"),
    *("cdk deploy", "cdk destroy", "helm uninstall", "helm upgrade", "kubectl apply", "kubectl replace"),
    *("scale down", "scale to zero", "scale to 0", "drain the node", "drain nodes", "shut it down", "take it down"),
    *("change the dns", "update the dns", "switch the dns", "change dns", "transfer the domain", "transfer domain"),
    *("fail over", "restart all"),
)
VERBS = frozenset(
    (*("shutdown", "shut", "stop", "restart", "reboot", "tear", "teardown", "kill", "replace", "resize", "apply"),
     *("provision", "reprovision", "drain"))
)  # fmt: skip
NOUNS = frozenset(
    (*("server", "servers", "cluster", "clusters", "instance", "instances", "vm", "vms", "fleet", "infrastructure"),
     *("environment", "environments", "stack", "nodes", "dns", "domain", "domains", "terraform", "kubernetes"),
     *("firewall", "vpc", "infra"))
)  # fmt: skip


def check(text: Text) -> str:
    return text.word(WORDS) or text.phrase(PHRASES) or text.together(VERBS, NOUNS)
