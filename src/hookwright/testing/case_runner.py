"""Run cases: compile the plan a case names, build its payload, call the real dispatcher, compare with what it expects.

Case → [CaseRunner.run_case] → sandbox → dispatch.answer → CaseResult
A case that cannot be run says why and where; it never counts as passed.
"""

from __future__ import annotations

import json
import marshal
import os
import shutil
import sys
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from inspect import get_annotations
from typing import Any, Self

from hookwright.config.builtin_hooks import HOOKS
from hookwright.errors import UserError
from hookwright.proc.scratch_dir import make_scratch_dir
from hookwright.protocol import catalogue
from hookwright.protocol.events import event_class
from hookwright.protocol.events.legacy_payloads import complete_payload
from hookwright.protocol.tools import INPUTS, LEGACY_NAMES, RESPONSES
from hookwright.testing import builders, expect, sample_values, sandbox
from hookwright.testing.cases import Case, Field, Given

HERE, NONE = "here", "none"
_PARTS = ("tool_input", "tool_response")


@dataclass(frozen=True)
class CaseResult:
    """The result of a case: passed, a difference, or why it could not be run."""

    case: Case
    diff: list[str] = field(default_factory=list)
    error: UserError | None = None
    ms: float = 0.0

    @property
    def has_passed(self) -> bool:
        return not self.diff and self.error is None

    def as_json(self) -> dict[str, Any]:
        case, error = self.case, self.error
        problem = {"what": error.what, "where": error.where, "try": error.fix} if error else None
        about = {"file": case.file, "line": case.line, "title": case.title, "kind": case.kind}
        return {**about, "ok": self.has_passed, "diff": self.diff, "error": problem, "ms": round(self.ms, 1)}


class CaseRunner:
    """Runs cases one after another, each in its own temporary directory."""

    def __init__(self) -> None:
        self.folder = os.path.realpath(make_scratch_dir("test"))
        self.count = 0
        self.plans: dict[tuple[Any, ...], sandbox.Plan] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def run_cases(self, cases: Iterable[Case]) -> Iterator[CaseResult]:
        """The results of a file's cases, in order; a case titled "then …" continues in the same directory."""
        for case in cases:
            yield self.run_case(case)

    def run_case(self, case: Case) -> CaseResult:
        began = time.perf_counter()
        if not case.is_continuation:
            self.count += 1
        try:
            with redirect_stdout(sys.stderr):  # what a hook file prints must not mix with our output
                diff = self._diff_case(case)
        except UserError as error:
            where = error.where if error.where and not error.where.startswith(self.folder) else case.source_line
            return CaseResult(case, error=UserError(error.what, where=where, fix=error.fix), ms=_ms_since(began))
        return CaseResult(case, diff, ms=_ms_since(began))

    def _diff_case(self, case: Case) -> list[str]:
        given = case.given
        plan, named = self.compile_plan(case)
        box = sandbox.Sandbox(f"{self.folder}/{self.count}", plan, given.env, given.now)
        box.write_files(given.files)
        payload = build_payload(given, plan if named else None, box, case.file)
        if named:
            _require_listener(plan, payload, case)
        answer = sandbox.Answer(box.answer_payload(payload).outcome, _path_labels(box))
        diff = expect.diff_answer(case.expected, answer)
        failed = [row["hook"] for row in answer.trace if "failure" in row] if diff else []
        return diff + [f"  at: {step}" for hook in failed for step in box.trace_failure(payload, hook)]

    # -- which plan --------------------------------------------------------------------------------------------------

    def compile_plan(self, case: Case) -> tuple[sandbox.Plan, bool]:
        """The plan of a case, and whether it names certain hooks."""
        given = case.given
        folder = os.path.dirname(os.path.abspath(case.file))
        hooks = [_resolve_hook(name, folder) for name, _ in given.hooks] or _sibling_hooks(case.file)
        if not hooks:
            if given.options:
                raise UserError("options need the hook that has them: write `hook: NAME` too", where=case.source_line)
            return self._whole_plan(given.config, folder), False
        key = (tuple(hooks), given.config, tuple(given.options.items()))
        if key not in self.plans:
            config = self._write_config(_config_text(given, hooks))
            self.plans[key] = _join_plans([_compile_hook(hook, config, folder) for hook in hooks])
        return self.plans[key], True

    def _whole_plan(self, config: str | None, folder: str) -> sandbox.Plan:
        key = ("whole", folder, config)
        if key not in self.plans:
            if config in (None, HERE):
                self.plans[key] = sandbox.effective_plan(folder)
            else:
                self.plans[key] = sandbox.plan_from_config(self._write_config("" if config == NONE else str(config)))
        return self.plans[key]

    def _write_config(self, text: str) -> str:
        """The path of a configuration file with this text; "" for no text."""
        if not text.strip():
            return ""
        path = f"{self.folder}/{len(self.plans)}.toml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        return path


def _path_labels(box: sandbox.Sandbox) -> dict[str, str]:
    return {box.project: "@", box.home: "~"}


def _resolve_hook(name: str, folder: str) -> str:
    """The name of a built-in hook, or the absolute path of a hook file."""
    if name in HOOKS:
        return name
    path = os.path.join(folder, os.path.expanduser(name))
    if name.endswith(".py") or "/" in name:
        return os.path.abspath(path)
    return os.path.abspath(path + ".py") if os.path.exists(path + ".py") else name


def _sibling_hooks(file: str) -> list[str]:
    """The hook file with the same name beside a case file."""
    path = os.path.abspath(os.path.splitext(file)[0] + ".py")
    return [path] if os.path.exists(path) else []


def _compile_hook(hook: str, config: str, folder: str) -> sandbox.Plan:
    if hook in HOOKS:
        return sandbox.plan_of_name(hook, config)
    if hook.endswith(".py"):
        return sandbox.plan_of_file(hook, config)
    mine = sandbox.filter_plan(sandbox.effective_plan(folder), lambda row: row["hook"] == hook)
    if not mine["hooks"]:
        raise UserError(
            f"there is no hook {hook!r} here", fix="a path of a file, or a name that `hookwright status` shows"
        )
    return mine


def _join_plans(plans: list[sandbox.Plan]) -> sandbox.Plan:
    """One plan of several, with the hooks in the order in which the case names them."""
    rows: dict[str, list[Any]] = {}
    for plan in plans:
        for event, some in plan["hooks"].items():
            rows.setdefault(event, []).extend(some)
    variables = {hook: each for plan in plans for hook, each in marshal.loads(plan["environment"]).items()}  # noqa: S302
    beginnings = tuple(sorted({name for plan in plans for name in plan["variables"]}))
    return {**plans[0], "hooks": rows, "variables": beginnings, "environment": marshal.dumps(variables)}


def _config_text(given: Given, hooks: list[str]) -> str:
    """The configuration of a case: its text, and its options in the section of the hook that declares them."""
    text = "" if given.config in (None, HERE, NONE) else str(given.config)
    sections: dict[str, list[str]] = {}
    for name, value in given.options.items():
        specs = [spec for hook in hooks for spec in sandbox.declared_in(hook)]
        having = [one for one in specs if name in one.options]
        if not having:
            known = sorted({name for one in specs for name in one.options})
            raise UserError(f"no hook here has an option {name}; there are {', '.join(known)}")
        for one in having:
            sections.setdefault(one.section, []).append(f"{name} = {_quote_toml(value)}")
    return "\n".join([text, *(line for section, lines in sections.items() for line in (f"[{section}]", *lines))])


def _quote_toml(text: str) -> str:
    """The value as written if it is valid TOML, else as a quoted string."""
    try:
        tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return json.dumps(text, ensure_ascii=False)
    return text


def _require_listener(plan: sandbox.Plan, payload: Mapping[str, Any], case: Case) -> None:
    """Refuse an event that no hook of the plan listens to: such a case would prove nothing."""
    event = payload["hook_event_name"]
    rows = plan["hooks"].get(event, [])
    if not rows:
        events = ", ".join(plan["hooks"])
        raise UserError(f"the hook does not listen to {event}; it listens to {events}", where=case.source_line)
    if all(row["mode"] == "off" for row in rows):
        raise UserError(f"{rows[0]['hook']} is off", where=case.source_line, fix="write `option mode: on`")


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000


# -- which payload ---------------------------------------------------------------------------------------------------


def build_payload(given: Given, plan: sandbox.Plan | None, box: sandbox.Sandbox, file: str) -> dict[str, Any]:
    """The payload of the builders, updated with the pasted payload and the lines of the case."""
    pasted = (
        complete_payload(given.payload) if given.payload and "hook_event_name" not in given.payload else given.payload
    )
    event, tool = _event_and_tool(given, pasted or {}, plan)
    at = f"{file}:{given.fields[0].line}" if given.fields else ""
    try:
        fields: dict[str, Any] = {"cwd": box.project, "transcript_path": f"{box.home}/.claude/session.jsonl"}
        if "tool_name" in builders.keys_of(event) and (not pasted or "tool_name" not in pasted):
            fields["tool_name"] = tool  # a pasted payload comes from the client, also for tools that we do not know
        full = {**builders.payload(event, **fields), **(pasted or {})}
        for one in given.fields:
            at = f"{file}:{one.line}"
            _set_field(full, one, event, tool, box.project)
    except ValueError as error:
        raise UserError(str(error), where=at) from None
    return full


def _event_and_tool(given: Given, pasted: Mapping[str, Any], plan: sandbox.Plan | None) -> tuple[str, str]:
    listeners = list(sandbox.list_listeners(plan)) if plan else []
    event = given.event or pasted.get("hook_event_name") or (listeners[0][0] if listeners else "PreToolUse")
    tools = [tool for name, tools in listeners if name == event for tool in tools if "*" not in tool]
    tool = given.tool or pasted.get("tool_name") or (tools[0] if tools else "Bash")
    return str(event), str(tool)


def _set_field(full: dict[str, Any], one: Field, event: str, tool: str, project: str) -> None:
    path = key_path(one.name, event, tool)
    value = parse_value(one.value, path, event, tool) if one.is_text else one.value
    inner = full
    for key in path[:-1]:
        below = inner.get(key)
        inner[key] = inner = dict(below) if isinstance(below, dict) else {}
    inner[path[-1]] = sample_values.expand_project(value, project)


def key_path(name: str, event: str, tool: str) -> tuple[str, ...]:
    """Whether a name is a key of the event or of the tool's input. ValueError if it is neither."""
    keys = builders.keys_of(event)
    if not name:
        return _main_path(event, tool)
    first, *below = name.split(".")
    if first == "payload" and below:
        builders.require(below[0], keys, f"{event} has no {below[0]}")
        return tuple(below)
    if first in keys:
        if first == "tool_input" and below:
            _require_input(below[0], tool)
        return (first, *below)
    if "tool_input" not in keys:
        builders.require(first, keys, f"{event} has no {first}")
    _require_input(first, tool, keys)
    return ("tool_input", first, *below)


def _require_input(name: str, tool: str, keys: Iterable[str] = ()) -> None:
    known = builders.inputs_of(tool) if tool in INPUTS else None
    if known is not None and name not in known:
        builders.require(name, (*known, *keys), f"neither {tool}'s input nor the event has {name}")


def _main_path(event: str, tool: str) -> tuple[str, ...]:
    """The key that an example without a key is about."""
    if catalogue.is_about_tools(event):
        name = sample_values.MAIN_INPUT.get(tool)
        if name is None:
            raise ValueError(f"what a text means for {tool} is not known; write its keys")
        return ("tool_input", name)
    if event not in sample_values.MAIN_KEY:
        raise ValueError(f"what a text means for {event} is not known; write its keys")
    return (sample_values.MAIN_KEY[event],)


def parse_value(text: str, path: tuple[str, ...], event: str, tool: str) -> Any:
    """The value of a line: a string as written if the key takes strings, else parsed as JSON."""
    kind = _value_types(path, event, tool)
    if "str" in kind:
        return None if text == "null" and "None" in kind else text
    try:
        return json.loads(text)
    except ValueError:
        if kind:
            raise ValueError(f"{'.'.join(path)} takes {' or '.join(kind)}, written as JSON; got {text!r}") from None
        return text


def _value_types(path: tuple[str, ...], event: str, tool: str) -> list[str]:
    """The types of a key; empty if they are not known."""
    name = LEGACY_NAMES.get(tool, tool)
    if len(path) == 1:
        window: Any = event_class(event)
    elif len(path) == 2 and path[0] in _PARTS:
        window = (INPUTS if path[0] == "tool_input" else RESPONSES).get(name)
    else:
        return []
    for owner in getattr(window, "__mro__", ()):
        annotations = get_annotations(owner)
        if path[-1] in annotations:
            kinds = [part.strip() for part in annotations[path[-1]].split("|")]
            return [] if "Any" in kinds else kinds
    return []
