"""Compiling a plan needs the declarations that the bundle leaves out: it is done with the modules as they are written.

plan is out of date → [compiled] → plan; afterwards the bundle's modules are back in their places
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def compiled(**sources: Any) -> dict[str, Any]:
    """`plan.compiler.compiled`, run beside the bundle."""
    bundled = _taken_away()
    finders = sys.meta_path[:]
    sys.meta_path[:] = [finder for finder in finders if not hasattr(finder, "preload")]
    sys.path.append(sys.argv[2])
    try:
        from hookwright.plan import compiler  # noqa: PLC0415

        plan: dict[str, Any] = compiler.compiled(**sources)
        return plan
    finally:
        sys.path.remove(sys.argv[2])
        sys.meta_path[:] = finders
        _taken_away()
        sys.modules.update(bundled)


def _taken_away() -> dict[str, Any]:
    names = [name for name in sys.modules if name == "hookwright" or name.startswith("hookwright.")]
    return {name: sys.modules.pop(name) for name in names}
