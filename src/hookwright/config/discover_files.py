"""Discover the hooks in a directory: compile and execute every Python file, and read what it declares.

~/.config/hookwright/hooks/*.py, .hookwright/hooks/*.py → [load_hook_files] → HookSpec with the compiled code
A file is read once, so the code that runs is the code that was checked. `_name.py` is a helper that the others import.
"""

from __future__ import annotations

import ast
import marshal
import os
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass, field, replace
from types import CodeType, ModuleType
from typing import Any

from hookwright.config import config_files
from hookwright.config.helper_modules import HelperFinder
from hookwright.config.hook_spec import HookSpec, UserHook, build_hook_spec, is_hook, snake_case
from hookwright.errors import UserError
from hookwright.proc.safe_read import read_file
from hookwright.protocol.declaration_errors import BadDeclaration
from hookwright.protocol.tool_names import is_known_tool

PACKAGE = "hookwright_user"
MOST_BYTES = 16 << 20  # of one file of hooks
MOST_FILES = 10_000  # of one folder


@dataclass(frozen=True)
class LoadContext:
    """How to load user files: `on_file` is called before each; `skip` maps files to leave out to the reason."""

    on_file: Callable[[str], None] = lambda _: None
    skip: Mapping[str, str] = field(default_factory=dict)
    paths: tuple[str, ...] = ()  # directories of their libraries

    @contextmanager
    def extend_sys_path(self) -> Iterator[None]:
        """Append the library directories to sys.path meanwhile, after the standard library."""
        before = sys.path[:]
        sys.path.extend(path for path in self.paths if path not in before)
        try:
            yield
        finally:
            sys.path[:] = before


@dataclass
class DiscoveredHooks:
    """The hooks of one source, the stamps of its files, and the problems found."""

    hooks: list[HookSpec] = field(default_factory=list)
    stamps: tuple[Any, ...] = ()
    problems: list[UserError] = field(default_factory=list)


def list_python_files(folder: str, most: int = MOST_FILES) -> list[str]:
    """The Python files of a directory, sorted by name, at most so many; none if it does not exist."""
    found: list[str] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    found.append(os.path.join(folder, entry.name))
                    if len(found) >= most:
                        break
    except (OSError, ValueError):
        return []
    return sorted(found)


def load_user_hooks(folder: str, loading: LoadContext | None = None) -> DiscoveredHooks:
    """Load every hook in the user's directory, in the order of the file names."""
    if not folder or not os.path.isdir(folder):
        return DiscoveredHooks()
    files = list_python_files(folder)
    stamps = config_files.stamp_files(tuple(files))
    found = load_hook_files(read_files(files), loading or LoadContext())
    return DiscoveredHooks(found.hooks, stamps, found.problems)


def read_files(files: list[str]) -> dict[str, bytes]:
    """The content of each file; an unreadable one is empty and so declares no hook."""
    read = {}
    for file in files:
        try:
            read[file] = read_file(file, MOST_BYTES)
        except OSError:
            read[file] = b""
    return read


def load_hook_files(files: dict[str, bytes], loading: LoadContext, *, place: str = "user") -> DiscoveredHooks:
    """Load the hooks of these files, in their order."""
    found = DiscoveredHooks()
    helpers: dict[str, tuple[str, bytes]] = {}
    for file, data in files.items():
        if os.path.basename(file)[0] != "_":
            continue
        try:
            code = compile(data, file, "exec", dont_inherit=True)
            helpers[os.path.basename(file)[:-3]] = (file, marshal.dumps(code))
        except (SyntaxError, ValueError) as error:
            found.problems.append(_load_problem(file, error))
    finder: Any = HelperFinder(helpers)
    sys.meta_path.insert(0, finder)
    try:
        with loading.extend_sys_path():
            for file, data in files.items():
                if os.path.basename(file)[0] == "_":
                    continue
                loading.on_file(file)
                if file in loading.skip:
                    what = f"this hook file cannot be loaded: {loading.skip[file]}"
                    found.problems.append(UserError(what, where=file, fix="hookwright test"))
                else:
                    _declare_file(file, data, UserHook(helpers=helpers, paths=loading.paths, place=place), found)
    finally:
        sys.meta_path.remove(finder)
        for name in helpers:
            sys.modules.pop(name, None)
    return found


def _declare_file(file: str, data: bytes, common: UserHook, found: DiscoveredHooks) -> None:
    problems: list[UserError] = []
    declared: list[HookSpec] = []
    try:
        tree = ast.parse(data, file)
        code = compile(tree, file, "exec", dont_inherit=True)
        with redirect_stdout(None):  # stdout is for the answer only
            module = exec_user_module(file, code)
        user_hook = replace(common, code=marshal.dumps(code))
        for hook in [
            value for value in vars(module).values() if is_hook(value) and value.__module__ == module.__name__
        ]:
            try:
                declared.append(build_hook_spec(snake_case(hook.__name__), hook, file, user_hook))
            except BadDeclaration as error:
                what = f"{hook.__name__} is not loaded: {error}"
                problems.append(
                    UserError(what, where=f"{file}:{find_line(tree, hook.__name__)}", fix="hookwright test")
                )
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001  user code may raise anything, SystemExit included
        found.problems.append(_load_problem(file, error))
        return
    problems += find_silent_hooks(file, tree, module, declared)
    if not declared and not problems:
        sys.modules.pop(module.__name__, None)
        fix = "write @hook(PreToolUse) above a function, or begin the name of a helper with _"
        problems.append(UserError("no hook in this file", where=file, fix=fix))
    found.problems += problems
    found.hooks.extend(declared)


def _load_problem(file: str, error: BaseException) -> UserError:
    kind = "" if isinstance(error, BadDeclaration) else f"{type(error).__name__}: "
    what = f"this hook file cannot be loaded: {kind}{error}"
    line = _find_error_line(file, error)
    return UserError(what, where=f"{file}:{line}" if line else file, fix="hookwright test")


def _find_error_line(file: str, error: BaseException) -> int | None:
    """The line of this file that was running when the error was raised."""
    if isinstance(error, SyntaxError):
        return error.lineno if error.filename == file else None
    steps = traceback.extract_tb(error.__traceback__)
    return next((step.lineno for step in reversed(steps) if step.filename == file), None)


def find_line(tree: ast.Module, name: str) -> int | None:
    """The line where a class or function of this name is defined."""
    named = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return next((node.lineno for node in tree.body if isinstance(node, named) and node.name == name), None)


def find_silent_hooks(file: str, tree: ast.Module, module: ModuleType, declared: list[HookSpec]) -> Iterator[UserError]:
    """Hooks that load and may never run: a class without `on`, a tool that no client is known to have."""
    for value in vars(module).values():
        if isinstance(value, type) and value.__module__ == module.__name__ and _listens_to_nothing(value, module):
            what = f"{value.__name__} decides but listens to no event, so it never runs"
            where = f"{file}:{find_line(tree, value.__name__)}"
            yield UserError(what, where=where, fix='on = (PreToolUse, "Bash")')
    for spec in declared:
        for tool in sorted({tool for tools in spec.on.values() for tool in tools if not is_known_tool(tool)}):
            what = f"{spec.name}: no tool of Claude Code that is known here is called {tool!r}"
            where = f"{file}:{find_line(tree, spec.class_name)}"
            yield UserError(what, where=where, fix="correct the name, or update hookwright if the tool is new")


def _listens_to_nothing(hook: type, module: ModuleType) -> bool:
    """True for a class that is made to decide, has no `on`, and is no base of another class of its file."""
    if is_hook(hook) or "decide" not in vars(hook) or getattr(hook, "on", None) != ():
        return False
    return not any(
        isinstance(other, type) and other is not hook and issubclass(other, hook) for other in vars(module).values()
    )


def exec_user_module(file: str, code: CodeType) -> ModuleType:
    """Execute the compiled code of a user's file as a module."""
    module = ModuleType(f"{PACKAGE}.{os.path.basename(file)[:-3]}")
    module.__file__ = file
    sys.modules[module.__name__] = module
    exec(code, module.__dict__)  # noqa: S102  the user's own folder, or a project that the user trusts
    return module
