"""For authors of hooks: payload builders for every event, case files, a pytest plugin.

What the fixtures give can be named in annotations: `from hookwright.testing import Claude, HookTrial`. Found when asked
for, so that the plugin costs nothing until it is used.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.testing.fixtures import HookTrial as HookTrial
    from hookwright.testing.session import Call as Call, Claude as Claude
    from hookwright.testing.stage import Answer as Answer

# Hook classes that a test made, by the name under which the dispatcher finds them. Here, since this module is loaded
# with the plugin: who runs pytest inside pytest has the others twice.
GIVEN: dict[str, type] = {}

_WHERE = {"Answer": "stage", "Call": "session", "Claude": "session", "HookTrial": "fixtures"}


def __getattr__(name: str) -> object:
    if name not in _WHERE:
        raise AttributeError(f"module 'hookwright.testing' has no attribute {name!r}")
    from importlib import import_module  # noqa: PLC0415

    return getattr(import_module(f"hookwright.testing.{_WHERE[name]}"), name)
