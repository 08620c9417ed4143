"""Explain a shell command: how it is parsed, how each call is classified, what every hook decides, what is answered.

command, directory → [Explainer: shell parser, dispatch.answer with the real plan] → Explanation
Runs the same built-in hooks as the hook process, as in an interactive session; nothing is recorded.
"""

from __future__ import annotations

import json
import os
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright import dispatch
from hookwright.config import compiler, config_files, policy_files
from hookwright.config.environment_options import add_environment
from hookwright.hooks.base import World
from hookwright.protocol.events import event_of
from hookwright.shell.duration import CallClass, find_longest_in_text, list_classifications
from hookwright.store import paths
from hookwright.store.durations_lookup import estimate_command, estimate_to_dict

if TYPE_CHECKING:
    from hookwright.shell.command import Call, Command

# Fixed whatever the environment says: the session is interactive, and no file of the project is written.
_FIXED = {"CLAUDE_CODE_SESSION_ATTENDED": "1", "HOOKWRIGHT_OBSERVER_PROJECT_LOG": ""}
_NO_VERDICT = {"verdict": "none", "rule": None, "reason": None, "instead": None}


@dataclass
class Explanation:
    """One command explained."""

    text: str
    command: Command
    calls: list[CallClass]
    background: dict[str, Any]
    guard: dict[str, Any]
    approve: dict[str, Any]
    hooks: list[dict[str, Any]]  # hook, verdict, reason, mode of each
    answer: dict[str, Any] | None
    passed_rules: list[tuple[str, Call]] = field(default_factory=list)  # rules that checked a call and let it pass

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
            "background": {name: self.background[name] for name in ("verdict", "reason", "learned")},
            "guard": self.guard,
            "approve": self.approve,
            "hooks": self.hooks,
            "answer": self.answer,
        }


class Explainer:
    """Explains any number of commands; the plan of a directory is compiled once."""

    def __init__(self, env: dict[str, str]) -> None:
        self.env = env
        home = env.get("HOME")
        self.home = home.rstrip("/") if home else None
        self.config = paths.config_dir(env.get)
        self.state = paths.state_dir(env.get)
        self.cache = paths.cache_dir(env.get)
        self.names = [name.encode("utf-8", "surrogateescape") for name in env]
        self.plans: dict[str, dict[str, Any]] = {}

    def explain(self, text: str, cwd: str, *, include_passed: bool = False) -> Explanation:
        """Explain one command in a directory; with `include_passed` also the rules that checked it and let it pass."""
        plan = self.compile_plan(cwd)
        payload = {
            "session_id": "explain",
            "cwd": cwd,
            "hook_event_name": "PreToolUse",
            "tool_name": "Bash",
            "tool_input": {"command": text},
            "tool_use_id": "explain",
        }
        world = self.build_world(cwd)
        outcome = dispatch.answer(payload, plan, world)
        guard = self.guard_verdict(outcome.trace, world.facts)
        background, rules = self.classify_background(payload, plan, cwd)
        command, _ = find_longest_in_text(text, cwd, self.home or "", rules)
        found = Explanation(
            text,
            command,
            list_classifications(command, rules),
            background,
            guard,
            self.find_approval(text, plan, cwd, guard["verdict"]),
            [{key: row[key] for key in ("hook", "verdict", "reason", "mode")} for row in outcome.trace],
            json.loads(outcome.stdout) if outcome.stdout else None,
        )
        if include_passed:
            from hookwright.hooks.command_guard.evaluate import judge  # noqa: PLC0415  not needed for --json

            judge(command, project=cwd, passed=found.passed_rules)
        return found

    def classify_background(
        self, payload: dict[str, Any], plan: dict[str, Any], cwd: str
    ) -> tuple[dict[str, Any], Any]:
        """The verdict of auto_background even where the hook is off or only suggests, and the user's duration rules."""
        rows = [row for row in plan["hooks"].get("PreToolUse", ()) if row["hook"] == "auto_background"]
        world = self.build_world(cwd)
        options = dict(rows[0]["options"])
        add_environment(options, plan, rows[0], world)
        mode = options.pop("mode", rows[0]["mode"])
        from hookwright.hooks.auto_background.hook import AutoBackground  # noqa: PLC0415  dispatch has loaded it

        hook = AutoBackground(world, **options)
        event: Any = event_of(payload)
        text = payload["tool_input"]["command"]
        verdict, reason = hook.classify_command(event, text) if text.strip() else ("none", "")
        learned = world.facts.get("learned")
        if learned is None and hook.learned and world.state and world.project:
            # The hook omits an estimate that decides nothing; the reader wants to see it.
            _, _, past = estimate_command(paths.project_dir(world.state, world.project), text, hook.long_seconds)
            learned = estimate_to_dict(past) if past is not None else None
        return {"verdict": verdict, "reason": reason or None, "learned": learned, "mode": mode}, hook.rules

    def find_approval(self, text: str, plan: dict[str, Any], cwd: str, guard: str) -> dict[str, Any]:
        """What approve would answer to the client's prompt, even where the hook is off."""
        if guard != "none":
            return {"verdict": "none", "reason": "command_guard wants a person to be asked"}
        from hookwright.hooks.approve.hook import Approve  # noqa: PLC0415
        from hookwright.hooks.approve.permission_rules import find_matching_rule  # noqa: PLC0415

        world = self.build_world(cwd)
        rows = [row for row in plan["hooks"].get("PermissionRequest", ()) if row["hook"] == "approve"]
        hook = Approve(
            world, **{key: value for row in rows for key, value in row["options"].items() if key == "folders"}
        )
        rule = find_matching_rule(world, "Bash", text)
        why_not, proof = (
            (f"your own rule {rule} may apply", "") if rule else hook.prove_call("Bash", {"command": text}, cwd)
        )
        return {"verdict": "none" if why_not else "allow", "reason": why_not or f"only reads: {proof}"}

    @staticmethod
    def guard_verdict(trace: list[dict[str, Any]], facts: dict[str, Any]) -> dict[str, Any]:
        """The verdict of the guard, from its row in the trace and the facts it left."""
        for row in trace:
            if row["hook"] == "command_guard" and row["verdict"] in ("deny", "ask"):
                details = facts.get("guard") or {}
                rules = details.get("rules") or [None]
                return {
                    "verdict": row["verdict"],
                    "rule": rules[0],
                    "reason": row["reason"],
                    "instead": details.get("instead") or None,
                }
        return dict(_NO_VERDICT)

    def compile_plan(self, cwd: str) -> dict[str, Any]:
        plan = self.plans.get(cwd)
        if plan is None:
            project, folder, root = config_files.find_project(cwd, self.home)
            plan = compiler.compile_plan(
                user=config_files.user_file(self.config),
                project=project,
                here=config_files.here_file(self.config, root, paths.project_key),
                folder=folder,
                trust=config_files.trust_file(
                    self.state, config_files.project_name(project, folder), paths.project_key
                ),
                policy=config_files.policy_source(self.env.get),
                last_good_policy=policy_files.last_good_policy(self.state),
                only_ours=True,
            )
            for row in plan["hooks"].get("PreToolUse", ()):
                row["options"].pop("project_log", None)
            self.plans[cwd] = plan
        return plan

    def build_world(self, cwd: str) -> World:
        return World(
            lambda name: _FIXED[name] if name in _FIXED else self.env.get(name),
            now=time.time(),
            home=self.home,
            state=self.state,
            cache=self.cache,
            project=self.env.get("CLAUDE_PROJECT_DIR") or cwd,
            names=self.names,
        )


def build_explainer() -> Explainer:
    return Explainer(dict(os.environ))
