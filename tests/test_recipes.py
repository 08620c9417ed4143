"""Recipes are handlers that Claude Code accepts; that they work is shown in tests/client."""

import pytest

from hookwright.recipes import KNOWN_DIGESTS, RECIPES, digest_prompt, recipe_of


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_a_handler_with_our_text_and_a_way_out_of_loops(name):
    recipe = RECIPES[name]
    handler = recipe["handler"]
    assert set(recipe) == {"about", "event", "handler"}
    assert handler["type"] in ("prompt", "agent")
    assert "$ARGUMENTS" in handler["prompt"]
    assert "stop_hook_active" in handler["prompt"]
    assert 0 < handler["timeout"] <= 600


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_known_by_its_words_and_by_all_that_it_had_before(name):
    handler = RECIPES[name]["handler"]
    assert (
        digest_prompt(handler["prompt"]) in KNOWN_DIGESTS[name]
    )  # a new wording is added to the list, the old ones stay
    assert recipe_of({**handler, "timeout": 5}) == name
    assert recipe_of({**handler, "prompt": handler["prompt"] + " And be kind."}) is None  # the user's own by now
    assert recipe_of({"type": "command", "command": "true"}) is None
