"""Edit the user's configuration by one value, and leave every other byte as it is.

allow, on, off, shadow → [plan_mode | plan_exception] → Change → [write_config] (lock, backup, atomic write)
undo → [plan_config_undo] → Change
The result is parsed and compared with what it should say before anything is written: a form of TOML that this does not
edit is refused, with the lines to write by hand.
"""

from __future__ import annotations

import copy
import json
import os
import re
from collections.abc import Mapping
from typing import Any

from hookwright.errors import UserError
from hookwright.proc.safe_toml import parse_toml
from hookwright.settings.backup import Backups, hash_bytes
from hookwright.settings.change import Change, apply
from hookwright.settings.write import make_folder, read_bytes, real_path

GUARD = "command_guard"
EXCEPTIONS = "exceptions"
_HEADER = re.compile(r"\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")


def plan_mode(path: str, section: str, mode: str, about: str = "") -> Change:
    """Set `mode` of a hook's section. `about`: the first line of a file that is new."""
    text, table = _read_config(path)
    wanted = copy.deepcopy(table)
    wanted.setdefault(section, {})["mode"] = mode
    if wanted == table:
        return _build_change(path, mode, text, text)
    lines = f'[{section}]\nmode = "{mode}"\n'
    return _build_change(path, mode, text, _set_value(text, section, "mode", f'"{mode}"'), wanted, lines, about)


def plan_exception(path: str, exception: Mapping[str, str], about: str = "") -> Change:
    """Add an exception to the guard's rules, unless the file has it."""
    text, table = _read_config(path)
    if find_exception(table, exception) is not None:
        return _build_change(path, "allow", text, text)
    wanted = copy.deepcopy(table)
    rows = wanted.setdefault(GUARD, {}).setdefault(EXCEPTIONS, [])
    row = {name: value for name, value in exception.items() if value}
    lines = f"[[{GUARD}.{EXCEPTIONS}]]\n" + "".join(f"{name} = {quote_toml(value)}\n" for name, value in row.items())
    if isinstance(rows, list):
        rows.append(row)
    return _build_change(path, "allow", text, _append_lines(text, lines), wanted, lines, about)


def write_config(change: Change, state: str) -> str | None:
    """Write the planned change; returns the path of the backup."""
    if change.changed:
        make_folder(os.path.dirname(change.target))
    return apply(change, state)


def find_exception(table: Mapping[str, Any], exception: Mapping[str, str]) -> Mapping[str, Any] | None:
    """The exception of this file for the same rule and command, whatever its reason."""
    for section in (GUARD, "guard"):
        rows = table.get(section, {}).get(EXCEPTIONS, []) if isinstance(table.get(section, {}), dict) else []
        for row in rows if isinstance(rows, list) else ():
            if isinstance(row, dict) and all(
                row.get(name, "") == exception.get(name, "") for name in ("rule", "command", "until")
            ):
                return row
    return None


def plan_config_undo(path: str, state: str) -> Change:
    """Undo our last change of this file: its exact bytes if nothing else changed since, else only our lines."""
    target = real_path(path)
    before = read_bytes(target)
    backups = Backups(state, target)
    record = backups.find_latest(before)
    if record is None:
        raise UserError("there is no change of ours to undo", where=path)
    if record.after == hash_bytes(before):
        return Change(path, target, "undo", before, backups.read_before(record), undoes=record)
    text = (before or b"").decode("utf-8", "surrogateescape")
    if text.count(record.new_text) != 1:
        what = f"the lines of the last `hookwright {record.action}` were edited since; nothing was changed"
        raise UserError(what, where=path, fix="edit the file, then hookwright config check")
    after = text.replace(record.new_text, record.old_text)
    _parse(after, path)
    return Change(path, target, "undo", before, after.encode("utf-8", "surrogateescape"), undoes=record)


def quote_toml(value: str) -> str:
    """A TOML string on one line. JSON's escapes are TOML's, but for the one control character that JSON leaves."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _read_config(path: str) -> tuple[str, dict[str, Any]]:
    raw = read_bytes(real_path(path)) or b""
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        raise UserError("not UTF-8; nothing was changed", where=path, fix="hookwright config check") from None
    return text, _parse(text, path)


def _parse(text: str, path: str) -> dict[str, Any]:
    try:
        return parse_toml(text.removeprefix("\ufeff"))
    except (ValueError, MemoryError) as error:
        what = f"the file is not valid TOML, so it is not edited: {error}"
        raise UserError(what, where=path, fix="hookwright config check") from None


def _build_change(
    path: str,
    action: str,
    text: str,
    new: str,
    wanted: Mapping[str, Any] | None = None,
    lines: str = "",
    about: str = "",
) -> Change:
    """The change, if the new text says exactly what it should."""
    target = real_path(path)
    before = read_bytes(target)
    if wanted is None:
        return Change(path, target, action, before, before)
    try:
        is_right = parse_toml(new.removeprefix("\ufeff")) == wanted
    except (ValueError, MemoryError):
        is_right = False
    if not is_right:
        shown = lines.strip().replace("\n", "\n    ")
        what = f"this file is written in a form that is not edited automatically; add by hand:\n    {shown}"
        raise UserError(what, where=path, fix="hookwright config check")
    old_text, new_text = _differing_lines(text, new)
    if before is None and about:
        new = f"# {about}\n{new.lstrip()}"
    return Change(path, target, action, before, new.encode(), old_text=old_text, new_text=new_text)


def _differing_lines(old: str, new: str) -> tuple[str, str]:
    """The lines of each text between those that both begin and both end with."""
    first, second = old.splitlines(keepends=True), new.splitlines(keepends=True)
    head = 0
    while head < min(len(first), len(second)) and first[head] == second[head]:
        head += 1
    tail = 0
    while tail < min(len(first), len(second)) - head and first[-1 - tail] == second[-1 - tail]:
        tail += 1
    return "".join(first[head : len(first) - tail]), "".join(second[head : len(second) - tail])


def _append_lines(text: str, lines: str) -> str:
    if text and not text.endswith("\n"):
        text += "\n"
    return f"{text}\n{lines}" if text else lines


def _set_value(text: str, section: str, name: str, value: str) -> str:
    """The text with this value: in its line, below the section's header, or in a new section at the end."""
    lines = text.splitlines(keepends=True)
    inside = ""
    header = -1
    for number, line in enumerate(lines):
        found = _HEADER.match(line)
        if found:
            inside = found[1].replace(" ", "")
            if inside == section and not line.lstrip().startswith("[["):
                header = number
            continue
        key, mark, _ = line.partition("=")
        key = key.replace(" ", "").strip()
        if mark and ((inside == section and key == name) or (not inside and key == f"{section}.{name}")):
            comment = re.search(r"\s+#[^\"']*$", line)
            end = comment[0].rstrip("\n") if comment else ""
            lines[number] = f"{line.partition('=')[0].rstrip()} = {value}{end}\n"
            return "".join(lines)
    if header >= 0:
        lines[header] = lines[header].rstrip("\n") + "\n"
        lines.insert(header + 1, f"{name} = {value}\n")
        return "".join(lines)
    return _append_lines(text, f"[{section}]\n{name} = {value}\n")
