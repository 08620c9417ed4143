"""What is valid and still wrong: hooks that will not do what their author thinks.

Loaded → [check] → findings, after those of the rules
One small function a check; two tables say which run. Nothing is started here but, if the caller hands in `probe`,
a shell with an empty command.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from itertools import combinations
from typing import Any

from hookwright.settings import matchers
from hookwright.settings.commands import BUILTINS, Invocation, Surroundings, invocation, is_shim, locate, shebang
from hookwright.settings.findings import Finding
from hookwright.settings.load import Loaded, Registered
from hookwright.settings.rules import Entry

Probe = Callable[[Sequence[str]], bytes]
LOOKS_LIKE_MILLISECONDS = 1000  # seconds; nobody waits a quarter of an hour for a hook
TOOL_EVENTS = frozenset(("PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionRequest", "PermissionDenied"))
REWRITING_EVENTS = ("PreToolUse", "PermissionRequest")
RULE = re.compile(r"([A-Za-z_]+)\([^|()]*[ :/][^|()]*\)")
LARGEST_SCRIPT = 1_000_000


@dataclass(frozen=True)
class Checkup:
    """What the checks are told besides the hooks themselves."""

    project: str
    environment: Mapping[str, str] = field(default_factory=dict)
    rewrites: Callable[[Entry], bool] = lambda _entry: False  # known to answer with updatedInput
    probe: Probe | None = None  # runs a harmless argv as the client would, returns its stdout

    def around(self, registered: Registered) -> Surroundings:
        return Surroundings(self.project, self.environment, plugin_root=registered.source.root)

    def invocation(self, registered: Registered) -> Invocation | None:
        if registered.entry.handler["type"] != "command":
            return None
        return invocation(registered.entry.handler, self.around(registered))


def check(loaded: Loaded, checkup: Checkup) -> list[Finding]:
    """All findings: what the client drops first, then what it keeps in vain."""
    found = list(loaded.findings)
    for registered in loaded.entries:
        found += check_entry(registered, checkup)
    for check_all in TOGETHER:
        found += check_all(loaded.entries, checkup)
    return found


def check_entry(registered: Registered, checkup: Checkup) -> list[Finding]:
    """Findings about one handler by itself."""
    found = [finding for single in ONE_BY_ONE for finding in single(registered.entry)]
    started = checkup.invocation(registered)
    if started is not None:
        found += [
            finding for single in STARTED for finding in single(registered.entry, started, checkup.around(registered))
        ]
    return found


# --- one by one: the entry's own words
def matcher_invalid(entry: Entry) -> Iterator[Finding]:
    trouble = matchers.trouble(entry.matcher)
    if trouble:
        what = f'matcher "{entry.matcher}" never matches: {trouble}'
        fix = 'a tool name, or several: "Edit|Write"; conditions on the input go into "if"'
        yield Finding("matcher-invalid", what, entry.where, fix)


def matcher_is_rule(entry: Entry) -> Iterator[Finding]:
    """`Bash(git *)` is a sound expression and matches no tool: it was meant for `if`."""
    rule = RULE.fullmatch(entry.matcher or "")
    if entry.event in TOOL_EVENTS and rule and not matchers.trouble(entry.matcher):
        what = f'matcher "{entry.matcher}" is a permission rule; a matcher sees only the name of the tool'
        yield Finding("matcher-is-rule", what, entry.where, f'"matcher": "{rule[1]}", "if": "{entry.matcher}"')


def matcher_without_tool(entry: Entry) -> Iterator[Finding]:
    """`mcp__server` alone is an exact name, and no tool has it."""
    for name in sorted(matchers.names(entry.matcher) or ()):
        if entry.event in TOOL_EVENTS and name.startswith("mcp__") and name.count("__") < 2:
            what = f'matcher "{name}" matches no tool: it names a server'
            yield Finding("matcher-names-server", what, entry.where, f'"{name}__.*"')


def matcher_ignored(entry: Entry) -> Iterator[Finding]:
    if not matchers.matches_all(entry.matcher) and catalogue()[entry.event]["matcher_field"] is None:
        what = f"{entry.event} knows no matcher; this hook runs every time"
        yield Finding("matcher-ignored", what, entry.where, 'remove "matcher"')


def timeout_in_milliseconds(entry: Entry) -> Iterator[Finding]:
    timeout = entry.handler.get("timeout", 0)
    if timeout >= LOOKS_LIKE_MILLISECONDS:
        what = f'"timeout": {timeout} means {timeout / 60:.0f} minutes; Claude Code counts seconds'
        yield Finding("timeout-milliseconds", what, entry.where, f'"timeout": {max(1, round(timeout / 1000))}')


def type_not_called(entry: Entry) -> Iterator[Finding]:
    kind = entry.handler["type"]
    able = [word for word in catalogue()[entry.event]["handler_types"] if word in ALL_TYPES]
    if len(able) > 1 and kind not in able:
        code = "http-on-session-start" if (kind, entry.event) == ("http", "SessionStart") else "type-not-called"
        what = f"Claude Code does not call {kind} handlers on {entry.event}"
        yield Finding(code, what, entry.where, f"one of {', '.join(able)}")


def condition_never_true(entry: Entry) -> Iterator[Finding]:
    if entry.handler.get("if") and entry.event not in TOOL_EVENTS:
        what = f'"if" is for tool events; on {entry.event} a hook with it never runs'
        yield Finding("condition-on-other-event", what, entry.where, 'remove "if"')


def command_empty(entry: Entry) -> Iterator[Finding]:
    if entry.handler["type"] == "command" and not entry.handler["command"].strip():
        yield Finding("command-empty", '"command" is empty; nothing runs', entry.where, "name a program, or remove it")


def shell_text_in_exec_form(entry: Entry) -> Iterator[Finding]:
    """With `args` (even an empty list) the whole command text is taken for the name of a program."""
    command = entry.handler.get("command", "")
    if entry.handler["type"] == "command" and "args" in entry.handler and " " in command and "/" not in command[:1]:
        what = f'with "args" no shell reads "{command}": the whole text is the program\'s name'
        yield Finding("exec-form-with-shell-text", what, entry.where, 'remove "args", or split the command into it')


# --- what would be started
def program_missing(entry: Entry, started: Invocation, around: Surroundings) -> Iterator[Finding]:
    if not started.words or started.program is not None or not started.named:
        return
    if started.uses_shell and started.named in BUILTINS:
        return
    if any(shell_text_in_exec_form(entry)):
        return  # said already, and better
    where = "PATH" if "/" not in started.named else around.project
    what = f"{started.named} does not exist" if "/" in started.named else f"{started.named} is not on {where}"
    yield Finding("program-missing", f"{what}; the hook fails and Claude Code goes on", entry.where, "correct the path")


def script_missing(entry: Entry, started: Invocation, _around: Surroundings) -> Iterator[Finding]:
    if started.program is None or started.script is None or os.path.exists(started.script):
        return
    what = f"{started.script} does not exist"
    if "python" in os.path.basename(started.named) and entry.event in REWRITING_EVENTS:
        what += "; Python exits 2 then, which Claude Code takes for a block: no tool runs"
    yield Finding("script-missing", what, entry.where, "correct the path")


def run_bit_missing(entry: Entry, started: Invocation, _around: Surroundings) -> Iterator[Finding]:
    path = started.program
    if path is not None and os.path.isfile(path) and not os.access(path, os.X_OK):
        yield Finding("run-bit-missing", f"{path} is not executable", entry.where, f"chmod +x {path}")


def program_is_folder(entry: Entry, started: Invocation, _around: Surroundings) -> Iterator[Finding]:
    if started.program is not None and os.path.isdir(started.program):
        yield Finding("program-is-folder", f"{started.program} is a folder", entry.where, "name the program in it")


def shebang_broken(entry: Entry, started: Invocation, around: Surroundings) -> Iterator[Finding]:
    words = shebang(started.program) if started.program else None
    if not words or not words[0]:
        return
    if words[-1].endswith("\r"):
        what = f"{started.program} has Windows line ends; its #! line names no program"
        yield Finding("shebang-broken", what, entry.where, f"sed -i 's/\\r$//' {started.program}")
        return
    name = _interpreter(words)
    if name and locate(name, around) is None:
        what = f"{started.program} wants {name}, which is not there"
        yield Finding("shebang-broken", what, entry.where, "install it, or correct the #! line")


def interpreter_is_shim(entry: Entry, started: Invocation, around: Surroundings) -> Iterator[Finding]:
    words = (shebang(started.program) or []) if started.program else []
    behind = locate(_interpreter(words), around) if words and _interpreter(words) else None
    shim = next((path for path in (started.program, behind) if path and is_shim(path)), None)
    if shim:
        what = f"{shim} is a version manager's shim: slow to start, and another program in another folder"
        yield Finding("interpreter-shim", what, entry.where, "name the real interpreter by its absolute path")


def _interpreter(words: Sequence[str]) -> str:
    """The program behind a #! line, `env` seen through."""
    rest = [word for word in words if word]
    if rest and os.path.basename(rest[0]) == "env":
        rest = [word for word in rest[1:] if not word.startswith("-") and "=" not in word]
    return rest[0] if rest else ""


# --- together: what only shows when all hooks are seen
def registered_twice(entries: Sequence[Registered], checkup: Checkup) -> Iterator[Finding]:
    """The client runs equal texts of settings files once, but a plugin's copy or another spelling again."""
    runs = [(registered, _what_runs(registered, checkup)) for registered in entries]
    for (one, first), (other, second) in combinations(runs, 2):
        if first is None or first != second or one.entry.event != other.entry.event:
            continue
        if not matchers.may_overlap(one.entry.matcher, other.entry.matcher) or _counts_once(one, other):
            continue
        what = f"runs twice on {one.entry.event}: also registered at {other.entry.where}"
        yield Finding("registered-twice", what, one.entry.where, "remove one of the two")


def _what_runs(registered: Registered, checkup: Checkup) -> tuple[Any, ...] | None:
    """The deed behind the spelling: real files and arguments."""
    handler = registered.entry.handler
    if handler["type"] == "http":
        return ("http", handler["url"], handler.get("if"))
    started = checkup.invocation(registered)
    if started is None:
        return None
    if not started.words or (started.uses_shell and not _is_simple(started.argv[2])):
        return (*started.argv, handler.get("if"))
    files = {word: os.path.realpath(os.path.join(checkup.project, word)) for word in started.words if "/" in word}
    program = os.path.realpath(started.program) if started.program else started.words[0]
    return (program, *(files.get(word, word) for word in started.words[1:]), handler.get("if"))


def _is_simple(text: str) -> bool:
    return not any(char in text for char in ";&|<>\n`(")


def _counts_once(one: Registered, other: Registered) -> bool:
    """Settings files of all scopes: the same text is the same hook."""
    if "plugin" in (one.source.scope, other.source.scope) or "skill" in (one.source.scope, other.source.scope):
        return False
    keys = ("type", "command", "args", "url", "if")
    return all(one.entry.handler.get(key) == other.entry.handler.get(key) for key in keys)


def two_rewriters(entries: Sequence[Registered], checkup: Checkup) -> Iterator[Finding]:
    """The last to finish wins and the other's change is lost: a race."""
    rewriters = [found for found in entries if found.entry.event in REWRITING_EVENTS and _rewrites(found, checkup)]
    for one, other in combinations(rewriters, 2):
        same_event = one.entry.event == other.entry.event
        if same_event and matchers.may_overlap(one.entry.matcher, other.entry.matcher) and not _counts_once(one, other):
            what = f"rewrites the same call as the hook at {other.entry.where}; the last to finish wins"
            yield Finding("two-rewriters", what, one.entry.where, "keep one of them, or give them different matchers")


def _rewrites(registered: Registered, checkup: Checkup) -> bool:
    if checkup.rewrites(registered.entry):
        return True
    started = checkup.invocation(registered)
    if started is None:
        return False
    if any("updatedInput" in word for word in started.argv):
        return True
    return any("updatedInput" in _script_text(path) for path in (started.script, started.program) if path)


@cache
def _script_text(path: str) -> str:
    """A script's text; nothing for programs and what cannot be read."""
    try:
        if os.path.getsize(path) > LARGEST_SCRIPT:
            return ""
        with open(path, "rb") as handle:
            raw = handle.read(LARGEST_SCRIPT)
    except OSError:
        return ""
    return "" if b"\0" in raw else raw.decode("utf-8", "replace")


def printing_profiles(entries: Sequence[Registered], checkup: Checkup) -> Iterator[Finding]:
    """A shell that prints before the hook does turns the hook's JSON into text that the client ignores."""
    seen: dict[tuple[str, ...], bytes] = {}
    for registered in entries:
        started = checkup.invocation(registered)
        shell = tuple(_shell_started(started)) if started else ()
        if not shell or checkup.probe is None:
            continue
        if shell not in seen:
            seen[shell] = checkup.probe([*shell, "-c", ":"])
        if seen[shell].strip():
            line = seen[shell].decode("utf-8", "replace").strip().splitlines()[0][:60]
            what = f'{" ".join(shell)} prints "{line}" before the hook runs; its answer is then not read as JSON'
            fix = "let the profile print only in interactive shells: [[ $- == *i* ]] || return"
            yield Finding("profile-prints", what, registered.entry.where, fix)


def _shell_started(started: Invocation) -> list[str]:
    """The shell in front of the hook, with the options that make it read profiles."""
    for words in (list(started.words or ()), (shebang(started.program) or []) if started.program else []):
        shell = words[1:] if words and os.path.basename(words[0]) == "env" else words
        if shell and os.path.basename(shell[0]) in ("bash", "zsh", "ksh", "fish"):
            return [shell[0], *(word for word in shell[1:3] if word in ("-l", "-i", "--login", "-li", "-il"))]
    return ["/bin/sh"] if started.uses_shell else []


@cache
def catalogue() -> Mapping[str, Mapping[str, Any]]:
    """The measured table of events."""
    table = json.loads(resources.files("hookwright.protocol").joinpath("protocol.json").read_text("utf-8"))
    events: Mapping[str, Mapping[str, Any]] = table["events"]
    return events


ALL_TYPES = ("command", "http", "mcp_tool", "prompt", "agent")
ONE_BY_ONE: tuple[Callable[[Entry], Iterable[Finding]], ...] = (
    matcher_invalid,
    matcher_is_rule,
    matcher_without_tool,
    matcher_ignored,
    timeout_in_milliseconds,
    type_not_called,
    condition_never_true,
    command_empty,
    shell_text_in_exec_form,
)
STARTED: tuple[Callable[[Entry, Invocation, Surroundings], Iterable[Finding]], ...] = (
    program_missing,
    script_missing,
    run_bit_missing,
    program_is_folder,
    shebang_broken,
    interpreter_is_shim,
)
TOGETHER: tuple[Callable[[Sequence[Registered], Checkup], Iterable[Finding]], ...] = (
    registered_twice,
    two_rewriters,
    printing_profiles,
)
