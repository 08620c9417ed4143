"""Programs that need a person at a terminal, and programs that wait for something to come up.

force    vim README.md
none     vim --version
force    ssh prod
none     ssh prod uptime
force    ssh -N -L 5432:localhost:5432 db.example.com
force    tmux attach -t main
none     tmux new-session -d -s web 'npm run dev'
force    crontab -e
none     crontab -l
force    wait-on http://localhost:3000
"""

from __future__ import annotations

from hookwright.shell.programs import each, is_fed, letters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

PERSON: Row = ("force", "terminal", "waits for a person")
SCREEN: Row = ("force", "terminal", "needs a terminal")
WAITS: Row = ("force", "wait", "waits until something answers")
TUNNEL: Row = ("force", "server", "keeps a connection open")
DETACHED: Row = ("none", "terminal", "goes to the background by itself")


def editor(call: Call) -> Row | None:
    """With commands of its own it edits and ends: `vim -es`, `emacs --batch`."""
    if call.program == "ed" and (call.producers or call.redirects):
        return None
    if call.has_flag("--batch", "-batch", "-es", "-Es", "--headless", "-s", "--script", "--eval", "--noninteractive"):
        return None
    if any(
        word.startswith(("+q", "+:q", "+wq", "+x")) or (word in {"-c", "qa", "q!", ":q"} and "q" in call.text)
        for word in call.args
    ):
        return None
    return SCREEN


def ssh(call: Call) -> Row | None:
    """With a command it runs that; without one it is a shell or a tunnel."""
    short = letters(call, "bcDEeFIiJLlmOopQRSWwB")
    if call.inner or short & set("OVQG"):
        return None
    if "f" in short:
        return DETACHED
    if "N" in short or "W" in short:
        return TUNNEL
    if "T" in short or is_fed(call):
        return None
    return PERSON if call.args else None


def multiplexer(call: Call) -> Row | None:
    """Tmux and screen: new sessions that are not detached, and attaching, need a terminal."""
    if call.program == "screen":
        for word in call.args:
            if word[:1] == "-" and ("d" in word or "X" in word or word in {"-ls", "-list", "-wipe", "-v"}):
                return None
        return SCREEN
    verb = call.operands("-L", "-S", "-f", "-c", "-t", "-s", "-n")[:1]
    if call.program == "tmux":
        if not verb:
            return None if call.has_flag("-V") else SCREEN
        if verb[0] in {"attach", "attach-session", "a", "at"}:
            return SCREEN
        if verb[0] in {"new", "new-session"}:
            return None if any(word[:1] == "-" and word[:2] != "--" and "d" in word for word in call.args) else SCREEN
        return (
            ("force", "wait", "waits for a signal")
            if verb[0] in {"wait-for", "wait"} and not call.has_flag("-S")
            else None
        )
    return SCREEN if not verb or verb[0] in {"attach", "a", "-s"} else None


def debugger(call: Call) -> Row | None:
    if call.has_flag("-batch", "--batch", "-b", "--headless", "--version"):
        return None
    if call.program == "dlv" and call.verb == "test":
        return PERSON
    return None if is_fed(call) else PERSON


def crontab(call: Call) -> Row | None:
    return SCREEN if call.has_flag("-e") else None


def disk_tool(call: Call) -> Row | None:
    return None if call.has_flag("-l", "--list", "-s", "--script", "-x") or call.producers or call.redirects else SCREEN


def chooser(call: Call) -> Row | None:
    """Fzf filters by itself with -f; dialogs need a person."""
    return None if call.has_flag("-f", "--filter", "-1") else SCREEN


def gum(call: Call) -> Row | None:
    return SCREEN if call.verb in {"choose", "input", "confirm", "filter", "write", "file", "pager"} else None


def agent(call: Call) -> Row | None:
    """Coding agents: with -p they work on one question, else they need a terminal."""
    if call.has_flag("-p", "--print", "--message", "-m") or call.verb in {"exec", "run"}:
        return "force", "job", "lets a model work on a task"
    if call.operands() and call.verb in {
        "mcp",
        "config",
        "doctor",
        "update",
        "login",
        "plugin",
        "auth",
        "agents",
        "setup-token",
    }:
        return None
    return SCREEN


def waiter(call: Call) -> Row | None:
    """wait-on, wait-for-it, dockerize: bounded when they name a time."""
    text = call.option("-t", "--timeout", "-timeout", "-w", "--wait-timeout")
    if text is not None:
        from hookwright.shell.programs.containers import span

        seconds = span(text)
        if seconds:
            if call.program == "wait-on" and text.isdigit():
                seconds /= 1000
            return seconds, "wait", f"waits at most {seconds:g} s"
    if call.program in {"wait-for-it", "wait-for-it.sh"} and text is None:
        return 15.0, "wait", "waits at most 15 s"
    return WAITS


def root_shell(call: Call) -> Row | None:
    """`sudo -i` and `sudo -s` without a command are a shell; `sudo -e` an editor."""
    if is_fed(call):
        return None
    return PERSON if call.has_flag("-i", "-s", "-e", "--login", "--shell", "--edit") else None


def keys(call: Call) -> Row | None:
    """ssh-keygen, gpg, openssl: what asks for a passphrase or an input."""
    if is_fed(call):
        return None
    if call.program == "ssh-keygen":
        short = letters(call, "tbfNCPmOIVnWYZa")
        return PERSON if not short & set("NlyRFHiepBDLAE") else None
    if call.program == "gpg":
        return PERSON if call.has_flag("--gen-key", "--full-generate-key", "--edit-key", "--full-gen-key") else None
    return PERSON if call.verb in {"s_client", "s_server"} else None


def asks(call: Call) -> Row | None:
    """passwd, su, login: a password; with input given they do not wait."""
    return (
        None
        if call.producers or call.redirects or call.inner or call.has_flag("-S", "-l", "-c", "-d", "--status")
        else PERSON
    )


def calculator(call: Call) -> Row | None:
    return None if call.producers or call.redirects or call.args else PERSON


def pager(call: Call) -> Row | None:
    """Without a terminal a pager only prints; with one it waits for keys."""
    if "+F" in call.args:
        return "force", "follow", "follows without end"
    if call.consumers or call.has_flag("-k", "-f", "-w", "-F", "-X", "--version", "-P"):
        return None
    if call.producers:
        return "suggest", "terminal", "is a pager; cat does the same without a terminal"
    return "force", "terminal", "is a pager; cat does the same without a terminal"


def asked(call: Call) -> Row | None:
    """`read -p` asks a person, unless its input comes from elsewhere or a loop reads lines."""
    if not call.has_flag("-p") or call.producers or call.redirects or call.place.loop or call.has_flag("-t", "-u"):
        return None
    return PERSON


def telnet(call: Call) -> Row | None:
    return None if call.producers or call.redirects else PERSON


PROGRAMS: dict[str, Handler] = {
    **each("vi vim nvim vimdiff nano pico emacs micro helix hx kak joe ed emacsclient", editor),
    **each(
        "ranger nnn lf vifm yazi lazygit gitui lazydocker ncmpcpp mutt neomutt irssi weechat newsboat alsamixer "
        "nmtui cfdisk visudo vipw ncdu tig",
        SCREEN,
    ),
    "ssh": ssh,
    **each("mosh minicom picocom cu", SCREEN),
    "telnet": telnet,
    **each("tmux screen zellij byobu", multiplexer),
    **each("gdb lldb pdb cgdb rust-gdb dlv byebug", debugger),
    "crontab": crontab,
    **each("fdisk gdisk parted", disk_tool),
    **each("fzf sk dialog whiptail", chooser),
    "gum": gum,
    **each("claude codex aider gemini opencode cursor-agent qwen crush", agent),
    **each("wait-on wait-for-it wait-for-it.sh wait-for dockerize wait4x wait-port", waiter),
    **each("passwd su", asks),
    **each("sudo doas", root_shell),
    **each("ssh-keygen gpg openssl", keys),
    **each("scala jshell", calculator),
    "bc": calculator,
    **each("less more most", pager),
    "read": asked,
    "start-server-and-test": ("force", "test", "starts a server and tests it"),
}
