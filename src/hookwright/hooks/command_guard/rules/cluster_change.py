"""Stops deletion of whole namespaces, volumes and nodes in a cluster, and asks before anything in it changes.

Why: a namespace or volume claim is deleted with everything in it, and the current context may point at any cluster.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.production_names import names_production
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "cluster-change"
EXAMPLES = {
    "kubectl delete namespace web": "deny",
    "kubectl delete pvc --all": "deny",
    "kubectl delete all --all -n shop": "deny",
    "kubectl delete deployment web -n prod": "deny",
    "helm uninstall db -n prod": "deny",
    "kubectl delete «namespaces|ns|pvc|pvcs|pv|crd|crds|node|nodes|storageclass|all» x": "deny",
    "kubectl delete «persistentvolumeclaim|persistentvolumeclaims|persistentvolume|persistentvolumes» x": "deny",
    "kubectl delete customresourcedefinition x": "deny",
    "oc delete project shop": "deny",
    "kubectl delete deployment «--all|-A|--all-namespaces»": "deny",
    "kubectl delete deployment web --context prod": "deny",
    "helm «uninstall|delete» web -n production": "deny",
    "kubectl delete pod web-0": "ask",
    "kubectl apply -f k8s/ -n prod": "ask",
    "kubectl scale deploy/api --replicas=0": "ask",
    "kubectl drain node-1 --force --delete-emptydir-data": "ask",
    "kubectl rollout restart deploy/web": "ask",
    "helm uninstall web": "ask",
    "helm upgrade --install web ./chart": "ask",
    "kubectl delete «pod|pods|po|job|jobs» web-1 --context prod": "ask",
    "kubectl delete -f web.yaml": "ask",
    "kubectl cp a.txt web:/tmp/a.txt": "ask",
    "kubectl rollout restart deployment/web": "ask",
    "helm delete web": "ask",
    "kubectl delete «-n|--namespace|-l|--selector|--context|-c|-f|--filename» project deployment web": "ask",
    "kubectl get pods -n production": None,
    "kubectl describe ns prod": None,
    "kubectl delete pod x --dry-run=client": None,
    "kubectl rollout status deploy/web": None,
    "kubectl logs web-0": None,
    "kubectl cp web-0:/tmp/a .": None,
    "helm list": None,
    "helm template ./chart": None,
    "helm upgrade web ./chart --dry-run": None,
    "kubectl rollout history deployment/web": None,
    "kubectl apply -f web.yaml «--dry-run=client|-h»": None,
    "kubectl cp web:/tmp/a.txt a.txt": None,
}

WHOLE = frozenset(
    (
        "namespace namespaces ns pvc pvcs persistentvolumeclaim persistentvolumeclaims pv persistentvolume "
        "persistentvolumes crd crds customresourcedefinition node nodes storageclass project all"
    ).split()
)
PASSING = frozenset(("pod", "pods", "po", "job", "jobs"))  # recreated by a controller, or already finished
ROLLOUT_READS = ("status", "history")


def check(call: Call, scene: Scene) -> Finding | None:
    if call.has_flag("--dry-run", "-h"):
        return None
    operands = call.operands("-n", "--namespace", "-f", "--filename", "-l", "--selector", "--context", "-c")
    verb = operands[0] if operands else ""
    if call.program == "helm":
        return check_helm(call, verb)
    look = "kubectl get " + (operands[1] if len(operands) > 1 and operands[1].isalpha() else "all")
    if verb == "delete":
        kinds = operands[1].split(",") if len(operands) > 1 else []
        whole = call.has_flag("--all", "-A", "--all-namespaces") or any(
            kind.partition("/")[0] in WHOLE for kind in kinds
        )
        if whole or (names_production(call) and not PASSING.issuperset(kinds)):
            return deny(f"`{format_call(call)}` deletes several cluster resources, data included", look)
        return ask(f"`{format_call(call)}` deletes something in the cluster", look)
    if verb == "cp" and ":" not in operands[-1]:
        return None  # a copy out of the cluster
    if verb == "rollout" and operands[1:2] and operands[1] in ROLLOUT_READS:
        return None
    return ask(f"`{format_call(call)}` changes what runs in the cluster", look)


def check_helm(call: Call, verb: str) -> Finding | None:
    if verb in ("uninstall", "delete", "del", "un"):
        if names_production(call):
            return deny(
                f"`{format_call(call)}` removes a release from production, its data perhaps with it", "helm list"
            )
        return ask(f"`{format_call(call)}` removes a release from the cluster", "helm list")
    return ask(f"`{format_call(call)}` changes what runs in the cluster", "helm list")
