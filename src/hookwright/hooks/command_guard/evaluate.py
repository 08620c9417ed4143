"""Runs the rules over a parsed command.

policy, explain → [judge: rule_index.select_rules → rules/<name>.check] → findings, strictest first
Rules are imported by name when a call needs them; most commands import none.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.live_keys import MARKS
from hookwright.hooks.command_guard.rule_api import SHARED_BRANCHES, Scene, ask, quote_word, quote_words, sort_findings
from hookwright.hooks.command_guard.rule_index import select_rules
from hookwright.hooks.command_guard.secret_paths import may_name_secret
from hookwright.shell.call import TOO_DEEP
from hookwright.shell.command import Command, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import SessionView
    from hookwright.hooks.command_guard.rule_api import Finding
    from hookwright.shell.command import Call

KEY_WRITERS = frozenset(("git", "tee", "sed", "gsed", "perl"))
REMOTES = frozenset(("ssh", "docker", "podman", "nerdctl", "kubectl", "oc"))
FINDERS = frozenset(("find", "gfind"))
TERMINAL = ("-it", "-ti", "-i", "-t")  # options for a person at the screen
MAX_DEPTH = 4  # of commands inside the text of commands: `sh -c "python -c \"os.system('…')\""`


def judge(
    command: Command,
    project: str = "",
    branches: Sequence[str] = SHARED_BRANCHES,
    off: Collection[str] = (),
    passed: list[tuple[str, Call]] | None = None,
    env: Callable[[str], str | None] | None = None,
    session: SessionView | None = None,
) -> list[Finding]:
    """The findings of the rules on a command: strictest first, each rule once.

    `project` is its folder, `branches` are those that others build on, `off` are ids of rules that are switched off,
    `passed` collects the rules that checked a call and let it pass, `env` gives the value of a variable,
    `session` knows what the session made itself.
    """
    scene = Scene(command, project, branches, evaluate_text, env)
    scene.session = session
    return sort_findings(run_rules(scene, off, passed))


def run_rules(scene: Scene, off: Collection[str] = (), passed: list[tuple[str, Call]] | None = None) -> list[Finding]:
    """Every finding on every call of the scene's command."""
    command = scene.command
    findings: list[Finding] = []
    text = command.text if command.scripts is None else "\n".join([command.text, *(c.text for c in command.calls)])
    secrets = may_name_secret(text)
    keys = any(mark in text for mark in MARKS)
    for call in command.calls:
        names = select_rules(call, text, secrets=secrets)
        if keys and (call.redirects or call.program in KEY_WRITERS):
            names += " live_key_written"
        if not names or "function" in call.place.branch or asks_for_help(call):
            continue  # the body of a function that nothing calls does not run, and --help only prints
        for name in names.split():
            rule = load_rule(name)
            finding = rule.check(call, scene)
            if finding is None:
                if passed is not None:
                    passed.append((rule.ID, call))
                continue
            finding.rule = finding.rule or rule.ID
            finding.call = finding.call or call
            if call.place.remote is not None:
                finding.instead = place_suggestion(call, finding.instead)
            if finding.rule not in off:
                findings.append(finding)
    if command.problem is not None:
        load_rule("unreadable").soften(scene, findings, off)
    return findings


def asks_for_help(call: Call) -> bool:
    """Whether it only prints its help; `--help` as a name that find looks for, or after `--`, is none."""
    words = call.words
    return (
        "--help" in words
        and call.program not in FINDERS
        and ("--" not in words or list(words).index(Word("--help")) < list(words).index(Word("--")))
    )


def place_suggestion(call: Call, text: str) -> str:
    """The suggestion, to be run where the call would run: on the other machine, in the container."""
    outer = call.place.outer
    while outer is not None and outer.program not in REMOTES:
        outer = outer.place.outer
    if outer is None or not text or text.startswith(f"{outer.program} ") or not outer.literal:
        return text
    kind, name = call.place.remote or ("", "")
    words = list(outer.words)
    if name not in words or (outer.program != "ssh" and "exec" not in words):
        return text
    head = quote_words([word for word in words[: words.index(Word(name)) + 1] if word not in TERMINAL])
    if kind == "ssh":
        return f"{head} {quote_word(text)}"
    return f"{head}{' --' if outer.program in ('kubectl', 'oc') else ''} {text}" if "|" not in text else text


def evaluate_text(text: str, cwd: str | None, outer: Scene) -> Finding | None:
    """The strictest finding on a command whose text stands inside of another one; see Scene.evaluate_text."""
    if outer.depth >= MAX_DEPTH:
        return ask(f"its commands are {TOO_DEEP} to be read", "")
    command = Command(text, cwd=cwd or ".", home=outer.home)
    inner = Scene(command, outer.project, outer.branches, evaluate_text, outer.env)
    inner.depth = outer.depth + 1
    inner.session = outer.session
    found = sort_findings(run_rules(inner))
    return found[0] if found else None


def load_rule(name: str) -> Any:
    """The module of a rule, by its name."""
    return __import__("hookwright.hooks.command_guard.rules." + name, None, None, ("check",))
