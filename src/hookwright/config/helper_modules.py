"""Import helper files of user hooks (`_name.py` beside them) from the code that was compiled with the plan.

`import _names` in a hook → [HelperFinder] → the helper as it was when the plan was compiled
Hot where a user hook runs: builtin modules only.
"""

from __future__ import annotations

import marshal
from _frozen_importlib import ModuleSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any


class HelperFinder:
    """A finder and loader for `sys.meta_path`."""

    __slots__ = ("codes",)

    def __init__(self, codes: Mapping[str, tuple[str, bytes]]) -> None:
        self.codes = codes  # name → file, code

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name not in self.codes:
            return None
        loader: Any = self
        return ModuleSpec(name, loader, origin=self.codes[name][0])

    def create_module(self, spec: Any) -> None:
        return None

    def exec_module(self, module: Any) -> None:
        module.__file__, code = self.codes[module.__name__]
        exec(marshal.loads(code), module.__dict__)  # noqa: S102, S302  compiled from the user's own file
