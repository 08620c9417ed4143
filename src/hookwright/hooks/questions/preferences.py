"""Find the preference that applies to a question.

question, origin, preferences → [find_preference] → one preference, none, or a contradiction
Precedence: project before user; within these id, fingerprint, wording, pattern. All conditions of a preference must
hold, and if two of equal rank disagree, the user is asked.
"""

from __future__ import annotations

from hookwright.hooks.questions.normalize import label_key, normalize_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any

    from hookwright.hooks.questions.question import Question

    Preference = Mapping[str, Any]

ALWAYS_ASK = "always-ask"
NEVER_ASK = "never-ask"  # take the recommended option
ANSWER = "answer"
ONE_WAY_ONLY = "ask-only-for-one-way"
VALUES = (ALWAYS_ASK, NEVER_ASK, ANSWER, ONE_WAY_ONLY)

# Ways to identify a question, most specific first; CONDITIONS narrow it further.
KINDS = ("id", "fingerprint", "question", "pattern")
CONDITIONS = ("header", "options", "skill", "agent", "server")


class QuestionOrigin:
    """Who asks a question: which skill, which agent, which MCP server."""

    __slots__ = ("_skill", "agent", "server")

    def __init__(
        self, agent: str | None = None, server: str | None = None, skill: Callable[[], str | None] | None = None
    ) -> None:
        self.agent = agent
        self.server = server
        self._skill = skill

    @property
    def skill(self) -> str | None:
        """Looked up only if a preference has this condition."""
        return self._skill() if self._skill is not None else None


def match_rank(preference: Preference) -> int:
    """Index in KINDS of how this preference identifies its question; len(KINDS) if it does not."""
    match = preference.get("match")
    if isinstance(match, dict):
        for place, kind in enumerate(KINDS):
            if kind in match:
                return place
    return len(KINDS)


def is_active(preference: Preference, now: float, used: Callable[[str], int]) -> bool:
    """True if it is not disabled, not expired and not used up."""
    if preference.get("disabled") is not False or preference.get("value") not in VALUES:
        return False
    expires, uses = preference.get("expires"), preference.get("uses")
    if expires is not None and not (isinstance(expires, (int, float)) and now < expires):
        return False
    identity = preference.get("id")
    if not isinstance(identity, str):
        return False
    return uses is None or (isinstance(uses, int) and used(identity) < uses)


def matches_question(preference: Preference, question: Question, origin: QuestionOrigin) -> bool:
    match = preference.get("match")
    if not isinstance(match, dict) or match_rank(preference) == len(KINDS):
        return False
    return all(_condition_holds(name, wanted, question, origin) for name, wanted in match.items())


def _condition_holds(name: str, wanted: Any, question: Question, origin: QuestionOrigin) -> bool:
    if name == "options":
        return isinstance(wanted, list) and {label_key(label) for label in wanted} == set(question.keys)
    if not isinstance(wanted, str):
        return False
    if name == "id":
        return question.qid == wanted
    if name == "fingerprint":
        return question.fingerprint == wanted
    if name == "question":
        return normalize_text(question.text) == normalize_text(wanted)
    if name == "header":
        return normalize_text(question.header) == normalize_text(wanted)
    if name == "pattern":
        return _pattern_matches(wanted, question)
    if name in ("skill", "agent", "server"):
        return bool(getattr(origin, name) == wanted)
    return False  # a condition of a later version cannot be checked, so it does not hold


def _pattern_matches(pattern: str, question: Question) -> bool:
    import re  # noqa: PLC0415  only for preferences with a pattern

    try:
        found = re.compile(pattern, re.IGNORECASE)
    except re.error:
        return False
    return found.search(question.text) is not None or found.search(question.header) is not None


def find_preference(
    scopes: Iterable[Iterable[Preference]],
    question: Question,
    origin: QuestionOrigin,
    now: float,
    used: Callable[[str], int],
) -> tuple[Preference | None, str]:
    """The preference that applies, or None with the reason if preferences contradict each other."""
    for scope in scopes:
        matching = [
            preference
            for preference in scope
            if isinstance(preference, dict)
            and is_active(preference, now, used)
            and matches_question(preference, question, origin)
        ]
        if not matching:
            continue
        best = min(match_rank(preference) for preference in matching)
        candidates = [preference for preference in matching if match_rank(preference) == best]
        first = candidates[-1]  # the most recently set
        for other in candidates:
            if any(other.get(part) != first.get(part) for part in ("value", "answer", "text")):
                return None, f"preferences {first['id']} and {other['id']} contradict each other"
        return first, ""
    return None, ""
