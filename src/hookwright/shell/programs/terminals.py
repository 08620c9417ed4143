"""Programs that need a person at a terminal, and programs that wait for something to come up.

The programs and their tables are in terminals.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import has_input, short_flags
from hookwright.shell.programs.terminals_table import DETACHED, PERSON, SCREEN, TUNNEL, WAITS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_editor(call: Call) -> Row | None:
    """Needs a terminal, unless it gets its commands as arguments: `vim -es`, `emacs --batch`."""
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


def classify_ssh(call: Call) -> Row | None:
    """A remote command is classified by itself; without one it is a shell or a tunnel."""
    short = short_flags(call, "bcDEeFIiJLlmOopQRSWwB")
    if call.inner or short & set("OVQG"):
        return None
    if "f" in short:
        return DETACHED
    if "N" in short or "W" in short:
        return TUNNEL
    if "T" in short or has_input(call):
        return None
    return PERSON if call.args else None


def classify_multiplexer(call: Call) -> Row | None:
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


def classify_debugger(call: Call) -> Row | None:
    if call.has_flag("-batch", "--batch", "-b", "--headless", "--version"):
        return None
    if call.program == "dlv" and call.verb == "test":
        return PERSON
    return None if has_input(call) else PERSON


def classify_disk_tool(call: Call) -> Row | None:
    return None if call.has_flag("-l", "--list", "-s", "--script", "-x") or call.producers or call.redirects else SCREEN


def classify_coding_agent(call: Call) -> Row | None:
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


def classify_wait_tool(call: Call) -> Row | None:
    """wait-on, wait-for-it, dockerize: bounded if a timeout is given."""
    text = call.option("-t", "--timeout", "-timeout", "-w", "--wait-timeout")
    if text is not None:
        from hookwright.shell.programs.containers import parse_timespan

        seconds = parse_timespan(text)
        if seconds:
            if call.program == "wait-on" and text.isdigit():
                seconds /= 1000
            return seconds, "wait", f"waits at most {seconds:g} s"
    if call.program in {"wait-for-it", "wait-for-it.sh"} and text is None:
        return 15.0, "wait", "waits at most 15 s"
    return WAITS


def classify_key_tool(call: Call) -> Row | None:
    """ssh-keygen, gpg, openssl: calls that ask for a passphrase or for input."""
    if has_input(call):
        return None
    if call.program == "ssh-keygen":
        short = short_flags(call, "tbfNCPmOIVnWYZa")
        return PERSON if not short & set("NlyRFHiepBDLAE") else None
    if call.program == "gpg":
        return PERSON if call.has_flag("--gen-key", "--full-generate-key", "--edit-key", "--full-gen-key") else None
    return PERSON if call.verb in {"s_client", "s_server"} else None


def classify_password_prompt(call: Call) -> Row | None:
    """passwd, su: ask for a password, unless their input comes from elsewhere."""
    return (
        None
        if call.producers or call.redirects or call.inner or call.has_flag("-S", "-l", "-c", "-d", "--status")
        else PERSON
    )


def classify_repl(call: Call) -> Row | None:
    return None if call.producers or call.redirects or call.args else PERSON


def classify_pager(call: Call) -> Row | None:
    """Without a terminal a pager only prints; with one it waits for keys."""
    if "+F" in call.args:
        return "force", "follow", "follows without end"
    if call.consumers or call.has_flag("-k", "-f", "-w", "-F", "-X", "--version", "-P"):
        return None
    if call.producers:
        return "suggest", "terminal", "is a pager; cat does the same without a terminal"
    return "force", "terminal", "is a pager; cat does the same without a terminal"


def classify_read(call: Call) -> Row | None:
    """`read -p` asks a person, unless its input comes from elsewhere or a loop reads lines."""
    if not call.has_flag("-p") or call.producers or call.redirects or call.place.loop or call.has_flag("-t", "-u"):
        return None
    return PERSON


def classify_telnet(call: Call) -> Row | None:
    return None if call.producers or call.redirects else PERSON
