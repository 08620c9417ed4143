"""Prepare a release: check, set the version, assemble the changelog, commit, tag. Nothing leaves the machine.

    python scripts/release.py prepare 0.2.0       make release VERSION=0.2.0
    python scripts/release.py notes               the newest section of CHANGELOG.md

Pushing the tag publishes (`.github/workflows/release.yml`). To take a prepared release back before that:
`git tag -d v0.2.0 && git reset --hard HEAD~1`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = ROOT / "src/hookwright/version.py"
CHANGELOG = ROOT / "CHANGELOG.md"


def main() -> int:
    match sys.argv[1:]:
        case ["prepare", version] if re.fullmatch(r"\d+\.\d+\.\d+", version):
            return prepare_release(version)
        case ["notes"]:
            print(read_newest_section())
            return 0
    print(__doc__, file=sys.stderr)
    return 2


def prepare_release(version: str) -> int:
    if run_git("status", "--porcelain"):
        return fail("the working tree has changes", "commit or stash them")
    if run_git("tag", "--list", f"v{version}"):
        return fail(f"v{version} exists", "choose the next version")
    if not [path for path in (ROOT / "changelog").glob("*.md") if path.name != "README.md"]:
        return fail("changelog/ has no fragment: nothing changed for users", "add one, or do not release")
    VERSION.write_text(re.sub(r'__version__ = "[^"]+"', f'__version__ = "{version}"', VERSION.read_text()))
    subprocess.run([sys.executable, "-m", "towncrier", "build", "--yes", "--version", version], cwd=ROOT, check=True)
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src")}  # the version that was just written
    subprocess.run([ROOT / "scripts/generate.sh", sys.executable], cwd=ROOT, env=env, check=True)
    run_git("add", "--all")
    run_git("commit", "--message", f"Release {version}")
    run_git("tag", "--annotate", f"v{version}", "--message", f"hookwright {version}")
    print(f"prepared v{version}; publish with: git push --follow-tags")
    return 0


def read_newest_section() -> str:
    sections = re.split(r"^(?=## )", CHANGELOG.read_text(), flags=re.MULTILINE)
    return sections[1].strip() if len(sections) > 1 else ""


def run_git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, capture_output=True, text=True)
    return done.stdout.strip()


def fail(what: str, fix: str) -> int:
    print(f"release: {what}; {fix}", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main())
