"""Keep a copy of the package, if it runs from a place that is cleaned: uvx, pipx run, a temporary directory.

install → launcher → [keep_package] → <data home>/hookwright/package/<digest>/hookwright ← the launcher's PACKAGE
A launcher that names a cache would stop all checks, in silence, when the cache is cleaned. The copy is pure Python and
all that the hook process needs; the `hookwright` command itself is not in it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile

from hookwright.errors import UserError
from hookwright.proc.private_dir import make_private

PACKAGES = "package"  # below the data directory
# Parts of the paths of environments that uv and pipx make for one run, on Linux and macOS, and of plugins.
CACHES = (
    *("/uv/archive-v", "/uv/environments-v", "/uv/builds-v", "/uv/wheels-v", "/uv/sdists-v"),
    *("/pipx/.cache/", "/.cache/pipx/", "/Caches/pipx/"),
    "/plugins/cache/",  # a plugin of Claude Code: its path changes with each version
)
TEMPORARY = ("/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders")  # noqa: S108
LIBRARIES = ("/site-packages", "/dist-packages")


def find_ephemeral(package: str, data: str) -> str:
    """Why a package in this directory will not stay, after "the package is"; "" if it will.

    `data` is our own data directory: what is in it stays. A checkout is not taken for temporary wherever it is, only
    an environment in a temporary directory.
    """
    if _is_below(package, data):
        return ""
    if any(part in package + "/" for part in CACHES) or _is_below(package, os.environ.get("UV_CACHE_DIR", "")):
        return "in a cache, from which it can be cleaned"
    if package.endswith(LIBRARIES):
        for folder in (*TEMPORARY, tempfile.gettempdir()):
            if _is_below(package, folder) or _is_below(package, os.path.realpath(folder)):
                return "in a temporary directory"
    return ""


def kept_package(package: str, data: str) -> str:
    """The directory of the copy of this package."""
    return f"{data}/{PACKAGES}/{_compute_digest(package)}"


def keep_package(package: str, data: str) -> str:
    """Copy the package, unless that was done; returns the directory that holds it."""
    folder = kept_package(package, data)
    if os.path.isdir(folder):
        return folder
    make_private(data)
    draft = f"{folder}.{os.getpid()}.tmp"
    try:
        for path in _list_files(package):
            target = f"{draft}/{path}"
            os.makedirs(os.path.dirname(target), mode=0o700, exist_ok=True)
            shutil.copyfile(f"{package}/{path}", target)
        os.rename(draft, folder)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        if os.path.isdir(folder):  # another process was faster
            return folder
        what = f"the package cannot be copied: {error.strerror}"
        raise UserError(what, where=folder, fix="uv tool install hookwright, then hookwright install") from None
    return folder


def remove_other_copies(folder: str) -> None:
    """Remove the copies of other versions; call it when no launcher names them any more."""
    above = os.path.dirname(folder)  # for "…/package/" all copies are others
    for name in os.listdir(above) if os.path.isdir(above) else ():
        if name != os.path.basename(folder):
            shutil.rmtree(os.path.join(above, name), ignore_errors=True)


def _is_below(path: str, folder: str) -> bool:
    return bool(folder) and path.startswith(folder.rstrip("/") + "/")


def _list_files(package: str) -> list[str]:
    """The files of the package and its metadata, relative to the directory that holds them."""
    tops = ["hookwright"] + [
        name for name in os.listdir(package) if name.startswith("hookwright-") and name.endswith(".dist-info")
    ]
    found = []
    for top in tops:
        for base, folders, files in os.walk(os.path.join(package, top)):
            folders[:] = sorted(name for name in folders if name != "__pycache__")
            found += [os.path.relpath(os.path.join(base, name), package) for name in sorted(files)]
    return found


def _compute_digest(package: str) -> str:
    digest = hashlib.sha256()
    for path in _list_files(package):
        with open(f"{package}/{path}", "rb") as file:
            digest.update(path.encode("utf-8", "surrogateescape") + b"\0" + file.read() + b"\0")
    return digest.hexdigest()[:16]
