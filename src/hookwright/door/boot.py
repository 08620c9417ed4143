"""The first code of the bundle: puts the core modules in place and serves the others when they are asked for.

launcher → [this] → oneshot.main
The bundle is: this block, of fixed length and with its own checksum; the head, which every event needs; bodies.
Executed by the launcher, in whose globals it finds `f` (the bundle's descriptor) and `b` (this block).
A module whose source changed since the bundle was made is never served from it.
"""

from __future__ import annotations

import _imp
import gc
import marshal
import posix
import sys
from _frozen_importlib import ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    f = 0
    b = b""

Module = type(sys)


class Shelf:
    """Finder and loader of the bundle's modules."""

    __slots__ = ("base", "bodies", "build", "descriptor", "groups", "places", "rows")

    def __init__(self, descriptor: int, base: int, build: bytes, head: tuple[Any, ...]) -> None:
        self.descriptor = descriptor
        self.base = base  # where the bodies begin
        self.build = build
        self.bodies: dict[str, bytes] = {}  # found, not yet executed
        self.rows = head[1]  # package → where the index of its modules is: offset, length, checksum
        self.groups = head[2]  # event → tool ("" for any) → such rows of the modules that it needs
        self.places: dict[str, dict[str, tuple[Any, ...]]] = {}

    def place(self, name: str) -> tuple[Any, ...] | None:
        """A module's offset, length, checksum, folder if it is a package, path, mtime_ns, size."""
        package = name.rpartition(".")[0]
        if package not in self.places:
            row = self.rows.get(package)
            self.places[package] = marshal.loads(self.body(row)) if row else {}  # noqa: S302  our own file, checked
        return self.places[package].get(name)

    def preload(self, event: object, tool: object) -> None:
        """Put in place what this event's hooks import, in one piece: each import saved is a percent of the start."""
        of_event = self.groups.get(event) if isinstance(event, str) and isinstance(tool, str | None) else None
        if not of_event:
            return
        row = of_event.get(tool) or of_event.get("")
        if row is None:
            return
        try:
            put_in_place(marshal.loads(self.body(row)))  # noqa: S302  our own file, checked
        except ImportError:
            self.forget()  # each module then finds its own source

    def body(self, row: tuple[Any, ...]) -> bytes:
        found = posix.pread(self.descriptor, row[1], self.base + row[0])
        if _imp.source_hash(0, found) != row[2]:
            raise ImportError("the bundle is damaged")
        return found

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith("hookwright"):
            return None
        try:
            row = self.place(name)
            if row is None:
                return None
            if not fresh(row):
                raise ImportError  # noqa: TRY301
            self.bodies[name] = self.body(row)
        except ImportError:
            self.forget()
            return None  # the import goes on to the source file itself
        shelf: Any = self
        spec = ModuleSpec(name, shelf, origin=row[4], is_package=row[3] is not None)
        if row[3] is not None:
            spec.submodule_search_locations = [row[3]]
        return spec

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        code = marshal.loads(self.bodies.pop(module.__name__))  # noqa: S302  our own file, checked
        module.__file__ = module.__spec__.origin
        exec(code, module.__dict__)  # noqa: S102

    def forget(self) -> None:
        """The bundle is out of date: the next call makes it anew."""
        try:
            posix.unlink(sys.argv[1] + sys.implementation.cache_tag)
        except OSError:
            return


def fresh(row: tuple[Any, ...]) -> bool:
    """Is the source still the one that was bundled?"""
    found = posix.stat(row[4])
    return bool(found.st_mtime_ns == row[5] and found.st_size == row[6])


def put_in_place(core: tuple[tuple[Any, ...], ...]) -> None:
    """Create the core modules in the order of their imports, without the import system's detours."""
    modules = sys.modules
    try:
        for name, _, row in core:
            if not fresh(row):
                raise ImportError(  # noqa: TRY301  the half that was put in place has to go
                    f"{name} changed since the bundle was made"
                )
            module: Any = Module(name)
            module.__file__ = row[4]
            if row[3] is not None:
                module.__path__ = [row[3]]
            modules[name] = module
        for name, code, _ in core:
            module = modules[name]
            exec(code, module.__dict__)  # noqa: S102
            parent, _, child = name.rpartition(".")
            if parent:
                setattr(modules[parent], child, module)
    except BaseException:
        for name, _, _ in core:
            modules.pop(name, None)
        raise


def start() -> None:
    gc.disable()  # the process ends before garbage matters
    lead = posix.read(f, 16)
    head = posix.read(f, int.from_bytes(lead[8:], "little"))
    if _imp.source_hash(0, head) != lead[:8]:
        return
    parts = marshal.loads(head)  # noqa: S302  our own file, checked
    put_in_place(parts[0])
    shelf: Any = Shelf(f, len(b) + 16 + len(head), lead[:8], parts)
    sys.meta_path.insert(0, shelf)
    sys.modules["hookwright.door.oneshot"].main(shelf.build, shelf.preload)


if "b" in globals():  # run by the launcher, not imported by a reader
    start()
