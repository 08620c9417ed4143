"""Proves our own entries: through the registered command itself, in folders that are thrown away.

handler → [prove] → a deny, a rewrite, a silence, each seen
Nothing of the user's state is touched or recorded, and no hook but the one that is proven may speak, so that nothing
is run, sent or changed.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from hookwright.door import registration
from hookwright.door.entry import PLUGIN_MARK, PROGRAM, is_launcher
from hookwright.door.plugin import DOOR, text_for
from hookwright.engine.process import Ended, start_now
from hookwright.receipts.payloads import bash_call

PATIENCE_S = 30.0  # the first start may have to make the bundle and the plan


@dataclass(frozen=True)
class Case:
    """A command that one hook answers in a known way."""

    name: str
    hook: str  # "" for silence: every hook that is proven may speak
    command: str
    env: Mapping[str, str]


CASES = (
    Case("deny", "command_guard", "rm -rf /", {"HOOKWRIGHT_COMMAND_GUARD_MODE": "on"}),
    Case(
        "rewrite",
        "auto_background",
        "npm install",
        {
            "HOOKWRIGHT_AUTO_BACKGROUND_MODE": "on",
            "HOOKWRIGHT_AUTO_BACKGROUND_ACTION": "force",
            "HOOKWRIGHT_AUTO_BACKGROUND_HEADLESS": "on",
        },
    ),
    Case("silence", "", "git status", {}),
)


@dataclass(frozen=True)
class Proof:
    """What was asked, what came."""

    name: str
    command: str
    ok: bool
    said: str
    ended: Ended

    def as_json(self) -> dict[str, Any]:
        return {"proof": self.name, "command": self.command, "ok": self.ok, "said": self.said, "ms": self.ended.ms}


class Stage:
    """Throw-away folders for our own entries, and an environment in which every hook but the proven ones is off."""

    def __init__(self, environment: Mapping[str, str], hooks: Sequence[str], state: str) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="hookwright-verify-")
        self.environment = environment
        self.hooks = hooks
        self.state = state

    def __enter__(self) -> Self:
        os.makedirs(self.project, mode=0o700)
        os.makedirs(f"{self.folder.name}/state", mode=0o700)
        with contextlib.suppress(OSError):  # the plugin's way in
            shutil.copy(f"{self.state}/{DOOR}", f"{self.folder.name}/state/{DOOR}")
        return self

    @property
    def project(self) -> str:
        """An empty folder: no project's file, no repository, no settings that register us."""
        return f"{self.folder.name}/project"

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()

    def env(self, speaking: Mapping[str, str]) -> dict[str, str]:
        quiet = {f"HOOKWRIGHT_{hook.upper()}_MODE": "off" for hook in self.hooks}
        former = ("CLAUDE_AUTOBACKGROUND", "AGENT_OS_", "CLAUDE_CODE_DISABLE_BACKGROUND", "HOOKWRIGHT_AUTO_BACKGROUND")
        kept = {name: value for name, value in self.environment.items() if not name.startswith(former)}
        folders = {
            "CLAUDE_PROJECT_DIR": self.project,
            "CLAUDE_CONFIG_DIR": f"{self.folder.name}/claude",
            "HOOKWRIGHT_STATE_HOME": f"{self.folder.name}/state",
            "HOOKWRIGHT_CACHE_HOME": f"{self.folder.name}/cache",
        }
        return {**kept, **quiet, **folders, **speaking}

    def start(self, argv: Sequence[str], payload: bytes, speaking: Mapping[str, str]) -> Ended:
        return start_now(argv, payload, env=self.env(speaking), cwd=self.project, timeout_s=PATIENCE_S)


def package_gone(handler: Mapping[str, Any]) -> str:
    """The folder that our package is missing from; "" if it is there, or the entry does not say where it should be."""
    args = handler.get("args")
    if (
        not isinstance(args, list)
        or not is_launcher(args)
        or len(registration.own_words(args)) < registration.OWN_WORDS
    ):
        return ""
    root = registration.own_words(args)[3]
    return "" if os.path.exists(f"{root}/hookwright/__init__.py") else str(root)


def is_current(handler: Mapping[str, Any], event: str, argv: Sequence[str]) -> bool:
    """Ours to the letter. What only looks like ours may come with a cloned project, and is not started."""
    if is_plugin(handler):
        return bool(handler["command"] == text_for(event))
    words = [handler.get("command"), *(handler.get("args") or ())]
    return words[: len(argv)] == list(argv)


def is_plugin(handler: Mapping[str, Any]) -> bool:
    return str(handler.get("command")).startswith(PLUGIN_MARK)


def way_in(state: str, environment: Mapping[str, str]) -> bool:
    """Does the plugin find us, by the file that we left or by the command?"""
    home = environment.get("HOME", "")
    path = f"{environment.get('PATH', os.defpath)}:{home}/.local/bin"
    return os.path.exists(f"{state}/{DOOR}") or shutil.which(PROGRAM, path=path) is not None


def prove(argv: Sequence[str], handler: Mapping[str, Any], hooks: Sequence[str], stage: Stage) -> list[Proof]:
    """Every case whose hook this entry may run. `hooks`: those that answer so by the configuration in force."""
    only = registration.names_in(handler)
    proofs = []
    for case in CASES:
        if case.hook and (case.hook not in hooks or (only and case.hook not in only)):
            continue
        speaking = case.env if case.hook else {k: v for other in CASES for k, v in other.env.items()}
        ended = stage.start(argv, bash_call(case.command, stage.project), speaking)
        said = told(ended)
        proofs.append(Proof(case.name, case.command, said[0] == case.name, said[1], ended))
    return proofs


def told(ended: Ended) -> tuple[str, str]:
    """One word for an answer of ours, and its own words."""
    if ended.problem or ended.late or ended.exit_code:
        return "failure", ended.problem or ("it did not end" if ended.late else f"it ended with {ended.exit_code}")
    if not ended.stdout.strip():
        return "silence", ""
    try:
        answer = json.loads(ended.stdout)
        specific = answer.get("hookSpecificOutput", {})
    except (ValueError, AttributeError):
        return "failure", "its answer is not one JSON object"
    if specific.get("permissionDecision") == "deny":
        return "deny", str(specific.get("permissionDecisionReason", ""))
    if specific.get("updatedInput", {}).get("run_in_background") is True:
        return "rewrite", "moved to the background"
    if set(answer) == {"systemMessage"}:
        return "notice", str(answer["systemMessage"])  # about the configuration, which has findings of its own
    return "other", str(answer.get("systemMessage") or specific.get("additionalContext") or ended.stdout[:200])
