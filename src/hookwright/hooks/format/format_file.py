"""Format one file that Claude just wrote, or skip it for a named reason.

file → skip? → formatter → new text → written back at once → one line for Claude
Skips files that may hold secrets, generated and ignored files, files outside of the project, and files that were not
formatted before Claude's change.
"""

from __future__ import annotations

import os
import re
import shlex
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from hookwright.git import directory, query
from hookwright.hooks.clean_text import clean_text, format_count, one_line, truncate_text
from hookwright.hooks.file_patterns import matches_patterns
from hookwright.hooks.format.formatters import SelectedFormatter, select_formatter
from hookwright.proc.run_programs import Job, run_jobs
from hookwright.proc.safe_read import read_file

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from hookwright.proc.child_process import ProgramResult

MOST_BYTES = 1 << 20
FILE = "{file}"  # placeholder in a user's command, for one that changes the file itself
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
UNTRUSTED = (
    "it would run code of this project, which the user has not trusted; the user can allow it with `trusted` of "
    "[format] in config.toml, or with `hookwright trust`"
)
_GENERATED_MARK = re.compile(rb"@generated\b|generated\b.*\bdo not (?:edit|modify)", re.IGNORECASE)
_MARKED_LINES = 6
_SHOWN_LINES = 6
_SHOWN_CHARS = 500
_MOST_COMPARED = 4000  # lines; above that the changed lines are not listed


class FormatResult:
    """The result for one file: `line` is for Claude; `skipped` or `problem` say why nothing was done."""

    __slots__ = ("formatter", "line", "problem", "skipped")

    def __init__(self, formatter: str = "", *, line: str = "", skipped: str = "", problem: str = "") -> None:
        self.formatter = formatter
        self.line = line
        self.skipped = skipped
        self.problem = problem


class ProjectFormatter:
    """Formats files of one project, with the options of the hook."""

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
        trusted: bool = False,
    ) -> None:
        self.root = os.path.realpath(root)
        self.formatters = formatters
        self.commands = commands
        self.exclude = exclude
        self.seconds = seconds
        self.legacy = legacy  # also files that were not formatted before
        self.search_path = search_path
        self.trusted = trusted  # may programs of the project run?
        self.dry = dry  # shadow mode: decide, but write nothing

    def format_file(self, written: str, original: str | None) -> FormatResult:
        """`original`: the file's text before Claude's change, if it existed and is known."""
        path = os.path.realpath(written)
        if not path.startswith(self.root + "/"):
            return FormatResult(skipped="outside of the project")
        chosen = self._user_command(path) or select_formatter(
            path, self.root, self.formatters, self.search_path, trusted=self.trusted
        )
        if chosen is None:
            return FormatResult(skipped="the project has no formatter for it")
        before = _read_file(path)
        skip = self._skip_reason(path, before)
        if skip or before is None:
            return FormatResult(chosen.name, skipped=skip)
        if chosen.refused:
            return FormatResult(chosen.name, problem=UNTRUSTED)
        if chosen.in_place:
            return self._format_in_place(chosen, path, before)
        was = None if original is None or self.legacy else original.encode("utf-8", "surrogateescape")
        return self._format_by_stdin(chosen, path, before, was)

    def _user_command(self, path: str) -> SelectedFormatter | None:
        """The first of the user's own commands that matches this file."""
        relative = os.path.relpath(path, self.root)
        for row in self.commands:
            if matches_patterns(row["files"], relative):
                command, words = row["command"], row["command"]
                if isinstance(command, str):
                    words = command.split()
                    command = command.replace(FILE, shlex.quote(path))
                else:
                    command = [word.replace(FILE, path) for word in command]
                in_place = any(FILE in word for word in words)
                return SelectedFormatter(
                    row["name"] or os.path.basename(words[0]), command, self.root, in_place=in_place
                )
        return None

    def _skip_reason(self, path: str, before: bytes | None) -> str:
        """Why this file is skipped; "" if it is not."""
        relative = os.path.relpath(path, self.root)
        if matches_patterns(SECRETS, relative):
            return "it may hold secrets"
        if before is None:
            return "not a text file, or too large"
        if matches_patterns(GENERATED, relative) or _GENERATED_MARK.search(
            b"\n".join(before.split(b"\n", _MARKED_LINES)[:-1])
        ):
            return "it is generated"
        if self.exclude and matches_patterns(self.exclude, relative):
            return "the configuration excludes it"
        top = directory.find_worktree_root(os.path.dirname(path))
        return "git ignores it" if top and query.is_ignored(top, path) else ""

    def _format_by_stdin(self, chosen: SelectedFormatter, path: str, before: bytes, was: bytes | None) -> FormatResult:
        jobs = [self._build_job(chosen.command, chosen, text) for text in (before, was) if text is not None]
        if chosen.list_command:
            jobs.append(self._build_job(chosen.list_command, chosen))
        results = run_jobs(jobs)
        if chosen.list_command and b"No files were processed" in results[-1].stderr:
            return FormatResult(chosen.name, skipped="the formatter's own configuration excludes it")
        after = results[0].stdout
        if not results[0].ok or results[0].cut or (before.strip() and not after.strip()):
            return FormatResult(chosen.name, problem=_failure_reason(results[0], self.root))
        if after == before:
            return FormatResult(chosen.name)
        if was is not None and was != before and results[1].stdout != was:
            return FormatResult(chosen.name, skipped="it was not formatted before Claude's change")
        if not self.dry and not _replace_content(path, before, after):
            return FormatResult(chosen.name, skipped="it changed in the meantime")
        return FormatResult(chosen.name, line=self._summarize_change(chosen, path, before, after))

    def _format_in_place(self, chosen: SelectedFormatter, path: str, before: bytes) -> FormatResult:
        if self.dry:
            return FormatResult(chosen.name)
        (result,) = run_jobs([self._build_job(chosen.command, chosen)])
        after = _read_file(path)
        if not result.ok:
            if after != before and after is not None:
                _replace_content(path, after, before)  # restore what Claude wrote, also after a partial write
            return FormatResult(chosen.name, problem=_failure_reason(result, self.root))
        if after is None or after == before:
            return FormatResult(chosen.name)
        return FormatResult(chosen.name, line=self._summarize_change(chosen, path, before, after))

    def _build_job(self, command: str | list[str], chosen: SelectedFormatter, text: bytes = b"") -> Job:
        avoid = () if self.trusted else (self.root,)
        return Job(command, cwd=chosen.folder, seconds=self.seconds, stdin=text, keep=4 * MOST_BYTES, avoid=avoid)

    def _summarize_change(self, chosen: SelectedFormatter, path: str, before: bytes, after: bytes) -> str:
        """What Claude needs for its next edit: which lines changed, and their new text if it is short."""
        name = one_line(os.path.relpath(path, self.root), 120)
        spots = list(changed_lines(before, after))
        count = sum(len(lines) for _, lines in spots)
        if not spots:
            return f"{chosen.name} reformatted {name}; read it before your next edit there."
        places = ", ".join(_format_range(first, len(lines)) for first, lines in spots[:8])
        shown = " ⏎ ".join(clean_text(line).rstrip("\n") for _, lines in spots for line in lines)
        if count and count <= _SHOWN_LINES and len(shown) <= _SHOWN_CHARS:
            return f"{chosen.name} reformatted {name}; {places} now {'reads' if count == 1 else 'read'}: {shown}"
        more = ", …" if len(spots) > 8 else ""
        changed = f"{format_count(count, 'line')} changed ({places}{more})"
        return f"{chosen.name} reformatted {name}: {changed}; read them before editing there."


def changed_lines(before: bytes, after: bytes) -> Iterator[tuple[int, list[bytes]]]:
    """First line number and new lines of each change."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > _MOST_COMPARED:
        return
    for what, _, _, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if what != "equal":
            yield first + 1, new[first:last]


def _format_range(first: int, count: int) -> str:
    if count == 0:
        return f"lines gone before line {first}"
    return f"line {first}" if count == 1 else f"lines {first}-{first + count - 1}"


def _read_file(path: str) -> bytes | None:
    try:
        data = read_file(path, MOST_BYTES)
    except OSError:
        return None
    return None if b"\0" in data else data


def _replace_content(path: str, before: bytes, after: bytes) -> bool:
    """Write the new text unless the file has changed. In place, so that mode, owner and hard links stay."""
    if _read_file(path) != before:
        return False
    try:
        with open(path, "r+b", buffering=0) as file:
            file.write(after)
            file.truncate(len(after))
    except OSError:
        return False
    return True


def _failure_reason(result: ProgramResult, root: str) -> str:
    said = one_line(result.stderr or result.stdout if not result.ok else b"", 300).replace(root + "/", "")
    if result.problem:
        return result.problem
    if result.ok:
        return "its output is empty" if not result.cut else "its output is too large"
    return truncate_text(said, 300) or f"exit code {result.code}"
