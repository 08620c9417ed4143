"""Check the files that are executed for each event: are they what this version writes, and could others replace them?

verify_hooks → [check_own_files] → findings
Compares with what would be written now; nothing here is written, executed or loaded from the cache.
"""

from __future__ import annotations

import os
import stat

from hookwright.proc.shared_dir import find_sharing
from hookwright.runtime import bundle_builder, launcher
from hookwright.settings.findings import Finding

INSTALL = "hookwright install"


def check_own_files() -> list[Finding]:
    """What is wrong with the launcher, the bundle and the directories that hold them."""
    return [*_check_launcher(), *_check_cache()]


def _check_launcher() -> list[Finding]:
    path = launcher.launcher_path()
    text = launcher.read_launcher(path)
    if not text:
        return []  # not installed, or by the plugin: the entries have findings of their own
    found = []
    if launcher.find_package(text) == launcher.started_root() and not launcher.is_installed():
        what = "the launcher is not the file that this version writes; somebody or something has changed it"
        found.append(Finding("launcher-changed", what, path, INSTALL))
    sharing = find_sharing(os.path.dirname(path)) or _find_file_sharing(path)
    if sharing:
        what = f"the launcher could be replaced by another user: {sharing}"
        found.append(Finding("launcher-not-private", what, path, f"chmod go-w {os.path.dirname(path)} {path}"))
    return found


def _find_file_sharing(path: str) -> str:
    seen = os.stat(path)
    if seen.st_uid not in (os.geteuid(), 0):
        return f"it belongs to uid {seen.st_uid}"
    return "others can write to it" if seen.st_mode & (stat.S_IWGRP | stat.S_IWOTH) else ""


def _check_cache() -> list[Finding]:
    folder = launcher.bundle_dir()
    cache = os.path.dirname(folder)
    if not os.path.isdir(cache):
        return []
    sharing = find_sharing(cache)
    if sharing:
        what = f"the cache is not used, each event takes longer: {sharing}"
        fix = f"chmod 700 {cache}, or set XDG_CACHE_HOME to a directory of your own"
        return [Finding("cache-not-private", what, cache, fix)]
    changed = bundle_builder.find_changed_files(folder)
    if changed:
        more = f" and {len(changed) - 1} more" if len(changed) > 1 else ""
        what = f"the cached code is not what this version builds: {changed[0]}{more}; something has changed it"
        return [Finding("bundle-changed", what, folder, f"rm -r {folder}")]
    return []
