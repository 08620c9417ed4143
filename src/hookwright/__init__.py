"""hookwright: hooks for Claude Code that are fast, proven and explained.

What an author of hooks needs is importable from here: `from hookwright import PreToolUse, deny, hook`.
Importing the package loads nothing; a name is loaded from its own module on first use.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.api import *  # noqa: F403
    from hookwright.version import __version__ as __version__
else:  # hidden from type checkers, so that they report a name that does not exist

    def __getattr__(name: str) -> object:
        from hookwright.api import load_name, public_names  # noqa: PLC0415

        return public_names() if name == "__all__" else load_name(name)

    def __dir__() -> list[str]:
        from hookwright.api import public_names  # noqa: PLC0415

        return sorted({*globals(), *public_names(), "__version__"})
