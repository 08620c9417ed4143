"""Warn the user once about a configuration problem or a hook that cannot work; `hookwright config check` repeats it.

Failures of hooks also go to stderr, which Claude Code shows to nobody and `hookwright run` reads.
"""

from __future__ import annotations

from _imp import source_hash

from hookwright.protocol import codec
from hookwright.protocol.capabilities import LEGAL
from hookwright.protocol.decisions import Decision
from hookwright.store.limits import claim_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.dispatch import DispatchResult

FAILED = "hookwright: failed: "  # how such a line on stderr begins


def add_problems(outcome: DispatchResult, problems: tuple[str, ...], state: str | None) -> None:
    """Add the problems to the answer as a message for the user, except those that an earlier answer had.

    A problem's text names its file, so that the same problem of another project is told too.
    """
    _add_messages(outcome, problems, state)
    if outcome.failed and outcome.exit_code == 0:  # with exit code 2 stderr is the reason
        failures = [f"{FAILED}{row['hook']}: {row['failure']}\n" for row in outcome.trace if "failure" in row]
        outcome.stderr += "".join(failures).encode("utf-8", "replace")


def _add_messages(outcome: DispatchResult, problems: tuple[str, ...], state: str | None) -> None:
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
