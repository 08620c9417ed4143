"""Run the project's own checks when they are due, and remember which have passed.

[[stop_guard.checks]] → due (this session changed their files since the last pass) → run in parallel → passed | failed
A pass is stored with the content of the files, so a commit, a second session or a restart does not repeat the check.
"""

from __future__ import annotations

import json
import os
import stat
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hookwright.git import directory, query
from hookwright.hooks.clean_text import last_lines, one_line, truncate_text
from hookwright.hooks.file_patterns import matches_patterns
from hookwright.proc.atomic_write import write_atomic
from hookwright.proc.run_programs import Job, run_jobs
from hookwright.proc.safe_read import FileTooLarge, read_file, read_text
from hookwright.store.paths import make_private, project_dir

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookwright.hooks.session_files import SessionFiles
    from hookwright.proc.child_process import ProgramResult

INSIDE = "HOOKWRIGHT_INSIDE_CHECK"  # set for checks, so that a Claude Code that a check starts is not checked
_MAX_BYTES = 4 << 20  # of the passes of one project
_TAIL_LINES = 40
_TAIL_CHARS = 3000
_KEPT_PASSES = 16
_GIT_S = 10.0
_MOST_HASHED = 4 << 20  # bytes of one file that git is asked about
_MOST_READ = 256 << 20  # bytes of one file outside of a repository
_MOST_FILES = 5000


class Check:
    """One row of [[stop_guard.checks]]."""

    __slots__ = ("command", "files", "name", "timeout", "when")

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.command: str | tuple[str, ...] = row["command"]
        words = self.command if isinstance(self.command, str) else " ".join(self.command)
        self.name: str = row["name"] or truncate_text(one_line(words, 60), 60)
        self.files: tuple[str, ...] = row["files"]
        self.timeout: int = row["timeout"]
        self.when: tuple[str, ...] = row["when"]

    @property
    def cache_key(self) -> str:
        """Changes whenever the meaning of the check does."""
        return sha256(json.dumps([self.command, self.files]).encode()).hexdigest()[:24]


class DueCheck:
    """A check to run, and a hash of the content that it checks."""

    __slots__ = ("check", "content", "result")

    def __init__(self, check: Check, content: str) -> None:
        self.check = check
        self.content = content
        self.result: ProgramResult | None = None

    @property
    def output_tail(self) -> str:
        assert self.result
        both = self.result.stdout.rstrip(b"\n") + b"\n" + self.result.stderr
        return last_lines(both, _TAIL_LINES, _TAIL_CHARS)

    @property
    def exit_summary(self) -> str:
        """How it ended, to follow the check's name: `failed with exit code 1`."""
        assert self.result
        return self.result.problem or f"failed with exit code {self.result.code}"


def find_due_checks(checks: Sequence[Check], root: str, touched: SessionFiles, passes: PassedChecks) -> list[DueCheck]:
    """The checks whose files this session changed and that have not passed with this content."""
    if not checks or touched.is_empty:
        return []
    contents = _hash_files(root, touched, checks)
    found = []
    for check in checks:
        files = {path: content for path, content in contents.items() if matches_patterns(check.files, path)}
        if any(touched.wrote_file(os.path.join(root, path)) for path in files):
            content = _combine_hashes(files)
            if not passes.has_passed(check, content):
                found.append(DueCheck(check, content))
    return found


def run_checks(all_due: Sequence[DueCheck], root: str) -> None:
    """Run them in parallel and store each result."""
    jobs = [
        Job(
            one.check.command,
            cwd=root,
            seconds=one.check.timeout,
            env={INSIDE: "1", "CLAUDE_PROJECT_DIR": root},
            keep_head=False,
        )
        for one in all_due
    ]
    for one, result in zip(all_due, run_jobs(jobs), strict=True):
        one.result = result


class PassedChecks:
    """Which checks have passed in this project, and with which contents."""

    def __init__(self, state: str | None, root: str) -> None:
        self._path = f"{project_dir(state, root)}/checks.json" if state else ""
        self._known: dict[str, list[str]] = {}
        try:
            known = json.loads(read_text(self._path, _MAX_BYTES))
        except (OSError, ValueError):
            return
        if isinstance(known, dict):
            self._known = {name: list(passed) for name, passed in known.items() if isinstance(passed, list)}

    def has_passed(self, check: Check, content: str) -> bool:
        return content in self._known.get(check.cache_key, ())

    def record_pass(self, check: Check, content: str) -> None:
        passed = [old for old in self._known.pop(check.cache_key, []) if old != content]
        self._known[check.cache_key] = [*passed, content][-_KEPT_PASSES:]
        while len(self._known) > _KEPT_PASSES:
            del self._known[next(iter(self._known))]
        if not self._path or not make_private(os.path.dirname(self._path)):
            return
        try:
            write_atomic(self._path, json.dumps(self._known).encode())
        except OSError:
            return  # not stored: the check runs once more than needed


def _hash_files(root: str, touched: SessionFiles, checks: Sequence[Check]) -> dict[str, str]:
    """Every file that a check covers, relative to the root, with an identifier of its content.

    In a repository these are git's own object ids, which a commit does not change.
    """
    if directory.find_worktree_root(root):
        found = _hash_git_files(root, checks)
        if found is not None:
            return found
    inside = [path for path in touched.edited | touched.named if path.startswith(root + "/")]
    return {path[len(root) + 1 :]: _hash_file(path) for path in inside if os.path.isfile(path)}


def _hash_git_files(root: str, checks: Sequence[Check]) -> dict[str, str] | None:
    tracked, changed, new = (
        query.decode_output(result)
        for result in run_jobs(
            [
                query.build_job(root, "ls-files", "-z", "--stage", seconds=_GIT_S),
                query.build_job(
                    root, "diff-files", "-z", "--name-only", "--relative", "--ignore-submodules", seconds=_GIT_S
                ),
                query.build_job(root, "ls-files", "-z", "--others", "--exclude-standard", seconds=_GIT_S),
            ]
        )
    )
    if tracked is None or changed is None or new is None:
        return None
    found = {}
    for entry in query.split_entries(tracked):
        head, _, path = entry.partition("\t")
        found[path] = head.split(" ")[1]
    changed_files = [*query.split_entries(changed), *query.split_entries(new)]
    for path in changed_files:
        found.pop(path, None)
    wanted = [path for path in changed_files if any(matches_patterns(check.files, path) for check in checks)]
    named = _git_object_ids(root, wanted)
    return None if named is None else {**found, **named}


def _git_object_ids(root: str, paths: Sequence[str]) -> dict[str, str] | None:
    """Git's object ids of these files; size and modification time for large ones and beyond `_MOST_FILES`."""
    found: dict[str, str] = {}
    small: list[str] = []
    for path in paths:
        try:
            seen = os.stat(os.path.join(root, path))
        except OSError:  # deleted: its absence is its content
            continue
        if not stat.S_ISREG(seen.st_mode):
            continue
        if seen.st_size > _MOST_HASHED or len(small) >= _MOST_FILES or "\n" in path:
            found[path] = f"{seen.st_size} {seen.st_mtime_ns}"
        else:
            small.append(path)
    if small:
        listed = "\n".join(small).encode("utf-8", "surrogateescape")
        names = query.run_git(root, "hash-object", "--stdin-paths", seconds=_GIT_S, stdin=listed)
        if names is None:
            return None
        found.update(zip(small, names.split(), strict=True))
    return found


def _hash_file(path: str) -> str:
    try:
        return sha256(read_file(path, _MOST_READ)).hexdigest()
    except FileTooLarge:
        seen = os.stat(path)
        return f"{seen.st_size} {seen.st_mtime_ns}"
    except OSError:
        return "unreadable"


def _combine_hashes(files: Mapping[str, str]) -> str:
    text = "\0".join(f"{path}\n{content}" for path, content in sorted(files.items()))
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
