"""The project's own checks: which are due, running them, and remembering what has passed.

[[stop.checks]] → due (files of ours changed since the last pass) → run at once → passed | failed | cannot start
A pass belongs to the content of the files, so a commit, a second session or a restart does not ask for it again.
"""

from __future__ import annotations

import json
import os
import stat
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from hookwright.state.paths import make_private, project_dir
from hookwright.work import git, gitdir
from hookwright.work.patterns import matches
from hookwright.work.programs import Job, run
from hookwright.work.words import cut, one_line, tail

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hookwright.work.programs import Result
    from hookwright.work.touched import Touched

INSIDE = "HOOKWRIGHT_INSIDE_CHECK"  # set for checks: a Claude Code that a check starts is not checked again
_TAIL_LINES = 40
_TAIL_CHARS = 3000
_KEPT_PASSES = 16
_GIT_S = 10.0
_MOST_HASHED = 4 << 20  # bytes of one file
_MOST_FILES = 5000


class Check:
    """One row of [[stop.checks]]."""

    __slots__ = ("command", "files", "name", "timeout", "when")

    def __init__(self, row: Mapping[str, Any]) -> None:
        self.command: str | tuple[str, ...] = row["command"]
        words = self.command if isinstance(self.command, str) else " ".join(self.command)
        self.name: str = row["name"] or cut(one_line(words, 60), 60)
        self.files: tuple[str, ...] = row["files"]
        self.timeout: int = row["timeout"]
        self.when: tuple[str, ...] = row["when"]

    @property
    def identity(self) -> str:
        """Changes when the check means something else."""
        return sha256(json.dumps([self.command, self.files]).encode()).hexdigest()[:24]


class Due:
    """A check to run, and the content that it would judge."""

    __slots__ = ("check", "content", "result")

    def __init__(self, check: Check, content: str) -> None:
        self.check = check
        self.content = content
        self.result: Result | None = None

    @property
    def output(self) -> str:
        assert self.result
        both = self.result.stdout.rstrip(b"\n") + b"\n" + self.result.stderr
        return tail(both, _TAIL_LINES, _TAIL_CHARS)

    @property
    def ending(self) -> str:
        """How it ended, after the check's name: `failed with exit code 1`."""
        assert self.result
        return self.result.problem or f"failed with exit code {self.result.code}"


def due(checks: Sequence[Check], root: str, touched: Touched, passes: Passes) -> list[Due]:
    """The checks whose files this session changed and that have not passed with this content."""
    if not checks or touched.nothing:
        return []
    contents = _contents(root, touched, checks)
    found = []
    for check in checks:
        files = {path: content for path, content in contents.items() if matches(check.files, path)}
        if any(touched.wrote(os.path.join(root, path)) for path in files):
            content = _digest(files)
            if not passes.has(check, content):
                found.append(Due(check, content))
    return found


def run_all(all_due: Sequence[Due], root: str) -> None:
    """Run them at the same time; each gets its result."""
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
    for one, result in zip(all_due, run(jobs), strict=True):
        one.result = result


class Passes:
    """What has passed in this project: check → the contents that it passed with."""

    def __init__(self, state: str | None, root: str) -> None:
        self._path = f"{project_dir(state, root)}/checks.json" if state else ""
        self._known: dict[str, list[str]] = {}
        try:
            with open(self._path, encoding="utf-8") as file:
                known = json.load(file)
        except (OSError, ValueError):
            return
        if isinstance(known, dict):
            self._known = {name: list(passed) for name, passed in known.items() if isinstance(passed, list)}

    def has(self, check: Check, content: str) -> bool:
        return content in self._known.get(check.identity, ())

    def add(self, check: Check, content: str) -> None:
        passed = [old for old in self._known.pop(check.identity, []) if old != content]
        self._known[check.identity] = [*passed, content][-_KEPT_PASSES:]
        while len(self._known) > _KEPT_PASSES:
            del self._known[next(iter(self._known))]
        if not self._path or not make_private(os.path.dirname(self._path)):
            return
        draft = f"{self._path}.{os.getpid()}"
        try:
            with open(draft, "w", encoding="utf-8") as file:
                json.dump(self._known, file)
            os.replace(draft, self._path)
        except OSError:
            return  # not remembered: the check runs once more than needed


def _contents(root: str, touched: Touched, checks: Sequence[Check]) -> dict[str, str]:
    """Every file that a check looks at, from the project's root on, with what identifies its content.

    In a repository these are git's own object names, which a commit does not change.
    """
    if gitdir.top_of(root):
        found = _git_contents(root, checks)
        if found is not None:
            return found
    inside = [path for path in touched.edited | touched.named if path.startswith(root + "/")]
    return {path[len(root) + 1 :]: _hash(path) for path in inside if os.path.isfile(path)}


def _git_contents(root: str, checks: Sequence[Check]) -> dict[str, str] | None:
    tracked, changed, new = (
        git.text_of(result)
        for result in run(
            [
                git.job(root, "ls-files", "-z", "--stage", seconds=_GIT_S),
                git.job(root, "diff-files", "-z", "--name-only", "--relative", "--ignore-submodules", seconds=_GIT_S),
                git.job(root, "ls-files", "-z", "--others", "--exclude-standard", seconds=_GIT_S),
            ]
        )
    )
    if tracked is None or changed is None or new is None:
        return None
    found = {}
    for entry in git.split(tracked):
        head, _, path = entry.partition("\t")
        found[path] = head.split(" ")[1]
    loose = [*git.split(changed), *git.split(new)]
    for path in loose:
        found.pop(path, None)
    wanted = [path for path in loose if any(matches(check.files, path) for check in checks)]
    named = _object_names(root, wanted)
    return None if named is None else {**found, **named}


def _object_names(root: str, paths: Sequence[str]) -> dict[str, str] | None:
    """What git would call the content of these files; of large ones, and of very many, size and time stand for it."""
    found: dict[str, str] = {}
    small: list[str] = []
    for path in paths:
        try:
            seen = os.stat(os.path.join(root, path))
        except OSError:  # deleted: that it is missing is its content
            continue
        if not stat.S_ISREG(seen.st_mode):
            continue
        if seen.st_size > _MOST_HASHED or len(small) >= _MOST_FILES or "\n" in path:
            found[path] = f"{seen.st_size} {seen.st_mtime_ns}"
        else:
            small.append(path)
    if small:
        listed = "\n".join(small).encode("utf-8", "surrogateescape")
        names = git.ask(root, "hash-object", "--stdin-paths", seconds=_GIT_S, stdin=listed)
        if names is None:
            return None
        found.update(zip(small, names.split(), strict=True))
    return found


def _hash(path: str) -> str:
    try:
        with open(path, "rb") as file:
            return sha256(file.read()).hexdigest()
    except OSError:
        return "unreadable"


def _digest(files: Mapping[str, str]) -> str:
    text = "\0".join(f"{path}\n{content}" for path, content in sorted(files.items()))
    return sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
