"""The files of the administrator's policy: which there are, whether they count, and the last good copy of them.

/etc/hookwright/policy.toml, policy.d/*.toml → [read_policy_files] → tables, or why not
A file counts only if nobody but root could have written it. The last good copy is in the user's own state directory,
since the hook process runs as the user: it holds while the administrator mends a mistake, not against the user. Cold.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright.config.config_files import stamp_files
from hookwright.errors import UserError
from hookwright.proc.atomic_write import write_atomic
from hookwright.proc.private_dir import make_private
from hookwright.proc.root_owned import why_not_root_owned
from hookwright.proc.safe_read import read_file, read_text
from hookwright.proc.safe_toml import NotToml, parse_toml

if TYPE_CHECKING:
    from hookwright.config.config_files import Stamp

CHECK = "hookwright policy check"
MAX_BYTES = 1 << 20  # of one file
MAX_FILES = 100  # in policy.d
MAIN_FILE = "policy.toml"
DROP_INS = "policy.d"


@dataclass(frozen=True)
class PolicyFile:
    """One file of the policy as it was read."""

    path: str
    text: str
    table: Mapping[str, Any]


@dataclass
class PolicyFiles:
    """What was found at the policy's place."""

    found: list[str] = field(default_factory=list)  # files that are there, whether they count or not
    files: list[PolicyFile] = field(default_factory=list)  # those that could be read and parsed
    problems: list[UserError] = field(default_factory=list)
    stamps: tuple[Stamp, ...] = ()


def read_policy_files(source: str) -> PolicyFiles:
    """Every file of the policy. `source` is a directory as /etc/hookwright, or one file."""
    result = PolicyFiles()
    watched: list[str] = []  # besides the source itself, which plan_cache watches
    paths = [source] if source and os.path.exists(source) else []
    if paths and os.path.isdir(source):
        drop_ins = os.path.join(source, DROP_INS)
        paths = [os.path.join(source, MAIN_FILE), *_list_drop_ins(drop_ins, result.problems)]
        watched = [drop_ins, *paths]
    result.stamps = stamp_files(tuple(watched))  # before anything is read
    for path in paths:
        if not os.path.lexists(path):
            continue
        result.found.append(path)
        why = why_not_root_owned(path)
        if why:
            fix = f"chown root {path}; chmod go-w {path}; the same for the directories above it"
            result.problems.append(UserError(f"the policy does not count: {why}", where=path, fix=fix))
            continue
        try:
            text = read_text(path, MAX_BYTES, "utf-8-sig")
            result.files.append(PolicyFile(path, text, parse_toml(text)))
        except (OSError, ValueError, MemoryError) as error:
            what = f"not valid TOML: {error}" if isinstance(error, NotToml) else f"cannot be read: {error}"
            result.problems.append(UserError(f"the policy is {what}", where=path, fix=CHECK))
    return result


def _list_drop_ins(folder: str, problems: list[UserError]) -> list[str]:
    try:
        names = sorted(name for name in os.listdir(folder) if name.endswith(".toml") and not name.startswith("."))
    except FileNotFoundError:
        return []
    except OSError as error:
        problems.append(UserError(f"the policy cannot be read: {error.strerror}", where=folder, fix=CHECK))
        return []
    if len(names) > MAX_FILES:
        problems.append(UserError(f"more than {MAX_FILES} policy files", where=folder, fix=CHECK))
    return [os.path.join(folder, name) for name in names[:MAX_FILES]]


def last_good_policy(state: str | None) -> str:
    """Where a copy of the last good policy is kept; "" if nowhere."""
    return f"{state}/policy.json" if state else ""


def read_last_good(kept: str, source: str) -> list[PolicyFile]:
    """The copy that was kept of the last good policy of this place; empty if there is none."""
    try:
        data = json.loads(read_file(kept, MAX_BYTES * (MAX_FILES + 1)))
        if data["source"] != source:
            return []
        return [PolicyFile(path, text, parse_toml(text)) for path, text in data["files"]]
    except (OSError, ValueError, KeyError, TypeError, RecursionError, MemoryError):
        return []


def write_last_good(kept: str, source: str, files: list[PolicyFile]) -> None:
    """Keep a copy, unless it is there already. Without a place for it nothing is kept."""
    data = json.dumps({"source": source, "files": [[file.path, file.text] for file in files]}).encode()
    try:
        if read_file(kept, len(data)) == data:
            return
    except OSError:
        pass
    try:
        if make_private(os.path.dirname(kept)):
            write_atomic(kept, data)
    except OSError:
        return
