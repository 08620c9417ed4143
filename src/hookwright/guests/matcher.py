"""Whether an event is one that a command's matcher means, where comparing the tool's name does not say it.

row, event → [hears] → may it be asked?
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

FORMER = {"Agent": "Task"}  # matchers written for the old name still fire


def hears(matcher: tuple[str, str, Any], payload: Mapping[str, Any]) -> bool:
    """`matcher` is the key of the payload, the kind of comparison, and what it compares with."""
    field, kind, wanted = matcher
    value = payload.get("file_path" if field == "basename" else field)
    if not isinstance(value, str):
        return True  # as in Claude Code: nothing to compare
    if field == "basename":
        value = value[value.rfind("/") + 1 :]
    names = (value, FORMER[value]) if field == "tool_name" and value in FORMER else (value,)
    if kind == "is":
        return any(name in wanted if isinstance(wanted, tuple) else name == wanted for name in names)
    if kind == "starts":
        return any(name.startswith(wanted) for name in names)
    if kind == "ends":
        return any(name.endswith(wanted) for name in names)
    if kind == "has":
        return any(wanted in name for name in names)
    import re  # noqa: PLC0415  the rare expression that is no plain text

    return any(re.search(wanted, name, re.ASCII) for name in names)
