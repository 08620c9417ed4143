"""You decide which machines Claude talks to.

Reads where curl, wget, ssh, scp, rsync, `git clone` and WebFetch go; hosts on your list pass in silence, others ask.
In runs without a person (`claude -p`) a question is a refusal.

    [ask_before_network]
    hosts = ["github.com", "pypi.org", "internal.example"]
"""

from hookwright import Call, Decision, Hook, PreToolUse, ask, calls, option

FETCH = ("curl", "wget", "aria2c")
LOG_IN = ("ssh", "sftp", "mosh", "telnet", "nc", "ftp")
COPY = ("scp", "rsync")
# Options whose value is the next word, so that it is not taken for a machine.
FETCH_VALUED = ("-o", "-H", "-X", "-d", "-u", "-A", "-T", "-F", "-e", "-b", "-x", "-m", "-w", "--data", "--output")
OTHERS_VALUED = ("-p", "-P", "-i", "-l", "-o", "-F", "-J", "-L", "-R", "-D", "-e", "-c", "-b", "-w")
HERE = ("localhost", "127.0.0.1", "[")  # "[" begins an address such as [::1]


class AskBeforeNetwork(Hook):
    """Ask before a machine that is not on the list."""

    on = (PreToolUse, "Bash", "WebFetch")
    failure = "ask"
    hosts = option(("github.com", "pypi.org", "registry.npmjs.org"), help="Hosts that are fine, their subdomains too.")

    def decide(self, event: PreToolUse) -> Decision | None:
        if event.tool_name == "WebFetch":
            targets = [event.tool_input.get("url", "")]
        else:
            targets = [word for call in calls(event) for word in targets_of(call)]
        for target in targets:
            if not getattr(target, "literal", True):
                return ask(f"this talks to {target}, and only the running command knows which machine that is")
            host = host_of(target)
            if host and host not in HERE and not any(host == fine or host.endswith(f".{fine}") for fine in self.hosts):
                return ask(f"this talks to {host}; to be asked no more, add it to hosts in [ask_before_network]")
        return None


def targets_of(call: Call) -> tuple[str, ...]:
    """The words that name another machine."""
    if call.program in FETCH:
        return tuple(word for word in call.args if "://" in word) or tuple(call.operands(*FETCH_VALUED)[-1:])
    given = call.operands(*OTHERS_VALUED)
    if call.program in LOG_IN:
        return tuple(given[:1])
    if call.program in COPY:
        return tuple(word for word in given if ":" in word.partition("/")[0])
    return tuple(given[1:2]) if call.is_("git", "clone") else ()


def host_of(target: str) -> str:
    """ann@host:path, https://user@host:1/x, host/x → host"""
    place = target.partition("://")[2] or target
    return place.split("/")[0].rpartition("@")[2].partition(":")[0].lower()
