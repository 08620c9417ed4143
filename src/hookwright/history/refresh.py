"""Brings the ledger and what was learned up to date, in a process of its own that nobody waits for.

observer, at a turn's end, at most every ten minutes → [this] → ledger.db, durations
Only one runs at a time, at low priority; a failure is silence, the next reader does the work then.
"""

from __future__ import annotations

import os
import sys


def main(state: str) -> None:
    try:
        os.nice(10)
        from hookwright.history import ledger  # noqa: PLC0415  its failure is silence too

        ledger.bring_up(state)[0].close()
    except Exception:  # noqa: BLE001  nobody listens
        sys.exit(1)


if __name__ == "__main__":
    main(sys.argv[1])
