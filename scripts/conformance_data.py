"""Write the conformance table as one file of data: what Claude Code does with hooks, recorded case by case.

    python scripts/conformance_data.py dist/claude-code-hooks.json

tests/conformance/cases, versions → [build_table] → one JSON file that needs nothing of this project
docs/conformance.md says how to use it.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parent.parent
TABLE = REPOSITORY / "tests" / "conformance"
FORMAT = 1  # raised when a key changes its meaning


def build_table() -> dict[str, Any]:
    """All scenes by name, and what other versions of the client do otherwise."""
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in sorted((TABLE / "cases").glob("*.json"))}
    versions = [json.loads(path.read_text("utf-8")) for path in sorted((TABLE / "versions").glob("*.json"))]
    return {
        "format": FORMAT,
        "about": "What Claude Code does with hooks: settings, events, behaviour of handlers, recorded outcomes",
        "licence": "MIT",
        "cases": sum(len(scene["cases"]) for scene in found.values()),
        "defaults": DEFAULTS,
        "scenes": found,
        "versions": {data["client"]: data["scenes"] for data in versions},
    }


# What an outcome says where a field is not written.
DEFAULTS: dict[str, Any] = {
    "decision": "none",
    "reason": None,
    "updated_input": None,
    "updated_output": None,
    "context": [],
    "system_messages": [],
    "continue": True,
    "stop_reason": None,
    "cut": [],
    "later": [],
    "continuations": 0,
}


def main(argv: list[str]) -> int:
    if len(argv) != 1:
        print("usage: conformance_data.py FILE", file=sys.stderr)
        return 2
    table = build_table()
    target = Path(argv[0])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(table, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    print(f"{target}: {len(table['scenes'])} scenes, {table['cases']} cases, {len(table['versions']) + 1} versions")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
