"""Asks before the GitHub or GitLab command line merges, deletes, releases or changes settings.

Why: others see it at once; deleted repositories, releases and secrets cannot be restored. Creating issues, comments
and pull requests passes.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "github-change"
EXAMPLES = {
    "gh api -X DELETE repos/acme/app": "deny",
    "gh repo delete me/app": "ask",
    "gh repo delete me/app --yes": "deny",
    "gh repo delete ann/shop «--confirm|-y»": "deny",
    "gh release delete v1.0 --yes": "ask",
    "gh release create v1.0": "ask",
    "gh pr merge 12 --squash": "ask",
    "gh api -X DELETE repos/a/b/branches/x/protection": "ask",
    "gh api repos/a/b/issues -f title=x": "ask",
    "gh secret set TOKEN": "ask",
    "gh workflow run deploy.yml": "ask",
    "gh gist create «-d|--desc» .env a.txt": "ask",
    "gh repo «create|archive|unarchive|rename|edit|deploy-key» shop": "ask",
    "gh release «edit|upload|delete-asset» v1": "ask",
    "gh pr close 12": "ask",
    "gh pr review 12 «-a|--approve»": "ask",
    "glab mr «merge|close|delete» 12": "ask",
    "gh issue «close|delete|transfer» 12": "ask",
    "gh secret «delete|remove» KEY": "ask",
    "gh variable «set|delete» KEY": "ask",
    "gh workflow «disable|enable» ci.yml": "ask",
    "gh run «delete|cancel» 12": "ask",
    "gh gist «delete|edit» 12": "ask",
    "gh «label|codespace|cache|ruleset» delete x": "ask",
    "gh «ssh-key|gpg-key» «add|delete» x": "ask",
    "gh auth «logout|refresh»": "ask",
    "gh extension install ann/ext": "ask",
    "hub delete ann/shop": "ask",
    "gh api --method PATCH repos/ann/shop": "ask",
    "gh api repos/ann/shop/issues «-F|--field|--raw-field|--input» a=b": "ask",
    "gh api graphql -f query='mutation { x }'": "ask",
    "gh «-R|--repo» ann/shop pr merge 12": "ask",
    "gh pr list": None,
    "gh pr create --title x --body y": None,
    "gh issue create --title 'rm -rf bug' --body x": None,
    "gh api repos/a/b": None,
    "gh api graphql -f query='{ viewer { login } }'": None,
    "gh run watch": None,
    "gh api «-X|--method» «GET|HEAD» repos/ann/shop -f a=b": None,
    "gh api «-f|-F|--field|--raw-field|-H|--jq|-q» x -X GET repos/ann/shop": None,
    "gh api graphql -f query='query { x }'": None,
    "gh pr review 12 --comment": None,
    "gh repo delete ann/shop --dry-run": None,
    "hub sync": None,
    "gh pr": None,
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
    if call.has_flag("--dry-run") or not operands:
        return None
    if call.program == "hub":
        return ask(f"`{format_call(call)}` deletes the repository", "gh repo view") if operands[0] == "delete" else None
    group = operands[0]
    if group == "api":
        return check_api(call, operands)
    verb = operands[1] if len(operands) > 1 else ""
    if verb not in CHANGES.get(group, "").split():
        return None
    if verb == "review" and not call.has_flag("-a", "--approve"):
        return None
    if group == "repo" and verb == "delete" and call.has_flag("--yes", "--confirm", "-y"):
        return deny(f"`{format_call(call)}` deletes the repository with its issues and history", "gh repo view")
    return ask(
        f"`{format_call(call)}` changes what others see, at once",
        f"gh {group} list" if group != "auth" else "gh auth status",
    )


def check_api(call: Call, operands: list[Word]) -> Finding | None:
    method = (call.option("-X", "--method") or "").upper()
    fields = call.options("-f", "-F", "--field", "--raw-field", "--input")
    if operands[1:2] == ["graphql"]:
        changes = any("mutation" in field for field in fields)
        return ask(f"`{format_call(call)}` changes something through the API", "gh auth status") if changes else None
    if method in ("GET", "HEAD") or (not method and not fields):
        return None
    if method == "DELETE" and operands[1:2] and is_repository(operands[1]):
        return deny(f"`{format_call(call)}` deletes the repository with its issues and history", "gh repo view")
    return ask(f"`{format_call(call)}` changes something through the API", "gh auth status")


def is_repository(address: str) -> bool:
    parts = address.strip("/").split("/")
    return len(parts) == 3 and parts[0] == "repos"
