"""Whether the session itself made what is to be deleted, or edited what is to be discarded.

marks of the session + the disk → [is_scratch, owns_edits] → True: nothing is lost that was there before
The record alone proves nothing: a folder counts only if it is still the one that was made (device, inode), no link, no
mount, and if nothing in it is older than itself. What was moved into it from elsewhere is older, or voids the record.
"""

from __future__ import annotations

import posix

from hookwright.hooks.command_guard.file_access import resolve_path
from hookwright.hooks.command_guard.path_kinds import BUILT
from hookwright.store.session_marks import Marks, hash_blob, read_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call

SLACK_S = 1.0  # the clock of file systems is coarse
MAX_ENTRIES = 20_000  # that are looked at below a folder; more is not known to be harmless
MAX_FILES = 20  # of one `git checkout`
MAX_INDEX = 64 << 20
_KIND, _LINK, _DIRECTORY, _REGULAR = 0o170000, 0o120000, 0o040000, 0o100000
_ENTRY = 62  # bytes before the path in an entry of git's index
WILD = frozenset("*?[{")


class SessionKnowledge:
    """The marks of one session, compared with the disk."""

    def __init__(self, state: str | None, session: str, home: str, cwd: str) -> None:
        self.marks: Marks = read_marks(state, session)
        self.home = home
        self.cwd = cwd
        self.used: list[str] = []  # paths that were found to be the session's own

    @property
    def is_empty(self) -> bool:
        return not (self.marks.made or self.marks.edits)

    def is_scratch(self, path: str, cwd: str = "") -> bool:
        """Whether everything at this path was made in this session."""
        path = normalize(path, cwd or self.cwd, self.home)
        wild = path.rpartition("/")[2]
        if not WILD.isdisjoint(path):
            path = path.rpartition("/")[0]
            if not WILD.isdisjoint(path) or wild in (".*", ".", ".."):
                return False
        root = path
        while len(root) > 1 and root not in self.marks.made:
            root = root[: root.rfind("/")]
        if root not in self.marks.made:
            return False
        since, device, inode = self.marks.made[root]
        try:
            found = posix.lstat(root)
            parent = posix.lstat(root[: root.rfind("/")] or "/")
        except (OSError, ValueError):
            return False
        if (found.st_dev, found.st_ino) != (device, inode) or found.st_mode & _KIND == _LINK or parent.st_dev != device:
            return False
        if not is_younger(path, since - SLACK_S, device) or has_mount(path):
            return False
        self.used.append(path)
        return True

    def owns_edits(self, call: Call) -> bool:
        """Whether `git checkout FILE` or `git restore FILE` discards nothing but edits of this session."""
        if call.verb not in ("checkout", "restore") or call.has_flag(
            "-f", "--force", "--staged", "-S", "-s", "--source"
        ):
            return False
        words: list[str] = list(call.words)
        names = list(call.words[words.index("--") + 1 :]) if "--" in words else call.operands()[1:]
        before = words[: words.index("--")] if "--" in words else words
        if "--" in words and any(word[:1] != "-" for word in before[before.index(call.verb) + 1 :]):
            return False  # a commit
        paths = [call.path(name) for name in names]
        if not paths or len(paths) > MAX_FILES or any(any(c in WILD for c in name) for name in names):
            return False
        return all(path is not None and self.owns_edit(normalize(path, self.cwd, self.home)) for path in paths)

    def owns_edit(self, path: str) -> bool:
        """The file was as in git's index before the session's first edit, and only the session has changed it since."""
        edits = self.marks.edits.get(path)
        if not edits or any(edits[at][1] != edits[at + 1][0] for at in range(len(edits) - 1)):
            return False
        if edits[0][0] != find_index_id(path) or edits[-1][1] != hash_blob(path):
            return False
        self.used.append(path)
        return True


def normalize(path: str, cwd: str, home: str) -> str:
    """Absolute, links in the directories resolved; the last part as it is, so that a link stays a link."""
    if home and (path == "~" or path[:2] == "~/"):
        path = home + path[1:]
    if path[:1] != "/":
        path = f"{cwd}/{path}"
    path = resolve_path(path, links=False)
    head, _, name = path.rpartition("/")
    return f"{resolve_path(head or '/').rstrip('/')}/{name}"


def is_younger(path: str, since: float, device: int) -> bool:
    """Whether nothing at or below the path was changed before that time, and all of it is on this device."""
    try:
        found = posix.lstat(path)
    except (OSError, ValueError):
        return True  # not there: nothing to lose
    if found.st_ctime < since or found.st_dev != device:
        return False
    if found.st_mode & _KIND != _DIRECTORY:
        return True
    folders, left = [path], MAX_ENTRIES
    while folders:
        try:
            with posix.scandir(folders.pop()) as entries:
                for entry in entries:
                    left -= 1
                    found = entry.stat(follow_symlinks=False)
                    if left < 0 or found.st_ctime < since or found.st_dev != device:
                        return False
                    if found.st_mode & _KIND == _DIRECTORY and entry.name not in BUILT:
                        folders.append(entry.path)
        except OSError:
            return False
    return True


def has_mount(path: str) -> bool:
    """Whether something is mounted at the path or below it."""
    try:
        descriptor = posix.open("/proc/self/mountinfo", posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return False  # another system; the device was compared
    try:
        data = b""
        while len(data) < 4 << 20:
            piece = posix.read(descriptor, 1 << 16)
            if not piece:
                break
            data += piece
    finally:
        posix.close(descriptor)
    place = path.replace(" ", "\\040").encode("utf-8", "surrogateescape")
    return b" " + place + b" " in data or b" " + place + b"/" in data


def find_index_id(path: str) -> str:
    """The blob id that git's index has for a file; "" if it is not tracked there, or the index is of another form."""
    from hookwright.hooks.command_guard.file_access import find_repository
    from hookwright.proc.safe_read import read_file

    top = find_repository(path[: path.rfind("/")])
    if not top:
        return ""
    try:
        folder = f"{top}/.git"
        if posix.lstat(folder).st_mode & _KIND == _REGULAR:  # a worktree
            folder = read_file(folder, 4096).decode().partition("gitdir: ")[2].strip()
            folder = folder if folder[:1] == "/" else f"{top}/{folder}"
        data = read_file(f"{folder}/index", MAX_INDEX)
    except (OSError, ValueError):
        return ""
    if data[:8] not in (b"DIRC\0\0\0\2", b"DIRC\0\0\0\3"):
        return ""
    name = path[len(top) + 1 :].encode("utf-8", "surrogateescape")
    at = data.find(name + b"\0", 12)
    while at >= 0:
        for size in (_ENTRY, _ENTRY + 2):  # version 3 may have two more bytes
            entry = data[at - size : at]
            flags = int.from_bytes(entry[60:62], "big")
            if at - size >= 12 and flags & 0xFFF == min(len(name), 0xFFF) and not flags & 0x3000:
                return entry[40:60].hex()
        at = data.find(name + b"\0", at + 1)
    return ""
