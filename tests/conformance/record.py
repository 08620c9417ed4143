"""Record in the table what the real client did.

python -m tests.conformance.record                  compare: print where the client and the table disagree
python -m tests.conformance.record --write NAME…    write the outcomes of these scenes (all, if none is named)
"""

import argparse
import json
import os
import sys
import tempfile
import time

from tests.client.kit.lab import Lab
from tests.conformance import scenes
from tests.conformance.client import Player


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="scenes; all, if none is named")
    parser.add_argument("--write", action="store_true", help="write the outcomes into the files")
    options = parser.parse_args(argv)
    wrong = 0
    for path in scenes.files():
        scene = scenes.load(path)
        if options.names and scene.name not in options.names:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="hw-conformance-") as folder:
            outcomes = [outcome for _, outcome in Player(scene, Lab(os.path.join(folder, "lab"))).outcomes()]
        print(f"{scene.name}: {len(outcomes)} cases, {time.monotonic() - began:.1f} s")
        for case, outcome in zip(scene.cases, outcomes, strict=True):
            for line in scenes.differences(case.outcome, outcome) if case.outcome is not None else ["new"]:
                wrong += 1
                print(f"  {case.name}: {line}")
        if options.write:
            write(path, outcomes)
    return 1 if wrong and not options.write else 0


def write(path: str, outcomes: list[dict]) -> None:
    with open(path, encoding="utf-8") as handle:
        data = json.load(handle)
    for case, outcome in zip(data["cases"], outcomes, strict=True):
        case["outcome"] = outcome
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(scenes.dump(data))


if __name__ == "__main__":
    sys.exit(main())
