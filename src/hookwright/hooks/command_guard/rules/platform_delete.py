"""Stops apps, clusters, queues, flags and other systems from being deleted or changed by their own tools.

Why: an app is deleted with its data, domains and secrets. Where the tool asks for confirmation, so does this rule;
where it never asks or an option skips the question, the command is denied. What each tool deletes and changes is one
table: `systems.toml`.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.production_names import names_production, names_trial
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, has_piped_yes
from hookwright.hooks.command_guard.systems_match import matches
from hookwright.hooks.command_guard.systems_table import SYSTEMS

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
    "docker-machine rm x": "ask",
    "«azcopy remove|mc mirror --remove a|nats stream rm» x": "ask",
    "«rpk topic delete|deck gateway reset|circleci context delete» x": "ask",
    "«ldcli flags delete|flipt delete|unleash archive» x": "ask",
    "«pd incident resolve|newrelic entity delete|algolia indices clear» x": "ask",
    "«splunk clean|gitlab-rake gitlab:backup:restore» x": "ask",
    "«gitlab-ctl stop|sentry-cli releases delete|auth0 apps delete» x": "ask",
    "«airflow db reset|prefect deployment delete|temporal workflow terminate» x": "ask",
    "«celery purge|argo delete|tkn delete» x": "ask",
    "«kubeadm reset|helmfile destroy|skaffold delete|talosctl reset» x": "ask",
    "«crane delete|jf rt del|rbd rm|nodetool decommission» x": "ask",
    "«kafka-acls --remove|kafka-configs --alter|pulsar-admin topics delete|mosquitto_pub -t a -m» x": "ask",
    "«uci set|uci commit|opkg remove|opkg install|vtysh -c» x": "ask",
    "«sysupgrade|firstboot|ldapdelete|pg_dropcluster|nsupdate» x": "ask",
    "«reg delete|sc stop|netsh interface set|bcdedit /set» x": "ask",
    "«schtasks /delete|auditpol /set|vssadmin delete|wevtutil cl» x": "ask",
    "java -jar jenkins-cli.jar -s http://ci delete-job x": "ask",
    "slack chat send --text hi": "ask",
    "«azcopy list|nats stream ls|rpk topic list» x": None,
    "«deck gateway diff|ldcli flags list|airflow dags list|argo list» x": None,
    "«uci show|opkg list|reg query|sc query» x": None,
    "«netsh interface show|schtasks /query|kafka-acls --list|helmfile diff» x": None,
    "java -jar app.jar delete-job": None,
    "«kubeadm version|nodetool status|rbd ls» x": None,
    "«crane ls|jf rt search|sentry-cli releases list|celery status» x": None,
    "vercel ls": None,
    "heroku logs": None,
    "fly status": None,
    "eksctl get cluster": None,
    "vagrant up": None,
    "doctl compute droplet list": None,
    "stripe listen --forward-to localhost:3000": None,
}

WINDOWS = frozenset(
    ("reg", "sc", "net", "netsh", "bcdedit", "schtasks", "auditpol", "vssadmin", "wevtutil", "taskkill")
)
UNASKED = (
    *("-y", "--yes", "-f", "--force", "--confirm", "-q", "--quiet", "--auto-approve", "-purge", "--purge"),
    *("--no-prompts", "--prefix", "-recurse", "--recursive"),
)
DRY = ("--dry-run", "--dryrun", "--help", "/?", "--preview", "--plan")


def check(call: Call, scene: Scene) -> Finding | None:
    program = "jenkins-cli" if is_jenkins(call) else call.program
    if program not in SYSTEMS or any(word in DRY for word in call.args):
        return None
    flags, deletes, changes, _, says, look = SYSTEMS[program]
    look = look or (f"{program} --help" if program[-4:] != ".exe" and program not in WINDOWS else f"{program} /?")
    if not matches(call, deletes):
        if not matches(call, changes):
            return None
        return ask(f"`{format_call(call)}` {says or 'changes something that others use'}", look)
    unasked = (
        call.has_flag(*UNASKED) or has_piped_yes(call) or "n" in flags or ("p" in flags and names_production(call))
    )
    if unasked and not names_trial(call) and not says:
        return deny(f"`{format_call(call)}` deletes it with its data, and nothing asks back", look)
    return ask(f"`{format_call(call)}` {says or 'deletes it with its data'}", look)


def is_jenkins(call: Call) -> bool:
    """`java -jar jenkins-cli.jar … delete-job x`."""
    return call.program == "java" and any(word.endswith("jenkins-cli.jar") for word in call.args)
