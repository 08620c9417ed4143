"""Stops commits and settings that bypass the repository's hooks, and changes of git's global configuration.

Why: these checks are there on purpose; a global setting affects every repository of the user.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "git-hooks-off"
EXAMPLES = {
    "git config --global core.hooksPath /dev/null": "deny",
    "git config core.hooksPath /dev/null": "deny",
    "git config --«global|system» core.hooksPath /tmp/none": "deny",
    "git config core.hooksPath ''": "deny",
    "git config core.hooksPath .githooks": "ask",
    "git -c core.hooksPath=/dev/null commit -m x": "ask",
    "git commit --no-verify -m wip": "ask",
    "git commit -nm wip": "ask",
    "git push --no-verify": "ask",
    "HUSKY=0 git commit -m wip": "ask",
    "git config --global user.email ann@example.com": "ask",
    "git config --global --unset-all alias.co": "ask",
    "git config «--unset|--unset-all|--add|--replace-all» core.hooksPath": "ask",
    "git config set core.hooksPath hooks": "ask",
    "git config unset --unset core.hooksPath": "ask",
    "git config --global --remove-section alias": "ask",
    "SKIP=flake8 git commit -m x": "ask",
    "git commit -am x -n": "ask",
    "git commit -m 'use --no-verify'": None,
    "git commit -am wip": None,
    "git config user.email": None,
    "git config --global --get user.name": None,
    "git config --global user.name": None,
    "git config --list": None,
    "git config user.name Ann": None,
    "git config --global «--get|--get-all|--get-regexp|--list|-l|--show-origin|--show-scope|--edit|-e» a b": None,
    "git config «get|list» core.hooksPath x": None,
    "git config «-f|--file|--type|--blob» core.hooksPath alias.st status": None,
    "git commit «-m|-C|-c|-F|-t» -n": None,
    "HUSKY=1 git commit -m x": None,
}

READS = "--get --get-all --get-regexp --list -l --show-origin --show-scope --edit -e".split()
WRITES = ("--unset", "--unset-all", "--remove-section", "--add", "--replace-all")
LOOK = "git config --get core.hooksPath"


def check(call: Call, scene: Scene) -> Finding | None:
    verb = call.verb
    if any(value.startswith("core.hooksPath=") for value in call.options("-c")):
        return ask(f"`{format_call(call)}` runs git without this repository's hooks", LOOK)
    if verb == "config":
        return check_config(call)
    skipped = call.has_flag("--no-verify") or (verb == "commit" and has_short_n(call))
    if skipped or call.env.get("HUSKY") == "0" or call.env.get("LEFTHOOK") == "0" or "SKIP" in call.env:
        return ask(
            f"`{format_call(call)}` goes past the checks that this repository's hooks make", "git hook run pre-commit"
        )
    return None


def check_config(call: Call) -> Finding | None:
    operands = call.operands("-f", "--file", "--type", "--blob")
    if call.has_flag(*READS) or (len(operands) > 1 and operands[1] in ("get", "list")):
        return None
    words = [word for word in operands[1:] if word not in ("set", "unset")]
    shared = call.has_flag("--global", "--system")
    writes = len(words) > 1 or call.has_flag(*WRITES)
    if words and words[0].lower() == "core.hookspath" and writes:
        if shared or words[-1] in ("/dev/null", ""):
            return deny(f"`{format_call(call)}` switches off the hooks that check commits", LOOK)
        return ask(f"`{format_call(call)}` changes which hooks run here", LOOK)
    if shared and writes:
        local = " ".join(["git config", *words[:1], "…"])
        return ask(
            f"`{format_call(call)}` changes git for every repository; `{local}` changes this one only",
            "git config --list --show-origin",
        )
    return None


def has_short_n(call: Call) -> bool:
    """`-n` of commit, also in `-nm`; not in the value of an option before it."""
    before = ""
    for word in call.args:
        letters = word[1:] if word[:1] == "-" and word[1:].isalpha() else ""
        if letters and (not before or before[-1] not in "mCcFt") and "n" in letters.partition("m")[0]:
            return True
        before = letters
    return False
