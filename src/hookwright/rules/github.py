"""Asks before the GitHub or GitLab command line merges, deletes, releases or changes settings.

Why: others see it at once; deleted repositories, releases and secrets do not come back. Issues, comments and pull
requests are free to be made.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "github-change"
EXAMPLES = {
    "gh api -X DELETE repos/acme/app": "deny",
    "gh repo delete me/app": "ask",
    "gh repo delete me/app --yes": "deny",
    "gh release delete v1.0 --yes": "ask",
    "gh release create v1.0": "ask",
    "gh pr merge 12 --squash": "ask",
    "gh api -X DELETE repos/a/b/branches/x/protection": "ask",
    "gh api repos/a/b/issues -f title=x": "ask",
    "gh secret set TOKEN": "ask",
    "gh workflow run deploy.yml": "ask",
    "gh pr list": None,
    "gh pr create --title x --body y": None,
    "gh issue create --title 'rm -rf bug' --body x": None,
    "gh api repos/a/b": None,
    "gh api graphql -f query='{ viewer { login } }'": None,
    "gh run watch": None,
}

CHANGES = {
    "repo": "create delete archive unarchive rename edit deploy-key",
    "release": "create delete edit upload delete-asset",
    "pr": "merge close review",
    "mr": "merge close delete",
    "issue": "close delete transfer",
    "secret": "set delete remove",
    "variable": "set delete",
    "workflow": "run disable enable",
    "run": "delete cancel",
    "gist": "create delete edit",
    "label": "delete",
    "ssh-key": "add delete",
    "gpg-key": "add delete",
    "codespace": "delete",
    "cache": "delete",
    "auth": "logout refresh",
    "extension": "install",
    "ruleset": "delete",
}


def check(call: Call, scene: Scene) -> Finding | None:
    operands = call.operands("-R", "--repo", "-X", "--method", "-f", "-F", "--field", "--raw-field", "-H", "--jq", "-q")
    if call.has_flag("--help", "--dry-run") or not operands:
        return None
    if call.program == "hub":
        return ask(f"`{shown(call)}` deletes the repository", "gh repo view") if operands[0] == "delete" else None
    group = operands[0]
    if group == "api":
        return api(call, operands)
    verb = operands[1] if len(operands) > 1 else ""
    if verb not in CHANGES.get(group, "").split():
        return None
    if verb == "review" and not call.has_flag("-a", "--approve"):
        return None
    if group == "repo" and verb == "delete" and call.has_flag("--yes", "--confirm", "-y"):
        return deny(f"`{shown(call)}` deletes the repository with its issues and history", "gh repo view")
    return ask(
        f"`{shown(call)}` changes what others see, at once", f"gh {group} list" if group != "auth" else "gh auth status"
    )


def api(call: Call, operands: list[Word]) -> Finding | None:
    method = (call.option("-X", "--method") or "").upper()
    fields = call.options("-f", "-F", "--field", "--raw-field", "--input")
    if operands[1:2] == ["graphql"]:
        changes = any("mutation" in field for field in fields)
        return ask(f"`{shown(call)}` changes something through the API", "gh auth status") if changes else None
    if method in ("GET", "HEAD") or (not method and not fields):
        return None
    if method == "DELETE" and operands[1:2] and is_repository(operands[1]):
        return deny(f"`{shown(call)}` deletes the repository with its issues and history", "gh repo view")
    return ask(f"`{shown(call)}` changes something through the API", "gh auth status")


def is_repository(address: str) -> bool:
    parts = address.strip("/").split("/")
    return len(parts) == 3 and parts[0] == "repos"
