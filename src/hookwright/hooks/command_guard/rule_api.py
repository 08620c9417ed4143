"""The API for rules: the verbs `deny` and `ask`, the scene around a call, and helpers to read and quote it.

evaluate → rules/<name>.check(call, scene) → [deny(…) | ask(…) | None]
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookwright.hooks.command_guard.guard_settings import SessionView
    from hookwright.shell.command import Call, Command

# Branches that others build on; a forced push to one of them erases their work.
SHARED_BRANCHES = ("main", "master", "trunk", "develop", "development", "production", "release", "staging")
PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=,@%+~{}")
# Variables whose value is run as a command.
CARRYING = frozenset(
    (
        "PAGER GIT_PAGER EDITOR VISUAL GIT_EDITOR GIT_SEQUENCE_EDITOR GIT_SSH_COMMAND GIT_EXTERNAL_DIFF SHELL BROWSER "
        "PROMPT_COMMAND"
    ).split()
)


class Finding:
    """The finding of one rule on one call."""

    __slots__ = ("advice", "call", "instead", "reason", "rule", "verdict")

    def __init__(self, verdict: str, reason: str, instead: str) -> None:
        self.verdict = verdict  # deny | ask
        self.reason = reason  # what was found and what it would destroy
        self.instead = instead  # a safer command, or one that only shows what is there
        self.rule = ""
        self.advice = ""  # what `instead` is good for, such as "Instead"; "" if the first words of it tell
        self.call: Call | None = None

    def __repr__(self) -> str:
        return f"Finding({self.verdict}, {self.rule}: {self.reason!r})"


def deny(reason: str, instead: str) -> Finding:
    """For what the literal words prove to be destructive."""
    return Finding("deny", reason, instead)


def ask(reason: str, instead: str) -> Finding:
    """For what may be intended, or is only known at run time: the user decides."""
    return Finding("ask", reason, instead)


class Scene:
    """What a rule may use besides the call: the whole command, the project's directory, the shared branches."""

    __slots__ = ("_evaluate_text", "branches", "command", "depth", "env", "home", "project", "session")

    def __init__(
        self,
        command: Command,
        project: str,
        branches: Sequence[str],
        evaluate_text: Callable[[str, str | None, Scene], Finding | None],
        env: Callable[[str], str | None] | None = None,
    ) -> None:
        self.command = command
        self.home = command.home
        self.project = project or (command.cwd if command.cwd[:1] == "/" else "")
        self.branches = branches
        self.env = env  # the variables that the command will see; None: not known
        self.depth = 0  # of this command inside the text of others: `python -c "os.system('…')"`
        self.session: SessionView | None = None  # what the session made itself, if that is known
        self._evaluate_text = evaluate_text  # evaluate.evaluate_text; passed in, since evaluate imports the rules

    def evaluate_text(self, text: str, cwd: str | None) -> Finding | None:
        """The strictest finding on a command whose text stands inside of this one."""
        return self._evaluate_text(text, cwd, self)


def sort_findings(findings: list[Finding]) -> list[Finding]:
    """Deny before ask, and each rule once, with its strictest finding."""
    found: dict[str, Finding] = {}
    for verdict in ("deny", "ask"):
        for finding in findings:
            if finding.verdict == verdict:
                found.setdefault(finding.rule, finding)
    return list(found.values())


def operand_at(call: Call, index: int) -> str:
    """The operand at this position (0 is the subcommand); "" if there are fewer."""
    operands = call.operands()
    return operands[index] if index < len(operands) else ""


def is_dry_run(call: Call) -> bool:
    """Whether it is a dry run, also through a task runner: `npm run deploy -- --dry-run`, `make -n deploy`."""
    if not {"--dry-run", "--dryrun", "--dry", "--version", "--noop", "--just-print"}.isdisjoint(call.args):
        return True
    return call.program in ("make", "gmake", "just") and call.has_flag("-n")


def has_piped_yes(call: Call) -> bool:
    """Whether its confirmation is answered in advance: `yes | …`, `echo y | …`."""
    if any(source.program == "yes" for source in call.producers):
        return True
    text = call.stdin_text
    return text is not None and text[:1] in ("y", "Y")


def format_call(call: Call) -> str:
    """The call as quoted in a reason, cut at 100 characters."""
    text = call.text
    return text if len(text) <= 100 else text[:97] + "…"


def quote_word(word: str) -> str:
    """The word quoted for the shell; a `~` for the home directory and wildcards stay outside of the quotes."""
    text = str(word)
    if PLAIN.issuperset(text):
        return text
    start = ""
    if getattr(word, "home", False) and text[:2] == "~/":
        start, text = "~/", text[2:]
    if not getattr(word, "glob", False):
        return start + _quote(text)
    pieces = [""]
    for c in text:
        if c in "*?[]":
            pieces += [c, ""]
        else:
            pieces[-1] += c
    return start + "".join(piece if piece in "*?[]" else _quote(piece) for piece in pieces)


def quote_words(words: Sequence[str]) -> str:
    """The words quoted for the shell, with blanks between them."""
    return " ".join([quote_word(word) for word in words])


def _quote(text: str) -> str:
    return text if PLAIN.issuperset(text) else "'" + text.replace("'", "'\\''") + "'"


def edits_in_place(call: Call) -> bool:
    """Whether `sed`, `perl` or `ruby` edits files in place: `-i`, `-i.bak`, `-Ei`, `-pi`, `--in-place`."""
    return any(word.startswith(("-i", "--in-place")) or ("i" in word and is_cluster(word)) for word in call.args)


def is_cluster(word: str) -> bool:
    return word[:1] == "-" and len(word) < 6 and word[1:].partition(".")[0].isalpha()
