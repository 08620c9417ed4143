"""What the guard stops: one pattern a file, reached by the name of the program that is called.

Command → [judge: index.py → the rules for the programs that occur] → findings, strictest first
Deny is for what the literal words prove, ask for what is dynamic or uncertain; nothing here ever approves.

A rule is a module with `ID`, `EXAMPLES` (command → "deny", "ask" or None; they are its tests and its page in the docs)
and `check(call, scene)`, which looks at one call. `paths.py` tells what a path is, `protected.py` which files matter.
"""

from __future__ import annotations

from hookwright.rules.index import INDEX

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from hookwright.shell.command import Call, Command

# Branches that others build on; a forced push to one of them erases their work.
SHARED = ("main", "master", "trunk", "develop", "development", "production", "release", "staging")

# What is looked at whatever the program: a file written in a place that matters, prose that runs, …
FINE = ("/dev/null", "/dev/stderr", "/dev/stdout", "/dev/tty")
PLACES = frozenset("/~.")  # a target that begins so may lie outside of the project, or be hidden
SPOKEN = frozenset(("git", "gh", "glab", "hub"))  # their texts are prose
CARRYING = frozenset(
    (
        "PAGER GIT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_EXTERNAL_DIFF SHELL BROWSER"
    ).split()
)  # variables that hold a command
# What prints a file, and what sends one away: looked at where the command speaks of something secret.
SECRET_RULES = {
    **dict.fromkeys("cat bat less more head tail grep egrep rg strings xxd od nl".split(), " secret_read"),
    **dict.fromkeys(
        "curl wget http https xh scp sftp rsync ssh nc ncat netcat socat telnet ftp mail dig aws gsutil gh".split(),
        " credentials_sent",
    ),
}
SECRETS = ("env", "id_", "credential", "secret", ".ssh", "shadow", "netrc", ".pgpass", ".pem", ".key", ".aws", ".kube",
           ".gnupg", "declare", "security", "pass")  # fmt: skip
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+~{}")


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

    __slots__ = ("branches", "command", "home", "project")

    def __init__(self, command: Command, project: str = "", branches: Sequence[str] = SHARED) -> None:
        self.command = command
        self.home = command.home
        self.project = project or (command.cwd if command.cwd[:1] == "/" else "")
        self.branches = branches


def judge(
    command: Command,
    project: str = "",
    branches: Sequence[str] = SHARED,
    off: Collection[str] = (),
    looked: list[tuple[str, Call]] | None = None,
) -> list[Finding]:
    """What the rules say about a command, strictest first, each rule once; empty when there is nothing to say.

    `off`: rules that are switched off. `looked`: gathers the rules that looked at a call and let it pass.
    """
    findings: list[Finding] = []
    scene = None
    for call in command.calls:
        names = needed(call, command.text)
        if not names or "function" in call.place.branch:
            continue  # the body of a function that nothing calls does not run
        if scene is None:
            scene = Scene(command, project, branches)
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
        load("unreadable").soften(command, findings, off)
    return in_order(findings) if len(findings) > 1 else findings


def needed(call: Call, text: str) -> str:
    """The rules that have to look at this call, separated by blanks; "" for almost every call."""
    words = call.words
    if not words:
        return written(call)
    program = call.program
    names: Any = INDEX.get(program)
    if names is None:
        names = INDEX.get(program.rstrip("0123456789."), "") if program[-1:].isdigit() else ""  # python3.12
    if names.__class__ is dict:
        names = by_operand(call, names)
    if call.redirects:
        names += written(call)
    place = call.place
    if place.substitution and place.quoted and place.owner is not None and place.owner.program in SPOKEN:
        names += " message_substitution"
    if place.function and place.function == program:
        names += " fork_bomb"
    if not words[0].literal:
        names += " dynamic_program"
    if call.env and not CARRYING.isdisjoint(call.env):
        names += " carried_text"
    secret = SECRET_RULES.get(program)
    if secret is not None and any(mark in text for mark in SECRETS):
        names += secret
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
        if not call.words or call.program in (":", "true", "cat"):
            return " protected_write truncate_file"
        if target[:1] in PLACES or "/." in target:
            return " protected_write"
    return ""


def load(name: str) -> Any:
    return __import__("hookwright.rules." + name, None, None, ("check",))


def in_order(findings: list[Finding]) -> list[Finding]:
    """Deny before ask, and each rule once with the strictest it said."""
    told: dict[str, Finding] = {}
    for verdict in ("deny", "ask"):
        for finding in findings:
            if finding.verdict == verdict:
                told.setdefault(finding.rule, finding)
    return list(told.values())


def operand(call: Call, index: int) -> str:
    """One operand, 0 is the verb; "" where there are not so many."""
    operands = call.operands()
    return operands[index] if index < len(operands) else ""


def shown(call: Call) -> str:
    """The call as a reason quotes it."""
    text = call.text
    return text if len(text) <= 100 else text[:97] + "…"


def quoted(word: str) -> str:
    """The word as one writes it in a command."""
    if PLAIN.issuperset(word) or (getattr(word, "glob", False) and PLAIN.issuperset(word.replace("*", ""))):
        return str(word)
    return "'" + word.replace("'", "'\\''") + "'"
