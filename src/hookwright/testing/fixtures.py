"""The pytest fixture `hook`: run one hook on an event.

hook, event → [HookTrial] → sandbox → Answer
Home, project and state stay the same during a test, so that a hook can keep state between calls.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hookwright.config.builtin_hooks import HOOKS
from hookwright.errors import UserError
from hookwright.hooks.base import Hook
from hookwright.protocol.events.base import Event
from hookwright.protocol.illegal_decision import IllegalDecision
from hookwright.testing import builders, sample_values, sandbox

if TYPE_CHECKING:
    from hookwright.config.compiler import HookSpec
    from hookwright.hooks.decorator import DecoratedHook


class HookTrial:
    """`hook(no_sudo, bash("sudo ls")).verdict == "deny"`."""

    def __init__(self, folder: str, start: str) -> None:
        self._folder = folder
        self._start = start  # relative paths of hooks start here
        self._sandbox = sandbox.Sandbox(folder, {"hooks": {}})
        self.project = Path(self._sandbox.project)
        self.home = Path(self._sandbox.home)

    def __call__(
        self,
        hook: type[Hook] | DecoratedHook[Any] | ModuleType | str | os.PathLike[str],
        event: Event | Mapping[str, Any],
        *,
        options: Mapping[str, Any] | None = None,
        env: Mapping[str, str] | None = None,
        files: Mapping[str, str] | None = None,
        now: float | None = None,
    ) -> sandbox.Answer:
        """Run a hook on an event: a class or `@hook` function, a module, a path, or the name of a built-in."""
        plan, declarations = self._compile_plan(hook)
        box = sandbox.Sandbox(
            self._folder, sandbox.with_options(plan, declarations, options or {}), dict(env or {}), now
        )
        box.write_files(files or {})
        payload = rebase_paths(event.raw if isinstance(event, Event) else event, box.project)
        listeners = plan["hooks"].get(payload.get("hook_event_name"), [])
        if not listeners:
            raise UserError(f"the hook listens to {', '.join(plan['hooks'])}, not to {payload.get('hook_event_name')}")
        answer = box.answer_payload(payload)
        mistakes = [row for row in answer.trace if row.get("failure", "").startswith(IllegalDecision.__name__)]
        if mistakes:  # otherwise a test that expects silence could not fail
            raise UserError(f"{mistakes[0]['hook']}: {mistakes[0]['failure']}")
        return answer

    def _compile_plan(self, hook: Any) -> tuple[sandbox.Plan, list[HookSpec]]:
        if isinstance(hook, type):
            return sandbox.plan_of_class(hook), [sandbox.declared_class(hook)]
        if isinstance(hook, ModuleType):
            hook = inspect.getsourcefile(hook) or ""
        name = os.fspath(hook)
        if name in HOOKS:
            return sandbox.plan_of_name(name), sandbox.declared_in(name)
        path = os.path.abspath(os.path.join(self._start, os.path.expanduser(name)))
        return sandbox.plan_of_file(path), sandbox.declared_in(path)


def rebase_paths(value: Any, project: str) -> Any:
    """The payload with paths of the builders' project, and `@`, replaced by the project of the test."""
    if isinstance(value, str):
        if value == builders.PROJECT or value.startswith(builders.PROJECT + "/"):
            return project + value[len(builders.PROJECT) :]
        return sample_values.expand_project(value, project)
    if isinstance(value, Mapping):
        return {key: rebase_paths(item, project) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [rebase_paths(item, project) for item in value]
    return value
