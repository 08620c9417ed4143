"""Answer for entries that 0.1.0 registered: program text in settings.json, which imports this module by name.

Claude Code → `python -c TEXT CACHE PACKAGE FALLBACK WORDS…` → [main] → the launcher, or runtime.main from source
An upgrade must not switch the guard off until somebody runs `hookwright install`, which rewrites those entries.
Removed in the next release.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

ARGUMENTS = 3  # cache, package and fallback code precede the words that the launcher takes too


def main(_cache: str) -> NoReturn:
    from hookwright.runtime import launcher  # noqa: PLC0415  TEXT catches what an import of this module raises

    words = sys.argv[1 + ARGUMENTS :]
    try:
        launcher.install_launcher(with_bundle=False)
        path = launcher.launcher_path()
        os.execv(path, [path, *words])  # noqa: S606  stdin has not been read yet
    except Exception:  # noqa: BLE001  nothing can be written there: from source, slower
        from hookwright.runtime.main import main as answer  # noqa: PLC0415

        sys.argv[1:] = words
        answer(launcher.bundle_dir())
