"""Which files are protected: secrets, git's own, shell profiles, settings, system files.

a path → [find_protection] → its class, or ""
By name only. Rules pass the path as written; file_access resolves `..` and symlinks first.
"""

from __future__ import annotations

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

SECRET_NAMES = frozenset(
    (
        ".env .netrc _netrc .pgpass .my.cnf .pypirc .git-credentials .htpasswd .vault-token .dockercfg id_rsa id_dsa "
        "id_ecdsa id_ed25519 id_ecdsa_sk id_ed25519_sk credentials.json client_secret.json service-account.json "
        "service_account.json master.key .envrc secrets.yml secrets.yaml secrets.json secrets.toml .s3cfg .boto "
        "kubeconfig"
    ).split()
)
SECRET_ENDS = (".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".age")
PUBLIC_PEMS = ("cert", "pub", "chain", "ca.", "ca-", "crt")
SECRET_PLACES = (
    "/.aws/credentials",
    "/.kube/config",
    "/.docker/config.json",
    "/.config/gh/hosts.yml",
    "/.gnupg/",
    "/.password-store/",
    "/.config/gcloud/",
    "/.azure/",
    "/.terraform.d/credentials",
    "/.cargo/credentials",
    "/etc/shadow",
    "/etc/gshadow",
    "/etc/ssl/private/",
    "/proc/self/environ",
)
PUBLIC_SSH = frozenset(("config", "known_hosts", "known_hosts.old", "authorized_keys"))
SAMPLES = ("example", "sample", "template", "dist", "defaults", "schema", "test", "ci")
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
    if is_secret(name, whole):
        return SECRET
    rest = path_in_home(whole)
    if name in PROFILES and (path == name or rest in (name, ".config/fish/" + name)):
        return PROFILE
    if rest and (rest.startswith(HOME_PROFILES) or (rest == name and name[:1] == ".")):
        return PROFILE
    return SYSTEM if whole.startswith(SYSTEM_TOPS) else ""


def is_secret(name: str, whole: str) -> bool:
    if name in SECRET_NAMES:
        return True
    if name.endswith(SECRET_ENDS):
        return not (name.endswith(".pem") and any(mark in name for mark in PUBLIC_PEMS))
    if name.startswith(".env."):
        return not name[5:].startswith(SAMPLES) and not name.endswith(SAMPLES)
    if "/.ssh/" in whole:
        return name not in PUBLIC_SSH and not name.endswith(".pub") and bool(name)
    return any(place in whole for place in SECRET_PLACES) or (name == ".npmrc" and path_in_home(whole) == name)


def path_in_home(whole: str) -> str:
    """The part after the home directory in `/~/x`, `/home/ann/x`, `/Users/ann/x`, `/root/x`; "" elsewhere."""
    parts = whole.split("/", 3)
    if len(parts) > 2 and (parts[1][:1] == "~" or parts[1] == "root"):
        return whole[len(parts[1]) + 2 :]
    return parts[3] if len(parts) > 3 and parts[1] in ("home", "Users") else ""
