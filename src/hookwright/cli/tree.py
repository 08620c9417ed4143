"""The explanation of a command as a small tree for a terminal; the same lines without colours in a pipe.

Explanation → [drawn] → lines
A call stands under the one that carries it (`ssh`, `sh -c`, `npm run`) or whose word holds it (`$(…)`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from rich.text import Text

from hookwright.cli.past import plain

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hookwright.cli.explained import Explanation
    from hookwright.shell.command import Call
    from hookwright.shell.duration import Judgement

COLOURS = {"force": "red", "suggest": "yellow", "none": "green", "deny": "bold red", "ask": "yellow", "rewrite": "cyan"}
WIDEST = 68  # columns of a call
NARROW = 40
ANSWER = 1200  # characters of an answer that are shown


def drawn(found: Explanation, folder: str, width: int = 0) -> Iterator[Text]:
    """The lines; `width` of the screen, 0 in a pipe."""
    yield Text(plain(found.text), style="bold")
    yield Text()
    yield from _calls(found, folder, max(NARROW, min(WIDEST, width // 2)) if width else WIDEST)
    if found.command.problem:
        yield Text(f"  not read to its end: {plain(found.command.problem)}", style="yellow")
    yield Text()
    yield _line("background", found.background["verdict"], found.background["reason"])
    learned = found.background["learned"]
    if learned:
        yield Text(
            f"{'':12}{learned['n']} runs here, median {learned['median_s']:.3g} s, 9 of 10 within "
            f"{learned['p90_s']:.3g} s"
        )
    yield from _guard(found)
    yield Text()
    yield Text("Hooks, in their order:" if found.hooks else "No hook listens.")
    for number, row in enumerate(found.hooks, 1):
        mode = "" if row["mode"] == "on" else f"  [{row['mode']}: not sent]"
        line = Text(f"  {number}. {row['hook']:16} ")
        line.append(row["verdict"], style=COLOURS.get(row["verdict"], ""))
        line.append(f"  {plain(row['reason'], 400)}{mode}" if row["reason"] else mode)
        yield line
    yield Text()
    if found.answer is None:
        yield Text("Sent: nothing")
        return
    yield Text("Sent:")
    yield Text("  " + plain(json.dumps(found.answer, ensure_ascii=False), ANSWER))


def _guard(found: Explanation) -> Iterator[Text]:
    guard = found.guard
    rule = f"[{guard['rule']}] " if guard["rule"] else ""
    yield _line("guard", guard["verdict"], rule + (guard["reason"] or "") or None)
    if guard["instead"]:
        yield Text(f"{'':12}instead: {plain(guard['instead'], 300)}")
    passed: dict[str, str] = {}
    for rule_id, call in found.looked:
        passed.setdefault(rule_id, plain(call.text, NARROW))
    for rule_id, text in passed.items():
        yield Text(f"{'':12}{rule_id} looked at `{text}` and let it pass", style="dim")


def _line(name: str, verdict: str, reason: str | None) -> Text:
    line = Text(f"{name:12}")
    line.append(verdict, style=COLOURS.get(verdict, ""))
    if reason:
        line.append(f"  {plain(reason, 600)}")
    return line


def _calls(found: Explanation, folder: str, widest: int) -> Iterator[Text]:
    rows = list(_rows(found.calls))
    column = min(widest, max((len(branch) + len(text) for branch, text, _ in rows), default=0))
    for branch, text, one in rows:
        shown = plain(text, widest - len(branch))
        line = Text("  " + branch, style="dim")
        line.append(shown, style="default not dim")
        line.append(" " * (column - len(branch) - len(shown) + 2))
        line.append(one.class_, style=COLOURS[one.verdict] + " not dim")
        notes = "; ".join(part for part in (one.evidence, *_around(one.call, folder)) if part)
        if notes:
            line.append(" " * (10 - len(one.class_)) + plain(notes, 200), style="not dim")
        yield line


def _rows(calls: list[Judgement]) -> Iterator[tuple[str, str, Judgement]]:
    """Branch lines, text and judgement of every call, carriers before what they carry."""
    known = {id(one.call): one for one in calls}
    below: dict[int, list[Judgement]] = {}
    for one in calls:
        above = one.call.owner or one.call.outer
        below.setdefault(id(above) if above is not None and id(above) in known else 0, []).append(one)

    def walk(parent: int, lead: str) -> Iterator[tuple[str, str, Judgement]]:
        children = below.get(parent, [])
        for number, one in enumerate(children):
            last = number == len(children) - 1
            branch = "" if not parent else lead + ("└ " if last else "├ ")
            yield branch, _text(one.call), one
            yield from walk(id(one.call), "" if not parent else lead + ("  " if last else "│ "))

    yield from walk(0, "")


def _text(call: Call) -> str:
    """The call with what joins it to the one before and the wrappers that were removed."""
    before = "| " if call.place.pipe is not None and call.place.stage else f"{call.joiner} " if call.joiner else ""
    wrapped = "".join(f"{wrapper.text} ⟩ " for wrapper in call.wrappers)
    opening = f"{call.substitution} " if call.substitution else ""
    return f"{before}{opening}{wrapped}{call.text or '(nothing but a redirection)'}{' &' if call.background else ''}"


def _around(call: Call, folder: str) -> Iterator[str]:
    """Where it stands, as far as that matters."""
    if call.remote:
        yield f"on {call.remote[0]} {call.remote[1]}"
    elif call.cwd is None:
        yield "in a folder that is not known"
    elif call.cwd != folder:
        yield f"in {call.cwd.removeprefix(folder + '/')}"
    loop = call.loop
    if loop is not None:
        turns = (
            "without end" if loop.endless else f"{loop.count} times" if loop.count is not None else "until it is done"
        )
        yield f"{loop.kind} loop, {turns}"
    if call.branch:
        yield "only " + ", ".join(
            dict.fromkeys(f"in `{why}`" if why.isalpha() else f"after `{why}`" for why in call.branch)
        )
    if call.writes:
        yield "writes " + ", ".join(str(word) for word in call.writes)
    if not call.literal:
        yield "holds what only the shell knows"
