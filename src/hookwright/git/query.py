"""Ask git by running it: without locks, prompts or a pager, in bounded time, and without running a repository's code.

directory, arguments → [run_git] → what git prints, or None: it failed, is not installed or took too long
Nothing here changes a repository. Whatever its `.git/config` names to be run (a monitor, a filter, gpg, ssh …), and
whatever a variable of git's says, stays unrun: git is taken from outside of the project, its own variables are
removed, and options on the command line come before the repository's.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.git import directory
from hookwright.proc.resolve_path import resolve_path
from hookwright.proc.run_programs import Job, run_job

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hookwright.proc.child_process import ProgramResult

SECONDS = 3.0
_MOST_OUTPUT = 16 << 20
_ENV = {
    "GIT_OPTIONAL_LOCKS": "0",  # reading must not disturb a commit that runs at the same time
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",  # a partial clone would fetch what is missing, by ssh or a helper of its choice
    "GIT_ALLOW_PROTOCOL": "",  # the same for a git that does not know the line above: no protocol at all
    "LC_ALL": "C",
}
# All other variables of git's are removed: several name programs, others another repository (Claude Code may itself
# have been started by a git hook), or a file of settings that would count as the user's.
_KEPT_VARIABLES = ("GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM")
_HOMES = ("HOME", "XDG_CONFIG_HOME")  # git's own settings of the user; not if they are in the project
# Each of these keys names a program or makes git run one. An empty value switches it off, `false` where git would
# take an empty one for a program.
_OPTIONS = (
    "core.quotePath=false",
    "color.ui=false",
    "core.fsmonitor=",
    "core.useBuiltinFSMonitor=false",
    "core.hooksPath=/dev/null",
    "core.pager=cat",
    "core.editor=false",
    "core.askPass=",
    "core.sshCommand=false",
    "core.gitProxy=",
    "core.alternateRefsCommand=false",
    "credential.helper=",
    "diff.external=",
    "log.showSignature=false",
    "gpg.program=false",
    "gpg.openpgp.program=false",
    "gpg.x509.program=false",
    "gpg.ssh.program=false",
    "protocol.allow=never",
    "protocol.ext.allow=never",
    "submodule.recurse=false",
    "status.submoduleSummary=false",
    "safe.bareRepository=explicit",
    "maintenance.auto=false",
    "gc.auto=0",
)
# Filters have names of their own, so that each has to be switched off by its name.
_FILTER_KEYS = ("clean", "smudge", "process")
_USER_SCOPES = ("system", "global")
_PROBE = "filter.hookwright.clean"  # set by us: a git that does not list it ignores GIT_CONFIG_COUNT
_REFUSAL = "the filters of the repository could not be switched off"


def build_job(folder: str, *words: str, seconds: float = SECONDS, stdin: bytes = b"") -> Job:
    """A question to git about the repository that holds this directory."""
    overrides = find_filter_overrides(folder)
    job = _build_job(folder, words, {} if overrides is None else overrides, seconds, stdin)
    job.refusal = _REFUSAL if overrides is None else ""
    return job


def _build_job(folder: str, words: Sequence[str], settings: dict[str, str], seconds: float, stdin: bytes) -> Job:
    options = [word for option in _OPTIONS for word in ("-c", option)]
    avoid = _project_dirs(folder)
    return Job(
        ("git", "--no-pager", *options, *words),
        cwd=folder,
        seconds=seconds,
        stdin=stdin,
        env=_build_env(avoid, settings),
        keep=_MOST_OUTPUT,
        avoid=avoid,
    )


def _project_dirs(folder: str) -> tuple[str, ...]:
    """The directories whose programs and settings are the project's."""
    here = resolve_path(os.path.abspath(folder))
    named = os.environ.get("CLAUDE_PROJECT_DIR", "")
    return tuple(place for place in (here, directory.find_worktree_root(here), named) if place)


def _build_env(project: Sequence[str], settings: dict[str, str]) -> dict[str, str | None]:
    env: dict[str, str | None] = {
        name: None for name in os.environ if name.startswith("GIT_") and name not in _KEPT_VARIABLES
    }
    for name in _HOMES:
        place = resolve_path(os.environ.get(name, ""))
        if any(f"{place}/".startswith(f"{root}/") for root in project):
            env[name] = None
    env |= _ENV
    env["GIT_CONFIG_COUNT"] = str(len(settings))  # not by `-c`, which cannot name a filter with `=` in its name
    for number, (key, value) in enumerate(settings.items()):
        env[f"GIT_CONFIG_KEY_{number}"], env[f"GIT_CONFIG_VALUE_{number}"] = key, value
    return env


_known_overrides: dict[str, dict[str, str] | None] = {}


def find_filter_overrides(folder: str) -> dict[str, str] | None:
    """Settings that switch off the filters which the repository's own configuration defines; None: it cannot be done.

    A filter that the user's own configuration defines (`git lfs install`) stays as the user has it.
    """
    if folder not in _known_overrides:
        _known_overrides[folder] = _read_filter_overrides(folder)
    return _known_overrides[folder]


def _read_filter_overrides(folder: str) -> dict[str, str] | None:
    words = ("config", "--null", "--show-scope", "--get-regexp", r"^filter\..*\.(clean|smudge|process|required)$")
    result = run_job(_build_job(folder, words, {_PROBE: "x"}, SECONDS, b""))
    if result.could_not_start:
        return {}  # and so will the question itself
    text = decode_output(result)
    if text is None:
        return None
    fields = text.split("\0")
    users: dict[str, str] = {}
    names = []
    probed = False
    for scope, entry in zip(fields[::2], fields[1::2], strict=False):
        key, _, value = entry.partition("\n")
        name = key.rpartition(".")[0]
        if scope in _USER_SCOPES:
            users[key] = value
        elif key == _PROBE and scope == "command":
            probed = True
        else:
            names.append(name)
    if not probed:
        return None
    off = {f"{name}.{key}": users.get(f"{name}.{key}", "") for name in names for key in _FILTER_KEYS}
    return off | {f"{name}.required": users.get(f"{name}.required", "false") for name in names}


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
    if text is None:
        return None
    found = {entry[3:] for entry in text.split("\0") if len(entry) > 3}
    return found - find_filtered(top, found)


def find_filtered(top: str, paths: Iterable[str]) -> set[str]:
    """Those of these files that git compares by a filter that is switched off: whether they changed is unknown."""
    names = {key.split(".", 1)[1].rpartition(".")[0] for key in find_filter_overrides(top) or ()}
    if not names:
        return set()
    listed = "\0".join(paths).encode("utf-8", "surrogateescape")
    fields = split_entries(run_git(top, "check-attr", "-z", "--stdin", "filter", stdin=listed) if listed else "")
    return {path for path, _, name in zip(*[iter(fields)] * 3, strict=False) if name in names}


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


def split_entries(text: str | None) -> list[str]:
    """The entries of a `-z` output."""
    return [entry for entry in (text or "").split("\0") if entry]
