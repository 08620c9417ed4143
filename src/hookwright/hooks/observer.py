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

    from hookwright.hooks.base import World
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
            facts.update(ended(event))
            if event.hook_event_name == "Stop" and self.refresh and self.mode == "on":
                learn_behind(self.world)
        if self.project_log and "command" in facts:
            from hookwright.shell.key import key_of  # noqa: PLC0415  for users of this option only
            from hookwright.state.observed import log  # noqa: PLC0415

            line = {**facts, "intent": key_of(facts["command"]).intent}
            log(self.world.project, self.project_log, self.world.now, line)
        return None


def learn_behind(world: World) -> None:
    """Start the refresh unless one was started lately; the answer does not wait for it."""
    from hookwright.state import limits  # noqa: PLC0415  at a turn's end only

    if world.state is None or not limits.allow(f"{world.state}/refresh", "r", world.now, most=1, per_seconds=600):
        return
    import posix  # noqa: PLC0415
    import sys  # noqa: PLC0415

    root = __file__.rpartition("/hookwright/hooks/")[0]
    code = "import sys; sys.path.append(sys.argv[2]); from hookwright.history.refresh import main; main(sys.argv[1])"
    nothing = posix.open("/dev/null", posix.O_RDWR | posix.O_CLOEXEC)
    try:
        posix.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", "-c", code, world.state, root],
            posix.environ,
            file_actions=[(posix.POSIX_SPAWN_DUP2, nothing, stream) for stream in (0, 1, 2)],
            setsid=True,  # the client ends the group of a hook that is late; this is not late, it is elsewhere
        )
    except (OSError, NotImplementedError):
        return
    finally:
        posix.close(nothing)


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
