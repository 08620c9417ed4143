"""The first code of the bundle: puts the core modules in place and serves the others when they are asked for.

launcher → [this] → oneshot.main
The bundle is: this block, of fixed length and with its own checksum; the head, which every event needs; bodies.
Executed by the launcher, in whose globals it finds `f` (the bundle's descriptor) and `b` (this block).
A module whose source changed since the bundle was made is never served from it. Functions marked `# rare` arrive
when they are called. No class here: making one costs more than all that this file does.
"""

from __future__ import annotations

import _imp
import marshal
import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    f = 0
    b = b""

Module = type(sys)
# Finder, loader and spec of the bundle's modules; its facts are its attributes. The import system asks every module's
# spec whether it is still being loaded, and an attribute that is missing costs an exception with a text, each time.
shelf: Any = Module("hookwright shelf")


def place(name: str) -> tuple[Any, ...] | None:
    """A module's offset, length, checksum, folder if it is a package, path, mtime_ns, size."""
    package = name.rpartition(".")[0]
    if package not in shelf.places:
        row = shelf.rows.get(package)
        shelf.places[package] = loaded(row) if row else {}
    found: tuple[Any, ...] | None = shelf.places[package].get(name)
    return found


def preload(event: object, tool: object) -> None:
    """Put in place what this event's hooks import, in one piece: each import saved is a percent of the start."""
    of_event = shelf.groups.get(event) if isinstance(event, str) and isinstance(tool, str | None) else None
    if not of_event:
        return
    row = of_event.get(tool) or of_event.get("")
    if row is None:
        return
    try:
        put_in_place(loaded(row))
    except ImportError:
        forget()  # each module then finds its own source


def loaded(row: tuple[Any, ...]) -> Any:
    """What stands at this place of the bundle."""
    found = posix.pread(f, row[1], shelf.base + row[0])
    if _imp.source_hash(0, found) != row[2]:
        raise ImportError("the bundle is damaged")
    return marshal.loads(found)  # noqa: S302  our own file, checked


def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
    if not name.startswith("hookwright"):
        return None
    from _frozen_importlib import ModuleSpec  # noqa: PLC0415  there since the interpreter's start

    try:
        row = place(name)
        if row is None:
            return None
        if not fresh(row):
            raise ImportError  # noqa: TRY301
        shelf.codes[name] = loaded(row)
    except ImportError:
        forget()
        return None  # the import goes on to the source file itself
    spec = ModuleSpec(name, shelf, origin=row[4], is_package=row[3] is not None)
    if row[3] is not None:
        spec.submodule_search_locations = [row[3]]
    return spec


def create_module(spec: Any) -> None:
    return None


def exec_module(module: Any) -> None:
    module.__file__ = module.__spec__.origin
    exec(shelf.codes.pop(module.__name__), module.__dict__)  # noqa: S102


def forget() -> None:
    """The bundle is out of date: the next call makes it anew."""
    try:
        posix.unlink(sys.argv[1] + sys.implementation.cache_tag)
    except OSError:
        return


def fresh(row: tuple[Any, ...]) -> bool:
    """Is the source still the one that was bundled?"""
    found = posix.stat(row[4])
    return bool(found.st_mtime_ns == row[5] and found.st_size == row[6])


def put_in_place(pieces: tuple[tuple[Any, ...], ...]) -> None:
    """Create modules in the order of their imports, without the import system's detours."""
    modules = sys.modules
    stat = posix.stat
    try:
        for name, code, row, rare, _ in pieces:
            modules[name] = module = Module(name)
            names = module.__dict__
            names["__file__"] = row[4]
            names["__spec__"] = shelf
            names["__modules__"] = modules
            if row[3]:
                names["__path__"] = [row[3]]
                if code is None:
                    continue  # a package without a line of code
            found = stat(row[4])
            if found.st_mtime_ns != row[5] or found.st_size != row[6]:
                raise ImportError(  # noqa: TRY301  the half that was put in place has to go
                    f"{name} changed since the bundle was made"
                )
            if rare:
                for function in rare[3]:
                    names[function] = late(names, function, rare)
        for name, code, _, _, parent in pieces:
            names = modules[name].__dict__
            if code is not None:
                exec(code, names)  # noqa: S102
            if parent:
                modules[parent[0]].__dict__[parent[1]] = modules[name]
    except BaseException:
        for name, *_ in pieces:
            modules.pop(name, None)
        raise


def late(names: dict[str, Any], function: str, row: tuple[Any, ...]) -> Any:
    """A function that fetches itself, and its module's other rare ones, when it is called."""

    def fetched(*args: Any, **kwargs: Any) -> Any:
        if names[function] is fetched:
            try:
                exec(loaded(row), names)  # noqa: S102
            except ImportError:
                names[function] = from_source(names)[function]
        return names[function](*args, **kwargs)

    fetched.__name__ = function
    return fetched


def from_source(names: dict[str, Any]) -> dict[str, Any]:
    """A damaged bundle: what the module's file says, beside the module."""
    forget()
    beside = {"__name__": names["__name__"], "__file__": names["__file__"]}
    with open(names["__file__"], "rb") as file:
        exec(compile(file.read(), names["__file__"], "exec"), beside)  # noqa: S102
    return beside


def start() -> None:
    shelf.name = "gc"  # created by hand: the import statement takes ten times as long
    gc = _imp.create_builtin(shelf)
    _imp.exec_builtin(gc)
    gc.disable()  # the process ends before garbage matters
    lead = b[-16:]
    head = posix.read(f, int.from_bytes(lead[8:], "little"))
    if _imp.source_hash(0, head) != lead[:8]:
        return
    # Bodies: where they begin. Rows: package → where the index of its modules is. Groups: event → tool ("" for any)
    # → where the modules are that it needs. A place is an offset, a length, a checksum.
    core, rows, groups, _ = marshal.loads(head)  # noqa: S302  our own file, checked
    size = len(head)
    del head  # the next piece is read into its pages
    shelf.__dict__.update(
        base=len(b) + size,
        rows=rows,
        groups=groups,
        places={},
        _initializing=False,
        _uninitialized_submodules=[],
        codes={},  # found, not yet executed
        preload=preload,
        find_spec=find_spec,
        create_module=create_module,
        exec_module=exec_module,
    )
    put_in_place(core)
    sys.meta_path.insert(0, shelf)
    sys.modules["hookwright.door.oneshot"].main(lead[:8], preload)


if "b" in globals():  # run by the launcher, not imported by a reader
    start()
