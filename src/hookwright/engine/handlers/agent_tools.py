"""Read, Grep and Glob for an agent handler, confined to the project; runs in a child process.

agent ── one JSON job on stdin ──▶ [this] ── [text, failed] on stdout ──▶ agent
Symlinks and `..` are resolved before anything is opened, and what lies outside is refused. All sizes are limited.
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

MAX_LINES = 2000  # of one Read
MAX_LINE_LENGTH = 1000  # characters
MAX_TEXT_LENGTH = 60_000  # characters of one answer
MAX_MATCHES = 250  # of one Grep or Glob
MAX_FILE_BYTES = 2 << 20  # Grep skips larger files
MAX_FILES = 50_000  # that one Grep or Glob visits
SKIPPED_FOLDERS = frozenset((".git", ".hg", ".svn", "node_modules", "__pycache__"))


class Refused(Exception):
    """The message is returned to the model instead of a result."""


class ProjectFiles:
    """The project's folder, and single files outside of it that may be read."""

    def __init__(self, root: str, also: list[str]) -> None:
        self.root = os.path.realpath(root)
        self.also = {os.path.realpath(path) for path in also}

    def resolve_path(self, path: str) -> str:
        """Resolve a path; refuse it if it is outside of the project."""
        if "\0" in path:
            raise Refused("not a valid path")
        real = os.path.realpath(os.path.join(self.root, path))
        if real not in self.also and not self.contains_path(real):
            raise Refused(f"{path} is outside of the project")
        return real

    def contains_path(self, real: str) -> bool:
        return real == self.root or real.startswith(self.root.rstrip("/") + "/")

    def walk_files(self, start: str) -> Iterator[str]:
        """Files below, sorted; symlinks are followed only to files of the project."""
        seen = 0
        for folder, folders, names in os.walk(start):
            folders[:] = sorted(set(folders) - SKIPPED_FOLDERS)
            for name in sorted(names):
                seen += 1
                if seen > MAX_FILES:
                    return
                path = os.path.join(folder, name)
                if not os.path.islink(path) or self.contains_path(os.path.realpath(path)):
                    yield path

    def relative_path(self, path: str) -> str:
        return os.path.relpath(path, self.root)


def read_file(project: ProjectFiles, file_path: str, offset: int = 1, limit: int = MAX_LINES) -> str:
    path = project.resolve_path(file_path)
    first, most = max(1, offset), max(1, min(limit, MAX_LINES))
    output: list[str] = []
    room = MAX_TEXT_LENGTH
    with open_regular(path) as file:
        if b"\0" in file.peek(4096)[:4096]:
            raise Refused(f"{file_path} is not a text file")
        for number, line in enumerate(iter(lambda: file.readline(1 << 20), b""), 1):
            if number < first:
                continue
            text = line.decode("utf-8", "replace").rstrip("\r\n")
            output.append(f"{number}\t{cut_line(text)}")
            room -= len(output[-1])
            if len(output) >= most or room < 0:
                output.append(f"… more follows; continue with offset {number + 1}")
                break
    return "\n".join(output) or "(empty)"


def grep_files(
    project: ProjectFiles, pattern: str, path: str = ".", glob: str = "", *, ignore_case: bool = False
) -> str:
    try:
        regex = re.compile(pattern, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        raise Refused(f"not a valid regular expression: {error}") from None
    start = project.resolve_path(path)
    found: list[str] = []
    for name in [start] if os.path.isfile(start) else project.walk_files(start):
        if glob and not glob_fits(project.relative_path(name), glob) and not glob_fits(os.path.basename(name), glob):
            continue
        for number, line in enumerate(lines_of(name), 1):
            if regex.search(line):
                found.append(f"{project.relative_path(name)}:{number}:{cut_line(line)}")
                if len(found) >= MAX_MATCHES:
                    return "\n".join([*found, "… there are more"])
    return "\n".join(found) or "no matches"


def glob_files(project: ProjectFiles, pattern: str, path: str = ".") -> str:
    start = project.resolve_path(path)
    if os.path.isabs(pattern):
        pattern, start = os.path.relpath(pattern, project.root), project.root
    found: list[str] = []
    for name in project.walk_files(start):
        if glob_fits(os.path.relpath(name, start), pattern):
            found.append(project.relative_path(name))
            if len(found) >= MAX_MATCHES:
                return "\n".join([*found, "… there are more"])
    return "\n".join(found) or "no files"


def open_regular(path: str) -> Any:
    """Open a regular file; reading a pipe or a device could block."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError as error:
        raise Refused(f"{os.path.basename(path)}: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise Refused(f"{os.path.basename(path)} is not a regular file")
    return os.fdopen(file, "rb")


def lines_of(path: str) -> list[str]:
    """The lines of a text file; none if it is binary, too large or unreadable."""
    try:
        with open_regular(os.path.realpath(path)) as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except (Refused, OSError):
        return []
    return [] if len(data) > MAX_FILE_BYTES or b"\0" in data[:8192] else data.decode("utf-8", "replace").splitlines()


def glob_fits(path: str, pattern: str) -> bool:
    """`*` and `?` match within a folder, `**` across folders, `{a,b}` either one."""
    return any(re.fullmatch(translate_glob(choice), path) for choice in expand_braces(pattern))


def expand_braces(pattern: str) -> list[str]:
    braces = re.search(r"\{([^{}]*)\}", pattern)
    if not braces or pattern.count("{") > 4:
        return [pattern]
    ways = [pattern[: braces.start()] + way + pattern[braces.end() :] for way in braces[1].split(",")]
    return [whole for way in ways for whole in expand_braces(way)]


def translate_glob(pattern: str) -> str:
    regex = ""
    for part in re.findall(r"\*\*/|\*\*|\*|\?|\[[^\]]+\]|.", pattern.removeprefix("./"), re.DOTALL):
        known = {"**/": "(?:[^/]+/)*", "**": ".*", "*": "[^/]*", "?": "[^/]"}
        regex += known.get(part) or (part.replace("[!", "[^") if len(part) > 1 else re.escape(part))
    return regex


def cut_line(line: str) -> str:
    return line if len(line) <= MAX_LINE_LENGTH else line[:MAX_LINE_LENGTH] + "…"


def answer_job(job: dict[str, Any]) -> tuple[str, bool]:
    """The text for the model, and whether it is an error."""
    tools: dict[str, Callable[..., str]] = {"Read": read_file, "Grep": grep_files, "Glob": glob_files}
    tool, arguments = tools.get(job["tool"]), job["input"]
    if tool is None:
        return f"there is no tool {job['tool']}; available are {', '.join(tools)}", True
    try:
        return tool(ProjectFiles(job["root"], job["also"]), **arguments)[: MAX_TEXT_LENGTH * 2], False
    except Refused as why:
        return str(why), True
    except (TypeError, AttributeError, re.error):
        return f"not a valid input for {job['tool']}", True


if __name__ == "__main__":
    json.dump(answer_job(json.load(sys.stdin)), sys.stdout)
