"""What hookwright makes of a command: how it was read, what each call is, what every hook says, what would be sent.

command, folder → [Explainer: the reader, the judges, dispatch.answer with the real plan] → explanation
Runs the very hooks that run in the door, as in a session with a person, and leaves no trace: nothing is recorded.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright import dispatch
from hookwright.hooks.base import World
from hookwright.plan import compiler, sources
from hookwright.plan.experience import experience, figures
from hookwright.protocol.events import event_of
from hookwright.shell.duration import Judgement, judgements, longest_in
from hookwright.state import paths

if TYPE_CHECKING:
    from hookwright.shell.command import Call, Command

# Not asked of the environment: the answer is the one that a person would get, and no file of the project is written.
_FIXED = {"CLAUDE_CODE_SESSION_ATTENDED": "1", "HOOKWRIGHT_OBSERVER_PROJECT_LOG": ""}
_SILENT = {"verdict": "none", "rule": None, "reason": None, "instead": None}


@dataclass
class Explanation:
    """One command explained."""

    text: str
    command: Command
    calls: list[Judgement]
    background: dict[str, Any]
    guard: dict[str, Any]
    hooks: list[dict[str, Any]]  # what each said: hook, verdict, reason, mode
    answer: dict[str, Any] | None
    looked: list[tuple[str, Call]] = field(default_factory=list)  # rules that looked at a call and let it pass

    def as_json(self) -> dict[str, Any]:
        return {
            "command": self.text,
            "calls": [
                {
                    "argv": [str(word) for word in one.call.words],
                    "program": one.call.program,
                    "class": one.class_,
                    "evidence": one.evidence or None,
                    "verdict": one.verdict,
                    "work": one.work or None,
                }
                for one in self.calls
            ],
            "problem": self.command.problem,
            "background": self.background,
            "guard": self.guard,
            "hooks": self.hooks,
            "answer": self.answer,
        }


class Explainer:
    """Explains commands one after another; a folder's plan is made once."""

    def __init__(self, env: dict[str, str]) -> None:
        self.env = env
        home = env.get("HOME")
        self.home = home.rstrip("/") if home else None
        self.config = paths.config_dir(env.get)
        self.state = paths.state_dir(env.get)
        self.cache = paths.cache_dir(env.get)
        self.names = [name.encode("utf-8", "surrogateescape") for name in env]
        self.plans: dict[str, dict[str, Any]] = {}

    def explain(self, text: str, cwd: str, *, near: bool = False) -> Explanation:
        """All about one command in a folder; with `near` also the rules that looked and let it pass."""
        plan = self.plan(cwd)
        payload = {
            "session_id": "explain",
            "cwd": cwd,
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": text},
            "tool_use_id": "explain",
        }
        world = self.world(cwd)
        outcome = dispatch.answer(payload, plan, world)
        guard = self.guard(outcome.trace, world.facts)
        background, rules = self.background(payload, plan, cwd)
        command, _ = longest_in(text, cwd, self.home or "", rules)
        found = Explanation(
            text,
            command,
            judgements(command, rules),
            background,
            guard,
            [{key: row[key] for key in ("hook", "verdict", "reason", "mode")} for row in outcome.trace],
            json.loads(outcome.stdout) if outcome.stdout else None,
        )
        if near:
            from hookwright.rules import judge  # noqa: PLC0415  only people ask for it

            judge(command, project=cwd, looked=found.looked)
        return found

    def background(self, payload: dict[str, Any], plan: dict[str, Any], cwd: str) -> tuple[dict[str, Any], Any]:
        """What auto-background's judges say, also where the hook is off or only suggests; and the user's own rules."""
        rows = [row for row in plan["hooks"].get("PreToolUse", ()) if row["hook"] == "auto_background"]
        world = self.world(cwd)
        options = dict(rows[0]["options"])
        dispatch.add_environment(options, plan, "auto_background", world)
        options.pop("mode", None)
        from hookwright.hooks.auto_background import AutoBackground  # noqa: PLC0415  dispatch has loaded it

        hook = AutoBackground(world, **options)
        event: Any = event_of(payload)
        text = payload["tool_input"]["command"]
        verdict, reason = hook.judged(event, text) if text.strip() else ("none", "")
        learned = world.facts.get("learned")
        if learned is None and hook.learned and world.state and world.project:
            # The hook leaves out what decides nothing; people want to see it all the same.
            _, _, past = experience(paths.project_dir(world.state, world.project), text, hook.long_seconds)
            learned = figures(past) if past is not None else None
        return {"verdict": verdict, "reason": reason or None, "learned": learned}, hook.rules

    @staticmethod
    def guard(trace: list[dict[str, Any]], facts: dict[str, Any]) -> dict[str, Any]:
        """What the guard says, from its own row and facts."""
        for row in trace:
            if row["hook"] == "command_guard" and row["verdict"] in ("deny", "ask"):
                told = facts.get("guard") or {}
                rules = told.get("rules") or [None]
                return {
                    "verdict": row["verdict"],
                    "rule": rules[0],
                    "reason": row["reason"],
                    "instead": told.get("instead") or None,
                }
        return dict(_SILENT)

    def plan(self, cwd: str) -> dict[str, Any]:
        plan = self.plans.get(cwd)
        if plan is None:
            project, folder = sources.project_places(cwd, self.home)
            plan = compiler.compiled(
                user=sources.user_file(self.config),
                project=project,
                folder=folder,
                trust=sources.trust_file(self.state, sources.project_name(project, folder), paths.project_key),
                only_ours=True,
            )
            for row in plan["hooks"].get("PreToolUse", ()):
                row["options"].pop("project_log", None)
            self.plans[cwd] = plan
        return plan

    def world(self, cwd: str) -> World:
        return World(
            lambda name: _FIXED[name] if name in _FIXED else self.env.get(name),
            now=time.time(),
            home=self.home,
            state=self.state,
            cache=self.cache,
            project=self.env.get("CLAUDE_PROJECT_DIR") or cwd,
            names=self.names,
        )


def here() -> Explainer:
    return Explainer(dict(os.environ))
