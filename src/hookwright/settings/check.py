"""Find hooks that are valid but will not do what their author expects.

LoadedHooks → [check] → findings, after those of client_validation
One small function per check; the three tables at the end say which run. Nothing is started, except a shell with an
empty command if the caller provides `probe`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from hookwright.protocol.catalogue import load_protocol
from hookwright.protocol.tool_names import TOOL_EVENTS
from hookwright.settings import check_names, check_text, matcher_syntax
from hookwright.settings.client_schema import HANDLER_TYPES
from hookwright.settings.client_validation import Entry
from hookwright.settings.findings import Finding
from hookwright.settings.handler_command import (
    BUILTINS,
    Invocation,
    LaunchContext,
    is_shim,
    locate_program,
    read_shebang,
    resolve_invocation,
)
from hookwright.settings.load import LoadedHooks, RegisteredHandler

Probe = Callable[[Sequence[str]], bytes]
LOOKS_LIKE_MILLISECONDS = 1000  # seconds; a quarter of an hour is too long for any hook
REWRITING_EVENTS = ("PreToolUse", "PermissionRequest")
RULE = re.compile(r"([A-Za-z_]+)\([^|()]*[ :/][^|()]*\)")


@dataclass(frozen=True)
class CheckContext:
    """What the checks need to know besides the hooks."""

    project: str
    environment: Mapping[str, str] = field(default_factory=dict)
    rewrites: Callable[[Entry], bool] = lambda _entry: False  # is it known to return updatedInput?
    probe: Probe | None = None  # runs an argv without effects as the client would; returns its stdout

    def launch_context(self, registered: RegisteredHandler) -> LaunchContext:
        return LaunchContext(self.project, self.environment, plugin_root=registered.source.root)

    def resolve(self, registered: RegisteredHandler) -> Invocation | None:
        if registered.entry.handler["type"] != "command":
            return None
        return resolve_invocation(registered.entry.handler, self.launch_context(registered))


def check(loaded: LoadedHooks, context: CheckContext) -> list[Finding]:
    """All findings: first what the client drops, then what it keeps although it cannot work."""
    found = list(loaded.findings)
    for registered in loaded.entries:
        found += check_entry(registered, context)
    for check_all in CROSS_CHECKS:
        found += check_all(loaded.entries, context)
    return found


def check_entry(registered: RegisteredHandler, context: CheckContext) -> list[Finding]:
    """Findings about one handler by itself."""
    found = [finding for check_one in ENTRY_CHECKS for finding in check_one(registered.entry)]
    invocation = context.resolve(registered)
    if invocation is not None:
        found += [
            finding
            for check_one in PROGRAM_CHECKS
            for finding in check_one(registered.entry, invocation, context.launch_context(registered))
        ]
    return found


# --- the entry by itself
def matcher_invalid(entry: Entry) -> Iterator[Finding]:
    problem = matcher_syntax.why_invalid(entry.matcher)
    if problem:
        what = f'matcher "{entry.matcher}" never matches: {problem}'
        fix = 'a tool name, or several: "Edit|Write"; conditions on the input go into "if"'
        yield Finding("matcher-invalid", what, entry.where, fix)


def matcher_is_rule(entry: Entry) -> Iterator[Finding]:
    """`Bash(git *)` is a valid regular expression that matches no tool: it was meant for `if`."""
    rule = RULE.fullmatch(entry.matcher or "")
    if entry.event in TOOL_EVENTS and rule and not matcher_syntax.why_invalid(entry.matcher):
        what = f'matcher "{entry.matcher}" is a permission rule; a matcher is compared with the name of the tool only'
        yield Finding("matcher-is-rule", what, entry.where, f'"matcher": "{rule[1]}", "if": "{entry.matcher}"')


def matcher_without_tool(entry: Entry) -> Iterator[Finding]:
    """`mcp__server` alone is an exact name that no tool has."""
    for name in sorted(matcher_syntax.exact_names(entry.matcher) or ()):
        if entry.event in TOOL_EVENTS and name.startswith("mcp__") and name.count("__") < 2:
            what = f'matcher "{name}" matches no tool: it names a server'
            yield Finding("matcher-names-server", what, entry.where, f'"{name}__.*"')


def matcher_ignored(entry: Entry) -> Iterator[Finding]:
    if (
        not matcher_syntax.matches_all(entry.matcher)
        and load_protocol()["events"][entry.event]["matcher_field"] is None
    ):
        what = f"{entry.event} has no matcher; this hook runs every time"
        yield Finding("matcher-ignored", what, entry.where, 'remove "matcher"')


def timeout_in_milliseconds(entry: Entry) -> Iterator[Finding]:
    timeout = entry.handler.get("timeout", 0)
    if timeout >= LOOKS_LIKE_MILLISECONDS:
        what = f'"timeout": {timeout} means {timeout / 60:.0f} minutes; Claude Code counts seconds'
        yield Finding("timeout-milliseconds", what, entry.where, f'"timeout": {max(1, round(timeout / 1000))}')


def type_not_called(entry: Entry) -> Iterator[Finding]:
    kind = entry.handler["type"]
    if not is_type_called(kind, entry.event):
        code = "http-on-session-start" if (kind, entry.event) == ("http", "SessionStart") else "type-not-called"
        what = f"Claude Code does not call {kind} handlers on {entry.event}"
        yield Finding(code, what, entry.where, f"one of {', '.join(list_called_types(entry.event))}")


def list_called_types(event: str) -> list[str]:
    """The handler types that the client calls on an event."""
    return [kind for kind in load_protocol()["events"][event]["handler_types"] if kind in HANDLER_TYPES]


def is_type_called(kind: str, event: str) -> bool:
    """False if the client never calls handlers of this type on this event."""
    called = list_called_types(event)
    return len(called) < 2 or kind in called


def condition_never_true(entry: Entry) -> Iterator[Finding]:
    if entry.handler.get("if") and entry.event not in TOOL_EVENTS:
        what = f'"if" is for tool events; a hook that has it never runs on {entry.event}'
        yield Finding("condition-on-other-event", what, entry.where, 'remove "if"')


def command_empty(entry: Entry) -> Iterator[Finding]:
    if entry.handler["type"] == "command" and not entry.handler["command"].strip():
        yield Finding("command-empty", '"command" is empty; nothing runs', entry.where, "name a program, or remove it")


def shell_text_in_exec_form(entry: Entry) -> Iterator[Finding]:
    """With `args` (even an empty list) the client takes the whole command for the name of a program."""
    command = entry.handler.get("command", "")
    if entry.handler["type"] == "command" and "args" in entry.handler and " " in command and "/" not in command[:1]:
        what = f'with "args" there is no shell: "{command}" as a whole is taken for the name of a program'
        yield Finding("exec-form-with-shell-text", what, entry.where, 'remove "args", or split the command into it')


# --- the program that would be started
def program_missing(entry: Entry, invocation: Invocation, context: LaunchContext) -> Iterator[Finding]:
    if not invocation.words or invocation.program is not None or not invocation.program_name:
        return
    if invocation.uses_shell and invocation.program_name in BUILTINS:
        return
    if any(shell_text_in_exec_form(entry)):
        return  # the better finding
    where = "PATH" if "/" not in invocation.program_name else context.project
    what = (
        f"{invocation.program_name} does not exist"
        if "/" in invocation.program_name
        else f"{invocation.program_name} is not on {where}"
    )
    what += "; the hook fails and Claude Code continues without it"
    yield Finding("program-missing", what, entry.where, "correct the path")


def script_missing(entry: Entry, invocation: Invocation, _context: LaunchContext) -> Iterator[Finding]:
    if invocation.program is None or invocation.script is None or os.path.exists(invocation.script):
        return
    what = f"{invocation.script} does not exist"
    if "python" in os.path.basename(invocation.program_name) and entry.event in REWRITING_EVENTS:
        what += "; Python then exits with 2, which Claude Code takes for a block: no tool runs"
    yield Finding("script-missing", what, entry.where, "correct the path")


def program_not_executable(entry: Entry, invocation: Invocation, _context: LaunchContext) -> Iterator[Finding]:
    path = invocation.program
    if path is not None and os.path.isfile(path) and not os.access(path, os.X_OK):
        yield Finding("run-bit-missing", f"{path} is not executable", entry.where, f"chmod +x {path}")


def program_is_folder(entry: Entry, invocation: Invocation, _context: LaunchContext) -> Iterator[Finding]:
    if invocation.program is not None and os.path.isdir(invocation.program):
        yield Finding("program-is-folder", f"{invocation.program} is a folder", entry.where, "name the program in it")


def shebang_broken(entry: Entry, invocation: Invocation, context: LaunchContext) -> Iterator[Finding]:
    words = read_shebang(invocation.program) if invocation.program else None
    if not words or not words[0]:
        return
    if words[-1].endswith("\r"):
        what = f"{invocation.program} has Windows line endings; its #! line names no program"
        yield Finding("shebang-broken", what, entry.where, f"sed -i 's/\\r$//' {invocation.program}")
        return
    name = _interpreter_of(words)
    if name and locate_program(name, context) is None:
        what = f"{invocation.program} needs {name}, which was not found"
        yield Finding("shebang-broken", what, entry.where, "install it, or correct the #! line")


def interpreter_is_shim(entry: Entry, invocation: Invocation, context: LaunchContext) -> Iterator[Finding]:
    words = (read_shebang(invocation.program) or []) if invocation.program else []
    behind = locate_program(_interpreter_of(words), context) if words and _interpreter_of(words) else None
    shim = next((path for path in (invocation.program, behind) if path and is_shim(path)), None)
    if shim:
        what = f"{shim} is a version manager's shim: slow to start, and it runs another program in another directory"
        yield Finding("interpreter-shim", what, entry.where, "name the real interpreter by its absolute path")


def _interpreter_of(words: Sequence[str]) -> str:
    """The interpreter that a #! line names, also behind `env`."""
    rest = [word for word in words if word]
    if rest and os.path.basename(rest[0]) == "env":
        rest = [word for word in rest[1:] if not word.startswith("-") and "=" not in word]
    return rest[0] if rest else ""


# --- all hooks together
def registered_twice(entries: Sequence[RegisteredHandler], context: CheckContext) -> Iterator[Finding]:
    """The client runs identical entries of settings files once, but runs a plugin's copy or another spelling again."""
    runs = [(registered, _run_key(registered, context)) for registered in entries]
    for (one, first), (other, second) in combinations(runs, 2):
        if first is None or first != second or one.entry.event != other.entry.event:
            continue
        if not matcher_syntax.may_overlap(one.entry.matcher, other.entry.matcher) or _runs_once(one, other):
            continue
        what = f"runs twice on {one.entry.event}: also registered at {other.entry.where}"
        yield Finding("registered-twice", what, one.entry.where, "remove one of the two")


def _run_key(registered: RegisteredHandler, context: CheckContext) -> tuple[Any, ...] | None:
    """What a handler runs, however it is spelled: real paths and arguments."""
    handler = registered.entry.handler
    if handler["type"] == "http":
        return ("http", handler["url"], handler.get("if"))
    invocation = context.resolve(registered)
    if invocation is None:
        return None
    if not invocation.words or (invocation.uses_shell and not _is_simple(invocation.argv[2])):
        return (*invocation.argv, handler.get("if"))
    files = {word: os.path.realpath(os.path.join(context.project, word)) for word in invocation.words if "/" in word}
    program = os.path.realpath(invocation.program) if invocation.program else invocation.words[0]
    return (program, *(files.get(word, word) for word in invocation.words[1:]), handler.get("if"))


def _is_simple(text: str) -> bool:
    return not any(char in text for char in ";&|<>\n`(")


def _runs_once(one: RegisteredHandler, other: RegisteredHandler) -> bool:
    """Identical entries of settings files are one hook to the client, whatever their scope."""
    if "plugin" in (one.source.scope, other.source.scope) or "skill" in (one.source.scope, other.source.scope):
        return False
    keys = ("type", "command", "args", "url", "if")
    return all(one.entry.handler.get(key) == other.entry.handler.get(key) for key in keys)


def two_rewriters(entries: Sequence[RegisteredHandler], context: CheckContext) -> Iterator[Finding]:
    """A race: the last to finish wins, the other's rewrite is lost."""
    rewriters = [found for found in entries if found.entry.event in REWRITING_EVENTS and _is_rewriter(found, context)]
    for one, other in combinations(rewriters, 2):
        same_event = one.entry.event == other.entry.event
        if (
            same_event
            and matcher_syntax.may_overlap(one.entry.matcher, other.entry.matcher)
            and not _runs_once(one, other)
        ):
            what = f"rewrites the same call as the hook at {other.entry.where}; the last to finish wins"
            yield Finding("two-rewriters", what, one.entry.where, "keep one of them, or give them different matchers")


def _is_rewriter(registered: RegisteredHandler, context: CheckContext) -> bool:
    if context.rewrites(registered.entry):
        return True
    invocation = context.resolve(registered)
    if invocation is None:
        return False
    if any("updatedInput" in word for word in invocation.argv):
        return True
    return any(
        "updatedInput" in check_text.read_script(path) for path in (invocation.script, invocation.program) if path
    )


def printing_profiles(entries: Sequence[RegisteredHandler], context: CheckContext) -> Iterator[Finding]:
    """If the shell's profile prints something, stdout is no longer JSON and the client ignores the answer."""
    seen: dict[tuple[str, ...], bytes] = {}
    for registered in entries:
        invocation = context.resolve(registered)
        shell = tuple(_shell_of(invocation)) if invocation else ()
        if not shell or context.probe is None:
            continue
        if shell not in seen:
            seen[shell] = context.probe([*shell, "-c", ":"])
        if seen[shell].strip():
            line = seen[shell].decode("utf-8", "replace").strip().splitlines()[0][:60]
            what = f'{" ".join(shell)} prints "{line}" before the hook runs; its answer is then no valid JSON'
            fix = "let the profile print only in interactive shells: [[ $- == *i* ]] || return"
            yield Finding("profile-prints", what, registered.entry.where, fix)


def _shell_of(invocation: Invocation) -> list[str]:
    """The shell that runs the hook, with the options that make it read profiles."""
    for words in (list(invocation.words or ()), (read_shebang(invocation.program) or []) if invocation.program else []):
        shell = words[1:] if words and os.path.basename(words[0]) == "env" else words
        if shell and os.path.basename(shell[0]) in ("bash", "zsh", "ksh", "fish"):
            return [shell[0], *(word for word in shell[1:3] if word in ("-l", "-i", "--login", "-li", "-il"))]
    return ["/bin/sh"] if invocation.uses_shell else []


ENTRY_CHECKS: tuple[Callable[[Entry], Iterable[Finding]], ...] = (
    matcher_invalid,
    matcher_is_rule,
    matcher_without_tool,
    matcher_ignored,
    timeout_in_milliseconds,
    type_not_called,
    condition_never_true,
    command_empty,
    shell_text_in_exec_form,
    *check_names.CHECKS,
)
PROGRAM_CHECKS: tuple[Callable[[Entry, Invocation, LaunchContext], Iterable[Finding]], ...] = (
    program_missing,
    script_missing,
    program_not_executable,
    program_is_folder,
    shebang_broken,
    interpreter_is_shim,
    *check_text.CHECKS,
)
CROSS_CHECKS: tuple[Callable[[Sequence[RegisteredHandler], CheckContext], Iterable[Finding]], ...] = (
    registered_twice,
    two_rewriters,
    printing_profiles,
)
