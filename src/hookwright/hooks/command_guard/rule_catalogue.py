"""All rules by id, for the docs, `config check` and the tests. Cold: imports every rule."""

from __future__ import annotations

import pkgutil
from typing import Any

from hookwright.hooks.command_guard import rules
from hookwright.hooks.command_guard.evaluate import load_rule
from hookwright.hooks.command_guard.file_access import REASONS
from hookwright.hooks.command_guard.user_rules import OWN, PATHS


def load_rules() -> dict[str, Any]:
    """Id → module."""
    loaded = [load_rule(module.name) for module in pkgutil.iter_modules(rules.__path__)]
    return {rule.ID: rule for rule in loaded if hasattr(rule, "ID")}


def expand_examples(rule: Any) -> dict[str, str | None]:
    """The EXAMPLES of a rule, one command each: `«a|b» x` stands for `a x` and `b x`."""
    return {command: verdict for text, verdict in rule.EXAMPLES.items() for command in _expand(text)}


def _expand(text: str) -> list[str]:
    before, mark, rest = text.partition("«")
    if not mark:
        return [text]
    inside, _, after = rest.partition("»")
    return [before + word + tail for word in inside.split("|") for tail in _expand(after)]


def list_ids() -> tuple[str, ...]:
    """The ids that `off`, `ask`, `deny` and exceptions accept."""
    return (*load_rules(), *(f"protected-{name}" for name in REASONS), OWN, PATHS)
