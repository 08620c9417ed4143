"""Whether the words of a call name a production system; rules are stricter then, and milder for test systems."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call

MARKS = frozenset(("prod", "production", "prd", "live"))
TRIALS = frozenset(("dev", "development", "test", "testing", "tests", "local", "localhost", "staging",
                    "stage", "sandbox", "demo", "scratch", "tmp", "ci", "127"))  # fmt: skip


def names_production(call: Call) -> bool:
    return any(not MARKS.isdisjoint(split_name(word)) for word in (*call.args, *call.env.values()))


def names_trial(call: Call) -> bool:
    """Whether it names a development or test system."""
    return any(not TRIALS.isdisjoint(split_name(word)) for word in call.args)


def split_name(word: str) -> list[str]:
    """`prod-db.eu` → prod, db, eu; of an option, only its value."""
    text = (word if word[:1] != "-" else word.partition("=")[2]).lower()
    for mark in "-_./:=@":
        text = text.replace(mark, " ")
    return text.split()
