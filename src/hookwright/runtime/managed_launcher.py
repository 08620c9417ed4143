"""The launcher for everybody on a machine: below a directory that only root can write, with a bundle of its own.

hookwright install --scope managed → [install_managed_launcher] → /usr/local/lib/hookwright/hook ← Claude Code
Users can neither change the launcher nor the compiled code that it loads. After an upgrade of the package its hooks run
from source, slower, until root installs again.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
import sys

from hookwright.errors import UserError
from hookwright.proc.root_owned import why_not_root_owned
from hookwright.runtime import bundle_builder, launcher
from hookwright.runtime.bundle_update import MANAGED_BUNDLE
from hookwright.runtime.entry_match import LAUNCHER, PROGRAM

HOME = f"/Library/Application Support/{PROGRAM}" if sys.platform == "darwin" else f"/usr/local/lib/{PROGRAM}"
MADE = "made-directories.json"  # those that the installer made, for its inverse
OWN_BUNDLE = "(0o100600, posix.geteuid())"  # in the launcher: mode and owner of a file of the user's bundle
ROOTS_BUNDLE = "(0o100644, 0)"


def managed_launcher_path() -> str:
    return f"{HOME}/{LAUNCHER}"


def render_managed_launcher() -> str:
    text = launcher.render_launcher(launcher.find_interpreter(), launcher.package_root(), f"{HOME}/{MANAGED_BUNDLE}")
    assert text.count(OWN_BUNDLE) == 1
    return text.replace(OWN_BUNDLE, ROOTS_BUNDLE)


def install_managed_launcher(settings_file: str) -> bool:
    """Write launcher and bundle, and make the directories of the settings file; True if the launcher was written."""
    try:
        made = make_directories(HOME) + make_directories(os.path.dirname(settings_file))
        _record_directories(made)
        text = render_managed_launcher()
        is_new = launcher.read_launcher(managed_launcher_path()) != text
        if is_new:
            launcher.write_launcher(managed_launcher_path(), text)
        bundle = f"{HOME}/{MANAGED_BUNDLE}{sys.implementation.cache_tag}"
        bundle_builder.build_bundle(bundle)
        for name in os.listdir(bundle):
            os.chmod(os.path.join(bundle, name), 0o644)
        os.chmod(bundle, 0o755)  # noqa: S103  every user's hook process reads it
    except OSError as error:
        what = f"the launcher cannot be written: {error.strerror}"
        raise UserError(what, where=error.filename or HOME, fix="check owner and mode of that directory") from None
    return is_new


def remove_managed_launcher() -> None:
    """Remove what `install_managed_launcher` made, and the directories that it made if they are empty now."""
    made = _read_directories()
    for name in _list_names(HOME):
        path = os.path.join(HOME, name)
        if name.startswith(MANAGED_BUNDLE) and os.path.isdir(path):
            shutil.rmtree(path, ignore_errors=True)
        elif name in (LAUNCHER, MADE) or name.startswith(MANAGED_BUNDLE):
            with contextlib.suppress(OSError):
                os.unlink(path)
    for folder in reversed(made):
        with contextlib.suppress(OSError):
            os.rmdir(folder)


def make_directories(path: str) -> list[str]:
    """Create a directory and its parents, readable for everybody; returns those that were created, outermost first."""
    missing = []
    while not os.path.isdir(path):
        missing.append(path)
        path = os.path.dirname(path)
    for folder in reversed(missing):
        os.mkdir(folder)
        os.chmod(folder, 0o755)  # noqa: S103  whatever root's umask is
    return missing[::-1]


def _record_directories(made: list[str]) -> None:
    known = _read_directories()
    with open(f"{HOME}/{MADE}", "w", encoding="utf-8") as file:
        json.dump([*known, *(folder for folder in made if folder not in known)], file)


def _read_directories() -> list[str]:
    try:
        with open(f"{HOME}/{MADE}", encoding="utf-8") as file:
            found = json.load(file)
    except (OSError, ValueError):
        return []
    return [folder for folder in found if isinstance(folder, str)] if isinstance(found, list) else []


def _list_names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def find_writable_code(text: str) -> list[str]:
    """What users could change of the code that this launcher starts."""
    package = launcher.find_package(text)
    paths = [managed_launcher_path(), launcher.find_interpreter_in(text), package]
    found = [why for why in (why_not_root_owned(path) for path in paths if path) if why]
    inside = "" if found or not package else _find_writable_file(os.path.join(package, PROGRAM))
    return found or ([inside] if inside else [])


def find_unreadable_code(text: str) -> list[str]:
    """What users cannot read of the code that this launcher starts, such as a package in root's home."""
    paths = [path for path in (launcher.find_interpreter_in(text), launcher.find_package(text)) if path]
    closed = {path: _find_closed_directory(path) for path in paths}
    return [f"{path} is below {folder}, which other users cannot enter" for path, folder in closed.items() if folder]


def _find_writable_file(folder: str) -> str:
    for base, folders, files in os.walk(folder):
        for path in [os.path.join(base, name) for name in (*folders, *files)]:
            found = os.lstat(path)
            if found.st_uid != 0 or (found.st_mode & 0o022 and not stat.S_ISLNK(found.st_mode)):
                return f"others than root can write to {path}"
    return ""


def _find_closed_directory(path: str) -> str:
    """The outermost directory above `path` that is closed to others; "" if there is none."""
    parts = os.path.realpath(path).split("/")[1:-1]
    for depth in range(1, len(parts) + 1):
        folder = "/" + "/".join(parts[:depth])
        with contextlib.suppress(OSError):
            if not os.stat(folder).st_mode & stat.S_IXOTH:
                return folder
    return ""
