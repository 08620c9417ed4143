"""Fail if modules of the package import each other in a circle, function-level imports included.

    python scripts/check_cycles.py

import-linter sees layers and packages; a circle between two modules of one package passes there. Imports under
`if TYPE_CHECKING` do not count: they never run.
"""

from __future__ import annotations

import ast
import sys
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

SRC = Path(__file__).resolve().parent.parent / "src"


def main() -> int:
    modules = {module_name(path): path for path in sorted((SRC / "hookwright").rglob("*.py"))}
    graph = {name: find_imports(path, modules) - {name} for name, path in modules.items()}
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        print("import cycle: " + " -> ".join(reversed(error.args[1])), file=sys.stderr)
        return 1
    print(f"{len(modules)} modules, no import cycle")
    return 0


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")


def find_imports(path: Path, modules: dict[str, Path]) -> set[str]:
    found: set[str] = set()
    todo: list[ast.AST] = [ast.parse(path.read_bytes())]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            todo.extend(node.orelse)
            continue
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                found.add(inner if inner in modules else node.module)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        todo.extend(ast.iter_child_nodes(node))
    return found & modules.keys()


if __name__ == "__main__":
    sys.exit(main())
