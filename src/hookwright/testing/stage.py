"""Where a hook is tried: a home and a project of its own, the real plan, the real dispatcher.

hook or configuration, files, environment → [Stage] → payload → dispatch.answer → Answer
Nothing of the user's is read or written, unless the configuration in force is asked for; and then it is only read.
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
from hookwright.errors import UserError
from hookwright.guests.load import hook_of
from hookwright.guests.said import copied
from hookwright.hooks.base import Hook, World
from hookwright.options import BadValue, Option, accepted
from hookwright.plan import careful, compiler, packages, sources
from hookwright.plan.folder import Found, Loading, contents, hooks_in, python_files
from hookwright.plan.table import HOOKS
from hookwright.protocol.events import event_of
from hookwright.state import paths
from hookwright.testing import GIVEN
from hookwright.testing.deadline import Deadline

if TYPE_CHECKING:
    from hookwright.protocol.decisions import Decision

Plan = dict[str, Any]
# What a hook process has of the user's environment besides what the test gives it.
KEPT = ("PATH", "LANG", "LC_ALL", "TZ", "TMPDIR", "VIRTUAL_ENV")
# Nothing is to go on behind a test that is over.
ALWAYS = {"HOOKWRIGHT_OBSERVER_REFRESH": "off"}


@dataclass(frozen=True)
class Answer:
    """What came of one event: what was decided, by whom, and what would have gone to Claude Code."""

    outcome: dispatch.Outcome
    short: Mapping[str, str] = field(default_factory=dict)  # folder → what a case writes for it

    @property
    def decision(self) -> Decision | None:
        """What all hooks said together; None is silence."""
        return self.outcome.decision

    @property
    def verdict(self) -> str | None:
        """One word: deny, ask, allow, block, rewrite, context, message …; None is silence."""
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
        """The object on stdout; None for silence."""
        return json.loads(self.outcome.stdout) if self.outcome.stdout else None

    @property
    def stderr(self) -> str:
        """The reason, where an event knows `block` only as exit code 2."""
        return self.outcome.stderr.decode("utf-8", "replace")

    @property
    def exit_code(self) -> int:
        """Of the hook process: 0, or 2 for such a block."""
        return self.outcome.exit_code

    @property
    def trace(self) -> list[dict[str, Any]]:
        """A row for each hook that was asked: hook, verdict, reason, us, mode, failure."""
        return self.outcome.trace

    @property
    def failures(self) -> list[str]:
        """What went wrong inside of hooks: `name: ZeroDivisionError: …`."""
        return [f"{row['hook']}: {row['failure']}" for row in self.trace if "failure" in row]

    def __repr__(self) -> str:
        failed = f", failures={self.failures}" if self.failures else ""
        return f"Answer({self.decision!r}{failed})"


@dataclass
class Stage:
    """A home and a project in a folder of the test's own, and what is played there."""

    folder: str
    plan: Plan
    env: dict[str, str] = field(default_factory=dict)
    now: float | None = None  # seconds since the epoch; None: the real time

    def __post_init__(self) -> None:
        self.home = f"{self.folder}/home"
        self.project = f"{self.folder}/project"
        os.makedirs(self.home, mode=0o700, exist_ok=True)
        os.makedirs(self.project, exist_ok=True)
        self.variables = {name: os.environ[name] for name in KEPT if name in os.environ}
        self.variables.update({**ALWAYS, "HOME": self.home, "CLAUDE_PROJECT_DIR": self.project, **self.env})

    def put(self, files: Mapping[str, str]) -> None:
        """Files of the project, by their path in it."""
        for name, text in files.items():
            path = os.path.normpath(os.path.join(self.project, name))
            if not path.startswith(self.project + os.sep):
                raise UserError(f"the file {name} would lie outside of the test's project", fix="name it inside of it")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)

    def answer(self, payload: Mapping[str, Any]) -> Answer:
        """What the hooks of the plan say to this payload, as the door would have it."""
        return Answer(dispatch.answer(payload, self.plan, self.world()))

    def where_it_failed(self, payload: Mapping[str, Any], hook: str) -> list[str]:
        """The lines of a hook's own file on the way to its failure, by asking it once more."""
        for row in self.plan["hooks"].get(payload.get("hook_event_name"), ()):
            if row["hook"] != hook or not row["file"] or row["command"]:
                continue
            world = self.world()
            world.alarm(row["deadline_s"])
            try:
                hook_of(row, world, row["options"]).decide(event_of(copied(payload)))
            except BaseException as error:  # noqa: BLE001  whatever it was, it is shown
                world.alarm(0)
                steps = traceback.extract_tb(error.__traceback__)
                mine = [step for step in steps if step.filename == row["file"]]
                return [f"{step.filename}:{step.lineno} in {step.name}: {step.line}" for step in mine]
            finally:
                world.alarm(0)
        return []

    def world(self) -> World:
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


def plan_here(folder: str, environ: Mapping[str, str] = os.environ) -> Plan:
    """The configuration in force for sessions that start in this folder."""
    config, state = paths.config_dir(environ.get), paths.state_dir(environ.get)
    project, hooks = sources.project_places(folder, (environ.get("HOME") or "").rstrip("/") or None)
    return _sound(
        compiler.compiled(
            user=sources.user_file(config),
            project=project,
            trust=sources.trust_file(state, sources.project_name(project, hooks), paths.project_key),
            hooks=sources.hooks_folder(config),
            folder=hooks,
        )
    )


def plan_with(config: str = "") -> Plan:
    """The built-in hooks, and the commands that this file names, with its configuration."""
    plan = _sound(compiler.compiled(user=config, project="", trust=""))
    return only(plan, lambda row: not row["file"] or bool(row["command"]))


def only(plan: Plan, keep: Callable[[Mapping[str, Any]], bool]) -> Plan:
    """The plan with some of its rows."""
    rows = {event: [row for row in rows if keep(row)] for event, rows in plan["hooks"].items()}
    return {**plan, "hooks": {event: kept for event, kept in rows.items() if kept}}


def plan_of_file(path: str, config: str = "") -> Plan:
    """The hooks of one Python file with the helpers beside it, or UserError with what is wrong in it."""
    path = os.path.abspath(path)
    if not os.path.exists(path):
        raise UserError("there is no such hook file", where=path, fix="hookwright new hook NAME")

    def made(tell: Callable[[str], None]) -> dict[str, Any]:
        found = _loaded(path, Loading(tell, paths=packages.libraries()))
        every = compiler.declared() + found.hooks
        resolved = compiler.resolved(config, "", trusted=False, hooks=every)
        plan = compiler.assembled(every, resolved.values)
        problems = [(error.what, error.where, error.fix) for error in found.problems + resolved.problems]
        return {"plan": plan, "problems": problems}

    try:
        loaded = careful.carefully(made)
    except careful.Stopped as stopped:
        raise UserError(f"this hook file cannot be loaded: {stopped.why}", where=path) from None
    for what, where, fix in loaded["problems"]:
        raise UserError(what, where=where, fix=fix)
    return only(loaded["plan"], lambda row: row["file"] == path)


def _loaded(path: str, loading: Loading) -> Found:
    helpers = [file for file in python_files(os.path.dirname(path)) if os.path.basename(file)[0] == "_"]
    return hooks_in(contents([*helpers, path]), loading)


def plan_of_name(name: str, config: str = "") -> Plan:
    """One built-in hook."""
    if name not in HOOKS:
        from difflib import get_close_matches  # noqa: PLC0415

        close = get_close_matches(name, HOOKS, n=1)
        hint = f"did you mean {close[0]}?" if close else f"a path of a file, or one of {', '.join(HOOKS)}"
        raise UserError(f"there is no hook {name!r}", fix=hint)
    return only(plan_with(config), lambda row: row["hook"] == name and not row["file"])


def plan_of_class(hook: type[Hook]) -> Plan:
    """A hook class of the test's own."""
    told = declared_class(hook)
    GIVEN[told.file] = hook
    values = {name: compiler.Value(option.default, "built-in") for name, option in told.options.items()}
    return compiler.assembled([told], {told.name: values})


def declared_class(hook: type[Hook]) -> compiler.Declared:
    file = f"<test>/{hook.__module__}.{hook.__qualname__}.py"
    name = hook.__qualname__.rpartition(".")[2]
    code = compile(f"from hookwright.testing import GIVEN\n{name} = GIVEN[{file!r}]", file, "exec")
    told = compiler.declaration(_snake(name), hook, file, compiler.Guest(marshal.dumps(code)))
    return dataclasses.replace(told, class_name=name)


def declared_in(hook: str) -> list[compiler.Declared]:
    """What a built-in hook, or the hooks of a file, say about themselves."""
    if hook in HOOKS:
        return compiler.declared((hook,))
    return _loaded(hook, Loading(paths=packages.libraries())).hooks


def with_options(plan: Plan, declared: Iterable[compiler.Declared], options: Mapping[str, Any]) -> Plan:
    """The plan with these options, each for the hooks that have it; UserError for one that none has or takes."""
    if not options:
        return plan
    told = {one.name: one.options for one in declared}
    for name in options:
        if not any(name in known for known in told.values()):
            known = sorted({name for names in told.values() for name in names})
            raise UserError(f"no hook here has an option {name}; there are {', '.join(known)}")
    rows: dict[str, list[Any]] = {}
    for event, some in plan["hooks"].items():
        for row in some:
            given = {
                name: _accepted(name, known, options) for name, known in told[row["hook"]].items() if name in options
            }
            rows.setdefault(event, []).append(
                {**row, "mode": given.get("mode", row["mode"]), "options": {**row["options"], **given}}
            )
    return {**plan, "hooks": rows}


def _accepted(name: str, known: Option, options: Mapping[str, Any]) -> Any:
    try:
        return accepted(known, options[name])
    except BadValue as error:
        raise UserError(f"{name} {error}", fix=known.help) from None


def listenings(plan: Plan) -> Iterable[tuple[str, tuple[str, ...]]]:
    """What the hooks of a plan listen to: event, tools."""
    return [(event, tuple(row["tools"])) for event, rows in plan["hooks"].items() for row in rows]


def _snake(name: str) -> str:
    return "".join(f"_{c.lower()}" if c.isupper() and place else c.lower() for place, c in enumerate(name))


def _sound(plan: Plan) -> Plan:
    if plan["problem"]:
        raise UserError(f"the configuration has a problem: {plan['problem']}", fix="hookwright config check")
    return plan
