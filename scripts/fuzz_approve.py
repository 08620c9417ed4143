"""Prove random commands, run those that are approved over a copied project without network, report what they did.

    python scripts/fuzz_approve.py [COMMANDS] [RUNS] [SEED]          make fuzz-approve N=1000000

Exit 1 if an approved command wrote, renamed, removed, connected or started a program that it does not name.
"""

from __future__ import annotations

import random
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.hooks.approve.random_commands import draw_command  # noqa: E402
from tests.hooks.approve.test_execution import make_repository  # noqa: E402
from tests.hooks.approve.test_prove import is_approved  # noqa: E402
from tests.hooks.approve.watch_execution import run_watched, why_not  # noqa: E402


def main() -> int:
    count, runs, seed = (int(word) for word in [*sys.argv[1:], *("100000", "500", "1")[len(sys.argv) - 1 :]])
    refusal = why_not()
    if refusal:
        print(f"commands cannot be watched: {refusal}")
        return 2
    chance = random.Random(seed)  # noqa: S311  no secret
    with tempfile.TemporaryDirectory() as folder:
        project = make_repository(Path(folder) / "project")
        approved = {text for text in (draw_command(chance) for _ in range(count)) if is_approved(text, project)}
        chosen = chance.sample(sorted(approved), min(runs, len(approved)))
        found = run_watched(chosen, project, Path(folder))
    print(
        f"{count} commands, {len(approved)} different ones approved, {len(chosen)} of them run, {len(found)} did more"
    )
    for command, deeds in found.items():
        print(command, *deeds[:3], sep="\n    ")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
