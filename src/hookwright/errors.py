"""Errors that a person can act on: what happened, where, what to try.

Exit codes of every command: 0 done, 1 the user can mend it, 2 wrong usage, 3 our fault.
The hook process keeps Claude Code's codes instead and never uses these.
"""

from __future__ import annotations


class UserError(Exception):
    """Something the user can mend. Commands print it and exit 1."""

    exit_code = 1

    def __init__(self, what: str, *, where: str = "", fix: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.fix = fix

    def __str__(self) -> str:
        lines = [self.what]
        if self.where:
            lines.append(f"  at: {self.where}")
        if self.fix:
            lines.append(f"  try: {self.fix}")
        return "\n".join(lines)
