"""Find uncommitted work of this session, repository by repository.

SessionFiles → [find_uncommitted] → files, branch, a subject for the commit
Leaves out what others changed, what git ignores, untracked files that no file tool of this session wrote, and
repositories with a recent commit.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.git import directory, query

if TYPE_CHECKING:
    from hookwright.hooks.session_files import SessionFiles

_MOST_REPOSITORIES = 5
_MOST_PATHS = 500  # arguments of one git call
_NOISE = (".log", ".tmp", ".swp", ".pyc", ".orig", ".rej", "~", "/.DS_Store", ".bak")


class UncommittedWork:
    """Files in one repository that this session changed and that are not committed."""

    __slots__ = ("branch", "files", "top")

    def __init__(self, top: str, files: list[str], branch: str) -> None:
        self.top = top
        self.files = files  # relative to the top level, sorted
        self.branch = branch


def find_uncommitted(touched: SessionFiles, folders: list[str], recent_window: str) -> list[UncommittedWork]:
    """One entry per repository with uncommitted work; `folders` are searched besides the session's own files."""
    found = []
    for top in _find_repositories(touched, folders)[:_MOST_REPOSITORIES]:
        files = _uncommitted_files(touched, top)
        if files and not query.committed_since(top, recent_window):
            found.append(UncommittedWork(top, files, query.branch_of(top)))
    return found


def _find_repositories(touched: SessionFiles, folders: list[str]) -> list[str]:
    tops: list[str] = []
    near = [os.path.dirname(path) for path in sorted(touched.edited | touched.named)]
    for folder in (*near, *folders, *touched.folders) if not touched.is_empty else ():
        top = directory.find_worktree_root(os.path.realpath(folder))
        if top and top not in tops:
            tops.append(top)
    return tops


def _uncommitted_files(touched: SessionFiles, top: str) -> list[str]:
    changed = query.tracked_changes(top)
    if changed is None:  # no git, or it took too long
        return []
    ours = {path for path in changed if touched.wrote_file(f"{top}/{path}")}
    # Untracked files count only if a file tool wrote them: commands leave logs and build products behind.
    written = [path[len(top) + 1 :] for path in sorted(touched.edited) if path.startswith(top + "/")]
    untracked = query.untracked_of(top, [path for path in written if path not in changed][:_MOST_PATHS])
    return sorted(ours | {path for path in untracked if not f"/{path}".endswith(_NOISE)})


def suggest_subject(branch: str) -> str:
    """A commit subject from the name of the branch: `fix/123-login-loop` → `Login loop (#123)`."""
    words, issue = _parse_branch(branch.rpartition("/")[2])
    if not words:
        return ""
    subject = " ".join(words)
    return subject[0].upper() + subject[1:] + (f" ({issue})" if issue else "")


def issue_of(branch: str) -> str:
    """The issue in the name of a branch: `#123`, `ABC-45` or ""."""
    return _parse_branch(branch.rpartition("/")[2])[1]


def _parse_branch(name: str) -> tuple[list[str], str]:
    parts = [part for part in name.replace("_", "-").split("-") if part]
    for place, part in enumerate(parts):
        number = part.lstrip("#")
        if not (number.isdecimal() and len(number) <= 7) or any(other.isdecimal() for other in parts[place + 1 :]):
            continue  # not an issue: no number, or part of a date or a version
        before = parts[place - 1] if place else ""
        if before.isalpha() and before.isupper() and 2 <= len(before) <= 10:
            return parts[: place - 1] + parts[place + 1 :], f"{before}-{number}"
        rest = parts[:place] + parts[place + 1 :]
        if before.lower() in ("issue", "gh", "bug", "ticket"):
            rest = parts[: place - 1] + parts[place + 1 :]
        return rest, f"#{number}"
    return (parts, "") if len(parts) > 1 else ([], "")
