"""Play random scenes through the real client and through the engine, and make a scene of whatever differs.

    make fuzz-client N=200                     # that many cases
    python -m tests.conformance.fuzz -n 200 --seed 7 --keep DIFFERENCES

random settings, events and behaviour → [Player of client.py, Player of engine.py] → outcomes compared field by field
Cases that share settings share a session of the client. A difference is played once more on both sides: one that is not
seen again, or on which a side disagrees with itself, is a race and is counted apart. The rest is minimised and written.
"""

import argparse
import copy
import os
import random
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.client.kit import install
from tests.client.kit.lab import Lab
from tests.conformance import client, engine, random_scenes, scenes
from tests.conformance.scenes import Case, Scene

CASES_A_SCENE = 12
# After a decision these events do not wait for the other handlers: whether one was still running is a race.
NOT_WAITED = ("UserPromptSubmit", "UserPromptExpansion", "PermissionRequest", "PostToolUse")


@dataclass
class Tally:
    """What a run has found."""

    cases: int = 0
    agree: int = 0
    races: int = 0
    unplayable: int = 0
    signatures: Counter = field(default_factory=Counter)
    differing: list[Scene] = field(default_factory=list)

    @property
    def decidable(self) -> int:
        return self.agree + sum(self.signatures.values())

    def __str__(self) -> str:
        share = 100 * self.agree / self.decidable if self.decidable else 100.0
        rest = f"{self.races} races, {self.unplayable} that the client did not play"
        return f"{self.cases} cases: {self.agree} of {self.decidable} agree ({share:.1f} %), {rest}"


def play_client(scene: Scene) -> list[dict]:
    with tempfile.TemporaryDirectory(prefix="hw-fuzz-") as folder:
        fresh = copy.deepcopy(scene)
        return [outcome for _, outcome in client.Player(fresh, Lab(os.path.join(folder, "lab"))).outcomes()]


def play_engine(scene: Scene) -> list[dict]:
    with tempfile.TemporaryDirectory(prefix="hw-fuzz-") as folder:
        fresh = copy.deepcopy(scene)
        found = {case.name: outcome for case, outcome in engine.play(fresh, os.path.join(folder, "stage"))}
        return [found[case.name] for case in scene.cases]


def differences(case: Case, expected: dict, found: dict) -> list[str]:
    if case.event["hook_event_name"] in ("Stop", "SubagentStop"):  # the client's feedback ends in line ends of its own
        expected, found = (
            {**one, "reason": one["reason"].rstrip("\n")} if one.get("reason") else one for one in (expected, found)
        )
    lines = scenes.differences(expected, found)
    if case.event["hook_event_name"] in NOT_WAITED:
        lines = [line for line in lines if not line.startswith("cut: ")]
    return lines


def alone(scene: Scene, case: Case) -> Scene:
    return Scene(scene.file, scene.about, scene.settings, [copy.deepcopy(case)], scene.env, scene.alone)


def compare(scene: Scene, tally: Tally) -> None:
    """Play a scene on both sides and sort its cases."""
    tally.cases += len(scene.cases)
    try:
        theirs = play_client(scene)
    except Exception as error:  # noqa: BLE001 - one scene that cannot be played must not end a long run
        print(f"  not played: {type(error).__name__}: {str(error)[:200]}", flush=True)
        tally.unplayable += len(scene.cases)
        return
    ours = play_engine(scene)
    for case, seen, found in zip(scene.cases, theirs, ours, strict=True):
        if not differences(case, seen, found):
            tally.agree += 1
            continue
        compare_again(scene, case, seen, found, tally)


def compare_again(scene: Scene, case: Case, seen: dict, found: dict, tally: Tally) -> None:
    """Exclude races: a difference counts if both sides repeat themselves."""
    one = alone(scene, case)
    try:
        again, once_more = play_client(one)[0], play_engine(one)[0]
    except Exception:  # noqa: BLE001 - as above
        tally.races += 1
        return
    if differences(case, seen, again) or differences(case, found, once_more):
        if not differences(case, again, once_more):
            tally.races += 1
            return
        seen, found = again, once_more
        third = play_client(one)[0]
        if differences(case, seen, third):
            tally.races += 1
            return
    lines = differences(case, seen, found)
    case.outcome = seen
    tally.signatures[signature(case, lines)] += 1
    tally.differing.append(alone(scene, case))
    print(f"  {case.name}: " + "; ".join(line[:300] for line in lines), flush=True)


def signature(case: Case, lines: list[str]) -> str:
    return f"{case.event['hook_event_name']}: {', '.join(line.split(':')[0] for line in lines)}"


def minimise(scene: Scene) -> Scene:
    """Drop handlers, scopes and parts of behaviours while the two sides still differ."""
    changed = True
    while changed:
        changed = False
        for smaller in smaller_scenes(scene):
            try:
                seen, found = play_client(smaller)[0], play_engine(smaller)[0]
            except Exception:  # noqa: BLE001 - too small to be played
                continue
            if differences(smaller.cases[0], seen, found):
                smaller.cases[0].outcome = seen
                scene, changed = smaller, True
                break
    return scene


def smaller_scenes(scene: Scene):
    for scope in list(scene.settings) if len(scene.settings) > 1 else ():
        smaller = copy.deepcopy(scene)
        del smaller.settings[scope]
        yield smaller
    for name in scene.handlers if len(scene.handlers) > 1 else ():
        smaller = copy.deepcopy(scene)
        for settings in smaller.settings.values():
            for groups in settings["hooks"].values():
                groups[:] = [group for group in groups if all(entry.get("run") != name for entry in group["hooks"])]
        smaller.cases[0].handlers.pop(name, None)
        for behaviour in smaller.cases[0].handlers.values():
            behaviour["after"] = [other for other in behaviour.get("after", []) if other != name]
        yield smaller
    for name, behaviour in scene.cases[0].handlers.items():
        for key in [key for key in behaviour if key != "after"]:
            smaller = copy.deepcopy(scene)
            del smaller.cases[0].handlers[name][key]
            yield smaller


def write(scene: Scene, folder: str, number: int) -> None:
    case = scene.cases[0]
    data = {
        "about": f"A difference: {case.name}",
        "client": install.VERSION,
        "settings": scene.settings,
        "cases": [{"case": case.name, "event": case.event, "handlers": case.handlers, "outcome": case.outcome}],
    }
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, f"difference-{number:03d}.json"), "w", encoding="utf-8") as handle:
        handle.write(scenes.dump(data))


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("-n", type=int, default=100, help="cases")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    parser.add_argument("--seconds", type=float, default=None, help="stop after so long")
    parser.add_argument("--keep", metavar="FOLDER", help="write what differs, minimised, as scenes")
    parser.add_argument("--least", type=float, default=99.0, help="percent that must agree")
    options = parser.parse_args(argv)
    print(f"seed {options.seed}", flush=True)
    tally, began, number = Tally(), time.monotonic(), 0
    while tally.cases < options.n and (options.seconds is None or time.monotonic() - began < options.seconds):
        size = min(CASES_A_SCENE, options.n - tally.cases)
        compare(random_scenes.make_scene(random.Random(f"{options.seed}/{number}"), size), tally)
        number += 1
        if number % 5 == 0:
            print(f"{time.monotonic() - began:5.0f} s  {tally}", flush=True)
    print(tally)
    for name, count in tally.signatures.most_common():
        print(f"  {count:4}  {name}")
    if options.keep:
        for place, scene in enumerate(tally.differing):
            write(minimise(scene), options.keep, place)
    share = 100 * tally.agree / tally.decidable if tally.decidable else 0.0
    return 0 if share >= options.least else 1


if __name__ == "__main__":
    sys.exit(main())
