"""Open the ledger for `log`, `why`, `stats`, `learn`, `status` and `questions`.

command → [this] → store.refresh (journal brought into SQLite first) → rows → view
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from hookwright.cli.output import print_line
from hookwright.cli.progress import progress_bar
from hookwright.errors import UserError
from hookwright.store import paths, refresh

if TYPE_CHECKING:
    import sqlite3


def require_state_dir() -> str:
    state = paths.state_dir(os.environ.get)
    if state is None:
        raise UserError("the ledger has no directory: HOME is not set", fix="export HOME")
    return state


def open_ledger() -> sqlite3.Connection:
    """The ledger, up to the last event."""
    with progress_bar() as progress:
        store, ingested = refresh.open_ledger(require_state_dir(), progress=progress)
    if ingested.busy:
        print_line("hookwright: another process is reading the journal; the latest events may be missing", stderr=True)
    return store
