"""Discover the hooks of installed packages by their entry points.

<site-packages>/*.dist-info/entry_points.txt, group `hookwright.hooks` → [load_package_hooks] → HookSpec
Reads the files, since the interpreter of the hook process is not the environment's. The directory itself is stamped:
installing, upgrading or removing a package recompiles the plan. In the hook process a module is imported when one of
its events fires.
"""

from __future__ import annotations

import configparser
import importlib
import os
from collections.abc import Iterator, Sequence
from types import ModuleType

from hookwright.config import config_files
from hookwright.config.discover_files import MOST_BYTES, DiscoveredHooks, LoadContext
from hookwright.config.hook_spec import UserHook, build_hook_spec, is_hook, snake_case
from hookwright.errors import UserError
from hookwright.proc.safe_read import read_text

GROUP = "hookwright.hooks"
SITES = ("site-packages", "dist-packages")


def site_packages() -> str:
    """The site-packages directory that hookwright is installed in; "" for a working copy."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return root if os.path.basename(root) in SITES else ""


def library_paths(extra: Sequence[str] = ()) -> tuple[str, ...]:
    """Directories that hooks may import from: site-packages, the targets of its .pth files, and the user's."""
    found = [folder for folder in (site_packages(), *(os.path.expanduser(path) for path in extra)) if folder]
    return tuple(
        dict.fromkeys(folder for top in found for folder in (top, *_read_pth_files(top)) if os.path.isdir(folder))
    )


def _read_pth_files(folder: str) -> Iterator[str]:
    """The directories that `.pth` files add: the working copies of editable installs."""
    for name in sorted(_list_names(folder)):
        if name.endswith(".pth"):
            try:
                text = read_text(os.path.join(folder, name), MOST_BYTES, errors="replace")
            except OSError:
                continue
            lines = [line.strip() for line in text.split("\n")]
            yield from (os.path.join(folder, line) for line in lines if line and not line.startswith(("#", "import ")))


def _list_names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def read_entry_points(folder: str) -> Iterator[tuple[str, str, str]]:
    """Distribution, name and value of each entry point of our group in a directory."""
    for name in sorted(_list_names(folder)):
        if not name.endswith((".dist-info", ".egg-info")):
            continue
        try:
            text = read_text(os.path.join(folder, name, "entry_points.txt"), MOST_BYTES)
        except (OSError, UnicodeDecodeError):
            continue
        if GROUP not in text:
            continue
        parser = configparser.ConfigParser(delimiters=("=",), interpolation=None)
        parser.optionxform = str  # type: ignore[method-assign,assignment]  # keep upper case
        try:
            parser.read_string(text)
        except configparser.Error:
            continue
        if parser.has_section(GROUP):
            for entry, value in parser.items(GROUP):
                yield name.partition("-")[0], entry, value.partition("[")[0].strip()


def load_package_hooks(loading: LoadContext) -> DiscoveredHooks:
    """Load the hooks of all packages in the library directories, ordered by package and name."""
    found = DiscoveredHooks()
    folders = loading.paths
    watched: list[str] = []
    stamps = config_files.stamp_files(folders)  # before reading: a change meanwhile is noticed later
    points = [point for folder in folders for point in read_entry_points(folder)]
    with loading.extend_sys_path():
        for package, entry, value in points:
            where = f"package {package}, entry point {entry} = {value}"
            loading.on_file(where)
            try:
                if where in loading.skip:
                    raise ImportError(loading.skip[where])  # noqa: TRY301  reported like any other
                watched += _declare_entry_point(value, folders, found)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # noqa: BLE001  third-party code may raise anything
                what = f"this package's hook cannot be loaded: {type(error).__name__}: {error}"
                found.problems.append(UserError(what, where=where, fix=f"pip install --upgrade {package}"))
    found.stamps = stamps + config_files.stamp_files(tuple(dict.fromkeys(watched)))
    return found


def _declare_entry_point(value: str, paths: tuple[str, ...], found: DiscoveredHooks) -> list[str]:
    """Add the hooks of an entry point: one (`module:Name`) or all of a module; returns the files to stamp."""
    name, _, attribute = value.partition(":")
    module = importlib.import_module(name)
    file = module.__file__ or name
    hooks = (
        [_resolve_attribute(module, attribute)]
        if attribute
        else [h for h in vars(module).values() if _is_hook_of(h, module)]
    )
    if not all(map(is_hook, hooks)) or not hooks:
        raise TypeError(f"{value} is no hook")
    for hook in hooks:
        user_hook = UserHook(module=hook.__module__, paths=paths, place="package")
        found.hooks.append(build_hook_spec(snake_case(hook.__name__), hook, file, user_hook))
    return [file]


def _resolve_attribute(module: ModuleType, path: str) -> type:
    value: object = module
    for name in path.split("."):
        value = getattr(value, name)
    if not isinstance(value, type):
        raise TypeError(f"{path} is no hook")
    return value


def _is_hook_of(value: object, module: ModuleType) -> bool:
    return is_hook(value) and getattr(value, "__module__", "") == module.__name__
