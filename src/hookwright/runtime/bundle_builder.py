"""Build the bundle: the modules of the hook process, compiled and stripped, in one directory of the user's cache.

src/hookwright/**.py → [build_bundle] → <cache>/bundle-<package>.<python>/ → bundle_loader
The source stays the truth; this is a cache of it. The files in the directory have one format, an 8-byte checksum and a
marshalled list of modules in import order:

    core                what every event needs
    PreToolUse-Bash     what the hooks of this event and tool need besides; `Stop`: of an event without tools
    PreToolUse-mcp      the same for all tools of MCP servers
    hookwright.x.y      one module that is imported when a hook or a command asks for it
    manifest            not a list: the checksums of the files above, and the stamps of all sources

Stripped is what costs time at start and has no use there: docstrings, annotations, imports for the type checker,
examples of rules, and the declarations of options (the plan has their values).
"""

from __future__ import annotations

import ast
import contextlib
import functools
import glob
import marshal
import os
import shutil
import sys
import time
from _imp import source_hash
from typing import TYPE_CHECKING, TypeGuard

from hookwright.config.builtin_hooks import HOOKS, class_name, module_name
from hookwright.config.hook_spec import build_hook_spec
from hookwright.proc.atomic_write import write_atomic
from hookwright.protocol.events import FAMILY
from hookwright.runtime.bundle_loader import MCP, PRIVATE_FILE

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType

    from hookwright.runtime.bundle_loader import Row

    Stamp = tuple[str, int, int]  # path, time of the last change, size
    Imports = dict[str, list[str]]  # module → what it imports at its top

CORE = "core"
RECORD = ""  # the name of the row that stamps all sources of an installed package
ANY_MCP = "mcp__*"  # a hook that listens to the tools of every MCP server
DECLARATIONS = ("option", "mode_option")  # functions of hookwright.options; the default is their first argument
MODE_DEFAULT = "on"  # of `mode_option` without arguments
MANIFEST = "manifest"
LOADER = "hookwright.runtime.bundle_loader"
MAIN = "hookwright.runtime.main"
# Packages that the hook process never imports.
COLD = ("__main__", "cli", "door", "engine", "errors", "recipes", "replay", "settings", "testing", "verify")
KEEP_DAYS = 7  # of what other versions of Python or hookwright have left in the cache
LEFT_BEHIND = ("bundle-", "door-")  # the second: the bundle of earlier versions


def is_current(folder: str) -> bool:
    """True if every file is there and whole, and all sources are as they were when it was built."""
    try:
        if not is_private(folder):
            return False
        checksums, stamps = marshal.loads(_read_file(f"{folder}/{MANIFEST}"))  # noqa: S302  our own file, checked
        for name, checksum in checksums.items():
            if source_hash(sys.hexversion, _read_file(f"{folder}/{name}")) != checksum:
                return False
    except (OSError, ValueError):
        return False
    current: bool = stamps == {name: _stamp(path) for name, path in find_sources().items()}
    return current


def is_private(folder: str) -> bool:
    """True for a directory that only this user can write to; the launcher asks the same."""
    return os.lstat(folder)[:5:4] == (0o40700, os.geteuid())


def build_bundle(folder: str) -> None:
    """Build into a new directory and put it in place of the old one. Call it under the lock."""
    new, old = f"{folder}.new", f"{folder}.old"
    _remove(new)
    _remove(old)
    os.mkdir(new)
    os.chmod(new, 0o700)
    if not is_private(new):
        raise PermissionError(f"{new} cannot be made private")  # a file system without modes
    stamps = {name: _stamp(path) for name, path in find_sources().items()}  # before the sources are read
    rows, files = _compile_files()
    checksums = {
        name: _write_file(f"{new}/{name}", marshal.dumps([rows[module] for module in modules]))
        for name, modules in files.items()
    }
    _write_file(f"{new}/{MANIFEST}", marshal.dumps((checksums, stamps)))
    if os.path.lexists(folder):
        os.rename(folder, old)
    os.rename(new, folder)
    _remove(old)
    _remove_old_bundles(folder)


def find_changed_files(folder: str) -> list[str]:
    """The files of a bundle that hold other code than this version would put there; none if it is merely outdated.

    Nothing of it is executed. Only rows that claim to be compiled from the present sources count.
    """
    rows, files = _compile_files()
    changed = []
    for name in sorted(os.listdir(folder)) if os.path.isdir(folder) else ():
        if name == MANIFEST:
            continue
        try:
            found = marshal.loads(_read_file(f"{folder}/{name}"))  # noqa: S302  data; its code is only compared
            if any(row[1] is None and row != rows.get(row[0]) for row in found):
                continue  # of another installation
            current = [row for row in found if tuple(row[2:5]) == tuple(rows.get(row[0], row)[2:5])]
            if name not in files or any(row[:2] != rows[row[0]][:2] or len(row) != 6 for row in current):
                changed.append(name)
        except (OSError, ValueError, TypeError, LookupError, EOFError):
            changed.append(name)
    return changed


def _compile_files() -> tuple[dict[str, Row], dict[str, list[str]]]:
    """All modules as rows, and which of them belong into which file."""
    record = find_record()
    compiled = {name: _compile_module(name, path, by_record=bool(record)) for name, path in find_sources().items()}
    rows = {name: row for name, (row, _) in compiled.items()}
    imports = {name: needed for name, (_, needed) in compiled.items()}
    core = _import_closure([MAIN], imports)
    files = {name: [name] for name in rows if name not in core}
    files |= {name: _import_closure(modules, imports, core) for name, modules in _event_modules()}
    if record:
        rows[RECORD] = (RECORD, None, *_stamp(record), False)
        core = [RECORD, *core]
        files = {name: [RECORD, *modules] for name, modules in files.items()}
    files[CORE] = [LOADER, *(name for name in core if name != LOADER)]
    return rows, files


def find_record() -> str:
    """The RECORD that an installer wrote beside the package, and writes again with every change; "" for a checkout."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = glob.glob(os.path.join(glob.escape(root), "hookwright-*.dist-info", "RECORD"))
    return found[0] if len(found) == 1 else ""


def find_sources() -> dict[str, str]:
    """Every module that belongs into the bundle, with its file."""
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = {}
    for folder, folders, files in os.walk(os.path.join(root, "hookwright")):
        folders[:] = sorted(name for name in folders if not name.startswith("__"))
        for path in [os.path.join(folder, file) for file in sorted(files) if file.endswith(".py")]:
            name = os.path.relpath(path, root).replace(os.sep, ".").removesuffix(".py").removesuffix(".__init__")
            if f"{name}.".split(".")[1] not in COLD and not _uses_dataclasses(path):
                found[name] = path
    return found


def _uses_dataclasses(path: str) -> bool:
    """True if the fields of its classes are annotations, which stripping removes: not for the bundle."""
    with open(path, "rb") as file:
        return b"\nfrom dataclasses import " in file.read()


def _event_modules() -> Iterator[tuple[str, list[str]]]:
    """For each event and tool that a built-in hook listens to: the file's name, and the modules to be loaded."""
    wanted: dict[tuple[str, str], list[str]] = {}
    for name in HOOKS:
        module = module_name(name)
        hook = build_hook_spec(name, getattr(__import__(module, None, None, ("*",)), class_name(name)))
        for event, tools in hook.on.items():
            for tool in [word for word in tools if word.isalnum() or word == ANY_MCP] if tools else [""]:
                wanted.setdefault((event, tool), []).extend((module, *hook.needs.get(tool, ())))
    for (event, tool), modules in wanted.items():
        of_every_tool = wanted.get((event, ""), []) if tool else []
        family = f"hookwright.protocol.events.{FAMILY[event]}"
        yield f"{event}-{MCP if tool == ANY_MCP else tool}" if tool else event, [family, *of_every_tool, *modules]


def _import_closure(modules: list[str], imports: Imports, present: list[str] | None = None) -> list[str]:
    """These modules and all that they import at their top, in import order, without those that are `present`."""
    seen = set(present or ())
    found: list[str] = []

    def visit(name: str) -> None:
        if name not in seen and name in imports:
            seen.add(name)
            for needed in (name.rpartition(".")[0], *imports[name]):
                visit(needed)
            found.append(name)

    for name in modules:
        visit(name)
    return found


def _compile_module(name: str, path: str, *, by_record: bool) -> tuple[Row, list[str]]:
    """A row of the bundle, and the names that the module imports at its top."""
    stamp = _stamp(path)  # before reading: a file that changes meanwhile counts as changed
    code, imports = _compile_code(path, stamp)
    return (name, code, *((path, 0, 0) if by_record else stamp), os.path.basename(path) == "__init__.py"), imports


@functools.cache  # a process that installs builds, then verifies what it built
def _compile_code(path: str, stamp: Stamp) -> tuple[CodeType, list[str]]:
    with open(path, "rb") as file:
        tree: ast.Module = _Stripper().visit(ast.parse(file.read(), path))
    used = set()
    for node in ast.walk(tree):  # once: a walk costs as much as compiling
        if isinstance(node, ast.Name):
            used.add(node.id)
        if isinstance(node, ast.stmt | ast.expr):  # lines stay, columns go: they are a fifth of the code's size
            node.end_lineno, node.col_offset, node.end_col_offset = node.lineno, -1, -1
    tree.body = [part for part in tree.body if not _is_unused_declaration(part, used)]
    imports: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Import):
            imports += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            imports += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    code = compile(tree, path, "exec", dont_inherit=True, optimize=2)
    return code, imports


def _stamp(path: str) -> Stamp:
    found = os.stat(path)
    return path, found.st_mtime_ns, found.st_size


def _write_file(path: str, data: bytes) -> bytes:
    checksum: bytes = source_hash(sys.hexversion, data)
    write_atomic(path, checksum + data)  # mode 0600: the loader takes no other
    return checksum


def _read_file(path: str) -> bytes:
    with open(path, "rb") as file:
        if os.fstat(file.fileno())[:5:4] != PRIVATE_FILE:
            raise ValueError("not this user's own")
        data = file.read()
    if source_hash(sys.hexversion, data[8:]) != data[:8]:
        raise ValueError("damaged")
    return data[8:]


def _remove_old_bundles(folder: str) -> None:
    cache = os.path.dirname(folder)
    for name in os.listdir(cache):
        path = os.path.join(cache, name)
        if name.startswith(LEFT_BEHIND) and not path.startswith(folder):
            with contextlib.suppress(OSError):
                if time.time() - os.lstat(path).st_mtime > KEEP_DAYS * 86400:
                    _remove(path)


def _remove(path: str) -> None:
    """Remove a directory, or whatever is in its place."""
    if os.path.isdir(path) and not os.path.islink(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            os.unlink(path)


class _Stripper(ast.NodeTransformer):
    """Removes what only readers, type checkers and the plan compiler need; `optimize=2` removes docstrings."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return [self.visit(statement) for statement in node.orelse] or None
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        if isinstance(node.targets[0], ast.Name) and node.targets[0].id in ("EXAMPLES", "TYPE_CHECKING"):
            return None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        for argument in ast.walk(node.args):
            if isinstance(argument, ast.arg):
                argument.annotation = None
        self.generic_visit(node)
        node.body = node.body or [ast.copy_location(ast.Pass(), node)]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        for statement in node.body:
            if isinstance(statement, ast.Assign) and _is_option(statement.value):
                given = statement.value.args
                statement.value = given[0] if given else ast.copy_location(ast.Constant(MODE_DEFAULT), statement)
        node.body = [part for part in node.body if not _declares_needs(part)] or [ast.copy_location(ast.Pass(), node)]
        return node


def _declares_needs(node: ast.stmt) -> bool:
    """What a hook needs, only this builder asks."""
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "needs"


def _is_option(value: ast.expr) -> TypeGuard[ast.Call]:
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in DECLARATIONS


def _is_unused_declaration(node: ast.stmt, used: set[str]) -> bool:
    """Imports and private functions that only the declarations of options used."""
    if isinstance(node, ast.ImportFrom) and node.module == "hookwright.options":
        node.names = [alias for alias in node.names if (alias.asname or alias.name) in used]
        return not node.names
    return isinstance(node, ast.FunctionDef) and node.name[:1] == "_" != node.name[1:2] and node.name not in used
