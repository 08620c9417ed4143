"""The user's own rules, paths and exceptions.

[[guard.rules]], deny_paths, ask_paths → [found] → findings; [[guard.exceptions]] → [excepted] → one finding less
Loaded only where a configuration has such a thing.
"""

from __future__ import annotations

from time import localtime, strftime

from hookwright.options import BadValue
from hookwright.rules.kit import Finding, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from hookwright.shell.command import Call, Command

PATHS = "own-paths"  # the rule's name for deny_paths and ask_paths
OWN = "own-rule"  # for a rule without a name
LOOK = "hookwright config show"
VERDICTS = ("ask", "deny")


# -- rules -----------------------------------------------------------------------------------------------------------


def found(command: Command, rules: Sequence[Mapping[str, Any]], project: str) -> list[Finding]:
    """What the user's rules say about each call."""
    findings = []
    for call in command.calls:
        for rule in rules:
            if fits(rule, call, command.home, project):
                reason = rule["reason"] or f"`{shown(call)}` is met by your rule {rule['name'] or rule['program']}"
                findings.append(made(rule["verdict"], reason, rule["instead"], rule["name"] or OWN, call))
                break
    return findings


def fits(rule: Mapping[str, Any], call: Call, home: str, project: str) -> bool:
    program = rule["program"]
    programs = (program,) if isinstance(program, str) else program
    if call.program not in programs and "*" not in programs:
        return False
    words = rule["subcommand"].split()
    if words and call.operands()[: len(words)] != words:
        return False
    if rule["flags"] and not call.has_flag(*rule["flags"]):
        return False
    return not rule["paths"] or bool(named(call, rule["paths"], home, project))


def on_paths(command: Command, patterns: Sequence[str], verdict: str, project: str) -> list[Finding]:
    """Calls that name a path of the user's list."""
    findings = []
    for call in command.calls:
        word = named(call, patterns, command.home, project)
        if word:
            findings.append(made(verdict, f"`{shown(call)}` names {word}, which you have protected", LOOK, PATHS, call))
    return findings


def named(call: Call, patterns: Sequence[str], home: str, project: str) -> str:
    """The first word of the call, or target of its redirections, that one of the patterns meets."""
    if call.remote is not None:
        return ""
    words = [*call.args, *(redirect.target for redirect in call.redirects if redirect.text is None)]
    for word in words:
        path = call.path(word) if word[:1] != "-" else None
        if path is not None and any(matches(path, pattern, (project,), home) for pattern in patterns):
            return str(word)
    return ""


def made(verdict: str, reason: str, instead: str, rule: str, call: Call) -> Finding:
    finding = Finding(verdict, reason, instead)
    finding.rule = rule
    finding.call = call
    return finding


# -- exceptions ------------------------------------------------------------------------------------------------------


def excepted(finding: Finding, text: str, exceptions: Sequence[Mapping[str, Any]], now: float) -> bool:
    """Whether the user has allowed this: the rule, the command, or both, until its day."""
    today = strftime("%Y-%m-%dT%H:%M:%S", localtime(now))
    for exception in exceptions:
        until = exception["until"]
        if until and today[: len(until)] > until:
            continue
        if exception["rule"] and exception["rule"] != finding.rule:
            continue
        if exception["command"] and " ".join(exception["command"].split()) not in texts(finding, text):
            continue
        return True
    return False


def texts(finding: Finding, text: str) -> tuple[str, ...]:
    """The whole command, and the call that was met with its wrappers, blanks made one."""
    whole = " ".join(text.split())
    call = finding.call
    if call is None:
        return (whole,)
    return whole, " ".join([*(wrapper.text for wrapper in call.wrappers), call.text])


# -- patterns --------------------------------------------------------------------------------------------------------


def matches(path: str, pattern: str, folders: Sequence[str], home: str) -> bool:
    """`secrets/**`, `*.tfvars`, `~/notes`, `/srv/data`: a folder means all in it, a bare name any file of that name."""
    pattern = pattern.rstrip("/")
    if pattern[:2] == "~/" and home:
        pattern = home + pattern[1:]
    if path[:2] == "~/" and home:
        path = home + path[1:]
    if pattern[:1] not in "/~" and "/" not in pattern:
        return any(same(step, pattern) for step in path.split("/") if step)
    candidates = [path]
    if pattern[:1] not in "/~":
        candidates += [path[len(folder) + 1 :] for folder in folders if folder and path.startswith(folder + "/")]
        pattern = pattern.removeprefix("./")
    wanted = pattern.split("/")
    return any(steps_match(candidate.split("/"), wanted) for candidate in candidates)


def steps_match(steps: list[str], wanted: list[str]) -> bool:
    """Each step of the pattern meets a step of the path; `**` any number; what is below a met folder is met."""
    if not wanted:
        return True
    if wanted[0] == "**":
        return any(steps_match(steps[start:], wanted[1:]) for start in range(len(steps) + 1))
    return bool(steps) and same(steps[0], wanted[0]) and steps_match(steps[1:], wanted[1:])


def same(name: str, pattern: str) -> bool:
    """One name against a pattern with `*`."""
    first, *rest = pattern.split("*")
    if not rest:
        return name == pattern
    if not name.startswith(first):
        return False
    at = len(first)
    for piece in rest[:-1]:
        at = name.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return len(name) - at >= len(rest[-1]) and name.endswith(rest[-1])


# -- what a configuration may say ------------------------------------------------------------------------------------


def checked_rules(rows: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    for number, row in enumerate(rows, 1):
        if not (row["subcommand"] or row["flags"] or row["paths"]) and "*" in row["program"]:
            raise BadValue(f"number {number} would meet every command: name a program, a flag or a path")
    return rows


def checked_exceptions(rows: tuple[dict[str, Any], ...]) -> tuple[dict[str, Any], ...]:
    for number, row in enumerate(rows, 1):
        if not row["rule"] and not row["command"]:
            raise BadValue(f"number {number} would except everything: give a rule, a command, or both")
        if row["rule"]:
            known_ids((row["rule"],))
        if row["until"] and not is_day(row["until"]):
            raise BadValue(f"number {number}: until must be a day such as 2030-12-31, got {row['until']!r}")
    return rows


def is_day(text: str) -> bool:
    from datetime import datetime

    try:
        return datetime.fromisoformat(text).tzinfo is None
    except ValueError:
        return False


def known_ids(ids: tuple[str, ...]) -> tuple[str, ...]:
    """These names of rules, or BadValue with the name that was meant."""
    from difflib import get_close_matches

    from hookwright.rules.catalogue import ids as known

    names = known()
    for rule in ids:
        if rule not in names:
            close = get_close_matches(rule, names, n=1)
            raise BadValue(f"names no rule {rule!r}" + (f"; did you mean {close[0]}?" if close else ""))
    return ids
