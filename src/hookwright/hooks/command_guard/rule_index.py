"""Which rules check which call: the only list of them.

evaluate → [select_rules: program, operands, redirections → INDEX, HINTED] → names of modules in rules/, space-separated
INDEX: a program's rules, or a table by first operand, in which `-` stands for an option or no operand, `-c` and `<(`
for a first word that begins so. HINTED: very common programs, whose rules apply only if the text contains one of the
marks. A rule that is not named here is never loaded.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import CARRYING, operand_at
from hookwright.hooks.command_guard.secret_paths import MARKS
from hookwright.hooks.command_guard.systems_index import CHANGING, REVEALING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.shell.command import Call

SHELL = {"-": "network_code", "<(": "network_code"}
PYTHON = {
    "-": "inline_code network_code",
    "<(": "network_code",
    "manage.py": "database_reset inline_code",
    "setup.py": "publish",
}
DEPLOYS = {"deploy": "deploy", "release": "deploy", "publish": "deploy", "deploy:prod": "deploy"}
NPM = {
    **dict.fromkeys(("publish", "unpublish", "deprecate", "dist-tag", "npm", "token", "owner", "access"), "publish"),
    **dict.fromkeys(("uninstall", "remove", "rm", "un"), "packages"),
    **dict.fromkeys(("config", "set"), "global_config"),
    "run": DEPLOYS,
    "deploy": "deploy",
}
DOCKER = {
    **dict.fromkeys(("rm", "rmi", "stop", "kill", "run", "create"), "docker_delete"),
    "push": "publish",
    "buildx": "publish",
    "system": {"prune": "docker_delete", "reset": "platform_delete"},
    "volume": {"rm": "docker_delete", "remove": "docker_delete", "prune": "docker_delete"},
    "container": {"prune": "docker_delete"},
    "image": {"prune": "docker_delete"},
    "stack": {"rm": "docker_delete"},
    "service": {"rm": "docker_delete"},
    "swarm": {"leave": "docker_delete"},
    "secret": {"rm": "docker_delete"},
    "compose": {"down": "docker_delete", "rm": "docker_delete", "push": "publish"},
}
KUBECTL = {
    **dict.fromkeys(
        (
            "delete apply create patch edit replace scale drain cordon uncordon rollout set taint annotate label cp "
            "run expose autoscale"
        ).split(),
        "cluster_change",
    ),
    "get": "secret_read",
    "config": "secret_read",
}
GH = {
    **dict.fromkeys(
        "api repo release secret variable workflow ruleset auth extension label gist".split(), "github_change"
    ),
    **dict.fromkeys(("cache", "ssh-key", "gpg-key", "codespace", "mr"), "github_change"),
    "pr": {"merge": "github_change", "close": "github_change", "review": "github_change"},
    "run": {"delete": "github_change", "cancel": "github_change"},
    "issue": {"close": "github_change", "delete": "github_change", "transfer": "github_change"},
}

INDEX: dict[str, Any] = {
    **dict.fromkeys(CHANGING.split(), "platform_delete"),  # then rows with more rules
    # files
    **dict.fromkeys(("rm", "grm", "rimraf", "del-cli", "unlink"), "recursive_delete"),
    **dict.fromkeys(("install", "ln", "tee", "touch", "nano", "emacs", "code", "sponge"), "protected_write"),
    **dict.fromkeys(("vim", "vi", "nvim"), "protected_write carried_command"),
    **dict.fromkeys(("tar", "gtar", "bsdtar"), "extract_over carried_command move_away"),
    **dict.fromkeys(("chmod", "chown", "chgrp", "setfacl", "setcap", "chattr"), "permissions"),
    **dict.fromkeys(("srm", "wipe"), "truncate_file"),
    "mv": "move_away protected_write",
    "cp": "truncate_file protected_write",
    "truncate": "truncate_file protected_write",
    "shred": "truncate_file raw_device",
    "rsync": "mirror_delete remote_write protected_write",
    "rclone": "mirror_delete",
    "unzip": "extract_over",
    # git and its hosts
    "git": {
        **dict.fromkeys(("checkout", "restore", "switch", "rm", "checkout-index", "read-tree"), "git_discard_changes"),
        **dict.fromkeys(("branch", "tag", "update-ref", "worktree", "remote"), "git_delete_refs"),
        **dict.fromkeys(("filter-branch", "filter-repo", "reflog", "gc", "prune", "lfs"), "git_rewrite_history"),
        **dict.fromkeys(("bisect", "rebase"), "carried_command"),
        "commit": "git_hooks_off",
        "config": "git_hooks_off carried_command",
        "submodule": "git_delete_refs carried_command",
        "reset": "git_reset_hard",
        "clean": "git_clean",
        "push": "git_force_push git_hooks_off",
        "stash": "git_stash_drop",
        "credential": "secret_read",
        "-c": "git_hooks_off carried_command",
    },
    **dict.fromkeys(("bfg", "git-filter-repo"), "git_rewrite_history"),
    "gh": {**GH, "auth": {"token": "secret_read", "logout": "github_change", "refresh": "github_change"}},
    "glab": GH,
    "hub": "github_change git_force_push",
    **dict.fromkeys(("hg", "svn", "jj"), "other_vcs"),
    "pre-commit": {"uninstall": "guard_off"},
    "hookwright": {
        **dict.fromkeys(("allow on off shadow trust undo uninstall install".split()), "guard_off"),
        "questions": "questions_decided",
    },
    "claude": "guard_off",
    # the machine
    **dict.fromkeys(("dd", "gdd"), "raw_device truncate_file"),
    **dict.fromkeys(
        (
            "mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs mkfs.vfat mkfs.fat mkfs.ntfs mkfs.f2fs mke2fs "
            "newfs badblocks mkswap wipefs parted fdisk cfdisk gdisk sgdisk sfdisk blkdiscard cryptsetup hdparm nvme "
            "pvremove vgremove lvremove zpool zfs btrfs mdadm diskutil mount umount swapoff fsck e2fsck xfs_repair "
            "tune2fs"
        ).split(),
        "raw_device",
    ),
    **dict.fromkeys(("kill", "killall", "pkill", "killall5"), "kill_broad"),
    "tmux": {"kill-server": "kill_broad", "send-keys": "carried_command", "send": "carried_command"},
    **dict.fromkeys(("shutdown", "reboot", "halt", "poweroff", "init", "telinit"), "shutdown"),
    "systemctl": "shutdown services",
    **dict.fromkeys(("service", "rc-service", "launchctl", "supervisorctl", "pm2"), "services"),
    **dict.fromkeys(
        "iptables ip6tables nft ufw setenforce firewall-cmd ip ifconfig route nmcli networksetup".split(), "network"
    ),
    "crontab": "carried_command crontab",
    "sudo": {"-i": "root_shell", "-s": "root_shell"},
    "su": "root_shell",
    **dict.fromkeys(
        (
            "useradd userdel usermod groupadd groupdel groupmod passwd chpasswd visudo chsh adduser deluser gpasswd "
            "dscl"
        ).split(),
        "accounts",
    ),
    **dict.fromkeys(
        "apt apt-get aptitude dpkg rpm nix-env yum dnf zypper pacman yay paru apk snap flatpak port".split(), "packages"
    ),
    "brew": {
        **dict.fromkeys(("uninstall", "remove", "rm", "autoremove", "upgrade"), "packages"),
        "services": "services",
    },
    **dict.fromkeys(
        (
            "sysctl defaults gsettings dconf hostnamectl timedatectl update-alternatives localectl scutil nvram "
            "csrutil spctl pmset xcode-select tmutil modprobe rmmod insmod hostname ssh-keygen ssh-copy-id "
            "softwareupdate"
        ).split(),
        "global_config",
    ),
    **dict.fromkeys(("gpg", "gpg2"), "secret_read global_config"),
    **dict.fromkeys(("security", "pass", "bw", "secret-tool"), "secret_read"),
    **dict.fromkeys(("op", "doppler"), "secret_read platform_delete"),
    # code and commands inside of other commands
    **dict.fromkeys("sh bash zsh dash ksh ash fish mksh rbash csh tcsh xonsh yash".split(), SHELL),
    "eval": "network_code",
    **dict.fromkeys(("source", "."), {"<(": "network_code"}),
    **dict.fromkeys("python python3 pypy pypy3 ipython ipython3".split(), PYTHON),
    **dict.fromkeys(("perl", "ruby"), {"-": "inline_code network_code in_place_edit protected_write"}),
    **dict.fromkeys(("node", "nodejs"), {"-": "inline_code network_code"}),
    "php": {"-": "inline_code network_code", "artisan": "database_reset inline_code", "bin/console": "database_reset"},
    "deno": {"eval": "inline_code", "-": "network_code", "run": "network_code"},
    "bun": {"-": "inline_code network_code", "publish": "publish", "run": DEPLOYS},
    **dict.fromkeys(("tsx", "ts-node"), {"-": "inline_code"}),
    **dict.fromkeys(("osascript", "lua", "luajit", "Rscript", "julia", "elixir"), "inline_code"),
    **dict.fromkeys(
        (
            "pwsh powershell powershell.exe cmd cmd.exe format diskpart Remove-Item del rd Format-Volume Clear-Disk "
            "iwr irm"
        ).split(),
        "powershell",
    ),
    **dict.fromkeys(("make", "gmake"), {name: DEPLOYS[name] for name in ("deploy", "publish")}),
    **dict.fromkeys(("nodemon", "watchexec"), "carried_command"),
    **dict.fromkeys(("at", "batch"), "carried_command crontab"),
    "ansible": "carried_command deploy",
    "adb": {"shell": "carried_command"},
    **dict.fromkeys(("lxc", "multipass", "vagrant"), "platform_delete carried_command"),
    "incus": {"exec": "carried_command"},
    **dict.fromkeys(("argocd", "flux", "nomad"), "platform_delete deploy"),
    # the network
    **dict.fromkeys(("curl", "wget"), "network_code remote_write"),
    **dict.fromkeys(("http", "https", "xh", "scp", "sftp", "ftp"), "remote_write"),
    "openssl": {
        "s_client": "credentials_sent",
        **dict.fromkeys(("genrsa", "genpkey", "req", "ecparam"), "protected_write"),
    },
    **dict.fromkeys(("nc", "ncat", "netcat", "socat", "telnet"), "reverse_shell"),
    "ssh": "production_shell carried_command",
    **dict.fromkeys(("mail", "mailx", "mutt", "sendmail"), "remote_write"),
    **dict.fromkeys(("env", "printenv"), {"-": "secret_read"}),
    # databases
    **dict.fromkeys(
        (
            "psql mysql mariadb sqlite3 sqlite duckdb cockroach clickhouse clickhouse-client cqlsh sqlcmd snowsql usql "
            "pgcli mycli litecli hive beeline spark-sql trino sqlplus"
        ).split(),
        "sql_destroy",
    ),
    **dict.fromkeys(
        (
            "dropdb dropuser drush redis-cli valkey-cli keydb-cli mongosh mongo pg_restore mongorestore mysqladmin "
            "alembic sequelize sequelize-cli knex typeorm drizzle-kit flyway liquibase "
            "goose migrate dbmate diesel sqlx hasura wp rake"
        ).split(),
        "database_reset",
    ),
    **dict.fromkeys("manage.py django-admin artisan rails".split(), "database_reset inline_code"),
    "gitlab-rails": "inline_code",
    "prisma": {"migrate": {"reset": "database_reset"}, "db": {"push": "database_reset", "execute": "sql_destroy"}},
    "flask": {"db": "database_reset"},
    "mix": {**dict.fromkeys(("ecto.drop", "ecto.reset", "ecto.rollback"), "database_reset"), "hex.publish": "publish"},
    # clouds and platforms
    **dict.fromkeys(("terraform", "tofu", "terragrunt", "pulumi", "cdk", "cdktf"), "infra_destroy"),
    "aws": "aws_change secret_read carried_command",
    "gcloud": "cloud_change secret_read carried_command",
    "az": "cloud_change secret_read",
    "gsutil": "cloud_change",
    "bq": "cloud_change sql_destroy",
    **dict.fromkeys(("kubectl", "oc"), KUBECTL),
    "helm": {
        **dict.fromkeys(("uninstall", "delete", "upgrade", "install", "rollback"), "cluster_change"),
        "push": "publish",
    },
    **dict.fromkeys(("docker", "podman", "nerdctl"), DOCKER),
    **dict.fromkeys(("docker-compose", "podman-compose"), {"down": "docker_delete", "rm": "docker_delete"}),
    **dict.fromkeys(
        "vercel netlify railway firebase serverless sls sam eb copilot amplify dokku".split(),
        "platform_delete deploy",
    ),
    "supabase": "platform_delete deploy database_reset",
    **dict.fromkeys(("turso", "influx"), "platform_delete sql_destroy"),
    "heroku": "platform_delete deploy sql_destroy",
    **dict.fromkeys(("fly", "flyctl"), "platform_delete deploy carried_command"),
    "wrangler": "platform_delete deploy sql_destroy",
    "vault": "platform_delete secret_read",
    **dict.fromkeys(
        (
            "ansible-playbook ansible-pull fab kamal cap surge convex modal gh-pages deploy deploy.sh release.sh "
            "publish.sh"
        ).split(),
        "deploy",
    ),
    # packages
    **dict.fromkeys(("npm", "pnpm", "yarn"), NPM),
    **dict.fromkeys(("pip", "pip3"), {"uninstall": "packages", "config": "global_config"}),
    "gem": {"push": "publish", "yank": "publish", "uninstall": "packages"},
    "cargo": {
        "publish": "publish",
        "release": "publish",
        "yank": "publish",
        "owner": "publish",
        "uninstall": "packages",
    },
    **dict.fromkeys(
        ("poetry", "hatch", "flit", "pdm", "jsr", "vsce", "ovsx", "lerna", "changeset"), {"publish": "publish"}
    ),
    **dict.fromkeys(("mvn", "mvnw", "gradle", "gradlew", "sbt", "semantic-release", "np"), "publish"),
    "skopeo": {"copy": "publish", "sync": "publish", "delete": "publish"},
    "twine": {"upload": "publish"},
    "anaconda": {"upload": "publish"},
    "rustup": {"self": "packages", "toolchain": "packages", "default": "global_config"},
    "uv": {"publish": "publish", "tool": {"uninstall": "packages"}, "pip": {"uninstall": "packages"}},
    "pipx": {"uninstall": "packages", "uninstall-all": "packages"},
    "go": {"env": "global_config"},
    **dict.fromkeys(
        ("conda", "mamba"),
        {**dict.fromkeys(("remove", "uninstall", "env"), "packages"), "config": "global_config"},
    ),
    "pyenv": {"global": "global_config"},
    "fastlane": "deploy",
    "eas": "deploy secret_read",
    "java": {"-": "platform_delete"},
    "nuget": {"push": "publish"},
    "dotnet": {"nuget": "publish"},
    "pod": {"trunk": "publish"},
    "dart": {"pub": "publish"},
    "goreleaser": {"release": "publish"},
}

IN_PLACE = ("-i", "-Ei", "-ri", "-ni", "-si", "-zi", "--in-place")
# Parts of the names of variables with secrets; then other sources of secrets.
VARIABLES = ("SECRET", "TOKEN", "PASSW", "_KEY", "APIKEY")
SOURCES = (*MARKS, *VARIABLES, "history", "env", "declare", "security", "pass",
           "_history", "auth token", "Cookies", "Login Data")  # fmt: skip
SENDERS = "curl wget http https xh scp sftp rsync ssh nc ncat netcat socat telnet ftp mail dig aws gsutil gh".split()
OWN = (".claude", "hookwright", "claude-code")  # parts of the paths of settings, policy, launcher and cache
HINTED: dict[str, tuple[str, tuple[str, ...]]] = {
    **dict.fromkeys(SENDERS, ("credentials_sent", SOURCES)),
    **dict.fromkeys(("curl", "wget"), ("credentials_sent protected_write", (*SOURCES, *OWN))),
    **dict.fromkeys(("json", "yq", "sd", "dasel", "patch"), ("protected_write", OWN)),
    **dict.fromkeys(("make", "gmake"), ("carried_command", ("SHELL=",))),
    **dict.fromkeys(("find", "gfind"), ("find_delete", ("-delete",))),
    **dict.fromkeys(("sed", "gsed"), ("in_place_edit protected_write", IN_PLACE)),
    **dict.fromkeys(("awk", "gawk", "mawk"), ("inline_code", ("system",))),
    "export": (
        "shell_environment secret_read",
        ("PATH=", "PRELOAD", "DYLD_INSERT", "PROMPT_COMMAND", "BASH_ENV", "export -p", "export |"),
    ),
    "alias": ("shell_environment", ("=",)),
    "unalias": ("shell_environment", ("-a",)),
    **dict.fromkeys(("pip", "pip3"), ("packages", ("--break-system-packages",))),
    **dict.fromkeys(("echo", "printf", "printenv"), ("secret_read", VARIABLES)),
    "set": ("secret_read", ("set |", "set>", "set >")),
    "declare": ("secret_read", (" -x", " -p")),
    "typeset": ("secret_read", (" -x",)),
    "unset": ("shell_environment", ("HISTFILE", "PATH")),
    "history": ("shell_environment", ("-c", "-d")),
}

# Looked at whatever the program: a redirection that writes where it matters, a substitution in a message, `sudo`, …
HARMLESS = ("/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty")
ELSEWHERE = frozenset("/~.")  # a redirection target that begins so may be outside of the project, or hidden
MESSAGE_PROGRAMS = frozenset(("git", "gh", "glab", "hub"))  # their quoted arguments are prose
NEVER_READING = frozenset("ls cd mkdir echo printf true false exit test [ rm touch chmod".split())  # of many calls
VERSIONED = ("python3.", "python2.", "pip3.", "pip2.")
SHELLS = frozenset(("sh", "bash", "zsh", "dash"))
INSTALLERS = frozenset(("npm", "pnpm", "yarn", "pip", "pip3", "gem", "make"))  # with sudo, into the whole machine


def select_rules(call: Call, text: str, *, secrets: bool = False) -> str:
    """The rules that check this call, space-separated; "" for almost every call. `secrets`: the text may name one."""
    words = call.words
    if not words:
        return select_by_redirect(call) + (" secret_read" if secrets else "")
    program = call.program
    names: Any = INDEX.get(program)
    if names is None:
        names = (
            INDEX[program[:-1].rstrip("0123456789.")] if program.startswith(VERSIONED) and program[-1].isdigit() else ""
        )
    if names.__class__ is dict:
        names = select_by_operand(call, names)
    if call.redirects:
        names += select_by_redirect(call)
    place = call.place
    if place.substitution and place.quoted and place.owner is not None and place.owner.program in MESSAGE_PROGRAMS:
        names += " message_substitution"
    if (place.function and (place.function == program or place.background)) or (
        place.background and place.loop and place.loop.endless
    ):
        names += " fork_bomb"
    names += "" if words[0].literal else " dynamic_program"
    if "-" in program and program[0].isupper() and not names:
        names = "powershell"  # a cmdlet
    if call.env and not CARRYING.isdisjoint(call.env):
        names += " carried_command"
    if call.wrappers and call.wrappers[0].program == "sudo":
        names += select_for_root(call)
    if "secret_read" not in names and (
        (secrets and program not in NEVER_READING) or (f" {program} " in REVEALING and len(words) > 1)
    ):
        names += " secret_read"
    hinted = HINTED.get(program)
    if hinted is not None and any(mark in text for mark in hinted[1]):
        names += " " + hinted[0]
    return str(names)


def select_for_root(call: Call) -> str:
    """The rules for what `sudo` runs."""
    if call.program in INSTALLERS:
        return " packages"
    shell = call.program in SHELLS and not call.inner and not call.stdin_text
    return " root_shell" if shell or call.words[0][:2] == "./" else ""


def select_by_operand(call: Call, table: dict[str, Any]) -> str:
    words = call.words
    first = words[1] if len(words) > 1 else "-"
    names = table.get(call.verb) or table.get(first[:2]) or (table.get("-") if first[:1] == "-" else "") or ""
    if names.__class__ is dict:
        names = names.get(operand_at(call, 1)) or ""
    return str(names)


def select_by_redirect(call: Call) -> str:
    """The rules for a redirection that writes to a relevant place, or that empties a file."""
    for redirect in call.redirects:
        target = redirect.target
        if not redirect.writes or target in HARMLESS or target[:5] == "/tmp/":
            continue
        if not call.words or call.program in (":", "true", "cat") or call.args[-1:] in ([], [""], ["-n"]):
            return " protected_write truncate_file"
        if target[:1] in ELSEWHERE or "/." in target or (call.cwd and ("/." in call.cwd or call.cwd[:4] == "/etc")):
            return " protected_write"
    return ""
