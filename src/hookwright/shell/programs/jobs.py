"""Training, data pipelines, media, load tests, archives and whole-disk work.

The programs and their tables are in jobs.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import parse_number
from hookwright.shell.programs.jobs_table import CONVERTS, LOADS, MAYBE, PACKS, PERSON, RUNS, SERVES, TRAINS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_trainer(call: Call) -> Row | None:
    operands = call.operands()
    if not operands:
        return None
    if call.has_flag("--train"):
        return TRAINS
    if operands[0] in {"download", "pull"}:
        return "force", "download", "downloads a model"
    for word in operands[:3]:
        low = word.lower()
        if low.startswith(
            ("train", "finetune", "tune", "run", "eval", "predict", "val", "export", "pretrain", "benchmark", "test")
        ):
            return TRAINS
    return None


def classify_spark(call: Call) -> Row | None:
    if call.program in {"pyspark", "spark-shell", "spark-sql"}:
        return RUNS if call.has_flag("-e", "-f") or call.redirects or call.producers else PERSON
    return RUNS


def classify_ffmpeg(call: Call) -> Row | None:
    inputs = call.options("-i")
    if not inputs:
        return None
    if call.option("-frames:v", "-vframes") == "1" or call.words[-1] == inputs[-1]:
        return None  # one picture, or only information about the input
    if call.words[-1].endswith((".mp3", ".wav", ".ogg", ".m4a", ".flac", ".png", ".jpg", ".gif", ".webp")):
        return "suggest", "job", "converts sound or pictures"
    seconds = parse_number(call.option("-t"))
    if call.option("-c", "-codec", "-acodec", "-vcodec") == "copy":
        return "suggest", "job", "copies media streams"
    return CONVERTS if seconds is None or seconds > 30 else ("none", "job", "converts a short piece")


FEW = 1000  # requests that a load test sends quickly
MANY = 500_000


def classify_load_test(call: Call) -> Row | None:
    """k6, wrk, ab, hey: their options often say how long."""
    if call.program in {"k6", "artillery", "vegeta", "jmeter"} and call.verb in {
        "inspect",
        "version",
        "report",
        "quick-check",
        "archive",
    }:
        return None
    text = call.option(
        "-d", "--duration", "-z", "-duration", "--run-time", "-t" if call.program in {"siege", "locust"} else "-z"
    )
    if text is not None:
        from hookwright.shell.programs.containers import parse_timespan

        seconds = parse_timespan(text.lower())
        if seconds is not None:
            return seconds, "job", f"measures for {seconds:g} s"
    if call.program == "locust" and not call.has_flag("--headless"):
        return SERVES
    requests = parse_number(call.option("-n", "-a", "--requests", "--amount"))
    if requests is not None and requests >= MANY:
        return LOADS
    if requests is not None and requests <= FEW:
        return "none", "job", "sends a few requests"
    return (
        ("suggest", "job", "sends many requests")
        if call.program in {"ab", "hey", "autocannon", "oha", "drill"}
        else LOADS
    )


def classify_fuzzer(call: Call) -> Row | None:
    """AFL, honggfuzz: endless, or for the given seconds."""
    from hookwright.shell.programs.containers import parse_timespan

    seconds = parse_timespan(call.option("-V", "--run_time"))
    return ("force", "test", "fuzzes without end") if seconds is None else (seconds, "test", "fuzzes for that long")


def classify_profiler(call: Call) -> Row | None:
    """py-spy, samply, rbspy: recording ends with the profiled program, or after the given seconds."""
    if call.verb in {"dump", "report", "load", "import", "view", "export", "flamegraph", "summary", "stats", "tree"}:
        return None
    seconds = parse_number(call.option("-d", "--duration"))
    if seconds is not None:
        return seconds, "job", f"measures for {seconds:g} s"
    return "force", "follow", "measures until its program ends"


def classify_stress(call: Call) -> Row | None:
    text = call.option("-t", "--timeout", "--time", "--runtime")
    if text is not None:
        from hookwright.shell.programs.containers import parse_timespan

        seconds = parse_timespan(text.lower())
        if seconds is not None:
            return seconds, "job", f"runs for {seconds:g} s"
    if call.program in {"sysbench", "fio"}:
        return LOADS if call.operands() or call.program == "fio" else None
    return LOADS


def classify_tar(call: Call) -> Row | None:
    """Packing folders outside of the project may take long; listing, unpacking and the project itself do not."""
    letters = call.args[0].lstrip("-") if call.args else ""
    packs = ("c" in letters and call.args[0][:2] != "--") or call.has_flag("-c", "--create")
    if not packs:
        return classify_unpack(call)
    operands = call.operands("-f", "-C", "--file", "--directory", "--exclude", "-X", "-T")
    places = [word for word in operands[1:] if word[:1] in {"/", "~", "$"} and not is_scratch(word)]
    if any(place.rstrip("/") in {"", "/home", "/Users", "/var", "~"} for place in places):
        return "force", "job", "packs a whole disk"
    return PACKS if places else None


def classify_unpack(call: Call) -> Row | None:
    """Data sets and backups are large; what comes with a project is not."""
    if any(
        word in {"t", "l", "-t", "-l", "-tf", "-Z", "-p"} or word[:3] in {"tzf", "tvf", "tjf"} for word in call.args
    ):
        return None
    from hookwright.shell.programs.name_hints import split_name
    from hookwright.shell.programs.transfers_table import ARCHIVES, DATA

    for word in call.operands():
        if word.endswith(tuple(ARCHIVES)) and not DATA.isdisjoint(split_name(word)):
            return PACKS
    return None


def is_scratch(path: str) -> bool:
    return path.startswith(("/tmp", "/dev/", "/var/tmp"))  # noqa: S108  names to recognise, not to use


def classify_archiver(call: Call) -> Row | None:
    """7z, zip, xz over whole trees; a file or two is quick."""
    program = call.program
    if program != "zip" and program != "unzip" and call.verb in {"x", "e"}:
        return PACKS  # such archives are rarely small
    if program == "unzip" or call.verb in {"x", "e"}:
        return classify_unpack(call)
    if program == "zip":
        places = [word for word in call.operands()[1:] if word[:1] in {"/", "~"}]
        return PACKS if places and call.has_flag("-r") else None
    if program in {"7z", "7za", "7zz", "rar"}:
        return (
            PACKS if call.verb in {"a", "u"} and any(word[:1] in {"/", "~"} for word in call.operands()[1:]) else None
        )
    return None


def classify_dd(call: Call) -> Row | None:
    """Block size times count; without a count it is as long as its input."""
    given = {word.partition("=")[0]: word.partition("=")[2] for word in call.args}
    size = parse_size(given.get("bs", "512"))
    count = parse_size(given.get("count", ""))
    if count is None or size is None:
        ends = given.get("if", ""), given.get("of", "")
        if any(end.startswith(("/dev/sd", "/dev/nvme", "/dev/disk", "/dev/rdisk", "/dev/mmcblk")) for end in ends):
            return "force", "job", "copies a whole disk"
        return MAYBE if any(end.startswith("/dev/") for end in ends) else None
    total = size * count
    return None if total < 1 << 31 else MAYBE if total < 10 << 30 else ("force", "job", "writes many gigabytes")


def parse_size(text: str) -> float | None:
    """1M, 512, 4k, 1GiB."""
    units = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "c": 1, "w": 2, "b": 512}
    digits = text.rstrip("iBkKmMgGtTcwb")
    unit = text[len(digits) : len(digits) + 1].lower()
    value = parse_number(digits)
    return None if value is None else value * units.get(unit, 1)


def classify_disk_walk(call: Call) -> Row | None:
    """Find and du: quick inside a project, long over a whole disk."""
    places = call.operands() if call.program == "du" else list_find_roots(call)
    if any(place[:1] in {"/", "~"} and place.rstrip("*").rstrip("/") in ROOTS for place in places):
        if call.option("-maxdepth") in {"0", "1", "2"} or (
            call.option("-d", "--max-depth") == "0" and call.program == "find"
        ):
            return None
        if call.inner:
            return "force", "job", "runs a command for many files of a whole disk"
        return "suggest", "job", "walks over a whole disk"
    return None


def list_find_roots(call: Call) -> list[str]:
    """The folders in front of find's first condition."""
    places: list[str] = []
    for word in call.args:
        if word in {"-H", "-L", "-P"}:
            continue
        if word[:1] in {"-", "(", "!"}:
            break
        places.append(word)
    return places


def classify_disk(call: Call) -> Row | None:
    if call.has_flag("-n", "--help", "--version"):
        return None
    whole = any(word[:1] == "/" and (word[:5] == "/dev/" or word.rstrip("/") in ROOTS) for word in call.operands())
    return ("force", "job", "works over a whole disk") if whole else MAYBE


ROOTS = frozenset(("", "/home", "/System", "/Users", "~", "/var", "/mnt", "/media", "/srv", "/data", "/Volumes"))
