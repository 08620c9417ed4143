"""For authors of hooks: payload builders for every event, case files, a pytest plugin.

The types of the fixtures can be imported for annotations: `from hookwright.testing import Claude, HookTrial`. They are
loaded on first use, so that the plugin costs nothing until then.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.testing.fixtures import HookTrial as HookTrial
    from hookwright.testing.sandbox import Answer as Answer
    from hookwright.testing.session import Call as Call, Claude as Claude

# Hook classes that a test defines, by the file name in their plan. Kept in this module because the plugin loads it:
# pytest inside pytest has the other modules twice.
TEST_HOOKS: dict[str, type] = {}

_MODULES = {"Answer": "sandbox", "Call": "session", "Claude": "session", "HookTrial": "fixtures"}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module 'hookwright.testing' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(f"hookwright.testing.{_MODULES[name]}"), name)
