"""Which files are protected: secrets, git's own, shell profiles, settings, system files.

a path → [find_protection] → its class, or ""
By name only. Rules pass the path as written; file_access resolves `..` and symlinks first.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.secret_paths import is_secret_path, path_in_home

SECRET = "secrets"  # noqa: S105  a class of files
GIT = "git"
PROFILE = "profiles"
SETTINGS = "settings"
SYSTEM = "system"

DESCRIPTION = {
    SECRET: "holds secrets",
    GIT: "belongs to git itself; a hook or setting there runs code later",
    PROFILE: "counts in every new shell or program",
    SETTINGS: "decides which hooks and permissions are in force",
    SYSTEM: "belongs to the operating system",
}

PROFILES = frozenset(
    (
        ".bashrc .bash_profile .bash_login .bash_logout .bash_aliases .profile .zshrc .zprofile .zshenv .zlogin "
        ".zlogout .kshrc .cshrc .tcshrc .login .inputrc .xprofile .xinitrc .xsessionrc config.fish .pam_environment"
    ).split()
)
HOME_PROFILES = (".ssh/", ".config/autostart/", ".config/systemd/", "Library/LaunchAgents/",
                 ".gitconfig", ".npmrc", ".config/git/", ".config/fish/")  # fmt: skip
SYSTEM_TOPS = ("/etc/", "/usr/", "/bin/", "/sbin/", "/boot/", "/lib/", "/lib64/", "/opt/", "/sys/",
               "/proc/", "/System/", "/Library/", "/var/spool/cron", "/var/lib/", "/Windows/")  # fmt: skip
# Block devices and memory: writing to one overwrites a disk.
DISKS = ("/dev/sd", "/dev/hd", "/dev/vd", "/dev/xvd", "/dev/nvme", "/dev/mmcblk", "/dev/disk",
         "/dev/rdisk", "/dev/md", "/dev/dm-", "/dev/mapper/", "/dev/loop", "/dev/mem", "/dev/kmem",
         "/dev/nbd", "/dev/ada", "/dev/da0", "/dev/da1")  # fmt: skip
TEMP_DIRS = ("/tmp/", "/var/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/", "/dev/shm/")
CLAUDE = ("settings.json", "settings.local.json")
OURS = (".hookwright.toml", ".claude.json", "managed-settings.json")
# Directories whose files decide which checks are in force: configuration, policy, the code that runs, what is trusted.
OUR_DIRS = (
    *("/.claude/hooks/", "/.config/hookwright/", "/.local/state/hookwright/", "/.local/share/hookwright/"),
    *("/.cache/hookwright/", "/managed-settings.d/"),
)
MACHINE_DIRS = ("/etc/hookwright/", "/etc/claude-code/", "/Library/Application Support/ClaudeCode/")


def find_protection(path: str, home: str = "") -> str:
    """The class of a path (absolute, `~/…` or relative to the project); "" for an ordinary file."""
    if home and path.startswith(home + "/"):
        path = "~" + path[len(home) :]
    name = path[path.rfind("/") + 1 :]
    whole = path if path[:1] == "/" else "/" + path
    if "/.git/" in whole or name == ".git":
        return GIT
    if (name in CLAUDE and "/.claude/" in whole) or name in OURS:
        return SETTINGS
    if whole.startswith(MACHINE_DIRS) or any(folder in whole for folder in OUR_DIRS):
        return SETTINGS
    if is_secret_path(path):
        return SECRET
    rest = path_in_home(whole)
    if name in PROFILES and (path == name or rest in (name, ".config/fish/" + name)):
        return PROFILE
    if rest and (rest.startswith(HOME_PROFILES) or (rest == name and name[:1] == ".")):
        return PROFILE
    return SYSTEM if path.startswith(SYSTEM_TOPS) else ""
