"""Programs that show what happens until stopped: tail -f, journalctl -f, ping, top, tcpdump, …

The programs and their tables are in followers.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import args_after, has_input, parse_number, short_flags
from hookwright.shell.programs.followers_table import FOLLOWS, MONITORS, SCREEN

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_tail(call: Call) -> Row | None:
    for word in call.args:
        if word[:1] != "-" or word[:2] == "--":
            if word.startswith("--follow") or word == "--retry":
                return classify_follow_end(call) or FOLLOWS
        elif ("f" in word or "F" in word) and not word.startswith(("-c", "-b")):
            return classify_follow_end(call) or FOLLOWS
    return None


def classify_follow_end(call: Call) -> Row | None:
    """`| head -5`, `| grep -m1` and `--pid` end a follower after enough output or with a process."""
    if call.has_flag("--pid"):
        return "force", "wait", "follows until a process ends"
    for consumer in call.consumers:
        if consumer.program == "head" or (
            consumer.program in {"grep", "rg", "egrep"} and consumer.has_flag("-m", "-q")
        ):
            return "suggest", "follow", "follows until enough has come"
    return None


def classify_follow_flag(call: Call) -> Row | None:
    """journalctl, dmesg, adb logcat and the like: -f, -w, --follow."""
    short = short_flags(call, "nuptMFosSU")
    follows = (
        "f" in short or (call.program == "dmesg" and short & {"w", "W"}) or call.has_flag("--follow", "--follow-new")
    )
    return (classify_follow_end(call) or FOLLOWS) if follows else None


def classify_adb(call: Call) -> Row | None:
    if "logcat" in call.words:
        return (
            None if call.has_flag("-d", "-c", "-g", "-t", "--clear", "-m") else (classify_follow_end(call) or FOLLOWS)
        )
    if "shell" in call.words and len(call.operands("-s")) == 1:
        return SCREEN
    return (
        ("suggest", "transfer", "copies to or from a device")
        if call.verb in {"install", "push", "pull", "backup"}
        else (("force", "wait", "waits for a device") if call.verb.startswith("wait-for") else None)
    )


def classify_xcrun(call: Call) -> Row | None:
    return FOLLOWS if "log" in call.words and "stream" in call.words else None


def classify_ping(call: Call) -> Row | None:
    limit = parse_number(call.option("-w", "-t" if call.program != "ping" else "-w", "--deadline"))
    count = parse_number(call.option("-c", "-n" if call.program == "gping" else "-c", "--count"))
    if count is None and call.program == "ping":
        count = parse_number(next(iter(args_after(call, "-n")), None))  # Windows counts with it, else it is a switch
    pause = parse_number(call.option("-i", "--interval")) or 1.0
    if count is None and limit is None:
        return classify_limited_pipeline(call) or ("force", "follow", "pings without end")
    seconds = min(count * pause if count is not None else limit or 0.0, limit if limit is not None else 1e9)
    return seconds, "follow", f"pings for {seconds:g} s"


def classify_limited_pipeline(call: Call) -> Row | None:
    """The row of an endless producer whose consumer stops after some lines: `yes | head`."""
    for consumer in call.consumers:
        if consumer.program in {"head", "ghead"} and (consumer.option("-c", "--bytes") or "")[-1:] in {"G", "T"}:
            return None
        if consumer.program in {"head", "ghead"} or (consumer.program == "sed" and "q" in consumer.text):
            return "none", "follow", "ends with the next stage of the pipeline"
    return None


def classify_intervals(call: Call) -> Row | None:
    """`vmstat 1 5`: an interval and a count; without a count it does not end."""
    numbers = [float(word) for word in call.operands("-p", "-P") if parse_number(word)]
    if not numbers:
        return None
    if len(numbers) == 1:
        return classify_limited_pipeline(call) or MONITORS
    return numbers[0] * numbers[1], "follow", f"shows figures for {numbers[0] * numbers[1]:g} s"


def classify_top(call: Call) -> Row | None:
    """top, htop, atop, …: need a terminal, unless they print a number of rounds."""
    if call.has_flag("-b", "--batch", "-l", "-n", "--stdout", "--once", "-1") or parse_clustered_count(call.args):
        count = parse_number(call.option("-n", "-l", "--iterations")) or parse_clustered_count(call.args)
        if call.program in {"top", "atop", "iotop"} and count is None and not classify_limited_pipeline(call):
            return MONITORS
        pause = parse_number(call.option("-d", "-s")) or (3.0 if call.program == "top" else 1.0)
        return None if not count or count < 3 else (count * pause, "follow", "shows figures for some rounds")
    return SCREEN


def parse_clustered_count(words: Sequence[str]) -> float | None:
    """The count in `-bn1`."""
    for word in words:
        if word[:1] == "-" and word[-1:].isdigit() and ("n" in word or "l" in word):
            return parse_number(word.rpartition("n" if "n" in word else "l")[2])
    return None


def classify_capture(call: Call) -> Row | None:
    if call.has_flag("-c", "-r", "-D", "-G", "-a", "--list-interfaces", "-d") or call.option("-c", "-r", "-W"):
        return None
    return classify_limited_pipeline(call) or ("force", "follow", "captures without end")


def classify_gpu(call: Call) -> Row | None:
    """nvidia-smi prints once; with -l or dmon it does not end."""
    for word in call.args:
        if word in {"dmon", "pmon", "-l", "-lms"} or word.startswith(("--loop", "-l=", "-lms=")):
            return MONITORS
    if call.program == "gpustat":
        return MONITORS if call.has_flag("-i", "--interval", "--watch") else None
    return SCREEN if call.program in {"nvtop", "radeontop"} else None


def classify_perf(call: Call) -> Row | None:
    if call.verb in {"top", "trace"}:
        return SCREEN
    return (
        FOLLOWS if call.verb in {"record", "stat"} and call.has_flag("-p", "-a") and "sleep" not in call.words else None
    )


def classify_subscriber(call: Call) -> Row | None:
    if call.program == "mosquitto_sub":
        return None if call.has_flag("-C", "-W", "-E") else FOLLOWS
    if call.program == "nats":
        return (
            FOLLOWS if call.verb in {"sub", "subscribe", "reply", "events"} and not call.has_flag("--count") else None
        )
    return FOLLOWS


def classify_redis(call: Call) -> Row | None:
    operands = [
        word.lower() for word in call.operands("-h", "-p", "-a", "-n", "-u", "-s", "-r", "-i", "--user", "--pass")
    ]
    if operands:
        return FOLLOWS if operands[0] in {"monitor", "subscribe", "psubscribe", "ssubscribe"} else None
    if call.has_flag("--latency", "--stat", "--latency-history", "--intrinsic-latency"):
        return MONITORS
    if call.has_flag("--bigkeys", "--memkeys", "--hotkeys", "--scan", "--rdb", "--pipe", "--eval", "--cluster", "-x"):
        return ("suggest", "database", "walks over all keys") if not call.has_flag("--scan", "--eval", "-x") else None
    return None if has_input(call) else ("force", "terminal", "waits for a person")


def classify_yes(call: Call) -> Row | None:
    """`yes | program` ends with the program."""
    if call.consumers and call.consumers[-1].program not in {"head", "ghead"}:
        return None
    return classify_limited_pipeline(call) or ("force", "follow", "prints very much")


def classify_monitor(call: Call) -> Row | None:
    return FOLLOWS if call.has_flag("--monitor", "-m", "monitor") or "monitor" in call.words else None
