"""The engine does what was recorded, case by case; known differences are listed here with their reason."""

import pytest

from tests.conformance import scenes
from tests.conformance.engine import play

# (scene, case) → why the engine differs. A case that agrees must not be listed.
DIFFERENCES = {
    ("async-rewake", "exit 2 wakes the model with stderr"): (
        "the client wraps the text in a reminder, whose closing tag was recorded; the engine returns the text alone"
    ),
    (
        "failure-words",
        "http: a broken object",
    ): "the error message is that of the JSON parser: JavaScript's or Python's",
    ("matcher-failure", "a command that fails does not fire PostToolUse"): (
        "the client decides which event follows a call; the engine is given the event"
    ),
}
# They wait for sleeping handlers, or have dozens of cases: seconds each, which `make quick` leaves out.
SLOW = (
    *(
        "dedup-options",
        "http",
        "http-failures",
        "if",
        "if-paths",
        "if-shell",
        "if-substitution",
        "if-syntax",
        "if-words",
    ),
    *("managed-order", "mcp-handlers", "on-failure", "prompt-batch", "prompt-events", "session-end", "timeouts"),
    *("two-speak", "batch-two"),
)


def list_scenes():
    named = [(path, scenes.load(path).name) for path in scenes.files()]
    return [pytest.param(path, id=name, marks=[pytest.mark.slow] * (name in SLOW)) for path, name in named]


@pytest.mark.parametrize("path", list_scenes())
def test_the_engine_does_what_the_client_does(path, tmp_path):
    scene = scenes.load(path)
    wrong, agreeing = {}, []
    for case, found in play(scene, tmp_path / "stage"):
        lines = scenes.differences(case.outcome, found)
        if (scene.name, case.name) not in DIFFERENCES:
            wrong.update({case.name: lines} if lines else {})
        elif not lines:
            agreeing.append(case.name)
    assert not wrong
    assert not agreeing, "these agree now: remove them from the list"


def test_every_listed_difference_is_a_case():
    cases = {(scene.name, case.name) for scene in map(scenes.load, scenes.files()) for case in scene.cases}
    assert set(DIFFERENCES) <= cases
