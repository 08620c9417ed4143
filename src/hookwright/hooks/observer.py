"""Observer: every command with its outcome and duration goes into the record; nothing is ever said.

payload → event → [this hook] → facts of the journal record → ledger, learned durations
Before a command: what it is. After it: how it ended and how long it took. When a turn ends or the client tells of
a finished background task: what became of what runs behind. Never tool output, file contents, prompts.
"""

from __future__ import annotations

from hookwright.hooks.base import Hook
from hookwright.options import option

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.protocol.decisions import Decision


class Observer(Hook):
    """Record every command, its outcome and its duration, in silence."""

    # By name: the classes of all these families would have to be loaded for each of them.
    on = (
        ("PreToolUse", "Bash"),
        ("PostToolUse",),
        ("PostToolUseFailure",),
        ("UserPromptSubmit",),
        ("Stop",),
        ("SubagentStop",),
    )
    project_log: str = option(
        "",
        help="A file in the project that gets a line for every Bash command as well, such as "
        ".agent-os/observed-bash.jsonl; secrets are masked there too.",
    )

    def decide(self, event: Any) -> Decision | None:
        facts = self.world.facts
        raw = event.raw
        if raw.get("tool_name") == "Bash":
            tool_input = raw.get("tool_input")
            if isinstance(tool_input, dict) and isinstance(tool_input.get("command"), str):
                facts["command"] = tool_input["command"]
                if tool_input.get("run_in_background"):
                    facts["behind"] = True
        if event.hook_event_name != "PreToolUse":
            facts.update(ended(event))
        if self.project_log and "command" in facts:
            from hookwright.shell.key import key_of  # noqa: PLC0415  for users of this option only
            from hookwright.state.observed import log  # noqa: PLC0415

            line = {**facts, "intent": key_of(facts["command"]).intent}
            log(self.world.project, self.project_log, self.world.now, line)
        return None


def ended(event: Any) -> dict[str, Any]:
    """How a call ended, or what became of the commands that run behind."""
    from hookwright.protocol import outcome  # noqa: PLC0415  not needed before a call

    name = event.hook_event_name
    if name == "UserPromptSubmit":
        return outcome.finished_task(event.prompt)
    if name in ("Stop", "SubagentStop"):
        return {"tasks": outcome.running_tasks(event.background_tasks)} if event.background_tasks else {}
    facts = {"duration_ms": event.duration_ms}
    if name == "PostToolUse":
        facts.update(outcome.succeeded(event.tool_name, event.tool_response))
        if "task_id" in facts:
            facts["transcript"] = event.transcript_path  # where the client will note its end
    else:
        facts.update(outcome.failed(event.error, interrupted=event.is_interrupt is True))
    return facts
