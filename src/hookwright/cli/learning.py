"""Learn durations and questions from Claude Code's transcripts, with a progress bar.

learn, install → [learn_durations] → store.learn → what was found
"""

from __future__ import annotations

import os
import time

from hookwright.cli.ledger_context import open_ledger, require_state_dir
from hookwright.cli.progress import progress_bar
from hookwright.cli.transcript_context import find_claude_dir, require_transcripts
from hookwright.store import learn, transcripts
from hookwright.store.refresh import refresh


def has_transcripts() -> bool:
    """True if Claude Code has recorded a session here."""
    projects = f"{find_claude_dir(None)}/projects"
    for base, _, files in os.walk(projects):
        if base != projects and any(name.endswith(".jsonl") for name in files):
            return True
    return False


def learn_durations(folder: str | None, *, dry_run: bool = False) -> learn.LearnResult:
    """Read what is new in the transcripts; with `dry_run` nothing is stored."""
    claude_dir = require_transcripts(folder, "hookwright learn")
    store = open_ledger()
    with progress_bar() as progress:
        found = learn.learn(store, transcripts.find_transcripts(claude_dir), dry_run=dry_run, progress=progress)
    if not dry_run:
        refresh(store, require_state_dir(), time.time())
    return found
