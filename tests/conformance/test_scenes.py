"""The table itself: complete, consistent, and free of the machine it was recorded on."""

import json
import re

import pytest

from tests.client.kit.install import VERSION
from tests.conformance import scenes

ALL = [scenes.load(path) for path in scenes.files()]
BEHAVIOUR = {
    "reply", "stdout", "stderr", "exit", "sleep", "after", "first_line", "replies",  # commands
    "status", "json", "text", "headers", "delay",  # http
    "answer",  # models
}  # fmt: skip


def test_the_table_is_long_enough_to_be_of_use():
    assert sum(len(scene.cases) for scene in ALL) >= 150


@pytest.mark.parametrize("scene", ALL, ids=lambda scene: scene.name)
def test_every_case_of_a_scene_has_handlers_and_an_outcome(scene):
    names = [case.name for case in scene.cases]
    assert len(names) == len(set(names))
    for case in scene.cases:
        assert case.outcome is not None, f"{case.name} has no outcome"
        assert set(case.handlers) <= set(scene.handlers), f"{case.name} speaks of handlers that are not registered"
        assert set(case.outcome) <= {"ran", *scenes.DEFAULTS}, case.name
        assert case.outcome == scenes.short(case.outcome), f"{case.name} writes what goes without saying"
        assert {key for said in case.handlers.values() for key in said} <= BEHAVIOUR, case.name


@pytest.mark.parametrize("path", scenes.files(), ids=lambda path: scenes.load(path).name)
def test_a_file_is_neutral_and_in_its_one_form(path):
    with open(path, encoding="utf-8") as handle:
        text = handle.read()
    data = json.loads(text)
    assert data["client"] == VERSION
    assert text == scenes.dump(data)
    assert not re.search(r"/tmp/|/home/|/root/|probe\.py", text)


def test_differences_are_told_field_by_field():
    expected = {"ran": ["a"], "decision": "deny", "reason": "no"}
    assert scenes.differences(expected, dict(expected)) == []
    assert scenes.differences(expected, {"ran": ["a"], "decision": "deny"}) == ["reason: expected 'no', found None"]


def test_a_short_outcome_and_a_full_one_say_the_same():
    said = {"ran": ["a"], "context": ["words"]}
    assert scenes.short(scenes.full(said)) == said
    assert scenes.full(said)["decision"] == "none"
