"""Make src/hookwright/protocol/capabilities.py from protocol.json: which decisions each event can carry.

python scripts/generate_capabilities.py [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

PROTOCOL = Path(__file__).resolve().parent.parent / "src/hookwright/protocol"

HEAD = '''"""Decisions each event can carry. Made by scripts/generate_capabilities.py from protocol.json; do not edit.

deny, ask, allow, block, rewrite, context, message and stop; any other word is a key of hookSpecificOutput.
Events in `EXIT_2` know `block` only as exit code 2 with the reason on stderr.
"""

# fmt: off
'''

# Keys of hookSpecificOutput that have a word of their own above.
NAMED = {
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput",
    "additionalContext",
    "decision",
}


def list_capabilities(event: dict) -> list[str]:
    keys = [key.rstrip("?") for key in event["hook_specific_output"]]
    found: list[str] = []
    if "permissionDecision" in keys:
        values = event["hook_specific_output"]["permissionDecision?"]
        found += [word for word in ("deny", "ask", "allow") if word in values]
    if "decision" in keys:
        found += ["deny", "allow", "rewrite"]
    if "updatedInput" in keys:
        found.append("rewrite")
    if 'decision:"block"' in (event["top_level_decision"] or "") or blocks_by_exit_2_only(event):
        found.append("block")
    if "additionalContext" in keys:
        found.append("context")
    universal = event["universal_fields"]
    if universal == "honoured":
        found += ["message", "terminalSequence"]
        if "continue:false ignored" not in (event["top_level_decision"] or ""):
            found.append("stop")
    if "systemMessage as toast" in universal or "systemMessage to Claude" in universal:
        found.append("message")
    if "terminalSequence" in universal:
        found.append("terminalSequence")
    found += [key for key in keys if key not in NAMED]
    return found


def blocks_by_exit_2_only(event: dict) -> bool:
    top = event["top_level_decision"] or ""
    return event["can_block"] == "yes" and top.startswith("continue:false")


def format_module() -> str:
    events = json.loads((PROTOCOL / "protocol.json").read_text())["events"]
    lines = [HEAD, "LEGAL = {\n"]
    for name, event in events.items():
        words = ", ".join(f'"{word}"' for word in list_capabilities(event))
        words += "," if len(list_capabilities(event)) == 1 else ""
        lines.append(f'    "{name}": ({words}),\n')
    lines.append("}\n\n")
    exit_2 = ", ".join(f'"{name}"' for name, event in events.items() if blocks_by_exit_2_only(event))
    lines.append(f"EXIT_2 = ({exit_2})\n")
    return "".join(lines)


def main() -> int:
    target = PROTOCOL / "capabilities.py"
    if "--check" in sys.argv:
        if target.read_text() == format_module():
            return 0
        print("src/hookwright/protocol/capabilities.py differs from protocol.json; try: make docs", file=sys.stderr)
        return 1
    target.write_text(format_module())
    return 0


if __name__ == "__main__":
    sys.exit(main())
