"""Sleeps and loops: what a command waits for by itself, counted out where its words tell.

duration.py → [this, when a command sleeps or loops] → Judgement
`for i in 1 2 3; do sleep 30; done` sleeps 90 s. `until curl …; do sleep 1; done` waits for something else and may
never end. A loop that can be left early counts only as far as it may go.
"""

from __future__ import annotations

from hookwright.shell.command import duration
from hookwright.shell.duration import BRIEF_S, Judgement, leaves

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.parts import Loop

LONG_POLL_S = 120.0  # a polling loop that may go on for so long is surely long
COUNTS = frozenset("-lt -le -gt -ge -ne -eq".split())
UNKNOWN_TURNS = 10  # turns that a loop over unknown words is thought to take
INFINITE = float("inf")


def waited(calls: list[Call]) -> Judgement | None:
    """What the sleeps and loops of a command come to; None when it is not worth a word."""
    surely = perhaps = 0.0
    sleeper: Call | None = None
    sleeping = {id(loop) for call in calls if call.program == "sleep" for loop in around(call)}
    for call in calls:
        if not holds(call):
            continue
        loop = call.place.loop
        if loop is not None:
            found = looped(call, loop, sleeping)
            if found is not None:
                return found
        if call.program != "sleep":
            continue
        seconds = slept(call)
        if seconds == 0.0:
            continue
        sleeper = call
        if certain(call):
            surely += seconds * call.times
        else:
            turns = call.times
            for around_it in around(call):
                if around_it.count is None and not around_it.endless:
                    turns *= turns_of(around_it) or 1
            perhaps += seconds * turns
    if sleeper is None:
        return None
    if surely >= BRIEF_S:
        return Judgement(
            sleeper, "force", "sleep", f"sleeps {said(surely)} in all" if surely > slept(sleeper) else "sleeps"
        )
    if surely + perhaps >= LONG_POLL_S:
        return Judgement(sleeper, "force", "sleep", f"may wait {said(surely + perhaps)} in all")
    if surely + perhaps > BRIEF_S:
        return Judgement(sleeper, "suggest", "sleep", f"may wait {said(surely + perhaps)} in all")
    return None


def noted(judgements: list[Judgement]) -> None:
    """Write what is known of sleeps and loops to the judgements of the calls that they are about."""
    found = waited([judgement.call for judgement in judgements])
    for judgement in judgements:
        if judgement.call.program == "sleep" and not judgement.evidence:
            judgement.work = "sleep"
            judgement.evidence = "sleeps " + said(slept(judgement.call) * judgement.call.times)
        if found is not None and judgement.call is found.call:
            judgement.verdict, judgement.work, judgement.evidence = found.verdict, found.work, found.evidence


def holds(call: Call) -> bool:
    """Whether the foreground waits for it."""
    if call.place.background or "function" in call.branch or (call.outer is not None and leaves(call)):
        return False
    limit = call.timeout_s
    if limit is not None and limit <= BRIEF_S:
        return False
    return not any(consumer.program == "head" for consumer in call.consumers)


def around(call: Call) -> list[Loop]:
    loops = []
    loop = call.place.loop
    while loop is not None:
        loops.append(loop)
        loop = loop.outer
    return loops


def looped(call: Call, loop: Loop, sleeping: set[int]) -> Judgement | None:
    """Loops that do not end by themselves."""
    sleeps = id(loop) in sleeping
    if loop.kind == "watch":
        return Judgement(call, "force", "follow", "runs again and again under watch")
    if loop.endless:
        if not loop.breaks:
            return Judgement(call, "force", "wait", "is in a loop without end")
        return Judgement(call, "force" if sleeps else "suggest", "wait", "is in a loop that waits for something")
    if loop.kind in {"while", "until"} and loop.count is None and sleeps and turns_of(loop) is None:
        return Judgement(call, "force", "wait", "is in a loop that waits for something")
    return None


def turns_of(loop: Loop) -> int | None:
    """Turns of a loop that ends by itself: known, or thought of one that counts or reads; None: it waits."""
    if loop.count is not None:
        return loop.count
    if loop.kind not in {"while", "until"}:
        return UNKNOWN_TURNS
    if not loop.condition:
        return UNKNOWN_TURNS  # (( … )) or [[ … ]] of variables alone
    if loop.condition[0].program == "read":
        return UNKNOWN_TURNS
    for test in loop.condition:
        if test.program in {"[", "test"} and not COUNTS.isdisjoint(test.words):
            numbers = [int(word) for word in test.words if word.isdigit()]
            if numbers or len(loop.condition) == 1:
                return numbers[0] if numbers else UNKNOWN_TURNS
    return None


def slept(call: Call) -> float:
    """Seconds of one sleep: its words are added up; what is not known counts nothing."""
    total = 0.0
    for word in call.operands():
        total += duration([word]) or 0.0
    return total


def certain(call: Call) -> bool:
    """Whether it surely runs as often as its loops tell."""
    skips = [why for why in call.branch if why not in {"while", "until"}]
    return not skips and all(loop.count is not None and not loop.breaks for loop in around(call))


def said(seconds: float) -> str:
    if seconds == INFINITE:
        return "for ever"
    return f"{seconds:g} s" if seconds < 120 else f"{seconds / 60:.3g} min"
