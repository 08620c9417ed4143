"""A slice of the differential fuzzer, with a fixed seed; `make fuzz-client N=200` plays fresh scenes."""

import random

import pytest

from tests.conformance import fuzz, random_scenes, scenes

SEED, SCENES, SIZE = "slice", 3, 6


@pytest.mark.slow
def test_random_scenes_end_as_in_the_client(lab):
    tally = fuzz.Tally()
    for number in range(SCENES):
        fuzz.compare(random_scenes.make_scene(random.Random(f"{SEED}/{number}"), SIZE), tally)
    assert tally.cases == SCENES * SIZE
    assert not tally.unplayable
    assert not tally.signatures, [scenes.dump({"settings": one.settings, "cases": []}) for one in tally.differing]


def test_random_scenes_are_of_every_event_and_speak_of_their_handlers_only():
    made = [random_scenes.make_scene(random.Random(f"x/{number}"), 3) for number in range(200)]
    assert {case.event["hook_event_name"] for scene in made for case in scene.cases} == {
        kind for kind in random_scenes.EVENTS if kind not in ("paths", "commands")
    }
    for scene in made:
        for case in scene.cases:
            assert set(case.handlers) <= set(scene.handlers)


def test_a_seed_makes_the_same_scene_again():
    one, other = (random_scenes.make_scene(random.Random("7/3"), 4) for _ in range(2))
    assert (one.settings, one.cases) == (other.settings, other.cases)


def test_a_difference_that_one_side_repeats_is_counted_and_a_race_is_not(monkeypatch):
    scene = random_scenes.make_scene(random.Random("7/3"), 1)
    answers = {"client": [{"ran": ["a"]}, {"ran": ["a"]}], "engine": [{"ran": ["b"]}, {"ran": ["b"]}]}
    monkeypatch.setattr(fuzz, "play_client", lambda _: [answers["client"].pop(0)])
    monkeypatch.setattr(fuzz, "play_engine", lambda _: [answers["engine"].pop(0)])
    tally = fuzz.Tally()
    fuzz.compare(scene, tally)
    assert (sum(tally.signatures.values()), tally.races) == (1, 0)
    answers = {"client": [{"ran": ["a"]}, {"ran": ["b"]}], "engine": [{"ran": ["b"]}, {"ran": ["b"]}]}
    tally = fuzz.Tally()
    fuzz.compare(scene, tally)
    assert (sum(tally.signatures.values()), tally.races) == (0, 1)
