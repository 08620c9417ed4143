"""Makes the bundle: every module that the door may need, compiled, stripped and put into one file.

src/hookwright/**.py → [build] → <cache>/door-….cpython-311 → boot
The readable files stay the source; this is a cache of them, checked against their stamps on every call.
What is stripped costs time at start and means nothing there: docstrings, annotations, typing imports, the
declarations around options.
"""

from __future__ import annotations

import ast
import copy
import marshal
import os
import sys
from _imp import source_hash
from functools import cache
from types import CodeType
from typing import TYPE_CHECKING, Any, TypeGuard

from hookwright.guests import APART, INSIDE
from hookwright.plan.compiler import declared
from hookwright.protocol.events import FAMILY

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BLOCK = 8192  # bytes of the file's first block, which the launcher reads and runs
LEAD = 16  # bytes at its end: the head's checksum and length
RARE = "# rare"  # on the line of a `def`: its body stays out until it is called

# Needed by every event, so they come with the head of the file; all others are read when they are asked for.
CORE = (
    "hookwright",
    "hookwright.version",
    "hookwright.protocol",
    "hookwright.protocol.fields",
    "hookwright.protocol.json",
    "hookwright.protocol.legal",
    "hookwright.protocol.decisions",
    "hookwright.protocol.wire",
    "hookwright.protocol.events",
    "hookwright.protocol.events.base",
    "hookwright.state",
    "hookwright.state.paths",
    "hookwright.state.redact",
    "hookwright.state.journal",
    "hookwright.hooks",
    "hookwright.hooks.base",
    "hookwright.plan",
    "hookwright.plan.sources",
    "hookwright.plan.read",
    "hookwright.dispatch",
    "hookwright.door",
    "hookwright.door.record",
    "hookwright.door.oneshot",
)
# Needed by users' own hooks, where an event has any; see guests/__init__.py.
GUESTS = {
    INSIDE: ("hookwright.guests.inside", "hookwright.api"),
    APART: ("hookwright.guests.apart", "hookwright.guests.shared"),
}
# Folders and files that the door never loads on its common way.
COLD = (
    "__main__",
    "cli",
    "door.boot",
    "door.bundle",
    "door.launcher",
    "door.plugin",
    "door.registration",
    "door.slow",
    "engine",
    "errors",
    "history",
    "plan.compiler",
    "protocol.catalogue",
    "protocol.output",
    "receipts",
    "recipes",
    "questions.keep",
    "rules.catalogue",
    "settings",
    "state.ingest",
    "state.store",
    "testing",
)


def package_root() -> str:
    """The folder that holds the package."""
    return os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def file_for(prefix: str) -> str:
    return prefix + (sys.implementation.cache_tag or "")


def ensure(prefix: str, root: str) -> bool:
    """Make the bundle unless it is there and fits the sources; False if it cannot be written."""
    if is_fresh(prefix, root):
        return True
    folder = os.path.dirname(prefix)
    try:
        os.makedirs(folder, mode=0o700, exist_ok=True)
        if not os.access(folder, os.W_OK):
            return False
        temporary = f"{file_for(prefix)}.{os.getpid()}"
        with open(temporary, "wb", opener=_private) as file:
            file.write(made(root))
        os.replace(temporary, file_for(prefix))
    except OSError:
        return False
    try:
        os.unlink(prefix + "missing")  # the launcher may tell it again, should the package go again
    except OSError:
        pass
    return True


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def is_fresh(prefix: str, root: str) -> bool:
    """Does the file hold exactly today's sources?"""
    try:
        with open(file_for(prefix), "rb") as file:
            data = file.read()
    except OSError:
        return False
    block, lead, rest = data[:BLOCK], data[BLOCK - LEAD : BLOCK], data[BLOCK:]
    size = int.from_bytes(lead[8:], "little")
    head, bodies = rest[:size], rest[size:]
    if source_hash(0, block[8:]) != block[:8] or source_hash(0, head) != lead[:8]:
        return False
    try:
        held = _held(head, bodies)
    except (AttributeError, TypeError, ValueError):  # made by another version
        return False
    return held == (_stamp(_boot_path(root)), {name: (path, *_stamp(path)) for name, path in sources(root)})


def _held(head: bytes, bodies: bytes) -> tuple[Any, dict[str, Any]]:
    """The stamps in a bundle: of boot.py, and of every module."""
    core, packages, _, boot = marshal.loads(head)  # noqa: S302  our own file, checked by the caller
    rows = {name: row for name, _, row, *_ in core}
    for start, length, checksum in packages.values():
        index = bodies[start : start + length]
        if source_hash(0, index) != checksum:
            raise ValueError("damaged")
        rows |= marshal.loads(index)  # noqa: S302
    return boot, {name: tuple(row[4:]) for name, row in rows.items()}


def made(root: str) -> bytes:
    """The bytes of the bundle: block, head, bodies."""
    paths = dict(sources(root))
    always: list[str] = []
    for name in CORE:
        _collect(name, paths, always)
    bodies = _Bodies()
    indexes: dict[str, dict[str, tuple[Any, ...]]] = {}
    for name, path in paths.items():
        if name not in always:
            indexes.setdefault(name.rpartition(".")[0], {})[name] = _row(path, *bodies.add(stripped(path)))
    groups: dict[str, dict[str, tuple[Any, ...]]] = {}
    for event, tool, modules in _groups(paths, always):
        groups.setdefault(event, {})[tool] = bodies.add(_pieces(modules, always, paths, bodies))
    boot = _boot_path(root)
    core = _pieces(_in_import_order(paths, tuple(always)), always, paths, bodies)
    packages = {package: bodies.add(index) for package, index in indexes.items()}
    head = marshal.dumps((core, packages, groups, _stamp(boot)))
    room = BLOCK - 8 - LEAD
    block = marshal.dumps(stripped(boot)).ljust(room, b"\0")
    if len(block) != room:
        raise ValueError(f"door/boot.py compiles to {len(block)} bytes and must fit into {room}")
    block += source_hash(0, head) + len(head).to_bytes(8, "little")
    return source_hash(0, block) + block + head + bytes(bodies.data)


class _Bodies:
    """The end of the bundle: pieces that are read when they are needed."""

    def __init__(self) -> None:
        self.data = bytearray()
        self.places: dict[bytes, tuple[int, int, bytes]] = {}

    def add(self, value: Any) -> tuple[int, int, bytes]:
        """Where the piece is, how long, and its checksum."""
        body = marshal.dumps(value)
        if body not in self.places:
            self.places[body] = len(self.data), len(body), source_hash(0, body)
            self.data += body
        return self.places[body]


def sources(root: str) -> Iterator[tuple[str, str]]:
    """Every module that belongs into the bundle, with its file."""
    top = os.path.join(root, "hookwright")
    for folder, folders, files in sorted(os.walk(top)):
        folders[:] = sorted(name for name in folders if not name.startswith("__"))
        for file in sorted(files):
            if not file.endswith(".py"):
                continue
            path = os.path.join(folder, file)
            name = os.path.relpath(path, root)[:-3].replace(os.sep, ".").removesuffix(".__init__")
            inner = name.removeprefix("hookwright").lstrip(".")
            if not any(inner == cold or inner.startswith(cold + ".") for cold in COLD):
                yield name, path


def stripped(path: str) -> CodeType:
    """The module's code without what only readers and type checkers need."""
    return _code(_tree(path), path)


def _code(tree: ast.Module, path: str) -> CodeType:
    return _without_lines(compile(tree, path, "exec", dont_inherit=True, optimize=2))


@cache
def _tree(path: str) -> ast.Module:
    with open(path, "rb") as file:
        tree: ast.Module = _Stripper().visit(ast.parse(file.read(), path))
    ast.fix_missing_locations(tree)
    _drop_declarations(tree)
    _shake(tree)
    return tree


def _usual_and_rare(path: str, present: Mapping[str, str]) -> tuple[CodeType | None, CodeType | None, tuple[str, ...]]:
    """What a module is from the start, what arrives when it is called, and the names of that.

    A package that is nothing but its docstring has no code at all.
    """
    tree: ast.Module = ast.fix_missing_locations(_Direct(present).visit(copy.deepcopy(_tree(path))))
    rare = [node for node in tree.body if _is_rare(node, _lines(path))]
    usual = [node for node in tree.body if node not in rare and not _says_nothing(node)]
    return (
        _code(ast.Module(usual, []), path) if usual or not path.endswith("__init__.py") else None,
        _code(ast.Module([*rare], []), path) if rare else None,
        tuple(node.name for node in rare),
    )


def _is_rare(node: ast.stmt, lines: list[str]) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and not node.decorator_list and RARE in lines[node.lineno - 1]


def _says_nothing(node: ast.stmt) -> bool:
    """A docstring, or the name of a switch that is off here."""
    if isinstance(node, ast.Assign):
        return isinstance(node.targets[0], ast.Name) and node.targets[0].id == "TYPE_CHECKING"
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _lines(path: str) -> list[str]:
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def _drop_declarations(tree: ast.Module) -> None:
    """An option is its default here: the plan brings other values, and help and checks are for other places."""
    used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    for node in tree.body[:]:
        if isinstance(node, ast.ImportFrom) and node.module == "hookwright.options":
            node.names = [alias for alias in node.names if (alias.asname or alias.name) in used]
            if not node.names:
                tree.body.remove(node)


def _shake(tree: ast.Module) -> None:
    """Private functions that only declarations asked for are gone with them."""
    while True:
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        unused = [
            node
            for node in tree.body
            if isinstance(node, ast.FunctionDef) and node.name.startswith("_") and node.name[:2] != "__"
            if node.name not in used
        ]
        if not unused:
            return
        tree.body = [node for node in tree.body if node not in unused]


def _without_lines(code: CodeType) -> CodeType:
    """Line numbers and full names are for tracebacks, which the door never shows; they are a quarter of the bytes."""
    inner = tuple(_without_lines(const) if isinstance(const, CodeType) else const for const in code.co_consts)
    return code.replace(co_linetable=b"", co_qualname=code.co_name, co_consts=inner)


class _Stripper(ast.NodeTransformer):
    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module == "__future__" else node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt] | None:
        if isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            return [self.visit(statement) for statement in node.orelse] or None
        return self.generic_visit(node)

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        # A rule's examples are for its tests and its page.
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "EXAMPLES":
            return None
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        if node.value is None:
            return None
        return ast.copy_location(ast.Assign([node.target], self.visit(node.value)), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        every = (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg, node.args.kwarg)
        for argument in every:
            if argument is not None:
                argument.annotation = None
        self.generic_visit(node)
        node.body = node.body or [ast.Pass()]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        self.generic_visit(node)
        node.body = [part for part in node.body if not (isinstance(part, ast.FunctionDef) and part.name == "__repr__")]
        for statement in node.body:
            if isinstance(statement, ast.Assign) and _is_option(statement.value):
                statement.value = statement.value.args[0]
        node.body = node.body or [ast.Pass()]
        return node


class _Direct(ast.NodeTransformer):
    """Takes names straight from modules that are in place: an import statement costs ten microseconds even then."""

    def __init__(self, present: Mapping[str, str]) -> None:
        self.present = present  # with their files

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | list[ast.stmt]:
        found = [self._value(node.module or "", alias.name) for alias in node.names]
        if None in found:
            return node
        return [
            ast.copy_location(ast.Assign([ast.Name(alias.asname or alias.name, ast.Store())], value), node)
            for alias, value in zip(node.names, found, strict=True)
            if value is not None
        ]

    def _value(self, module: str, name: str) -> ast.expr | None:
        if f"{module}.{name}" in self.present:
            return ast.parse(f"__modules__[{module + '.' + name!r}]", mode="eval").body
        if module in self.present and not _is_module_in(self.present[module], name):
            return ast.parse(f"__modules__[{module!r}].{name}", mode="eval").body
        return None


def _is_module_in(package: str, name: str) -> bool:
    """Whether the name is a file or folder beside the package's own file."""
    folder, file = os.path.split(package)
    inside = os.path.join(folder, name)
    return file == "__init__.py" and (os.path.exists(inside + ".py") or os.path.isdir(inside))


def _is_option(value: ast.expr) -> TypeGuard[ast.Call]:
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "option"
        and bool(value.args)
    )


def _pieces(names: list[str], always: list[str], paths: dict[str, str], bodies: _Bodies) -> tuple[Any, ...]:
    """Modules to be put in place: name, code, row, and where the rare functions are, with their names."""
    present = {name: paths[name] for name in (*always, *names)}
    return tuple(_piece(name, paths[name], present, bodies) for name in names)


def _piece(name: str, path: str, present: Mapping[str, str], bodies: _Bodies) -> tuple[Any, ...]:
    usual, rare, functions = _usual_and_rare(path, present)
    place = (*bodies.add(rare), functions) if rare else None
    return (name, usual, _row(path, 0, 0, b""), place, _parent(name))


def _parent(name: str) -> tuple[str, str] | None:
    parent, _, child = name.rpartition(".")
    return (parent, child) if parent else None


def _groups(paths: dict[str, str], always: list[str]) -> Iterator[tuple[str, str, list[str]]]:
    """For each event and tool that hooks listen to: the hooks' modules, what these import at their top, and need."""
    wanted: dict[tuple[str, str], list[str]] = {}
    for hook in declared():
        for event, tools in hook.on.items():
            for tool in tools or ("",):
                modules = (f"hookwright.hooks.{hook.name}", *hook.needs.get(tool, ()))
                wanted.setdefault((event, tool), []).extend(modules)
    for (event, tool), hooks in wanted.items():
        if tool:
            hooks = wanted.get((event, ""), []) + hooks  # noqa: PLW2901
        closure = always.copy()
        for module in [f"hookwright.protocol.events.{FAMILY[event]}", *hooks]:
            _collect(module, paths, closure)
        yield event, tool, _in_import_order(paths, tuple(closure[len(always) :]))
    there = [*always, "hookwright.guests"]
    for group, needed in GUESTS.items():
        closure = there.copy()
        for module in needed:
            _collect(module, paths, closure)
        yield group, "", _in_import_order(paths, tuple(closure[len(there) :]))
        there = closure


def _collect(name: str, paths: dict[str, str], into: list[str]) -> None:
    if name in into or name not in paths:
        return
    into.append(name)
    parent = name.rpartition(".")[0]
    for needed in (parent, *_top_imports(paths[name])):
        _collect(needed, paths, into)


def _in_import_order(paths: dict[str, str], names: tuple[str, ...]) -> list[str]:
    """These modules, each after those among them that it imports at its top."""
    done: list[str] = []

    def place(name: str, above: tuple[str, ...] = ()) -> None:
        if name in done or name in above or name not in names:
            return
        parent = name.rpartition(".")[0]
        if parent:
            place(parent, (*above, name))
        for needed in _top_imports(paths[name]):
            place(needed, (*above, name))
        done.append(name)

    for name in names:
        place(name)
    return done


def _top_imports(path: str) -> Iterator[str]:
    tree = _tree(path)
    for node in tree.body:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _row(path: str, offset: int, length: int, checksum: bytes) -> tuple[Any, ...]:
    package = os.path.dirname(path) if os.path.basename(path) == "__init__.py" else None
    return (offset, length, checksum, package, path, *_stamp(path))


def _boot_path(root: str) -> str:
    return os.path.join(root, "hookwright", "door", "boot.py")


def _stamp(path: str) -> tuple[int, int]:
    found = os.stat(path)
    return found.st_mtime_ns, found.st_size
