"""Find matchers and `if` rules that can never fit: a tool that does not exist, a value the event does not have.

Entry → [CHECKS] → findings
A name that only a newer client may know is a note; one that is a misspelling of a known one is an error.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache

from hookwright.protocol.catalogue import load_protocol
from hookwright.protocol.declaration_errors import find_tool_meant
from hookwright.protocol.event_matcher import fits_value
from hookwright.protocol.tool_names import TOOL_EVENTS, TOOLS, is_known_tool
from hookwright.settings import matcher_syntax
from hookwright.settings.client_validation import Entry
from hookwright.settings.findings import Finding

# Tools of former clients: a matcher that names nothing else never fires today.
FORMER_TOOLS = {
    "MultiEdit": "Edit",
    "LS": "Glob",
    "NotebookRead": "Read",
    "BashOutput": "Read",
    "KillShell": "TaskStop",
    "KillBash": "TaskStop",
    "SlashCommand": "Skill",
    "TodoRead": "TodoWrite",
}
SAMPLE_TOOLS = (*sorted(TOOLS), "mcp__server__tool")
CLOSED_LIST = re.compile(r"[a-z_]+(?:\|[a-z_]+)+")  # the values of an event, as protocol.json writes them
# Values by other names.
OTHER_VALUES = {
    "start": "startup",
    "new": "startup",
    "init": "startup",
    "automatic": "auto",
    "permission": "permission_prompt",
    "idle": "idle_prompt",
    "exit": "prompt_input_exit",
    "quit": "prompt_input_exit",
}
RULE = re.compile(r"(?P<tool>[^()]+?)(?:\((?P<content>.*)\))?", re.DOTALL)
COMPARED = ("Bash", "Read", "Write", "Edit", "NotebookEdit")  # tools whose input a rule can look at
ODD_BASH = re.compile(r".*:\*\s+|\*:\*|.*:\*:\*")  # measured: these fit nothing


# --- matchers of tool events
def matcher_names_no_tool(entry: Entry) -> Iterator[Finding]:
    if entry.event not in TOOL_EVENTS or matcher_syntax.matches_all(entry.matcher) or entry.matcher is None:
        return
    names = matcher_syntax.exact_names(entry.matcher)
    if names is None:
        yield from _expression_matches_no_tool(entry, entry.matcher)
        return
    for name in sorted(names):
        meant = "" if is_known_tool(name) else find_tool_meant(name)
        if meant:
            what = f'matcher "{name}" matches no tool: names are compared exactly, and the tool is called {meant}'
            yield Finding("tool-misspelt", what, entry.where, f'"matcher": "{entry.matcher.replace(name, meant)}"')
        elif not is_known_tool(name):
            what = f'no tool of Claude Code {load_protocol()["claude_code"]} is called "{name}"'
            yield Finding("tool-unknown", what, entry.where, "correct the matcher, unless a newer client has this tool")
    if names and names <= FORMER_TOOLS.keys():
        now = "|".join(sorted({FORMER_TOOLS[name] for name in names}))
        what = f'matcher "{entry.matcher}": Claude Code no longer has this tool, so the hook never runs'
        yield Finding("tool-removed", what, entry.where, f'"matcher": "{now}"')


def _expression_matches_no_tool(entry: Entry, matcher: str) -> Iterator[Finding]:
    """`^bash$`, `write.*`: expressions are case-sensitive, too."""
    compiled = matcher_syntax.compile_matcher(entry.event, matcher)
    if compiled is None or matcher_syntax.why_invalid(matcher) or "mcp" in matcher or "(" in matcher:
        return
    if any(fits_value(compiled, tool) for tool in SAMPLE_TOOLS):
        return
    meant = [tool for tool in sorted(TOOLS) if fits_value(compiled, tool.lower())]
    if meant:
        what = f'matcher "{matcher}" matches no tool: upper and lower case count, and the tool is called {meant[0]}'
        yield Finding("tool-misspelt", what, entry.where, f'"matcher": "{meant[0]}"')
    else:
        what = f'matcher "{matcher}" matches no tool of Claude Code {load_protocol()["claude_code"]}'
        yield Finding("tool-unknown", what, entry.where, 'a tool name, or several: "Edit|Write"')


# --- matchers of other events
@cache
def list_values(event: str) -> tuple[str, ...]:
    """The values that a matcher of this event is compared with; () if any text is possible."""
    written = load_protocol()["events"][event]["matcher_values"] or ""
    found = CLOSED_LIST.match(written)
    return tuple(found[0].split("|")) if found and matcher_syntax.field_of(event) else ()


def matcher_value_unknown(entry: Entry) -> Iterator[Finding]:
    """`SessionStart` with matcher `start`: the event has a closed list of values, and this is none of them."""
    values = list_values(entry.event)
    if not values or matcher_syntax.matches_all(entry.matcher) or entry.matcher is None:
        return
    names = matcher_syntax.exact_names(entry.matcher)
    if names is None:
        compiled = matcher_syntax.compile_matcher(entry.event, entry.matcher)
        fits = compiled is None or any(fits_value(compiled, value) for value in values)
        wrong = [] if fits or matcher_syntax.why_invalid(entry.matcher) else [entry.matcher]
    else:
        wrong = sorted(names - set(values))
    for name in wrong:
        plain = name.lower().replace("-", "_")
        close = get_close_matches(plain, values, n=1, cutoff=0.6)
        meant = plain if plain in values else OTHER_VALUES.get(plain, close[0] if close else "")
        fix = f'"matcher": "{meant}"' if meant in values else f"one of {', '.join(values)}"
        what = f'matcher "{name}" never matches: {entry.event} has no such {matcher_syntax.field_of(entry.event)}'
        yield Finding("matcher-value-unknown", what, entry.where, fix)


# --- `if`
def rule_never_fits(entry: Entry) -> Iterator[Finding]:
    rule = entry.handler.get("if")
    if not isinstance(rule, str) or not rule or entry.event not in TOOL_EVENTS:
        return
    problem = find_rule_problem(rule, entry.matcher)
    if problem:
        yield Finding(
            "rule-never-fits",
            f'"if": "{rule}" never fits, so the hook never runs: {problem[0]}',
            entry.where,
            problem[1],
        )


def find_rule_problem(rule: str, matcher: str | None) -> tuple[str, str] | None:
    """Why no call can match this rule, and what to write instead; None if one can."""
    for joint in (" || ", " && ", "), "):
        if joint in rule:
            return "it takes one rule, not several", "a handler for each rule"
    parsed = RULE.fullmatch(rule)
    if parsed is None or (parsed["content"] is None and "(" in rule):
        return "a parenthesis is not closed", '"Bash(git push *)"'
    tool, content = parsed["tool"], parsed["content"]
    if tool.startswith("mcp__"):
        if content is not None or "*" in tool:
            return "a rule for an MCP tool is its full name, without an argument or a star", '"matcher" selects tools'
    elif tool not in TOOLS:
        meant = find_tool_meant(tool.strip())
        if meant:
            return f"the tool is called {meant}", f'"if": "{rule.replace(tool, meant, 1)}"'
        return f"{tool} is no tool of Claude Code", 'a rule names a tool: "Bash(git push *)"'
    if not _matcher_accepts(matcher, tool):
        return f'the matcher "{matcher}" lets no {tool} call through', f'"matcher": "{tool}"'
    if content is not None and not tool.startswith("mcp__"):
        return _find_content_problem(tool, content)
    return None


def _find_content_problem(tool: str, content: str) -> tuple[str, str] | None:
    if tool not in COMPARED:
        return (
            f"Claude Code compares the input of {', '.join(COMPARED)} only",
            f'"if": "{tool}", and decide in the hook',
        )
    if tool == "Bash" and ODD_BASH.fullmatch(content):
        return "nothing may follow :*, and something must stand before it", '"Bash(git push:*)"'
    if tool != "Bash" and content.startswith("!"):
        return "a negated pattern fits nothing", "decide in the hook"
    return None


def _matcher_accepts(matcher: str | None, tool: str) -> bool:
    compiled = matcher_syntax.compile_matcher("PreToolUse", matcher)
    if compiled is None or matcher_syntax.why_invalid(matcher):
        return True  # every tool, or another finding
    return fits_value(compiled, tool) or (tool == "Task" and fits_value(compiled, "Agent"))


CHECKS: tuple[Callable[[Entry], Iterable[Finding]], ...] = (
    matcher_names_no_tool,
    matcher_value_unknown,
    rule_never_fits,
)
