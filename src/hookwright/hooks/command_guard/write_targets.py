"""What writing one file would change: for redirections, `cp`, `sed -i` and for code that writes.

rules/protected_write, rules/inline_code → [check_write] → Finding | None
"""

from __future__ import annotations

from hookwright.hooks.command_guard.protected_paths import (
    DESCRIPTION,
    DISKS,
    GIT,
    SECRET,
    SETTINGS,
    SYSTEM,
    TEMP_DIRS,
    find_protection,
)
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call, Word

EDITORS = frozenset("vim vi nvim nano emacs ed ex code subl micro pico gedit".split())
SHELLS = frozenset("sh bash zsh dash ksh nc ncat python python3 perl ruby exec".split())
FOLDERS = frozenset("/etc /usr /bin /sbin /lib /opt /usr/bin /usr/local/bin /etc/cron.d".split())
VITAL = frozenset("/etc/passwd /etc/shadow /etc/group /etc/fstab /etc/sudoers /proc/sysrq-trigger".split())


def check_write(call: Call, word: Word, scene: Scene, *, appends: bool) -> Finding | None:
    """The finding on writing this file; None if that is harmless."""
    if word[:1] == "/" and word.startswith("/dev/"):
        return check_device(call, word)
    path = call.path(word)
    if path is None or (appends and path.endswith("/.ssh/known_hosts")):
        return None
    kind = find_protection(path + "/x" if word[-1:] == "/" or path in FOLDERS else path, scene.home)
    if path in VITAL and (not appends or path == "/etc/sudoers"):
        return deny(
            f"{describe_write(call, word)}, without which the system does not work", f"ls -la {quote_word(word)}"
        )
    if not kind or (call.remote is not None and kind != SYSTEM):
        return None
    if kind == SECRET:
        if appends or not is_key(path, scene):
            return None
        return ask(
            f"{describe_write(call, word)}, a key or password that nothing brings back", f"ls -la {quote_word(word)}"
        )
    if kind == SYSTEM and scene.project and path.startswith(scene.project + "/"):
        return None
    if kind == SYSTEM and (path.startswith(TEMP_DIRS) or (path[:6] == "/proc/" and path[6:].startswith("self"))):
        return None
    text = describe_write(call, word)
    look = f"cat {quote_word(word)}" if call.program not in EDITORS else f"ls -la {quote_word(word)}"
    if kind == SETTINGS:
        return deny(f"{text}, which {DESCRIPTION[kind]}; change it with the Edit tool, so that it is seen", look)
    if kind == GIT:
        emptied = call.program in ("", ":", "true", "truncate") or not any(call.args)
        if emptied and holds_history(path):
            return deny(f"{text}: the repository is broken without it", f"ls -la {quote_word(word)}")
        if not runs_later(path):
            return None
    return ask(f"{text}, which {DESCRIPTION[kind]}", keep_command(call, word, path))


def keep_command(call: Call, word: Word, path: str) -> str:
    """A copy of the file as it is now, into a directory that only the user can read; a look at a directory."""
    if word[-1:] == "/" or path in FOLDERS or not word.literal or call.remote is not None:
        return f"ls -la {quote_word(word)}" if word.literal else "ls -la"
    return f'cp -pv {quote_word(word)} "$(mktemp -d)"'


def is_key(path: str, scene: Scene) -> bool:
    """Whether it is a secret of the whole account; a project's .env is written every day."""
    if path.rpartition("/")[2].startswith(".env"):
        return False
    return path[:2] == "~/" or (bool(scene.home) and path.startswith(scene.home + "/.")) or path.startswith("/etc/")


def runs_later(path: str) -> bool:
    inner = path.rpartition(".git/")[2]
    return inner.startswith(("hooks/", "config", "info/")) or holds_history(path)


def holds_history(path: str) -> bool:
    inner = path.rpartition(".git/")[2]
    return inner.startswith(("refs/", "objects/")) or inner in ("HEAD", "index", "packed-refs", "config")


def check_device(call: Call, word: Word) -> Finding | None:
    if word.startswith(DISKS):
        return deny(f"{describe_write(call, word)}: the disk is overwritten from its first byte", "lsblk")
    if word.startswith(("/dev/tcp/", "/dev/udp/")) and call.program in SHELLS:
        return deny(f"{describe_write(call, word)}: it hands a shell on this machine to another one", "ss -tn")
    if word.startswith(("/dev/tcp/", "/dev/udp/")):
        from hookwright.hooks.command_guard.secret_sources import LOCAL, secret_read_by

        secret = secret_read_by(call) if not any(local in word for local in LOCAL) else ""
        if secret:
            return deny(f"{describe_write(call, word)}: it would send {secret} to another machine", "ls -la ~/.ssh")
    return None


def describe_write(call: Call, word: Word) -> str:
    return f"`{format_call(call)}` writes {word}" if call.words else f"`> {word}` empties {word}"
