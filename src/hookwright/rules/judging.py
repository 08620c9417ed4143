"""Which rules look at which call, and what they say together.

Command → [judge: index.py → the rules for the programs that occur] → findings, strictest first
"""

from __future__ import annotations

from hookwright.rules import SHARED, load
from hookwright.rules.index import HINTED, INDEX
from hookwright.rules.kit import CARRYING, Scene, operand
from hookwright.shell.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from hookwright.rules.kit import Finding
    from hookwright.shell.command import Call

DEEPEST = 4  # commands in the texts of commands
# What is looked at whatever the program: a file written in a place that matters, prose that runs, …
FINE = ("/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty")
PLACES = frozenset("/~.")  # a target that begins so may lie outside of the project, or be hidden
SPOKEN = frozenset(("git", "gh", "glab", "hub"))  # their texts are prose
VERSIONED = ("python3.", "python2.", "pip3.", "pip2.")
SHELLS = frozenset(("sh", "bash", "zsh", "dash"))
INSTALLERS = frozenset(("npm", "pnpm", "yarn", "pip", "pip3", "gem", "make"))  # with sudo, into the whole machine


def judge(
    command: Command,
    project: str = "",
    branches: Sequence[str] = SHARED,
    off: Collection[str] = (),
    looked: list[tuple[str, Call]] | None = None,
) -> list[Finding]:
    """See rules.judge."""
    return in_order(judge_all(Scene(command, project, branches), off, looked))


def judge_all(scene: Scene, off: Collection[str] = (), looked: list[tuple[str, Call]] | None = None) -> list[Finding]:
    """Every finding on every call of the scene's command."""
    command = scene.command
    findings: list[Finding] = []
    for call in command.calls:
        names = needed(call, command.text)
        if not names or "function" in call.place.branch or "--help" in call.words:
            continue  # a function's body that nothing calls does not run, and help only shows
        for name in names.split():
            rule = load(name)
            finding = rule.check(call, scene)
            if finding is None:
                if looked is not None:
                    looked.append((rule.ID, call))
                continue
            finding.rule = finding.rule or rule.ID
            finding.call = finding.call or call
            if finding.rule not in off:
                findings.append(finding)
    if command.problem is not None:
        load("unreadable").soften(scene, findings, off)
    return findings


def judge_text(text: str, cwd: str | None, scene: Scene) -> Finding | None:
    """The strictest finding on a command that stands inside of this one."""
    if scene.depth >= DEEPEST:
        return None
    inner = Scene(Command(text, cwd=cwd or ".", home=scene.home), scene.project, scene.branches)
    inner.depth = scene.depth + 1
    found = in_order(judge_all(inner))
    return found[0] if found else None


def needed(call: Call, text: str) -> str:
    """The rules that have to look at this call, separated by blanks; "" for almost every call."""
    words = call.words
    if not words:
        return written(call)
    program = call.program
    names: Any = INDEX.get(program)
    if names is None:
        names = (
            INDEX[program[:-1].rstrip("0123456789.")] if program.startswith(VERSIONED) and program[-1].isdigit() else ""
        )
    if names.__class__ is dict:
        names = by_operand(call, names)
    if call.redirects:
        names += written(call)
    place = call.place
    if place.substitution and place.quoted and place.owner is not None and place.owner.program in SPOKEN:
        names += " message_substitution"
    if (place.function and place.function == program) or (place.background and place.loop and place.loop.endless):
        names += " fork_bomb"
    if not words[0].literal:
        names += " dynamic_program"
    if call.env and not CARRYING.isdisjoint(call.env):
        names += " carried_text"
    if call.wrappers and call.wrappers[0].program == "sudo":
        if program in INSTALLERS:
            names += " packages"
        elif words[0][:2] == "./" or (program in SHELLS and not call.inner and not call.stdin_text):
            names += " root_shell"
    hinted = HINTED.get(program)
    if hinted is not None and any(mark in text for mark in hinted[1]):
        names += " " + hinted[0]
    return str(names)


def by_operand(call: Call, table: dict[str, Any]) -> str:
    words = call.words
    first = words[1] if len(words) > 1 else "-"
    names = table.get(call.verb) or table.get(first[:2]) or (table.get("-") if first[:1] == "-" else "") or ""
    if names.__class__ is dict:
        names = names.get(operand(call, 1)) or ""
    return str(names)


def written(call: Call) -> str:
    """Whether a redirection writes where it matters, or nothing but a redirection stands there."""
    for redirect in call.redirects:
        target = redirect.target
        if not redirect.writes or target in FINE or target[:5] == "/tmp/":
            continue
        if not call.words or call.program in (":", "true", "cat") or call.args[-1:] in ([], [""], ["-n"]):
            return " protected_write truncate_file"
        if target[:1] in PLACES or "/." in target or (call.cwd and ("/." in call.cwd or call.cwd[:4] == "/etc")):
            return " protected_write"
    return ""


def in_order(findings: list[Finding]) -> list[Finding]:
    """Deny before ask, and each rule once with the strictest it said."""
    told: dict[str, Finding] = {}
    for verdict in ("deny", "ask"):
        for finding in findings:
            if finding.verdict == verdict:
                told.setdefault(finding.rule, finding)
    return list(told.values())
