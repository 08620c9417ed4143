"""Replay: past tool calls through a configuration, to see what it would have done before it does it.

transcripts → calls → dispatch.answer, once per configuration → [this] → counts, likely mistakes, differences
Runs the very dispatcher that runs in the door, on a throw-away copy of the state: nothing is recorded, nothing that
a hook remembers is touched. Hooks that the user wrote do not run unless asked for: they may do more than decide.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright import dispatch
from hookwright.history.transcripts import Call, Reader, TaskEnd
from hookwright.hooks.base import World
from hookwright.plan import compiler, sources
from hookwright.state.paths import project_key

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

QUICK_S = 5.0  # a command that ended sooner had no need to leave the foreground
WAITED_S = 120.0  # one that held the foreground longer should have left it
MOST_SHOWN = 50
# What makes no difference to a decision and may be large.
_NOT_COPIED = ("journal", "ledger.db*", "sessions", "reports", "told")
# Hook and verdict → the group and the word that the figures use.
_WORDS = {
    ("auto_background", "rewrite"): ("background", "force"),
    ("auto_background", "context"): ("background", "suggest"),
    ("command_guard", "deny"): ("guard", "deny"),
    ("command_guard", "ask"): ("guard", "ask"),
    ("questions", "allow"): ("questions", "answered"),
}


@dataclass(frozen=True)
class Verdict:
    """What one configuration says to one call."""

    group: str = ""
    word: str = "none"
    reason: str = ""

    def __str__(self) -> str:
        return self.word


@dataclass
class Configuration:
    """A user's file (or none), with each project's own beside it."""

    user: str
    state: str
    real_state: str
    home: str
    env: Mapping[str, str]
    hooks: str = ""  # folder of the user's own hooks; "" leaves them out
    plans: dict[str, dict[str, Any]] = field(default_factory=dict)

    def judge(self, call: Call) -> list[Verdict]:
        """All that would have been said."""
        world = World(
            self.env.get, now=call.time, home=self.home or None, state=self.state or None, project=call.project
        )
        outcome = dispatch.answer(payload(call), self._plan(call.project), world)
        said = []
        for row in outcome.trace:
            known = _WORDS.get((row["hook"], row["verdict"]))
            if known and row["mode"] == "on":
                said.append(Verdict(*known, str(row["reason"] or "")))
        return said

    def _plan(self, start: str) -> dict[str, Any]:
        plan = self.plans.get(start)
        if plan is None:
            project, folder = sources.project_places(start, self.home or None) if start else ("", "")
            trust = sources.trust_file(self.real_state, sources.project_name(project, folder), project_key)
            plan = compiler.compiled(
                user=self.user,
                project=project,
                folder=folder,
                trust=trust,
                hooks=self.hooks,
                only_ours=not self.hooks,
            )
            self.plans[start] = plan
        return plan


@dataclass
class Suspicion:
    """A verdict that was probably wrong, with how often and an example."""

    command: str
    verdict: str
    because: str
    rank: tuple[int, float]
    n: int = 1


def zeros() -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for group, word in _WORDS.values():
        counts.setdefault(group, {})[word] = 0
    return counts


@dataclass
class Replayed:
    """What a replay found."""

    calls: int = 0
    counts: dict[str, dict[str, int]] = field(default_factory=zeros)
    proposed: dict[str, dict[str, int]] | None = None
    suspicions: dict[tuple[str, str], Suspicion] = field(default_factory=dict)
    changes: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "calls": self.calls,
            "counts": self.counts,
            "suspicious": [
                {"command": one.command, "verdict": one.verdict, "because": one.because, "n": one.n}
                for one in self.suspicious()
            ],
        }
        if self.proposed is not None:
            found["proposed"] = self.proposed
            found["changes"] = sorted(self.changes.values(), key=lambda change: -change["n"])[:MOST_SHOWN]
        return found

    def suspicious(self) -> list[Suspicion]:
        """The likeliest mistakes first."""
        return sorted(self.suspicions.values(), key=lambda one: one.rank)[:MOST_SHOWN]


def past_calls(paths: list[str], since: float, tell: Callable[[int], object] = lambda _: None) -> Iterator[Call]:
    """Every call of these transcripts, with how it ended."""
    for path in paths:
        try:
            yield from _calls_of(Reader(path), since, tell)
        except OSError:
            continue


def _calls_of(reader: Reader, since: float, tell: Callable[[int], object]) -> Iterator[Call]:
    calls = []
    for entry in reader.read(tell):
        if isinstance(entry, Call) and entry.time >= since:
            calls.append(entry)
        elif isinstance(entry, TaskEnd) and entry.launched is not None:
            entry.launched.seconds = entry.seconds
            entry.launched.outcome = entry.outcome
    yield from calls


def replay(calls: Iterator[Call], current: Configuration, proposed: Configuration | None = None) -> Replayed:
    """Ask the current configuration about every call, and the proposed one beside it."""
    result = Replayed(proposed=zeros() if proposed else None)
    for call in calls:
        result.calls += 1
        said = current.judge(call)
        _count(result.counts, said)
        judged = said
        if proposed is not None and result.proposed is not None:
            judged = proposed.judge(call)
            _count(result.proposed, judged)
            _compare(result, call, said, judged)
        _suspect(result, call, judged)
    return result


def payload(call: Call) -> dict[str, Any]:
    """The call as the client would have sent it."""
    made: dict[str, Any] = {
        "hook_event_name": "PreToolUse",
        "session_id": call.session,
        "transcript_path": "",
        "cwd": call.cwd or call.project,
        "tool_name": call.tool,
        "tool_input": call.input,
        "tool_use_id": call.id,
    }
    if call.agent:
        made["agent_id"] = call.agent
    return made


def copied_state(state: str, target: str) -> str:
    """What hooks know, without what they do not need."""
    if os.path.isdir(state):
        shutil.copytree(
            state,
            target,
            ignore=shutil.ignore_patterns(*_NOT_COPIED),
            dirs_exist_ok=True,
            ignore_dangling_symlinks=True,
        )
    return target


def _count(counts: dict[str, dict[str, int]], said: list[Verdict]) -> None:
    for verdict in said:
        counts[verdict.group][verdict.word] += 1


def _compare(result: Replayed, call: Call, before: list[Verdict], after: list[Verdict]) -> None:
    words = (_together(before), _together(after))
    if words[0] == words[1]:
        return
    command = shown(call)
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


def _together(said: list[Verdict]) -> str:
    return "+".join(sorted(verdict.word for verdict in said)) or "none"


def _suspect(result: Replayed, call: Call, said: list[Verdict]) -> None:
    for rank, word, because in _doubts(call, {verdict.word for verdict in said}):
        command = shown(call)
        known = result.suspicions.get((command, word))
        if known is None:
            result.suspicions[command, word] = Suspicion(command, word, because, rank)
        else:
            known.n += 1
            known.rank = min(known.rank, rank)


def _doubts(call: Call, words: set[str]) -> Iterator[tuple[tuple[int, float], str, str]]:
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


def shown(call: Call) -> str:
    """The call in one line."""
    command = call.input.get("command")
    if isinstance(command, str):
        return command[:400]
    for name in ("file_path", "notebook_path", "path", "url"):
        if isinstance(call.input.get(name), str):
            return f"{call.tool} {call.input[name]}"[:400]
    return call.tool
