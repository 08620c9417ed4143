"""Checks commands that are passed to another program in an option or variable, as if they were run directly.

Why: `git bisect run`, `GIT_SSH_COMMAND=…`, `tar --checkpoint-action=exec=…` and `make SHELL=…` run that text as a
command.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import CARRYING, format_call, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "carried-command"
EXAMPLES = {
    "make -C / clean-all SHELL='rm -rf /'": "deny",
    "GIT_SSH_COMMAND='rm -rf ~' git fetch": "deny",
    "PROMPT_COMMAND='rm -rf /' bash -i": "deny",
    "git bisect run rm -rf /": "deny",
    "git -c alias.x='!rm -rf ~' x": "deny",
    "tar cf x.tar a --checkpoint=1 '--checkpoint-action=exec=rm -rf ~'": "deny",
    "tmux send-keys -t main 'rm -rf /' Enter": "deny",
    "crontab <<< '* * * * * rm -rf /'": "deny",
    "vagrant ssh -c 'sudo rm -rf /'": "deny",
    "gcloud compute ssh vm --command 'rm -rf /srv/app'": "deny",
    "lxc exec box -- rm -rf /": "deny",
    "«tar|gtar|bsdtar» cf x.tar a «-I|--to-command|--use-compress-program» 'rm -rf ~'": "deny",
    "ssh -o '«ProxyCommand|LocalCommand»=rm -rf ~' web": "deny",
    "«vim|vi|nvim» «-c|--cmd» '«:!|!»rm -rf ~' a.txt": "deny",
    "ansible all «-a|--args» 'rm -rf /'": "deny",
    "«nodemon|watchexec» «--exec|-x» 'rm -rf ~'": "deny",
    "tmux send-keys 'rm -rf /' «Enter|C-m|C-c|C-d|Space»": "deny",
    "git -c «core.pager|core.editor|core.sshCommand|sequence.editor|diff.external»='rm -rf ~' log": "deny",
    "git -c core.fsmonitor='rm -rf ~' log": "deny",
    "«at|batch» now <<< 'rm -rf /'": "deny",
    "crontab <<< '@daily rm -rf /'": "deny",
    "fly ssh console -C 'rm -rf /data'": "deny",
    "incus exec box -- rm -rf /": "deny",
    "multipass exec box -- rm -rf /": "deny",
    'aws ssm send-command --parameters \'{"commands":["rm -rf /"]}\'': "deny",
    "adb shell 'rm -rf /'": "deny",
    "tmux send-keys -t main 'rm -rf' C-m /": "deny",
    "git submodule foreach 'git reset --hard'": "ask",
    "git -c alias.x='reset --hard' x": "ask",
    "git config alias.x '!rm -rf /' && git x": "deny",
    "git rebase --exec 'git clean -fdx' main": "ask",
    "git submodule foreach --recursive git clean -fdx": "ask",
    "git rebase -x 'git clean -fdx' main": "ask",
    "make build": None,
    "GIT_PAGER=cat git log": None,
    "git submodule foreach git status": None,
    "git rebase --exec 'npm test' main": None,
    "nodemon --exec 'npm test'": None,
    "git -c user.name='rm -rf ~' commit -m x": None,
    "git -c alias.x='rebase main' x": None,
    "adb shell ls /": None,
    "at now <<< 'make test'": None,
}

# Program → (option with a command, prefixes before the command in its value); option "": any argument.
TAR = (("--checkpoint-action", ("exec=",)), ("--to-command", ("",)), ("-I", ("",)), ("--use-compress-program", ("",)))
SSH = (("-o", ("ProxyCommand=", "LocalCommand=")),)
VIM = (("-c", (":!", "!")), ("--cmd", (":!", "!")))
ANSIBLE = (("-a", ("",)), ("--args", ("",)))
WATCH = (("--exec", ("",)), ("-x", ("",)))
OPTIONS = {
    "make": (("", ("SHELL=",)),),
    "tar": TAR,
    "gtar": TAR,
    "bsdtar": TAR,
    "ssh": SSH,
    "vim": VIM,
    "vi": VIM,
    "nvim": VIM,
    "ansible": ANSIBLE,
    "nodemon": WATCH,
    "watchexec": WATCH,
}
KEYS = ("Enter", "C-m", "C-c", "C-d", "Space")
GIT_SETTINGS = ("core.pager", "core.editor", "core.sshCommand", "sequence.editor", "diff.external", "core.fsmonitor")


def check(call: Call, scene: Scene) -> Finding | None:
    for text in [*find_carried_texts(call), *find_remote_texts(call)]:
        finding = scene.evaluate_text(text, call.cwd)
        if finding is not None:
            finding.reason = f"`{format_call(call)}` runs it: {finding.reason}"
            finding.rule = ID
            finding.call = call
            return finding
    return None


def find_carried_texts(call: Call) -> list[str]:
    """The commands that this call runs."""
    found = [str(value) for name, value in call.env.items() if name in CARRYING]
    if call.program == "git":
        return found + find_git_texts(call)
    for option, prefixes in OPTIONS.get(call.program, ()):
        for value in call.options(option) if option else call.args:
            found += [value.removeprefix(prefix) for prefix in prefixes if value.startswith(prefix)]
    if call.program in ("at", "batch") and call.stdin_text is not None:
        found.append(str(call.stdin_text))
    if call.program == "crontab" and call.stdin_text is not None:
        found += [" ".join(line.split()[1 if line[:1] == "@" else 5 :]) for line in call.stdin_text.splitlines()]
    if call.program == "tmux":
        words = call.operands("-t")[1:]
        found.append(" ".join(word for word in words if word not in KEYS))
    return found


def find_remote_texts(call: Call) -> list[str]:
    """The commands that this call runs on another machine, each as an `ssh` call."""
    found: list[str] = []
    operands = call.operands()
    if operands[:2] in (["compute", "ssh"], ["ssh", "console"]) or operands[:1] == ["ssh"]:
        found += call.options("-c", "-C", "--command")
    elif operands[:1] in (["exec"], ["run"]) and call.program in ("lxc", "incus", "multipass"):
        found.append(" ".join(operands[2:]))
    elif operands[:2] == ["ssm", "send-command"]:
        for text in call.options("--parameters"):
            found += text.split('"')[1::2]
    elif operands[:1] == ["shell"] and call.program == "adb":
        found.append(" ".join(operands[1:]))
    return ["ssh it " + quote_word(text) for text in found if text]


def find_git_texts(call: Call) -> list[str]:
    found = []
    for value in call.options("-c"):
        name, _, text = value.partition("=")
        if name in GIT_SETTINGS or (name.startswith("alias.") and text[:1] == "!"):
            found.append(text.lstrip("!"))
        elif name.startswith("alias."):
            found.append(f"git {text}")
    operands = call.operands()
    if operands[:1] == ["config"]:
        found += [
            operands[index + 1][1:]
            for index in range(1, len(operands) - 1)
            if operands[index].startswith("alias.") and operands[index + 1][:1] == "!"
        ]
    if operands[:2] in (["bisect", "run"], ["submodule", "foreach"]):
        words = list(call.words)
        found.append(" ".join(word for word in words[words.index(operands[1]) + 1 :] if word != "--recursive"))
    elif operands[:1] == ["rebase"]:
        found += map(str, call.options("-x", "--exec"))
    return found
