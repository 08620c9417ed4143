"""Configuration files → plan, with every problem named: what, where, what to try.

config.toml < .hookwright.toml → [compiled] → the rows that dispatch reads
A file that does not parse changes nothing: the last good plan stays, or the defaults. A single bad
value costs that value only. Cold: runs when a source changed.
"""

from __future__ import annotations

import marshal
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from hashlib import sha256
from typing import Any, TypedDict, Unpack, cast

from hookwright.errors import UserError
from hookwright.options import BadValue, accepted, is_tighter
from hookwright.plan import careful, packages, projects
from hookwright.plan.commands import SECTION, command_hooks, command_problems, section as commands_section
from hookwright.plan.declared import Declared, Guest, declaration
from hookwright.plan.folder import (
    Found,
    Loading,
    hooks_in,
    python_files,
    user_hooks,
    user_module,
)
from hookwright.plan.table import HOOKS, class_name

__all__ = ["Declared", "Guest", "declaration", "user_hooks", "user_module"]  # found elsewhere, asked for here

CHECK = "hookwright config check"
TRUST = "hookwright trust"
MOST_HANGING = 2  # files that hang when they are loaded; with more, Claude Code would not wait


@dataclass(frozen=True)
class Value:
    """An option's value and the layer it comes from: built-in, user or project."""

    value: Any
    origin: str


@dataclass
class Resolved:
    """All options of all hooks, and what was wrong on the way."""

    values: dict[str, dict[str, Value]]
    problems: list[UserError] = field(default_factory=list)
    broken: bool = False  # a file did not parse


def declared(names: tuple[str, ...] = HOOKS) -> list[Declared]:
    return [declaration(name, _load(name)) for name in names]


def _load(name: str) -> Any:
    module = __import__(f"hookwright.hooks.{name}", None, None, (name,))
    return getattr(module, class_name(name))


def resolved(
    user: str, project: str, *, trusted: bool, hooks: list[Declared] | None = None, partly: bool = False
) -> Resolved:
    """Every option's value with its origin, from the files as they are now. `partly`: other sections may be there."""
    hooks = [*(declared() if hooks is None else hooks), commands_section()]
    result = Resolved(
        {
            hook.name: {name: Value(option.default, "built-in") for name, option in hook.options.items()}
            for hook in hooks
        }
    )
    for path, origin in ((user, "user"), (project, "project")):
        if not path:
            continue
        try:
            text = _text(path)
        except FileNotFoundError:
            continue
        except (OSError, UnicodeDecodeError) as error:
            result.problems.append(UserError(f"cannot be read: {error}", where=path, fix=CHECK))
            result.broken = True
            continue
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            result.problems.append(UserError(f"not valid TOML: {error}", where=path, fix=CHECK))
            result.broken = True
            continue
        layer = _Layer(path, text, origin, only_tighter=origin == "project" and not trusted)
        if partly:
            table = {name: values for name, values in table.items() if name in [hook.section for hook in hooks]}
        layer.apply(table, hooks, result)
    return result


@dataclass(frozen=True)
class _Layer:
    path: str
    text: str
    origin: str
    only_tighter: bool

    def apply(self, table: Mapping[str, Any], hooks: list[Declared], result: Resolved) -> None:
        by_section = {hook.section: hook for hook in hooks}
        for section, values in table.items():
            hook = by_section.get(section)
            if hook is None:
                names = {h.name: h.section for h in hooks} | {s: s for s in by_section}
                self._problem(result, f"unknown section [{section}]", section, "", _meant(section, names))
            elif not isinstance(values, dict):
                self._problem(result, f"{section} must be a table, got {values!r}", section, "", f"write [{section}]")
            else:
                self._apply_section(hook, values, result)

    def _apply_section(self, hook: Declared, values: Mapping[str, Any], result: Resolved) -> None:
        for name, raw in values.items():
            option = hook.options.get(name)
            if option is None:
                known = {known: known for known in hook.options}
                self._problem(result, f"[{hook.section}] has no option {name}", hook.section, name, _meant(name, known))
                continue
            try:
                value = accepted(option, _plain(raw))
            except BadValue as error:
                self._problem(result, f"{hook.section}.{name} {error}", hook.section, name, option.help)
                continue
            old = result.values[hook.name][name].value
            if option.adds:
                value = (*old, *value)
            if self.only_tighter and not is_tighter(option.tighter, old, value):
                what = f"{hook.section}.{name} is passed over: this project is not trusted and may only tighten"
                self._problem(result, what, hook.section, name, TRUST)
                continue
            result.values[hook.name][name] = Value(value, self.origin)

    def _problem(self, result: Resolved, what: str, section: str, name: str, fix: str) -> None:
        line = _line_of(self.text, section, name)
        result.problems.append(UserError(what, where=f"{self.path}:{line}" if line else self.path, fix=fix or CHECK))


@dataclass(frozen=True)
class Everything:
    """Every hook there is, ours first, with its values; what to watch for changes; what was wrong."""

    hooks: list[Declared]
    resolved: Resolved
    stamps: tuple[Any, ...] = ()


class Places(TypedDict, total=False):
    """Where the plan comes from; a place that is not given is not there."""

    user: str  # config.toml
    project: str  # .hookwright.toml
    trust: str  # what `hookwright trust` recorded for this project
    hooks: str  # the user's folder of hooks
    folder: str  # the project's folder of hooks
    only_ours: bool  # no hook that is not ours: nobody's Python is loaded, nobody's command will run


def everything(loading: Loading | None = None, **places: Unpack[Places]) -> Everything:
    """All hooks: built-in, the user's, of packages, the project's if they are trusted, commands."""
    loading = loading or Loading()
    user, project = places.get("user", ""), places.get("project", "")
    here = projects.look(project, places.get("folder", ""))
    is_trusted = projects.is_trusted(here, places.get("trust", ""))
    given = resolved(user, project, trusted=is_trusted, hooks=[], partly=True).values[SECTION]
    own = declared()
    if places.get("only_ours"):
        return Everything(own, resolved(user, project, trusted=is_trusted, hooks=own))
    loading = replace(loading, paths=packages.libraries(given["path"].value))
    found = [
        user_hooks(places.get("hooks", ""), loading),
        packages.package_hooks(loading),
        _of_project(here, loading, is_trusted=is_trusted),
    ]
    common = {name: own[0].options[name] for name in ("mode", "debug")}
    written = command_hooks(given["command"].value, user or project, common)
    guests = sorted((hook for one in found for hook in one.hooks), key=_place_of)
    every, problems = _distinct(own + sorted([*guests, *written], key=lambda hook: hook.order))
    result = resolved(user, project, trusted=is_trusted, hooks=every)
    problems += command_problems(written, given["command"].value)
    result.problems += [problem for one in found for problem in one.problems] + problems
    return Everything(every, result, tuple(stamp for one in found for stamp in one.stamps))


def _of_project(here: projects.Project, loading: Loading, *, is_trusted: bool) -> Found:
    """The project's own hooks, if exactly these files were trusted."""
    if not here.folder:
        return Found()
    stamps = here.stamps
    if is_trusted:
        found = hooks_in(here.python, loading, place="project")
        return Found(found.hooks, stamps, found.problems)
    if here.links:
        what = f"this project's hooks do not run: {here.links[0]} is a link, and what it points at can change unseen"
        return Found([], stamps, [UserError(what, where=here.folder, fix="put the file itself there")])
    count = len(here.python)
    state = sha256(repr(sorted(here.hashes.items())).encode()).hexdigest()[:8]  # a change is told anew
    what = f"this project has {count} hook {'file' if count == 1 else 'files'} that you have not trusted ({state})"
    return Found([], stamps, [UserError(f"{what}; none of them runs", where=here.folder, fix=TRUST)])


_PLACES = ("user", "package", "project", "command")


def _place_of(hook: Declared) -> tuple[int, int]:
    return hook.order, _PLACES.index(hook.guest.place if hook.guest else "user")


def _distinct(hooks: list[Declared]) -> tuple[list[Declared], list[UserError]]:
    """Each name once: the first keeps it."""
    kept: dict[str, Declared] = {}
    problems = []
    for hook in hooks:
        if hook.name in kept or hook.name == SECTION:
            other = kept[hook.name].file if hook.name in kept else ""
            what = f"there is already a hook called {hook.name}" + (f" in {other}" if other else "")
            problems.append(UserError(f"{what}; this one does not run", where=hook.file, fix="give it another name"))
        else:
            kept[hook.name] = hook
    return list(kept.values()), problems


def compiled(*, last_good: dict[str, Any] | None = None, **places: Unpack[Places]) -> dict[str, Any]:
    """The plan that the door reads. Never raises for what a user wrote; a file that hangs when loaded is left out."""
    if not _has_guests(places):
        return plan_of(everything(**places), last_good)
    plan, skip = _apart(lambda loading: plan_of(everything(loading, **places), last_good))
    if plan is not None:
        return cast("dict[str, Any]", plan)
    return plan_of(_without_guests(places, skip), last_good)


def examined(**places: Unpack[Places]) -> Everything:
    """`everything`, for commands: a file that hangs or ends the process when loaded is found out in another one."""
    if not _has_guests(places):
        return everything(**places)
    sound, skip = _apart(lambda loading: bool(everything(loading, **places).hooks))
    return _without_guests(places, skip) if sound is None else everything(Loading(skip=skip), **places)


def _apart(make: Callable[[Loading], Any]) -> tuple[Any, dict[str, str]]:
    """What `make` made in a process of its own, and the files that had to be left out; None if there are too many."""
    skip: dict[str, str] = {}
    while True:
        try:
            return careful.carefully(lambda tell: make(Loading(tell, dict(skip)))), skip
        except careful.Stopped as stopped:
            if not stopped.file or len(skip) >= MOST_HANGING:
                skip.setdefault(stopped.file, stopped.why)
                return None, skip
            skip[stopped.file] = stopped.why
        except OSError:  # no process more
            return None, skip


def _without_guests(places: Places, skip: Mapping[str, str]) -> Everything:
    """Our own hooks only, and why."""
    folder = places.get("hooks") or places.get("folder", "")
    ours: Places = {**places, "hooks": "", "folder": "", "only_ours": True}
    result = everything(**ours)
    files = ", ".join(f"{os.path.basename(file)} ({why})" for file, why in skip.items() if file)
    what = f"none of your own hooks runs: too many cannot be loaded: {files}" if files else "your own hooks do not load"
    result.resolved.problems.append(UserError(what, where=folder, fix="take these files out of the folder"))
    return result


def _has_guests(places: Places) -> bool:
    """May somebody else's Python run when the plan is made?"""
    if places.get("only_ours"):
        return False
    if any(python_files(folder) for folder in (places.get("hooks", ""), places.get("folder", "")) if folder):
        return True
    given = resolved(places.get("user", ""), "", trusted=False, hooks=[], partly=True).values[SECTION]
    return any(True for folder in packages.libraries(given["path"].value) for _ in packages.entry_points(folder))


def plan_of(every: Everything, last_good: dict[str, Any] | None = None) -> dict[str, Any]:
    """The rows that dispatch reads, event by event."""
    result = every.resolved
    problem = "\n".join(str(error) for error in result.problems)
    if result.broken and last_good is not None:
        return {**last_good, "problem": problem}
    plan = assembled(every.hooks, result.values)
    return {**plan, "problem": problem, "files": tuple(stamp[0] for stamp in every.stamps), "stamps": every.stamps}


def assembled(hooks: list[Declared], values: Mapping[str, Mapping[str, Value]]) -> dict[str, Any]:
    """The plan of these hooks with these values."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for hook in hooks:
        for event, tools in hook.on.items():
            rows.setdefault(event, []).append(_row(hook, tools, values[hook.name]))
    for some in rows.values():
        _mark_last(some)
    variables = {hook.name: tuple(environment(hook)) for hook in hooks}
    return {
        "hooks": rows,
        "problem": "",
        "variables": tuple(sorted({row[0][:10].encode() for each in variables.values() for row in each})),
        "environment": marshal.dumps(variables),  # read only where one of them is set
        "files": (),
        "stamps": (),
    }


def _mark_last(rows: list[dict[str, Any]]) -> None:
    """The last guest that may be asked for a tool: after it there is nobody whose answer could be lost."""
    for place, row in enumerate(rows):
        if "light" in row:
            row["last"] = not any(_overlap(row["tools"], later["tools"]) for later in rows[place + 1 :])


def _overlap(some: tuple[str, ...], others: tuple[str, ...]) -> bool:
    if not some or not others or any("*" in tool for tool in (*some, *others)):
        return True
    return bool(set(some) & set(others))


def _row(hook: Declared, tools: tuple[str, ...], values: Mapping[str, Value]) -> dict[str, Any]:
    changed = {name: value.value for name, value in values.items() if value.origin != "built-in"}
    row = {
        "hook": hook.name,
        "file": hook.file,
        "class": hook.class_name,
        "mode": values["mode"].value,
        "failure": hook.failure,
        "deadline_s": hook.deadline_s,
        "tools": tools,
        "options": changed,
    }
    return row if hook.guest is None else {**row, **_guest_row(hook.guest)}


def _guest_row(guest: Guest) -> dict[str, Any]:
    row = {
        "code": guest.code,
        "helpers": dict(guest.helpers),
        "module": guest.module,
        "paths": guest.paths,
        "command": guest.command["run"] if guest.command else (),
        "light": guest.light,
    }
    if guest.command and guest.command["matcher"]:
        row["matcher"] = guest.command["matcher"]
    return row


def environment(hook: Declared) -> Iterator[tuple[str, str, str, tuple[str, ...], dict[str, Any] | None]]:
    """Variables that set this hook's options: former tools' names first, so that ours wins."""
    for name, option in hook.options.items():
        for variable, spelling in option.env.items():
            yield variable, name, option.kind, option.choices, dict(spelling) if spelling is not None else None
    for name, option in hook.options.items():
        if option.kind != "tables":
            yield f"HOOKWRIGHT_{hook.name}_{name}".upper(), name, option.kind, option.choices, None


def _text(path: str) -> str:
    with open(path, encoding="utf-8-sig") as file:
        return file.read()


def _plain(value: Any) -> Any:
    """TOML's dates as text, so that a plan is plain data."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, (str, int, float, bool)) else value.isoformat()


def _meant(word: str, names: Mapping[str, str]) -> str:
    if word in names and names[word] != word:
        return f"write [{names[word]}]"
    close = get_close_matches(word, names, n=1)
    return f"did you mean {names[close[0]]}?" if close else ""


def _line_of(text: str, section: str, name: str) -> int:
    """The line of a key, as near as a reader needs it; 0 if it is not found."""
    inside = False
    section_line = 0
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            inside = stripped.strip("[] \t").split("#")[0].strip("[] \t") in (section, f"{section}.{name}")
            if inside:
                section_line = section_line or number
                if not name or stripped.strip("[] \t") == f"{section}.{name}":
                    return number
        key = stripped.split("=")[0].strip()
        if (inside and key == name) or key in (section, f"{section}.{name}"):
            return number
    return section_line
