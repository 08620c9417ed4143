"""Asks about a command that cannot be read to its end, if its first words look dangerous.

Why: where the text stops being shell we cannot prove anything, so nothing is refused; the first words of each line are
still looked at, and only those: deeper in, a mention would be taken for an action.
"""

from __future__ import annotations

from hookwright.rules.judging import judge_text
from hookwright.rules.kit import ask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from hookwright.rules.kit import Finding, Scene

ID = "unreadable"
EXAMPLES = {
    "rm -rf / (": "ask",
    "echo ( rm -rf ~": "ask",
    "ls (": None,
    "echo 'rm -rf /": None,
}

MOST = 8  # pieces of a broken text that are looked at
JOINTS = ("&&", "||", ";", "|", "&", "(", ")", "{", "}")
QUOTES = ("'", '"', "`", "<<", "$(")


def soften(scene: Scene, findings: list[Finding], off: Collection[str]) -> None:
    """What was found before the unreadable place is asked about; otherwise the first words are looked at."""
    command = scene.command
    for finding in findings:
        if finding.verdict == "deny":
            finding.verdict = "ask"
            finding.reason += f" (the rest cannot be read: {command.problem})"
    if findings or ID in off or scene.depth:
        return
    for piece in first_words(command.text):
        found = judge_text(piece, command.cwd, scene)
        if found is not None:
            reason = f"this cannot be read as shell ({command.problem}), and it seems that {found.reason}"
            findings.append(ask(reason, found.instead))
            findings[0].rule = ID
            return


def first_words(text: str) -> list[str]:
    """The plain beginnings of the text's parts, up to the first quote: after it, words may be a mere text."""
    for quote in QUOTES:
        text = text.partition(quote)[0]
    for joint in JOINTS:
        text = text.replace(joint, "\n")
    pieces = [piece.strip() for piece in text.split("\n")]
    return [piece for piece in pieces if piece][:MOST]


def check(call: object, scene: object) -> None:
    """Only `soften` speaks: there is no call to look at."""
    return
