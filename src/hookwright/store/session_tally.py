"""Count what hookwright did in one session, from the journal's bytes: no ledger, no JSON, live.

journal → [read_tally] → Stop: the hook `summary`, which saves how far it has read; statusline
Reads what came since the saved place, at most MAX_BYTES. A record is one line of compact JSON, in which a quote within
a text is escaped: `"answer":"deny"` can only be the field itself. Hot: `posix` only.
"""

from __future__ import annotations

import posix

from hookwright.proc.private_dir import open_private
from hookwright.proc.safe_read import open_regular, read_head
from hookwright.store.journal import MAX_SEGMENTS, format_date
from hookwright.store.paths import session_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    Counts = dict[str, int]

MAX_BYTES = 1 << 20
NAMES = ("stopped", "asked", "moved", "answered", "spared")
FILE, SAVED_FILE = "tally", "saved_s"
# Count → what it says of one, of several.
WORDS = {
    "stopped": ("call stopped", "calls stopped"),
    "asked": ("call asked about", "calls asked about"),
    "moved": ("command moved to the background", "commands moved to the background"),
    "answered": ("question answered", "questions answered"),
    "spared": ("permission prompt spared", "permission prompts spared"),
}


def read_tally(state: str, session: str, now: float, *, save: bool = False) -> tuple[Counts, bool]:
    """The counts of a session so far, and whether they grew since they were last saved."""
    path = f"{session_dir(state, session)}/{FILE}"
    name, offset, counts = _load(path)
    grew = False
    today = format_date(now)
    for day in (name[:10], today) if name and name[:10] != today else (today,):
        for number in range(_number(name) if name[:10] == day else 0, MAX_SEGMENTS):
            segment = f"{day}.{number}.jsonl" if number else f"{day}.jsonl"
            data, begin = _read_from(f"{state}/journal/{segment}", offset if segment == name else 0)
            if begin < 0:
                break
            whole = data[: data.rfind(b"\n") + 1]
            grew = count_lines(whole, session, counts) or grew
            name, offset = segment, begin + len(whole)
    if save and (grew or name):
        _save(path, name, offset, counts)
    return counts, grew


def _read_from(path: str, offset: int) -> tuple[bytes, int]:
    """What comes after this offset, its end if it is too much, and where that begins; -1 if there is no such file."""
    try:
        descriptor, status = open_regular(path, follow=False)
    except OSError:
        return b"", -1
    try:
        begin = min(max(offset, status.st_size - MAX_BYTES), status.st_size)
        return posix.pread(descriptor, status.st_size - begin, begin), begin
    except OSError:
        return b"", -1
    finally:
        posix.close(descriptor)


def count_lines(data: bytes, session: str, counts: Counts) -> bool:
    """Add the answered events of this session; True if there were any."""
    mark = f'"session_id":"{session}"'.encode("utf-8", "replace")
    if mark not in data:
        return False
    grew = False
    for line in data.split(b"\n"):
        if b'"answer":null' in line or mark not in line:
            continue
        kind = _classify_line(line)
        if kind:
            counts[kind] += 1
            grew = True
    return grew


def _classify_line(line: bytes) -> str:
    """The count to which a record belongs, as store/gain.py defines them; an empty string for none."""
    question = b'AskUserQuestion"' in line
    if b'"event":"PreToolUse"' not in line and b'"event":"PermissionRequest"' not in line:
        return ""
    if b'"answer":"allow"' in line:
        return "answered" if question else "spared"
    if question:
        return ""
    if b'"answer":"deny"' in line:
        return "stopped"
    if b'"answer":"ask"' in line:
        return "asked"
    moved = (
        b'"answer":"rewrite"' in line and b'"run_in_background"' in line.partition(b'"changed":[')[2].partition(b"]")[0]
    )
    return "moved" if moved else ""


def format_tally(counts: Counts, saved_s: float) -> str:
    """`2 calls stopped, 1 command moved to the background, 95 s not waited`; empty if there is nothing to say."""
    parts = [f"{counts[name]} {WORDS[name][counts[name] != 1]}" for name in NAMES if counts[name]]
    if saved_s >= 1:
        parts.append(f"{format_duration(saved_s)} not waited")
    return ", ".join(parts)


def format_duration(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def read_saved(state: str, session: str) -> float:
    """Seconds that this session did not wait, as of the last background refresh; 0 if nothing is known."""
    try:
        return float(read_head(f"{session_dir(state, session)}/{SAVED_FILE}", 32))
    except (OSError, ValueError):
        return 0.0


def _load(path: str) -> tuple[str, int, Counts]:
    """Segment and offset up to which the counts go, and the counts."""
    try:
        name, offset, *numbers = read_head(path, 200).decode().split()
        return name, int(offset), dict(zip(NAMES, map(int, numbers), strict=True))
    except (OSError, ValueError):
        return "", 0, dict.fromkeys(NAMES, 0)


def _save(path: str, name: str, offset: int, counts: Counts) -> None:
    try:
        descriptor = open_private(path, posix.O_WRONLY | posix.O_CREAT | posix.O_TRUNC)
        try:
            posix.write(descriptor, " ".join(map(str, (name, offset, *counts.values()))).encode())
        finally:
            posix.close(descriptor)
    except (OSError, ValueError):
        return


def _number(segment: str) -> int:
    """0 of `2026-11-15.jsonl`, 2 of `2026-11-15.2.jsonl`."""
    middle = segment[11:].partition(".")[0]
    return int(middle) if middle.isdecimal() else 0
