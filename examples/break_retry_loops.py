"""A command that fails again and again is a reason to think, not to try once more.

Counts failures of the same command in a session. At the third Claude is told to look for the cause, at the sixth the
command is refused. A success, or the next prompt of the user, begins anew.

    [break_retry_loops]
    remind_at = 3
    refuse_at = 6
"""

from hookwright import (
    Decision,
    Hook,
    PostToolUse,
    PostToolUseFailure,
    PreToolUse,
    UserPromptSubmit,
    add_context,
    deny,
    option,
)
from hookwright.store import cache, limits


class BreakRetryLoops(Hook):
    """Stop the same failure from being repeated."""

    on = ((PreToolUse, "Bash"), (PostToolUse, "Bash"), (PostToolUseFailure, "Bash"), (UserPromptSubmit,))
    remind_at = option(3, tighter="lower", help="Failures of one command after which Claude is told to stop and look.")
    refuse_at = option(6, tighter="lower", help="Failures after which the command is refused.")

    def decide(self, event: PreToolUse | PostToolUse | PostToolUseFailure | UserPromptSubmit) -> Decision | None:
        here = limits.scope(self.world.state, event.session_id, event.agent_id)
        if here is None:
            return None
        # The user's next word is a new beginning: what was counted before it has another name.
        turn = cache.read(here, "turn", self.world.now) or ""
        if isinstance(event, UserPromptSubmit):
            if not event.is_synthetic:
                cache.write(here, "turn", str(self.world.now), self.world.now)
            return None
        command = f"failures {turn} {event.tool_input.get('command', '')}"
        failures = int(cache.read(here, command, self.world.now) or 0)
        if isinstance(event, PostToolUse):
            cache.forget(here, command)
        elif isinstance(event, PostToolUseFailure) and not event.is_interrupt:
            cache.write(here, command, str(failures + 1), self.world.now, ttl_seconds=3600)
            if failures + 1 == self.remind_at:
                return add_context(
                    f"This command has now failed {self.remind_at} times. Do not run it again as it is: read the "
                    "whole error, say what you believe the cause is, and change one thing that tests that belief."
                )
        elif isinstance(event, PreToolUse) and failures >= self.refuse_at:
            return deny(f"this command failed {failures} times in a row; find the cause another way, or ask the user")
        return None
