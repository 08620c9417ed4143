"""Record in the table what the real client did.

python -m tests.conformance.record                  compare: print where the client and the table disagree
python -m tests.conformance.record --write NAME…    write the outcomes of these scenes (all, if none is named)
python -m tests.conformance.record --client 2.1.235 --write NAME…   write what that version does otherwise, to versions/
"""

import argparse
import json
import os
import sys
import tempfile
import time

from tests.client.kit import install
from tests.client.kit.lab import Lab
from tests.conformance import scenes
from tests.conformance.client import Player


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", help="scenes; all, if none is named")
    parser.add_argument("--write", action="store_true", help="write the outcomes into the files")
    parser.add_argument("--client", metavar="VERSION", default=install.VERSION, help="of Claude Code")
    options = parser.parse_args(argv)
    binary = install.ensure(options.client)
    wrong = 0
    for path in scenes.files():
        scene = scenes.load(path)
        if options.names and scene.name not in options.names:
            continue
        began = time.monotonic()
        with tempfile.TemporaryDirectory(prefix="hw-conformance-") as folder:
            try:
                played = Player(scene, Lab(os.path.join(folder, "lab"), binary=binary)).outcomes()
                outcomes = [outcome for _, outcome in played]
            except (LookupError, TimeoutError) as problem:
                if options.client == install.VERSION:
                    raise
                print(f"{scene.name}: {options.client} does not play it: {str(problem)[:120]}", flush=True)
                continue
        print(f"{scene.name}: {len(outcomes)} cases, {time.monotonic() - began:.1f} s", flush=True)
        for case, outcome in zip(scene.cases, outcomes, strict=True):
            for line in scenes.differences(case.outcome, outcome) if case.outcome is not None else ["new"]:
                wrong += 1
                print(f"  {case.name}: {line}")
        if options.write and options.client == install.VERSION:
            write(path, outcomes)
        elif options.write:
            write_version(scene, outcomes, options.client)
    return 1 if wrong and not options.write else 0


def write(path: str, outcomes: list[dict]) -> None:
    with open(path, encoding="utf-8") as handle:
        data = json.load(handle)
    for case, outcome in zip(data["cases"], outcomes, strict=True):
        case["outcome"] = outcome
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(scenes.dump(data))


# What the stream of a version does not tell: nothing is said about these fields.
UNREAD = {"2.1.139": ("system_messages", "continue", "stop_reason", "continuations")}


def unread_fields(case: scenes.Case, version: str) -> set[str]:
    """Fields that cannot be read from this version; of a real tool's refusal it is not told who refused."""
    unread = set(UNREAD.get(version, ()))
    if "tool_name" in case.event and not case.event["tool_name"].startswith("mcp__"):
        unread |= {"decision", "reason", "updated_input"}
    return unread


def readable(case: scenes.Case, found: dict, version: str) -> dict:
    """The outcome with the table's own words where this version's cannot be read."""
    unread = unread_fields(case, version)
    told = {key: value for key, value in found.items() if key not in unread}
    return scenes.short({**told, **{key: value for key, value in case.outcome.items() if key in unread}})


def write_version(scene: scenes.Scene, outcomes: list[dict], version: str) -> None:
    """What another version does, where it differs; a scene without differences is written too: it was seen to agree."""
    os.makedirs(scenes.VERSIONS, exist_ok=True)
    path = os.path.join(scenes.VERSIONS, f"{version}.json")
    data = {"client": version, "scenes": {}}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as handle:
            data = json.load(handle)
    pairs = [(case, readable(case, found, version)) for case, found in zip(scene.cases, outcomes, strict=True)]
    differing = {case.name: found for case, found in pairs if scenes.differences(case.outcome, found)}
    data["scenes"] = dict(sorted({**data["scenes"], scene.name: differing}.items()))
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(scenes.dump_version(data))


if __name__ == "__main__":
    sys.exit(main())
