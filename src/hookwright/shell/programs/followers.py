"""Programs that show what happens until somebody stops them: tail -f, journalctl -f, ping, top, tcpdump, …

force    tail -f logs/app.log
none     tail -n 100 app.log
force    journalctl -u nginx -f
none     journalctl -n 50
force    ping example.com
none     ping -c 3 example.com
force    ping -c 100 example.com
none     vmstat 1 5
force    vmstat 1
none     top -b -n 1
none     yes | head -3
"""

from __future__ import annotations

from hookwright.shell.programs import each, is_fed, letters, number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

FOLLOWS: Row = ("force", "follow", "follows without end")
MONITORS: Row = ("force", "follow", "shows figures without end")
SCREEN: Row = ("force", "terminal", "needs a terminal")


def tail(call: Call) -> Row | None:
    for word in call.args:
        if word[:1] != "-" or word[:2] == "--":
            if word.startswith("--follow") or word == "--retry":
                return ended(call) or FOLLOWS
        elif ("f" in word or "F" in word) and not word.startswith(("-c", "-b")):
            return ended(call) or FOLLOWS
    return None


def ended(call: Call) -> Row | None:
    """`| head -5`, `| grep -m1` and `--pid` end what follows, as soon as enough has come."""
    if call.has_flag("--pid"):
        return "force", "wait", "follows until a process ends"
    for consumer in call.consumers:
        if consumer.program == "head" or (
            consumer.program in {"grep", "rg", "egrep"} and consumer.has_flag("-m", "-q")
        ):
            return "suggest", "follow", "follows until enough has come"
    return None


def with_follow(call: Call) -> Row | None:
    """journalctl, dmesg, adb logcat and the like: -f, -w, --follow."""
    short = letters(call, "nuptMFosSU")
    follows = (
        "f" in short or (call.program == "dmesg" and short & {"w", "W"}) or call.has_flag("--follow", "--follow-new")
    )
    return (ended(call) or FOLLOWS) if follows else None


def logcat(call: Call) -> Row | None:
    if "logcat" in call.words:
        return None if call.has_flag("-d", "-c", "-g", "-t", "--clear", "-m") else (ended(call) or FOLLOWS)
    if "shell" in call.words and len(call.operands("-s")) == 1:
        return SCREEN
    return (
        ("suggest", "transfer", "copies to or from a device")
        if call.verb in {"install", "push", "pull", "backup"}
        else (("force", "wait", "waits for a device") if call.verb.startswith("wait-for") else None)
    )


def apple_log(call: Call) -> Row | None:
    return FOLLOWS if call.verb == "stream" else None


def simulator(call: Call) -> Row | None:
    return FOLLOWS if "log" in call.words and "stream" in call.words else None


def ping(call: Call) -> Row | None:
    limit = number(call.option("-w", "-t" if call.program != "ping" else "-w", "--deadline"))
    count = number(call.option("-c", "-n" if call.program == "gping" else "-c", "--count"))
    pause = number(call.option("-i", "--interval")) or 1.0
    if count is None and limit is None:
        return enough(call) or ("force", "follow", "pings without end")
    seconds = min(count * pause if count is not None else limit or 0.0, limit if limit is not None else 1e9)
    return seconds, "follow", f"pings for {seconds:g} s"


def enough(call: Call) -> Row | None:
    """Endless, but the next stage takes only some lines, which come at once."""
    for consumer in call.consumers:
        if consumer.program in {"head", "ghead"} and (consumer.option("-c", "--bytes") or "")[-1:] in {"G", "T"}:
            return None
        if consumer.program in {"head", "ghead"} or (consumer.program == "sed" and "q" in consumer.text):
            return "none", "follow", "ends with the next stage of the pipeline"
    return None


def intervals(call: Call) -> Row | None:
    """Vmstat 1 5: an interval and a count; without a count it does not end."""
    numbers = [float(word) for word in call.operands("-p", "-P") if number(word)]
    if not numbers:
        return None
    if len(numbers) == 1:
        return enough(call) or MONITORS
    return numbers[0] * numbers[1], "follow", f"shows figures for {numbers[0] * numbers[1]:g} s"


def screen(call: Call) -> Row | None:
    """Top and its kin, unless they print a number of rounds."""
    if call.has_flag("-b", "--batch", "-l", "-n", "--stdout", "--once", "-1") or clustered(call.args):
        count = number(call.option("-n", "-l", "--iterations")) or clustered(call.args)
        if call.program in {"top", "atop", "iotop"} and count is None and not enough(call):
            return MONITORS
        pause = number(call.option("-d", "-s")) or (3.0 if call.program == "top" else 1.0)
        return None if not count or count < 3 else (count * pause, "follow", "shows figures for some rounds")
    return SCREEN


def clustered(words: Sequence[str]) -> float | None:
    """The count in `-bn1`."""
    for word in words:
        if word[:1] == "-" and word[-1:].isdigit() and ("n" in word or "l" in word):
            return number(word.rpartition("n" if "n" in word else "l")[2])
    return None


def capture(call: Call) -> Row | None:
    if call.has_flag("-c", "-r", "-D", "-G", "-a", "--list-interfaces", "-d") or call.option("-c", "-r", "-W"):
        return None
    return enough(call) or ("force", "follow", "captures without end")


def mtr(call: Call) -> Row | None:
    return None if call.has_flag("-r", "--report", "-w", "--report-wide", "-c", "--json", "--csv") else SCREEN


def gpu(call: Call) -> Row | None:
    """nvidia-smi is a snapshot, with -l or dmon it goes on."""
    for word in call.args:
        if word in {"dmon", "pmon", "-l", "-lms"} or word.startswith(("--loop", "-l=", "-lms=")):
            return MONITORS
    if call.program == "gpustat":
        return MONITORS if call.has_flag("-i", "--interval", "--watch") else None
    return SCREEN if call.program in {"nvtop", "radeontop"} else None


def trace(call: Call) -> Row | None:
    """Attached to a running process it goes on as long as that does."""
    return FOLLOWS if call.has_flag("-p", "--attach") else None


def perf(call: Call) -> Row | None:
    if call.verb in {"top", "trace"}:
        return SCREEN
    return (
        FOLLOWS if call.verb in {"record", "stat"} and call.has_flag("-p", "-a") and "sleep" not in call.words else None
    )


def subscriber(call: Call) -> Row | None:
    if call.program == "mosquitto_sub":
        return None if call.has_flag("-C", "-W", "-E") else FOLLOWS
    if call.program == "nats":
        return (
            FOLLOWS if call.verb in {"sub", "subscribe", "reply", "events"} and not call.has_flag("--count") else None
        )
    return FOLLOWS


def redis(call: Call) -> Row | None:
    operands = [
        word.lower() for word in call.operands("-h", "-p", "-a", "-n", "-u", "-s", "-r", "-i", "--user", "--pass")
    ]
    if operands:
        return FOLLOWS if operands[0] in {"monitor", "subscribe", "psubscribe", "ssubscribe"} else None
    if call.has_flag("--latency", "--stat", "--latency-history", "--intrinsic-latency"):
        return MONITORS
    if call.has_flag("--bigkeys", "--memkeys", "--hotkeys", "--scan", "--rdb", "--pipe", "--eval", "--cluster", "-x"):
        return ("suggest", "database", "walks over all keys") if not call.has_flag("--scan", "--eval", "-x") else None
    return None if is_fed(call) else ("force", "terminal", "waits for a person")


def yes(call: Call) -> Row | None:
    """Ends with the program that it answers."""
    if call.consumers and call.consumers[-1].program not in {"head", "ghead"}:
        return None
    return enough(call) or ("force", "follow", "prints very much")


def sessions(call: Call) -> Row | None:
    return FOLLOWS if call.has_flag("--monitor", "-m", "monitor") or "monitor" in call.words else None


PROGRAMS: dict[str, Handler] = {
    **each("tail gtail", tail),
    **each("journalctl dmesg", with_follow),
    "adb": logcat,
    "log": apple_log,
    "xcrun": simulator,
    **each("stern kail kubetail", FOLLOWS),
    **each("multitail lnav nmon iftop bmon nethogs slabtop powertop btop gotop bpytop ctop bashtop", SCREEN),
    **each("ping ping6 gping fping", ping),
    "mtr": mtr,
    **each("tcpdump ngrep tshark", capture),
    **each("top htop atop glances iotop", screen),
    **each("vmstat iostat mpstat pidstat sar dstat", intervals),
    **each("nvidia-smi nvtop gpustat radeontop", gpu),
    **each("strace ltrace dtruss", trace),
    **each("bpftrace fs_usage xev evtest", FOLLOWS),
    **each("dbus-monitor udevadm", sessions),
    "perf": perf,
    **each("mosquitto_sub nats wscat websocat", subscriber),
    "redis-cli": redis,
    "yes": yes,
}
