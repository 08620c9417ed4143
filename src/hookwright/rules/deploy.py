"""Asks before something is deployed or released.

Why: it changes what other people use, now. Whoever answers for that should say when.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, only_shows, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
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
ASKS = ("--help", "--dry-run", "--version", "-v", "-h", "--dryRun", "--noop", "--no-execute-changeset", "--build-only")
ANSIBLE_ASKS = "--check -C --syntax-check --list-tasks --list-hosts --list-tags --version --help".split()
ANSIBLE_READS = ("ping", "setup", "debug", "stat")


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if program in ("ansible", "ansible-playbook"):
        return ansible(call)
    if call.has_flag(*ASKS) or only_shows(call) or (program in VERBS and not deploys(call, VERBS[program].split())):
        return None
    return ask(f"`{shown(call)}` changes what other people use", "git log --oneline -5")


def deploys(call: Call, wanted: list[str]) -> bool:
    operands = call.operands()
    verb = operands[0] if operands else "deploy"
    if READS.intersection(operands[1:]):
        return False
    if call.program == "vercel" and verb not in COMMANDS:
        return True  # a folder to deploy
    return verb in wanted or call.has_flag("--auto-submit") or (len(operands) > 1 and operands[1] in wanted)


def ansible(call: Call) -> Finding | None:
    if call.has_flag(*ANSIBLE_ASKS) or not call.operands():
        return None
    if call.program == "ansible":
        module = call.option("-m", "--module-name")
        looks = module in ANSIBLE_READS or (module is None and not call.has_flag("-a", "--args"))
        if looks:
            return None
        return ask(f"`{shown(call)}` runs it on every machine of the inventory", "ansible-inventory --list")
    return ask(f"`{shown(call)}` changes the machines of its inventory", "ansible-inventory --list")


# Of vercel; any other word is a folder to deploy.
COMMANDS = frozenset(
    (
        "dev build ls list logs pull link whoami inspect login logout init help git project projects teams switch "
        "telemetry bisect certs rm remove alias env domains dns secrets promote rollback redeploy curl cache blob "
        "open"
    ).split()
)
