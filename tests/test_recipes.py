"""Recipes are handlers that Claude Code accepts; that they work is shown in tests/client."""

import pytest

from hookwright.recipes import RECIPES


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_is_a_handler_with_our_text_and_a_way_out_of_loops(name):
    recipe = RECIPES[name]
    handler = recipe["handler"]
    assert set(recipe) == {"about", "event", "handler"}
    assert handler["type"] in ("prompt", "agent")
    assert "$ARGUMENTS" in handler["prompt"]
    assert "stop_hook_active" in handler["prompt"]
    assert 0 < handler["timeout"] <= 600
