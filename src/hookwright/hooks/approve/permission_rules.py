"""The person's own deny and ask rules: whether one of them may apply to a call.

approve → [find_matching_rule] ← the `permissions` of every settings file that the client reads
May say yes too often, never too seldom: a pattern may apply if all of its literal parts occur in the call, whatever
their case. A settings file that cannot be read counts as a rule for everything.
"""

from __future__ import annotations

from hookwright.hooks.approve.readable import list_names
from hookwright.proc.safe_read import read_head
from hookwright.protocol.json import NotJson, loads

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookwright.hooks.base import World

MAX_BYTES = 2 << 20  # the client reads no larger file
MANAGED = (
    "/etc/claude-code/managed-settings.json",
    "/Library/Application Support/ClaudeCode/managed-settings.json",
)
SHELL_TOOLS = ("Bash", "Monitor", "PowerShell")


def find_matching_rule(world: World, tool: str, text: str) -> str:
    """A deny or ask rule that may apply to the call; "" if none can."""
    words = text.lower()
    for path in list_settings(world):
        try:
            data = read_head(path, MAX_BYTES + 1)
        except FileNotFoundError:
            continue
        except (OSError, ValueError):
            return f"(in {path}, which cannot be read)"
        try:
            settings = loads(data.decode("utf-8-sig"))
        except (NotJson, ValueError):
            return f"(in {path}, which is not valid JSON)"
        for rule in list_rules(settings):
            if may_apply(rule, tool, words):
                return rule
    return ""


def list_settings(world: World) -> Iterator[str]:
    config = world.env("CLAUDE_CONFIG_DIR") or (f"{world.home}/.claude" if world.home else "")
    if config:
        yield f"{config}/settings.json"
    if world.project:
        yield f"{world.project}/.claude/settings.json"
        yield f"{world.project}/.claude/settings.local.json"
    for path in MANAGED:
        yield path
        folder = path.removesuffix(".json") + ".d"
        for name in list_names(folder):
            if name.endswith(".json"):
                yield f"{folder}/{name}"


def list_rules(settings: object) -> Iterator[str]:
    permissions = settings.get("permissions") if isinstance(settings, dict) else None
    for kind in ("deny", "ask"):
        rules = permissions.get(kind) if isinstance(permissions, dict) else None
        for rule in rules if isinstance(rules, list) else ():
            if isinstance(rule, str):
                yield rule


def may_apply(rule: str, tool: str, words: str) -> bool:
    """Whether a rule such as `Bash(git push:*)` may apply to a call of this tool whose lower-case text is `words`."""
    name, bracket, pattern = rule.strip().partition("(")
    of_tool = name == tool or (tool == "Bash" and name in SHELL_TOOLS) or "*" in name
    if not bracket:
        return of_tool
    if not of_tool and not (tool == "Bash" and name in ("Read", "Edit", "Write")):
        return False
    pattern = pattern.rstrip().removesuffix(")").removesuffix(":*").lower()
    if not of_tool or tool != "Bash":  # a rule on paths: by the last part of its path
        pattern = pattern.rstrip("/*").rpartition("/")[2]
    parts = [part for word in pattern.split() for part in word.split("*")]
    return all(part.strip("\\'\"") in words for part in parts)
