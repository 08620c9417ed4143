"""Commit messages of one form: `type(scope): what changed`, short enough for one line.

The message is read from the command as a shell would read it: `-m`, `-am`, a here-document, `-F -`.

    [commit_message]
    types = ["feat", "fix", "docs", "chore"]
"""

from hookwright import Call, Decision, Hook, PreToolUse, calls, deny, option


class CommitMessage(Hook):
    """Hold commit messages to one form."""

    on = (PreToolUse, "Bash")
    types = option(("feat", "fix", "docs", "refactor", "test", "chore", "perf", "build", "ci"), help="The first words.")
    longest = option(72, tighter="lower", help="Characters of the first line.")

    def decide(self, event: PreToolUse) -> Decision | None:
        for commit in calls(event, "git", "commit"):
            message = message_of(commit)
            if message is None or not getattr(message, "literal", True):
                continue  # an editor or a file holds it, or the running command makes it
            first = message.strip().partition("\n")[0]
            kind = first.partition(":")[0].partition("(")[0].rstrip("!")
            if kind not in self.types or ": " not in first:
                return deny(
                    f"write the first line as `type: what changed`, type one of {', '.join(self.types)}: {first}"
                )
            if len(first) > self.longest:
                return deny(f"the first line has {len(first)} characters, {self.longest} are allowed: {first}")
        return None


def message_of(commit: Call) -> str | None:
    """The message that the command itself carries, or None."""
    for place, word in enumerate(commit.words):
        if word.startswith("--message="):
            return commit.option("--message")
        if word == "--message" or (word[:1] == "-" and word[:2] != "--" and word.endswith("m")):
            return next(iter(commit.words[place + 1 :]), None)
    return commit.stdin_text if commit.option("-F", "--file") == "-" else None
