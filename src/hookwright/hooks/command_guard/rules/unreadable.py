"""Asks about a command with a syntax error, if its first words look dangerous, and about one that is nested too deeply.

Why: after the error nothing can be proven, so nothing is denied; only the first words of each line are checked, since
further inside a mention could be taken for a command. What is nested too deeply for us is not too deep for the shell,
and nobody writes it by hand.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask
from hookwright.shell.call import TOO_DEEP, TOO_LONG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

    from hookwright.hooks.command_guard.rule_api import Finding, Scene

ID = "unreadable"
EXAMPLES = {
    "rm -rf / (": "ask",
    "echo ( rm -rf ~": "ask",
    "ls && rm -rf ~ (": "ask",
    "ls ; rm -rf ~ (": "ask",
    "ls & rm -rf ~ (": "ask",
    "{ rm -rf ~ (": "ask",
    "git reset --hard (": "ask",
    "echo ( ls ; rm -rf ~": "ask",
    "echo ( ls & rm -rf ~": "ask",
    "echo ( ls | rm -rf ~": "ask",
    "echo ( ls ) rm -rf ~": "ask",
    "echo ( «{|}» rm -rf ~": "ask",
    "ls (": None,
    "echo 'rm -rf /": None,
    "echo `rm -rf ~ (": None,
    'echo "rm -rf ~': None,
    "echo ( «'x'|\"x\"|`x`|$(x)|<<E» ; rm -rf ~": None,
}

MAX_PARTS = 8  # parts of the text that are checked
JOINTS = (";", "|", "&", "(", ")", "{", "}")
QUOTES = ("'", '"', "`", "<<", "$(")


def soften(scene: Scene, findings: list[Finding], off: Collection[str]) -> None:
    """Turn findings before the syntax error from deny into ask; without any, check the first words of each line."""
    command = scene.command
    for finding in findings:
        if finding.verdict == "deny" and (command.doubtful is None or finding.call in command.doubtful):
            finding.verdict = "ask"
            finding.reason += f" (the rest cannot be read: {command.problem})"
    if findings or ID in off:
        return
    if (command.problem or "").endswith((TOO_DEEP, TOO_LONG)):
        findings.append(ask(f"this cannot be read to its end: {command.problem}", ""))
        findings[0].rule = ID
        return
    if scene.depth:
        return
    for piece in first_words(command.text):
        found = scene.evaluate_text(piece, command.cwd)
        if found is not None:
            reason = f"this cannot be read as shell ({command.problem}), and it seems that {found.reason}"
            findings.append(ask(reason, found.instead))
            findings[0].rule = ID
            return


def first_words(text: str) -> list[str]:
    """The parts of the text, up to the first quote: after it, words may be data."""
    for quote in QUOTES:
        text = text.partition(quote)[0]
    for joint in JOINTS:
        text = text.replace(joint, "\n")
    pieces = [piece.strip() for piece in text.split("\n")]
    return [piece for piece in pieces if piece][:MAX_PARTS]


def check(call: object, scene: object) -> None:
    """Never called with a finding: `soften` checks the whole text instead."""
    return
