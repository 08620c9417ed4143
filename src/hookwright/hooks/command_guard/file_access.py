"""Checks the path of a file tool (Read, Write, Edit, NotebookEdit), as written and with symlinks resolved.

hook → [evaluate_file_access: resolve `..` and symlinks → class of the path → the user's option for it] → findings
"""

from __future__ import annotations

import posix

from hookwright.hooks.command_guard.protected_paths import (
    CLAUDE,
    GIT,
    PROFILE,
    SECRET,
    SETTINGS,
    SYSTEM,
    TEMP_DIRS,
    find_protection,
)
from hookwright.store.paths import config_dir, data_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.hooks.base import World
    from hookwright.hooks.command_guard.guard_settings import FileSettings
    from hookwright.hooks.command_guard.rule_api import Finding

OUTSIDE = "outside"
PRIVATE = "private"  # what only a person's commands write
MAX_SYMLINKS = 40  # as the kernel
# Directories of Claude Code for plans, notes and transcripts: its tools write there all the time.
WORK_DIRS = (
    "/.claude/plans/",
    "/.claude/projects/",
    "/.claude/todos/",
    "/.claude/tasks/",
    "/.claude/agent-memory/",
)


REASONS = {
    SECRET: "holds secrets",
    GIT: "belongs to git itself: a hook or setting there runs code later",
    PROFILE: "is run by every new shell",
    SETTINGS: "decides which hooks and permissions are in force",
    PRIVATE: "is for the user alone: `hookwright allow` and `off` write it",
    OUTSIDE: "lies outside of the project",
}


def evaluate_file_access(settings: FileSettings, path: str, cwd: str, tool: str, *, writes: bool) -> list[Finding]:
    """The findings on the path of a file tool, strictest first."""
    world = settings.world
    known = KnownDirs((world.project or cwd, cwd), world.home or "", settings_dirs(world), settings.free_paths)
    variants = list_path_variants(path, cwd, known.home)
    protection, resolved = classify_variants(variants, known, writes=writes)
    # Each class is an option of that name, but for one that is always denied.
    verdict: str = "deny" if protection == PRIVATE else getattr(settings, protection) if protection else "off"
    listed = settings.deny_paths or settings.ask_paths
    if verdict == "off" and not listed:
        return []
    from hookwright.hooks.command_guard.policy import apply_adjustments
    from hookwright.hooks.command_guard.rule_api import Finding, sort_findings

    findings = []
    if verdict != "off":
        shown = path if resolved == path else f"{path}, which is {resolved}"
        verb = "change" if writes else "show"
        reason = f"{tool} would {verb} {shown}: it {REASONS[protection]}"
        findings.append(Finding(verdict, reason, ls_command(resolved)))
        findings[0].rule = "protected-" + protection
    if listed:
        from hookwright.hooks.command_guard.user_rules import PATHS, path_matches

        for level, patterns in (("deny", settings.deny_paths), ("ask", settings.ask_paths)):
            if any(path_matches(one, pattern, known.inside, known.home) for one in variants for pattern in patterns):
                findings.append(Finding(level, f"{tool} touches {path}, which you have protected", ls_command(path)))
                findings[-1].rule = PATHS
    return sort_findings(apply_adjustments(settings, findings, path))


def settings_dirs(world: World) -> tuple[str, ...]:
    """The configuration directories of Claude Code and of hookwright; its state (what is trusted), cache, launcher."""
    ours = (config_dir(world.env), world.state, world.cache, data_dir(world.env))
    return (world.env("CLAUDE_CONFIG_DIR") or "", *[folder or "" for folder in ours])


def ls_command(path: str) -> str:
    return "ls -la '" + path.replace("'", "'\\''") + "'"


class KnownDirs:
    """The directories that decide the class of a path."""

    __slots__ = ("free", "home", "inside", "settings")

    def __init__(self, inside: Sequence[str], home: str, settings: Sequence[str], free: Sequence[str]) -> None:
        self.inside = inside  # the project, the current directory
        self.home = home
        self.settings = settings  # Claude Code's first, then others whose files decide which hooks are in force
        self.free = free  # `free_paths`


def list_path_variants(path: str, cwd: str, home: str) -> list[str]:
    """The path without `..` as Node normalizes it, then with symlinks resolved: of that path, and of the given one.

    The two differ where `..` follows a symlink: Node drops the name before it, the kernel leaves the link's target.
    """
    if path[:2] == "~/" and home:
        path = home + path[1:]
    if path[:1] != "/":
        path = cwd + "/" + path
    variants = [resolve_path(path, links=False)]
    for start in dict.fromkeys((variants[0], path)):
        resolved = resolve_path(start)
        if resolved not in variants:
            variants.append(resolved)
    return variants


def classify_variants(variants: list[str], known: KnownDirs, *, writes: bool) -> tuple[str, str]:
    """The first class that one of these paths has, and that path; ("", "") for an ordinary file."""
    if any(is_free(path, known) for path in variants):
        return "", ""
    for path in variants:
        found = classify_path(path, known, writes=writes)
        if found:
            return found, path
    return "", ""


def classify_path(path: str, known: KnownDirs, *, writes: bool) -> str:
    found = find_protection(path, known.home) or find_protection(path.lower(), known.home)
    if not writes:
        return found if found == SECRET else ""
    for folder in known.settings:
        if folder and path.startswith(folder + "/"):
            rest = path[len(folder) + 1 :]
            if folder != known.settings[0] and rest.startswith("projects/") and rest.endswith(".toml"):
                return PRIVATE
            if folder != known.settings[0] or rest in CLAUDE or rest.startswith("hooks/"):
                return SETTINGS
    if found == SYSTEM and is_inside(path, known):
        return ""
    if found:
        return OUTSIDE if found == SYSTEM else found
    return "" if is_inside(path, known) or path.startswith(TEMP_DIRS) or is_claude_path(path) else OUTSIDE


def is_inside(path: str, known: KnownDirs) -> bool:
    for folder in known.inside:
        if len(folder) > 1 and folder != known.home:
            for name in (folder, resolve_path(folder)):
                if path.startswith(name + "/"):
                    return True
            top = find_repository(folder)
            if top and path.startswith(top + "/"):
                return True
    return False


def is_claude_path(path: str) -> bool:
    return any(own in path for own in WORK_DIRS)


def is_free(path: str, known: KnownDirs) -> bool:
    if not known.free:
        return False
    from hookwright.hooks.command_guard.user_rules import path_matches  # only users of this option pay for it

    return any(path_matches(path, pattern, known.inside, known.home) for pattern in known.free)


def find_repository(folder: str) -> str:
    """The nearest directory, this one or above, that holds `.git`; "" if there is none."""
    while len(folder) > 1:
        try:
            if posix.access(folder + "/.git", posix.F_OK):
                return folder
        except ValueError:
            return ""
        folder = folder[: folder.rfind("/")]
    return ""


def resolve_path(path: str, *, links: bool = True) -> str:
    """The path without `.` and `..`; with `links`, symlinks are followed as far as the path exists."""
    resolved = ""
    parts = path.split("/")[::-1]
    links_left = MAX_SYMLINKS
    while parts:
        part = parts.pop()
        if part in ("", "."):
            continue
        if part == "..":
            resolved = resolved[: resolved.rfind("/")] if resolved else ""
            continue
        here = f"{resolved}/{part}"
        if links and links_left:
            try:
                target = posix.readlink(here)
            except (OSError, ValueError):  # not a symlink, not there, or a name with a null byte
                target = ""
            if target:
                links_left -= 1
                resolved = "" if target[:1] == "/" else resolved
                parts += target.split("/")[::-1]
                continue
        resolved = here
    return resolved or "/"
