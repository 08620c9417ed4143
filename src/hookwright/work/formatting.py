"""One file that Claude just wrote, brought into the project's form: or left alone, for a reason that has a name.

file → left alone? → formatter → new text → written back, whole → one line for Claude
Never a secret, a generated or an ignored file, never outside of the project, never one that was not in form before.
"""

from __future__ import annotations

import os
import re
import shlex
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from hookwright.work import git, gitdir
from hookwright.work.formatters import Chosen, chosen_for
from hookwright.work.patterns import matches
from hookwright.work.programs import Job, run
from hookwright.work.words import cleaned, counted, cut, one_line

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hookwright.work.programs import Result

MOST_BYTES = 1 << 20
FILE = "{file}"  # in a command of one's own: the file's path; such a command changes the file itself
SECRETS = (
    *(".env", ".env.*", "*.env", "*.pem", "*.key", "*.crt", "*.p12", "*.pfx", "*.jks", "*.keystore", "*.kdbx"),
    *("id_rsa*", "id_ed25519*", "id_ecdsa*", ".netrc", ".npmrc", ".pypirc", ".htpasswd", "**/.ssh/**", "**/.aws/**"),
    *("*secret*.{json,yaml,yml,toml}", "*credential*.{json,yaml,yml,toml}", "*.tfvars"),
)
GENERATED = (
    *(f"**/{folder}/**" for folder in ("node_modules", "vendor", "third_party", "dist", "build", "target", ".git")),
    *(f"**/{folder}/**" for folder in (".venv", "venv", "site-packages", "__pycache__", ".terraform")),
    *("*.min.js", "*.min.css", "*.lock", "package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "*_pb2.py"),
    *("*_pb2.pyi", "*.pb.go", "*.generated.*", "*.g.dart", "*.snap"),
)
_GENERATED_MARK = re.compile(rb"@generated\b|generated\b.*\bdo not (?:edit|modify)", re.IGNORECASE)
_MARKED_LINES = 6
_SHOWN_LINES = 6
_SHOWN_CHARS = 500
_MOST_COMPARED = 4000  # lines; beyond that the places are not told


class Outcome:
    """What became of the file: `line` is for Claude; `left` or `problem` say why nothing was done."""

    __slots__ = ("formatter", "left", "line", "problem")

    def __init__(self, formatter: str = "", *, line: str = "", left: str = "", problem: str = "") -> None:
        self.formatter = formatter
        self.line = line
        self.left = left
        self.problem = problem


class Formatting:
    """The options, and the project that they are for."""

    def __init__(
        self,
        root: str,
        *,
        formatters: Sequence[str],
        commands: Sequence[Mapping[str, Any]] = (),
        exclude: Sequence[str] = (),
        seconds: float = 10.0,
        legacy: bool = False,
        search_path: str = "",
        dry: bool = False,
    ) -> None:
        self.root = os.path.realpath(root)
        self.formatters = formatters
        self.commands = commands
        self.exclude = exclude
        self.seconds = seconds
        self.legacy = legacy  # also files that were not in form before
        self.search_path = search_path
        self.dry = dry  # decide, but write nothing

    def format(self, written: str, original: str | None) -> Outcome:
        """`original`: the file's text before Claude's change, if there was one and it is known."""
        path = os.path.realpath(written)
        if not path.startswith(self.root + "/"):
            return Outcome(left="outside of the project")
        chosen = self._own(path) or chosen_for(path, self.root, self.formatters, self.search_path)
        if chosen is None:
            return Outcome(left="the project has chosen no formatter for it")
        before = _read(path)
        left = self._why_left(path, before)
        if left or before is None:
            return Outcome(chosen.name, left=left)
        if chosen.in_place:
            return self._in_place(chosen, path, before)
        was = None if original is None or self.legacy else original.encode("utf-8", "surrogateescape")
        return self._by_stdin(chosen, path, before, was)

    def _own(self, path: str) -> Chosen | None:
        """A command of the user's own for this file."""
        relative = os.path.relpath(path, self.root)
        for row in self.commands:
            if matches(row["files"], relative):
                command, words = row["command"], row["command"]
                if isinstance(command, str):
                    words = command.split()
                    command = command.replace(FILE, shlex.quote(path))
                else:
                    command = [word.replace(FILE, path) for word in command]
                in_place = any(FILE in word for word in words)
                return Chosen(row["name"] or os.path.basename(words[0]), command, self.root, in_place=in_place)
        return None

    def _why_left(self, path: str, before: bytes | None) -> str:
        """Why this file is none of our business; "" if it is."""
        relative = os.path.relpath(path, self.root)
        if matches(SECRETS, relative):
            return "it may hold secrets"
        if before is None:
            return "not a text file of ordinary size"
        if matches(GENERATED, relative) or _GENERATED_MARK.search(b"\n".join(before.split(b"\n", _MARKED_LINES)[:-1])):
            return "it is generated"
        if self.exclude and matches(self.exclude, relative):
            return "the configuration excludes it"
        top = gitdir.top_of(os.path.dirname(path))
        return "git ignores it" if top and git.is_ignored(top, path) else ""

    def _by_stdin(self, chosen: Chosen, path: str, before: bytes, was: bytes | None) -> Outcome:
        jobs = [self._job(chosen.command, chosen, text) for text in (before, was) if text is not None]
        if chosen.asks:
            jobs.append(self._job(chosen.asks, chosen))
        results = run(jobs)
        if chosen.asks and b"No files were processed" in results[-1].stderr:
            return Outcome(chosen.name, left="the formatter's own configuration leaves it out")
        after = results[0].stdout
        if not results[0].ok or results[0].cut or (before.strip() and not after.strip()):
            return Outcome(chosen.name, problem=_why(results[0], self.root))
        if after == before:
            return Outcome(chosen.name)
        if was is not None and was != before and results[1].stdout != was:
            return Outcome(chosen.name, left="it was not in form before Claude's change")
        if not self.dry and not _replace(path, before, after):
            return Outcome(chosen.name, left="it changed meanwhile")
        return Outcome(chosen.name, line=self._line(chosen, path, before, after))

    def _in_place(self, chosen: Chosen, path: str, before: bytes) -> Outcome:
        if self.dry:
            return Outcome(chosen.name)
        (result,) = run([self._job(chosen.command, chosen)])
        after = _read(path)
        if not result.ok:
            if after != before and after is not None:
                _replace(path, after, before)  # half-written or not: as Claude left it
            return Outcome(chosen.name, problem=_why(result, self.root))
        if after is None or after == before:
            return Outcome(chosen.name)
        return Outcome(chosen.name, line=self._line(chosen, path, before, after))

    def _job(self, command: str | list[str], chosen: Chosen, text: bytes = b"") -> Job:
        return Job(command, cwd=chosen.folder, seconds=self.seconds, stdin=text, keep=4 * MOST_BYTES)

    def _line(self, chosen: Chosen, path: str, before: bytes, after: bytes) -> str:
        """What Claude needs so that its next edit matches: which lines changed, and their new text if it is short."""
        name = one_line(os.path.relpath(path, self.root), 120)
        spots = list(changed_lines(before, after))
        count = sum(len(lines) for _, lines in spots)
        if not spots:
            return f"{chosen.name} reformatted {name}; read it before your next edit there."
        places = ", ".join(_place(first, len(lines)) for first, lines in spots[:8])
        shown = " ⏎ ".join(cleaned(line).rstrip("\n") for _, lines in spots for line in lines)
        if count and count <= _SHOWN_LINES and len(shown) <= _SHOWN_CHARS:
            return f"{chosen.name} reformatted {name}; {places} now {'reads' if count == 1 else 'read'}: {shown}"
        more = ", …" if len(spots) > 8 else ""
        changed = f"{counted(count, 'line')} changed ({places}{more})"
        return f"{chosen.name} reformatted {name}: {changed}; read them before editing there."


def changed_lines(before: bytes, after: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """Number of the first line and the new lines, for each place that changed."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > _MOST_COMPARED:
        return
    for what, _, _, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            yield first + 1, new[first:last]


def _place(first: int, count: int) -> str:
    if count == 0:
        return f"lines gone before line {first}"
    return f"line {first}" if count == 1 else f"lines {first}-{first + count - 1}"


def _read(path: str) -> bytes | None:
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > MOST_BYTES:
            return None
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return None
    return None if b"\0" in data else data


def _replace(path: str, before: bytes, after: bytes) -> bool:
    """Put the new text in, unless somebody else was quicker. In the same file: mode, owner and links stay."""
    if _read(path) != before:
        return False
    try:
        with open(path, "r+b", buffering=0) as file:
            file.write(after)
            file.truncate(len(after))
    except OSError:
        return False
    return True


def _why(result: Result, root: str) -> str:
    said = one_line(result.stderr or result.stdout if not result.ok else b"", 300).replace(root + "/", "")
    if result.problem:
        return result.problem
    if result.ok:
        return "it gave back nothing" if not result.cut else "its output is too large"
    return cut(said, 300) or f"exit code {result.code}"
