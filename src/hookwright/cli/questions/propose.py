"""hookwright questions suggest: what you always answer the same way. Proposes, never writes."""

from __future__ import annotations

import shlex
import time
from typing import Any

import click

from hookwright.cli.output import as_json, print_json
from hookwright.cli.past import plain, since_option
from hookwright.cli.questions.around import keeper, past, state
from hookwright.history.questions import Entry, Kind, kinds
from hookwright.questions import marks
from hookwright.questions.preferences import Place, find
from hookwright.questions.question import Question


@click.command("suggest", epilog="Example:  hookwright questions suggest --times 3")
@click.option("--times", type=click.IntRange(min=2), default=3, show_default=True, help="Answered the same so often.")
@since_option
@as_json
def suggest(*, times: int, since: float, as_json: bool) -> int:
    """Questions that you answered the same way every time, with the command that would decide them."""
    made = suggestions(past(since, transcripts=True), times, keeper().here())
    if as_json:
        print_json({"suggestions": made})
        return 0
    if not made:
        print(f"No question was answered the same way at least {times} times.")
    for each in made:
        print(f"\u201c{plain(each['question'])}\u201d: {plain(each['answer'])}, {each['times']} times")
        print(f"  {plain(shlex.join(each['command']))}")
    return 0


def suggestions(found: list[Entry], times: int, decided: list[dict[str, Any]]) -> list[dict[str, Any]]:
    made = []
    for fingerprint, kind in kinds(found).items():
        if kind.one_way or len(kind.answers) != 1 or _is_decided(kind, decided):
            continue
        [(answer, n)] = kind.answers.items()
        said = [entry.row for entry in found if entry.fingerprint == fingerprint and entry.row.get("answer") == answer]
        if n < times or any(row.get("free_text") for row in said) or not said[-1].get("labels"):
            continue
        labels = said[-1]["labels"]
        if any(label.endswith("…") for label in labels):
            continue  # too long for the record: what it was is not known exactly
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


def _is_decided(kind: Kind, decided: list[dict[str, Any]]) -> bool:
    row = kind.latest
    question = Question(str(row.get("question")), str(row.get("header")), tuple(row.get("options") or ()))
    speaking, contradiction = find(
        [decided], question, Place(), time.time(), lambda identity: marks.used(state(), identity)
    )
    by_fingerprint = any((each.get("match") or {}).get("fingerprint") == row.get("fingerprint") for each in decided)
    return speaking is not None or bool(contradiction) or by_fingerprint
