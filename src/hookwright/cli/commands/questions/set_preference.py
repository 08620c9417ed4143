"""hookwright questions set: decide a question once. Nothing else creates a preference."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.arguments import DurationType, json_option
from hookwright.cli.commands.questions import pick
from hookwright.cli.commands.questions.common import effective_options, open_preferences, read_questions
from hookwright.cli.output import print_json, print_line
from hookwright.cli.require_person import require_person
from hookwright.cli.text import count, format_moment
from hookwright.cli.views.questions_view import describe_match, describe_value
from hookwright.errors import UserError
from hookwright.hooks.questions import preferences
from hookwright.hooks.questions.irreversible import QuestionText, explain_match, match_text
from hookwright.hooks.questions.normalize import is_id, normalize_text
from hookwright.hooks.questions.question import Question
from hookwright.hooks.questions.resolve import index_of
from hookwright.hooks.questions.suggestions import find_irreversible_row

if TYPE_CHECKING:
    from hookwright.hooks.questions.suggestions import QuestionEntry

_FINGERPRINT = re.compile(r"q-[0-9a-f]{16}")


@click.command(
    "set", epilog="Example:  hookwright questions set --question 'Which database?' --answer SQLite --expires 30d"
)
@click.option("--id", "identity", metavar="ID", help="The id in a question's marker <…-qid:ID>, or its id from `list`.")
@click.option("--match", "pattern", metavar="REGEX", help="Questions whose text or header matches (case is ignored).")
@click.option("--question", "text", metavar="TEXT", help="The question with exactly this text.")
@click.option(
    "--answer", "answers", metavar="LABEL", multiple=True, help="Answer with this option; repeat for several."
)
@click.option("--text", "words", metavar="WORDS", help="Answer with this text.")
@click.option("--never-ask", is_flag=True, help="Take the option that the question recommends.")
@click.option("--always-ask", is_flag=True, help="Show the dialog, whatever else is set.")
@click.option("--one-way-only", is_flag=True, help="Ask if it is irreversible, else take what is recommended.")
@click.option("--scope", type=click.Choice(["project", "user"]), default="project", show_default=True,
              help="This repository with its worktrees, or everywhere.")  # fmt: skip
@click.option(
    "--expires", type=DurationType(or_date=True), metavar="30d", help="How long it is valid: 12h, 30d, or a date."
)
@click.option("--uses", type=click.IntRange(min=1), metavar="N", help="How often it may answer.")
@click.option("--header", metavar="TEXT", help="Only under this header.")
@click.option("--option", "labels", metavar="LABEL", multiple=True, help="Only with exactly these options; repeat.")
@click.option("--any-options", is_flag=True, help="With --question: whatever its options are.")
@click.option("--skill", metavar="NAME", help="Only while this skill is active.")
@click.option("--agent", metavar="TYPE", help="Only from this type of agent.")
@click.option("--server", metavar="NAME", help="Only through this MCP server.")
@click.argument("more", nargs=-1, metavar="[LABEL]...")
@json_option
def set_command(*, as_json: bool, scope: str, more: tuple[str, ...], **given: Any) -> int:
    """Decide a question once.

    A question is named by its marker, by its wording, or by a pattern. Irreversible questions cannot be decided: they
    are always asked, so a preference for one is refused.
    """
    require_person("hookwright questions set")
    if more and not given["answers"]:
        raise click.UsageError(f"unexpected argument {more[0]!r}; labels of options follow --answer")
    given["answers"] = (*given["answers"], *more)
    if not (given["identity"] or given["pattern"] or given["text"]) and sys.stdin.isatty() and not as_json:
        given |= pick.choose_decision(read_questions(transcripts=True))
    preference, notes = build_preference(given, read_questions(transcripts=True), tuple(effective_options()["one_way"]))
    kept = open_preferences().add_preference(preference, scope)
    if as_json:
        print_json({"preference": kept, "notes": notes})
        return 0
    until = f", until {format_moment(kept['expires'])}" if kept["expires"] else ""
    times = f", {count(kept['uses'], 'time')}" if kept["uses"] else ""
    print_line(f"{kept['id']} ({scope}): {describe_match(kept)} {describe_value(kept)}{until}{times}")
    for note in notes:
        print_line(f"  note: {note}")
    print_line(f"  to remove it: hookwright questions forget {kept['id']}")
    return 0


def build_preference(
    given: dict[str, Any], found: list[QuestionEntry], own_words: tuple[str, ...]
) -> tuple[dict[str, Any], list[str]]:
    """The preference that these arguments describe, checked against the recorded questions; notes for the user."""
    value = _chosen_value(given)
    known, match, notes = _match_question(given, found)
    for name, wanted in (("header", given["header"]), ("skill", given["skill"]), ("agent", given["agent"]),
                         ("server", given["server"]), ("options", list(given["labels"]) or None)):  # fmt: skip
        if wanted:
            match[name] = wanted
    preference = {
        "match": match,
        "about": {name: known[0].row.get(name) for name in ("question", "header", "options")} if known else None,
        "value": value,
        "answer": list(given["answers"]) or None,
        "text": given["words"].strip() if given["words"] else None,
        "created": round(time.time(), 3),
        "expires": round(time.time() + given["expires"], 3) if given["expires"] else None,
        "uses": given["uses"],
        "disabled": False,
    }
    if value not in (preferences.ALWAYS_ASK, preferences.ONE_WAY_ONLY):
        _refuse_irreversible(given, known, own_words, notes)
    if known and given["answers"] and "fingerprint" in match:
        _refuse_unknown_option(known[0].row, given)
    return preference, notes


def _chosen_value(given: dict[str, Any]) -> str:
    if given["words"] is not None and not given["words"].strip():
        raise click.UsageError("--text must not be empty")
    chosen = [
        value
        for value, is_given in (
            (preferences.ANSWER, bool(given["answers"])),
            (preferences.ANSWER, given["words"] is not None),
            (preferences.NEVER_ASK, given["never_ask"]),
            (preferences.ALWAYS_ASK, given["always_ask"]),
            (preferences.ONE_WAY_ONLY, given["one_way_only"]),
        )
        if is_given
    ]
    if len(chosen) != 1:
        raise click.UsageError("give one of --answer, --text, --never-ask, --always-ask and --one-way-only")
    return chosen[0]


def _match_question(
    given: dict[str, Any], found: list[QuestionEntry]
) -> tuple[list[QuestionEntry], dict[str, Any], list[str]]:
    """Recorded questions that match (newest first), the `match` table of the preference, notes for the user."""
    if sum(bool(given[name]) for name in ("identity", "pattern", "text")) != 1:
        raise click.UsageError("give one of --id, --match and --question")
    newest = found[::-1]
    if given["pattern"]:
        return _match_pattern(given["pattern"], newest)
    if given["identity"]:
        return _match_id(given["identity"], newest)
    text: str = given["text"]
    if not text.strip():
        raise click.UsageError("--question must not be empty")
    known = [entry for entry in newest if normalize_text(str(entry.row.get("question"))) == normalize_text(text)]
    if known and not (given["labels"] or given["header"] or given["any_options"]):
        shown = " / ".join(known[0].row.get("options") or [])
        note = f"applies only with the options it had last ({shown}); --any-options lifts that"
        return known, {"fingerprint": known[0].fingerprint}, [note]
    return known, {"question": text}, []


def _match_pattern(pattern: str, newest: list[QuestionEntry]) -> tuple[list[QuestionEntry], dict[str, Any], list[str]]:
    try:
        compiled = re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise UserError(
            f"not a regular expression: {error}", where=f"--match {pattern}", fix="--question TEXT"
        ) from None
    known = [
        entry
        for entry in newest
        if compiled.search(str(entry.row.get("question"))) or compiled.search(str(entry.row.get("header")))
    ]
    return known, {"pattern": pattern}, []


def _match_id(identity: str, newest: list[QuestionEntry]) -> tuple[list[QuestionEntry], dict[str, Any], list[str]]:
    if _FINGERPRINT.fullmatch(identity):
        known = [entry for entry in newest if entry.fingerprint == identity]
        if not known:
            raise UserError(f"there is no recorded question {identity}", fix="hookwright questions list")
        return known, {"fingerprint": identity}, []
    if not is_id(identity):
        raise UserError(
            "an id has letters, digits and ._/-, at most 64",
            where=f"--id {identity}",
            fix="--question TEXT",
        )
    return [entry for entry in newest if entry.row.get("qid") == identity], {"id": identity}, []


def _refuse_irreversible(
    given: dict[str, Any], known: list[QuestionEntry], own_words: tuple[str, ...], notes: list[str]
) -> None:
    texts = (given["identity"], given["pattern"], given["text"], given["header"], *given["labels"], *given["answers"])
    met = match_text(QuestionText(part for part in texts if part), own_words)
    if met is None and known:
        rule_of: dict[str, tuple[str, str] | None] = {}
        for entry in known:
            rule_of[entry.fingerprint] = rule_of.get(entry.fingerprint) or find_irreversible_row(entry.row, own_words)
        one_way = [found for found in rule_of.values() if found]
        if len(one_way) == len(rule_of) or (one_way and not given["pattern"]):
            met = one_way[0]
        elif one_way:
            notes.append(f"{len(one_way)} of {len(rule_of)} matching questions are irreversible and are still asked")
    if met is not None:
        raise UserError(
            f"this is {explain_match(met)}; such questions are always asked, no preference can answer them",
            where=str(given["text"] or given["pattern"] or given["identity"]),
            fix="--always-ask, or name another question",
        )


def _refuse_unknown_option(row: dict[str, Any], given: dict[str, Any]) -> None:
    labels = tuple(row.get("options") or ())
    question = Question(str(row.get("question")), "", labels)
    clipped = any(label.endswith("…") for label in labels)
    missing = [label for label in given["answers"] if index_of(question, label) is None]
    if missing and not clipped:
        raise UserError(
            f"the question has no option \u201c{missing[0]}\u201d; it has {', '.join(labels)}",
            where=str(row.get("question")),
            fix="--text TEXT for another answer",
        )
    if len(given["answers"]) > 1 and not row.get("multi"):
        raise UserError("the question takes one option", where=str(row.get("question")), fix="give one --answer")
