"""hookwright questions: what Claude asked, what you decided once and for all, and how to take it back."""

from __future__ import annotations

import click

from hookwright.cli.questions.away import presence
from hookwright.cli.questions.change import forget, undo
from hookwright.cli.questions.decide import set_
from hookwright.cli.questions.look import list_, log
from hookwright.cli.questions.propose import suggest


@click.group("questions", epilog="Example:  hookwright questions set --question 'Which database?' --answer SQLite")
def command() -> None:
    """What is answered for you, and every question so far.

    Claude asks with a dialog. A question that you have decided is answered without it; one-way doors (deleting,
    deploying, paying …) are always asked.
    """


for each in (list_, log, set_, forget, undo, suggest, presence):
    command.add_command(each)
