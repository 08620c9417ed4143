"""Classifies how long a command keeps the foreground: its longest foreground call decides.

Command → [classify_duration: each call by its family, then by its context] → ("force" | "suggest" | "none", evidence)
force: surely long, endless, or waiting for a person. suggest: may well take more than half a minute. A call that runs
in the background by itself, is bounded by a timeout or only asks for help is quick. A command that could not be parsed
to its end is classified by the part that was.
"""

from __future__ import annotations

from hookwright.shell.families import KNOWN
from hookwright.shell.programs import BRIEF_S, args_after, row_of, runs_detached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from hookwright.shell.call import Call
    from hookwright.shell.command import Command
    from hookwright.shell.programs import Row

    # One of a user's [[auto_background.rules]]: program, subcommand, flags, class.
    Rules = Sequence[Mapping[str, Any]]

MANY_ITERATIONS = 3  # in a loop of so many, a call that may be long is surely long
MAX_CALL_CHARS = 60  # of a call in the evidence

# With one of these any program only prints or plans something.
QUERY_FLAGS = frozenset(
    (
        "--help --version --dry-run --dryrun --dry_run --usage -help -version --list --list-tests --collect-only "
        "--show-config --print-config --syntax-check --status --stop --list-targets --list-tasks --listTests "
        "--list-files --list-files-only --listFilesOnly --showConfig --collectOnly --generate-config "
        "--generate-default-config --init-config --create-config --write-config --write-default-config --dump-config "
        "--check-config --test-config --validate-config --configtest --help-all --show-config-json --print-settings "
        "--list-presets --list-devices --list-extensions --list-plugins --list-rules --list-suites --list-browsers "
        "--print-help --print-version --show-bin-path --describe-config --list-models --list-scripts "
        "--list-profiles --show-targets"
    ).split()
)
# The verdict of each class that a user's rule may name.
CLASSES = {
    "quick": "none",
    "suggest": "suggest",
    "force": "force",
    **dict.fromkeys("install build server watch follow terminal wait job infra".split(), "force"),
    **dict.fromkeys("test check download transfer container database script vcs".split(), "suggest"),
}
# As the first operand of a program that does work these only print something; to a client or an editor they are names.
QUERY_VERBS = frozenset("version help status list info doctor stop whoami logout completion".split())
# After the noun they end, ask or restart what already runs: `node cli.js server stop`, `./server.sh status`.
CONTROL_VERBS = frozenset(
    "stop status restart list ls kill reload info version help health healthcheck logs-path pid down shutdown "
    "disable enable uninstall unregister register clear reset describe show get delete remove rm ps whoami doctor "
    "validate check config configtest quit".split()
)
WATCHABLE_WORK = frozenset("build test check".split())
STAYING_WORK = frozenset("server watch".split())
ENDLESS_WORK = frozenset("server watch follow wait terminal".split())
OWN_RULE = " by your own rule"  # ends the evidence of a rule in the user's configuration
ENDLESS_WORDS = ("not end", "without end", "stays", " stay", "keeps", "for ever", "trains ", "until it is stopped")
ACTIVE_WORK = frozenset("server watch build test install infra container job check script download".split())
# Quick in a project, long from the root folder.
SEARCHES = frozenset("grep egrep fgrep rg ag ack locate tree chmod chown".split())
# Under these a program runs ten to a hundred times slower.
SLOW_WRAPPERS = frozenset("valgrind rr qemu-x86_64 qemu-aarch64 qemu-arm".split())
# After one of these, joined so, a call never runs: `true || npm ci`.
NEVER_AFTER = {"||": (":", "true"), "&&": ("false",)}
# Work that may be skipped: after `||` or in an `if` it is only likely.
SKIPPABLE = frozenset("install build test download vcs job infra transfer".split())
# Programs that run project tasks, and tools that are surely quick.
TASK_RUNNERS = frozenset(
    "npm pnpm yarn bun make gmake just tox nox poe task pdm hatch composer rake deno pipenv rye pixi".split()
)
QUICK_PROGRAMS = frozenset(
    (
        "echo printf true false : exit test [ rm cp mv mkdir rmdir touch ln cat ls pwd cd export set unset sed awk "
        "grep egrep head wc sort uniq cut tr chmod which type command env date basename dirname rimraf cpy cpx "
        "del-cli mkdirp shx kill pkill open xdg-open prettier husky is-ci ruff black isort gofmt stylua shfmt biome "
        "oxlint shellcheck yamllint flake8 pycodestyle"
    ).split()
)
RANK = {"none": 0, "suggest": 1, "force": 2}


class CallClass:
    """The classification of one call: verdict, kind of work, and evidence in words."""

    __slots__ = ("call", "evidence", "verdict", "work")

    def __init__(self, call: Call, verdict: str, work: str, evidence: str) -> None:
        self.call = call
        self.verdict = verdict
        self.work = work  # install, build, test, server, …; '' for plain tools
        self.evidence = evidence  # why, as a predicate: "installs packages"

    @property
    def class_(self) -> str:
        """The kind of work of a long call; 'quick' for all others."""
        return self.work if self.verdict != "none" else "quick"

    @property
    def reason(self) -> str:
        """The evidence as a sentence with its subject."""
        return f"{format_call(self.call)} {self.evidence}"


def classify_duration(command: Command, rules: Rules = ()) -> tuple[str, str]:
    """The verdict on a whole command, and the evidence in words."""
    found = find_longest(command, rules)
    return (found.verdict, found.reason) if found is not None else ("none", "")


def find_longest_in_text(text: str, cwd: str, home: str = "", rules: Rules = ()) -> tuple[Command, CallClass | None]:
    """The command and its longest call; the project's files are read only where a task's name would decide."""
    from hookwright.shell.command import parse_cached

    command = parse_cached(text, cwd, home)
    found = find_longest(command, rules)
    if (
        found is not None
        and found.verdict == "force"
        and not (found.call.program in TASK_RUNNERS and found.work != "install")
    ):
        return command, found
    for call in command.calls:
        if call.program in TASK_RUNNERS:
            command = parse_cached(text, cwd, home, scripts=True)
            return command, find_longest(command, rules)
    return command, found


def find_longest(command: Command, rules: Rules = ()) -> CallClass | None:
    """The call that keeps the foreground longest; None when all are quick."""
    best: CallClass | None = None
    behind: CallClass | None = None  # started with `&`, not yet waited for
    waits = False
    passed: Sequence[Call] = ()  # the calls of a task that is quick by its name
    before = ""
    for call in command.calls:
        place = call.place
        program = call.program
        skipped = NEVER_AFTER.get(call.joiner)
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
        row = classify_call(call, rules)
        if call.inner and program in TASK_RUNNERS:
            row = classify_task(call, row, rules)
            if row is None and is_quiet(call):
                passed = call.inner
        if row is None:
            continue
        if place.background:
            behind = (
                CallClass(call, str(row[0]), row[1], row[2] + ", and is waited for") if row[0] != "none" else behind
            )
            continue
        verdict, work, evidence = adjust_to_context(call, row)
        if verdict == "none" or (best is not None and RANK[best.verdict] >= RANK[verdict]):
            continue
        best = CallClass(call, verdict, work, evidence)
        if verdict == "force":
            return best
    if waits:
        from hookwright.shell.sleeps_and_loops import classify_waits

        found = classify_waits(command.calls)
        if found is not None and (best is None or RANK[found[1]] > RANK[best.verdict]):
            return CallClass(*found)
    return best


def list_classifications(command: Command, rules: Rules = ()) -> list[CallClass]:
    """The classification of every call, quick ones included; for `explain`."""
    found = []
    passed: Sequence[Call] = ()
    for call in command.calls:
        row = classify_call(call, rules)
        if call.inner and call.program in TASK_RUNNERS:
            row = classify_task(call, row, rules)
            if row is None and is_quiet(call):
                passed = call.inner
        verdict, work, evidence = adjust_to_context(call, row) if row is not None else ("none", "", "")
        if verdict != "none" and any(call is one for one in passed):
            verdict, evidence = "none", "is in a task that is quick by its name"
        found.append(CallClass(call, verdict, work, evidence))
    if any(call.program == "sleep" or call.place.loop is not None for call in command.calls):
        add_waits(found)
    return found


def add_waits(classifications: list[CallClass]) -> None:
    """Add what is known of sleeps and loops to the classifications of the calls that they are about."""
    from hookwright.shell.sleeps_and_loops import classify_waits, format_seconds, sleep_seconds

    found = classify_waits([classification.call for classification in classifications])
    for classification in classifications:
        call = classification.call
        if call.program == "sleep" and not classification.evidence:
            classification.work = "sleep"
            classification.evidence = "sleeps " + format_seconds(sleep_seconds(call) * call.times)
        if found is not None and call is found[0]:
            _, classification.verdict, classification.work, classification.evidence = found


def classify_call(call: Call, rules: Rules = ()) -> Row | None:
    """The row of a call by the user's rules or its family, context not considered."""
    if rules:
        row = match_user_rule(call, rules)
        if row is not None:
            return row
    if not call.words:
        return None
    row = row_of(call)
    if row is not None and row[0] != "none" and row[1] in ACTIVE_WORK and call.verb in QUERY_VERBS:
        return "none", row[1], "only tells"
    if row is not None and row[0] == "suggest" and row[1] in WATCHABLE_WORK and "--watch" in call.words:
        return "force", "watch", "watches for changes"
    if row is None and ("/" in call.words[0] or call.wrappers) and not KNOWN[call.program]:
        from hookwright.shell.programs.interpreters import classify_own_program

        row = classify_own_program(call)
    if row is not None and row[0] == "force" and row[1] in STAYING_WORK and controls_something(call):
        return "none", row[1], "controls what already runs"
    if row is None and has_follow_flag(call):
        return "force", "follow", "runs until it is stopped"
    if row is None and call.program in SEARCHES and "/" in call.words:
        return "suggest", "job", "searches a whole disk"
    if row is None and call.wrappers and call.wrappers[0].program == "nix":
        return "suggest", "build", "may build its environment first"
    if call.wrappers and any(wrapper.program in SLOW_WRAPPERS for wrapper in call.wrappers):
        long = row is not None and row[0] != "none"
        return "force" if long else "suggest", "check", "runs many times slower"
    return row


def controls_something(call: Call) -> bool:
    """Whether a verb after the name of the script or task ends or asks: `cli.js server stop`, `bin/server status`.

    The words after a free operand are that operand's: `docker compose up status` starts a service of this name.
    """
    family = KNOWN.get(call.program) or ""
    operands = call.operands()
    if family in {"interpreters", "node", "builds"}:
        operands = operands[1:]  # the script's or the task's own name
    elif family or call.program in TASK_RUNNERS:
        return False  # the families know their verbs
    return any(word in CONTROL_VERBS for word in operands[:2])


def has_follow_flag(call: Call) -> bool:
    """`nomad alloc logs -f`, `x status --watch`: flags that mean the same for every known program."""
    words = call.words
    if KNOWN[call.program] in {"", "vcs", "scripts"}:
        return False
    if "--watch" in words:
        return True
    return not {"-f", "--follow"}.isdisjoint(args_after(call, "logs"))


def classify_task(call: Call, row: Row | None, rules: Rules) -> Row | None:
    """The row of a task whose commands are known: if all of them are quick, so is the task, whatever its name."""
    if row is None or row[0] == "none":
        return row
    for inner in call.inner:
        found = classify_call(inner, rules)
        if (found is not None and found[0] != "none") or not is_plain(inner):
            return row
    return "none", row[1], "runs only what is quick"


def is_plain(call: Call) -> bool:
    """Whether it is known to be quick, not merely unknown."""
    family = KNOWN.get(call.program)
    return call.program in QUICK_PROGRAMS if not family else family != "scripts"


def is_quiet(call: Call) -> bool:
    """`npm run lint`, `make clean`: quick by name, whatever they run."""
    from hookwright.shell.programs.name_hints import QUIET, holds_any

    return holds_any(QUIET, [word for word in call.operands()[:2] if " " not in word])


def match_user_rule(call: Call, rules: Rules) -> Row | None:
    """The row of the first user rule that matches."""
    for rule in rules:
        if rule["program"] != call.program:
            continue
        verbs = rule["subcommand"].split()
        if verbs and [str(word) for word in call.operands()[: len(verbs)]] != verbs:
            continue
        if all(call.has_flag(flag) for flag in rule["flags"]):
            class_ = rule["class"]
            return CLASSES[class_], class_ if class_ not in RANK else "script", "is " + class_ + OWN_RULE
    return None


def adjust_to_context(call: Call, row: Row) -> tuple[str, str, str]:
    """Verdict, kind of work and evidence of a row, adjusted to background, timeout, branches and loops."""
    verdict, work, evidence = row
    if verdict == "none":
        return verdict, work, evidence
    place = call.place
    if is_help_or_dry_run(call) and not (work == "check" and "--dry-run" in call.words):
        return "none", work, "only asks"
    if place.background or runs_detached(call):
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
        if MANY_ITERATIONS <= turns < float("inf"):
            return "force", work, f"{evidence}, {turns:g} times"
    return str(verdict), work, evidence


def limit_by_name(found: CallClass, by_name: str) -> str:
    """The verdict that the option `by_name` (seed, endless, never) leaves of one that rests on a name."""
    if found.verdict != "force" or by_name == "seed" or is_own_rule(found.evidence):
        return found.verdict
    if by_name == "endless" and never_ends(found.work, found.evidence):
        return found.verdict
    return "none" if found.work == "sleep" else "suggest"


def is_own_rule(evidence: str) -> bool:
    """Whether the verdict is that of a rule in the user's configuration."""
    return evidence.endswith(OWN_RULE)


def never_ends(work: str, evidence: str) -> bool:
    """Whether this is work that does not end by itself, or only after hours: servers, watchers, loops, training."""
    if any(words in evidence for words in ENDLESS_WORDS):
        return True
    return work in ENDLESS_WORK and evidence[-2:] != " s"  # `ping -c 60` says how long it takes


def is_help_or_dry_run(call: Call) -> bool:
    """--help, --version, --dry-run; -h or -V at the end; -v alone."""
    words = call.words
    last = words[-1]
    if last in {"-h", "-V"} or (last == "-v" and len(words) == 2 and call.program != "mosquitto"):
        return True
    if not QUERY_FLAGS.isdisjoint(words):
        return True
    return any(word[:10] == "--dry-run=" and word[10:] not in {"none", "false"} for word in words)


def format_call(call: Call) -> str:
    """The call in backticks, with the task that runs it."""
    text = quote_call(call)
    outer = call.outer
    if outer is not None and outer.program in TASK_RUNNERS and not call.remote:
        return f"{text} (in {quote_call(outer)})"
    return text


def quote_call(call: Call) -> str:
    text = " ".join(call.text.split())
    return f"`{text}`" if len(text) <= MAX_CALL_CHARS else f"`{text[: MAX_CALL_CHARS - 1]}…`"
