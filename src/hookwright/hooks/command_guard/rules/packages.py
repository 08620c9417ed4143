"""Asks before software is removed from the machine, or installed with sudo by a language's package manager.

Why: other projects use the same installation, and `purge` takes configuration and data with it.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, operand_at, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "packages"
EXAMPLES = {
    "pip uninstall hookwright": "deny",
    "«uv tool|uv pip|pipx» uninstall hookwright": "deny",
    "sudo apt-get purge -y postgresql": "ask",
    "apt autoremove": "ask",
    "brew uninstall --force openssl": "ask",
    "pip uninstall -y numpy": "ask",
    "pip install --break-system-packages x": "ask",
    "rustup self uninstall": "ask",
    "npm uninstall -g typescript": "ask",
    "sudo npm install -g x": "ask",
    "sudo pip install x": "ask",
    "pacman -Rns gcc": "ask",
    "dpkg -P nginx": "ask",
    "sudo yum update -y": "ask",
    "apt «remove|autopurge|full-upgrade|dist-upgrade» nginx": "ask",
    "dnf erase nginx": "ask",
    "apk del nginx": "ask",
    "brew «rm|upgrade»": "ask",
    "«dnf|zypper» update": "ask",
    "apt upgrade": "ask",
    "«pnpm|yarn» remove --global x": "ask",
    "npm uninstall x --location global": "ask",
    "sudo «pnpm|yarn|pip3|gem» install x": "ask",
    "sudo npm «i|add» x": "ask",
    "sudo make «install|uninstall»": "ask",
    "«yay|paru» -Rns nginx": "ask",
    "rpm «-e|--erase» nginx": "ask",
    "nix-env --uninstall nginx": "ask",
    "dpkg «-r|--remove|--purge» nginx": "ask",
    "conda env remove -n x": "ask",
    "sudo apt-get update": None,
    "npm uninstall lodash": None,
    "npm install": None,
    "pip install -r requirements.txt": None,
    "sudo apt-get install -y jq": None,
    "brew list": None,
    "apt-get remove --dry-run nginx": None,
    "apt-get remove --simulate nginx": None,
    "apt-get -s remove nginx": None,
    "«pnpm|yarn» remove x": None,
    "sudo make build": None,
    "conda env list": None,
    "uv tool uninstall ruff": None,
    "uv tool install hookwright": None,
    "uv tool list": None,
    "apt upgrade nginx": None,
}

REMOVES = frozenset("remove purge autoremove erase uninstall rm del autopurge zap full-upgrade dist-upgrade".split())
SAFER = {
    **dict.fromkeys(("apt", "apt-get", "aptitude", "dpkg"), "dpkg-query -l"),
    **dict.fromkeys(("yum", "dnf", "zypper"), "rpm -qa"),
    **dict.fromkeys(("pacman", "yay", "paru"), "pacman -Q"),
    **dict.fromkeys(("pip", "pip3"), "pip list"),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), "npm ls -g"),
    **{name: f"{name} list" for name in ("brew", "snap", "flatpak", "gem", "cargo", "conda", "mamba", "port")},
    "apk": "apk info",
}
WHOLE = {"yum": "update", "dnf": "update", "zypper": "update"}  # elsewhere `update` only fetches lists
LOCAL = frozenset(("npm", "pnpm", "yarn", "bun"))


WHOLES = frozenset(("apt", "apt-get", "brew", *WHOLE))


def check(call: Call, scene: Scene) -> Finding | None:
    program = call.program
    verb = operand_at(call, 1) if call.program == "uv" else call.verb
    if call.has_flag("--dry-run", "--simulate") or (program[:3] == "apt" and call.has_flag("-s")):
        return None
    if "hookwright" in call.operands() and verb in REMOVES:
        return deny(f"`{format_call(call)}` takes away the guard itself", "hookwright status")
    if program == "uv":
        return None  # its tools are in directories of their own
    globally = call.has_flag("-g", "--global") or call.option("--location") == "global"
    if (
        call.under("sudo")
        and program in ("npm", "pnpm", "yarn", "pip", "pip3", "gem")
        and verb in ("install", "i", "add")
    ):
        return ask(
            f"`sudo {format_call(call)}` runs its install scripts as root, for the whole machine", project_install(call)
        )
    if program == "make":
        hit = bool(call.under("sudo")) and not {"install", "uninstall"}.isdisjoint(call.operands())
        return ask(f"`sudo {format_call(call)}` puts files among the system's own", "make -n install") if hit else None
    if "--break-system-packages" in call.args:
        return ask(f"`{format_call(call)}` overwrites what the system's own programs use", project_install(call))
    if program == "rustup":
        gone = "uninstall" in call.operands()
        return ask(f"`{format_call(call)}` removes software that others may use", "rustup show") if gone else None
    if program in LOCAL and not globally:
        return None
    if program in ("pacman", "yay", "paru"):
        hit = any(word[:2] == "-R" for word in call.args)
    elif program in ("rpm", "nix-env"):
        hit = call.has_flag("-e", "--erase", "--uninstall")
    elif program == "dpkg":
        hit = call.has_flag("-r", "-P", "--remove", "--purge")
    else:
        whole = verb in ("upgrade", WHOLE.get(program, "upgrade")) and not call.operands()[1:] and program in WHOLES
        hit = whole or verb in REMOVES or (program == "conda" and call.operands()[:2] == ["env", "remove"])
    return (
        ask(
            f"`{format_call(call)}` removes or replaces software that others may use",
            SAFER.get(program, f"{program} list"),
        )
        if hit
        else None
    )


def project_install(call: Call) -> str:
    """The command that installs the same for this user only, or into the project's environment."""
    names = [quote_word(word) for word in call.operands()[1:]]
    if call.program in LOCAL:
        if call.has_flag("-g", "--global"):
            return " ".join(["npm install --global --prefix ~/.local", *names])
        return " ".join([f"{call.program} {call.verb}", *names])
    return " ".join([".venv/bin/pip install" if "pip" in call.program else "gem install --user-install", *names])
