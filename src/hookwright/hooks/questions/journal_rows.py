"""Build the journal rows of questions and their answers.

PreToolUse → [asked_row], PostToolUse → [answered_row] → `questions` of the journal record
One row per question of the call; texts are clipped so that four questions with four options always fit.
"""

from __future__ import annotations

from hookwright.hooks.questions.normalize import clip_text
from hookwright.hooks.questions.resolve import index_of
from hookwright.store.redact import mask

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.questions.question import Question
    from hookwright.hooks.questions.resolve import Resolution

QUESTION, HEADER, LABEL, ANSWER, NOTES = 500, 60, 80, 400, 200  # maximum characters, for calls of up to three questions
OPTIONS = 8

USER, PREFERENCE, HEADLESS = "user", "preference", "headless"


def asked_row(part: Resolution, many: int) -> dict[str, Any]:
    """What was asked, and how it was resolved."""
    return {
        **_question_columns(part, many),
        "verdict": part.verdict,
        "because": clip_text(part.why, _max_length(NOTES, many)),
        "preference": part.preference.get("id") if part.preference else None,
    }


def answered_row(
    part: Resolution, many: int, answer: str | None, notes: str, mark: Mapping[str, Any]
) -> dict[str, Any]:
    """What was answered, and by whom: `mark` is what PreToolUse stored if hookwright answered; else the user did."""
    question = part.question
    ours = (
        mark.get("by") is not None and answer is not None and mask(answer)[0].split() == str(mark.get("answer")).split()
    )
    chosen, free_text = read_answer(question, answer)
    recommended = part.recommended
    return {
        **_question_columns(part, many),
        "answer": None if answer is None else clip_text(answer, _max_length(ANSWER, many)),
        "labels": [clip_text(question.labels[place], _max_length(LABEL, many)) for place in chosen[:OPTIONS]],
        "free_text": free_text,
        "notes": clip_text(notes, _max_length(NOTES, many)) or None,
        "answered_by": mark["by"] if ours else USER,
        "preference": mark.get("preference") if ours else None,
        "followed": None if recommended is None or answer is None else chosen == [recommended] and not free_text,
        "would": mark.get("would"),
    }


def _question_columns(part: Resolution, many: int) -> dict[str, Any]:
    question, label_room = part.question, _max_length(LABEL, many)
    recommended = part.recommended
    return {
        "fingerprint": question.fingerprint,
        "qid": question.qid,
        "header": clip_text(question.header, _max_length(HEADER, many)),
        "question": clip_text(question.text, _max_length(QUESTION, many)),
        "options": [clip_text(label, label_room) for label in question.labels[:OPTIONS]],
        "multi": question.multi,
        "recommended": None if recommended is None else clip_text(question.labels[recommended], label_room),
        "one_way": part.irreversible[0] if part.irreversible else None,
    }


def _max_length(characters: int, many: int) -> int:
    """Maximum length of a text if the record holds `many` questions."""
    return characters if many <= 3 else characters * 3 // many


def read_answer(question: Question, answer: str | None) -> tuple[list[int], bool]:
    """Indexes of the chosen options, and whether the answer contains free text."""
    if answer is None or not answer.strip():
        return [], False
    whole = index_of(question, answer)
    if whole is not None:
        return [whole], False
    if not question.multi:
        return [], True
    return _split_labels(question, answer)


def _split_labels(question: Question, answer: str) -> tuple[list[int], bool]:
    """Options of a multiple choice. Labels may contain commas: the longest match wins."""
    pieces = answer.split(",")
    found: list[int] = []
    free_text = False
    at = 0
    while at < len(pieces):
        for end in range(len(pieces), at, -1):
            place = index_of(question, ",".join(pieces[at:end]))
            if place is not None:
                found.append(place)
                at = end
                break
        else:
            free_text = free_text or bool(pieces[at].strip())
            at += 1
    return sorted(set(found)), free_text


def parse_answers(response: Any, questions: list[Question]) -> tuple[dict[str, str], dict[str, str]]:
    """Answers and notes by question text, from the result of Claude's own tool or of an MCP server."""
    if isinstance(response, (list, tuple)):
        return _parse_blocks(response, questions)
    if not isinstance(response, dict):
        return {}, {}
    answers = response.get("answers")
    annotations = response.get("annotations")
    notes = {}
    if isinstance(annotations, dict):
        notes = {
            text: note["notes"]
            for text, note in annotations.items()
            if isinstance(note, dict) and isinstance(note.get("notes"), str)
        }
    found = {}
    if isinstance(answers, dict):
        for text, answer in answers.items():
            plain = _answer_text(answer)
            if plain is not None:
                found[text] = plain
    return found, notes


def _answer_text(answer: Any) -> str | None:
    if isinstance(answer, str):
        return answer
    if isinstance(answer, (list, tuple)) and answer and all(isinstance(label, str) for label in answer):
        return ", ".join(answer)
    return None


def _parse_blocks(blocks: Any, questions: list[Question]) -> tuple[dict[str, str], dict[str, str]]:
    """Answers in the content blocks of an MCP tool: JSON with `answers`, or a bare label."""
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
                return parse_answers(value, questions)
    if len(questions) == 1 and len(texts) == 1 and index_of(questions[0], texts[0]) is not None:
        return {questions[0].text: texts[0].strip()}, {}
    return {}, {}
