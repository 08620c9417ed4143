"""hookwright questions set: decide a question once. The only way by which a preference comes into being."""

from __future__ import annotations

import re
import sys
import time
from typing import TYPE_CHECKING, Any

import click

from hookwright.cli.output import as_json, print_json
from hookwright.cli.questions import pick
from hookwright.cli.questions.around import Span, described, keeper, meaning, options, past, when
from hookwright.errors import UserError
from hookwright.history.questions import door_of
from hookwright.questions import preferences
from hookwright.questions.one_way import door_in, explained
from hookwright.questions.one_way.text import Text
from hookwright.questions.question import Question
from hookwright.questions.settle import place_of
from hookwright.questions.text import is_id, normal

if TYPE_CHECKING:
    from hookwright.history.questions import Entry

_FINGERPRINT = re.compile(r"q-[0-9a-f]{16}")


@click.command(
    "set", epilog="Example:  hookwright questions set --question 'Which database?' --answer SQLite --expires 30d"
)
@click.option("--id", "identity", metavar="ID", help="The id in a question's marker <…-qid:ID>, or its id from `list`.")
@click.option("--match", "pattern", metavar="REGEX", help="Questions whose text or header this matches (case ignored).")
@click.option("--question", "text", metavar="TEXT", help="The question with exactly this text.")
@click.option(
    "--answer", "answers", metavar="LABEL", multiple=True, help="Answer with this option; repeat for several."
)
@click.option("--text", "words", metavar="WORDS", help="Answer with words of your own.")
@click.option("--never-ask", is_flag=True, help="Take the option that the question recommends.")
@click.option("--always-ask", is_flag=True, help="Show the dialog, whatever else is set.")
@click.option("--one-way-only", is_flag=True, help="Ask for one-way doors only, else take what is recommended.")
@click.option("--scope", type=click.Choice(["project", "user"]), default="project", show_default=True,
              help="This repository with its worktrees, or everywhere.")  # fmt: skip
@click.option("--expires", type=Span(or_date=True), metavar="30d", help="How long it counts: 12h, 30d, or a date.")
@click.option("--uses", type=click.IntRange(min=1), metavar="N", help="How often it may answer.")
@click.option("--header", metavar="TEXT", help="Only under this header.")
@click.option("--option", "labels", metavar="LABEL", multiple=True, help="Only with exactly these options; repeat.")
@click.option("--any-options", is_flag=True, help="With --question: whatever its options are.")
@click.option("--skill", metavar="NAME", help="Only while this skill is at work.")
@click.option("--agent", metavar="TYPE", help="Only from this type of agent.")
@click.option("--server", metavar="NAME", help="Only through this MCP server.")
@click.argument("more", nargs=-1, metavar="[LABEL]...")
@as_json
def set_(*, as_json: bool, scope: str, more: tuple[str, ...], **given: Any) -> int:
    """Decide a question once.

    A question is named by its marker, by its wording, or by a pattern. One-way doors cannot be decided: they are
    always asked, and what would never count is refused here.
    """
    if more and not given["answers"]:
        raise click.UsageError(f"what is {more[0]!r}? Options of the answer follow --answer")
    given["answers"] = (*given["answers"], *more)
    if not (given["identity"] or given["pattern"] or given["text"]) and sys.stdin.isatty() and not as_json:
        given |= pick.decision(past(transcripts=True))
    preference, notes = made(given, past(transcripts=True), tuple(options()["one_way"]))
    kept = keeper().add(preference, scope)
    if as_json:
        print_json({"preference": kept, "notes": notes})
        return 0
    until = f", until {when(kept['expires'])}" if kept["expires"] else ""
    times = f", {kept['uses']} times" if kept["uses"] else ""
    print(f"{kept['id']} ({scope}): {described(kept)} {meaning(kept)}{until}{times}")
    for note in notes:
        print(f"  note: {note}")
    print(f"  take it back: hookwright questions forget {kept['id']}")
    return 0


def made(given: dict[str, Any], found: list[Entry], own_words: tuple[str, ...]) -> tuple[dict[str, Any], list[str]]:
    """The preference that these arguments mean, checked against what is known of the question; notes for the user."""
    value = _value(given)
    known, match, notes = _named(given, found)
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
        _refuse_one_way(given, known, own_words, notes)
    if known and given["answers"] and "fingerprint" in match:
        _refuse_unknown_option(known[0].row, given)
    return preference, notes


def _value(given: dict[str, Any]) -> str:
    if given["words"] is not None and not given["words"].strip():
        raise click.UsageError("--text needs words")
    said = [
        value
        for value, is_said in (
            (preferences.ANSWER, bool(given["answers"])),
            (preferences.ANSWER, given["words"] is not None),
            (preferences.NEVER_ASK, given["never_ask"]),
            (preferences.ALWAYS_ASK, given["always_ask"]),
            (preferences.ONE_WAY_ONLY, given["one_way_only"]),
        )
        if is_said
    ]
    if len(said) != 1:
        raise click.UsageError("give one of --answer, --text, --never-ask, --always-ask and --one-way-only")
    return said[0]


def _named(given: dict[str, Any], found: list[Entry]) -> tuple[list[Entry], dict[str, Any], list[str]]:
    """What the records know of the question (newest first), how it is named, and what the user should know."""
    if sum(bool(given[name]) for name in ("identity", "pattern", "text")) != 1:
        raise click.UsageError("give one of --id, --match and --question")
    newest = found[::-1]
    if given["pattern"]:
        return _by_pattern(given["pattern"], newest)
    if given["identity"]:
        return _by_id(given["identity"], newest)
    text: str = given["text"]
    if not text.strip():
        raise click.UsageError("--question needs the question's text")
    known = [entry for entry in newest if normal(str(entry.row.get("question"))) == normal(text)]
    if known and not (given["labels"] or given["header"] or given["any_options"]):
        shown = " / ".join(known[0].row.get("options") or [])
        note = f"bound to the options it had last ({shown}); --any-options binds it to its wording only"
        return known, {"fingerprint": known[0].fingerprint}, [note]
    return known, {"question": text}, []


def _by_pattern(pattern: str, newest: list[Entry]) -> tuple[list[Entry], dict[str, Any], list[str]]:
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


def _by_id(identity: str, newest: list[Entry]) -> tuple[list[Entry], dict[str, Any], list[str]]:
    if _FINGERPRINT.fullmatch(identity):
        known = [entry for entry in newest if entry.fingerprint == identity]
        if not known:
            raise UserError(f"no question {identity} is on record", fix="hookwright questions list")
        return known, {"fingerprint": identity}, []
    if not is_id(identity):
        raise UserError(
            "no marker can hold this id: letters, digits and ._/- are possible, 64 at most",
            where=f"--id {identity}",
            fix="--question TEXT",
        )
    return [entry for entry in newest if entry.row.get("qid") == identity], {"id": identity}, []


def _refuse_one_way(given: dict[str, Any], known: list[Entry], own_words: tuple[str, ...], notes: list[str]) -> None:
    said = (given["identity"], given["pattern"], given["text"], given["header"], *given["labels"], *given["answers"])
    met = door_in(Text(part for part in said if part), own_words)
    if met is None and known:
        doors: dict[str, tuple[str, str] | None] = {}
        for entry in known:
            doors[entry.fingerprint] = doors.get(entry.fingerprint) or door_of(entry.row, own_words)
        closed = [found for found in doors.values() if found]
        if len(closed) == len(doors) or (closed and not given["pattern"]):
            met = closed[0]
        elif closed:
            notes.append(f"{len(closed)} of {len(doors)} such questions on record are one-way doors and stay asked")
    if met is not None:
        raise UserError(
            f"this is {explained(met)}; such questions are always asked, so no preference can answer them",
            where=str(given["text"] or given["pattern"] or given["identity"]),
            fix="--always-ask, or a question that does not decide it",
        )


def _refuse_unknown_option(row: dict[str, Any], given: dict[str, Any]) -> None:
    labels = tuple(row.get("options") or ())
    question = Question(str(row.get("question")), "", labels)
    clipped = any(label.endswith("…") for label in labels)
    missing = [label for label in given["answers"] if place_of(question, label) is None]
    if missing and not clipped:
        raise UserError(
            f"the question has no option \u201c{missing[0]}\u201d; it has {', '.join(labels)}",
            where=str(row.get("question")),
            fix="--text for words of your own",
        )
    if len(given["answers"]) > 1 and not row.get("multi"):
        raise UserError("the question takes one option", where=str(row.get("question")), fix="give one --answer")
