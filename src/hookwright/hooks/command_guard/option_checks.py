"""Checks of the guard's options that name rules, programs and days. Cold: runs when the configuration is compiled.

hook.py (`option(check=…)`) → [validate_…] → the value, or BadValue
"""

from __future__ import annotations

from datetime import datetime
from difflib import get_close_matches
from typing import Any

from hookwright.hooks.command_guard.rule_catalogue import list_ids
from hookwright.options import BadValue


def validate_rules(rows: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    for number, row in enumerate(rows, 1):
        if not (row["subcommand"] or row["flags"] or row["paths"]) and "*" in row["program"]:
            raise BadValue(f"number {number} would match every command: name a program, a flag or a path")
    return rows


def validate_exceptions(rows: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    for number, row in enumerate(rows, 1):
        if not row["rule"] and not row["command"]:
            raise BadValue(f"number {number} would except everything: give a rule, a command, or both")
        if row["rule"]:
            validate_ids((row["rule"],))
        if row["until"] and not is_date(row["until"]):
            raise BadValue(f"number {number}: until must be a day such as 2030-12-31, got {row['until']!r}")
    return rows


def is_date(text: str) -> bool:
    try:
        return datetime.fromisoformat(text).tzinfo is None
    except ValueError:
        return False


def validate_ids(ids: tuple[str, ...]) -> tuple[str, ...]:
    """The ids, or BadValue with the id that was probably meant."""
    names = list_ids()
    for rule in ids:
        if rule not in names:
            close = get_close_matches(rule, names, n=1)
            raise BadValue(f"names no rule {rule!r}" + (f"; did you mean {close[0]}?" if close else ""))
    return ids
