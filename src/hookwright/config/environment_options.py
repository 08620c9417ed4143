"""Options from environment variables, which win over the configuration files.

plan, environment → [add_environment] → a hook's options
Loaded by dispatch only where a variable with one of our prefixes is set.
"""

from __future__ import annotations

import marshal

from hookwright.options import BadValue, is_tighter, parse_env_value, raise_to_floor

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Protocol

    class World(Protocol):
        """The part of hooks.base.World that is used here."""

        project: str
        project_env: Mapping[str, str]
        facts: dict[str, Any]
        notices: list[str]

        @property
        def env(self) -> Callable[[str], str | None]: ...


def add_environment(options: dict[str, Any], plan: Mapping[str, Any], row: Mapping[str, Any], world: World) -> None:
    """Apply environment variables over the plan's options; a bad value is ignored and recorded.

    What the project's own settings set may only tighten, and nobody goes below the policy's values, `floor`.
    """
    variables = marshal.loads(plan["environment"])[row["hook"]]  # noqa: S302  of our own plan
    floor = row.get("floor", {})
    for variable, option, kind, choices, spelling, tighter, default in variables:
        text = world.env(variable)
        of_project = text is None and variable in world.project_env
        if of_project:
            text = world.project_env[variable]
        if text is None:
            continue
        try:
            if spelling is None:
                value = parse_env_value(kind, choices, text)
            elif text.strip().lower() in spelling:
                value = spelling[text.strip().lower()]
            else:
                continue
        except BadValue as error:
            world.facts.setdefault("bad_environment", []).append(f"{variable} {error}")
            continue
        if of_project and not is_tighter(tighter, options.get(option, default), value):
            world.notices.append(
                f"{variable} is left out: the settings of {world.project} set it, and a project may only tighten"
            )
            continue
        options[option] = raise_to_floor(tighter, floor[option], value) if option in floor else value
