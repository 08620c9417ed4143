"""The pinned Claude Code clients: found, or installed once into a cache of the tests.

    python -m tests.client.kit.install        installs all of them and prints their paths (`make client`)
    … --optional                              without a package index one line, exit 0 (`make test`)

HOOKWRIGHT_CLAUDE_BIN names another binary in place of the newest. The client is proprietary and large (60 to 350 MB a
version): it is fetched at test time from npm, or from the Python wheel that ships the same build, and never part of the
project.
"""

import argparse
import fcntl
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile

from tests.client.kit import netns

VERSION = "2.1.325"
# Version → the release of claude-agent-sdk that bundles the same build. The old ones are for test_old_clients.py.
WHEELS = {VERSION: "0.2.182", "2.1.235": "0.2.140", "2.1.139": "0.1.81", "2.1.112": "0.1.61", "2.1.71": "0.1.48"}
OLD_VERSIONS = tuple(version for version in WHEELS if version != VERSION)
OVERRIDE = "HOOKWRIGHT_CLAUDE_BIN"
PATH = "/usr/local/bin:/usr/bin:/bin"  # of the client; up to 2.1.112 npm's package is a program for node
# Where npm's platform package, npm's package up to 2.1.112 and the wheel keep the program, below the version's folder.
PLACES = (
    "node_modules/@anthropic-ai/claude-code-*/claude",
    "node_modules/@anthropic-ai/claude-code/cli.js",
    "wheel/claude_agent_sdk/_bundled/claude",
)
ATTEMPTS = 3
PAUSE_S = 5.0
# npm's and pip's words for a version that the index does not have: asking again does not help.
NOT_THERE = ("ETARGET", "E404", "No matching distribution found")


class NoClientError(RuntimeError):
    """The pinned client is not there and could not be installed."""


def cache_folder(version: str = VERSION) -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(base, "hookwright-tests", f"claude-code-{version}")


def find(version: str = VERSION) -> str | None:
    """The path of the client, or None. Nothing is fetched."""
    named = os.environ.get(OVERRIDE)
    if named and version == VERSION:
        if not os.access(named, os.X_OK):
            raise NoClientError(f"{OVERRIDE} names {named}, which cannot be executed")
        return named
    return _binary_below(cache_folder(version))


def ensure(version: str = VERSION, *, attempts: int = ATTEMPTS) -> str:
    """The path of the client, installed if need be; parallel callers install once."""
    found = find(version)
    if found:
        return found
    folder = cache_folder(version)
    os.makedirs(os.path.dirname(folder), exist_ok=True)
    with open(folder + ".lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return _binary_below(folder) or _install(version, folder, attempts)


def version_of(binary: str) -> str:
    """What the binary says of itself, asked behind the fence."""
    with tempfile.TemporaryDirectory() as home:
        clean = {"PATH": PATH, "HOME": home}
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


def _install(version: str, folder: str, attempts: int) -> str:
    failures = []
    for way in (_from_npm, _from_wheel):
        # Built beside its place and moved there whole: a killed install leaves nothing that looks finished.
        fresh = tempfile.mkdtemp(prefix="installing-", dir=os.path.dirname(folder))
        try:
            way(version, fresh, attempts)
            binary = _checked(version, _binary_below(fresh))
            shutil.rmtree(folder, ignore_errors=True)
            os.rename(fresh, folder)
            return os.path.join(folder, os.path.relpath(binary, fresh))
        except (OSError, subprocess.SubprocessError, NoClientError, zipfile.BadZipFile) as failure:
            told = getattr(failure, "stderr", None)
            failures.append(f"{way.__name__[1:]}: {failure}{': ' + told.strip()[-500:] if told else ''}")
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    raise NoClientError(f"the client {version} could not be installed\n" + "\n".join(failures))


def _checked(version: str, binary: str | None) -> str:
    if binary is None:
        raise NoClientError("no binary for this platform in what was fetched")
    said = version_of(binary)
    if said != version:
        raise NoClientError(f"fetched version {said!r}, wanted {version}")
    return binary


def _from_npm(version: str, folder: str, attempts: int) -> None:
    options = ["--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]
    _fetch(
        ["npm", "install", *options, f"--fetch-retries={attempts - 1}", f"@anthropic-ai/claude-code@{version}"],
        attempts,
    )


def _from_wheel(version: str, folder: str, attempts: int) -> None:
    wanted = f"claude-agent-sdk=={WHEELS[version]}"
    pip = [
        sys.executable,
        "-m",
        "pip",
        "download",
        "--quiet",
        f"--retries={attempts - 1}",
        "--no-deps",
        "--dest",
        folder,
    ]
    _fetch([*pip, wanted], attempts)
    (wheel,) = glob.glob(os.path.join(folder, "*.whl"))
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(os.path.join(folder, "wheel"))
    os.remove(wheel)
    for binary in glob.glob(os.path.join(folder, PLACES[-1])):
        os.chmod(binary, 0o755)


def _fetch(command: list[str], attempts: int) -> None:
    """Run npm or pip; a network that fails is tried again, a version that is not there is not."""
    for attempt in range(1, attempts + 1):
        try:
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=600)
        except subprocess.CalledProcessError as failure:
            if attempt == attempts or any(word in failure.stderr for word in NOT_THERE):
                raise
            time.sleep(PAUSE_S * attempt)
        else:
            return


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m tests.client.kit.install", description="Install the pinned clients."
    )
    parser.add_argument("--optional", action="store_true", help="without a package index say so in one line, exit 0")
    optional = parser.parse_args().optional
    refusal = netns.why_not()
    if optional and refusal:
        print(f"client tests will be skipped: no loopback-only namespace here ({refusal})")
        return 0
    problems = []
    for version in WHEELS:
        try:
            fetched = find(version) is None
            if fetched:
                print(f"fetching Claude Code {version} for the client tests", flush=True)
            path = ensure(version, attempts=1 if optional else ATTEMPTS)
            if fetched or not optional:
                print(path)
        except NoClientError as problem:
            if optional:
                print("client tests will be skipped: the client could not be fetched. `make client` says why")
                return 0
            problems.append(str(problem))
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
