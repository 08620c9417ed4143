"""What the file tools may touch: the class of a path as it is written and as it really is.

hooks/command_guard.py → [of_file: `..` and symlinks resolved → class → what the user wants for it] → findings
"""

from __future__ import annotations

import posix

from hookwright.rules.protected import CLAUDE, GIT, PROFILE, SECRET, SETTINGS, SYSTEM, protection
from hookwright.state.paths import config_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from hookwright.rules.kit import Finding

OUTSIDE = "outside"
MOST_LINKS = 40  # as the kernel
TEMPS = ("/tmp/", "/var/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/", "/dev/shm/")
# Claude Code's own folders that hold plans, notes and transcripts: its tools write there all the time.
CLAUDES_OWN = ("/.claude/plans/", "/.claude/projects/", "/.claude/todos/", "/.claude/tasks/", "/.claude/agent-memory/")


REASONS = {
    SECRET: "holds secrets",
    GIT: "belongs to git itself: a hook or setting there runs code later",
    PROFILE: "is run by every new shell",
    SETTINGS: "decides which hooks and permissions are in force",
    OUTSIDE: "lies outside of the project",
}


def of_file(guard: Any, path: str, cwd: str, tool: str, *, writes: bool) -> list[Finding]:
    """What is to be said about a file tool's path; `guard` is the hook with its options."""
    world = guard.world
    ground = Ground((world.project or cwd, cwd), world.home or "", settings_folders(world), guard.free_paths)
    names = ways(path, cwd, ground.home)
    name, really = touched(names, ground, writes=writes)
    verdict = getattr(guard, name) if name else "off"
    listed = guard.deny_paths or guard.ask_paths
    if verdict == "off" and not listed:
        return []
    from hookwright.rules.guard import as_configured  # rare
    from hookwright.rules.judging import in_order
    from hookwright.rules.kit import Finding

    findings = []
    if verdict != "off":
        seen = path if really == path else f"{path}, which is {really}"
        deed = "change" if writes else "show"
        findings.append(Finding(verdict, f"{tool} would {deed} {seen}: it {REASONS[name]}", look(really)))
        findings[0].rule = "protected-" + name
    if listed:
        from hookwright.rules.own import PATHS, matches

        for word, patterns in (("deny", guard.deny_paths), ("ask", guard.ask_paths)):
            if any(matches(way, pattern, ground.inside, ground.home) for way in names for pattern in patterns):
                findings.append(Finding(word, f"{tool} touches {path}, which you have protected", look(path)))
                findings[-1].rule = PATHS
    return in_order(as_configured(guard, findings, path))


def settings_folders(world: Any) -> tuple[str, ...]:
    """Claude Code's, ours, and where we keep what the user has trusted."""
    return (world.env("CLAUDE_CONFIG_DIR") or "", config_dir(world.env) or "", world.state or "")


def look(path: str) -> str:
    return "ls -la '" + path.replace("'", "'\\''") + "'"


class Ground:
    """The folders that count: where the project is, what is the user's, and what holds settings."""

    __slots__ = ("free", "home", "inside", "settings")

    def __init__(self, inside: Sequence[str], home: str, settings: Sequence[str], free: Sequence[str]) -> None:
        self.inside = inside  # the project, the current folder
        self.home = home
        self.settings = settings  # Claude Code's own folder, then others whose files decide which hooks are in force
        self.free = free  # patterns that the user has freed


def ways(path: str, cwd: str, home: str) -> list[str]:
    """The path by its name, and as it really is: `..` by its name as Node does it, and through links as the kernel."""
    if path[:2] == "~/" and home:
        path = home + path[1:]
    if path[:1] != "/":
        path = cwd + "/" + path
    names = [resolved(path, links=False)]
    for way in (names[0], path):
        really = resolved(way)
        if really not in names:
            names.append(really)
        if way == path:
            break
    return names


def touched(names: list[str], ground: Ground, *, writes: bool) -> tuple[str, str]:
    """The class of what these paths name and the path by which it is that, or ("", "")."""
    if any(is_free(name, ground) for name in names):
        return "", ""
    for name in names:
        found = class_of(name, ground, writes=writes)
        if found:
            return found, name
    return "", ""


def class_of(path: str, ground: Ground, *, writes: bool) -> str:
    found = protection(path, ground.home) or protection(path.lower(), ground.home)
    if not writes:
        return found if found == SECRET else ""
    for folder in ground.settings:
        if folder and path.startswith(folder + "/"):
            rest = path[len(folder) + 1 :]
            if folder != ground.settings[0] or rest in CLAUDE or rest.startswith("hooks/"):
                return SETTINGS
    if found == SYSTEM and is_inside(path, ground):
        return ""
    if found:
        return OUTSIDE if found == SYSTEM else found
    return "" if is_inside(path, ground) or path.startswith(TEMPS) or is_claudes(path) else OUTSIDE


def is_inside(path: str, ground: Ground) -> bool:
    for folder in ground.inside:
        if len(folder) > 1 and folder != ground.home:
            for name in (folder, resolved(folder)):
                if path.startswith(name + "/"):
                    return True
            top = repository(folder)
            if top and path.startswith(top + "/"):
                return True
    return False


def is_claudes(path: str) -> bool:
    return any(own in path for own in CLAUDES_OWN)


def is_free(path: str, ground: Ground) -> bool:
    if not ground.free:
        return False
    from hookwright.rules.own import matches  # only users of this option pay for it

    return any(matches(path, pattern, ground.inside, ground.home) for pattern in ground.free)


def repository(folder: str) -> str:
    """The folder above this one that holds `.git`, or ""."""
    while len(folder) > 1:
        try:
            if posix.access(folder + "/.git", posix.F_OK):
                return folder
        except ValueError:
            return ""
        folder = folder[: folder.rfind("/")]
    return ""


def resolved(path: str, *, links: bool = True) -> str:
    """The path without `.` and `..`; with `links` also every symlink followed, as far as the path exists."""
    done = ""
    steps = path.split("/")[::-1]
    left = MOST_LINKS
    while steps:
        step = steps.pop()
        if step in ("", "."):
            continue
        if step == "..":
            done = done[: done.rfind("/")] if done else ""
            continue
        here = f"{done}/{step}"
        if links and left:
            try:
                target = posix.readlink(here)
            except (OSError, ValueError):  # no link, not there, or no name at all
                target = ""
            if target:
                left -= 1
                done = "" if target[:1] == "/" else done
                steps += target.split("/")[::-1]
                continue
        done = here
    return done or "/"
