"""The plugin as `make plugin` builds it."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def build_plugin(folder: Path) -> Path:
    subprocess.run(
        [sys.executable, str(ROOT / "scripts/build_plugin.py"), str(folder)], check=True, capture_output=True
    )
    return folder
