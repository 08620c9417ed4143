"""Makes src/hookwright/protocol/legal.py from protocol.json: which event may carry which decision.

python scripts/generate_legal.py [--check]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

PROTOCOL = Path(__file__).resolve().parent.parent / "src/hookwright/protocol"

HEAD = '''"""Which event may carry which decision. Made by scripts/generate_legal.py from protocol.json; do not edit.

Words: deny, ask, allow, block, rewrite, context, message, stop; other words are keys of hookSpecificOutput.
`EXIT_2` events know `block` only as exit code 2 with the reason on stderr.
"""

# fmt: off
'''

# Keys of hookSpecificOutput that have a verb of their own in decisions.py.
SPOKEN = {
    "permissionDecision",
    "permissionDecisionReason",
    "updatedInput",
    "additionalContext",
    "decision",
}


def capabilities(event: dict) -> list[str]:
    keys = [key.rstrip("?") for key in event["hook_specific_output"]]
    said: list[str] = []
    if "permissionDecision" in keys:
        values = event["hook_specific_output"]["permissionDecision?"]
        said += [word for word in ("deny", "ask", "allow") if word in values]
    if "decision" in keys:
        said += ["deny", "allow", "rewrite"]
    if "updatedInput" in keys:
        said.append("rewrite")
    if 'decision:"block"' in (event["top_level_decision"] or "") or exit_2_only(event):
        said.append("block")
    if "additionalContext" in keys:
        said.append("context")
    universal = event["universal_fields"]
    if universal == "honoured":
        said += ["message", "terminalSequence"]
        if "continue:false ignored" not in (event["top_level_decision"] or ""):
            said.append("stop")
    if "systemMessage as toast" in universal or "systemMessage to Claude" in universal:
        said.append("message")
    if "terminalSequence" in universal:
        said.append("terminalSequence")
    said += [key for key in keys if key not in SPOKEN]
    return said


def exit_2_only(event: dict) -> bool:
    top = event["top_level_decision"] or ""
    return event["can_block"] == "yes" and top.startswith("continue:false")


def made() -> str:
    events = json.loads((PROTOCOL / "protocol.json").read_text())["events"]
    lines = [HEAD, "LEGAL = {\n"]
    for name, event in events.items():
        words = ", ".join(f'"{word}"' for word in capabilities(event))
        words += "," if len(capabilities(event)) == 1 else ""
        lines.append(f'    "{name}": ({words}),\n')
    lines.append("}\n\n")
    lines.append(f"EXIT_2 = ({', '.join(repr(n) for n, e in events.items() if exit_2_only(e))})\n".replace("'", '"'))
    return "".join(lines)


def main() -> int:
    target = PROTOCOL / "legal.py"
    if "--check" in sys.argv:
        if target.read_text() == made():
            return 0
        print("src/hookwright/protocol/legal.py differs from protocol.json; try: make docs", file=sys.stderr)
        return 1
    target.write_text(made())
    return 0


if __name__ == "__main__":
    sys.exit(main())
