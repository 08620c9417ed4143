"""Plays cases: the plan a case names, the payload it gives, the real dispatcher, and the difference to what it expects.

Case → [Player.play] → Result
A case that cannot be played says why and where; it never counts as passed.
"""

from __future__ import annotations

import json
import marshal
import os
import shutil
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import dataclass, field
from inspect import get_annotations
from typing import Any, Self

from hookwright.errors import UserError
from hookwright.plan.table import HOOKS
from hookwright.protocol import catalogue
from hookwright.protocol.events import event_class
from hookwright.protocol.events.older import completed
from hookwright.protocol.tools import INPUTS, LEGACY_NAMES, RESPONSES
from hookwright.testing import builders, expect, stage, typical
from hookwright.testing.cases import Case, Field, Given

HERE, NONE = "here", "none"
_PARTS = ("tool_input", "tool_response")


@dataclass(frozen=True)
class Result:
    """How a case went: nothing to say, a difference, or why it could not be played."""

    case: Case
    diff: list[str] = field(default_factory=list)
    error: UserError | None = None
    ms: float = 0.0

    @property
    def ok(self) -> bool:
        return not self.diff and self.error is None

    def as_json(self) -> dict[str, Any]:
        case, error = self.case, self.error
        told = {"what": error.what, "where": error.where, "try": error.fix} if error else None
        about = {"file": case.file, "line": case.line, "title": case.title, "kind": case.kind}
        return {**about, "ok": self.ok, "diff": self.diff, "error": told, "ms": round(self.ms, 1)}


class Player:
    """Plays cases one after another in folders of their own, which go with it."""

    def __init__(self) -> None:
        self.folder = os.path.realpath(tempfile.mkdtemp(prefix="hookwright-test-"))
        self.count = 0
        self.plans: dict[tuple[Any, ...], stage.Plan] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def play(self, cases: Iterable[Case]) -> Iterator[Result]:
        """The results of a file's cases, in order; one that begins with "then" goes on in the same place."""
        for case in cases:
            yield self.play_one(case)

    def play_one(self, case: Case) -> Result:
        began = time.perf_counter()
        if not case.follows:
            self.count += 1
        try:
            with redirect_stdout(sys.stderr):  # what a hook file prints is no part of our answer
                diff = self._difference(case)
        except UserError as error:
            where = error.where if error.where and not error.where.startswith(self.folder) else case.where
            return Result(case, error=UserError(error.what, where=where, fix=error.fix), ms=_ms_since(began))
        return Result(case, diff, ms=_ms_since(began))

    def _difference(self, case: Case) -> list[str]:
        given = case.given
        plan, named = self.plan(case)
        place = stage.Stage(f"{self.folder}/{self.count}", plan, given.env, given.now)
        place.put(given.files)
        payload = payload_of(given, plan if named else None, place, case.file)
        if named:
            _require_hearing(plan, payload, case)
        answer = stage.Answer(place.answer(payload).outcome, _short(place))
        diff = expect.difference(case.expected, answer)
        failed = [row["hook"] for row in answer.trace if "failure" in row] if diff else []
        return diff + [f"  at: {step}" for hook in failed for step in place.where_it_failed(payload, hook)]

    # -- which plan --------------------------------------------------------------------------------------------------

    def plan(self, case: Case) -> tuple[stage.Plan, bool]:
        """The plan that a case is about, and whether it is about certain hooks only."""
        given = case.given
        folder = os.path.dirname(os.path.abspath(case.file))
        hooks = [_hook_named(name, folder) for name, _ in given.hooks] or _beside(case.file)
        if not hooks:
            if given.options:
                raise UserError("options need the hook that has them: write `hook: NAME` too", where=case.where)
            return self._whole(given.config, folder), False
        key = (tuple(hooks), given.config, tuple(given.options.items()))
        if key not in self.plans:
            config = self._file(_config_text(given, hooks))
            self.plans[key] = _joined([_plan_of(hook, config, folder) for hook in hooks])
        return self.plans[key], True

    def _whole(self, config: str | None, folder: str) -> stage.Plan:
        key = ("whole", folder, config)
        if key not in self.plans:
            if config in (None, HERE):
                self.plans[key] = stage.plan_here(folder)
            else:
                self.plans[key] = stage.plan_with(self._file("" if config == NONE else str(config)))
        return self.plans[key]

    def _file(self, text: str) -> str:
        """A configuration file with this text, if there is any."""
        if not text.strip():
            return ""
        path = f"{self.folder}/{len(self.plans)}.toml"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text + "\n")
        return path


def _short(place: stage.Stage) -> dict[str, str]:
    return {place.project: "@", place.home: "~"}


def _hook_named(name: str, folder: str) -> str:
    """A built-in hook's name, or the path of a file."""
    if name in HOOKS:
        return name
    path = os.path.join(folder, os.path.expanduser(name))
    if name.endswith(".py") or "/" in name:
        return os.path.abspath(path)
    return os.path.abspath(path + ".py") if os.path.exists(path + ".py") else name


def _beside(file: str) -> list[str]:
    """The hook file that stands beside a case file under the same name."""
    path = os.path.abspath(os.path.splitext(file)[0] + ".py")
    return [path] if os.path.exists(path) else []


def _plan_of(hook: str, config: str, folder: str) -> stage.Plan:
    if hook in HOOKS:
        return stage.plan_of_name(hook, config)
    if hook.endswith(".py"):
        return stage.plan_of_file(hook, config)
    mine = stage.only(stage.plan_here(folder), lambda row: row["hook"] == hook)
    if not mine["hooks"]:
        raise UserError(
            f"there is no hook {hook!r} here", fix="a path of a file, or a name that `hookwright status` shows"
        )
    return mine


def _joined(plans: list[stage.Plan]) -> stage.Plan:
    """Several hooks in the order in which a case names them."""
    rows: dict[str, list[Any]] = {}
    for plan in plans:
        for event, some in plan["hooks"].items():
            rows.setdefault(event, []).extend(some)
    variables = {hook: each for plan in plans for hook, each in marshal.loads(plan["environment"]).items()}  # noqa: S302
    beginnings = tuple(sorted({name for plan in plans for name in plan["variables"]}))
    return {**plans[0], "hooks": rows, "variables": beginnings, "environment": marshal.dumps(variables)}


def _config_text(given: Given, hooks: list[str]) -> str:
    """The configuration of a case: its own text and its options, each in the section of the hook that has it."""
    text = "" if given.config in (None, HERE, NONE) else str(given.config)
    sections: dict[str, list[str]] = {}
    for name, value in given.options.items():
        told = [told for hook in hooks for told in stage.declared_in(hook)]
        having = [one for one in told if name in one.options]
        if not having:
            known = sorted({name for one in told for name in one.options})
            raise UserError(f"no hook here has an option {name}; there are {', '.join(known)}")
        for one in having:
            sections.setdefault(one.section, []).append(f"{name} = {_toml(value)}")
    return "\n".join([text, *(line for section, lines in sections.items() for line in (f"[{section}]", *lines))])


def _toml(text: str) -> str:
    """The value as written if it is TOML's, else the text in quotes."""
    try:
        tomllib.loads(f"value = {text}")
    except tomllib.TOMLDecodeError:
        return json.dumps(text, ensure_ascii=False)
    return text


def _require_hearing(plan: stage.Plan, payload: Mapping[str, Any], case: Case) -> None:
    """A hook that is not asked at all is no proof of anything."""
    event = payload["hook_event_name"]
    rows = plan["hooks"].get(event, [])
    if not rows:
        heard = ", ".join(plan["hooks"])
        raise UserError(f"the hook does not listen to {event}; it listens to {heard}", where=case.where)
    if all(row["mode"] == "off" for row in rows):
        raise UserError(f"{rows[0]['hook']} is off", where=case.where, fix="write `option mode: on`")


def _ms_since(began: float) -> float:
    return (time.perf_counter() - began) * 1000


# -- which payload ---------------------------------------------------------------------------------------------------


def payload_of(given: Given, plan: stage.Plan | None, place: stage.Stage, file: str) -> dict[str, Any]:
    """The builder's payload of the event, with what was pasted and what the lines change."""
    pasted = completed(given.payload) if given.payload and "hook_event_name" not in given.payload else given.payload
    event, tool = _event_and_tool(given, pasted or {}, plan)
    at = f"{file}:{given.fields[0].line}" if given.fields else ""
    try:
        fields: dict[str, Any] = {"cwd": place.project, "transcript_path": f"{place.home}/.claude/session.jsonl"}
        if "tool_name" in builders.keys_of(event) and (not pasted or "tool_name" not in pasted):
            fields["tool_name"] = tool  # what was pasted is the client's word, also for a tool that we do not know
        full = {**builders.payload(event, **fields), **(pasted or {})}
        for one in given.fields:
            at = f"{file}:{one.line}"
            _set(full, one, event, tool, place.project)
    except ValueError as error:
        raise UserError(str(error), where=at) from None
    return full


def _event_and_tool(given: Given, pasted: Mapping[str, Any], plan: stage.Plan | None) -> tuple[str, str]:
    heard = list(stage.listenings(plan)) if plan else []
    event = given.event or pasted.get("hook_event_name") or (heard[0][0] if heard else "PreToolUse")
    tools = [tool for name, tools in heard if name == event for tool in tools if "*" not in tool]
    tool = given.tool or pasted.get("tool_name") or (tools[0] if tools else "Bash")
    return str(event), str(tool)


def _set(full: dict[str, Any], one: Field, event: str, tool: str, project: str) -> None:
    path = path_of(one.name, event, tool)
    value = typed(one.value, path, event, tool) if one.is_text else one.value
    inner = full
    for key in path[:-1]:
        below = inner.get(key)
        inner[key] = inner = dict(below) if isinstance(below, dict) else {}
    inner[path[-1]] = typical.placed(value, project)


def path_of(name: str, event: str, tool: str) -> tuple[str, ...]:
    """Where a name belongs: a key of the event, or of the tool's input. ValueError if it is neither."""
    keys = builders.keys_of(event)
    if not name:
        return _main(event, tool)
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


def _main(event: str, tool: str) -> tuple[str, ...]:
    """What a mere text means."""
    if catalogue.is_about_tools(event):
        name = typical.MAIN_INPUT.get(tool)
        if name is None:
            raise ValueError(f"what a text means for {tool} is not known; write its keys")
        return ("tool_input", name)
    if event not in typical.MAIN_KEY:
        raise ValueError(f"what a text means for {event} is not known; write its keys")
    return (typical.MAIN_KEY[event],)


def typed(text: str, path: tuple[str, ...], event: str, tool: str) -> Any:
    """The text of a line as its key wants it: texts as they stand, all else as JSON."""
    kind = _kind(path, event, tool)
    if "str" in kind:
        return None if text == "null" and "None" in kind else text
    try:
        return json.loads(text)
    except ValueError:
        if kind:
            raise ValueError(f"{'.'.join(path)} takes {' or '.join(kind)}, written as JSON; got {text!r}") from None
        return text


def _kind(path: tuple[str, ...], event: str, tool: str) -> list[str]:
    """The types that a key may have; none where we do not know."""
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
