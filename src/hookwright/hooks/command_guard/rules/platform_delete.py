"""Stops apps, clusters, sites and virtual machines from being deleted by the platforms' own tools.

Why: an app is deleted with its data, domains and secrets. Where the tool asks for confirmation, so does this rule;
where it never asks or an option skips the question, the command is denied.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.production_names import names_production, names_trial
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, has_piped_yes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "platform-delete"
EXAMPLES = {
    "vercel rm my-app --yes": "deny",
    "eksctl delete cluster --name prod": "deny",
    "heroku apps:destroy my-app --confirm my-app": "deny",
    "podman system reset -f": "deny",
    "vercel remove web --yes": "deny",
    "«flyctl|fly» apps destroy web -y": "deny",
    "doctl compute droplet «delete|d|rm» web «--force|-f»": "deny",
    "nomad job stop «-purge|--purge» web": "deny",
    "kops delete cluster web --yes": "deny",
    "multipass delete web --purge": "deny",
    "«linode-cli linodes|hcloud server|scw instance server» delete web": "deny",
    "scw instance server terminate web": "deny",
    "linode-cli linodes rm 12": "deny",
    "qm destroy 100": "deny",
    "eksctl delete cluster web": "deny",
    "«etcdctl del|consul kv delete» key --prefix": "deny",
    "consul kv delete -recurse app/": "deny",
    "oci os bucket delete --recursive web": "deny",
    "databricks bundle destroy --auto-approve": "deny",
    "sam delete --no-prompts": "deny",
    "«serverless|sls» remove --stage prod": "deny",
    "wrangler delete --env production": "deny",
    "«consul kv delete|etcdctl del|vault delete» prod/key": "deny",
    "rabbitmqctl delete_queue prod-orders": "deny",
    "kafka-topics --delete --topic prod-orders": "deny",
    "cf delete web «-f|--force|-q|--quiet»": "deny",
    "heroku pg:reset -a staging": "ask",
    "fly apps destroy my-app": "ask",
    "doctl compute droplet create web": "ask",
    "stripe refunds create --charge=ch_1": "ask",
    "vagrant destroy": "ask",
    "minikube delete": "ask",
    "vault kv delete secret/app": "ask",
    "netlify sites:delete web": "ask",
    "heroku «destroy|addons:destroy|pg:delete» web": "ask",
    "«fly|flyctl» volumes «destroy|delete» vol": "ask",
    "doctl compute droplet «delete|d|rm» web": "ask",
    "railway «down|delete»": "ask",
    "supabase projects delete x": "ask",
    "wrangler delete": "ask",
    "firebase «projects:delete|firestore:delete|database:remove|functions:delete|hosting:disable» x": "ask",
    "firebase apps:delete x": "ask",
    "kops delete cluster web": "ask",
    "ibmcloud resource «delete|rm» x": "ask",
    "oci compute instance «delete|terminate» x": "ask",
    "dokku apps:destroy web": "ask",
    "cf «delete|delete-org|delete-space|delete-service» x": "ask",
    "eb terminate web": "ask",
    "«copilot app|amplify|sam» delete": "ask",
    "«serverless|sls» remove": "ask",
    "nomad «stop|job purge» web": "ask",
    "vault «kv destroy|secrets disable|lease revoke» x": "ask",
    "restic «forget|prune»": "ask",
    "borg «delete|prune|repo-delete|rdelete» x": "ask",
    "velero backup delete x": "ask",
    "op vault delete x": "ask",
    "doppler projects delete x": "ask",
    "rabbitmqadmin «delete|purge» queue": "ask",
    "mc «rm|rb» x": "ask",
    "s3cmd «del|rm|rb» s3://x": "ask",
    "s5cmd «rm|rb» s3://x": "ask",
    "argocd app delete web": "ask",
    "flux «delete|uninstall» source": "ask",
    "istioctl uninstall": "ask",
    "turso db destroy x": "ask",
    "influx bucket delete x": "ask",
    "openstack server delete x": "ask",
    "VBoxManage «unregistervm|closemedium» x": "ask",
    "«kafka-consumer-groups|kafka-topics|kafka-topics.sh» --delete --topic x": "ask",
    "kafka-delete-records --offset-json-file x": "ask",
    "databricks «jobs delete|bundle destroy» x": "ask",
    "confluent kafka topic delete x": "ask",
    "consul kv delete key": "ask",
    "etcdctl del key": "ask",
    "rabbitmqctl «reset|force_reset|delete_queue|delete_vhost|delete_user» x": "ask",
    "«kind delete cluster|k3d cluster delete|colima delete|lxc delete x|docker-machine rm x»": "ask",
    "multipass «delete|purge» x": "ask",
    "virsh «destroy|undefine|vol-delete» x": "ask",
    "«neonctl projects|pscale database|stripe products» delete x": "ask",
    "twilio phone-numbers «remove|delete» x": "ask",
    "hcloud server delete test-1": "ask",
    "doctl compute droplet «update|set|resize|reboot|rebuild|restart|start|stop|scale|upgrade|apply|push» x": "ask",
    "doctl compute droplet deploy x": "ask",
    "doctl compute droplet «patch|cancel|capture|confirm|refund|add|assign|attach|detach|power-off» x": "ask",
    "doctl compute droplet power-on x": "ask",
    "«eksctl|kops|linode-cli|hcloud|scw|ibmcloud|oci|cf|neonctl|pscale|twilio» create x": "ask",
    "vercel ls": None,
    "heroku logs": None,
    "fly status": None,
    "eksctl get cluster": None,
    "vagrant up": None,
    "doctl compute droplet list": None,
    "stripe listen --forward-to localhost:3000": None,
}

# Program → subcommands or options that delete.
DELETES = {
    "vercel": "rm remove",
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
    "pscale": "delete",
    "colima": "delete",
    "docker-machine": "rm",
    "stripe": "delete",
    "twilio": "remove delete",
}
SILENT = frozenset(
    ("eksctl serverless sls wrangler consul etcdctl vault linode-cli hcloud scw rabbitmqctl kafka-topics qm").split()
)
NEVER_ASKING = frozenset(("eksctl", "linode-cli", "hcloud", "scw", "qm"))  # delete whole machines without confirmation
# Programs whose other changes no other rule checks.
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
    if call.has_flag("--dry-run"):
        return None
    words = DELETES.get(program, "").split()
    look = f"{program} --help"
    if not any(word in words for word in call.args):
        verbs = [word.rpartition(":")[2] for word in call.operands()]
        if program in CLOUDS and not CHANGES.isdisjoint(verbs):
            return ask(f"`{format_call(call)}` changes something in the account", look)
        return None
    unasked = (
        call.has_flag(*UNASKED)
        or has_piped_yes(call)
        or program in NEVER_ASKING
        or (names_production(call) and program in SILENT)
    )
    if unasked and not names_trial(call):
        return deny(f"`{format_call(call)}` deletes it with its data, and nothing asks back", look)
    return ask(f"`{format_call(call)}` deletes it with its data", look)
