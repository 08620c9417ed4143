"""Light: does a hook's file do nothing but decide? Then it may run inside the door, and costs next to nothing.

source → [is_light] → inside | in a process of its own
No proof against malice, which Python does not allow and the user's own files do not need: it sorts the hooks that look
at the event and answer from those that start programs, open connections or load libraries.
"""

from __future__ import annotations

import ast

# Nothing in these ends the process, starts another, or waits for the world outside.
MODULES = frozenset(
    (
        *("__future__", "hookwright", "typing", "collections", "dataclasses", "enum", "functools", "itertools"),
        *(
            "operator",
            "re",
            "string",
            "textwrap",
            "fnmatch",
            "shlex",
            "json",
            "math",
            "datetime",
            "time",
            "hashlib",
            "posixpath",
        ),
        *("base64", "difflib", "random", "statistics", "urllib.parse", "ipaddress"),
    )
)
# Ways round the list of modules.
NAMES = frozenset(
    (
        *("__import__", "__builtins__", "__loader__", "__spec__", "eval", "exec", "compile", "globals", "vars"),
        *("breakpoint", "setattr", "delattr", "input"),
    )
)


def is_light(tree: ast.Module) -> bool:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and not all(alias.name in MODULES for alias in node.names):
            return False
        if isinstance(node, ast.ImportFrom) and (node.level or (node.module or "") not in MODULES):
            return False
        if isinstance(node, ast.Name) and node.id in NAMES:
            return False
        if isinstance(node, ast.Attribute) and node.attr.startswith("__") and node.attr != "__init__":
            return False  # the way from any object to everything that is loaded
        if isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load) and not _is_own(node.value):
            return False  # changes something that others use too
    return True


def _is_own(value: ast.expr) -> bool:
    return isinstance(value, ast.Name) and value.id == "self"
