"""Read, Grep and Glob for an agent handler, confined to the project; runs as a process of its own.

agent ── one JSON job on stdin ──▶ [this] ── [text, failed] on stdout ──▶ agent
Links and `..` are resolved before anything is opened, and what lies outside is not there. All sizes are bounded.
Imports nothing of hookwright: it is started with `python -I -S`.
"""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator
from typing import Any

LINES = 2000  # of one Read
LINE = 1000  # characters of a line
TEXT = 60_000  # characters of one answer
MATCHES = 250  # of one Grep or Glob
LARGEST = 2 << 20  # bytes of a file that Grep looks into
FILES = 50_000  # that one Grep or Glob looks at
PASSED_OVER = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__"))


class Refused(Exception):
    """Told to the model in place of a result."""


class Place:
    """The project's folder, and single files beside it that may be read."""

    def __init__(self, root: str, also: list[str]) -> None:
        self.root = os.path.realpath(root)
        self.also = {os.path.realpath(path) for path in also}

    def inside(self, path: str) -> str:
        """The real path, if it is the project's."""
        if "\0" in path:
            raise Refused("that is no path")
        real = os.path.realpath(os.path.join(self.root, path))
        if real not in self.also and not self.holds(real):
            raise Refused(f"{path} is outside of the project")
        return real

    def holds(self, real: str) -> bool:
        return real == self.root or real.startswith(self.root.rstrip("/") + "/")

    def walk(self, start: str) -> Iterator[str]:
        """Real files below, in order; links are followed only to files of the project."""
        seen = 0
        for folder, folders, names in os.walk(start):
            folders[:] = sorted(set(folders) - PASSED_OVER)
            for name in sorted(names):
                seen += 1
                if seen > FILES:
                    return
                path = os.path.join(folder, name)
                if not os.path.islink(path) or self.holds(os.path.realpath(path)):
                    yield path

    def shown(self, path: str) -> str:
        return os.path.relpath(path, self.root)


def read(place: Place, file_path: str, offset: int = 1, limit: int = LINES) -> str:
    path = place.inside(file_path)
    first, most = max(1, offset), max(1, min(limit, LINES))
    told: list[str] = []
    room = TEXT
    with opened(path) as file:
        if b"\0" in file.peek(4096)[:4096]:
            raise Refused(f"{file_path} is no text")
        for number, line in enumerate(iter(lambda: file.readline(1 << 20), b""), 1):
            if number < first:
                continue
            words = line.decode("utf-8", "replace").rstrip("\r\n")
            told.append(f"{number}\t{cut(words)}")
            room -= len(told[-1])
            if len(told) >= most or room < 0:
                told.append(f"… more follows; go on with offset {number + 1}")
                break
    return "\n".join(told) or "(nothing there)"


def grep(place: Place, pattern: str, path: str = ".", glob: str = "", *, ignore_case: bool = False) -> str:
    try:
        wanted = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise Refused(f"the pattern is no regular expression: {error}") from None
    start = place.inside(path)
    found: list[str] = []
    for name in [start] if os.path.isfile(start) else place.walk(start):
        if glob and not fits(place.shown(name), glob) and not fits(os.path.basename(name), glob):
            continue
        for number, line in enumerate(lines_of(name), 1):
            if wanted.search(line):
                found.append(f"{place.shown(name)}:{number}:{cut(line)}")
                if len(found) >= MATCHES:
                    return "\n".join([*found, "… there are more"])
    return "\n".join(found) or "no matches"


def glob(place: Place, pattern: str, path: str = ".") -> str:
    start = place.inside(path)
    if os.path.isabs(pattern):
        pattern, start = os.path.relpath(pattern, place.root), place.root
    found: list[str] = []
    for name in place.walk(start):
        if fits(os.path.relpath(name, start), pattern):
            found.append(place.shown(name))
            if len(found) >= MATCHES:
                return "\n".join([*found, "… there are more"])
    return "\n".join(found) or "no files"


def opened(path: str) -> Any:
    """A regular file; a pipe or a device would hold us up."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        raise Refused(f"{os.path.basename(path)}: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise Refused(f"{os.path.basename(path)} is no regular file")
    return os.fdopen(file, "rb")


def lines_of(path: str) -> list[str]:
    """The lines of a text file of moderate size; of anything else none."""
    try:
        with opened(os.path.realpath(path)) as file:
            data = file.read(LARGEST + 1)
    except (Refused, OSError):
        return []
    return [] if len(data) > LARGEST or b"\0" in data[:8192] else data.decode("utf-8", "replace").splitlines()


def fits(path: str, pattern: str) -> bool:
    """`*` and `?` within a folder, `**` over any number of them, `{a,b}` for either."""
    return any(re.fullmatch(expression(choice), path) for choice in choices(pattern))


def choices(pattern: str) -> list[str]:
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if not braces or pattern.count("{") > 4:
        return [pattern]
    ways = [pattern[: braces.start()] + way + pattern[braces.end() :] for way in braces[1].split(",")]
    return [whole for way in ways for whole in choices(way)]


def expression(pattern: str) -> str:
    told = ""
    for part in re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]]+\]|.", pattern.removeprefix("./"), re.DOTALL):
        known = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
        told += known.get(part) or (part.replace("[!", "[^") if len(part) > 1 else re.escape(part))
    return told


def cut(line: str) -> str:
    return line if len(line) <= LINE else line[:LINE] + "…"


def answered(job: dict[str, Any]) -> tuple[str, bool]:
    """The text for the model, and whether it is an error."""
    tools: dict[str, Callable[..., str]] = {"Read": read, "Grep": grep, "Glob": glob}
    tool, wanted = tools.get(job["tool"]), job["input"]
    if tool is None:
        return f"there is no tool {job['tool']} here; there are {', '.join(tools)}", True
    try:
        return tool(Place(job["root"], job["also"]), **wanted)[: TEXT * 2], False
    except Refused as why:
        return str(why), True
    except (TypeError, AttributeError, re.error):
        return f"that is no input for {job['tool']}", True


if __name__ == "__main__":
    json.dump(answered(json.load(sys.stdin)), sys.stdout)
