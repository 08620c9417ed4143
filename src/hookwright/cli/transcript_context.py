"""Where Claude Code keeps its transcripts, for `learn` and `replay`."""

from __future__ import annotations

import os

from hookwright.errors import UserError


def find_claude_dir(directory: str | None) -> str:
    """Claude Code's directory: the given one, $CLAUDE_CONFIG_DIR or ~/.claude. Its `projects` may be given as well."""
    found = directory or os.environ.get("CLAUDE_CONFIG_DIR") or os.path.expanduser("~/.claude")
    found = found.rstrip("/") or found
    inside = not os.path.isdir(f"{found}/projects") and os.path.basename(os.path.abspath(found)) == "projects"
    return os.path.dirname(os.path.abspath(found)) if inside else found


def require_transcripts(directory: str | None, command: str) -> str:
    """Claude Code's directory; UserError if it has no transcripts."""
    found = find_claude_dir(directory)
    if not os.path.isdir(f"{found}/projects"):
        raise UserError("there are no transcripts", where=f"{found}/projects", fix=f"{command} --from DIR")
    return found
