"""Errors that the user can act on: what happened, where, what to try.

Exit codes of every command: 0 done, 1 an error that the user can fix, 2 wrong usage, 3 a bug in hookwright.
The hook process uses Claude Code's exit codes instead.
"""

from __future__ import annotations


class UserError(Exception):
    """An error that the user can fix. Commands print it and exit with 1."""

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
