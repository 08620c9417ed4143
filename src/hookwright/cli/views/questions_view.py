"""How `hookwright questions` shows questions, answers and preferences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hookwright.cli.output import print_table
from hookwright.cli.text import escape_line, format_local_time, format_moment

if TYPE_CHECKING:
    from hookwright.hooks.questions.suggestions import QuestionStats


def show_questions(asked: dict[str, QuestionStats]) -> None:
    rows = []
    for fingerprint, kind in asked.items():
        answers = kind.answers.most_common(1)
        one_way = f"  [irreversible: {kind.one_way}]" if kind.one_way else ""
        rows.append(
            (
                fingerprint,
                escape_line(kind.latest.get("question"), 50) + one_way,
                str(kind.asked),
                str(kind.by["user"]),
                str(kind.by["preference"] + kind.by["headless"]),
                f"{kind.followed} of {kind.comparable}" if kind.comparable else "-",
                f"{escape_line(answers[0][0], 30)} ({answers[0][1]})" if answers else "-",
            )
        )
    print_table(("id", "question", "asked", "you", "preference", "agreed with the recommendation", "mostly"), rows)


def show_preferences(decided: list[dict[str, Any]]) -> None:
    rows = []
    for preference in decided:
        ends = [format_moment(preference["expires"])] if preference.get("expires") else []
        if preference.get("uses"):
            ends.append(f"{preference['used']} of {preference['uses']} uses")
        if not preference["live"]:
            ends.append("switched off" if preference.get("disabled") else "expired")
        rows.append(
            (
                str(preference.get("id")),
                str(preference.get("scope")),
                describe_match(preference),
                describe_value(preference),
                ", ".join(ends) or "-",
            )
        )
    print_table(("preference", "scope", "about", "answer", "until"), rows)


def show_log(lines: list[dict[str, Any]]) -> None:
    rows = [
        (
            format_local_time(line["time"]),
            escape_line(line["question"], 60),
            escape_line(line["answer"] or "-", 40),
            str(line["preference"] or line["answered_by"]),
        )
        for line in lines
    ]
    print_table(("when", "question", "answer", "by"), rows)


def describe_match(preference: dict[str, Any]) -> str:
    """Which questions a preference is about, in words."""
    match = preference.get("match") or {}
    about = preference.get("about") or {}
    if "id" in match:
        named = f"id {match['id']}"
    elif "pattern" in match:
        named = f"/{match['pattern']}/"
    else:
        named = f"\u201c{match.get('question') or about.get('question') or match.get('fingerprint')}\u201d"
    narrower = [f"{name} {match[name]}" for name in ("header", "skill", "agent", "server") if name in match]
    if "options" in match:
        narrower.append("options " + " / ".join(match["options"]))
    return escape_line(named + (f" ({', '.join(narrower)})" if narrower else ""))


def describe_value(preference: dict[str, Any]) -> str:
    """What a preference does, in words."""
    if preference.get("value") == "answer":
        return escape_line("\u2192 " + (preference.get("text") or ", ".join(preference.get("answer") or [])))
    return escape_line(preference.get("value"))
