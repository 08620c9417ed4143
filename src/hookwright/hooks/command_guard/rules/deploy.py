"""Asks before something is deployed or released.

Why: it changes what other people use, at once. The user should decide when.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call, is_dry_run

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "deploy"
EXAMPLES = {
    "vercel --prod": "ask",
    "vercel": "ask",
    "netlify deploy --prod": "ask",
    "firebase deploy": "ask",
    "fly deploy": "ask",
    "ansible-playbook -i prod site.yml": "ask",
    "ansible web -m service -a 'name=nginx state=restarted'": "ask",
    "fastlane release": "ask",
    "wrangler deploy": "ask",
    "npm run deploy": "ask",
    "make deploy": "ask",
    "make -n deploy": None,
    "npm run deploy -- --dry-run": None,
    "./deploy.sh production": "ask",
    "heroku config:set A=1": "ask",
    "vercel «deploy|alias|env|promote|rollback|domains|dns|secrets|redeploy» add": "ask",
    "netlify «env:set|env:unset» KEY": "ask",
    "«fly|flyctl» «deploy|launch|secrets|scale|restart|machine» web": "ask",
    "heroku «config:unset|ps:scale|ps:restart|restart|releases:rollback|rollback|pg:promote|pg:restore» web": "ask",
    "heroku run web": "ask",
    "heroku «maintenance:on|maintenance:off»": "ask",
    "wrangler «publish|secret|rollback»": "ask",
    "railway «up|redeploy»": "ask",
    "«serverless|sls» «deploy|rollback»": "ask",
    "sam deploy --guided": "ask",
    "eb «deploy|create|swap» web": "ask",
    "kamal «deploy|rollback|setup|redeploy|remove»": "ask",
    "cap staging deploy": "ask",
    "supabase «db push|functions deploy»": "ask",
    "copilot «deploy|svc deploy»": "ask",
    "amplify «push|publish»": "ask",
    "dokku «ps:restart|config:set» web": "ask",
    "convex deploy": "ask",
    "fastlane «deploy|beta|upload_to_app_store|upload_to_play_store|supply|deliver|pilot»": "ask",
    "eas «submit|update»": "ask",
    "eas build --auto-submit": "ask",
    "argocd app «sync|set|rollback|create» web": "ask",
    "flux «reconcile|suspend|resume|bootstrap» source": "ask",
    "nomad job run web.hcl": "ask",
    "fab «deploy|release»": "ask",
    "modal deploy app.py": "ask",
    "vercel ./site": "ask",
    "ansible all «-m|--module-name» shell -a uptime": "ask",
    "ansible all «-a|--args» uptime": "ask",
    "vercel dev": None,
    "vercel --version": None,
    "netlify dev": None,
    "ansible-playbook --check site.yml": None,
    "ansible-playbook site.yml --syntax-check": None,
    "wrangler dev": None,
    "ansible all -m ping": None,
    "fastlane test": None,
    "npm run build": None,
    "make": None,
    "fly secrets «status|ls|list|pull|get|inspect|show|import»": None,
    "sam deploy «--dry-run|--version|-v|-h|--dryRun|--noop|--no-execute-changeset|--build-only»": None,
    "ansible-playbook site.yml «-C|--list-tasks|--list-hosts|--list-tags|--version»": None,
    "ansible all -m «setup|debug|stat» -a x": None,
    "ansible all": None,
    "vercel «build|list|logs|pull|link|whoami|inspect|login|logout|init|help|git|project|projects|teams» x": None,
    "vercel switch x": None,
    "vercel «telemetry|bisect|certs|curl|cache|blob|open» x": None,
    "«copilot svc logs|amplify mock|dokku logs web|convex dev|eas build|argocd app diff web|flux logs»": None,
    "nomad plan web.hcl": None,
    "«fab test|modal run app.py»": None,
    "«firebase serve|flyctl status|railway logs|serverless info|sls info|sam build|eb logs|kamal details»": None,
    "cap staging doctor": None,
}

VERBS = {
    "vercel": "deploy alias env promote rollback domains dns secrets redeploy",
    "netlify": "deploy env:set env:unset",
    "firebase": "deploy",
    "fly": "deploy launch secrets scale restart machine",
    "flyctl": "deploy launch secrets scale restart machine",
    "heroku": (
        "config:set config:unset ps:scale ps:restart restart releases:rollback rollback pg:promote pg:restore run "
        "maintenance:on maintenance:off"
    ),
    "wrangler": "deploy publish secret rollback",
    "railway": "up redeploy",
    "serverless": "deploy rollback",
    "sls": "deploy rollback",
    "sam": "deploy",
    "eb": "deploy create swap",
    "kamal": "deploy rollback setup redeploy remove",
    "cap": "deploy",
    "supabase": "push deploy",
    "copilot": "deploy",
    "amplify": "push publish",
    "dokku": "ps:restart config:set",
    "convex": "deploy",
    "fastlane": "release deploy beta upload_to_app_store upload_to_play_store supply deliver pilot",
    "eas": "submit update",
    "argocd": "sync set rollback create",
    "flux": "reconcile suspend resume bootstrap",
    "nomad": "run",
    "fab": "deploy release",
    "modal": "deploy",
}
READS = frozenset(("status", "ls", "list", "pull", "get", "inspect", "show", "import"))
ASKS = ("--dry-run", "--version", "-v", "-h", "--dryRun", "--noop", "--no-execute-changeset", "--build-only")
ANSIBLE_ASKS = "--check -C --syntax-check --list-tasks --list-hosts --list-tags --version".split()
ANSIBLE_READS = ("ping", "setup", "debug", "stat")


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if program in ("ansible", "ansible-playbook", "ansible-pull"):
        return check_ansible(call)
    if (
        call.has_flag(*ASKS)
        or is_dry_run(call)
        or (program in VERBS and not is_deployment(call, VERBS[program].split()))
    ):
        return None
    return ask(f"`{format_call(call)}` changes what other people use", "git log --oneline -5")


def is_deployment(call: Call, wanted: list[str]) -> bool:
    operands = call.operands()
    verb = operands[0] if operands else "deploy"
    if READS.intersection(operands[1:]):
        return False
    if call.program == "vercel" and verb not in COMMANDS:
        return True  # a directory to deploy
    return verb in wanted or call.has_flag("--auto-submit") or (len(operands) > 1 and operands[1] in wanted)


def check_ansible(call: Call) -> Finding | None:
    if (call.has_flag(*ANSIBLE_ASKS) and call.program != "ansible-pull") or "--check" in call.args:
        return None
    if not call.operands() and call.program != "ansible-pull":
        return None
    if call.program == "ansible":
        module = call.option("-m", "--module-name")
        looks = module in ANSIBLE_READS or (module is None and not call.has_flag("-a", "--args"))
        if looks:
            return None
        return ask(f"`{format_call(call)}` runs it on every machine of the inventory", "ansible-inventory --list")
    return ask(f"`{format_call(call)}` changes the machines of its inventory", "ansible-inventory --list")


# Subcommands of vercel; any other word is a directory to deploy.
COMMANDS = frozenset(
    (
        "dev build ls list logs pull link whoami inspect login logout init help git project projects teams switch "
        "telemetry bisect certs rm remove alias env domains dns secrets promote rollback redeploy curl cache blob "
        "open"
    ).split()
)
