"""The pinned Claude Code client: found, or installed once into a cache of the tests.

    python -m tests.client.kit.install        prints the path of the binary

HOOKWRIGHT_CLAUDE_BIN names another binary. The client is proprietary and large (350 MB): it is fetched at
test time from npm, or from the Python wheel that ships the same build, and never part of the project.
"""

import fcntl
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile

from tests.client.kit import netns

VERSION = "2.1.325"
NPM_PACKAGE = f"@anthropic-ai/claude-code@{VERSION}"
WHEEL = "claude-agent-sdk==0.2.182"  # bundles the same build
OVERRIDE = "HOOKWRIGHT_CLAUDE_BIN"
# Where npm's platform package and the wheel keep the binary, below the folder of the version.
PLACES = ("node_modules/@anthropic-ai/claude-code-*/claude", "wheel/claude_agent_sdk/_bundled/claude")


class NoClientError(RuntimeError):
    """The pinned client is not there and could not be installed."""


def cache_folder() -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "hookwright-tests", f"claude-code-{VERSION}")


def find() -> str | None:
    """The path of the client, or None. Nothing is fetched."""
    named = os.environ.get(OVERRIDE)
    if named:
        if not os.access(named, os.X_OK):
            raise NoClientError(f"{OVERRIDE} names {named}, which cannot be executed")
        return named
    return _binary_below(cache_folder())


def ensure() -> str:
    """The path of the client, installed if need be; parallel callers install once."""
    found = find()
    if found:
        return found
    folder = cache_folder()
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with open(folder + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _binary_below(folder) or _install(folder)


def version_of(binary: str) -> str:
    """What the binary says of itself, asked behind the fence."""
    with tempfile.TemporaryDirectory() as home:
        clean = {"PATH": os.defpath, "HOME": home}
        asked = subprocess.run(
            netns.inside([binary, "--version"]),
            env=clean,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    return asked.stdout.split(" ")[0].strip()


def _binary_below(folder: str) -> str | None:
    found = (path for place in PLACES for path in sorted(glob.glob(os.path.join(folder, place))))
    return next((path for path in found if os.access(path, os.X_OK)), None)


def _install(folder: str) -> str:
    failures = []
    for way in (_from_npm, _from_wheel):
        # Built beside its place and moved there whole: a killed install leaves nothing that looks finished.
        fresh = tempfile.mkdtemp(prefix="installing-", dir=os.path.dirname(folder))
        try:
            way(fresh)
            binary = _checked(_binary_below(fresh))
            shutil.rmtree(folder, ignore_errors=True)
            os.rename(fresh, folder)
            return os.path.join(folder, os.path.relpath(binary, fresh))
        except (OSError, subprocess.SubprocessError, NoClientError, zipfile.BadZipFile) as failure:
            told = getattr(failure, "stderr", None)
            failures.append(f"{way.__name__[1:]}: {failure}{': ' + told.strip()[-500:] if told else ''}")
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    raise NoClientError("the client could not be installed\n" + "\n".join(failures))


def _checked(binary: str | None) -> str:
    if binary is None:
        raise NoClientError("no binary for this platform in what was fetched")
    said = version_of(binary)
    if said != VERSION:
        raise NoClientError(f"fetched version {said!r}, wanted {VERSION}")
    return binary


def _from_npm(folder: str) -> None:
    options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]
    _fetch(["npm", "install", *options, NPM_PACKAGE])


def _from_wheel(folder: str) -> None:
    _fetch([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--dest", folder, WHEEL])
    (wheel,) = glob.glob(os.path.join(folder, "*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(os.path.join(folder, "wheel"))
    os.remove(wheel)
    for binary in glob.glob(os.path.join(folder, PLACES[1])):
        os.chmod(binary, 0o755)


def _fetch(command: list[str]) -> None:
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)


if __name__ == "__main__":
    try:
        print(ensure())
    except NoClientError as problem:
        sys.exit(str(problem))
