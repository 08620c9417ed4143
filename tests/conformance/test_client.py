"""The table says what the real client does, case for case."""

import pytest

from tests.conformance import scenes
from tests.conformance.client import Player


@pytest.mark.parametrize("path", scenes.files(), ids=lambda path: scenes.load(path).name)
def test_the_client_does_what_the_table_says(lab, path):
    outcomes = list(Player(scenes.load(path), lab).outcomes())
    wrong = {case.name: scenes.differences(case.outcome, found) for case, found in outcomes}
    assert not {name: lines for name, lines in wrong.items() if lines}
