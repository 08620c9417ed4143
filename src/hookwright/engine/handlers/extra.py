"""What is said when a library of the `engine` extra is not there.

handlers/http, prompt, agent, mcp_tool → [missing] → Raw.not_evaluated
Libraries are imported when a handler needs them: a run of command handlers alone pays for none of them.
"""

from __future__ import annotations

from hookwright.engine.types import Raw

INSTALL = "pip install 'hookwright[engine]'"


def missing(error: ImportError, package: str) -> Raw:
    """The ending of a handler that could not even be tried."""
    there = isinstance(error, ModuleNotFoundError) and error.name == package
    what = f"the Python package {package} is not installed" if there else f"the Python package {package}: {error}"
    return Raw(not_evaluated=f"{what}; try: {INSTALL}")
