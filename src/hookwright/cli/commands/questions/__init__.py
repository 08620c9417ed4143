"""hookwright questions: what Claude asked, which answers are decided, and how to revoke them."""

from __future__ import annotations

import click

from hookwright.cli.commands.questions.forget import forget_command, undo_command
from hookwright.cli.commands.questions.list_log import list_command, log_command
from hookwright.cli.commands.questions.presence import presence_command
from hookwright.cli.commands.questions.set_preference import set_command
from hookwright.cli.commands.questions.suggest import suggest_command
from hookwright.cli.groups import SentenceGroup


@click.group(
    "questions",
    cls=SentenceGroup,
    epilog="Example:  hookwright questions set --question 'Which database?' --answer SQLite",
)
def command() -> None:
    """Preferences for Claude's questions, and every question so far.

    Claude asks with a dialog. A question that you have decided is answered without it; irreversible ones (deleting,
    deploying, paying …) are always asked.
    """


for each in (list_command, log_command, set_command, forget_command, undo_command, suggest_command, presence_command):
    command.add_command(each)
