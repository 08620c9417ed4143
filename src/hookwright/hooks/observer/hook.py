"""Observer: record every command with its outcome and duration. It never answers anything.

payload → event → [this hook] → facts of the journal record → ledger, learned durations
Before a command it records the command, afterwards its outcome and duration, and at the end of a turn or on a task
notification the state of background tasks. Tool output, file contents and prompts are never recorded.
"""

from __future__ import annotations

import posix

from hookwright.hooks.base import Hook
from hookwright.options import option
from hookwright.store.paths import file_name, session_dir

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from hookwright.protocol.decisions import Decision


def confirm_note(state: str, session: str, call: str) -> None:
    """Keep what the guard noted before this call, now that it has run; most calls have no note."""
    try:
        noted = posix.access(f"{session_dir(state, session)}/pending/{file_name(call)}", posix.R_OK)
    except ValueError:
        return
    if noted:
        from hookwright.store.session_marks import confirm_call  # noqa: PLC0415

        confirm_call(state, session, call)


REFRESH_S = 600.0  # as in store/learn_in_background.py


class Observer(Hook):
    """Record every command with its outcome and duration; answers nothing."""

    # Events by name: their classes would load several family modules in every process.
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
        ".agent-os/observed-bash.jsonl; secrets are masked.",
    )

    refresh: bool = option(
        True,
        help="Learn from the journal at the end of a turn, at most every ten minutes, in a detached process. "
        "Off: only `hookwright learn` does.",
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
        elif event.hook_event_name != "PreToolUse":
            tool_input = raw.get("tool_input")
            path = tool_input.get("file_path") if isinstance(tool_input, dict) else None
            if isinstance(path, str):
                facts["file"] = path
        if event.hook_event_name != "PreToolUse":
            from hookwright.protocol.tool_outcome import read_outcome  # noqa: PLC0415  not needed before a tool call

            facts.update(read_outcome(event))
            call = raw.get("tool_use_id")
            if isinstance(call, str) and self.world.state is not None:
                confirm_note(self.world.state, event.session_id, call)
            if event.hook_event_name == "Stop" and self.refresh and self.mode == "on" and self._is_refresh_due():
                from hookwright.store.learn_in_background import start_refresh  # noqa: PLC0415  at the end of a turn only

                start_refresh(self.world.state, self.world.now)
        if self.project_log and "command" in facts:
            from hookwright.hooks.observer.project_log import append_command  # noqa: PLC0415
            from hookwright.shell.command_key import key_of  # noqa: PLC0415  only with this option

            line = {**facts, "intent": key_of(facts["command"]).intent}
            append_command(self.world.project, self.project_log, self.world.now, line)
        return None

    def _is_refresh_due(self) -> bool:
        """False if it was started within ten minutes, which one system call says; else the limit itself decides."""
        try:
            started = posix.stat(f"{self.world.state}/refresh/r.times").st_mtime
        except (OSError, ValueError):
            return True
        return abs(self.world.now - started) >= REFRESH_S
