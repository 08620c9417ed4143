"""Tells the user once that the configuration has a problem; afterwards `config check` knows it."""

from __future__ import annotations

import posix
from _imp import source_hash

from hookwright.protocol import wire
from hookwright.protocol.decisions import Decision
from hookwright.protocol.legal import LEGAL
from hookwright.state.paths import make_private

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.dispatch import Outcome


def add_problem(outcome: Outcome, problem: str, state: str | None) -> None:
    """Put the problem into the answer as a message for the user, if nobody has told it yet."""
    event = outcome.event.hook_event_name
    if "message" not in LEGAL.get(event, ()) or not first_time(state, problem):
        return
    told = Decision(message=f"[hookwright] {problem}")
    decision = told if outcome.decision is None else outcome.decision & told
    outcome.decision = decision
    outcome.stdout, outcome.stderr, outcome.exit_code = wire.encode(event, decision, outcome.updated_input)


def first_time(state: str | None, text: str) -> bool:
    """True for the first process that asks about this text. Without a place to remember: never."""
    if state is None or not make_private(state + "/told"):
        return False
    name = source_hash(0, text.encode("utf-8", "replace")).hex()
    try:
        posix.close(posix.open(f"{state}/told/{name}", posix.O_CREAT | posix.O_EXCL | posix.O_WRONLY, 0o600))
    except OSError:
        return False
    return True
