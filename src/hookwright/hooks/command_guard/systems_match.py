"""Whether a call fits a pattern of systems.toml.

rules/platform_delete, rules/secret_read → [matches] → yes or no
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call, Word

VERBS = frozenset(
    (
        "create update set resize reboot rebuild restart start stop scale upgrade apply push deploy patch cancel "
        "capture confirm refund add assign attach detach power-off power-on"
    ).split()
)


def matches(call: Call, patterns: str) -> bool:
    """Whether the call fits one of the patterns, which are separated by `|`."""
    operands = call.operands()
    return any(fits(call, operands, pattern) for pattern in patterns.split("|") if pattern)


def fits(call: Call, operands: list[Word], pattern: str) -> bool:
    if pattern == "*":
        return len(call.words) > 1
    if pattern == "(none)":
        return len(call.words) == 1
    if pattern == "@verbs":
        return not VERBS.isdisjoint(word.rpartition(":")[2] for word in operands)
    words = pattern.split()
    if len(words) == 1:
        return pattern in call.args
    if any(word[0] == "-" for word in words):
        return all(word in call.args for word in words)
    return any([*operands[start : start + len(words)]] == words for start in range(2))
