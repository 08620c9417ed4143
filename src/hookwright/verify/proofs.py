"""Prove our own entries: run the registered command itself in temporary folders and compare its answers.

check_ours → [ProofSandbox, prove_entry] → one Proof each for a deny, a rewrite and a silence
Neither reads nor writes the user's state. All hooks are off except the one that is proven, so nothing is run, sent or
recorded.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from hookwright.engine.handler_process import run_process_now
from hookwright.engine.types import Payload, encode_payload
from hookwright.proc.child_process import ProgramResult
from hookwright.proc.scratch_dir import ScratchDir
from hookwright.runtime import registration
from hookwright.verify.sample_payloads import bash_payload

TIMEOUT_S = 30.0  # the first start has to compile the plan


@dataclass(frozen=True)
class ProofCase:
    """A command that one hook answers in a known way."""

    name: str
    hook: str  # "" for silence: all provable hooks are on
    command: str
    env: Mapping[str, str]


CASES = (
    ProofCase("deny", "command_guard", "rm -rf /", {"HOOKWRIGHT_COMMAND_GUARD_MODE": "on"}),
    ProofCase(
        "rewrite",
        "auto_background",
        "npm install",
        {
            "HOOKWRIGHT_AUTO_BACKGROUND_MODE": "on",
            "HOOKWRIGHT_AUTO_BACKGROUND_ACTION": "force",
            "HOOKWRIGHT_AUTO_BACKGROUND_HEADLESS": "on",
        },
    ),
    ProofCase("silence", "", "git status", {}),
)


@dataclass(frozen=True)
class Proof:
    """A proof case and the answer that came."""

    name: str
    command: str
    ok: bool
    answer_text: str
    ended: ProgramResult

    def as_json(self) -> dict[str, Any]:
        return {
            "proof": self.name,
            "command": self.command,
            "ok": self.ok,
            "said": self.answer_text,
            "ms": self.ended.ms,
        }


class ProofSandbox:
    """Temporary folders for our own entries, and an environment in which only the proven hooks are on."""

    def __init__(self, environment: Mapping[str, str], hooks: Sequence[str]) -> None:
        self.folder = ScratchDir("verify")
        self.environment = environment
        self.hooks = hooks
        self.plugin_root = ""  # of an entry of a plugin that carries this package

    def __enter__(self) -> Self:
        os.makedirs(self.project_dir, mode=0o700)
        return self

    @property
    def project_dir(self) -> str:
        """An empty folder: no configuration, no repository, no settings that register us."""
        return f"{self.folder.name}/project"

    def __exit__(self, *_: object) -> None:
        self.folder.cleanup()

    def build_env(self, case_env: Mapping[str, str]) -> dict[str, str]:
        all_off = {f"HOOKWRIGHT_{hook.upper()}_MODE": "off" for hook in self.hooks}
        former = ("CLAUDE_AUTOBACKGROUND", "AGENT_OS_", "CLAUDE_CODE_DISABLE_BACKGROUND", "HOOKWRIGHT_AUTO_BACKGROUND")
        inherited = {name: value for name, value in self.environment.items() if not name.startswith(former)}
        folders = {
            "CLAUDE_PROJECT_DIR": self.project_dir,
            "CLAUDE_CONFIG_DIR": f"{self.folder.name}/claude",
            "HOOKWRIGHT_STATE_HOME": f"{self.folder.name}/state",
            "HOOKWRIGHT_CACHE_HOME": f"{self.folder.name}/cache",
            **({"CLAUDE_PLUGIN_ROOT": self.plugin_root} if self.plugin_root else {}),
        }
        return {**inherited, **all_off, **folders, **case_env}

    def start_entry(self, argv: Sequence[str], payload: Payload, case_env: Mapping[str, str]) -> ProgramResult:
        line = encode_payload(payload) + b"\n"
        return run_process_now(argv, line, env=self.build_env(case_env), cwd=self.project_dir, timeout_s=TIMEOUT_S)


def prove_entry(
    argv: Sequence[str], handler: Mapping[str, Any], hooks: Sequence[str], sandbox: ProofSandbox
) -> list[Proof]:
    """Run every case whose hook this entry may run. `hooks`: those that answer so as configured."""
    only = registration.hook_names(handler)
    proofs = []
    for case in CASES:
        if case.hook and (case.hook not in hooks or (only and case.hook not in only)):
            continue
        case_env = case.env if case.hook else {k: v for other in CASES for k, v in other.env.items()}
        ended = sandbox.start_entry(argv, bash_payload(case.command, sandbox.project_dir), case_env)
        answer, text = classify_answer(ended)
        proofs.append(Proof(case.name, case.command, answer == case.name, text, ended))
    return proofs


def classify_answer(ended: ProgramResult) -> tuple[str, str]:
    """The kind of an answer of ours (deny, rewrite, silence, notice, failure, other), and its text."""
    if ended.start_error or ended.timed_out or ended.exit_code:
        return "failure", ended.start_error or ("it timed out" if ended.timed_out else f"exit code {ended.exit_code}")
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
        return "notice", str(answer["systemMessage"])  # about the configuration, which has its own findings
    return "other", str(answer.get("systemMessage") or specific.get("additionalContext") or ended.stdout[:200])
