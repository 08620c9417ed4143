"""The user's own rules, protected paths and exceptions.

[[command_guard.rules]], deny_paths, ask_paths → [check_rules, check_paths] → findings
[[command_guard.exceptions]] → [is_excepted] → a finding is dropped
Loaded only if the configuration has one of these.
"""

from __future__ import annotations

from time import localtime, strftime

from hookwright.hooks.command_guard.rule_api import Finding, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from hookwright.shell.command import Call, Command

PATHS = "own-paths"  # the rule id of deny_paths and ask_paths
OWN = "own-rule"  # the rule id of a rule without a name
SHOW_CONFIG = "hookwright config show"
MAX_COMPARISONS = 200_000  # of parts of words with parts of patterns; a second or so


def find_excess(command: Command, rules: Sequence[Mapping[str, Any]], patterns: Sequence[str]) -> list[Finding]:
    """A finding if so many rules and paths were given that comparing them all with this command would take too long."""
    every = [*patterns, *(pattern for rule in rules for pattern in rule["paths"])]
    words = [word for call in command.calls for word in (*call.args, *(redirect.target for redirect in call.redirects))]
    parts = sum(1 + word.count("/") for word in words)
    steps = sum(1 + pattern.count("/") + pattern.count("*") for pattern in every)
    if len(command.calls) * len(rules) + parts * steps <= MAX_COMPARISONS:
        return []
    finding = Finding("ask", "there are too many rules and paths of your own to compare this with", SHOW_CONFIG)
    finding.rule = OWN
    return [finding]


# -- rules -----------------------------------------------------------------------------------------------------------


def check_rules(command: Command, rules: Sequence[Mapping[str, Any]], project: str) -> list[Finding]:
    """The findings of the user's rules; the first rule that matches a call counts."""
    findings = []
    for call in command.calls:
        for rule in rules:
            if rule_matches(rule, call, command.home, project):
                reason = (
                    rule["reason"] or f"`{format_call(call)}` is met by your rule {rule['name'] or rule['program']}"
                )
                findings.append(build_finding(rule["verdict"], reason, rule["instead"], rule["name"] or OWN, call))
                break
    return findings


def rule_matches(rule: Mapping[str, Any], call: Call, home: str, project: str) -> bool:
    program = rule["program"]
    programs = (program,) if isinstance(program, str) else program
    if call.program not in programs and "*" not in programs:
        return False
    words = rule["subcommand"].split()
    if words and call.operands()[: len(words)] != words:
        return False
    if rule["flags"] and not call.has_flag(*rule["flags"]):
        return False
    return not rule["paths"] or bool(find_matching_word(call, rule["paths"], home, project))


def check_paths(command: Command, patterns: Sequence[str], verdict: str, project: str) -> list[Finding]:
    """A finding for each call that names a path of this list."""
    findings = []
    for call in command.calls:
        word = find_matching_word(call, patterns, command.home, project)
        if word:
            findings.append(
                build_finding(
                    verdict, f"`{format_call(call)}` names {word}, which you have protected", SHOW_CONFIG, PATHS, call
                )
            )
    return findings


def find_matching_word(call: Call, patterns: Sequence[str], home: str, project: str) -> str:
    """The first argument or redirection target of the call that matches one of the patterns; "" if none does."""
    if call.remote is not None:
        return ""
    words = [*call.args, *(redirect.target for redirect in call.redirects if redirect.text is None)]
    for word in words:
        path = call.path(word) if word[:1] != "-" else None
        if path is not None and any(path_matches(path, pattern, (project,), home) for pattern in patterns):
            return str(word)
    return ""


def build_finding(verdict: str, reason: str, instead: str, rule: str, call: Call) -> Finding:
    finding = Finding(verdict, reason, instead)
    finding.rule = rule
    finding.call = call
    finding.advice = "Look first" if instead == SHOW_CONFIG else "Instead"
    return finding


# -- exceptions ------------------------------------------------------------------------------------------------------


def is_excepted(finding: Finding, text: str, exceptions: Sequence[Mapping[str, Any]], now: float) -> bool:
    """Whether an exception covers this finding: by rule, by command or by both, up to its last day."""
    today = strftime("%Y-%m-%dT%H:%M:%S", localtime(now))
    for exception in exceptions:
        until = exception["until"]
        if until and today[: len(until)] > until:
            continue
        if exception["rule"] and exception["rule"] != finding.rule:
            continue
        if exception["command"] and " ".join(exception["command"].split()) not in comparable_texts(finding, text):
            continue
        return True
    return False


def comparable_texts(finding: Finding, text: str) -> tuple[str, ...]:
    """The texts that an exception may name, with single spaces: the whole command, and the call with its wrappers."""
    whole = " ".join(text.split())
    call = finding.call
    if call is None:
        return (whole,)
    return whole, " ".join([*(wrapper.text for wrapper in call.wrappers), call.text])


# -- patterns --------------------------------------------------------------------------------------------------------


def path_matches(path: str, pattern: str, folders: Sequence[str], home: str) -> bool:
    """Whether a pattern such as `secrets/**`, `*.tfvars`, `~/notes` or `/srv/data` matches a path.

    A directory matches everything in it, a bare name any file or directory of that name.
    """
    pattern = pattern.rstrip("/")
    if pattern[:2] == "~/" and home:
        pattern = home + pattern[1:]
    if path[:2] == "~/" and home:
        path = home + path[1:]
    if pattern[:1] not in "/~" and "/" not in pattern:
        return any(name_matches(part, pattern) for part in path.split("/") if part)
    candidates = [path]
    if pattern[:1] not in "/~":
        candidates += [path[len(folder) + 1 :] for folder in folders if folder and path.startswith(folder + "/")]
        pattern = pattern.removeprefix("./")
    wanted = pattern.split("/")
    return any(parts_match(candidate.split("/"), wanted) for candidate in candidates)


def parts_match(parts: list[str], wanted: list[str]) -> bool:
    """Whether the pattern's parts match the path's first parts; `**` matches any number of them."""
    # `reached` are the numbers of parts that the pattern up to here can match: no more steps than parts times pattern.
    reached = {0}
    for pattern in wanted:
        if pattern == "**":
            reached = set(range(min(reached), len(parts) + 1))
        else:
            reached = {at + 1 for at in reached if at < len(parts) and name_matches(parts[at], pattern)}
        if not reached:
            return False
    return True


def name_matches(name: str, pattern: str) -> bool:
    """Whether a name matches a pattern with `*`."""
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
