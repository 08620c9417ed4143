"""Does learning pay? Sessions of the first half are learned, the calls of the second half are decided.

    python bench/learning.py [seed …]

The sessions are made up (tests/store/made_sessions.py), with durations that are known. For each policy: of the commands
that were moved, how many took so long (precision); of the long ones, how many were moved (recall); and of those under
five seconds whose key was seen, how many were moved.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.store.learned_halves import measure_halves

POLICIES = {
    "seed, not learned": {"learned": False},
    "endless, not learned": {"learned": False, "by_name": "endless"},
    "seed": {},
    "endless": {"by_name": "endless"},
    "never": {"by_name": "never"},
}


def main(seeds):
    for seed in seeds:
        with tempfile.TemporaryDirectory() as folder:
            scores = measure_halves(Path(folder), POLICIES, seed)
        print(f"seed {seed}: {scores['calls']} calls in the second half")
        print(f"  {'by_name':22} {'moved':>6}  precision and recall at 60 s, at 25 s  moved under 5 s, of seen")
        for name in POLICIES:
            score = scores[name]
            print(
                f"  {name:22} {score.moved:6} {score.precision(60):15.2f} {score.recall(60):10.2f} "
                f"{score.precision(25):7.2f} {score.recall(25):5.2f} {score.quick_moved:>12} of {score.quick_seen}"
            )


if __name__ == "__main__":
    main([int(word) for word in sys.argv[1:]] or [4, 5, 6])
