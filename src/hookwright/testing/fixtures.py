"""What the pytest fixtures give: `hook`, which tries one hook on events.

hook, event → [HookTrial] → Answer
One test is one place: home, project and state stay from call to call, so that a hook can remember.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hookwright.errors import UserError
from hookwright.hooks.base import Hook
from hookwright.plan.table import HOOKS
from hookwright.protocol.events.base import Event
from hookwright.testing import builders, stage, typical

if TYPE_CHECKING:
    from hookwright.plan.compiler import Declared


class HookTrial:
    """`hook(no_sudo, bash("sudo ls")).verdict == "deny"`."""

    def __init__(self, folder: str, start: str) -> None:
        self._folder = folder
        self._start = start  # where paths of hooks are looked for
        self._place = stage.Stage(folder, {"hooks": {}})
        self.project = Path(self._place.project)
        self.home = Path(self._place.home)

    def __call__(
        self,
        hook: type[Hook] | ModuleType | str | os.PathLike[str],
        event: Event | Mapping[str, Any],
        *,
        options: Mapping[str, Any] | None = None,
        env: Mapping[str, str] | None = None,
        files: Mapping[str, str] | None = None,
        now: float | None = None,
    ) -> stage.Answer:
        """What a hook says to an event: a class or `@hook` function, a module, a file's path, or a built-in's name."""
        plan, told = self._plan(hook)
        place = stage.Stage(self._folder, stage.with_options(plan, told, options or {}), dict(env or {}), now)
        place.put(files or {})
        payload = in_project(event.raw if isinstance(event, Event) else event, place.project)
        heard = plan["hooks"].get(payload.get("hook_event_name"), [])
        if not heard:
            raise UserError(f"the hook listens to {', '.join(plan['hooks'])}, not to {payload.get('hook_event_name')}")
        return place.answer(payload)

    def _plan(self, hook: Any) -> tuple[stage.Plan, list[Declared]]:
        if isinstance(hook, type):
            return stage.plan_of_class(hook), [stage.declared_class(hook)]
        if isinstance(hook, ModuleType):
            hook = inspect.getsourcefile(hook) or ""
        name = os.fspath(hook)
        if name in HOOKS:
            return stage.plan_of_name(name), stage.declared_in(name)
        path = os.path.abspath(os.path.join(self._start, os.path.expanduser(name)))
        return stage.plan_of_file(path), stage.declared_in(path)


def in_project(value: Any, project: str) -> Any:
    """The payload with the builders' project made the test's own, and `@` its folder."""
    if isinstance(value, str):
        if value == builders.PROJECT or value.startswith(builders.PROJECT + "/"):
            return project + value[len(builders.PROJECT) :]
        return typical.placed(value, project)
    if isinstance(value, Mapping):
        return {key: in_project(item, project) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [in_project(item, project) for item in value]
    return value
