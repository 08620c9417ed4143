"""Classifies sleeps and loops: how long a command waits, computed where its words are literal.

duration.py → [classify_waits, when a command sleeps or loops] → verdict
`for i in 1 2 3; do sleep 30; done` sleeps 90 s. `until curl …; do sleep 1; done` waits for something else and may
never end. A loop that may end early is only likely to take all its iterations.
"""

from __future__ import annotations

from hookwright.shell.call import parse_duration
from hookwright.shell.programs import BRIEF_S, runs_detached

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.redirects import Loop

    Wait = tuple[Call, str, str, str]  # the call that waits, verdict, kind of work, evidence

LONG_POLL_S = 120.0  # a polling loop that may take so long is surely long
NUMERIC_TESTS = frozenset("-lt -le -gt -ge -ne -eq".split())
UNKNOWN_ITERATIONS = 10  # assumed for a loop over unknown words
INFINITE = float("inf")


def classify_waits(calls: list[Call]) -> Wait | None:
    """The call that waits longest, with its verdict; None when no wait matters."""
    surely = perhaps = 0.0
    sleeper: Call | None = None
    sleeping = {id(loop) for call in calls if call.program == "sleep" for loop in enclosing_loops(call)}
    for call in calls:
        if not holds_foreground(call):
            continue
        loop = call.place.loop
        if loop is not None:
            found = classify_loop(call, loop, sleeping)
            if found is not None:
                return found
        if call.program != "sleep":
            continue
        seconds = sleep_seconds(call)
        if seconds == 0.0:
            continue
        sleeper = call
        if is_certain(call):
            surely += seconds * call.times
        else:
            iterations = call.times
            for around_it in enclosing_loops(call):
                if around_it.count is None and not around_it.endless:
                    iterations *= estimate_iterations(around_it) or 1
            perhaps += seconds * iterations
    if sleeper is None:
        return None
    if surely >= BRIEF_S:
        return (
            sleeper,
            "force",
            "sleep",
            f"sleeps {format_seconds(surely)} in all" if surely > sleep_seconds(sleeper) else "sleeps",
        )
    if surely + perhaps >= LONG_POLL_S:
        return sleeper, "force", "sleep", f"may wait {format_seconds(surely + perhaps)} in all"
    if surely + perhaps > BRIEF_S:
        return sleeper, "suggest", "sleep", f"may wait {format_seconds(surely + perhaps)} in all"
    return None


def holds_foreground(call: Call) -> bool:
    """Whether the foreground waits for the call."""
    if call.place.background or "function" in call.branch or (call.outer is not None and runs_detached(call)):
        return False
    limit = call.timeout_s
    if limit is not None and limit <= BRIEF_S:
        return False
    return not any(consumer.program == "head" for consumer in call.consumers)


def enclosing_loops(call: Call) -> list[Loop]:
    loops = []
    loop = call.place.loop
    while loop is not None:
        loops.append(loop)
        loop = loop.outer
    return loops


def classify_loop(call: Call, loop: Loop, sleeping: set[int]) -> Wait | None:
    """The classification of a call in a loop that does not end by itself; None for other loops."""
    sleeps = id(loop) in sleeping
    if loop.kind == "watch":
        return call, "force", "follow", "runs again and again under watch"
    if loop.endless:
        if not loop.breaks:
            return call, "force", "wait", "is in a loop without end"
        return call, "force" if sleeps else "suggest", "wait", "is in a loop that waits for something"
    if loop.kind in {"while", "until"} and loop.count is None and sleeps and estimate_iterations(loop) is None:
        return call, "force", "wait", "is in a loop that waits for something"
    return None


def estimate_iterations(loop: Loop) -> int | None:
    """The iterations of a loop that ends by itself, known or assumed; None: it waits for something else."""
    if loop.count is not None:
        return loop.count
    if loop.kind not in {"while", "until"}:
        return UNKNOWN_ITERATIONS
    if not loop.condition:
        return UNKNOWN_ITERATIONS  # (( … )) or [[ … ]] of variables alone
    if loop.condition[0].program == "read":
        return UNKNOWN_ITERATIONS
    for test in loop.condition:
        if test.program in {"[", "test"} and not NUMERIC_TESTS.isdisjoint(test.words):
            numbers = [int(word) for word in test.words if word.isdigit()]
            if numbers or len(loop.condition) == 1:
                return numbers[0] if numbers else UNKNOWN_ITERATIONS
    return None


def sleep_seconds(call: Call) -> float:
    """Seconds of one sleep: the sum of its operands; unknown ones count as 0."""
    total = 0.0
    for word in call.operands():
        total += parse_duration([word]) or 0.0
    return total


def is_certain(call: Call) -> bool:
    """Whether it surely runs as often as its loops iterate."""
    skips = [why for why in call.branch if why not in {"while", "until"}]
    return not skips and all(loop.count is not None and not loop.breaks for loop in enclosing_loops(call))


def format_seconds(seconds: float) -> str:
    if seconds == INFINITE:
        return "for ever"
    return f"{seconds:g} s" if seconds < 120 else f"{seconds / 60:.3g} min"
