"""Approve: answers the client's permission prompt for calls that are proven to read only. Off by default.

PermissionRequest → [this hook] → allow, or no opinion: then the person is asked as ever
Never denies, learns nothing, guesses nothing. A prompt that somebody asked for (an ask rule, the guard, another hook)
is left to the person: the client then sends no `permission_suggestions`. The person's own rules are read as well.
"""

from __future__ import annotations

from hookwright.hooks.approve.permission_rules import find_matching_rule
from hookwright.hooks.approve.prove import prove_command
from hookwright.hooks.approve.readable import Readable, Unproven
from hookwright.hooks.base import Hook
from hookwright.options import mode_option, option
from hookwright.protocol.decisions import Decision
from hookwright.protocol.events.permission import PermissionRequest

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# In plan mode and the others the client's own answer stands.
MODES = ("default", "acceptEdits", "auto")
FILE_TOOLS = {"Read": "file_path", "Grep": "path", "Glob": "path"}


class Approve(Hook):
    """Approve what is proven to read only, so that you are not asked about it."""

    on = (PermissionRequest, "Bash", *FILE_TOOLS)
    mode: str = mode_option(
        "off", shadow="decides and records what you would not have been asked about", tighter=("on", "shadow", "off")
    )
    folders: tuple[str, ...] = option(
        (), adds=True, help="More directories, besides the project, in which reading needs no question."
    )

    def decide(self, event: PermissionRequest) -> Decision | None:
        why_not, proof = self.prove(event)
        self.log_debug(why_not or f"allow: {proof}")
        if why_not:
            self.world.facts["approve"] = {"why_not": why_not}
            return None
        return Decision("allow", f"only reads: {proof}")

    def prove(self, event: PermissionRequest) -> tuple[str, str]:
        """Why the call is not approved, or "", and the proof."""
        if "permission_suggestions" not in event.raw:
            return "a rule or a hook wants a person to be asked", ""
        mode = event.raw.get("permission_mode", "default")
        if mode not in MODES:
            return f"not in {mode} mode", ""
        tool_input = event.tool_input
        if not isinstance(tool_input, dict) or not isinstance(event.cwd, str):
            return "the call cannot be read", ""
        text = str(tool_input.get("command") if event.tool_name == "Bash" else tool_input)
        rule = find_matching_rule(self.world, event.tool_name, text)
        if rule:
            return f"your own rule {rule} may apply", ""
        return self.prove_call(event.tool_name, tool_input, event.cwd)

    def prove_call(self, tool: str, tool_input: dict[str, Any], cwd: str) -> tuple[str, str]:
        """As `prove`, by the call alone."""
        home = self.world.home or ""
        roots = (self.world.project or cwd, *(home + one[1:] if one[:1] == "~" else one for one in self.folders))
        try:
            if tool == "Bash":
                command = tool_input.get("command")
                if not isinstance(command, str) or tool_input.get("dangerouslyDisableSandbox"):
                    return "it is not an ordinary command", ""
                calls = prove_command(command, cwd, roots, home, self.world.env("PATH") or "")
                return "", "; ".join(calls)
            path = tool_input.get(FILE_TOOLS[tool], "" if tool != "Read" else None)
            if not isinstance(path, str):
                return "it names no file", ""
            Readable(roots, home, "").check_path(path or cwd, (cwd,))
        except Unproven as reason:
            return str(reason), ""
        return "", f"{tool} {path or cwd}"
