"""Asks before settings of the whole machine or account are changed.

Why: another registry, kernel value or default affects every project, and the old value is recorded nowhere.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "global-config"
EXAMPLES = {
    "npm config set registry http://x.example": "ask",
    "pip config set global.index-url http://x.example": "ask",
    "defaults write com.apple.finder X -bool true": "ask",
    "sudo sysctl -w vm.swappiness=10": "ask",
    "update-alternatives --set python /usr/bin/python3": "ask",
    "ssh-keygen -f ~/.ssh/id_rsa -N ''": "ask",
    "gpg --delete-secret-keys ann": "ask",
    "csrutil disable": "ask",
    "rmmod nvidia": "ask",
    "hostname newname": "ask",
    "npm config «delete|edit» registry": "ask",
    "pnpm config «set|delete» registry": "ask",
    "yarn config «set|delete|unset» registry": "ask",
    "pip config «unset|edit» global.index-url": "ask",
    "pip3 config «set|unset|edit» global.index-url": "ask",
    "npm set registry http://x.example": "ask",
    "ssh-keygen -f /root/.ssh/id_rsa -N ''": "ask",
    "ssh-copy-id ann@host": "ask",
    "gpg2 --delete-secret-keys ann": "ask",
    "«conda|mamba» config «--add|--set|--remove|--append|--prepend|--remove-key» channels x": "ask",
    "go env «-w|-u» GOPROXY=direct": "ask",
    "«pyenv global|rustup default» 3.12": "ask",
    "sudo sysctl «-w|--write|-p|--system» /etc/sysctl.conf": "ask",
    "sudo sysctl vm.swappiness=10": "ask",
    "sudo «insmod|modprobe» nvidia": "ask",
    "defaults «delete|rename|import» com.apple.finder": "ask",
    "gsettings «set|reset» org.x y": "ask",
    "dconf «write|reset|load» /org/x": "ask",
    "hostnamectl «set-hostname|hostname» web": "ask",
    "timedatectl «set-time|set-timezone|set-ntp» x": "ask",
    "update-alternatives «--config|--install|--remove» python": "ask",
    "localectl «set-locale|set-keymap» de": "ask",
    "scutil --set HostName web": "ask",
    "nvram «-d|-c» x": "ask",
    "csrutil enable": "ask",
    "spctl «--master-disable|--global-disable»": "ask",
    "pmset «-a|-b|-c» sleep 0": "ask",
    "xcode-select «-s|--switch|--reset» /x": "ask",
    "tmutil «delete|disable|deletelocalsnapshots» /": "ask",
    "softwareupdate «-i|--install|-a|--all»": "ask",
    "npm config get registry": None,
    "npm config list": None,
    "sysctl vm.swappiness": None,
    "defaults read com.apple.finder": None,
    "ssh-keygen -t ed25519 -f key -N ''": None,
    "ssh-keygen -lf ~/.ssh/id_rsa.pub": None,
    "pip config list": None,
    "hostname": None,
    "npm config set registry http://x.example --location project": None,
    "pip config set global.index-url http://x.example --site": None,
    "ssh-keygen «-l|-y|-R|-F|-e|-i|-B» -f ~/.ssh/id_rsa": None,
    "npm set": None,
    "ssh-copy-id": None,
    "conda config --show": None,
    "go env GOPATH": None,
    "pyenv global": None,
}

WRITES = {
    "npm": "set delete edit",
    "pnpm": "set delete",
    "yarn": "set delete unset",
    "pip": "set unset edit",
    "pip3": "set unset edit",
}
SAFER = {"npm": "npm config list", "pnpm": "pnpm config list", "pip": "pip config list", "pip3": "pip config list"}


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    operands = call.operands()
    if program == "npm" and operands[:1] == ["set"]:
        return ask_about_change(call, "npm config list") if len(operands) > 1 else None
    if program in WRITES:
        hit = operands[1:2] and operands[1] in WRITES[program].split() and not call.has_flag("--site")
        local = call.option("--location") == "project"
        return ask_about_change(call, SAFER.get(program, "npm config list")) if hit and not local else None
    if program == "ssh-keygen":
        target = call.option("-f") or ""
        makes = not call.has_flag("-l", "-y", "-R", "-F", "-e", "-i", "-B")
        if makes and (target.startswith(("~/.ssh/", "/root/.ssh/")) or (not target and call.has_flag("-t"))):
            return ask(
                f"`{format_call(call)}` replaces a key that other machines know, if there is one", "ls -la ~/.ssh"
            )
        return None
    if program == "ssh-copy-id":
        return ask(f"`{format_call(call)}` lets this key into another machine", "ls -la ~/.ssh") if operands else None
    if program in ("gpg", "gpg2"):
        hit = any(word.startswith("--delete-") for word in call.args)
        return ask(f"`{format_call(call)}` deletes a key for good", "gpg --list-secret-keys") if hit else None
    if program in ("conda", "mamba"):
        hit = call.has_flag("--add", "--set", "--remove", "--append", "--prepend", "--remove-key")
        return ask_about_change(call, "conda config --show") if hit else None
    if program == "go":
        return ask_about_change(call, "go env") if call.has_flag("-w", "-u") else None
    if program in ("pyenv", "rustup"):
        return ask_about_change(call, f"{program} --version") if len(operands) > 1 else None
    if program == "sysctl":
        hit = call.has_flag("-w", "--write", "-p", "--system") or any("=" in word for word in operands)
        return ask_about_change(call, "sysctl -a") if hit else None
    if program in ("rmmod", "insmod", "modprobe", "hostname"):
        return ask_about_change(call, "lsmod" if "mod" in program else "hostname") if operands else None
    verbs = OTHERS.get(program, "").split()
    return (
        ask_about_change(call, SAFER_OTHERS.get(program, "uname -a"))
        if any(word in verbs for word in call.args)
        else None
    )


OTHERS = {
    "defaults": "write delete rename import",
    "gsettings": "set reset",
    "dconf": "write reset load",
    "hostnamectl": "set-hostname hostname",
    "timedatectl": "set-time set-timezone set-ntp",
    "update-alternatives": "--set --config --install --remove",
    "localectl": "set-locale set-keymap",
    "scutil": "--set",
    "nvram": "-d -c",
    "csrutil": "disable enable",
    "spctl": "--master-disable --global-disable",
    "pmset": "-a -b -c",
    "xcode-select": "-s --switch --reset",
    "tmutil": "delete disable deletelocalsnapshots",
    "softwareupdate": "-i --install -a --all",
}
SAFER_OTHERS = {"defaults": "defaults read", "update-alternatives": "update-alternatives --list python"}


def ask_about_change(call: Call, look: str) -> Finding:
    return ask(f"`{format_call(call)}` changes the whole machine or account, not this project", look)
