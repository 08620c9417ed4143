"""Which hooks the user's private files for projects turn on: they have to be registered, though they are off elsewhere.

install, verify → [read_modes] → section → modes
"""

from __future__ import annotations

import os

from hookwright.proc.safe_read import read_text
from hookwright.proc.safe_toml import parse_toml

MAX_BYTES = 1 << 20  # of one file


def read_modes(folder: str) -> dict[str, set[str]]:
    """Section → the modes that the private files of all projects give it."""
    found: dict[str, set[str]] = {}
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if not name.endswith(".toml"):
            continue
        try:
            table = parse_toml(read_text(os.path.join(folder, name), MAX_BYTES, "utf-8-sig"))
        except (OSError, ValueError, MemoryError):
            continue  # `config check` in that project names it
        for section, values in table.items():
            if isinstance(values, dict) and isinstance(values.get("mode"), str):
                found.setdefault(section, set()).add(values["mode"])
    return found
