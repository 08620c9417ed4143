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

    refresh: bool = option(
        True,
        help="At a turn's end, at most every ten minutes, learn from what was recorded, in a process of its own that "
        "nobody waits for. Off: only `hookwright log`, `stats` and `learn` do.",
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
            from hookwright.protocol.outcome import ended  # noqa: PLC0415  not needed before a call

            facts.update(ended(event))
            if event.hook_event_name == "Stop" and self.refresh and self.mode == "on":
                from hookwright.state.refresh import learn_behind  # noqa: PLC0415  at a turn's end only

                learn_behind(self.world.state, self.world.now)
        if self.project_log and "command" in facts:
            from hookwright.shell.key import key_of  # noqa: PLC0415  for users of this option only
            from hookwright.state.observed import log  # noqa: PLC0415

            line = {**facts, "intent": key_of(facts["command"]).intent}
            log(self.world.project, self.project_log, self.world.now, line)
        return None
