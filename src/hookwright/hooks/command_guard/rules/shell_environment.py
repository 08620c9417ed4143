"""Asks before aliases and search paths make ordinary commands do something else.

Why: after `alias rm='rm -rf'` or with another directory first in PATH, a command does not do what it says.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "shell-environment"
EXAMPLES = {
    "alias rm='rm -rf'": "ask",
    "alias sudo='evil'": "ask",
    "export PATH=/tmp/evil:$PATH": "ask",
    "export LD_PRELOAD=/tmp/x.so": "ask",
    "history -c": "ask",
    "unset HISTFILE": "ask",
    "unalias -a": "ask",
    "alias «cp|mv|ls|cd|cat|git|ssh|scp|curl|sh|bash|python|python3|node|npm|kill|chmod|chown»=true": "ask",
    "export «LD_LIBRARY_PATH=/tmp|DYLD_INSERT_LIBRARIES=x|PROMPT_COMMAND=x|BASH_ENV=x»": "ask",
    "history -d 12": "ask",
    "unset PATH": "ask",
    "export PATH=«/var/tmp|.|/dev/shm»:$PATH": "ask",
    "alias ll='ls -la'": None,
    "alias rm='rm -i'": None,
    "alias | grep rm": None,
    'export PATH="$HOME/bin:$PATH"': None,
    "export NODE_ENV=test": None,
    "history | tail": None,
    "unset FOO": None,
    "alias ll='git reset --hard'": None,
    "unset FOO_PATH HISTFILESIZE": None,
}

ORDINARY = frozenset(
    "rm cp mv ls cd cat git sudo ssh scp curl sh bash python python3 node npm kill chmod chown".split()
)
LOADERS = ("LD_PRELOAD=", "LD_LIBRARY_PATH=/tmp", "DYLD_INSERT_LIBRARIES=", "PROMPT_COMMAND=", "BASH_ENV=")


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    if program == "history":
        return (
            ask(f"`{format_call(call)}` removes the record of what was run", "history")
            if call.has_flag("-c", "-d")
            else None
        )
    if program == "unalias":
        return ask(f"`{format_call(call)}` takes away every alias, the careful ones too", "alias")
    if program == "unset":
        if "PATH" in call.args:
            return ask("`unset PATH` makes every command unfindable", "printenv PATH")
        return ask("`unset HISTFILE` stops the record of what is run", "history") if "HISTFILE" in call.args else None
    for word in call.args:
        name, equals, value = word.partition("=")
        if not equals:
            continue
        if program == "alias":
            finding = scene.evaluate_text(value, call.cwd)
            if finding is not None and finding.verdict == "deny":
                return finding
            if name in ORDINARY and (value.split()[:1] != [name] or "f" in value.partition(" -")[2]):
                return ask(f"`{format_call(call)}` makes {name} do something else than one reads", "alias")
        elif word.startswith(LOADERS) or (
            name == "PATH"
            and value.startswith(("/tmp", "/var/tmp", ".:", "/dev/shm"))
            and not (scene.project and value.startswith(scene.project + "/"))
        ):
            return ask(
                f"`{format_call(call)}` lets other code run in the place of ordinary commands", f"printenv {name}"
            )
    return None
