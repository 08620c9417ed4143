"""Which preference a question meets.

question, place, preferences → [find] → the one preference that speaks, none, or a contradiction
The project's before the user's; within these an id before a fingerprint before a wording before a pattern.
What does not fit in every named condition does not speak, and two that disagree make the user speak.
"""

from __future__ import annotations

from hookwright.questions.text import key, normal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from hookwright.questions.question import Question

    Preference = Mapping[str, Any]

ALWAYS_ASK = "always-ask"
NEVER_ASK = "never-ask"  # take the recommended option
ANSWER = "answer"
ONE_WAY_ONLY = "ask-only-for-one-way"
VALUES = (ALWAYS_ASK, NEVER_ASK, ANSWER, ONE_WAY_ONLY)

# How a preference names its question, the most certain way first; the other conditions narrow it further.
KINDS = ("id", "fingerprint", "question", "pattern")
CONDITIONS = ("header", "options", "skill", "agent", "server")


class Place:
    """Where a question is asked: by which skill, which agent, through which MCP server."""

    __slots__ = ("_skill", "agent", "server")

    def __init__(
        self, agent: str | None = None, server: str | None = None, skill: Callable[[], str | None] | None = None
    ) -> None:
        self.agent = agent
        self.server = server
        self._skill = skill

    @property
    def skill(self) -> str | None:
        """Looked up only when a preference wants to know."""
        return self._skill() if self._skill is not None else None


def kind_of(preference: Preference) -> int:
    """The place in KINDS of the way this preference names its question; beyond them if it names none."""
    match = preference.get("match")
    if isinstance(match, dict):
        for place, kind in enumerate(KINDS):
            if kind in match:
                return place
    return len(KINDS)


def is_live(preference: Preference, now: float, used: Callable[[str], int]) -> bool:
    """Not switched off, not expired, not used up."""
    if preference.get("disabled") is not False or preference.get("value") not in VALUES:
        return False
    expires, uses = preference.get("expires"), preference.get("uses")
    if expires is not None and not (isinstance(expires, (int, float)) and now < expires):
        return False
    identity = preference.get("id")
    if not isinstance(identity, str):
        return False
    return uses is None or (isinstance(uses, int) and used(identity) < uses)


def matches(preference: Preference, question: Question, place: Place) -> bool:
    match = preference.get("match")
    if not isinstance(match, dict) or kind_of(preference) == len(KINDS):
        return False
    return all(_holds(name, wanted, question, place) for name, wanted in match.items())


def _holds(name: str, wanted: Any, question: Question, place: Place) -> bool:
    if name == "options":
        return isinstance(wanted, list) and {key(label) for label in wanted} == set(question.keys)
    if not isinstance(wanted, str):
        return False
    if name == "id":
        return question.qid == wanted
    if name == "fingerprint":
        return question.fingerprint == wanted
    if name == "question":
        return normal(question.text) == normal(wanted)
    if name == "header":
        return normal(question.header) == normal(wanted)
    if name == "pattern":
        return _searched(wanted, question)
    if name in ("skill", "agent", "server"):
        return bool(getattr(place, name) == wanted)
    return False  # a condition of a later version: what cannot be checked does not hold


def _searched(pattern: str, question: Question) -> bool:
    import re  # noqa: PLC0415  only users of patterns pay for it

    try:
        found = re.compile(pattern, re.IGNORECASE)
    except re.error:
        return False
    return found.search(question.text) is not None or found.search(question.header) is not None


def find(
    scopes: Iterable[Iterable[Preference]],
    question: Question,
    place: Place,
    now: float,
    used: Callable[[str], int],
) -> tuple[Preference | None, str]:
    """The preference that speaks, or None and, where they contradict each other, the reason."""
    for scope in scopes:
        fitting = [
            preference
            for preference in scope
            if isinstance(preference, dict) and is_live(preference, now, used) and matches(preference, question, place)
        ]
        if not fitting:
            continue
        nearest = min(kind_of(preference) for preference in fitting)
        speaking = [preference for preference in fitting if kind_of(preference) == nearest]
        first = speaking[-1]  # the latest one that was set
        for other in speaking:
            if any(other.get(part) != first.get(part) for part in ("value", "answer", "text")):
                return None, f"preferences {first['id']} and {other['id']} contradict each other"
        return first, ""
    return None, ""
