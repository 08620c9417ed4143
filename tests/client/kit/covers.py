"""Lay directories of the lab over those of the system, where only this mount namespace sees it.

/etc and the like hold what an administrator says: managed settings, a policy, a launcher for everybody.

    unshare --mount python -m tests.client.kit.covers '{"/etc": "/tmp/lab/etc"}' COMMAND…
"""

import json
import os
import subprocess
import sys


def cover_directories(covers: dict[str, str]) -> None:
    """Each folder's files over those of the system; its own subfolders can be written to, nothing else can."""
    for system, folder in covers.items():
        mount("-t", "overlay", "overlay", "-o", f"lowerdir={folder}:{system}", system)
        for entry in os.scandir(folder):
            if entry.is_dir(follow_symlinks=False):
                mount("--bind", entry.path, os.path.join(system, entry.name))


def mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


if __name__ == "__main__":
    cover_directories(json.loads(sys.argv[1]))
    os.execvp(sys.argv[2], sys.argv[2:])
