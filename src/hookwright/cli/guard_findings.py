"""Which rules of the guard stop a command here, with this configuration and without its exceptions.

command, directory → [find_findings] → findings of the guard, as the hook process has them
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookwright.cli.explainer import build_explainer
from hookwright.config.environment_options import add_environment
from hookwright.hooks.command_guard.hook import CommandGuard
from hookwright.protocol.events import event_of

if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding

BASH = "Bash"


def find_findings(
    tool_input: dict[str, Any], cwd: str, tool: str = BASH, *, exceptions: bool = True
) -> tuple[list[Finding], str]:
    """The findings on a call, strictest first, and the mode of the guard. `exceptions`: with those that are set."""
    explainer = build_explainer()
    plan = explainer.compile_plan(cwd)
    [row] = [row for row in plan["hooks"]["PreToolUse"] if row["hook"] == CommandGuard.__module__.split(".")[-2]]
    world = explainer.build_world(cwd)
    options = dict(row["options"])
    add_environment(options, plan, row, world)
    mode = options.pop("mode", row["mode"])
    if not exceptions:
        options.pop("exceptions", None)
    payload = {"hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": tool_input, "cwd": cwd}
    event: Any = event_of(payload)
    return CommandGuard(world, **options).collect_findings(event), mode
