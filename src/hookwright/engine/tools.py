"""Rewrites meet the tool: an input must fit its schema, an output its shape, or the client refuses or ignores them.

updatedInput → [fitted] → the input that the tool gets, or the client's refusal
updatedToolOutput → [output_fits]
Built-in tools only; of an MCP tool the client knows no schema here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# Keys in the order of the tool's schema; `*` marks those that must be there.
INPUTS: Mapping[str, Mapping[str, str]] = {
    "Bash": {
        "command": "string*",
        "timeout": "number",
        "description": "string",
        "run_in_background": "boolean",
        "dangerouslyDisableSandbox": "boolean",
    },
    "Read": {"file_path": "string*", "offset": "number", "limit": "number", "pages": "string"},
    "Write": {"file_path": "string*", "content": "string*"},
    "Edit": {"file_path": "string*", "old_string": "string*", "new_string": "string*", "replace_all": "boolean"},
    "NotebookEdit": {
        "notebook_path": "string*",
        "cell_id": "string",
        "new_source": "string*",
        "cell_type": "string",
        "edit_mode": "string",
    },
    "Glob": {"pattern": "string*", "path": "string"},
    "Grep": {
        "pattern": "string*",
        "path": "string",
        "glob": "string",
        "output_mode": "string",
        "-B": "number",
        "-A": "number",
        "-C": "number",
        "context": "number",
        "-n": "boolean",
        "-i": "boolean",
        "-o": "boolean",
        "type": "string",
        "head_limit": "number",
        "offset": "number",
        "multiline": "boolean",
    },
    "WebFetch": {"url": "string*", "prompt": "string*", "offset": "number"},
    "WebSearch": {"query": "string*", "allowed_domains": "array", "blocked_domains": "array"},
    "AskUserQuestion": {"questions": "array*", "answers": "object", "annotations": "object"},
}
OUTPUTS: Mapping[str, Mapping[str, type]] = {"Bash": {"stdout": str, "stderr": str, "interrupted": bool}}


def fitted(tool: str, updated: Mapping[str, Any]) -> tuple[Mapping[str, Any], str | None]:
    """The input that the tool gets: unknown keys dropped, texts that mean a number or a flag taken for one."""
    wanted = INPUTS.get(tool)
    if wanted is None:
        return updated, None
    given = {key: _meant(updated[key], wanted[key].rstrip("*")) for key in updated if key in wanted}
    missing = [
        f"The required parameter `{key}` is missing" for key in wanted if _must(wanted, key) and key not in given
    ]
    wrong = [
        f"The parameter `{key}` type is expected as `{wanted[key].rstrip('*')}` but provided as `{_kind(given[key])}`"
        for key in wanted
        if key in given and _kind(given[key]) != wanted[key].rstrip("*")
    ]
    if not missing and not wrong:
        return given, None
    issue = "issue" if len(missing) + len(wrong) == 1 else "issues"
    head = f"PreToolUse hook for {tool} returned updatedInput that failed schema validation: "
    lines = (
        f"{head}{tool} failed due to the following {issue}:",
        *missing,
        *wrong,
        "The tool input from the model was valid; the hook's rewrite of it was not.",
    )
    return updated, "\n".join(lines)


def _must(wanted: Mapping[str, str], key: str) -> bool:
    return wanted[key].endswith("*")


def _meant(value: Any, wanted: str) -> Any:
    if wanted == "boolean" and value in ("true", "false"):
        return value == "true"
    if wanted == "number" and isinstance(value, str) and NUMBER.fullmatch(value):
        return float(value) if "." in value else int(value)
    return value


def _kind(value: Any) -> str:
    """The type of a value, as JavaScript calls it."""
    kinds = {bool: "boolean", int: "number", float: "number", str: "string", list: "array", dict: "object"}
    return "null" if value is None else kinds[type(value)]


def is_mcp(tool: str) -> bool:
    return tool.startswith("mcp__")


def output_fits(tool: str, value: Any, response: Any) -> bool:
    """An MCP tool's output may be anything; another must keep the shape of what the tool itself returned."""
    if is_mcp(tool):
        return True
    if not isinstance(value, dict):
        return False
    wanted = OUTPUTS.get(tool)
    if wanted is not None:
        return all(isinstance(value.get(key), kind) for key, kind in wanted.items())
    return not isinstance(response, dict) or response.keys() <= value.keys()
