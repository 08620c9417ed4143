"""Load modules from the bundle, a directory of compiled code in the user's cache, instead of from source.

launcher → [start] → core in sys.modules → main → [load_event] → the event's hooks; [BundleFinder] → later imports
A file of the bundle is an 8-byte checksum and a marshalled list of modules in import order; see bundle_builder.py.
A module whose source has another mtime or size than the one that was compiled is never served; for an installed package
the installer's RECORD stands for all of its sources, one file to look at instead of each. Whatever is wrong with the
bundle, modules come from source instead, and `outdated` says that it has to be built again.
This module is the first in the bundle's file `core`, where the launcher executes it. Hot: builtin modules only.
"""

from __future__ import annotations

import _imp
import marshal
import posix
import sys
from _frozen_importlib import ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import CodeType, ModuleType
    from typing import Any

    # Name, code, source file, its mtime_ns and size, is it a package. A row without a name is the RECORD of an
    # installed package; the rows beside it have no mtime of their own.
    Row = tuple[str, CodeType | None, str, int, int, bool]
    # The launcher's globals, which this code sees when it is executed there: the bundle's directory, and its file core.
    bundle = ""
    data = b""
    modules: list[Row] = []

folder = ""  # the bundle that this process runs from; "" if it runs from source
build_id = b""  # identifies this bundle among its predecessors
MCP = "mcp"  # stands for the tools of all MCP servers in a file's name
outdated = True  # the bundle is missing, damaged or older than the source
PRIVATE_FILE = (0o100600, posix.geteuid())  # mode and owner of every file that is executed
# One spec for all modules of core and of an event: an import statement only asks whether its module is still loading.
_SPEC = ModuleSpec("hookwright", None)


def start() -> None:
    """Serve this process from the bundle whose core the launcher has read; raises if the core is outdated."""
    global PRIVATE_FILE, folder, build_id, outdated  # noqa: PLW0603
    status = posix.lstat(bundle)[:5:4]
    if status == (0o40755, 0):  # for everybody: only root can write it
        PRIVATE_FILE = (0o100644, 0)
    elif status != (0o40700, PRIVATE_FILE[1]):
        raise ImportError("others can write to the bundle")
    name = modules[0][0]
    sys.modules[name] = sys.modules["__main__"]  # in whose namespace this code runs
    try:
        add_modules(modules)
    except BaseException:
        del sys.modules[name]
        raise
    folder, build_id, outdated = bundle, data[:8], False
    sys.meta_path.insert(0, BundleFinder)


def load_event(event: object, tool: object) -> None:
    """Load the modules that the hooks of this event and tool need, from one file."""
    global outdated  # noqa: PLW0603
    if not folder or not isinstance(event, str):
        return
    if isinstance(tool, str) and tool[:5] == "mcp__":
        tool = MCP
    for name in (f"{event}-{tool}", event):
        if not name.replace("-", "").isalnum():  # the words of a payload: nothing that could leave the directory
            continue
        try:
            rows = read_rows(name)
        except FileNotFoundError:
            continue
        except (OSError, ValueError):
            outdated = True
            return
        try:
            add_modules(rows)
        except Exception:  # noqa: BLE001  each module is then imported by itself
            outdated = True
        return


def unload() -> None:
    """Remove every module of ours from sys.modules: whatever is imported from now on comes from source."""
    if BundleFinder in sys.meta_path:
        sys.meta_path.remove(BundleFinder)
    for name in [name for name in sys.modules if name.partition(".")[0] == "hookwright"]:
        del sys.modules[name]


def read_rows(name: str) -> list[Row]:
    """The modules in one file of the bundle."""
    descriptor = posix.open(f"{folder}/{name}", posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    try:
        status = posix.fstat(descriptor)
        checksum = posix.read(descriptor, 8)  # apart from the rest, which need not be copied then
        found = posix.read(descriptor, status.st_size)
    finally:
        posix.close(descriptor)
    if status[:5:4] != PRIVATE_FILE:
        raise ValueError("not this user's own")
    if _imp.source_hash(sys.hexversion, found) != checksum:
        raise ValueError("damaged")
    rows: list[Row] = marshal.loads(found)  # noqa: S302  our own file, checked above
    return rows


def add_modules(rows: list[Row]) -> None:
    """Create and execute these modules, without the import system's detours; all of them or none."""
    present = sys.modules
    new_module = type(sys)
    added: list[tuple[CodeType, ModuleType]] = []
    try:
        for name, code, path, mtime_ns, size, is_package in rows:
            if mtime_ns and is_changed(path, mtime_ns, size):
                raise ImportError(f"{path} changed since the bundle was built")  # noqa: TRY301  cleaned up below
            if code is None or name in present:
                continue
            present[name] = module = new_module(name)
            module.__spec__ = _SPEC
            module.__file__ = path
            if is_package:
                module.__path__ = [path[: path.rfind("/")]]
            added.append((code, module))
        for row in rows:
            parent, _, child = row[0].rpartition(".")
            if parent:
                setattr(present[parent], child, present[row[0]])
        for code, module in added:
            exec(code, module.__dict__)  # noqa: S102
    except BaseException:
        for _, module in added:
            del present[module.__name__]
        raise


def is_changed(path: str, mtime_ns: int, size: int) -> bool:
    found = posix.stat(path)
    return found.st_mtime_ns != mtime_ns or found.st_size != size


class BundleFinder:
    """Finder and loader, for `sys.meta_path`, of the modules that are imported later: one file each."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> Any:
        global outdated  # noqa: PLW0603
        if not name.startswith("hookwright."):
            return None
        try:
            rows = read_rows(name)
            if any(is_changed(*row[2:5]) for row in rows if row[3]):
                raise ValueError("changed since the bundle was built")  # noqa: TRY301
        except FileNotFoundError:
            return None  # not in the bundle: the import system goes on to the source
        except (OSError, ValueError):
            outdated = True
            return None
        _, code, path, _, _, is_package = rows[-1]
        loader: Any = BundleFinder
        spec = ModuleSpec(name, loader, origin=path, loader_state=code, is_package=is_package)
        if is_package:
            spec.submodule_search_locations = [path[: path.rfind("/")]]
        return spec

    @staticmethod
    def create_module(_spec: object) -> None:
        return None

    @staticmethod
    def exec_module(module: Any) -> None:
        module.__file__ = module.__spec__.origin
        exec(module.__spec__.loader_state, module.__dict__)  # noqa: S102


if __name__ == "__main__":  # executed by the launcher, not imported
    start()
