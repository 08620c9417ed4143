"""Run hooks in a sandbox: a temporary home and project, the real plan, the real dispatcher.

hook or configuration, files, environment → [Sandbox] → dispatch.answer → Answer
No file of the user is read or written, except that `effective_plan` reads the configuration in force.
"""

from __future__ import annotations

import dataclasses
import json
import marshal
import os
import time
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright import dispatch
from hookwright.config import compiler, config_files, discover_entry_points, load_isolated
from hookwright.config.builtin_hooks import HOOKS
from hookwright.config.discover_files import (
    DiscoveredHooks,
    LoadContext,
    list_python_files,
    load_hook_files,
    read_files,
)
from hookwright.errors import UserError
from hookwright.hooks.base import Hook, World
from hookwright.options import BadValue, Option, validate_option
from hookwright.protocol.events import event_of
from hookwright.store import paths
from hookwright.testing import TEST_HOOKS
from hookwright.testing.deadline import Deadline
from hookwright.user_hooks.load_hook import load_hook
from hookwright.user_hooks.serialize import copy_payload

if TYPE_CHECKING:
    from hookwright.protocol.decisions import Decision

Plan = dict[str, Any]
# Variables that a hook gets from the user's environment, besides those of the test.
KEPT_VARIABLES = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "VIRTUAL_ENV")
# No background process may outlive a test.
FIXED_VARIABLES = {"HOOKWRIGHT_OBSERVER_REFRESH": "off"}


@dataclass(frozen=True)
class Answer:
    """The answer to one event: the decision, the hooks that made it, what is sent to Claude Code."""

    outcome: dispatch.DispatchResult
    short: Mapping[str, str] = field(default_factory=dict)  # directory → what a case writes for it

    @property
    def decision(self) -> Decision | None:
        """The merged decision of all hooks; None if none decided."""
        return self.outcome.decision

    @property
    def verdict(self) -> str | None:
        """One word: deny, ask, allow, block, rewrite, context, message …; None if no hook decided."""
        return self.outcome.verdict

    @property
    def reason(self) -> str:
        """Why it was denied, asked about, allowed or blocked."""
        return self.decision.reason if self.decision and self.decision.permission else ""

    @property
    def context(self) -> str:
        """What Claude is told."""
        return self.decision.context if self.decision else ""

    @property
    def message(self) -> str:
        """What the user is told."""
        return self.decision.message if self.decision else ""

    @property
    def updated_input(self) -> Mapping[str, Any] | None:
        """The whole input that the tool would get; None if nothing was changed."""
        return self.outcome.updated_input

    @property
    def sent(self) -> dict[str, Any] | None:
        """The JSON object on stdout; None if nothing is sent."""
        return json.loads(self.outcome.stdout) if self.outcome.stdout else None

    @property
    def stderr(self) -> str:
        """The reason, for events that can block only with exit code 2."""
        return self.outcome.stderr.decode("utf-8", "replace")

    @property
    def exit_code(self) -> int:
        """Of the hook process: 0, or 2 for such a block."""
        return self.outcome.exit_code

    @property
    def trace(self) -> list[dict[str, Any]]:
        """A row for each hook that ran: hook, verdict, reason, us, mode, failure."""
        return self.outcome.trace

    @property
    def failures(self) -> list[str]:
        """Exceptions and timeouts of hooks: `name: ZeroDivisionError: …`."""
        return [f"{row['hook']}: {row['failure']}" for row in self.trace if "failure" in row]

    def __repr__(self) -> str:
        failed = f", failures={self.failures}" if self.failures else ""
        return f"Answer({self.decision!r}{failed})"


@dataclass
class Sandbox:
    """A home and a project in a directory of the test, and the plan that runs there."""

    folder: str
    plan: Plan
    env: dict[str, str] = field(default_factory=dict)
    now: float | None = None  # seconds since the epoch; None: the real time

    def __post_init__(self) -> None:
        self.home = f"{self.folder}/home"
        self.project = f"{self.folder}/project"
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        os.makedirs(self.project, exist_ok=True)
        self.variables = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        self.variables.update({**FIXED_VARIABLES, "HOME": self.home, "CLAUDE_PROJECT_DIR": self.project, **self.env})

    def write_files(self, files: Mapping[str, str]) -> None:
        """Write files of the project, by relative path."""
        for name, text in files.items():
            path = os.path.normpath(os.path.join(self.project, name))
            if not path.startswith(self.project + os.sep):
                raise UserError(f"the file {name} is outside of the test's project", fix="use a path inside of it")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def answer_payload(self, payload: Mapping[str, Any]) -> Answer:
        """Run the hooks of the plan on this payload, as the hook process does."""
        return Answer(dispatch.answer(payload, self.plan, self.build_world()))

    def trace_failure(self, payload: Mapping[str, Any], hook: str) -> list[str]:
        """The traceback lines in the hook's own file, by running the hook once more."""
        for row in self.plan["hooks"].get(payload.get("hook_event_name"), ()):
            if row["hook"] != hook or not row["file"] or row["command"]:
                continue
            world = self.build_world()
            world.alarm(row["deadline_s"])
            try:
                load_hook(row, world, row["options"]).decide(event_of(copy_payload(payload)))
            except BaseException as error:  # noqa: BLE001  any failure is shown
                world.alarm(0)
                steps = traceback.extract_tb(error.__traceback__)
                own = [step for step in steps if step.filename == row["file"]]
                return [f"{step.filename}:{step.lineno} in {step.name}: {step.line}" for step in own]
            finally:
                world.alarm(0)
        return []

    def build_world(self) -> World:
        get: Callable[[str], str | None] = self.variables.get
        return World(
            get,
            now=time.time() if self.now is None else self.now,
            home=self.home,
            state=paths.state_dir(get),
            cache=paths.cache_dir(get),
            project=self.project,
            alarm=Deadline(),
            names=[name.encode("utf-8", "surrogateescape") for name in self.variables],
        )


# -- plans -----------------------------------------------------------------------------------------------------------


def effective_plan(folder: str, environ: Mapping[str, str] = os.environ) -> Plan:
    """The configuration in force for sessions that start in this directory."""
    config, state = paths.config_dir(environ.get), paths.state_dir(environ.get)
    project, hooks = config_files.find_project_config(folder, (environ.get("HOME") or "").rstrip("/") or None)
    return _require_sound(
        compiler.compile_plan(
            user=config_files.user_file(config),
            project=project,
            trust=config_files.trust_file(state, config_files.project_name(project, hooks), paths.project_key),
            hooks=config_files.hooks_folder(config),
            folder=hooks,
        )
    )


def plan_from_config(config: str = "") -> Plan:
    """The built-in hooks and the command hooks of this configuration file."""
    plan = _require_sound(compiler.compile_plan(user=config, project="", trust=""))
    return filter_plan(plan, lambda row: not row["file"] or bool(row["command"]))


def filter_plan(plan: Plan, keep: Callable[[Mapping[str, Any]], bool]) -> Plan:
    """The plan with the rows that `keep` accepts."""
    rows = {event: [row for row in rows if keep(row)] for event, rows in plan["hooks"].items()}
    return {**plan, "hooks": {event: kept for event, kept in rows.items() if kept}}


def plan_of_file(path: str, config: str = "") -> Plan:
    """The hooks of one Python file and its helper modules; UserError if it cannot be loaded."""
    path = os.path.abspath(path)
    if not os.path.exists(path):
        raise UserError("no such hook file", where=path, fix="hookwright new hook NAME")

    def compile_file(report: Callable[[str], None]) -> dict[str, Any]:
        found = _load_file(path, LoadContext(report, paths=discover_entry_points.library_paths()))
        every = compiler.declare_builtins() + found.hooks
        resolved = compiler.resolve_options(config, "", trusted=False, hooks=every)
        plan = compiler.assemble_plan(every, resolved.values)
        problems = [(error.what, error.where, error.fix) for error in found.problems + resolved.problems]
        return {"plan": plan, "problems": problems}

    try:
        loaded = load_isolated.run_in_fork(compile_file)
    except load_isolated.LoadFailed as stopped:
        raise UserError(f"this hook file cannot be loaded: {stopped.why}", where=path) from None
    for what, where, fix in loaded["problems"]:
        raise UserError(what, where=where, fix=fix)
    return filter_plan(loaded["plan"], lambda row: row["file"] == path)


def _load_file(path: str, loading: LoadContext) -> DiscoveredHooks:
    helpers = [file for file in list_python_files(os.path.dirname(path)) if os.path.basename(file)[0] == "_"]
    return load_hook_files(read_files([*helpers, path]), loading)


def plan_of_name(name: str, config: str = "") -> Plan:
    """One built-in hook."""
    if name not in HOOKS:
        from difflib import get_close_matches  # noqa: PLC0415

        close = get_close_matches(name, HOOKS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"give a path, or one of {', '.join(HOOKS)}"
        raise UserError(f"there is no hook {name!r}", fix=hint)
    return filter_plan(plan_from_config(config), lambda row: row["hook"] == name and not row["file"])


def plan_of_class(hook: type[Hook]) -> Plan:
    """A hook class that the test defines."""
    spec = declared_class(hook)
    TEST_HOOKS[spec.file] = hook
    values = {name: compiler.OptionValue(option.default, "built-in") for name, option in spec.options.items()}
    return compiler.assemble_plan([spec], {spec.name: values})


def declared_class(hook: type[Hook]) -> compiler.HookSpec:
    file = f"<test>/{hook.__module__}.{hook.__qualname__}.py"
    name = hook.__qualname__.rpartition(".")[2]
    code = compile(f"from hookwright.testing import TEST_HOOKS\n{name} = TEST_HOOKS[{file!r}]", file, "exec")
    spec = compiler.build_hook_spec(_snake_case(name), hook, file, compiler.UserHook(marshal.dumps(code)))
    return dataclasses.replace(spec, class_name=name)


def declared_in(hook: str) -> list[compiler.HookSpec]:
    """The specs of a built-in hook, or of the hooks of a file."""
    if hook in HOOKS:
        return compiler.declare_builtins((hook,))
    return _load_file(hook, LoadContext(paths=discover_entry_points.library_paths())).hooks


def with_options(plan: Plan, declared: Iterable[compiler.HookSpec], options: Mapping[str, Any]) -> Plan:
    """The plan with these options, each for the hooks that declare it; UserError for an unknown or invalid one."""
    if not options:
        return plan
    specs = {one.name: one.options for one in declared}
    for name in options:
        if not any(name in known for known in specs.values()):
            known = sorted({name for names in specs.values() for name in names})
            raise UserError(f"no hook here has an option {name}; there are {', '.join(known)}")
    rows: dict[str, list[Any]] = {}
    for event, some in plan["hooks"].items():
        for row in some:
            given = {
                name: _check_option(name, known, options)
                for name, known in specs[row["hook"]].items()
                if name in options
            }
            rows.setdefault(event, []).append(
                {**row, "mode": given.get("mode", row["mode"]), "options": {**row["options"], **given}}
            )
    return {**plan, "hooks": rows}


def _check_option(name: str, known: Option, options: Mapping[str, Any]) -> Any:
    try:
        return validate_option(known, options[name])
    except BadValue as error:
        raise UserError(f"{name} {error}", fix=known.help) from None


def list_listeners(plan: Plan) -> Iterable[tuple[str, tuple[str, ...]]]:
    """Event and tools that each hook of a plan listens to."""
    return [(event, tuple(row["tools"])) for event, rows in plan["hooks"].items() for row in rows]


def _snake_case(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and place else c.lower() for place, c in enumerate(name))


def _require_sound(plan: Plan) -> Plan:
    if plan["problems"]:
        raise UserError(f"the configuration has a problem: {plan['problems'][0]}", fix="hookwright config check")
    return plan
