"""What a changed configuration would have decided on past calls: `hookwright replay --config`, asked from the page.

modes, lines of TOML → copy of the user's config.toml with them → `hookwright replay` → counts before and after
The user's file is copied, never changed, and its contents do not reach the browser.
"""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from hookwright.config import config_edit, config_files
from hookwright.errors import UserError
from hookwright.page.run_hookwright import run_hookwright
from hookwright.proc.safe_read import read_file
from hookwright.proc.scratch_dir import ScratchDir
from hookwright.store import paths

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hookwright.page.run_hookwright import RunningCommands

MODES = ("on", "shadow", "off")
SPANS = ("1d", "7d", "30d", "90d")
MAX_LINES = 32 << 10
MAX_CONFIG = 1 << 20
TIMEOUT_S = 300.0


def replay_proposal(running: RunningCommands, asked: Mapping[str, Any]) -> dict[str, Any]:
    """The result of `hookwright replay --json` for this proposal, and the commands that would put it in force."""
    modes, lines, since = _check_proposal(asked)
    with ScratchDir("what-if") as scratch:
        file = f"{scratch}/config.toml"
        _write_proposal(file, modes, lines)
        words = ["replay", "--json", "--since", since, "--config", file]
        done = run_hookwright(running, words, cwd=scratch, seconds=TIMEOUT_S)
    if done.timed_out:
        raise UserError(f"the replay took longer than {TIMEOUT_S:.0f} s", fix="choose a shorter span")
    if done.exit_code != 0:
        told = done.stderr.decode("utf-8", "replace").replace("hookwright: ", "", 1).replace(file, "the proposal")
        raise UserError(told.strip() or done.problem or "the replay was ended")
    found: dict[str, Any] = json.loads(done.stdout)
    found["commands"] = [
        {"command": f"hookwright {mode} {section}", "does": f"sets {section} to {mode} everywhere"}
        for section, mode in modes.items()
    ]
    return found


def _check_proposal(asked: Mapping[str, Any]) -> tuple[dict[str, str], str, str]:
    modes, lines, since = asked.get("modes") or {}, asked.get("lines") or "", asked.get("since") or "7d"
    if not isinstance(modes, dict) or not isinstance(lines, str) or since not in SPANS:
        raise UserError("this is not a proposal: modes, lines, since")
    for section, mode in modes.items():
        if mode not in MODES or not section.replace("_", "").isalnum():
            raise UserError(f"{section} cannot be {mode}")
    if len(lines) > MAX_LINES:
        raise UserError("the lines are too long")
    if not modes and not lines.strip():
        raise UserError("nothing is changed", fix="choose a mode, or write a line of configuration")
    return modes, lines, since


def _write_proposal(file: str, modes: Mapping[str, str], lines: str) -> None:
    user = config_files.user_file(paths.config_dir(os.environ.get))
    try:
        data = read_file(user, MAX_CONFIG) if user else b""
    except FileNotFoundError:
        data = b""
    except OSError as error:
        raise UserError(f"your configuration cannot be read: {error.strerror}", where=user) from None
    _write(file, data)
    for section, mode in modes.items():
        change = config_edit.plan_mode(file, section, mode)
        _write(file, change.after or b"")
    if lines.strip():
        with open(file, "ab") as target:
            target.write(f"\n{lines.strip()}\n".encode("utf-8", "replace"))


def _write(file: str, data: bytes) -> None:
    with open(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as target:
        target.write(data)
