"""One call's questions, settled: answered as the user has decided, refused as the user has chosen, or asked.

questions, preferences, presence → [settle] → Settled
All or nothing. Asked is the answer to every doubt; a one-way door is always asked.
"""

from __future__ import annotations

from hookwright.questions.preferences import ALWAYS_ASK, ANSWER, Place, find
from hookwright.questions.recommend import recommended
from hookwright.questions.text import key

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from hookwright.questions.preferences import Preference
    from hookwright.questions.question import Question

ASK = "ask"
TAKE_RECOMMENDED = "recommended"
DENY = "deny"
UNDECIDED = (ASK, TAKE_RECOMMENDED, DENY)  # what may happen to a question that no preference decides


class Part:
    """What becomes of one question, and why."""

    __slots__ = ("answer", "door", "preference", "question", "recommended", "verdict", "why")

    def __init__(self, question: Question) -> None:
        self.question = question
        self.recommended = recommended(question)
        self.door: tuple[str, str] | None = None  # the rule of the one-way door and what it saw, once looked for
        self.verdict = ASK  # ask | answer | deny
        self.answer = ""  # exactly what the client is given
        self.preference: Preference | None = None
        self.why = ""

    def look_for_door(self, own_words: Iterable[str]) -> Part:
        """Is it a one-way door? Then it is asked, whatever else was decided."""
        from hookwright.questions.one_way import door, explained  # noqa: PLC0415  a question that is asked anyway needs no rules

        self.door = door(self.question, own_words)
        return self if self.door is None else self.asked(f"it is {explained(self.door)}")

    def asked(self, why: str) -> Part:
        self.verdict, self.answer, self.why = ASK, "", why
        return self

    def answered(self, answer: str, why: str) -> Part:
        self.verdict, self.answer, self.why = ANSWER, answer, why
        return self


class Settled:
    """What becomes of the whole call."""

    __slots__ = ("parts", "verdict")

    def __init__(self, parts: list[Part]) -> None:
        self.parts = parts
        verdicts = {part.verdict for part in parts}
        self.verdict = ASK if not parts or ASK in verdicts else DENY if DENY in verdicts else ANSWER

    @property
    def answers(self) -> dict[str, str]:
        return {part.question.text: part.answer for part in self.parts}


def _never(preference: str) -> int:
    return 0


def settle(
    questions: Sequence[Question],
    scopes: Sequence[Sequence[Preference]],
    *,
    now: float,
    place: Place | None = None,
    used: Callable[[str], int] = _never,
    undecided: str = ASK,
    own_words: Iterable[str] = (),
) -> Settled:
    place = place or Place()
    own_words = tuple(own_words)
    parts = []
    for question in questions:
        part = _settled(Part(question), scopes, place, now, used, undecided)
        # The last gate: nothing passes it that the rules have not seen.
        parts.append(part if part.verdict == ASK else part.look_for_door(own_words))
    return Settled(parts)


def _settled(
    part: Part,
    scopes: Sequence[Sequence[Preference]],
    place: Place,
    now: float,
    used: Callable[[str], int],
    undecided: str,
) -> Part:
    question = part.question
    if question.trouble:
        return part.asked(question.trouble)
    part.preference, contradiction = find(scopes, question, place, now, used)
    if contradiction:
        return part.asked(contradiction)
    if part.preference is not None:
        return _as_preferred(part, part.preference)
    if undecided == TAKE_RECOMMENDED:
        return _as_recommended(part)
    if undecided == DENY:
        part.verdict, part.why = DENY, "no preference decides it"
        return part
    return part.asked("no preference decides it")


def _as_preferred(part: Part, preference: Preference) -> Part:
    value = preference["value"]
    if value == ALWAYS_ASK:
        return part.asked("the preference says so")
    if value != ANSWER:
        return _as_recommended(part)
    text, labels = preference.get("text"), preference.get("answer")
    if isinstance(text, str) and text.strip() and not labels:
        return part.answered(text, "the preference gives the words")
    return _with_labels(part, labels)


def _as_recommended(part: Part) -> Part:
    if part.recommended is None:
        return part.asked("it does not recommend exactly one option")
    return _chosen(part, [part.recommended], "it is the recommended option")


def _with_labels(part: Part, labels: Any) -> Part:
    """The options that the preference names, if the question has all of them and can take that many."""
    question = part.question
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) for label in labels):
        return part.asked("the preference names no option")
    places = []
    for label in labels:
        place = place_of(question, label)
        if place is None:
            return part.asked(f"the preferred option \u201c{label}\u201d is not there")
        places.append(place)
    return _chosen(part, sorted(set(places)), "the preference names it")


def place_of(question: Question, label: str) -> int | None:
    """The option that this label means: spelled the same but for case, spacing and "(recommended)"."""
    wanted = key(label)
    return question.keys.index(wanted) if wanted in question.keys else None


def _chosen(part: Part, places: list[int], why: str) -> Part:
    question = part.question
    labels = [question.labels[place] for place in places]
    if not question.multi:
        if len(labels) != 1:
            return part.asked("the preference names several options, the question takes one")
        return part.answered(labels[0], why)
    if any("," in label for label in labels):
        # The client joins labels with commas: nobody could tell where one ends.
        return part.asked("a label with a comma cannot be told apart in a multiple choice")
    return part.answered(", ".join(labels), why)
