"""What every rule is written with: its verbs, what it may know, and how it quotes.

judging.py → rule.check(call, scene) → [deny(…) | ask(…) | None]
"""

from __future__ import annotations

from hookwright.rules import SHARED

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call, Command

PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+~{}")
# Variables that hold a command.
CARRYING = frozenset(
    (
        "PAGER GIT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_EXTERNAL_DIFF SHELL BROWSER "
        "PROMPT_COMMAND"
    ).split()
)


class Finding:
    """One rule's opinion on one call."""

    __slots__ = ("call", "instead", "reason", "rule", "verdict")

    def __init__(self, verdict: str, reason: str, instead: str) -> None:
        self.verdict = verdict  # deny | ask
        self.reason = reason  # what was seen and what it would destroy
        self.instead = instead  # a command that does it more safely, or looks first
        self.rule = ""
        self.call: Call | None = None

    def __repr__(self) -> str:
        return f"Finding({self.verdict}, {self.rule}: {self.reason!r})"


def deny(reason: str, instead: str) -> Finding:
    """The literal words prove the damage."""
    return Finding("deny", reason, instead)


def ask(reason: str, instead: str) -> Finding:
    """It may well be meant; a person decides."""
    return Finding("ask", reason, instead)


class Scene:
    """What a rule may know beyond the call: the whole command, the project's folder, the shared branches."""

    __slots__ = ("branches", "command", "depth", "home", "project")

    def __init__(self, command: Command, project: str = "", branches: Sequence[str] = SHARED) -> None:
        self.command = command
        self.home = command.home
        self.project = project or (command.cwd if command.cwd[:1] == "/" else "")
        self.branches = branches
        self.depth = 0  # texts in texts: `python -c "os.system('…')"`


def operand(call: Call, index: int) -> str:
    """One operand, 0 is the verb; "" where there are not so many."""
    operands = call.operands()
    return operands[index] if index < len(operands) else ""


def only_shows(call: Call) -> bool:
    """A dry run, also of what a task runner hands on: `npm run deploy -- --dry-run`, `make -n deploy`."""
    if not {"--dry-run", "--dryrun", "--dry", "--help", "--version", "--noop", "--just-print"}.isdisjoint(call.args):
        return True
    return call.program in ("make", "gmake", "just") and call.has_flag("-n")


def answered(call: Call) -> bool:
    """Whether the question that it would ask is answered beforehand: `yes | …`, `echo y | …`."""
    if any(source.program == "yes" for source in call.producers):
        return True
    text = call.stdin_text
    return text is not None and text[:1] in ("y", "Y")


def shown(call: Call) -> str:
    """The call as a reason quotes it."""
    text = call.text
    return text if len(text) <= 100 else text[:97] + "…"


def quoted(word: str) -> str:
    """The word as one writes it in a command."""
    if PLAIN.issuperset(word) or (getattr(word, "glob", False) and PLAIN.issuperset(word.replace("*", ""))):
        return str(word)
    return "'" + word.replace("'", "'\\''") + "'"
