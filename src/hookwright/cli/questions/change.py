"""hookwright questions forget, undo: take a decision back."""

from __future__ import annotations

import sys

import click

from hookwright.cli.output import as_json, print_json
from hookwright.cli.past import local_time, plain
from hookwright.cli.questions import pick
from hookwright.cli.questions.around import described, keeper, meaning, past, state
from hookwright.errors import UserError
from hookwright.questions import marks

_SETTINGS = {"away": "away", None: "headless"}  # answers that no preference gave, and the option that gave them


@click.command("forget", epilog="Example:  hookwright questions forget p-4f2a1c")
@click.argument("identities", nargs=-1, metavar="[PREFERENCE]...")
@click.option("--all", "every", is_flag=True, help="All preferences that count in this folder.")
@as_json
def forget(*, identities: tuple[str, ...], every: bool, as_json: bool) -> int:
    """Remove preferences: their questions are asked again."""
    kept = keeper()
    if every:
        identities = tuple(preference["id"] for preference in kept.here())
    elif not identities:
        here = kept.here()
        if not sys.stdin.isatty() or as_json or not here:
            raise UserError("which preference?", fix="hookwright questions list")
        lines = [f"{preference['id']}  {described(preference)} {meaning(preference)}" for preference in here]
        identities = (here[pick.number("Forget which?", lines)]["id"],)
    gone = []
    for identity in identities:
        gone.append(kept.remove(identity))
        marks.forget_uses(state(), identity)
    if as_json:
        print_json({"forgotten": gone})
        return 0
    for preference in gone:
        print(f"forgotten: {preference['id']} {described(preference)} {meaning(preference)}")
    return 0


@click.command("undo", epilog="Example:  hookwright questions undo")
@as_json
def undo(*, as_json: bool) -> int:
    """Take back the last automatic answer: its preference is switched off, and you are told what was said.

    Called again, it goes on to the answer before.
    """
    ours = [entry.line() for entry in past() if entry.answered and entry.by_us]
    if not ours:
        raise UserError("nothing was answered for you", fix="hookwright questions log")
    kept = keeper()
    in_force = {each.get("id") for each in kept.everywhere() if not each.get("disabled")}
    open_ones = [line for line in ours if line["preference"] in in_force or line["preference"] in _SETTINGS]
    if not open_ones:
        raise UserError(
            "every preference that answered for you is gone or off already", fix="hookwright questions list"
        )
    last = open_ones[-1]
    setting = _SETTINGS.get(last["preference"])
    preference = None if setting else {**kept.disable(last["preference"]), "disabled": True}
    if as_json:
        print_json({"undone": last, "preference": preference, "setting": setting})
        return 0
    question, answer = plain(last["question"]), plain(last["answer"])
    print(f"{local_time(last['time'])}: \u201c{question}\u201d was answered with {answer}")
    if setting:
        print(f'  by the setting questions.{setting}; to be asked instead, set it to "ask"')
        print("  where it is set: hookwright config show")
    else:
        print(f"  preference {last['preference']} is switched off: the question is asked again")
    print("  Claude has been told that answer; if it was wrong, say so in the session.")
    return 0
