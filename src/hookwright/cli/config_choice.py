"""Where a choice of the user is kept: in config.toml for every project, or in a private file for this one.

allow, on, off, shadow → [choose_file] → ConfigChoice → [write_choice]
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hookwright.cli.text import shorten_home
from hookwright.config import config_edit
from hookwright.errors import UserError

if TYPE_CHECKING:
    from hookwright.cli.config_context import ConfigContext
    from hookwright.settings.change import Change


@dataclass(frozen=True)
class ConfigChoice:
    """A configuration file, and how to speak of it."""

    path: str
    state: str
    where: str  # "here", "everywhere"
    explained: str
    about: str = ""  # the first line of the file, if it is new


def choose_file(context: ConfigContext, *, everywhere: bool) -> ConfigChoice:
    if not context.user or context.state is None or not context.here:
        raise UserError("HOME is not set, so there is no directory for your configuration", fix="export HOME")
    if everywhere:
        return ConfigChoice(context.user, context.state, "everywhere", "in every project")
    explained = f"in {shorten_home(context.root)}, for you alone; nothing is written into the project"
    about = f"Your own settings for {context.root}; written by hookwright allow, on, off and shadow."
    return ConfigChoice(context.here, context.state, "here", explained, about)


def write_choice(change: Change, choice: ConfigChoice) -> None:
    config_edit.write_config(change, choice.state)
