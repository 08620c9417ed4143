"""Downloads, uploads and copies over a network: wget, curl of archives, rsync, scp, rclone, model hubs.

suggest  wget https://example.com/data.tar.gz
suggest  curl -LO https://example.com/release.zip
none     curl -s http://localhost:3000/health
force    curl -N http://localhost:8000/events
none     curl --max-time 5 https://example.com/data.zip
suggest  rsync -av src/ host:/srv/app
none     rsync --dry-run -av a/ b/
force    huggingface-cli download meta-llama/Llama-3-8B
"""

from __future__ import annotations

from hookwright.shell.programs import each, is_fed, letters, looked_up, number, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

DOWNLOADS: Row = ("suggest", "download", "downloads a file")
LARGE: Row = ("force", "download", "downloads much")
COPIES: Row = ("suggest", "transfer", "copies over the network")
SYNCS: Row = ("force", "transfer", "copies much over the network")
STREAMS: Row = ("force", "follow", "reads a stream that does not end")

# Endings of what is worth a note when it is downloaded.
ARCHIVES = (
    ".tar .tar.gz .tgz .tar.xz .txz .tar.bz2 .tbz2 .tar.zst .zip .gz .xz .bz2 .zst .7z .rar .iso .img .deb .rpm "
    ".dmg .pkg .exe .msi .apk .ipa .jar .war .whl .bin .safetensors .gguf .ggml .pt .pth .ckpt .onnx .h5 .parquet "
    ".csv.gz .sqlite .db .dump .mp4 .mkv .mov .qcow2 .vmdk .ova .vdi .tar.lz4 .pdf.gz .sql.gz .pkl .npz .tfrecord"
).split()
BRIEF = 30.0  # seconds of --max-time that bound a transfer


# What is large by its ending, or by a word of its address.
DISKS = (
    ".iso",
    ".img",
    ".safetensors",
    ".gguf",
    ".ggml",
    ".ckpt",
    ".pth",
    ".parquet",
    ".qcow2",
    ".vmdk",
    ".ova",
    ".vdi",
    ".tfrecord",
)
DATA = frozenset(
    "dataset datasets imagenet coco train weights checkpoint checkpoints corpus dump dumps wikipedia wiki laion "
    "llama backup snapshot snapshots commoncrawl genome".split()
)


def sized(url: str) -> Row:
    from hookwright.shell.programs.names import parts

    path = (url.partition("://")[2] or url).partition("?")[0].lower()
    return LARGE if path.endswith(DISKS) or not DATA.isdisjoint(parts(path)) else DOWNLOADS


def archive(url: str) -> bool:
    path = url.partition("?")[0].partition("#")[0].lower()
    return path.endswith(tuple(ARCHIVES))


def curl(call: Call) -> Row | None:
    limit = number(call.option("-m", "--max-time"))
    if limit is not None and limit <= BRIEF:
        return "none", "download", f"bounded by --max-time {limit:g}"
    short = letters(call, "XHdoubAceFmTwxEKCDPQrtYyzU")
    if "I" in short or call.has_flag("--head"):
        return None
    if "N" in short or call.has_flag("--no-buffer"):
        return STREAMS
    if "T" in short or call.has_flag("--upload-file"):
        return COPIES
    words = call.args
    named = [word for word in call.options("-o", "--output", "--url") if word != "/dev/null"]
    for word in [*words, *named]:
        if word[:1] != "-" and archive(word):
            return sized(word)
    # A name taken from the address is a download; a page, a script or an API's answer with -o is small.
    if "O" in short or call.has_flag("--remote-name", "--remote-name-all"):
        return None if all(small(word) for word in words if "://" in word) else DOWNLOADS
    return None


def small(url: str) -> bool:
    name = url.partition("?")[0].rpartition("/")[2]
    return name.endswith(
        (
            *(".sh", ".json", ".txt", ".yml", ".yaml", ".py", ".md", ".html", ".xml", ".css", ".js", ".toml"),
            *(".conf", ".ini", ".env", ".pem", ".pub", ".crt", ".service", ".ts", ".rb", ".php", ".go", ".log"),
        )
    )


def wget(call: Call) -> Row | None:
    if call.has_flag("--spider"):
        return None
    short = letters(call, "OoPtTaeUQlDIXAR")
    if "b" in short or call.has_flag("--background"):
        return "none", "download", "goes to the background by itself"
    if short & {"m", "r", "i"} or call.has_flag("--mirror", "--recursive", "--input-file"):
        return LARGE
    if "O" in short or call.has_flag("--output-document"):
        urls = call.operands("-O", "-o", "-P", "-t", "-T", "-a", "-e", "-U", "-qO", "--output-document", "--header")
        if urls and not any(archive(url) for url in urls):
            to = call.option("-O", "-qO", "--output-document")
            if to is None or to in {"-", "/dev/null"} or "localhost" in urls[0] or small(urls[0]):
                return None
    for word in call.args:
        if archive(word) and "://" in word:
            return sized(word)
    return DOWNLOADS


def rsync(call: Call) -> Row | None:
    """To or from another machine, or a whole tree of this one."""
    if call.has_flag("-n", "--dry-run", "--list-only", "--version"):
        return None
    operands = call.operands(
        "-e", "--exclude", "--include", "--rsh", "-f", "--filter", "--files-from", "--exclude-from"
    )
    if any(":" in word or not word.literal for word in operands) or not operands:
        return much(operands)
    if operands[0].rstrip("/") in {"", "/home", "/Users", "/var", "~"}:
        return "force", "transfer", "copies a whole disk"
    return COPIES if operands[0][:1] in {"/", "~"} and not operands[0].startswith("/tmp") else None  # noqa: S108


def scp(call: Call) -> Row | None:
    operands = call.operands("-i", "-P", "-o", "-F", "-J", "-l", "-c")
    if len(operands) < 2 or (not call.has_flag("-r") and all(small(word) for word in operands[:-1])):
        return None
    return COPIES


def much(places: Sequence[str]) -> Row:
    """Data sets, models and backups are large; a copy of the project is not surely so."""
    from hookwright.shell.programs.names import parts

    large = DATA | {"data", "models", "backups", "media", "videos"}
    return SYNCS if any(place.endswith(DISKS) or not large.isdisjoint(parts(place)) for place in places) else COPIES


def sftp(call: Call) -> Row | None:
    if call.has_flag("-b") or is_fed(call):
        return COPIES
    return "force", "terminal", "waits for a person"


def lftp(call: Call) -> Row | None:
    return COPIES if call.has_flag("-c", "-e", "-f") or is_fed(call) else ("force", "terminal", "waits")


BUCKETS = table(
    {
        SYNCS: "sync, mirror, rsync, bisync, move, bulk",
        COPIES: "cp, copy, copyto, mv, put, get, upload, download, push, pull, dump, moveto, check, archive",
        ("force", "server", "keeps a mount or server running"): "mount, serve, rcd, watch",
        ("suggest", "transfer", "deletes many files"): "rm, del, delete, purge, rb, cleanup, dedupe",
    }
)


def bucket(call: Call) -> Row | None:
    """rclone, gsutil, s3cmd, azcopy, mc, s5cmd."""
    row = looked_up(call, BUCKETS, "-o", "-h", "--profile", "--config", "-u")
    if row is COPIES and (call.has_flag("-r", "-m", "--recursive") or call.program + call.verb == "rclonecopy"):
        row = SYNCS
    if row is SYNCS and call.has_flag("-n", "--dry-run", "--dryrun"):
        return None
    if row is not None and row[1] == "server" and call.has_flag("--daemon"):
        return None
    if row is not None and row[2] == "deletes many files" and not call.has_flag("-r", "-m", "--recursive", "--force"):
        return None
    return row


def hub(call: Call) -> Row | None:
    """Model and dataset hubs."""
    operands = call.operands()
    if "download" in operands:
        return LARGE
    return COPIES if "upload" in operands or "upload-large-folder" in operands else None


def video(call: Call) -> Row | None:
    if call.has_flag(
        "-F", "--list-formats", "-j", "--dump-json", "-J", "-g", "--get-url", "--simulate", "-s", "--skip-download"
    ):
        return None
    return LARGE


def backup(call: Call) -> Row | None:
    return {
        "create": SYNCS,
        "backup": SYNCS,
        "restore": SYNCS,
        "extract": COPIES,
        "check": COPIES,
        "prune": COPIES,
        "full": SYNCS,
        "snapshot": SYNCS,
        "mount": ("force", "server", "keeps a mount"),
    }.get(call.verb)


def httpie(call: Call) -> Row | None:
    if call.has_flag("-S", "--stream"):
        return STREAMS
    return DOWNLOADS if call.has_flag("-d", "--download") else None


PROGRAMS: dict[str, Handler] = {
    "curl": curl,
    **each("wget wget2", wget),
    **each("aria2c axel transmission-cli megadl", LARGE),
    **each("http https xh", httpie),
    "rsync": rsync,
    "scp": scp,
    **each("sftp ftp", sftp),
    "lftp": lftp,
    **each("rclone gsutil s3cmd s5cmd mc azcopy b2", bucket),
    **each("huggingface-cli hf modelscope kaggle", hub),
    **each("yt-dlp youtube-dl gallery-dl", video),
    "gdown": LARGE,
    "twine": table({("suggest", "transfer", "uploads packages"): "upload"}),
    "oras": table({COPIES: "push, pull, copy"}),
    **each("borg restic duplicity rsnapshot kopia", backup),
    **each("croc wormhole", COPIES),
    "unison": COPIES,
}
