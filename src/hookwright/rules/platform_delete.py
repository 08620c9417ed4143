"""Stops apps, clusters, sites and virtual machines from being deleted by the platforms' own tools.

Why: with the app go its data, domains and secrets. Where the tool asks back, so do we; where it was told not to, or
never asks, it is refused.
"""

from __future__ import annotations

from hookwright.rules.kit import answered, ask, deny, shown
from hookwright.rules.production import names_production, names_trial

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "platform-delete"
EXAMPLES = {
    "vercel rm my-app --yes": "deny",
    "eksctl delete cluster --name prod": "deny",
    "heroku apps:destroy my-app --confirm my-app": "deny",
    "podman system reset -f": "deny",
    "heroku pg:reset -a staging": "ask",
    "fly apps destroy my-app": "ask",
    "doctl compute droplet create web": "ask",
    "stripe refunds create --charge=ch_1": "ask",
    "vagrant destroy": "ask",
    "minikube delete": "ask",
    "vault kv delete secret/app": "ask",
    "vercel ls": None,
    "heroku logs": None,
    "fly status": None,
    "eksctl get cluster": None,
    "vagrant up": None,
    "doctl compute droplet list": None,
    "stripe listen --forward-to localhost:3000": None,
}

# Program → words that delete.
DELETES = {
    "vercel": "rm remove",
    "now": "rm remove",
    "netlify": "sites:delete",
    "heroku": "apps:destroy destroy pg:reset addons:destroy pg:delete",
    "fly": "destroy delete",
    "flyctl": "destroy delete",
    "doctl": "delete d rm",
    "railway": "down delete",
    "supabase": "delete",
    "wrangler": "delete",
    "firebase": "projects:delete firestore:delete database:remove functions:delete hosting:disable apps:delete",
    "eksctl": "delete",
    "kops": "delete",
    "linode-cli": "delete rm",
    "hcloud": "delete",
    "scw": "delete terminate",
    "ibmcloud": "delete rm",
    "oci": "delete terminate",
    "dokku": "apps:destroy",
    "cf": "delete delete-org delete-space delete-service",
    "eb": "terminate",
    "copilot": "delete",
    "amplify": "delete",
    "serverless": "remove",
    "sls": "remove",
    "sam": "delete",
    "nomad": "stop purge",
    "vault": "delete destroy disable revoke",
    "restic": "forget prune",
    "borg": "delete prune repo-delete rdelete",
    "velero": "delete",
    "op": "delete",
    "doppler": "delete",
    "rabbitmqadmin": "delete purge",
    "mc": "rm rb",
    "s3cmd": "del rm rb",
    "s5cmd": "rm rb",
    "argocd": "delete",
    "flux": "delete uninstall",
    "istioctl": "uninstall",
    "turso": "destroy",
    "influx": "delete",
    "openstack": "delete",
    "VBoxManage": "unregistervm closemedium",
    "kafka-consumer-groups": "--delete",
    "kafka-delete-records": "--offset-json-file",
    "databricks": "delete destroy",
    "confluent": "delete",
    "consul": "delete",
    "etcdctl": "del",
    "kafka-topics": "--delete",
    "kafka-topics.sh": "--delete",
    "rabbitmqctl": "reset force_reset delete_queue delete_vhost delete_user",
    "minikube": "delete",
    "kind": "delete",
    "k3d": "delete",
    "vagrant": "destroy",
    "multipass": "delete purge",
    "virsh": "destroy undefine vol-delete",
    "lxc": "delete",
    "qm": "destroy",
    "podman": "reset",
    "neonctl": "delete",
    "planetscale": "delete",
    "pscale": "delete",
    "sentry-cli": "delete",
    "colima": "delete",
    "docker-machine": "rm",
    "stripe": "delete",
    "twilio": "remove delete",
}
SILENT = frozenset(
    ("eksctl serverless sls wrangler consul etcdctl vault linode-cli hcloud scw rabbitmqctl kafka-topics qm").split()
)
NEVER_ASKING = frozenset(("eksctl", "linode-cli", "hcloud", "scw", "qm"))  # and what they delete are whole machines
# Where nothing else looks at changes.
CLOUDS = frozenset("doctl eksctl kops linode-cli hcloud scw ibmcloud oci cf neonctl pscale stripe twilio".split())
CHANGES = frozenset(
    (
        "create update set resize reboot rebuild restart start stop scale upgrade apply push deploy patch cancel "
        "capture confirm refund add assign attach detach power-off power-on"
    ).split()
)
UNASKED = (
    "-y",
    "--yes",
    "-f",
    "--force",
    "--confirm",
    "-q",
    "--quiet",
    "--auto-approve",
    "-purge",
    "--purge",
    "--no-prompts",
    "--prefix",
    "-recurse",
    "--recursive",
)


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if call.has_flag("--help", "--dry-run"):
        return None
    words = DELETES.get(program, "").split()
    look = f"{program} --help"
    if not any(word in words for word in call.args):
        verbs = [word.rpartition(":")[2] for word in call.operands()]
        if program in CLOUDS and not CHANGES.isdisjoint(verbs):
            return ask(f"`{shown(call)}` changes something in the account", look)
        return None
    unasked = (
        call.has_flag(*UNASKED)
        or answered(call)
        or program in NEVER_ASKING
        or (names_production(call) and program in SILENT)
    )
    if unasked and not names_trial(call):
        return deny(f"`{shown(call)}` deletes it with its data, and nothing asks back", look)
    return ask(f"`{shown(call)}` deletes it with its data", look)
