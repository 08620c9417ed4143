"""Warn the user once about a configuration problem; `hookwright config check` repeats it."""

from __future__ import annotations

from _imp import source_hash

from hookwright.protocol import codec
from hookwright.protocol.capabilities import LEGAL
from hookwright.protocol.decisions import Decision
from hookwright.store.limits import claim_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.dispatch import DispatchResult


def add_problems(outcome: DispatchResult, problems: tuple[str, ...], state: str | None) -> None:
    """Add the problems to the answer as a message for the user, except those that an earlier answer had.

    A problem's text names its file, so that the same problem of another project is told too.
    """
    event = outcome.event.hook_event_name
    if "message" not in LEGAL.get(event, ()):
        return
    new = [problem for problem in problems if claim_notice(state, problem)]
    if not new:
        return
    notice = Decision(message="[hookwright] " + "\n".join(new))
    decision = notice if outcome.decision is None else outcome.decision & notice
    outcome.decision = decision
    outcome.stdout, outcome.stderr, outcome.exit_code = codec.encode_answer(event, decision, outcome.updated_input)


def claim_notice(state: str | None, text: str) -> bool:
    """True for the first process that calls this with the text; always False without a state directory."""
    return bool(state) and claim_file(f"{state}/told/{source_hash(0, text.encode('utf-8', 'replace')).hex()}")
