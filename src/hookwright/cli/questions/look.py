"""hookwright questions list, log: what was asked, how often, by whom it was answered."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.output import as_json, console, print_json
from hookwright.cli.past import local_time, plain, since_option
from hookwright.cli.questions.around import described, keeper, meaning, past, state, when
from hookwright.history.questions import Kind, kinds, shadow
from hookwright.questions import marks
from hookwright.questions.preferences import is_live

if TYPE_CHECKING:
    from rich.table import Table


@click.command("list", epilog="Example:  hookwright questions list --since 7d")
@since_option
@click.option("--all", "every", is_flag=True, help="Also preferences of other projects.")
@as_json
def list_(*, since: float, every: bool, as_json: bool) -> int:
    """What was asked, how often, how it was answered, and your preferences."""
    found = past(since, transcripts=True)
    kept = keeper()
    decided = [_with_use(preference) for preference in (kept.everywhere() if every else kept.here())]
    seen = shadow(found)
    asked = kinds(found)
    if as_json:
        print_json({"questions": [kind.as_json() for kind in asked.values()], "preferences": decided, "shadow": seen})
        return 0
    if asked:
        console().print(_questions_table(asked))
    else:
        print("No question is on record.")
    if decided:
        console().print(_preferences_table(decided))
    if seen:
        would = f"{seen['would']} of {seen['questions']}, {seen['agreed']} as you did"
        print(f"In shadow mode it would have answered {would}.")
    return 0


@click.command("log", epilog="Example:  hookwright questions log --since 1d --json")
@since_option
@click.option("-n", "most", type=click.IntRange(min=1), metavar="N", help="Only the last N.")
@as_json
def log(*, since: float, most: int | None, as_json: bool) -> int:
    """Every answered question, oldest first. With --json, or into a pipe: one object a line."""
    lines = [entry.line() for entry in past(since) if entry.answered]
    lines = lines[-most:] if most else lines
    if as_json or not sys.stdout.isatty():
        for line in lines:
            print(json.dumps(line, ensure_ascii=False))
        return 0
    table = _table("when", "question", "answer", "by")
    for line in lines:
        who = line["preference"] or line["answered_by"]
        said = _plain(line["answer"] or "-", 40)
        table.add_row(local_time(line["time"]), _plain(line["question"], 60), said, _plain(who))
    console().print(table)
    return 0


def _with_use(preference: dict[str, Any]) -> dict[str, Any]:
    used = marks.used(state(), str(preference.get("id")))
    live = is_live(preference, time.time(), lambda identity: marks.used(state(), identity))
    return {**preference, "used": used if preference.get("uses") else None, "live": live}


def _questions_table(asked: dict[str, Kind]) -> Table:
    table = _table("id", "question", "asked", "you", "preference", "agreed with the recommendation", "mostly")
    for fingerprint, kind in asked.items():
        answers = kind.answers.most_common(1)
        mostly = f"{plain(answers[0][0], 30)} ({answers[0][1]})" if answers else "-"
        agreed = f"{kind.followed} of {kind.comparable}" if kind.comparable else "-"
        text = plain(kind.latest.get("question"), 50)
        door = f"  [one-way: {kind.one_way}]" if kind.one_way else ""
        others = kind.by["preference"] + kind.by["headless"]
        table.add_row(
            fingerprint, _plain(text + door), str(kind.asked), str(kind.by["user"]), str(others), agreed, _plain(mostly)
        )
    return table


def _preferences_table(decided: list[dict[str, Any]]) -> Table:
    table = _table("preference", "scope", "about", "says", "until")
    for preference in decided:
        ends = [when(preference["expires"])] if preference.get("expires") else []
        if preference.get("uses"):
            ends.append(f"{preference['used']} of {preference['uses']} uses")
        if not preference["live"]:
            ends.append("switched off" if preference.get("disabled") else "over")
        table.add_row(
            str(preference.get("id")),
            str(preference.get("scope")),
            _plain(described(preference)),
            _plain(meaning(preference)),
            ", ".join(ends) or "-",
        )
    return table


def _table(*columns: str) -> Table:
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, header_style="bold")
    for column in columns:
        table.add_column(column, overflow="fold")
    return table


def _plain(text: object, most: int = 0) -> str:
    """Text of strangers for a cell: its brackets are not rich's markup."""
    from rich.markup import escape  # noqa: PLC0415

    return escape(plain(text, most))
