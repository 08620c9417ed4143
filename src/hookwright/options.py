"""Declare options at the hook that has them; help, docs and environment variables are derived from there.

    patience = option(30, help="Seconds of explicit timeout that count as short.")

Precedence: default < user file < project file < environment, then the administrator's policy as a floor. A project that
is not trusted can only tighten an option, in the direction that `tighter` names; below a policy's value nobody can go.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    # Variable of a former tool → {its text: the option's value}, or None where the text is taken as it is.
    Spellings = Mapping[str, Mapping[str, Any] | None]

MODES = ("on", "off", "shadow")
_YES = ("1", "true", "yes", "on")
_NO = ("0", "false", "no", "off")


class BadValue(ValueError):
    """A value that the option does not accept; the text says what it must be."""


REQUIRED = "<required>"  # stands for the default of a column that has none


class Option:
    """Descriptor of one option: the value from the plan if there is one, else the default."""

    __slots__ = ("adds", "check", "choices", "columns", "default", "env", "help", "kind", "name", "short", "tighter")

    def __init__(
        self,
        default: Any,
        help: str,
        choices: tuple[str, ...],
        env: Spellings,
        tighter: Any,
        kind: str,
        columns: Mapping[str, Option],
        check: Callable[[Any], Any] | None,
        adds: bool,
        short: str = "",
    ) -> None:
        self.adds = adds
        self.short = short
        self.default = default
        self.help = help
        self.choices = choices
        self.env = env
        self.tighter = tighter
        self.kind = kind
        self.columns = columns
        self.check = check

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
    columns: Mapping[str, Any] | None = None,
    check: Callable[[Any], Any] | None = None,
    adds: bool = False,
    short: str = "",
) -> Any:
    """Declare an option of a hook.

    `tighter`: "lower", "higher", "more" (of a list), or a tuple of values from loosest to strictest; None: only the
    user's file may set it.
    `kind`: derived from the default (switch, whole, number, text, texts), "words" for a text or a list of texts, or
    "tables" for a list of TOML tables.
    `env`: environment variables of former tools that set it as well.
    `columns`: the keys of a table, each an option itself; one whose default is REQUIRED must be given.
    `check`: takes a value of the right kind and returns it, or raises BadValue. Called when files are read.
    `short`: the key of a table that a text stands for in a list of tables: `checks = ["pytest"]`.
    `adds`: a list whose layers are concatenated: the project's items come after the user's and remove none.
    """
    kind = kind or _KINDS[type(default)]
    return Option(default, help, choices, env or {}, tighter, kind, columns or {}, check, adds, short)


LEGACY_QUIET: Spellings = {"AGENT_OS_HOOKS_QUIET": {"1": "off", "true": "off", "yes": "off", "on": "off"}}


def mode_option(
    default: str = "on",
    *,
    shadow: str = "decides and records, but answers nothing",
    tighter: tuple[str, ...] | None = ("off", "shadow", "on"),
    env: Spellings | None = None,
) -> Any:
    """Declare the `mode` that every hook has. `shadow` says what the hook still does in that mode."""
    return option(default, choices=MODES, tighter=tighter, env=env, help=f"on, off, or shadow: {shadow}.")


def validate_option(declared: Option, value: Any) -> Any:
    """The value from a configuration file, converted and completed with defaults, or BadValue."""
    if declared.kind == "tables" and declared.short and isinstance(value, (list, tuple)):
        value = [{declared.short: row} if isinstance(row, str) else row for row in value]
    value = check_value(declared.kind, declared.choices, value)
    if declared.kind == "tables" and declared.columns:
        value = tuple(_validate_row(declared.columns, number, row) for number, row in enumerate(value, 1))
    return declared.check(value) if declared.check else value


def _validate_row(columns: Mapping[str, Option], number: int, row: Mapping[str, Any]) -> dict[str, Any]:
    for key in row:
        if key not in columns:
            raise BadValue(f"number {number} has no key {key}; it knows {_join_choices(tuple(columns), 'and')}")
    whole = {}
    for key, column in columns.items():
        if key not in row:
            if column.default is REQUIRED:
                raise BadValue(f"number {number} needs {key}: {column.help}")
            whole[key] = column.default
            continue
        try:
            whole[key] = validate_option(column, row[key])
        except BadValue as error:
            raise BadValue(f"number {number}: {key} {error}") from None
    return whole


def check_value(kind: str, choices: tuple[str, ...], value: Any) -> Any:
    """A TOML value, converted to the type of the option, or BadValue."""
    if kind == "switch" and isinstance(value, bool):
        return value
    if kind == "whole" and isinstance(value, int) and not isinstance(value, bool):
        return value
    if kind == "number" and isinstance(value, (int, float)) and not isinstance(value, bool):
        return float(value)
    if kind == "text" and isinstance(value, str):
        if choices and value not in choices:
            raise BadValue(f"must be {_join_choices(choices)}, got {show_value(value)}")
        return value
    if kind == "words" and isinstance(value, str) and value.strip():
        return value
    if (kind == "texts" or (kind == "words" and value)) and _is_list_of(str, value):
        return tuple(value)
    if kind == "tables" and _is_list_of(dict, value):
        return tuple(value)
    if kind == "text" and choices and isinstance(value, bool):
        # People write `mode = true` in TOML; the values are on and off.
        return check_value(kind, choices, "on" if value else "off")
    raise BadValue(f"must be {KIND_LABELS[kind]}, got {show_value(value)}")


def show_value(value: Any) -> str:
    """A value in a message: short, and never an error itself (a number of 5,000 digits has no decimal form)."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):
        return "a value that is too long to show"
    return text if len(text) <= 200 else text[:199] + "…"


def _is_list_of(kind: type, value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, kind) for item in value)


KIND_LABELS = {
    "switch": "true or false",
    "whole": "a whole number",
    "number": "a number",
    "text": "a text",
    "texts": "a list of texts",
    "words": "a text or a list of texts, not empty",
    "tables": "a list of tables",
}


def parse_env_value(kind: str, choices: tuple[str, ...], text: str) -> Any:
    """The value of an environment variable, converted to the type of the option, or BadValue."""
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
            raise BadValue(f"must be {KIND_LABELS[kind]}, got {text!r}") from None
    if kind == "texts":
        return tuple(part.strip() for part in text.split(",") if part.strip())
    if kind == "words":
        return check_value(kind, choices, text)
    if kind == "tables":
        raise BadValue("can only be set in a configuration file")
    if choices and "on" in choices:
        lowered = text.lower()
        text = "on" if lowered in _YES else "off" if lowered in _NO else lowered
    return check_value(kind, choices, text)


def is_tighter(tighter: Any, old: Any, new: Any) -> bool:
    """True if an untrusted project may make this change; an equal value always may."""
    if new == old:
        return True
    if tighter == "lower":
        return bool(new < old)
    if tighter == "higher":
        return bool(new > old)
    if tighter == "more":
        return all(item in new for item in old)
    if isinstance(tighter, tuple) and old in tighter and new in tighter:
        return tighter.index(new) > tighter.index(old)
    return False


def raise_to_floor(tighter: Any, floor: Any, value: Any) -> Any:
    """The value if it is at least as tight as the floor, else the floor; a list gets the floor's items as well."""
    if tighter == "more":
        return (*value, *(item for item in floor if item not in value))
    return value if is_tighter(tighter, floor, value) else floor


def _join_choices(choices: tuple[str, ...], word: str = "or") -> str:
    return f"{', '.join(choices[:-1])} {word} {choices[-1]}" if len(choices) > 1 else choices[0]
