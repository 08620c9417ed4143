"""Judges commands that stand in an option or variable of another program, as if they stood alone.

Why: `git bisect run`, `GIT_SSH_COMMAND=…`, `tar --checkpoint-action=exec=…` and `make SHELL=…` run their text; the text
is what counts.
"""

from __future__ import annotations

from hookwright.rules import CARRYING, judge, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules import Finding, Scene
    from hookwright.shell.command import Call

ID = "carried-command"
EXAMPLES = {
    "make -C / clean-all SHELL='rm -rf /'": "deny",
    "GIT_SSH_COMMAND='rm -rf ~' git fetch": "deny",
    "git bisect run rm -rf /": "deny",
    "git -c alias.x='!rm -rf ~' x": "deny",
    "tar cf x.tar a --checkpoint=1 '--checkpoint-action=exec=rm -rf ~'": "deny",
    "git submodule foreach 'git reset --hard'": "ask",
    "git rebase --exec 'git clean -fdx' main": "ask",
    "make build": None,
    "GIT_PAGER=cat git log": None,
    "git submodule foreach git status": None,
    "git rebase --exec 'npm test' main": None,
    "nodemon --exec 'npm test'": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    from hookwright.shell.command import Command  # noqa: PLC0415  loaded by then

    for text in texts(call):
        found = judge(Command(text, cwd=call.cwd or ".", home=scene.home), scene.project, scene.branches)
        if found:
            finding = found[0]
            finding.reason = f"`{shown(call)}` runs it: {finding.reason}"
            finding.rule = ID
            finding.call = call
            return finding
    return None


def texts(call: Call) -> list[str]:
    """The commands that this call is told to run."""
    found = [str(value) for name, value in call.env.items() if name in CARRYING]
    program = call.program
    if program in ("make", "gmake"):
        found += [word[6:] for word in call.args if word.startswith("SHELL=")]
    elif program == "git":
        for value in call.options("-c"):
            name, _, text = value.partition("=")
            if name.startswith("alias.") and text[:1] == "!":
                found.append(text[1:])
            elif name in ("core.pager", "core.editor", "core.sshCommand", "sequence.editor", "diff.external", "core.fsmonitor"):
                found.append(text)
        operands = call.operands()
        if operands[:2] in (["bisect", "run"], ["submodule", "foreach"]):
            found.append(" ".join(operands[2:]))
        if operands[:1] == ["rebase"]:
            found += map(str, call.options("-x", "--exec"))
    elif program in ("tar", "gtar", "bsdtar"):
        for value in (*call.options("--checkpoint-action"), *call.options("--to-command", "-I", "--use-compress-program")):
            found.append(value.removeprefix("exec="))
    elif program in ("ssh", "scp", "sftp"):
        for value in call.options("-o"):
            name, _, text = value.partition("=")
            if name in ("ProxyCommand", "LocalCommand"):
                found.append(text)
    elif program in ("nodemon", "watchexec", "xterm", "gnome-terminal"):
        found += map(str, call.options("--exec", "-x", "-e", "--"))
    elif program in ("at", "batch"):
        text = call.stdin_text
        found += [str(text)] if text is not None else []
    elif program in ("vim", "vi", "nvim"):
        found += [value[1:].lstrip() for value in (value.lstrip(":") for value in call.options("-c", "--cmd")) if value[:1] == "!"]
    return found
