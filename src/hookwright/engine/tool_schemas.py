"""Validate rewrites against the tool: the client rejects an input or ignores an output that does not fit.

updatedInput → [fit_input] → the input that the tool gets, or the client's refusal → merge
updatedToolOutput → [output_fits] → merge
Built-in tools only; the client does not validate MCP tools here.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from hookwright.engine.schema import js_type_name

NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
# Keys in the order of the tool's schema; `*` marks required ones.
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


def fit_input(tool: str, updated: Mapping[str, Any], *, coerces: bool = True) -> tuple[Mapping[str, Any], str | None]:
    """The input that the tool gets: unknown keys dropped, strings converted to the number or boolean they spell.

    Without `coerces`, as older clients: converted only to be checked, and their refusal lacks its last line.
    """
    expected = INPUTS.get(tool)
    if expected is None:
        return updated, None
    given = {key: _coerce_value(updated[key], expected[key].rstrip("*")) for key in updated if key in expected}
    required = [key for key in expected if expected[key].endswith("*")]
    missing = [f"The required parameter `{key}` is missing" for key in required if key not in given]
    wrong = [
        f"The parameter `{key}` type is expected as `{expected[key].rstrip('*')}` "
        f"but provided as `{js_type_name(given[key])}`"
        for key in expected
        if key in given and js_type_name(given[key]) != expected[key].rstrip("*")
    ]
    if not missing and not wrong:
        return given if coerces else updated, None
    issue = "issue" if len(missing) + len(wrong) == 1 else "issues"
    head = f"PreToolUse hook for {tool} returned updatedInput that failed schema validation: "
    lines = (
        f"{head}{tool} failed due to the following {issue}:",
        *missing,
        *wrong,
        *(["The tool input from the model was valid; the hook's rewrite of it was not."] if coerces else []),
    )
    return updated, "\n".join(lines)


def _coerce_value(value: Any, expected: str) -> Any:
    if expected == "boolean" and value in ("true", "false"):
        return value == "true"
    if expected == "number" and isinstance(value, str) and NUMBER.fullmatch(value):
        return float(value) if "." in value else int(value)
    return value


def is_mcp(tool: str) -> bool:
    return tool.startswith("mcp__")


def output_fits(tool: str, value: Any, response: Any) -> bool:
    """An MCP tool's output may be anything; another tool's must have the keys of what the tool returned."""
    if is_mcp(tool):
        return True
    if not isinstance(value, dict):
        return False
    expected = OUTPUTS.get(tool)
    if expected is not None:
        return all(isinstance(value.get(key), kind) for key, kind in expected.items())
    return not isinstance(response, dict) or response.keys() <= value.keys()
