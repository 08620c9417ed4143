"""Replay past tool calls through a configuration, to see what it would have decided.

transcripts → calls → dispatch.answer, once per configuration → [replay] → counts, likely mistakes, differences
Runs the same dispatcher as the hook process, on a temporary copy of the state: nothing is recorded, and what hooks
remember stays as it is. User hooks do not run unless asked for, since they may have side effects.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright import dispatch
from hookwright.config import compiler, config_files, policy_files
from hookwright.hooks.base import World
from hookwright.store.paths import project_key
from hookwright.store.transcripts import TaskEnd, ToolCall, TranscriptReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

QUICK_S = 5.0  # a shorter command did not need the background
WAITED_S = 120.0  # a longer command should not have held the foreground
MOST_SHOWN = 50
# Large, and without influence on any decision.
_NOT_COPIED = ("journal", "ledger.db*", "sessions", "reports", "told")
# Hook and verdict → group and word of the counts.
_WORDS = {
    ("auto_background", "rewrite"): ("background", "force"),
    ("auto_background", "context"): ("background", "suggest"),
    ("command_guard", "deny"): ("guard", "deny"),
    ("command_guard", "ask"): ("guard", "ask"),
    ("questions", "allow"): ("questions", "answered"),
}


@dataclass(frozen=True)
class Verdict:
    """What one configuration decides about one call."""

    group: str = ""
    word: str = "none"
    reason: str = ""

    def __str__(self) -> str:
        return self.word


@dataclass
class ReplayConfig:
    """One user configuration (or none), together with each project's own file."""

    user: str
    state: str
    real_state: str
    home: str
    env: Mapping[str, str]
    hooks: str = ""  # directory of the user hooks; "" leaves them out
    config: str | None = None  # directory of the user's configuration, with the private files for projects
    plans: dict[str, dict[str, Any]] = field(default_factory=dict)

    def decide_call(self, call: ToolCall) -> list[Verdict]:
        """Every decision that would have been made."""
        world = World(
            self.env.get, now=call.time, home=self.home or None, state=self.state or None, project=call.project
        )
        outcome = dispatch.answer(build_payload(call), self._load_plan(call.project), world)
        verdicts = []
        for row in outcome.trace:
            known = _WORDS.get((row["hook"], row["verdict"]))
            if known and row["mode"] == "on":
                verdicts.append(Verdict(*known, str(row["reason"] or "")))
        return verdicts

    def _load_plan(self, start: str) -> dict[str, Any]:
        plan = self.plans.get(start)
        if plan is None:
            project, folder, root = config_files.find_project(start, self.home or None) if start else ("", "", "")
            trust = config_files.trust_file(self.real_state, config_files.project_name(project, folder), project_key)
            plan = compiler.compile_plan(
                user=self.user,
                project=project,
                here=config_files.here_file(self.config, root, project_key),
                folder=folder,
                trust=trust,
                hooks=self.hooks,
                policy=config_files.policy_source(self.env.get),
                last_good_policy=policy_files.last_good_policy(self.real_state),
                only_ours=not self.hooks,
            )
            self.plans[start] = plan
        return plan


@dataclass
class Suspicion:
    """A verdict that was probably wrong, how often, and an example."""

    command: str
    verdict: str
    because: str
    rank: tuple[int, float]
    n: int = 1


def zero_counts() -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for group, word in _WORDS.values():
        counts.setdefault(group, {})[word] = 0
    return counts


@dataclass
class ReplayResult:
    """What a replay found."""

    calls: int = 0
    counts: dict[str, dict[str, int]] = field(default_factory=zero_counts)
    proposed: dict[str, dict[str, int]] | None = None
    suspicions: dict[tuple[str, str], Suspicion] = field(default_factory=dict)
    changes: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "calls": self.calls,
            "counts": self.counts,
            "suspicious": [
                {"command": one.command, "verdict": one.verdict, "because": one.because, "n": one.n}
                for one in self.top_suspicions()
            ],
        }
        if self.proposed is not None:
            found["proposed"] = self.proposed
            found["changes"] = sorted(self.changes.values(), key=lambda change: -change["n"])[:MOST_SHOWN]
        return found

    def top_suspicions(self) -> list[Suspicion]:
        """The likeliest mistakes first."""
        return sorted(self.suspicions.values(), key=lambda one: one.rank)[:MOST_SHOWN]


def read_past_calls(
    paths: list[str], since: float, tell: Callable[[int], object] = lambda _: None
) -> Iterator[ToolCall]:
    """Every call of these transcripts with its outcome."""
    for path in paths:
        try:
            yield from _read_calls(TranscriptReader(path), since, tell)
        except OSError:
            continue


def _read_calls(reader: TranscriptReader, since: float, tell: Callable[[int], object]) -> Iterator[ToolCall]:
    calls = []
    for entry in reader.read_entries(tell):
        if isinstance(entry, ToolCall) and entry.time >= since:
            calls.append(entry)
        elif isinstance(entry, TaskEnd) and entry.launched is not None:
            entry.launched.seconds = entry.seconds
            entry.launched.outcome = entry.outcome
    yield from calls


def replay(calls: Iterator[ToolCall], current: ReplayConfig, proposed: ReplayConfig | None = None) -> ReplayResult:
    """Run every call through the current configuration and, if given, the proposed one."""
    result = ReplayResult(proposed=zero_counts() if proposed else None)
    for call in calls:
        result.calls += 1
        verdicts = current.decide_call(call)
        _count_verdicts(result.counts, verdicts)
        if proposed is not None and result.proposed is not None:
            before, verdicts = verdicts, proposed.decide_call(call)
            _count_verdicts(result.proposed, verdicts)
            _compare_verdicts(result, call, before, verdicts)
        _add_suspicions(result, call, verdicts)
    return result


def build_payload(call: ToolCall) -> dict[str, Any]:
    """The payload that the client would have sent."""
    payload: dict[str, Any] = {
        "hook_event_name": "PreToolUse",
        "session_id": call.session,
        "transcript_path": "",
        "cwd": call.cwd or call.project,
        "tool_name": call.tool,
        "tool_input": call.input,
        "tool_use_id": call.id,
    }
    if call.agent:
        payload["agent_id"] = call.agent
    return payload


def copy_state(state: str, target: str) -> str:
    """Copy what hooks remember, without the large parts that no decision needs."""
    if os.path.isdir(state):
        shutil.copytree(
            state,
            target,
            ignore=shutil.ignore_patterns(*_NOT_COPIED),
            dirs_exist_ok=True,
            ignore_dangling_symlinks=True,
        )
    return target


def _count_verdicts(counts: dict[str, dict[str, int]], verdicts: list[Verdict]) -> None:
    for verdict in verdicts:
        counts[verdict.group][verdict.word] += 1


def _compare_verdicts(result: ReplayResult, call: ToolCall, before: list[Verdict], after: list[Verdict]) -> None:
    words = (_join_words(before), _join_words(after))
    if words[0] == words[1]:
        return
    command = format_call(call)
    change = result.changes.setdefault(
        (command, *words),
        {
            "command": command,
            "before": words[0],
            "after": words[1],
            "because": next((v.reason for v in after), "") or next((v.reason for v in before), ""),
            "n": 0,
        },
    )
    change["n"] += 1


def _join_words(verdicts: list[Verdict]) -> str:
    return "+".join(sorted(verdict.word for verdict in verdicts)) or "none"


def _add_suspicions(result: ReplayResult, call: ToolCall, verdicts: list[Verdict]) -> None:
    for rank, word, because in _find_doubts(call, {verdict.word for verdict in verdicts}):
        command = format_call(call)
        known = result.suspicions.get((command, word))
        if known is None:
            result.suspicions[command, word] = Suspicion(command, word, because, rank)
        else:
            known.n += 1
            known.rank = min(known.rank, rank)


def _find_doubts(call: ToolCall, words: set[str]) -> Iterator[tuple[tuple[int, float], str, str]]:
    fine = call.outcome in ("ok", "background") and not call.refused
    took = call.seconds if call.seconds is not None and not call.asked else None
    if "deny" in words and fine:
        yield (0, 0.0), "deny", "it ran fine then"
    if "force" in words and took is not None and took < QUICK_S and fine and call.outcome == "ok":
        yield (1, took), "force", f"it took {took:.1f} s then"
    if "ask" in words and fine:
        yield (2, 0.0), "ask", "it ran fine then"
    waited = took is not None and took > WAITED_S and not call.task and call.tool == "Bash" and not call.agent
    if not words and waited and took is not None:
        yield (3, -took), "none", f"it held the foreground for {took:.0f} s then"


def format_call(call: ToolCall) -> str:
    """The call as one line."""
    command = call.input.get("command")
    if isinstance(command, str):
        return command[:400]
    for name in ("file_path", "notebook_path", "path", "url"):
        if isinstance(call.input.get(name), str):
            return f"{call.tool} {call.input[name]}"[:400]
    return call.tool
