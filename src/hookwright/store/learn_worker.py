"""Bring the ledger and the learned durations up to date: the detached child process of learn_in_background.

journal → [this: python -I -S learn_worker.py STATE] → ledger.db, durations
Runs at low priority. A failure is silent: the next command that opens the ledger does the work.
"""

from __future__ import annotations

import os
import sys
import time


def main(state: str) -> None:
    try:
        os.nice(10)
        sys.path.append(__file__.rpartition("/hookwright/store/")[0])  # -I and -S leave the package out
        from hookwright.store.database import open_store  # noqa: PLC0415  after the path is known
        from hookwright.store.refresh import refresh  # noqa: PLC0415

        store = open_store(state)
        refresh(store, state, time.time())
        store.close()
    except Exception:  # noqa: BLE001  its output is not read
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
