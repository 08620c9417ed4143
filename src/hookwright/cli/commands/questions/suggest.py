"""hookwright questions suggest: questions that you always answer the same way. Writes nothing."""

from __future__ import annotations

import shlex
import time
from typing import Any

import click

from hookwright.cli.arguments import json_option, since_option
from hookwright.cli.commands.questions.common import find_state_dir, open_preferences, read_questions
from hookwright.cli.output import print_json, print_line
from hookwright.cli.text import count
from hookwright.hooks.questions import pending
from hookwright.hooks.questions.preferences import QuestionOrigin, find_preference
from hookwright.hooks.questions.question import Question
from hookwright.hooks.questions.suggestions import QuestionEntry, QuestionStats, group_questions

LATEST = 1000  # events with questions that a suggestion is made from, and so many from transcripts


@click.command("suggest", epilog="Example:  hookwright questions suggest --times 3")
@click.option(
    "--times", type=click.IntRange(min=2), default=3, show_default=True, help="Least number of equal answers."
)
@since_option
@json_option
def suggest_command(*, times: int, since: float, as_json: bool) -> int:
    """Show questions that you answered the same way every time, with the command that decides them."""
    asked = read_questions(since, transcripts=True, latest=LATEST)
    made = find_suggestions(asked, times, open_preferences().list_here())
    if as_json:
        print_json({"suggestions": made})
        return 0
    if not made:
        print_line(f"No question was answered the same way at least {times} times.")
    for each in made:
        print_line(f"\u201c{each['question']}\u201d: {each['answer']}, {count(each['times'], 'time')}")
        print_line(f"  {shlex.join(each['command'])}", wrap=False)
    return 0


def find_suggestions(found: list[QuestionEntry], times: int, decided: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for fingerprint, kind in group_questions(found).items():
        if kind.one_way or len(kind.answers) != 1 or _is_decided(kind, decided):
            continue
        [(answer, n)] = kind.answers.items()
        rows = [entry.row for entry in found if entry.fingerprint == fingerprint and entry.row.get("answer") == answer]
        if n < times or any(row.get("free_text") for row in rows) or not rows[-1].get("labels"):
            continue
        labels = rows[-1]["labels"]
        if any(label.endswith("…") for label in labels):
            continue  # was cut when it was recorded, so the exact label is unknown
        command = ["hookwright", "questions", "set", "--id", fingerprint]
        for label in labels:
            command += ["--answer", label]
        made.append(
            {
                "fingerprint": fingerprint,
                "header": kind.latest.get("header"),
                "question": kind.latest.get("question"),
                "answer": answer,
                "labels": labels,
                "times": n,
                "recommended": kind.latest.get("recommended"),
                "command": command,
            }
        )
    return made


def _is_decided(kind: QuestionStats, decided: list[dict[str, Any]]) -> bool:
    row = kind.latest
    question = Question(str(row.get("question")), str(row.get("header")), tuple(row.get("options") or ()))
    speaking, contradiction = find_preference(
        [decided],
        question,
        QuestionOrigin(),
        time.time(),
        lambda identity: pending.count_uses(find_state_dir(), identity),
    )
    by_fingerprint = any((each.get("match") or {}).get("fingerprint") == row.get("fingerprint") for each in decided)
    return speaking is not None or bool(contradiction) or by_fingerprint
