"""Claude reads output and files without the secrets in them.

Replaces issuers' tokens, private keys and passwords in URLs by ***; in the output of commands also the values of names
such as API_KEY or password. The output of a command that fails cannot be replaced: Claude Code has no way to.

    [redact_output]
    names = false        # leave `PASSWORD=…` in the output of commands
"""

from hookwright import Decision, Hook, PostToolUse, add_context, option, replace_output
from hookwright.store import redact
from hookwright.store.secrets import find_secrets

GUESSED = ("assignment", "flag")  # secrets by their name, not by their shape: in source code too often wrong
PICTURES = ("base64", "data")


class RedactOutput(Hook):
    """Keep secrets out of what Claude reads."""

    on = (PostToolUse, "Bash", "Read", "Grep", "WebFetch", "mcp__*")
    names = option(True, help="In the output of commands, also mask values by the name before them.")

    def decide(self, event: PostToolUse) -> Decision | None:
        guess = self.names and event.tool_name == "Bash"
        clean = masked(event.tool_response, guess)
        if clean == event.tool_response:
            return None
        return replace_output(clean) & add_context(
            "Secrets in this output were replaced by ***. Do not look for them; use them by the name of their variable."
        )


def masked(value: object, guess: bool) -> object:
    """The same shape, since Claude Code ignores a replacement of another shape."""
    if isinstance(value, str):
        spots = [spot for spot in find_secrets(value) if guess or spot[2] not in GUESSED]
        return redact.apply(value, spots)[0]
    if isinstance(value, list):
        return [masked(part, guess) for part in value]
    if isinstance(value, dict):
        return {key: part if key in PICTURES else masked(part, guess) for key, part in value.items()}
    return value
