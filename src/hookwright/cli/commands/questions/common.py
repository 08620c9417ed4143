"""Open what the questions commands work on.

questions command → [this] → preference store, ledger, [questions] section
"""

from __future__ import annotations

import os
from typing import Any

from hookwright.cli.config_context import ConfigContext, effective_values
from hookwright.cli.ledger_context import open_ledger
from hookwright.hooks.questions.preference_store import PreferenceStore
from hookwright.hooks.questions.suggestions import QuestionEntry, read_entries, read_transcript_entries
from hookwright.store import paths


def find_state_dir() -> str | None:
    return paths.state_dir(os.environ.get)


def open_preferences() -> PreferenceStore:
    home = os.environ.get("HOME")
    return PreferenceStore(paths.config_dir(os.environ.get), os.getcwd(), home.rstrip("/") if home else None)


def read_questions(since: float = 0.0, *, transcripts: bool = False, latest: int = 0) -> list[QuestionEntry]:
    """Every recorded question, oldest first; with `transcripts` also those learned from transcripts.

    `latest`: no more than so many of each kind, so that the past may be long.
    """
    store = open_ledger()
    try:
        learned = read_transcript_entries(store, since, latest) if transcripts else []
        return learned + read_entries(store, since, latest)
    finally:
        store.close()


def effective_options() -> dict[str, Any]:
    """The values of the [questions] section that are in force here."""
    prefix = "questions."
    values = effective_values(ConfigContext().load_hooks(only_ours=True))
    return {name.removeprefix(prefix): row["value"] for name, row in values.items() if name.startswith(prefix)}
