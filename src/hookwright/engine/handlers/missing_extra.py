"""Report that a library of the `engine` extra is not installed.

handlers/http, prompt, agent, mcp_tool → [report_missing] → RawResult.not_evaluated
Libraries are imported when a handler needs them, so command handlers cost none of them.
"""

from __future__ import annotations

from hookwright.engine.types import RawResult

INSTALL = "pip install 'hookwright[engine]'"


def report_missing(error: ImportError, package: str) -> RawResult:
    """The result of a handler whose library is missing."""
    is_missing = isinstance(error, ModuleNotFoundError) and error.name == package
    what = f"the Python package {package} is not installed" if is_missing else f"the Python package {package}: {error}"
    return RawResult(not_evaluated=f"{what}; try: {INSTALL}")
