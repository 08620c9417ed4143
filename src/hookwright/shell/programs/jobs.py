"""Training, data pipelines, media, load tests, archives and whole-disk work.

force    torchrun --nproc_per_node=8 train.py
force    dvc repro
none     dvc status
force    ffmpeg -i in.mov out.mp4
force    k6 run load.js
suggest  tar czf backup.tar.gz /srv/data
none     tar tzf backup.tar.gz
suggest  find / -name '*.pem'
none     find . -name '*.py'
"""

from __future__ import annotations

from hookwright.shell.programs import each, number, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

TRAINS: Row = ("force", "job", "trains or evaluates a model")
RUNS: Row = ("force", "job", "runs a pipeline over data")
MAYBE: Row = ("suggest", "job", "works over much data")
LOADS: Row = ("force", "job", "measures under load")
CONVERTS: Row = ("force", "job", "converts media")
SERVES: Row = ("force", "server", "starts a server that does not end")
PERSON: Row = ("force", "terminal", "waits for a person")
TESTS: Row = ("suggest", "test", "runs tests")
PACKS: Row = ("suggest", "job", "packs or unpacks files")


def launcher(call: Call) -> Row | None:
    """torchrun, accelerate, deepspeed, mpirun, srun."""
    if call.verb in {"config", "env", "test", "estimate-memory"}:
        return None
    return TRAINS


def slurm(call: Call) -> Row | None:
    """Sbatch only queues; srun waits."""
    if call.program == "sbatch":
        return ("force", "wait", "waits for its job") if call.has_flag("-W", "--wait") else None
    return PERSON if call.has_flag("--pty") or call.program == "salloc" else RUNS


def trainer(call: Call) -> Row | None:
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


PIPELINES = {
    "dvc": table(
        {RUNS: "repro, exp run, exp, experiments run", ("force", "transfer", "copies data"): "pull, push, fetch"}
    ),
    "dbt": table(
        {
            RUNS: "run, build, snapshot",
            TESTS: "test",
            MAYBE: "seed, compile, docs generate, freshness, source freshness, retry",
            ("suggest", "install", "downloads packages"): "deps",
            SERVES: "docs serve",
        }
    ),
    "kedro": table({RUNS: "run", SERVES: "viz, jupyter", TESTS: "test"}),
    "zenml": table({RUNS: "pipeline run", SERVES: "up"}),
    "nextflow": table({RUNS: "run", ("suggest", "download", "downloads a pipeline"): "pull"}),
    "flink": table({RUNS: "run"}),
    "hadoop": table({RUNS: "jar, distcp", MAYBE: "fs -put, fs -get"}),
    "scrapy": table({RUNS: "crawl, runspider", PERSON: "shell", MAYBE: "bench"}),
    "wandb": table({RUNS: "agent", SERVES: "server start, local", MAYBE: "sync"}),
    "sqlmesh": table({RUNS: "run, plan", SERVES: "ui"}),
    "optuna": table({RUNS: "study optimize"}),
    "spacy": table({TRAINS: "train, evaluate, pretrain", ("suggest", "download", "downloads a model"): "download"}),
}


def pipeline(call: Call) -> Row | None:
    from hookwright.shell.programs import looked_up

    return looked_up(call, PIPELINES[call.program], "--project-dir", "--profiles-dir", "-s", "--select")


def snakemake(call: Call) -> Row | None:
    return (
        None if call.has_flag("-n", "--dry-run", "--dag", "--lint", "-l", "--list", "--summary", "--unlock") else RUNS
    )


def spark(call: Call) -> Row | None:
    if call.program in {"pyspark", "spark-shell", "spark-sql"}:
        return RUNS if call.has_flag("-e", "-f") or call.redirects or call.producers else PERSON
    return RUNS


def ffmpeg(call: Call) -> Row | None:
    inputs = call.options("-i")
    if not inputs:
        return None
    if call.option("-frames:v", "-vframes") == "1" or call.words[-1] == inputs[-1]:
        return None  # one picture, or only information about the input
    if call.words[-1].endswith((".mp3", ".wav", ".ogg", ".m4a", ".flac", ".png", ".jpg", ".gif", ".webp")):
        return "suggest", "job", "converts sound or pictures"
    seconds = number(call.option("-t"))
    if call.option("-c", "-codec", "-acodec", "-vcodec") == "copy":
        return "suggest", "job", "copies media streams"
    return CONVERTS if seconds is None or seconds > 30 else ("none", "job", "converts a short piece")


FEW = 1000  # requests
MANY = 500_000


def load_test(call: Call) -> Row | None:
    """k6, wrk, ab, hey: their own words often tell how long."""
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
        from hookwright.shell.programs.containers import span

        seconds = span(text.lower())
        if seconds is not None:
            return seconds, "job", f"measures for {seconds:g} s"
    if call.program == "locust" and not call.has_flag("--headless"):
        return SERVES
    requests = number(call.option("-n", "-a", "--requests", "--amount"))
    if requests is not None and requests >= MANY:
        return LOADS
    if requests is not None and requests <= FEW:
        return "none", "job", "sends a few requests"
    return (
        ("suggest", "job", "sends many requests")
        if call.program in {"ab", "hey", "autocannon", "oha", "drill"}
        else LOADS
    )


def fuzzer(call: Call) -> Row | None:
    """AFL and its kin go on until somebody stops them, or for the seconds that they are given."""
    from hookwright.shell.programs.containers import span

    seconds = span(call.option("-V", "--run_time"))
    return ("force", "test", "fuzzes without end") if seconds is None else (seconds, "test", "fuzzes for that long")


def profiler(call: Call) -> Row | None:
    """py-spy, samply, rbspy: a record goes on until its program ends, or for the seconds that it is given."""
    if call.verb in {"dump", "report", "load", "import", "view", "export", "flamegraph", "summary", "stats", "tree"}:
        return None
    seconds = number(call.option("-d", "--duration"))
    if seconds is not None:
        return seconds, "job", f"measures for {seconds:g} s"
    return "force", "follow", "measures until its program ends"


def hyperfine(call: Call) -> Row | None:
    return "force", "job", "runs commands many times"


def stress(call: Call) -> Row | None:
    text = call.option("-t", "--timeout", "--time", "--runtime")
    if text is not None:
        from hookwright.shell.programs.containers import span

        seconds = span(text.lower())
        if seconds is not None:
            return seconds, "job", f"runs for {seconds:g} s"
    if call.program in {"sysbench", "fio"}:
        return LOADS if call.operands() or call.program == "fio" else None
    return LOADS


def tar(call: Call) -> Row | None:
    """Packing places outside of the project may take long; listing, unpacking and the project itself do not."""
    letters = call.args[0].lstrip("-") if call.args else ""
    packs = ("c" in letters and call.args[0][:2] != "--") or call.has_flag("-c", "--create")
    if not packs:
        return unpacked(call)
    operands = call.operands("-f", "-C", "--file", "--directory", "--exclude", "-X", "-T")
    places = [word for word in operands[1:] if word[:1] in {"/", "~", "$"} and not is_scratch(word)]
    if any(place.rstrip("/") in {"", "/home", "/Users", "/var", "~"} for place in places):
        return "force", "job", "packs a whole disk"
    return PACKS if places else None


def unpacked(call: Call) -> Row | None:
    """Data sets and backups are large; what comes with a project is not."""
    if any(
        word in {"t", "l", "-t", "-l", "-tf", "-Z", "-p"} or word[:3] in {"tzf", "tvf", "tjf"} for word in call.args
    ):
        return None
    from hookwright.shell.programs.names import parts
    from hookwright.shell.programs.transfers import ARCHIVES, DATA

    for word in call.operands():
        if word.endswith(tuple(ARCHIVES)) and not DATA.isdisjoint(parts(word)):
            return PACKS
    return None


def is_scratch(path: str) -> bool:
    return path.startswith(("/tmp", "/dev/", "/var/tmp"))  # noqa: S108  names to recognise, not to use


def packer(call: Call) -> Row | None:
    """7z, zip, xz over whole trees; a file or two is quick."""
    program = call.program
    if program != "zip" and program != "unzip" and call.verb in {"x", "e"}:
        return PACKS  # what is packed so is seldom small
    if program == "unzip" or call.verb in {"x", "e"}:
        return unpacked(call)
    if program == "zip":
        places = [word for word in call.operands()[1:] if word[:1] in {"/", "~"}]
        return PACKS if places and call.has_flag("-r") else None
    if program in {"7z", "7za", "7zz", "rar"}:
        return (
            PACKS if call.verb in {"a", "u"} and any(word[:1] in {"/", "~"} for word in call.operands()[1:]) else None
        )
    return None


def dd(call: Call) -> Row | None:
    """Block size times count; without a count it is as long as its input."""
    given = {word.partition("=")[0]: word.partition("=")[2] for word in call.args}
    size = amount(given.get("bs", "512"))
    count = amount(given.get("count", ""))
    if count is None or size is None:
        ends = given.get("if", ""), given.get("of", "")
        if any(end.startswith(("/dev/sd", "/dev/nvme", "/dev/disk", "/dev/rdisk", "/dev/mmcblk")) for end in ends):
            return "force", "job", "copies a whole disk"
        return MAYBE if any(end.startswith("/dev/") for end in ends) else None
    total = size * count
    return None if total < 1 << 31 else MAYBE if total < 10 << 30 else ("force", "job", "writes many gigabytes")


def amount(text: str) -> float | None:
    """1M, 512, 4k, 1GiB."""
    units = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40, "c": 1, "w": 2, "b": 512}
    digits = text.rstrip("iBkKmMgGtTcwb")
    unit = text[len(digits) : len(digits) + 1].lower()
    value = number(digits)
    return None if value is None else value * units.get(unit, 1)


def over_root(call: Call) -> Row | None:
    """Find and du: quick inside a project, long over a whole disk."""
    places = call.operands() if call.program == "du" else starts(call)
    if any(place[:1] in {"/", "~"} and place.rstrip("*").rstrip("/") in ROOTS for place in places):
        if call.option("-maxdepth") in {"0", "1", "2"} or (
            call.option("-d", "--max-depth") == "0" and call.program == "find"
        ):
            return None
        if call.inner:
            return "force", "job", "runs a command for many files of a whole disk"
        return "suggest", "job", "walks over a whole disk"
    return None


def starts(call: Call) -> list[str]:
    """The folders in front of find's first condition."""
    places: list[str] = []
    for word in call.args:
        if word in {"-H", "-L", "-P"}:
            continue
        if word[:1] in {"-", "(", "!"}:
            break
        places.append(word)
    return places


def media(call: Call) -> Row | None:
    """whisper, demucs, blender in the background: long work on one file."""
    if call.program == "blender":
        return CONVERTS if call.has_flag("-b", "--background") else PERSON
    return "force", "job", "works on media with a model"


def evaluator(call: Call) -> Row | None:
    if call.verb in {"ls", "view", "list", "init", "share", "cache"}:
        return SERVES if call.verb == "view" else None
    return TRAINS


def disk(call: Call) -> Row | None:
    if call.has_flag("-n", "--help", "--version"):
        return None
    whole = any(word[:1] == "/" and (word[:5] == "/dev/" or word.rstrip("/") in ROOTS) for word in call.operands())
    return ("force", "job", "works over a whole disk") if whole else MAYBE


ROOTS = frozenset(("", "/home", "/System", "/Users", "~", "/var", "/mnt", "/media", "/srv", "/data", "/Volumes"))


def matlab(call: Call) -> Row | None:
    if call.has_flag("--eval"):
        return None
    return MAYBE if call.has_flag("-batch", "-r") or call.operands() else PERSON


PROGRAMS: dict[str, Handler] = {
    **each(
        "torchrun accelerate deepspeed horovodrun mpirun mpiexec torch.distributed.launch torch.distributed.run "
        "colossalai fairseq-train fairseq-generate nnUNetv2_train",
        launcher,
    ),
    **each("srun sbatch salloc bsub", slurm),
    **each("yolo autotrain llamafactory-cli axolotl tune mim ludwig lightning", trainer),
    **each("dvc dbt kedro zenml nextflow flink hadoop scrapy wandb optuna spacy", pipeline),
    "snakemake": snakemake,
    **each("spark-submit pyspark spark-shell spark-sql", spark),
    **each("papermill luigi cromwell cwltool hive", RUNS),
    "ffmpeg": ffmpeg,
    **each("HandBrakeCLI handbrakecli", CONVERTS),
    **each("whisper whisperx demucs blender ocrmypdf", media),
    **each(
        "k6 wrk wrk2 ab hey vegeta siege artillery locust jmeter gatling gatling.sh oha bombardier autocannon tsung",
        load_test,
    ),
    "hyperfine": hyperfine,
    **each("py-spy samply rbspy austin clinic 0x asprof", profiler),
    "asv": table({LOADS: "run, continuous, profile", SERVES: "preview"}),
    **each("sitespeed.io unlighthouse", LOADS),
    **each("afl-fuzz honggfuzz", fuzzer),
    **each("stress stress-ng sysbench fio", stress),
    **each("tar gtar", tar),
    **each("zip unzip 7z 7za 7zz rar", packer),
    "dd": dd,
    **each("ddrescue badblocks fsck e2fsck clamscan freshclam updatedb fdupes rdfind", disk),
    **each("find gfind du", over_root),
    **each("lm_eval lm-eval promptfoo", evaluator),
    **each("matlab octave", matlab),
    **each("bwa bowtie2 STAR blastn blastp gatk salmon kallisto gmx lmp fastqc", RUNS),
}
