"""How `hookwright explain` shows an explanation: the calls as a tree, the verdicts, the hooks, the answer.

Explanation → [this] → lines
A call stands below the one that runs it (`ssh`, `sh -c`, `npm run`) or whose word holds it (`$(…)`).
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from hookwright.cli.output import Styled, bold, dim, print_line, screen_width
from hookwright.cli.text import count, escape_line

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookwright.cli.explainer import Explanation
    from hookwright.shell.command import Call
    from hookwright.shell.duration import CallClass

COLOURS = {
    "force": "red",
    "suggest": "yellow",
    "none": "green",
    "deny": "bold red",
    "ask": "yellow",
    "rewrite": "cyan",
    "allow": "green",
}
MAX_CALL_WIDTH = 68  # columns
MIN_CALL_WIDTH = 40
WHAT_HAPPENS = {"deny": "denies it", "ask": "asks you", "allow": "runs it without asking"}
LABEL = 12  # columns before a verdict


def show_explanation(found: Explanation, folder: str) -> None:
    print_line(bold(found.text))
    print_line()
    is_terminal = sys.stdout.isatty()
    widest = max(MIN_CALL_WIDTH, min(MAX_CALL_WIDTH, screen_width() // 2)) if is_terminal else MAX_CALL_WIDTH
    _show_calls(found, folder, widest)
    if found.command.problem:
        print_line(Styled(f"  not parsed to its end: {found.command.problem}", "yellow"))
    print_line()
    _show_background(found.background)
    learned = found.background["learned"]
    if learned:
        runs = count(learned["n"], "run")
        times = f"median {learned['median_s']:.3g} s, 9 of 10 within {learned['p90_s']:.3g} s"
        print_line(f"{'':{LABEL}}{runs} here, {times}", hang=LABEL)
    _show_guard(found)
    if found.approve["verdict"] == "allow":
        _show_verdict("approve", "allow", found.approve["reason"])
    print_line()
    print_line("Hooks, in order:" if found.hooks else "No hook listens to this event.")
    shown = (found.background["reason"], found.guard["reason"])  # above; not repeated
    for number, row in enumerate(found.hooks, 1):
        mode = "" if row["mode"] == "on" else f"  [{row['mode']}: not sent]"
        verdict = Styled(row["verdict"], COLOURS.get(row["verdict"], ""))
        reason = f"  {escape_line(row['reason'], 400)}" if row["reason"] and row["reason"] not in shown else ""
        print_line(f"  {number}. {row['hook']:16} ", verdict, reason + mode, hang=22)
    print_line()
    print_line(
        "Claude Code ", bold(_describe_answer(found.answer)), dim("  (what is sent: --json)" if found.answer else "")
    )


def _describe_answer(answer: dict[str, Any] | None) -> str:
    """What the client does with the answer, after "Claude Code"."""
    specific = (answer or {}).get("hookSpecificOutput", {})
    permission = specific.get("permissionDecision")
    if permission in WHAT_HAPPENS:
        return WHAT_HAPPENS[permission]
    if specific.get("updatedInput", {}).get("run_in_background"):
        return "runs it in the background"
    if "updatedInput" in specific:
        return "runs it, changed"
    return "runs it as it is" + (", and Claude is told something" if "additionalContext" in specific else "")


def _show_background(background: dict[str, Any]) -> None:
    verdict, reason = background["verdict"], background["reason"]
    if background["mode"] == "off":
        would = f"; it would say {verdict}: {reason}" if verdict != "none" else ""
        _show_verdict("background", "off", f"auto_background is off here{would}")
    else:
        _show_verdict("background", verdict, reason)


def _show_guard(found: Explanation) -> None:
    guard = found.guard
    reason = guard["reason"] or ""
    rule = f"[{guard['rule']}] " if guard["rule"] and guard["rule"] not in reason else ""
    _show_verdict("guard", guard["verdict"], rule + reason or None)
    if guard["instead"] and guard["instead"] not in reason:
        print_line(f"{'':{LABEL}}instead: {escape_line(guard['instead'], 300)}", hang=LABEL)
    passed: dict[str, str] = {}
    for rule_id, call in found.passed_rules:
        passed.setdefault(rule_id, escape_line(call.text, MIN_CALL_WIDTH))
    for rule_id, text in passed.items():
        print_line(dim(f"{'':{LABEL}}{rule_id} checked `{text}` and let it pass"), hang=LABEL)


def _show_verdict(name: str, verdict: str, reason: str | None) -> None:
    styled = Styled(verdict, COLOURS.get(verdict, ""))
    print_line(f"{name:{LABEL}}", styled, f"  {escape_line(reason, 600)}" if reason else "", hang=LABEL)


def _show_calls(found: Explanation, folder: str, widest: int) -> None:
    rows = list(_tree_rows(found.calls))
    column = min(widest, max((len(branch) + len(text) for branch, text, _ in rows), default=0))
    for branch, text, one in rows:
        shown = escape_line(text, widest - len(branch))
        padding = " " * (column - len(branch) - len(shown) + 2)
        notes = "; ".join(part for part in (one.evidence, *_call_notes(one.call, folder)) if part)
        if notes:
            notes = " " * (10 - len(one.class_)) + escape_line(notes, 200)
        verdict = Styled(one.class_, COLOURS[one.verdict])
        print_line(dim("  " + branch), shown + padding, verdict, notes, hang=column + 14)


def _tree_rows(calls: list[CallClass]) -> Iterator[tuple[str, str, CallClass]]:
    """Branch characters, text and classification of every call, each before the calls below it."""
    known = {id(one.call): one for one in calls}
    below: dict[int, list[CallClass]] = {}
    for one in calls:
        above = one.call.owner or one.call.outer
        below.setdefault(id(above) if above is not None and id(above) in known else 0, []).append(one)

    def walk_children(parent: int, lead: str) -> Iterator[tuple[str, str, CallClass]]:
        children = below.get(parent, [])
        for number, one in enumerate(children):
            last = number == len(children) - 1
            branch = "" if not parent else lead + ("└ " if last else "├ ")
            yield branch, _format_call(one.call), one
            yield from walk_children(id(one.call), "" if not parent else lead + ("  " if last else "│ "))

    yield from walk_children(0, "")


def _format_call(call: Call) -> str:
    """The call, with the operator before it and the wrappers that were stripped (`sudo ⟩`)."""
    before = "| " if call.place.pipe is not None and call.place.stage else f"{call.joiner} " if call.joiner else ""
    wrapped = "".join(f"{wrapper.text} ⟩ " for wrapper in call.wrappers)
    substitution = f"{call.substitution} " if call.substitution else ""
    return f"{before}{substitution}{wrapped}{call.text or '(only a redirection)'}{' &' if call.background else ''}"


def _call_notes(call: Call, folder: str) -> Iterator[str]:
    """Where and under which condition it runs, as far as that matters."""
    if call.remote:
        yield f"on {call.remote[0]} {call.remote[1]}"
    elif call.cwd is None:
        yield "in an unknown directory"
    elif call.cwd != folder:
        yield f"in {call.cwd.removeprefix(folder + '/')}"
    loop = call.loop
    if loop is not None:
        turns = "endless" if loop.endless else count(loop.count, "time") if loop.count is not None else "until done"
        yield f"{loop.kind} loop, {turns}"
    if call.branch:
        yield "only " + ", ".join(
            dict.fromkeys(f"in `{why}`" if why.isalpha() else f"after `{why}`" for why in call.branch)
        )
    if call.writes:
        yield "writes " + ", ".join(str(word) for word in call.writes)
    if not call.literal:
        yield "has words that only the shell can expand"
