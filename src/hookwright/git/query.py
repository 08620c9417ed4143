"""Ask git by running it: without locks, prompts or a pager, and in bounded time.

directory, arguments → [run_git] → what git prints, or None: it failed, is not installed or took too long
Nothing here changes a repository.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.proc.run_programs import Job, run_job

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookwright.proc.child_process import ProgramResult

SECONDS = 3.0
_ENV = {
    "GIT_OPTIONAL_LOCKS": "0",  # reading must not disturb a commit that runs at the same time
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    # Claude Code may itself have been started by a git hook, whose variables point at another repository.
    "GIT_DIR": None,
    "GIT_WORK_TREE": None,
    "GIT_INDEX_FILE": None,
    "GIT_PREFIX": None,
}
_MOST_OUTPUT = 16 << 20


def build_job(folder: str, *words: str, seconds: float = SECONDS, stdin: bytes = b"") -> Job:
    return Job(
        ("git", "-c", "core.quotePath=false", "-c", "color.ui=false", *words),
        cwd=folder,
        seconds=seconds,
        stdin=stdin,
        env=_ENV,
        keep=_MOST_OUTPUT,
    )


def run_git(folder: str, *words: str, seconds: float = SECONDS, stdin: bytes = b"") -> str | None:
    """What git prints, or None when it fails."""
    return decode_output(run_job(build_job(folder, *words, seconds=seconds, stdin=stdin)))


def decode_output(result: ProgramResult) -> str | None:
    return result.stdout.decode("utf-8", "surrogateescape") if result.ok and not result.cut else None


def tracked_changes(top: str) -> set[str] | None:
    """Tracked files that differ from the last commit, staged or not, relative to the top directory."""
    text = run_git(
        top, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all"
    )
    return None if text is None else {entry[3:] for entry in text.split("\0") if len(entry) > 3}


def untracked_of(top: str, paths: Sequence[str]) -> set[str]:
    """Those of these paths that git neither tracks nor ignores."""
    if not paths:
        return set()
    text = run_git(top, "--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard", "--", *paths)
    return set() if text is None else {entry for entry in text.split("\0") if entry}


def committed_since(top: str, window: str) -> bool:
    """Is the last commit younger than this (a date as git writes it: `2 hours ago`)?"""
    return bool((run_git(top, "log", "-1", f"--since={window}", "--format=%h") or "").strip())


def branch_of(top: str) -> str:
    """The branch's name, "" for a detached head."""
    return (run_git(top, "symbolic-ref", "--quiet", "--short", "HEAD") or "").strip()


def is_ignored(top: str, path: str) -> bool:
    return run_job(build_job(top, "check-ignore", "--quiet", "--", path)).code == 0


def split_entries(text: str | None) -> Iterable[str]:
    """The entries of a `-z` output."""
    return [entry for entry in (text or "").split("\0") if entry]
