"""Downloads, uploads and copies over a network: wget, curl of archives, rsync, scp, rclone, model hubs.

The programs and their tables are in transfers.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import look_up_verb, parse_number, short_flags
from hookwright.shell.programs.transfers_table import (
    ARCHIVES,
    BUCKETS,
    COPIES,
    DATA,
    DISKS,
    DOWNLOADS,
    LARGE,
    STREAMS,
    SYNCS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


BRIEF = 30.0  # seconds of --max-time that bound a transfer


def classify_download(url: str) -> Row:
    from hookwright.shell.programs.name_hints import split_name

    path = (url.partition("://")[2] or url).partition("?")[0].lower()
    return LARGE if path.endswith(DISKS) or not DATA.isdisjoint(split_name(path)) else DOWNLOADS


def is_archive(url: str) -> bool:
    path = url.partition("?")[0].partition("#")[0].lower()
    return path.endswith(tuple(ARCHIVES))


def classify_curl(call: Call) -> Row | None:
    limit = parse_number(call.option("-m", "--max-time"))
    if limit is not None and limit <= BRIEF:
        return "none", "download", f"bounded by --max-time {limit:g}"
    short = short_flags(call, "XHdoubAceFmTwxEKCDPQrtYyzU")
    if "I" in short or call.has_flag("--head"):
        return None
    if "N" in short or call.has_flag("--no-buffer"):
        return STREAMS
    if "T" in short or call.has_flag("--upload-file"):
        return COPIES
    words = call.args
    named = [word for word in call.options("-o", "--output", "--url") if word != "/dev/null"]
    for word in [*words, *named]:
        if word[:1] != "-" and is_archive(word):
            return classify_download(word)
    # A name taken from the address is a download; a page, a script or an API's answer with -o is small.
    if "O" in short or call.has_flag("--remote-name", "--remote-name-all"):
        return None if all(is_small_file(word) for word in words if "://" in word) else DOWNLOADS
    return None


def is_small_file(url: str) -> bool:
    name = url.partition("?")[0].rpartition("/")[2]
    return name.endswith(
        (
            *(".sh", ".json", ".txt", ".yml", ".yaml", ".py", ".md", ".html", ".xml", ".css", ".js", ".toml"),
            *(".conf", ".ini", ".env", ".pem", ".pub", ".crt", ".service", ".ts", ".rb", ".php", ".go", ".log"),
        )
    )


def classify_wget(call: Call) -> Row | None:
    if call.has_flag("--spider"):
        return None
    short = short_flags(call, "OoPtTaeUQlDIXAR")
    if "b" in short or call.has_flag("--background"):
        return "none", "download", "goes to the background by itself"
    if short & {"m", "r", "i"} or call.has_flag("--mirror", "--recursive", "--input-file"):
        return LARGE
    if "O" in short or call.has_flag("--output-document"):
        urls = call.operands("-O", "-o", "-P", "-t", "-T", "-a", "-e", "-U", "-qO", "--output-document", "--header")
        if urls and not any(is_archive(url) for url in urls):
            to = call.option("-O", "-qO", "--output-document")
            if to is None or to in {"-", "/dev/null"} or "localhost" in urls[0] or is_small_file(urls[0]):
                return None
    for word in call.args:
        if is_archive(word) and "://" in word:
            return classify_download(word)
    return DOWNLOADS


def classify_rsync(call: Call) -> Row | None:
    """Copies from or to another machine, or of a whole tree on this one."""
    if call.has_flag("-n", "--dry-run", "--list-only", "--version"):
        return None
    operands = call.operands(
        "-e", "--exclude", "--include", "--rsh", "-f", "--filter", "--files-from", "--exclude-from"
    )
    if any(":" in word or not word.literal for word in operands) or not operands:
        return classify_copy(operands)
    if operands[0].rstrip("/") in {"", "/home", "/Users", "/var", "~"}:
        return "force", "transfer", "copies a whole disk"
    return COPIES if operands[0][:1] in {"/", "~"} and not operands[0].startswith("/tmp") else None  # noqa: S108


def classify_scp(call: Call) -> Row | None:
    operands = call.operands("-i", "-P", "-o", "-F", "-J", "-l", "-c")
    if len(operands) < 2 or (not call.has_flag("-r") and all(is_small_file(word) for word in operands[:-1])):
        return None
    return COPIES


def classify_copy(places: Sequence[str]) -> Row:
    """Data sets, models and backups are surely large; a copy of the project may be."""
    from hookwright.shell.programs.name_hints import split_name

    large = DATA | {"data", "models", "backups", "media", "videos"}
    return (
        SYNCS if any(place.endswith(DISKS) or not large.isdisjoint(split_name(place)) for place in places) else COPIES
    )


def classify_bucket(call: Call) -> Row | None:
    """rclone, gsutil, s3cmd, azcopy, mc, s5cmd."""
    row = look_up_verb(call, BUCKETS, "-o", "-h", "--profile", "--config", "-u")
    if row is COPIES and (call.has_flag("-r", "-m", "--recursive") or call.program + call.verb == "rclonecopy"):
        row = SYNCS
    if row is SYNCS and call.has_flag("-n", "--dry-run", "--dryrun"):
        return None
    if row is not None and row[1] == "server" and call.has_flag("--daemon"):
        return None
    if row is not None and row[2] == "deletes many files" and not call.has_flag("-r", "-m", "--recursive", "--force"):
        return None
    return row


def classify_model_hub(call: Call) -> Row | None:
    """Model and dataset hubs."""
    operands = call.operands()
    if "download" in operands:
        return LARGE
    return COPIES if "upload" in operands or "upload-large-folder" in operands else None
