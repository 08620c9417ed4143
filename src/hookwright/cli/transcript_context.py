"""Where Claude Code keeps its transcripts, for `learn` and `replay`."""

from __future__ import annotations

import os

from hookwright.errors import UserError


def require_transcripts(directory: str | None, command: str) -> str:
    """Claude Code's directory: the given one, $CLAUDE_CONFIG_DIR or ~/.claude; UserError if it has no transcripts."""
    found = directory or os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    if not os.path.isdir(f"{found}/projects"):
        raise UserError("there are no transcripts", where=f"{found}/projects", fix=f"{command} --from DIR")
    return found
