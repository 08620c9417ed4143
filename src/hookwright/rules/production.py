"""Whether a call names production: then what is asked about elsewhere is refused."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call

MARKS = frozenset(("prod", "production", "prd", "live"))
TRIALS = frozenset(("dev", "development", "test", "testing", "tests", "local", "localhost", "staging",
                    "stage", "sandbox", "demo", "scratch", "tmp", "ci", "127"))  # fmt: skip


def names_production(call: Call) -> bool:
    return any(not MARKS.isdisjoint(pieces(word)) for word in (*call.args, *call.env.values()))


def names_trial(call: Call) -> bool:
    """A development or test copy, by its name."""
    return any(not TRIALS.isdisjoint(pieces(word)) for word in call.args)


def pieces(word: str) -> list[str]:
    """`prod-db.eu` → prod, db, eu; of an option only its value."""
    text = (word if word[:1] != "-" else word.partition("=")[2]).lower()
    for mark in "-_./:=@":
        text = text.replace(mark, " ")
    return text.split()
