"""Work of this session that waits for a commit, repository by repository.

Touched → [unfinished] → files, branch, a subject to commit them with
Leaves out what others changed, what git ignores, untracked files that no file tool of ours wrote, and repositories
in which somebody committed lately.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.work import git, gitdir

if TYPE_CHECKING:
    from hookwright.work.touched import Touched

_MOST_REPOSITORIES = 5
_MOST_PATHS = 500  # handed to git in one call
_NOISE = (".log", ".tmp", ".swp", ".pyc", ".orig", ".rej", "~", "/.DS_Store", ".bak")


class Unfinished:
    """Files in one repository that this session changed and nobody has committed."""

    __slots__ = ("branch", "files", "top")

    def __init__(self, top: str, files: list[str], branch: str) -> None:
        self.top = top
        self.files = files  # from the top folder on, sorted
        self.branch = branch


def unfinished(touched: Touched, folders: list[str], recent_window: str) -> list[Unfinished]:
    """One entry for each repository with open work of ours; `folders` are looked at besides the touched files."""
    found = []
    for top in _repositories(touched, folders)[:_MOST_REPOSITORIES]:
        files = _open_files(touched, top)
        if files and not git.committed_since(top, recent_window):
            found.append(Unfinished(top, files, git.branch_of(top)))
    return found


def _repositories(touched: Touched, folders: list[str]) -> list[str]:
    tops: list[str] = []
    near = [os.path.dirname(path) for path in sorted(touched.edited | touched.named)]
    for folder in (*near, *folders, *touched.folders) if not touched.nothing else ():
        top = gitdir.top_of(os.path.realpath(folder))
        if top and top not in tops:
            tops.append(top)
    return tops


def _open_files(touched: Touched, top: str) -> list[str]:
    changed = git.tracked_changes(top)
    if changed is None:  # no git, or it took too long
        return []
    ours = {path for path in changed if touched.wrote(f"{top}/{path}")}
    # Of untracked files only those count that a file tool wrote: commands leave logs and build products behind.
    written = [path[len(top) + 1 :] for path in sorted(touched.edited) if path.startswith(top + "/")]
    untracked = git.untracked_of(top, [path for path in written if path not in changed][:_MOST_PATHS])
    return sorted(ours | {path for path in untracked if not f"/{path}".endswith(_NOISE)})


def suggested_subject(branch: str) -> str:
    """A subject for the commit, from the branch's own words: `fix/123-login-loop` → `Login loop (#123)`."""
    words, issue = _words_and_issue(branch.rpartition("/")[2])
    if not words:
        return ""
    subject = " ".join(words)
    return subject[0].upper() + subject[1:] + (f" ({issue})" if issue else "")


def issue_of(branch: str) -> str:
    """The issue that a branch names: `#123`, `ABC-45` or ""."""
    return _words_and_issue(branch.rpartition("/")[2])[1]


def _words_and_issue(name: str) -> tuple[list[str], str]:
    parts = [part for part in name.replace("_", "-").split("-") if part]
    for place, part in enumerate(parts):
        number = part.lstrip("#")
        if not (number.isdecimal() and len(number) <= 7) or any(other.isdecimal() for other in parts[place + 1 :]):
            continue  # no number, or a date or a version
        before = parts[place - 1] if place else ""
        if before.isalpha() and before.isupper() and 2 <= len(before) <= 10:
            return parts[: place - 1] + parts[place + 1 :], f"{before}-{number}"
        rest = parts[:place] + parts[place + 1 :]
        if before.lower() in ("issue", "gh", "bug", "ticket"):
            rest = parts[: place - 1] + parts[place + 1 :]
        return rest, f"#{number}"
    return (parts, "") if len(parts) > 1 else ([], "")
