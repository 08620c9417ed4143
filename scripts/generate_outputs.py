"""Fills in what commands print, in the pages that show it: a marked block whose first line is the command.

    python scripts/generate_outputs.py [--check]

Each command runs in a fresh home, in an empty directory called shop, without a terminal.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(<!-- output, made by `make docs` -->\n```text\n\$ (hookwright [^\n]+)\n).*?(```)", re.DOTALL)


def fill(text: str) -> str:
    return BLOCK.sub(lambda found: found[1] + run(found[2]) + found[3], text)


def run(command: str) -> str:
    """What the command prints; one that fails is an error."""
    with tempfile.TemporaryDirectory() as folder:
        project = os.path.join(folder, "home/shop")
        os.makedirs(project)
        env = {"HOME": f"{folder}/home", "PATH": os.defpath, "LANG": "C.UTF-8", "COLUMNS": "100", "NO_COLOR": "1"}
        argv = [sys.executable, "-m", "hookwright", *shlex.split(command)[1:]]
        done = subprocess.run(argv, env=env, cwd=project, capture_output=True, text=True, check=True)
        return re.sub(r"[ \t]+$", "", done.stdout.replace(folder, ""), flags=re.MULTILINE).strip("\n") + "\n"


def main() -> int:
    stale = []
    for page in sorted((ROOT / "docs").rglob("*.md")):
        text = page.read_text(encoding="utf-8")
        if "<!-- output, made by" in text and fill(text) != text:
            stale.append(str(page.relative_to(ROOT)))
            if "--check" not in sys.argv:
                page.write_text(fill(text), encoding="utf-8")
    if stale and "--check" in sys.argv:
        print(f"commands print something else now than these pages say: {', '.join(stale)}; try: make docs")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
