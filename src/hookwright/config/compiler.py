"""Compile the configuration files into a plan; every problem is reported with what, where and what to try.

config.toml < .hookwright.toml < the user's file for this project < policy → [compile_plan] → rows that dispatch reads
Each file is read and parsed in bounded time and memory, and what is wrong with it costs that file alone: if the user's
own file does not parse, the last good plan stays, or the defaults; if the project's does not, it is left out. A single
bad value costs that value only. Cold: runs when a source changed.
"""

from __future__ import annotations

import marshal
import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, TypedDict, Unpack, cast

from hookwright.config import discover_entry_points, load_isolated, trust as projects
from hookwright.config.builtin_hooks import HOOKS, class_name, module_name
from hookwright.config.command_hooks import (
    SECTION,
    build_command_hooks,
    find_command_problems,
    hooks_section as commands_section,
)
from hookwright.config.discover_files import (
    DiscoveredHooks,
    LoadContext,
    exec_user_module,
    list_python_files,
    load_hook_files,
    load_user_hooks,
)
from hookwright.config.hook_spec import HookSpec, UserHook, build_hook_spec
from hookwright.config.option_layer import CHECK, TRUST, OptionLayer, OptionValue, ResolvedOptions, clip_text
from hookwright.config.policy import NO_POLICY, Policy, keep_last_good, load_policy
from hookwright.errors import UserError
from hookwright.proc.safe_read import read_text
from hookwright.proc.safe_toml import NotToml, parse_toml

__all__ = [
    "HookSpec",
    "OptionValue",
    "ResolvedOptions",
    "UserHook",
    "build_hook_spec",
    "exec_user_module",
    "load_user_hooks",
]  # re-exported

FIX_TOML = "correct it, then hookwright config check; until then the last valid configuration or the defaults apply"
USER_BYTES = 1 << 20  # of config.toml
PROJECT_BYTES = 1 << 16  # of .hookwright.toml, which a stranger may have written
MOST_HANGING = 2  # files skipped because they hang; each costs a timeout, and Claude Code waits only so long


def declare_builtins(names: tuple[str, ...] = HOOKS) -> list[HookSpec]:
    return [build_hook_spec(name, _load_builtin(name)) for name in names]


def _load_builtin(name: str) -> Any:
    module = __import__(module_name(name), None, None, (name,))
    return getattr(module, class_name(name))


def resolve_options(
    user: str,
    project: str,
    *,
    trusted: bool,
    hooks: list[HookSpec] | None = None,
    partly: bool = False,
    policy: Policy | None = None,
    here: str = "",
) -> ResolvedOptions:
    """Every option's value with its origin, read from the files. `partly`: ignore sections of other hooks."""
    hooks = [*(declare_builtins() if hooks is None else hooks), commands_section()]
    result = ResolvedOptions(
        {
            hook.name: {name: OptionValue(option.default, "built-in") for name, option in hook.options.items()}
            for hook in hooks
        }
    )
    for path, origin in ((user, "user"), (project, "project"), (here, "here")):
        if not path:
            continue
        try:
            text = read_text(path, PROJECT_BYTES if origin == "project" else USER_BYTES, "utf-8-sig")
            table = parse_toml(text)
        except FileNotFoundError:
            continue
        except (OSError, ValueError, MemoryError) as error:
            unreadable = not isinstance(error, NotToml)
            what = f"cannot be read: {error}" if unreadable else f"not valid TOML: {error}"
            fix = CHECK if unreadable or origin == "project" else FIX_TOML
            result.problems.append(UserError(clip_text(what), where=path, fix=fix))
            result.broken = result.broken or origin != "project"
            continue
        layer = OptionLayer(path, text, origin, only_tighter=origin == "project" and not trusted)
        if partly:
            table = {name: values for name, values in table.items() if name in [hook.section for hook in hooks]}
        layer.apply_table(table, hooks, result)
    if policy is not None:
        policy.raise_values(hooks, result)
    return result


@dataclass(frozen=True)
class HookSet:
    """All hooks, built-in ones first, with their option values; the stamps of their sources; the problems found."""

    hooks: list[HookSpec]
    resolved: ResolvedOptions
    stamps: tuple[Any, ...] = ()
    policy: Policy = NO_POLICY


class ConfigPaths(TypedDict, total=False):
    """The sources of a plan; an omitted one does not exist."""

    user: str  # config.toml
    here: str  # the user's private file for this project
    project: str  # .hookwright.toml
    trust: str  # what `hookwright trust` recorded for this project
    hooks: str  # directory of the user's hooks
    folder: str  # directory of the project's hooks
    policy: str  # the administrator's policy: a directory or a file
    last_good_policy: str  # the copy that is kept of it
    only_ours: bool  # built-in hooks only: no user Python is imported, no user command runs


def load_hook_set(loading: LoadContext | None = None, **places: Unpack[ConfigPaths]) -> HookSet:
    """Load all hooks: built-in, the user's, those of packages, the project's if it is trusted, commands."""
    loading = loading or LoadContext()
    user, project, here = (places.get("user", ""), places.get("project", ""), places.get("here", ""))
    files = projects.read_project(project, places.get("folder", ""))
    is_trusted = projects.is_trusted(files, places.get("trust", ""))
    own = declare_builtins()
    policy = load_policy(places.get("policy", ""), places.get("last_good_policy", ""), [*own, commands_section()])
    if places.get("only_ours"):
        result = resolve_options(user, project, trusted=is_trusted, hooks=own, policy=policy, here=here)
        result.problems[:0] = policy.problems
        return HookSet(own, result, policy.stamps, policy)
    sections = resolve_options(user, project, trusted=is_trusted, hooks=[], partly=True, policy=policy, here=here)
    given = sections.values[SECTION]
    loading = replace(loading, paths=discover_entry_points.library_paths(given["path"].value))
    found = [
        load_user_hooks(places.get("hooks", ""), loading),
        discover_entry_points.load_package_hooks(loading),
        _load_project_hooks(files, loading, is_trusted=is_trusted),
    ]
    common = {name: own[0].options[name] for name in ("mode", "debug")}
    tables = given["command"].value
    count = len(policy.commands)  # they come first, so that nobody else's hook takes their names
    ordered = build_command_hooks(tables[:count], policy.source, common)
    written = build_command_hooks(tables[count:], user or project, common)
    policy = policy.hold_modes(ordered)
    from_users = sorted((hook for one in found for hook in one.hooks), key=_sort_key)
    every, problems = _drop_duplicates([*own, *ordered, *sorted([*from_users, *written], key=lambda hook: hook.order)])
    result = resolve_options(user, project, trusted=is_trusted, hooks=every, policy=policy, here=here)
    problems += find_command_problems([*ordered, *written], tables)
    result.problems += [problem for one in found for problem in one.problems] + problems
    result.problems[:0] = policy.problems
    return HookSet(every, result, (*policy.stamps, *(stamp for one in found for stamp in one.stamps)), policy)


def _load_project_hooks(files: projects.ProjectFiles, loading: LoadContext, *, is_trusted: bool) -> DiscoveredHooks:
    """Load the project's hooks, if exactly these files were trusted."""
    if not files.folder:
        return DiscoveredHooks()
    stamps = files.stamps
    if is_trusted:
        found = load_hook_files(files.python_sources, loading, place="project")
        return DiscoveredHooks(found.hooks, stamps, found.problems)
    if files.links:
        what = f"this project's hooks do not run: {files.links[0]} is a link, and what it points at can change unseen"
        return DiscoveredHooks([], stamps, [UserError(what, where=files.folder, fix="put the file itself there")])
    if files.unreadable:
        what = f"this project's hooks do not run: {files.unreadable}"
        return DiscoveredHooks(
            [], stamps, [UserError(clip_text(what), where=files.folder, fix="ls -l " + files.folder)]
        )
    count = len(files.python_sources)
    # Part of the text, so that each change of the files is a new problem, of which the user is notified.
    state = sha256(repr(sorted(files.hashes.items())).encode()).hexdigest()[:8]
    number, none = (
        ("1 hook file", "it will not run") if count == 1 else (f"{count} hook files", "none of them will run")
    )
    what = f"this project has {number} that you have not trusted ({state}); {none}"
    return DiscoveredHooks([], stamps, [UserError(what, where=files.folder, fix=TRUST)])


_PLACE_ORDER = ("user", "package", "project", "command")


def _sort_key(hook: HookSpec) -> tuple[int, int]:
    return hook.order, _PLACE_ORDER.index(hook.user_hook.place if hook.user_hook else "user")


def _drop_duplicates(hooks: list[HookSpec]) -> tuple[list[HookSpec], list[UserError]]:
    """Keep the first hook of each name; the others are problems."""
    kept: dict[str, HookSpec] = {}
    problems = []
    for hook in hooks:
        if hook.name in kept or hook.name == SECTION:
            other = kept[hook.name].file if hook.name in kept else ""
            what = f"there is already a hook called {hook.name}" + (f" in {other}" if other else "")
            problems.append(UserError(f"{what}; this one does not run", where=hook.file, fix="give it another name"))
        else:
            kept[hook.name] = hook
    return list(kept.values()), problems


def compile_plan(*, last_good: dict[str, Any] | None = None, **places: Unpack[ConfigPaths]) -> dict[str, Any]:
    """Compile the plan for the hook process. Never raises for user input; what cannot be used is left out."""
    try:
        return _compile(last_good, places)
    except Exception as error:
        if not (places.get("project") or places.get("folder")):
            raise
        where = places.get("project") or places.get("folder", "")
        what = f"this project's files are left out: {type(error).__name__}: {error}"
    plan = _compile(None, {**places, "project": "", "folder": "", "trust": ""})
    return {**plan, "problems": (*plan["problems"], str(UserError(clip_text(what), where=where, fix=CHECK)))}


def _compile(last_good: dict[str, Any] | None, places: ConfigPaths) -> dict[str, Any]:
    if not _has_user_hooks(places):
        return build_plan(load_hook_set(**places), last_good)
    plan, skip = _run_isolated(lambda loading: build_plan(load_hook_set(loading, **places), last_good))
    if plan is None:
        return build_plan(_load_builtins_only(places, skip), last_good)
    without_guests: ConfigPaths = {**places, "only_ours": True}
    ours = build_plan(load_hook_set(**without_guests), last_good)
    return cast("dict[str, Any]", plan) if ours["policy"] is None else _restore_own_rows(plan, ours)


def _restore_own_rows(plan: dict[str, Any], ours: dict[str, Any]) -> dict[str, Any]:
    """The plan with our own hooks as they are without user hooks, whose code ran where the plan was made."""
    rows = {event: [row for row in rows if row["file"]] for event, rows in plan["hooks"].items()}
    for event, own in ours["hooks"].items():
        rows[event] = [*(row for row in own if not row["file"]), *rows.get(event, ())]
    stamps = (*ours["stamps"], *(stamp for stamp in plan["stamps"] if stamp not in ours["stamps"]))
    variables = {**marshal.loads(plan["environment"]), **marshal.loads(ours["environment"])}  # noqa: S302
    return {
        **plan,
        "hooks": rows,
        "environment": marshal.dumps(variables),
        "variables": _list_prefixes(variables),
        "policy": ours["policy"],
        "files": tuple(stamp[0] for stamp in stamps),
        "stamps": stamps,
    }


def _list_prefixes(variables: Mapping[str, tuple[Any, ...]]) -> tuple[bytes, ...]:
    """The first letters of all variables: what dispatch compares before it looks each of them up."""
    return tuple(sorted({row[0][:10].encode() for each in variables.values() for row in each}))


def keep_policy(source: str, last_good_policy: str) -> None:
    """Keep a copy of the policy for the time when its files are broken."""
    if last_good_policy:
        keep_last_good(source, last_good_policy, [*declare_builtins(), commands_section()])


def load_hook_set_isolated(**places: Unpack[ConfigPaths]) -> HookSet:
    """`load_hook_set` for CLI commands: first tried in a fork, so that a file that hangs or exits can be skipped."""
    if not _has_user_hooks(places):
        return load_hook_set(**places)
    sound, skip = _run_isolated(lambda loading: bool(load_hook_set(loading, **places).hooks))
    return _load_builtins_only(places, skip) if sound is None else load_hook_set(LoadContext(skip=skip), **places)


def _run_isolated(make: Callable[[LoadContext], Any]) -> tuple[Any, dict[str, str]]:
    """Run `make` in a fork, skipping files that hang or exit; its result (None if there are too many) and the skips."""
    skip: dict[str, str] = {}
    while True:
        try:
            return load_isolated.run_in_fork(lambda tell: make(LoadContext(tell, dict(skip)))), skip
        except load_isolated.LoadFailed as stopped:
            if not stopped.file or len(skip) >= MOST_HANGING:
                skip.setdefault(stopped.file, stopped.why)
                return None, skip
            skip[stopped.file] = stopped.why
        except OSError:  # cannot fork
            return None, skip


def _load_builtins_only(places: ConfigPaths, skip: Mapping[str, str]) -> HookSet:
    """The built-in hooks, with a problem that says why the user hooks are missing."""
    folder = places.get("hooks") or places.get("folder", "")
    ours: ConfigPaths = {**places, "hooks": "", "folder": "", "only_ours": True}
    result = load_hook_set(**ours)
    files = ", ".join(f"{os.path.basename(file)} ({why})" for file, why in skip.items() if file)
    what = f"your hooks do not run: too many cannot be loaded: {files}" if files else "your hooks cannot be loaded"
    result.resolved.problems.append(UserError(what, where=folder, fix="move these files out of the directory"))
    return result


def _has_user_hooks(places: ConfigPaths) -> bool:
    """True if compiling the plan may import Python that is not ours."""
    if places.get("only_ours"):
        return False
    if any(list_python_files(folder) for folder in (places.get("hooks", ""), places.get("folder", "")) if folder):
        return True
    policy = load_policy(
        places.get("policy", ""), places.get("last_good_policy", ""), [*declare_builtins(), commands_section()]
    )
    user = places.get("user", "")
    sections = resolve_options(
        user, "", trusted=False, hooks=[], partly=True, policy=policy, here=places.get("here", "")
    )
    given = sections.values[SECTION]
    return any(
        True
        for folder in discover_entry_points.library_paths(given["path"].value)
        for _ in discover_entry_points.read_entry_points(folder)
    )


def build_plan(every: HookSet, last_good: dict[str, Any] | None = None) -> dict[str, Any]:
    """The rows that dispatch reads, event by event."""
    result = every.resolved
    problems = tuple(str(error) for error in result.problems)
    plan = assemble_plan(every.hooks, result.values, every.policy)
    if result.broken and last_good is not None and last_good["policy"] == plan["policy"]:
        plan = last_good
    return {**plan, "problems": problems, "files": tuple(stamp[0] for stamp in every.stamps), "stamps": every.stamps}


def assemble_plan(
    hooks: list[HookSpec], values: Mapping[str, Mapping[str, OptionValue]], policy: Policy | None = None
) -> dict[str, Any]:
    """The plan of these hooks with these values."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for hook in hooks:
        for event, tools in hook.on.items():
            rows.setdefault(event, []).append(_hook_row(hook, tools, values[hook.name], policy))
    variables = {hook.name: tuple(list_variables(hook)) for hook in hooks}
    return {
        "hooks": rows,
        "problems": (),  # what was wrong, each told once
        "variables": _list_prefixes(variables),
        "environment": marshal.dumps(variables),  # read only where one of them is set
        "files": (),
        "stamps": (),
        "policy": policy.revision if policy else None,
    }


def _hook_row(
    hook: HookSpec, tools: tuple[str, ...], values: Mapping[str, OptionValue], policy: Policy | None
) -> dict[str, Any]:
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
    floor = policy.floor_of(hook.name) if policy else {}
    if floor:
        row["floor"] = floor
    return row if hook.user_hook is None else {**row, **_user_hook_row(hook.user_hook)}


def _user_hook_row(hook: UserHook) -> dict[str, Any]:
    row = {
        "code": hook.code,
        "helpers": dict(hook.helpers),
        "module": hook.module,
        "paths": hook.paths,
        "command": hook.command["run"] if hook.command else (),
    }
    if hook.command and hook.command["matcher"]:
        row["matcher"] = hook.command["matcher"]
    return row


def list_variables(hook: HookSpec) -> Iterator[tuple[str, str, str, tuple[str, ...], dict[str, Any] | None, Any, Any]]:
    """Variables that set this hook's options: former tools' names first, so that ours wins.

    Variable, option, its kind and choices, spellings of a former tool, what is tighter, the default.
    """
    for name, option in hook.options.items():
        about = (name, option.kind, option.choices)
        for variable, spelling in option.env.items():
            spellings = dict(spelling) if spelling is not None else None
            yield variable, *about, spellings, option.tighter, option.default
    for name, option in hook.options.items():
        about = (name, option.kind, option.choices)
        if option.kind != "tables":
            yield f"HOOKWRIGHT_{hook.name}_{name}".upper(), *about, None, option.tighter, option.default
