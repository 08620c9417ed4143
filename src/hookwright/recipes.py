"""Prompt and agent handlers that Claude Code itself runs, for `hookwright install --with NAME`.

name → event, handler → settings.json
They ask a model, so they cost tokens and can be wrong; none is installed unless asked for. Both let Claude stop if it
was already kept going once (`stop_hook_active`), since hookwright does not see them and cannot limit them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

# Claude Code asks the model whether the text of a prompt handler "has been satisfied", with the whole conversation
# above it, and shows the text to Claude in front of the reason: so it is a condition, and short.
RECIPES: dict[str, dict[str, Any]] = {
    "verify-completion": {
        "about": "before Claude stops, a model reads the conversation: is everything done that the user asked for?",
        "event": "Stop",
        "handler": {
            "type": "prompt",
            "prompt": (
                "Everything that the user asked for since their last message is done and was seen to work, or the "
                "assistant has plainly said what is not and why, or is waiting for an answer of the user. Satisfied "
                'in any case if the following has "stop_hook_active":true. $ARGUMENTS'
            ),
            "timeout": 60,
            "statusMessage": "Is everything done?",
        },
    },
    "run-tests": {
        "about": "before Claude stops, an agent finds the project's tests, runs them and sends failures back",
        "event": "Stop",
        "handler": {
            "type": "agent",
            "prompt": (
                "Judge whether the work may end. If the event below has stop_hook_active true, or no file of the "
                "project was changed, answer ok. Otherwise find out how this project runs its tests (its README, "
                "Makefile, package.json, pyproject.toml, CI files), run the tests nearest to the change with Bash, "
                "and change nothing. Answer ok if they pass, or if there are none; else not ok, with the names of "
                "the failing tests and their messages as the reason. The event: $ARGUMENTS"
            ),
            "timeout": 300,
            "statusMessage": "Running the tests",
        },
    },
}

# Digests of every text that a recipe ever had: an entry with one of them is ours, any other is the user's.
KNOWN_DIGESTS = {
    "verify-completion": ("134241d74327567e",),
    "run-tests": ("788d49f7ba61dd1e",),
}


def recipe_of(handler: Mapping[str, Any]) -> str | None:
    """The recipe that this handler was installed from, in this wording or an earlier one."""
    prompt = handler.get("prompt")
    if not isinstance(prompt, str):
        return None
    for name, recipe in RECIPES.items():
        if handler.get("type") == recipe["handler"]["type"] and digest_prompt(prompt) in KNOWN_DIGESTS[name]:
            return name
    return None


def digest_prompt(prompt: str) -> str:
    return hashlib.sha256(prompt.encode("utf-8", "replace")).hexdigest()[:16]
