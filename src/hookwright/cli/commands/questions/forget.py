"""hookwright questions forget, undo: remove a preference, or switch off the one that answered last."""

from __future__ import annotations

import sys

import click

from hookwright.cli.arguments import json_option
from hookwright.cli.commands.questions.common import (
    find_state_dir,
    open_preferences,
    read_questions,
)
from hookwright.cli.output import print_json, print_line
from hookwright.cli.prompts import choose_line
from hookwright.cli.text import format_local_time
from hookwright.cli.views.questions_view import describe_match, describe_value
from hookwright.errors import UserError
from hookwright.hooks.questions import pending

_SETTINGS = {"away": "away", None: "headless"}  # answers given by an option instead of a preference


@click.command("forget", epilog="Example:  hookwright questions forget p-4f2a1c")
@click.argument("identities", nargs=-1, metavar="[PREFERENCE]...")
@click.option("--all", "every", is_flag=True, help="All preferences that apply in this directory.")
@json_option
def forget_command(*, identities: tuple[str, ...], every: bool, as_json: bool) -> int:
    """Remove preferences: their questions are asked again."""
    kept = open_preferences()
    if every:
        identities = tuple(preference["id"] for preference in kept.list_here())
    elif not identities:
        here = kept.list_here()
        if not sys.stdin.isatty() or as_json or not here:
            raise UserError("PREFERENCE is missing", fix="hookwright questions list")
        lines = [
            f"{preference['id']}  {describe_match(preference)} {describe_value(preference)}" for preference in here
        ]
        identities = (here[choose_line("Forget which?", lines)]["id"],)
    gone = []
    for identity in identities:
        gone.append(kept.remove_preference(identity))
        pending.forget_uses(find_state_dir(), identity)
    if as_json:
        print_json({"forgotten": gone})
        return 0
    for preference in gone:
        print_line(f"forgotten: {preference['id']} {describe_match(preference)} {describe_value(preference)}")
    return 0


@click.command("undo", epilog="Example:  hookwright questions undo")
@json_option
def undo_command(*, as_json: bool) -> int:
    """Switch off the preference that gave the last automatic answer, and show that answer.

    Run it again for the answer before.
    """
    ours = [entry.format_line() for entry in read_questions() if entry.is_answered and entry.is_automatic]
    if not ours:
        raise UserError("no question was answered automatically", fix="hookwright questions log")
    kept = open_preferences()
    in_force = {each.get("id") for each in kept.list_all() if not each.get("disabled")}
    open_ones = [line for line in ours if line["preference"] in in_force or line["preference"] in _SETTINGS]
    if not open_ones:
        raise UserError(
            "every preference that gave an answer is already removed or switched off", fix="hookwright questions list"
        )
    last = open_ones[-1]
    setting = _SETTINGS.get(last["preference"])
    preference = None if setting else {**kept.disable_preference(last["preference"]), "disabled": True}
    if as_json:
        print_json({"undone": last, "preference": preference, "setting": setting})
        return 0
    print_line(f"{format_local_time(last['time'])}: \u201c{last['question']}\u201d was answered with {last['answer']}")
    if setting:
        print_line(f'  by the option questions.{setting}; to be asked instead, set it to "ask"')
        print_line("  where it is set: hookwright config show")
    else:
        print_line(f"  preference {last['preference']} is switched off: the question is asked again")
    print_line("  Claude already has that answer; if it was wrong, say so in the session.")
    return 0
