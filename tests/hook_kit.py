"""The registered hook command in a test's own home."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from hookwright.config.builtin_hooks import HOOKS
from hookwright.runtime import launcher


def prepare_hook(bundle: Path | None = None) -> list[str]:
    """Install the launcher in the present HOME and return what is registered; `bundle`: one that was built before."""
    place = Path(launcher.bundle_dir())
    if bundle and not place.exists():
        place.parent.mkdir(parents=True, mode=0o700, exist_ok=True)
        shutil.copytree(bundle, place, copy_function=_link)
    launcher.install_launcher(with_bundle=bundle is None)
    return launcher.build_argv()


def install_copy(root: Path, env: Mapping[str, str]) -> list[str]:
    """Copy the package to `root` and install from there, with launcher and bundle in the home of `env`."""
    package = Path(launcher.package_root()) / "hookwright"
    shutil.copytree(package, root / "hookwright", ignore=lambda *_: ["__pycache__"])
    code = "import json, sys; sys.path.insert(0, sys.argv[1]); from hookwright.runtime import launcher"
    code += "; launcher.install_launcher(); print(json.dumps(launcher.build_argv()))"
    done = subprocess.run([sys.executable, "-c", code, str(root)], capture_output=True, env=env, check=True)
    return json.loads(done.stdout)


def _link(source: str, target: str) -> None:
    """A bundle has 300 files: linking them is quicker than copying. Nobody writes to them in place."""
    try:
        os.link(source, target)
    except OSError:  # another file system
        shutil.copy(source, target)


def unexpected_lines(stderr: bytes) -> list[str]:
    """The lines on stderr, but those that name a user hook that failed; a built-in one never does."""
    failed = "hookwright: failed: "
    lines = stderr.decode().splitlines()
    return [one for one in lines if not one.startswith(failed) or one[len(failed) :].partition(":")[0] in HOOKS]
