"""Find the installed Claude Code clients and ask each for its version.

PATH, home → [find_clients] → clients, the one that a shell would start first → install, verify, status
`claude --version` needs no network; it is started outside of the project, with a clean environment and a deadline. What
it said is kept by path, time and size of the file, so that it is asked once a version. No file of a project is started.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hookwright.proc.atomic_write import write_atomic
from hookwright.proc.find_program import clean_search_path, find_program
from hookwright.proc.private_dir import make_private
from hookwright.proc.run_programs import Job, run_jobs
from hookwright.proc.safe_read import read_text
from hookwright.protocol.client_versions import (
    Version,
    format_version,
    least_version,
    newest_version,
    parse_version,
)

PROGRAM = "claude"
# Where the client's own installers put it; searched if PATH has none.
USUAL_DIRECTORIES = ("~/.local/bin", "~/.claude/local")
MOST_CLIENTS = 4
DEADLINE_S = 10.0
CACHE_FILE = "clients.json"
CACHE_BYTES = 64 << 10
MOST_KEPT = 32
STATED_FILE = "client-version"
# The client is one large file. A small one is a wrapper or a version manager's shim, which stays the same when what it
# starts is replaced.
WRAPPER_BYTES = 1 << 20
WRAPPER_KEPT_S = 3600.0
KEPT_VARIABLES = ("HOME", "LANG", "LC_ALL", "TMPDIR", "USER")
QUIET = {"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1", "DISABLE_TELEMETRY": "1"}


@dataclass(frozen=True, slots=True)
class Client:
    """An installed client. `version` is None if it did not tell; `problem` says why."""

    path: str
    version: Version | None
    problem: str = ""


def find_clients(environment: Mapping[str, str], projects: Sequence[str], cache: str | None) -> list[Client]:
    """The installed clients, the one that a shell would start first.

    `projects`: directories whose files are not started. `cache`: a directory of ours.
    """
    home = environment.get("HOME", "")
    avoid = [project for project in projects if not _is_below(home, project)]  # a home directory is no clone
    path = environment.get("PATH")
    usual = ":".join(place.replace("~", home, 1) for place in USUAL_DIRECTORIES)
    found = _list_programs(path, avoid) or _list_programs(usual, avoid)
    return _ask_versions(found[:MOST_CLIENTS], environment, clean_search_path(path, avoid), cache)


def _list_programs(path: str | None, avoid: Sequence[str]) -> list[str]:
    """Every client on this path, each real file once; none that lies in a directory to avoid, or leads there."""
    found: dict[str, str] = {}
    for folder in clean_search_path(path, avoid).split(":"):
        candidate = find_program(PROGRAM, folder)
        real = os.path.realpath(candidate)
        if candidate and not any(_is_below(real, project) for project in avoid):
            found.setdefault(real, candidate)
    return list(found.values())


def _is_below(path: str, directory: str) -> bool:
    """True if the path, without symlinks, is this directory or lies in it."""
    return (os.path.realpath(path) + "/").startswith(os.path.realpath(directory).rstrip("/") + "/")


def _ask_versions(paths: Sequence[str], environment: Mapping[str, str], search: str, cache: str | None) -> list[Client]:
    """Ask those whose version is not known yet, all at once."""
    known = _VersionCache(cache)
    clients = {path: Client(path, version) for path in paths if (version := known.get(path)) is not None}
    asked = [path for path in paths if path not in clients]
    kept = {name: environment[name] for name in KEPT_VARIABLES if name in environment}
    env: dict[str, str | None] = {**dict.fromkeys(os.environ), **kept, **QUIET, "PATH": search}
    jobs = [Job([path, "--version"], cwd="/", seconds=DEADLINE_S, env=env, keep=4096) for path in asked]
    for path, result in zip(asked, run_jobs(jobs), strict=True):
        version = parse_version(result.stdout.decode("utf-8", "replace")) if result.ok else None
        if version is None:
            clients[path] = Client(path, None, result.problem or "printed no version")
        else:
            clients[path] = Client(path, version)
            known.put(path, version)
    known.save()
    return [clients[path] for path in paths]


class _VersionCache:
    """What each file said: real path → time of change, size, version, time of asking."""

    def __init__(self, directory: str | None) -> None:
        self._directory = directory
        self._rows: dict[str, Any] = {}
        self._changed = False
        if directory is not None and os.path.isdir(directory) and make_private(directory):  # nothing is made here
            with contextlib.suppress(OSError, ValueError, RecursionError):
                rows = json.loads(read_text(os.path.join(directory, CACHE_FILE), CACHE_BYTES))
                self._rows = rows if isinstance(rows, dict) else {}

    def get(self, path: str) -> Version | None:
        real, stamp = self._stamp(path)
        row = self._rows.get(real)
        if not isinstance(row, list) or len(row) != 4 or row[:2] != stamp or not isinstance(row[3], (int, float)):
            return None
        fresh = 0 <= time.time() - row[3] < WRAPPER_KEPT_S
        return parse_version(str(row[2])) if fresh or row[1] >= WRAPPER_BYTES else None

    def put(self, path: str, version: Version) -> None:
        real, stamp = self._stamp(path)
        self._rows.pop(real, None)
        self._rows[real] = [*stamp, format_version(version), int(time.time())]
        self._changed = True

    def save(self) -> None:
        if not self._changed or self._directory is None or not make_private(self._directory):
            return
        kept = dict(list(self._rows.items())[-MOST_KEPT:])
        with contextlib.suppress(OSError):
            write_atomic(os.path.join(self._directory, CACHE_FILE), json.dumps(kept).encode())

    @staticmethod
    def _stamp(path: str) -> tuple[str, list[int]]:
        real = os.path.realpath(path)
        try:
            found = os.stat(real)
        except OSError:
            return real, [0, 0]
        return real, [found.st_mtime_ns, found.st_size]


# --- what it means for a session
@dataclass(frozen=True, slots=True)
class SessionClient:
    """The client whose settings these are. `supported` is None if nobody knows its version."""

    path: str | None = None
    version: Version | None = None
    oldest: Version | None = None  # of all clients that read these settings; only what it knows is registered
    note: str = ""
    is_stated: bool = False  # by the user, with --client-version

    @property
    def supported(self) -> bool | None:
        return None if self.version is None else self.version >= least_version()

    @property
    def name(self) -> str:
        return f"Claude Code {format_version(self.version)}" if self.version else "Claude Code"

    def as_json(self) -> dict[str, Any]:
        version = format_version(self.version) if self.version else None
        return {"path": self.path, "version": version, "supported": self.supported, "note": self.note or None}


def describe_client(clients: Sequence[Client], stated: Version | None = None) -> SessionClient:
    """The client to register for. `stated`: the user has said which version it is, which nobody checks."""
    path = clients[0].path if clients else None
    if stated is not None:
        return SessionClient(path, stated, stated, "as given with --client-version", is_stated=True)
    if not clients:
        newest = format_version(newest_version())
        note = f"Claude Code was not found; the entries suit {newest} (another version: --client-version)"
        return SessionClient(note=note)
    first = clients[0]
    versions = [client.version for client in clients if client.version is not None]
    oldest = min(versions, default=None)
    if first.version is None:
        taken = format_version(oldest or newest_version())
        note = f"its version is unknown: `claude --version` {first.problem}; "
        note += f"the entries suit {taken} (another version: --client-version)"
        return SessionClient(path, None, oldest, note)
    note = ""
    if first.version < least_version():
        note = f"older than {format_version(least_version())}, the oldest version that hookwright supports"
    elif oldest is not None and oldest < first.version:
        other = next(client for client in clients if client.version == oldest)
        note = f"{other.path} is {format_version(oldest)} and reads the same settings: only what it knows is registered"
    return SessionClient(path, first.version, oldest, note)


# --- what the user said with --client-version
def read_stated_version(state: str) -> Version | None:
    """The version that the user gave; it counts until an install that asks the client itself."""
    try:
        return parse_version(read_text(os.path.join(state, STATED_FILE), CACHE_BYTES))
    except (OSError, ValueError):
        return None


def save_stated_version(state: str, version: Version | None) -> None:
    path = os.path.join(state, STATED_FILE)
    if version is None:
        with contextlib.suppress(OSError):
            os.unlink(path)
    elif make_private(state):
        write_atomic(path, format_version(version).encode(), durable=True)
