"""Configuration files → plan, with every problem named: what, where, what to try.

config.toml < .hookwright.toml → [compiled] → the rows that dispatch reads
A file that does not parse changes nothing: the last good plan stays, or the defaults. A single bad
value costs that value only. Cold: runs when a source changed.
"""

from __future__ import annotations

import marshal
import os
import tomllib
from dataclasses import dataclass, field
from difflib import get_close_matches
from hashlib import sha256
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.options import BadValue, Option, accepted, is_tighter
from hookwright.plan import sources
from hookwright.plan.table import HOOKS, class_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CHECK = "hookwright config check"
TRUST = "hookwright trust"


@dataclass(frozen=True)
class Declared:
    """A hook as its class declares it."""

    name: str
    section: str
    failure: str
    deadline_s: float
    on: dict[str, tuple[str, ...]]  # event → tools, () for all
    options: dict[str, Option]
    doc: str
    needs: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # tool → modules that its decision comes to
    file: str = ""  # a user's own hook comes from this file
    class_name: str = ""
    longest_s: dict[str, float] = field(default_factory=dict)
    status: dict[str, str] = field(default_factory=dict)


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


def declaration(name: str, hook: Any, file: str = "") -> Declared:
    """What a hook class says about itself."""
    return Declared(
        name=name,
        section=hook.section or name,
        failure=hook.failure,
        deadline_s=hook.deadline_s,
        on=dict(_listenings(hook.on)),
        options=dict(_options(hook)),
        doc=(hook.__doc__ or "").strip(),
        needs=hook.needs,
        file=file,
        class_name=hook.__name__,
        longest_s=dict(hook.longest_s),
        status=dict(hook.status),
    )


@dataclass(frozen=True)
class UserHooks:
    """The hooks of a folder, their compiled modules, and what was wrong."""

    hooks: list[Declared]
    modules: dict[str, CodeType]
    stamps: tuple[Any, ...]
    problems: list[UserError]


def user_hooks(folder: str) -> UserHooks:
    """Every hook in the Python files of a folder, in the order of the file names."""
    found = UserHooks([], {}, (), [])
    if not folder or not os.path.isdir(folder):
        return found
    files = sorted(os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".py") and name[0] != "_")
    stamps = sources.stamps(tuple(files))
    for file in files:
        try:
            code = compile(_text(file), file, "exec")
            module = user_module(file, code)
        except Exception as error:  # noqa: BLE001  a user's file may fail in any way
            what = f"this hook file cannot be loaded: {type(error).__name__}: {error}"
            found.problems.append(UserError(what, where=file, fix="hookwright test"))
            continue
        hooks = [value for value in vars(module).values() if _is_hook(value, module)]
        if not hooks:
            found.problems.append(
                UserError("no hook in this file", where=file, fix="write @hook(PreToolUse) above a function")
            )
        found.modules[file] = code
        found.hooks.extend(declaration(_snake(hook.__name__), hook, file) for hook in hooks)
    return UserHooks(found.hooks, found.modules, stamps, found.problems)


def user_module(file: str, code: CodeType) -> ModuleType:
    """The module of a user's file, executed."""
    module = ModuleType(f"hookwright_user.{os.path.basename(file)[:-3]}")
    module.__file__ = file
    exec(code, module.__dict__)  # noqa: S102  the user's own folder, or a project that the user trusts
    return module


def _is_hook(value: object, module: ModuleType) -> bool:
    return (
        isinstance(value, type)
        and value.__module__ == module.__name__
        and bool(getattr(value, "on", ()))
        and callable(getattr(value, "decide", None))
    )


def _snake(name: str) -> str:
    return "".join(
        f"_{letter.lower()}" if letter.isupper() and place else letter.lower() for place, letter in enumerate(name)
    )


def _load(name: str) -> Any:
    module = __import__(f"hookwright.hooks.{name}", None, None, (name,))
    return getattr(module, class_name(name))


def _listenings(on: tuple[Any, ...]) -> Iterator[tuple[str, tuple[str, ...]]]:
    each = (on,) if on and isinstance(on[0], type) else on
    for event, *tools in each:
        yield event if isinstance(event, str) else event.__name__, tuple(tools)


def _options(hook: type) -> Iterator[tuple[str, Option]]:
    found: dict[str, Option] = {}
    for owner in reversed(hook.__mro__):
        found.update({name: value for name, value in vars(owner).items() if isinstance(value, Option)})
    yield from found.items()


def resolved(user: str, project: str, *, trusted: bool, hooks: list[Declared] | None = None) -> Resolved:
    """Every option's value with its origin, from the files as they are now."""
    hooks = declared() if hooks is None else hooks
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


def compiled(
    *, user: str, project: str, trust: str, hooks: str = "", last_good: dict[str, Any] | None = None
) -> dict[str, Any]:
    """The plan that the door reads. Never raises for what a user wrote."""
    own = user_hooks(hooks)
    every = declared() + own.hooks
    result = resolved(user, project, trusted=is_trusted(project, trust), hooks=every)
    problem = "\n".join(str(error) for error in result.problems + own.problems)
    if result.broken and last_good is not None:
        return {**last_good, "problem": problem}
    plan = assembled(every, result.values, own.modules)
    return {**plan, "problem": problem, "files": tuple(stamp[0] for stamp in own.stamps), "stamps": own.stamps}


def assembled(
    hooks: list[Declared], values: Mapping[str, Mapping[str, Value]], modules: Mapping[str, CodeType]
) -> dict[str, Any]:
    """The plan of these hooks with these values; `modules` are the codes of those that are not ours."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for hook in hooks:
        for event, tools in hook.on.items():
            rows.setdefault(event, []).append(_row(hook, tools, values[hook.name]))
    variables = {hook.name: tuple(environment(hook)) for hook in hooks}
    return {
        "hooks": rows,
        "problem": "",
        "modules": {file: marshal.dumps(code) for file, code in modules.items()},
        "variables": tuple(sorted({row[0][:10].encode() for each in variables.values() for row in each})),
        "environment": marshal.dumps(variables),  # read only where one of them is set
        "files": (),
        "stamps": (),
    }


def _row(hook: Declared, tools: tuple[str, ...], values: Mapping[str, Value]) -> dict[str, Any]:
    changed = {name: value.value for name, value in values.items() if value.origin != "built-in"}
    return {
        "hook": hook.name,
        "file": hook.file,
        "class": hook.class_name,
        "mode": values["mode"].value,
        "failure": hook.failure,
        "deadline_s": hook.deadline_s,
        "tools": tools,
        "options": changed,
    }


def environment(hook: Declared) -> Iterator[tuple[str, str, str, tuple[str, ...], dict[str, Any] | None]]:
    """Variables that set this hook's options: former tools' names first, so that ours wins."""
    for name, option in hook.options.items():
        for variable, spelling in option.env.items():
            yield variable, name, option.kind, option.choices, dict(spelling) if spelling is not None else None
    for name, option in hook.options.items():
        if option.kind != "tables":
            yield f"HOOKWRIGHT_{hook.name}_{name}".upper(), name, option.kind, option.choices, None


def is_trusted(project: str, trust: str) -> bool:
    """Has the user trusted exactly these bytes?"""
    if not project or not trust:
        return False
    import json  # noqa: PLC0415

    try:
        recorded = json.loads(_text(trust))
        return bool(recorded["files"][project] == fingerprint(project))
    except (OSError, ValueError, KeyError, TypeError):
        return False


def fingerprint(path: str) -> str:
    with open(path, "rb") as file:
        return sha256(file.read()).hexdigest()


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
