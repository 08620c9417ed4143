"""Options are declared once, at the hook; help, docs, JSON Schema and environment names come from there.

    patience = option(30, help="Seconds of explicit timeout that count as short.")

Read from: built-in < user file < project file < environment. A project that is not trusted may
only move an option towards its `tighter` side.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    # What a former environment variable means: its text → the option's value. None: taken as it is.
    Spellings = Mapping[str, Mapping[str, Any] | None]

MODES = ("on", "off", "shadow")
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off")


class BadValue(ValueError):
    """A value that the option cannot take; the text says what it wants."""


class Option:
    """A descriptor: the instance's own value if the plan gave one, else the default."""

    __slots__ = ("choices", "default", "env", "help", "kind", "name", "tighter")

    def __init__(
        self, default: Any, help: str, choices: tuple[str, ...], env: Spellings, tighter: Any, kind: str
    ) -> None:
        self.default = default
        self.help = help
        self.choices = choices
        self.env = env
        self.tighter = tighter
        self.kind = kind

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else self.default


_KINDS = {bool: "switch", int: "whole", float: "number", str: "text", tuple: "texts"}


def option(
    default: Any,
    *,
    help: str,
    choices: tuple[str, ...] = (),
    env: Spellings | None = None,
    tighter: Any = None,
    kind: str = "",
) -> Any:
    """Declare an option of a hook.

    `tighter`: "lower", "higher", or a tuple of values from loosest to strictest; None: only the user decides.
    `kind`: taken from the default (switch, whole, number, text, texts), or "tables" for a list of TOML tables.
    `env`: environment variables of former tools that also set it.
    """
    return Option(default, help, choices, env or {}, tighter, kind or _KINDS[type(default)])


def checked(kind: str, choices: tuple[str, ...], value: Any) -> Any:
    """The value in its own type, or BadValue saying what is wanted. Takes TOML values."""
    if kind == "switch" and isinstance(value, bool):
        return value
    if kind == "whole" and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind == "number" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if kind == "text" and isinstance(value, str):
        if choices and value not in choices:
            raise BadValue(f"must be {_either(choices)}, got {value!r}")
        return value
    if kind == "texts" and isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value):
        return tuple(value)
    if kind == "tables" and isinstance(value, (list, tuple)) and all(isinstance(item, dict) for item in value):
        return tuple(value)
    if kind == "text" and choices and isinstance(value, bool):
        # TOML users write `mode = true`; on and off are words of ours.
        return checked(kind, choices, "on" if value else "off")
    raise BadValue(f"must be {WANTED[kind]}, got {value!r}")


WANTED = {
    "switch": "true or false",
    "whole": "a whole number",
    "number": "a number",
    "text": "a text",
    "texts": "a list of texts",
    "tables": "a list of tables",
}


def from_text(kind: str, choices: tuple[str, ...], text: str) -> Any:
    """The value of an environment variable."""
    text = text.strip()
    if kind == "switch":
        if text.lower() in _YES:
            return True
        if text.lower() in _NO or not text:
            return False
        raise BadValue(f"must be on or off, got {text!r}")
    if kind in ("whole", "number"):
        try:
            return int(text) if kind == "whole" else float(text)
        except ValueError:
            raise BadValue(f"must be {WANTED[kind]}, got {text!r}") from None
    if kind == "texts":
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind == "tables":
        raise BadValue("can only be set in a configuration file")
    if choices and "on" in choices:
        lowered = text.lower()
        text = "on" if lowered in _YES else "off" if lowered in _NO else lowered
    return checked(kind, choices, text)


def is_tighter(tighter: Any, old: Any, new: Any) -> bool:
    """May an untrusted project make this change? Equal values change nothing."""
    if new == old:
        return True
    if tighter == "lower":
        return bool(new < old)
    if tighter == "higher":
        return bool(new > old)
    if isinstance(tighter, tuple) and old in tighter and new in tighter:
        return tighter.index(new) > tighter.index(old)
    return False


def _either(choices: tuple[str, ...]) -> str:
    return f"{', '.join(choices[:-1])} or {choices[-1]}" if len(choices) > 1 else choices[0]
