"""How long will a command keep the foreground? The longest of its foreground calls decides.

Command → [judge: each call by its family, then by where it stands] → ("force" | "suggest" | "none", evidence)
force: surely long, endless, or waiting for a person. suggest: may well take more than half a minute. What is only
mentioned, runs in the background by itself, is bounded or only asks is quick. A command that could not be read to
its end is judged by what was read.
"""

from __future__ import annotations

from hookwright.shell.families import KNOWN
from hookwright.shell.programs import behind, row_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from hookwright.shell.command import Call, Command
    from hookwright.shell.programs import Row

    # One of a user's [[background.rules]]: program, subcommand, flags, class.
    Rules = Sequence[Mapping[str, Any]]

BRIEF_S = 30.0  # seconds from which on waiting is worth leaving the foreground
OFTEN = 3  # turns of a loop that make a perhaps long call a surely long one
SHOWN = 60  # characters of a call in the evidence

# Words that make any program only ask.
ASKING = frozenset(
    (
        "--help --version --dry-run --dryrun --dry_run --usage -help -version --list --list-tests --collect-only "
        "--show-config --print-config --syntax-check --status --stop --list-targets --list-tasks"
    ).split()
)
# The verdict of a class that a user's own rule names.
CLASSES = {
    "quick": "none",
    "suggest": "suggest",
    "force": "force",
    **dict.fromkeys("install build server watch follow terminal wait job infra".split(), "force"),
    **dict.fromkeys("test check download transfer container database script vcs".split(), "suggest"),
}
# With one of these as its first word a program that does things only tells; a client or an editor takes it for a name.
TELLING = frozenset("version help status list info doctor stop whoami logout completion".split())
WATCHED = frozenset("build test check".split())
DOING = frozenset("server watch build test install infra container job check script download".split())
# Quick in a project, long from the root.
SEARCHES = frozenset("grep egrep fgrep rg ag ack locate tree chmod chown".split())
# Under these a program takes ten to a hundred times as long.
SLOWING = frozenset("valgrind rr qemu-x86_64 qemu-aarch64 qemu-arm".split())
# Behind these a call never runs: `true || npm ci`.
NEVER = {"||": (":", "true"), "&&": ("false",)}
# What these do may be skipped: after `||` or in an `if` they are only likely.
SKIPPABLE = frozenset("install build test download vcs job infra transfer".split())
# Programs that run tasks of the project, and tools that are quick for certain.
TASKS = frozenset(
    "npm pnpm yarn bun make gmake just tox nox poe task pdm hatch composer rake deno pipenv rye pixi".split()
)
PLAIN = frozenset(
    (
        "echo printf true false : exit test [ rm cp mv mkdir rmdir touch ln cat ls pwd cd export set unset sed awk "
        "grep egrep head wc sort uniq cut tr chmod which type command env date basename dirname rimraf cpy cpx "
        "del-cli mkdirp shx kill pkill open xdg-open prettier husky is-ci ruff black isort gofmt stylua shfmt biome "
        "oxlint shellcheck yamllint flake8 pycodestyle"
    ).split()
)
RANK = {"none": 0, "suggest": 1, "force": 2}


class Judgement:
    """One call: how long it keeps the foreground, which kind of work it is, and the evidence in words."""

    __slots__ = ("call", "evidence", "verdict", "work")

    def __init__(self, call: Call, verdict: str, work: str, evidence: str) -> None:
        self.call = call
        self.verdict = verdict
        self.work = work  # install, build, test, server, …; '' for plain tools
        self.evidence = evidence  # follows the call: "installs packages"

    @property
    def class_(self) -> str:
        """The kind of work of what is flagged; quick for all others."""
        return self.work if self.verdict != "none" else "quick"

    @property
    def reason(self) -> str:
        """The evidence as a sentence with its subject."""
        return f"{shown(self.call)} {self.evidence}"


def judge(command: Command, rules: Rules = ()) -> tuple[str, str]:
    """The verdict on a whole command, and the evidence in words."""
    found = longest(command, rules)
    return (found.verdict, found.reason) if found is not None else ("none", "")


def longest_in(text: str, cwd: str, home: str = "", rules: Rules = ()) -> tuple[Command, Judgement | None]:
    """The command and its longest call; the project's files are asked only where the name of a task decides."""
    from hookwright.shell.shared import read

    command = read(text, cwd, home)
    found = longest(command, rules)
    if found is not None and found.verdict == "force" and not (found.call.program in TASKS and found.work != "install"):
        return command, found
    for call in command.calls:
        if call.program in TASKS:
            command = read(text, cwd, home, scripts=True)
            return command, longest(command, rules)
    return command, found


def longest(command: Command, rules: Rules = ()) -> Judgement | None:
    """The call that keeps the foreground longest; None when all are quick."""
    best: Judgement | None = None
    behind: Judgement | None = None  # started with `&`, so far not waited for
    waits = False
    passed: Sequence[Call] = ()  # what runs inside a task that is quick by its name
    before = ""
    for call in command.calls:
        place = call.place
        program = call.program
        skipped = NEVER.get(call.joiner)
        if skipped is not None and before in skipped:
            continue
        before = program
        if place.loop is not None or program == "sleep":
            waits = True
        if behind is not None:
            if program == "wait" and not place.background and (best is None or best.verdict != "force"):
                best = behind
            elif program in {"kill", "pkill", "killall"}:
                behind = None
        if passed and any(call is one for one in passed):
            continue
        row = of(call, rules)
        if call.inner and program in TASKS:
            row = of_task(call, row, rules)
            if row is None and is_quiet(call):
                passed = call.inner
        if row is None:
            continue
        if place.background:
            behind = (
                Judgement(call, str(row[0]), row[1], row[2] + ", and is waited for") if row[0] != "none" else behind
            )
            continue
        verdict, work, evidence = here(call, row)
        if verdict == "none" or (best is not None and RANK[best.verdict] >= RANK[verdict]):
            continue
        best = Judgement(call, verdict, work, evidence)
        if verdict == "force":
            return best
    if waits:
        from hookwright.shell.waits import waited

        found = waited(command.calls)
        if found is not None and (best is None or RANK[found.verdict] > RANK[best.verdict]):
            return found
    return best


def judgements(command: Command, rules: Rules = ()) -> list[Judgement]:
    """What is known of every call, quick ones included; for people who ask why."""
    found = []
    passed: Sequence[Call] = ()
    for call in command.calls:
        row = of(call, rules)
        if call.inner and call.program in TASKS:
            row = of_task(call, row, rules)
            if row is None and is_quiet(call):
                passed = call.inner
        verdict, work, evidence = here(call, row) if row is not None else ("none", "", "")
        if verdict != "none" and any(call is one for one in passed):
            verdict, evidence = "none", "is in a task that is quick by its name"
        found.append(Judgement(call, verdict, work, evidence))
    if any(call.program == "sleep" or call.place.loop is not None for call in command.calls):
        from hookwright.shell.waits import noted

        noted(found)
    return found


def of(call: Call, rules: Rules = ()) -> Row | None:
    """What the user's rules or the call's family say, by its words alone."""
    if rules:
        row = by_rule(call, rules)
        if row is not None:
            return row
    if not call.words:
        return None
    row = row_of(call)
    if row is not None and row[0] != "none" and row[1] in DOING and call.verb in TELLING:
        return "none", row[1], "only tells"
    if row is not None and row[0] == "suggest" and row[1] in WATCHED and "--watch" in call.words:
        return "force", "watch", "watches for changes"
    if row is None and ("/" in call.words[0] or call.wrappers) and not KNOWN[call.program]:
        from hookwright.shell.programs.scripts import own

        row = own(call)
    if row is None and stays(call):
        return "force", "follow", "goes on until somebody stops it"
    if row is None and call.program in SEARCHES and "/" in call.words:
        return "suggest", "job", "searches a whole disk"
    if row is None and call.wrappers and call.wrappers[0].program == "nix":
        return "suggest", "build", "may build its environment first"
    if call.wrappers and any(wrapper.program in SLOWING for wrapper in call.wrappers):
        long = row is not None and row[0] != "none"
        return "force" if long else "suggest", "check", "runs many times slower"
    return row


def stays(call: Call) -> bool:
    """`nomad alloc logs -f`, `x status --watch`: a flag that means the same with every verb of a known program."""
    words = call.words
    if KNOWN[call.program] in {"", "vcs", "scripts"}:
        return False
    if "--watch" in words:
        return True
    return not {"-f", "--follow"}.isdisjoint(behind(call, "logs"))


def of_task(call: Call, row: Row | None, rules: Rules) -> Row | None:
    """A task's name is only a hint where the project tells what it runs: if all of that is quick, the task is."""
    if row is None or row[0] == "none":
        return row
    for inner in call.inner:
        found = of(inner, rules)
        if (found is not None and found[0] != "none") or not is_plain(inner):
            return row
    return "none", row[1], "runs only what is quick"


def is_plain(call: Call) -> bool:
    """Whether it is known to be quick, and not just unknown."""
    family = KNOWN.get(call.program)
    return call.program in PLAIN if not family else family != "scripts"


def is_quiet(call: Call) -> bool:
    """`npm run lint`, `make clean`: quick by name, whatever they run."""
    from hookwright.shell.programs.names import QUIET

    return any(word in QUIET for word in call.operands()[:2])


def by_rule(call: Call, rules: Rules) -> Row | None:
    """The first of the user's rules that fits."""
    for rule in rules:
        if rule["program"] != call.program:
            continue
        verbs = rule["subcommand"].split()
        if verbs and [str(word) for word in call.operands()[: len(verbs)]] != verbs:
            continue
        if all(call.has_flag(flag) for flag in rule["flags"]):
            class_ = rule["class"]
            return CLASSES[class_], class_ if class_ not in RANK else "script", "is " + class_ + " by your own rule"
    return None


def here(call: Call, row: Row) -> tuple[str, str, str]:
    """A family's row, seen from where the call stands."""
    verdict, work, evidence = row
    if verdict == "none":
        return verdict, work, evidence
    place = call.place
    if asks(call) and not (work == "check" and "--dry-run" in call.words):
        return "none", work, "only asks"
    if place.background or leaves(call):
        return "none", work, "runs in the background by itself"
    limit = call.timeout_s
    if limit is not None and limit <= BRIEF_S:
        return "none", work, f"is bounded by timeout {limit:g} s"
    if "function" in place.branch:
        return "none", work, "is only defined, not called"
    if verdict.__class__ is float:
        seconds = float(verdict) * call.times
        if seconds >= BRIEF_S:
            return "force", work, evidence
        return "none", work, evidence
    if work in SKIPPABLE and verdict == "force" and not {"||", "if", "else", "case"}.isdisjoint(place.branch):
        return "suggest", work, evidence + ", if it runs at all"
    if verdict == "suggest" and place.loop is not None:
        turns = max(call.times, (place.loop.count or 0) if place.loop.unrolled else 0)
        if OFTEN <= turns < float("inf"):
            return "force", work, f"{evidence}, {turns:g} times"
    return str(verdict), work, evidence


def asks(call: Call) -> bool:
    """--help, --version, --dry-run; -h or -V at the end; -v alone."""
    words = call.words
    last = words[-1]
    if last in {"-h", "-V"} or (last == "-v" and len(words) == 2 and call.program != "mosquitto"):
        return True
    if not ASKING.isdisjoint(words):
        return True
    return any(word[:10] == "--dry-run=" and word[10:] not in {"none", "false"} for word in words)


def leaves(call: Call) -> bool:
    """Wrappers that send what they run to the background."""
    outer = call.outer
    while outer is not None:
        program = outer.program
        if program in {"at", "batch"} or (program == "ssh" and outer.words[1][:1] == "-" and "f" in outer.words[1]):
            return True
        if program in {"kubectl", "oc"} and outer.verb == "run":
            return not any(word[:2] == "-i" or word in {"--attach", "--rm", "--stdin", "-ti"} for word in outer.words)
        if program == "tmux" and outer.verb not in {"new", "new-session"}:
            return True  # a new window or pane; tmux itself returns at once
        outer = outer.outer
    for wrapper in call.wrappers:
        program = wrapper.program
        if program == "systemd-run":
            return not wrapper.has_flag("--wait", "--pty", "-t", "-P", "--pipe", "--scope")
        if (program == "setsid" and wrapper.has_flag("-f", "--fork")) or (program == "sudo" and wrapper.has_flag("-b")):
            return True
    return False


def shown(call: Call) -> str:
    """The call as a reader recognises it, with the task that runs it."""
    text = quoted(call)
    outer = call.outer
    if outer is not None and outer.program in TASKS and not call.remote:
        return f"{text} (in {quoted(outer)})"
    return text


def quoted(call: Call) -> str:
    text = " ".join(call.text.split())
    return f"`{text}`" if len(text) <= SHOWN else f"`{text[: SHOWN - 1]}…`"
