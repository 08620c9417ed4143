"""What the journal keeps of a question, and of its answer.

PreToolUse → [asked_row], PostToolUse → [answered_rows] → the record's `questions`
Every question of the call has its row; texts are clipped so that four questions with four options always fit.
"""

from __future__ import annotations

from hookwright.questions.settle import place_of
from hookwright.questions.text import clipped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.questions.question import Question
    from hookwright.questions.settle import Part

QUESTION, HEADER, LABEL, ANSWER, NOTES = 500, 60, 80, 400, 200  # characters that are kept, of one question alone
OPTIONS = 8

USER, PREFERENCE, HEADLESS = "user", "preference", "headless"


def asked_row(part: Part, many: int) -> dict[str, Any]:
    """What was asked, and what the user's decisions made of it."""
    return {
        **_shape(part, many),
        "verdict": part.verdict,
        "because": clipped(part.why, _room(NOTES, many)),
        "preference": part.preference.get("id") if part.preference else None,
    }


def answered_row(part: Part, many: int, answer: str | None, notes: str, mark: Mapping[str, Any]) -> dict[str, Any]:
    """What was answered. `mark` says who did it; without one it was the user, since we leave one before we answer."""
    question = part.question
    ours = mark.get("by") is not None and answer is not None and answer.split() == str(mark.get("answer")).split()
    chosen, free_text = read_answer(question, answer)
    recommended = part.recommended
    return {
        **_shape(part, many),
        "answer": None if answer is None else clipped(answer, _room(ANSWER, many)),
        "labels": [clipped(question.labels[place], _room(LABEL, many)) for place in chosen[:OPTIONS]],
        "free_text": free_text,
        "notes": clipped(notes, _room(NOTES, many)) or None,
        "answered_by": mark["by"] if ours else USER,
        "preference": mark.get("preference") if ours else None,
        "followed": None if recommended is None or answer is None else chosen == [recommended] and not free_text,
        "would": mark.get("would"),
    }


def _shape(part: Part, many: int) -> dict[str, Any]:
    question, label_room = part.question, _room(LABEL, many)
    recommended = part.recommended
    return {
        "fingerprint": question.fingerprint,
        "qid": question.qid,
        "header": clipped(question.header, _room(HEADER, many)),
        "question": clipped(question.text, _room(QUESTION, many)),
        "options": [clipped(label, label_room) for label in question.labels[:OPTIONS]],
        "multi": question.multi,
        "recommended": None if recommended is None else clipped(question.labels[recommended], label_room),
        "one_way": part.door[0] if part.door else None,
    }


def _room(characters: int, many: int) -> int:
    """What a text may take when the record holds so many questions."""
    return characters if many <= 3 else characters * 3 // many


def read_answer(question: Question, answer: str | None) -> tuple[list[int], bool]:
    """The places of the chosen options, and whether words of the user's own are in the answer."""
    if answer is None or not answer.strip():
        return [], False
    whole = place_of(question, answer)
    if whole is not None:
        return [whole], False
    if not question.multi:
        return [], True
    return _split(question, answer)


def _split(question: Question, answer: str) -> tuple[list[int], bool]:
    """Labels of a multiple choice: the longest run between commas that is a label counts."""
    pieces = answer.split(",")
    found: list[int] = []
    free_text = False
    at = 0
    while at < len(pieces):
        for end in range(len(pieces), at, -1):
            place = place_of(question, ",".join(pieces[at:end]))
            if place is not None:
                found.append(place)
                at = end
                break
        else:
            free_text = free_text or bool(pieces[at].strip())
            at += 1
    return sorted(set(found)), free_text


def answers_in(response: Any, questions: list[Question]) -> tuple[dict[str, str], dict[str, str]]:
    """Answers and notes by question text, from what the tool returned: Claude's own form, or an MCP server's text."""
    if isinstance(response, (list, tuple)):
        return _from_blocks(response, questions)
    if not isinstance(response, dict):
        return {}, {}
    answers = response.get("answers")
    annotations = response.get("annotations")
    notes = {}
    if isinstance(annotations, dict):
        notes = {
            text: said["notes"]
            for text, said in annotations.items()
            if isinstance(said, dict) and isinstance(said.get("notes"), str)
        }
    found = {}
    if isinstance(answers, dict):
        for text, answer in answers.items():
            said = _said(answer)
            if said is not None:
                found[text] = said
    return found, notes


def _said(answer: Any) -> str | None:
    if isinstance(answer, str):
        return answer
    if isinstance(answer, (list, tuple)) and answer and all(isinstance(label, str) for label in answer):
        return ", ".join(answer)
    return None


def _from_blocks(blocks: Any, questions: list[Question]) -> tuple[dict[str, str], dict[str, str]]:
    """An MCP tool answers in content blocks: JSON with `answers` is understood, and a bare label."""
    from hookwright.protocol.json import NotJson, loads  # noqa: PLC0415

    texts = [block["text"] for block in blocks if isinstance(block, dict) and isinstance(block.get("text"), str)]
    for text in texts:
        start = text.find("{")
        if start >= 0:
            try:
                value = loads(text[start:].strip())
            except NotJson:
                continue
            if isinstance(value, dict) and isinstance(value.get("answers"), dict):
                return answers_in(value, questions)
    if len(questions) == 1 and len(texts) == 1 and place_of(questions[0], texts[0]) is not None:
        return {questions[0].text: texts[0].strip()}, {}
    return {}, {}
