"""Resolve the questions of one call: answer them as the user has decided, deny them, or ask.

questions, preferences, presence → [resolve_questions] → CallResolution
All or nothing: one question to ask means that all are asked. In doubt ask; always ask irreversible questions.
"""

from __future__ import annotations

from hookwright.hooks.questions.normalize import label_key
from hookwright.hooks.questions.preferences import ALWAYS_ASK, ANSWER, QuestionOrigin, find_preference
from hookwright.hooks.questions.recommend import find_recommended

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from typing import Any

    from hookwright.hooks.questions.preferences import Preference
    from hookwright.hooks.questions.question import Question

ASK = "ask"
TAKE_RECOMMENDED = "recommended"
DENY = "deny"
UNDECIDED = (ASK, TAKE_RECOMMENDED, DENY)  # what may happen to a question that no preference decides


class Resolution:
    """What happens to one question, and why."""

    __slots__ = ("answer", "irreversible", "preference", "question", "recommended", "verdict", "why")

    def __init__(self, question: Question) -> None:
        self.question = question
        self.recommended = find_recommended(question)
        self.irreversible: tuple[str, str] | None = None  # id of the rule and the words it matched, once checked
        self.verdict = ASK  # ask | answer | deny
        self.answer = ""  # exactly what is sent to the client
        self.preference: Preference | None = None
        self.why = ""

    def check_irreversible(self, own_words: Iterable[str]) -> Resolution:
        """Ask an irreversible question, whatever else was decided."""
        from hookwright.hooks.questions.irreversible import explain_match, find_irreversible  # noqa: PLC0415  a question that is asked anyway needs no rules

        self.irreversible = find_irreversible(self.question, own_words)
        return self if self.irreversible is None else self.set_ask(f"it is {explain_match(self.irreversible)}")

    def set_ask(self, why: str) -> Resolution:
        self.verdict, self.answer, self.why = ASK, "", why
        return self

    def set_answer(self, answer: str, why: str) -> Resolution:
        self.verdict, self.answer, self.why = ANSWER, answer, why
        return self


class CallResolution:
    """What happens to the whole call."""

    __slots__ = ("parts", "verdict")

    def __init__(self, parts: list[Resolution]) -> None:
        self.parts = parts
        verdicts = {part.verdict for part in parts}
        self.verdict = ASK if not parts or ASK in verdicts else DENY if DENY in verdicts else ANSWER

    @property
    def answers(self) -> dict[str, str]:
        return {part.question.text: part.answer for part in self.parts}


def _no_uses(preference: str) -> int:
    return 0


def resolve_questions(
    questions: Sequence[Question],
    scopes: Sequence[Sequence[Preference]],
    *,
    now: float,
    origin: QuestionOrigin | None = None,
    used: Callable[[str], int] = _no_uses,
    undecided: str = ASK,
    own_words: Iterable[str] = (),
) -> CallResolution:
    origin = origin or QuestionOrigin()
    own_words = tuple(own_words)
    parts = []
    for question in questions:
        part = _resolve_question(Resolution(question), scopes, origin, now, used, undecided)
        # Last, so that no answer skips the rules.
        parts.append(part if part.verdict == ASK else part.check_irreversible(own_words))
    return CallResolution(parts)


def _resolve_question(
    part: Resolution,
    scopes: Sequence[Sequence[Preference]],
    origin: QuestionOrigin,
    now: float,
    used: Callable[[str], int],
    undecided: str,
) -> Resolution:
    question = part.question
    if question.problem:
        return part.set_ask(question.problem)
    part.preference, contradiction = find_preference(scopes, question, origin, now, used)
    if contradiction:
        return part.set_ask(contradiction)
    if part.preference is not None:
        return _apply_preference(part, part.preference)
    if undecided == TAKE_RECOMMENDED:
        return _take_recommended(part)
    if undecided == DENY:
        part.verdict, part.why = DENY, "no preference decides it"
        return part
    return part.set_ask("no preference decides it")


def _apply_preference(part: Resolution, preference: Preference) -> Resolution:
    value = preference["value"]
    if value == ALWAYS_ASK:
        return part.set_ask("the preference says so")
    if value != ANSWER:
        return _take_recommended(part)
    text, labels = preference.get("text"), preference.get("answer")
    if isinstance(text, str) and text.strip() and not labels:
        return part.set_answer(text, "the preference gives the words")
    return _answer_with_labels(part, labels)


def _take_recommended(part: Resolution) -> Resolution:
    if part.recommended is None:
        return part.set_ask("it does not recommend exactly one option")
    return _choose_options(part, [part.recommended], "it is the recommended option")


def _answer_with_labels(part: Resolution, labels: Any) -> Resolution:
    """Answer with the options that the preference names, if the question has all of them and allows that many."""
    question = part.question
    if not isinstance(labels, list) or not labels or not all(isinstance(label, str) for label in labels):
        return part.set_ask("the preference names no option")
    places = []
    for label in labels:
        place = index_of(question, label)
        if place is None:
            return part.set_ask(f"the preferred option \u201c{label}\u201d is not there")
        places.append(place)
    return _choose_options(part, sorted(set(places)), "the preference names it")


def index_of(question: Question, label: str) -> int | None:
    """Index of the option with this label, ignoring case, spacing and "(recommended)"."""
    wanted = label_key(label)
    return question.keys.index(wanted) if wanted in question.keys else None


def _choose_options(part: Resolution, places: list[int], why: str) -> Resolution:
    question = part.question
    labels = [question.labels[place] for place in places]
    if not question.multi:
        if len(labels) != 1:
            return part.set_ask("the preference names several options, the question takes one")
        return part.set_answer(labels[0], why)
    if any("," in label for label in labels):
        # The client joins labels with commas, so the answer would be ambiguous.
        return part.set_ask("a label contains a comma, which is ambiguous in a multiple choice")
    return part.set_answer(", ".join(labels), why)
