"""Let the user choose a recorded question on the terminal, and what to do with it."""

from __future__ import annotations

from typing import Any

from hookwright.cli.prompts import choose_line
from hookwright.cli.text import escape_line
from hookwright.errors import UserError
from hookwright.hooks.questions.suggestions import QuestionEntry, group_questions

MAX_QUESTIONS = 20


def choose_decision(found: list[QuestionEntry]) -> dict[str, Any]:
    """The arguments of `questions set` that the user chooses by number."""
    asked = [kind for kind in group_questions(found).values() if not kind.one_way][:MAX_QUESTIONS]
    if not asked:
        raise UserError("no question is recorded that could be decided", fix="hookwright questions set --help")
    chosen = asked[choose_line("Which question?", [_format_question(kind.latest, kind.asked) for kind in asked])].latest
    labels = list(chosen.get("options") or [])
    ways = [f"answer: {escape_line(label)}" for label in labels] + ["take the recommended option", "always ask"]
    way = choose_line("What should happen?", ways)
    given: dict[str, Any] = {"identity": chosen["fingerprint"]}
    if way < len(labels):
        given["answers"] = (labels[way],)
    else:
        given["never_ask" if way == len(labels) else "always_ask"] = True
    return given


def _format_question(row: dict[str, Any], asked: int) -> str:
    options = " / ".join(row.get("options") or [])
    return f"{escape_line(row.get('question'), 60)}  [{escape_line(options, 50)}]  asked {asked}\u00d7"
