"""Questions to git, asked without locks, prompts or a pager, and in bounded time.

Nothing here changes a repository. Without git, or when it takes too long, the answer is None: unknown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from hookwright.work.programs import Job, Result, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

SECONDS = 3.0
_ENV = {
    "GIT_OPTIONAL_LOCKS": "0",  # a look must not disturb a commit that runs at the same time
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
    # Claude Code may itself have been started by a git hook, whose variables point at another repository.
    "GIT_DIR": None,
    "GIT_WORK_TREE": None,
    "GIT_INDEX_FILE": None,
    "GIT_PREFIX": None,
}
_MOST_OUTPUT = 16 << 20


def job(folder: str, *words: str, seconds: float = SECONDS, stdin: bytes = b"") -> Job:
    return Job(
        ("git", "-c", "core.quotePath=false", "-c", "color.ui=false", *words),
        cwd=folder,
        seconds=seconds,
        stdin=stdin,
        env=_ENV,
        keep=_MOST_OUTPUT,
    )


def ask(folder: str, *words: str, seconds: float = SECONDS, stdin: bytes = b"") -> str | None:
    """What git prints, or None when it fails."""
    return text_of(run([job(folder, *words, seconds=seconds, stdin=stdin)])[0])


def text_of(result: Result) -> str | None:
    return result.stdout.decode("utf-8", "surrogateescape") if result.ok and not result.cut else None


def tracked_changes(top: str) -> set[str] | None:
    """Tracked files that differ from the last commit, staged or not, from the top folder on."""
    text = ask(top, "status", "--porcelain", "-z", "--no-renames", "--untracked-files=no", "--ignore-submodules=all")
    return None if text is None else {entry[3:] for entry in text.split("\0") if len(entry) > 3}


def untracked_of(top: str, paths: Sequence[str]) -> set[str]:
    """Those of these paths that git neither tracks nor ignores."""
    if not paths:
        return set()
    text = ask(top, "--literal-pathspecs", "ls-files", "-z", "--others", "--exclude-standard", "--", *paths)
    return set() if text is None else {entry for entry in text.split("\0") if entry}


def committed_since(top: str, window: str) -> bool:
    """Is the last commit younger than this (a date in git's words: `2 hours ago`)?"""
    return bool((ask(top, "log", "-1", f"--since={window}", "--format=%h") or "").strip())


def branch_of(top: str) -> str:
    """The branch's name, "" for a detached head."""
    return (ask(top, "symbolic-ref", "--quiet", "--short", "HEAD") or "").strip()


def is_ignored(top: str, path: str) -> bool:
    return run([job(top, "check-ignore", "--quiet", "--", path)])[0].code == 0


def split(text: str | None) -> Iterable[str]:
    """The entries of a `-z` output."""
    return [entry for entry in (text or "").split("\0") if entry]
