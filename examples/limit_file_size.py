"""A file that grows beyond what a person can read is split first.

One that is too long already may be edited, as long as it does not grow.

    [limit_file_size]
    lines = 600
    exempt = ["*.lock", "*.json", "tests/data/*"]
"""

from hookwright import Decision, Hook, PreToolUse, deny, option


class LimitFileSize(Hook):
    """Keep files short enough to read."""

    on = (PreToolUse, "Write", "Edit")
    lines = option(800, tighter="lower", help="Lines that a file may have.")
    exempt = option(("*.lock", "*.json", "*.svg", "*.csv"), help="Patterns of files that may be of any length.")

    def decide(self, event: PreToolUse) -> Decision | None:
        file = event.tool_input.get("file_path", "")
        before = text_of(file)
        after = event.tool_input.get("content") if event.tool_name == "Write" else edited(before, event)
        if after is None or length(after) <= self.lines:
            return None
        if length(after) <= length(before or "") or self.is_exempt(file):
            return None  # too long already, and not getting longer; or meant to be long
        return deny(
            f"{file} would have {length(after)} lines, {self.lines} are allowed; "
            "move an independent part to a separate file"
        )

    def is_exempt(self, file: str) -> bool:
        from fnmatch import fnmatch

        return any(fnmatch(file, pattern) or fnmatch(file, f"*/{pattern}") for pattern in self.exempt)


def length(text: str) -> int:
    return text.count("\n") + (not text.endswith("\n") and text != "")


def text_of(file: str) -> str | None:
    try:
        with open(file, encoding="utf-8", errors="replace") as opened:
            return opened.read()
    except OSError:
        return None


def edited(text: str | None, event: PreToolUse) -> str | None:
    """The file as an Edit would leave it."""
    if text is None:
        return None
    change = event.tool_input
    times = -1 if change.get("replace_all") else 1
    return text.replace(change.get("old_string", ""), change.get("new_string", ""), times)
