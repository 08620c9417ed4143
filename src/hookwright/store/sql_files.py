"""Read SQL files of this package, statement by statement."""

from __future__ import annotations

import os
import sqlite3


def read_statements(name: str) -> list[str]:
    """The statements of an SQL file beside this module."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), name), encoding="utf-8") as file:
        return _split_statements(file.read())


def _split_statements(text: str) -> list[str]:
    """The statements one by one: `executescript` would commit, these run inside our transaction."""
    found, part = [], ""
    for line in text.splitlines(keepends=True):
        part += line
        if sqlite3.complete_statement(part):
            found.append(part)
            part = ""
    return found
