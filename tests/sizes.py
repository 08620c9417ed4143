"""How much a property test draws: as many examples as it names, or a twentieth of them in `make quick`."""

import os

QUICK = bool(os.environ.get("HOOKWRIGHT_QUICK"))


def examples(count: int) -> int:
    return max(5, count // 20) if QUICK else count
