"""All rules, for those who list them: the docs, `config check`, the tests. Cold: imports every one."""

from __future__ import annotations

import pkgutil
from typing import Any

from hookwright import rules
from hookwright.rules.files import REASONS
from hookwright.rules.own import OWN, PATHS


def modules() -> dict[str, Any]:
    """Id → module."""
    loaded = [rules.load(module.name) for module in pkgutil.iter_modules(rules.__path__)]
    return {rule.ID: rule for rule in loaded if hasattr(rule, "ID")}


def ids() -> tuple[str, ...]:
    """What may stand in `off`, `ask`, `deny` and in an exception."""
    return (*modules(), *(f"protected-{name}" for name in REASONS), OWN, PATHS)
