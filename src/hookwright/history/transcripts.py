"""Claude Code's transcripts: past tool calls with how they ended, questions with their answers, hooks with their cost.

~/.claude/projects/**/*.jsonl → [this] → Call, TaskEnd, Question, HookRun
The format is the client's own and differs between versions: every entry is read for what it holds, and what is not
understood is counted and passed over. Reads on from where it stopped; nothing is ever written there.
"""

from __future__ import annotations

import glob
import json
import os
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hookwright.protocol import outcome
from hookwright.state.redact import mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Entries that hold what we look for; the rest, most of a transcript's bytes, is not even parsed.
_MARKS = (b'"tool_use"', b'"tool_result"', b"<task-notification>", b'"hook_success"', b'"hookInfos"')
_COPIES = (b'{"type":"api-request', b'{"type":"file-history')  # repeat other entries
MOST_OPEN = 256  # calls without an end that are remembered from one reading to the next
HEAD = 256
LONGEST_LINE = 64 << 20


@dataclass
class Call:
    """One tool call."""

    id: str
    tool: str
    input: dict[str, Any]
    time: float
    session: str = ""
    project: str = ""
    cwd: str = ""
    agent: str = ""
    message: str = ""  # calls of one message may run side by side
    asked: bool = False  # a person was asked first: the time until the end is not the command's own
    refused: bool = False  # it did not run
    seconds: float | None = None
    outcome: str | None = None
    exit_code: int | None = None
    task: str = ""
    alone: bool = True
    version: str = ""


@dataclass
class TaskEnd:
    """A background command ended."""

    task: str
    call: str
    time: float
    outcome: str | None
    exit_code: int | None
    launched: Call | None = None

    @property
    def seconds(self) -> float | None:
        """From its launch to the client's notice."""
        return None if self.launched is None else self.time - self.launched.time


@dataclass
class Question:
    """One question of an AskUserQuestion call, and what was answered."""

    call: Call
    number: int
    header: str
    question: str
    options: list[str]
    answer: str | None


@dataclass
class HookRun:
    """A hook that the client ran, ours or another's."""

    id: str
    time: float
    session: str
    event: str
    name: str
    command: str
    ms: float
    exit_code: int | None


Entry = Call | TaskEnd | Question | HookRun


@dataclass
class Reader:
    """Reads one transcript, from its beginning or from where it stopped."""

    path: str
    offset: int = 0
    project: str = ""
    open_calls: dict[str, Call] = field(default_factory=dict)
    tasks: dict[str, Call] = field(default_factory=dict)
    skipped: int = 0  # lines that were no JSON, or whose entry was of no known shape
    seen_ends: set[str] = field(default_factory=set)

    def read(self, tell: Callable[[int], object] = lambda _: None) -> Iterator[Entry]:
        """Everything new; a call is given when its end is seen. A half-written last line waits."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self.offset += len(line)
                tell(len(line))
                if line.startswith(_COPIES) or len(line) > LONGEST_LINE:
                    continue
                if not self.project:
                    self._find_project(line)
                if any(mark in line for mark in _MARKS):
                    yield from self._line(line)

    def unfinished(self) -> list[Call]:
        """Calls whose end has not been seen."""
        return list(self.open_calls.values())

    def carry(self) -> str:
        """What has to be remembered until the next reading; of a call's input only what will be asked for."""
        keep = [_slim(call) for call in list(self.open_calls.values())[-MOST_OPEN:]]
        tasks = {task: _slim(call) for task, call in list(self.tasks.items())[-MOST_OPEN:]}
        return json.dumps({"project": self.project, "open": keep, "tasks": tasks, "ends": sorted(self.seen_ends)})

    @classmethod
    def resumed(cls, path: str, offset: int, carry: str) -> Reader:
        """A reader that goes on where another stopped; one that cannot begins anew."""
        try:
            kept = json.loads(carry)
            return cls(
                path,
                offset,
                kept["project"],
                {call["id"]: Call(**call) for call in kept["open"]},
                {task: Call(**call) for task, call in kept["tasks"].items()},
                seen_ends=set(kept["ends"]),
            )
        except (ValueError, KeyError, TypeError):
            return cls(path)

    def _find_project(self, line: bytes) -> None:
        """The folder that the session was started in: the first that an entry names."""
        if b'"cwd"' in line:
            try:
                cwd = json.loads(line).get("cwd")
            except (ValueError, AttributeError):
                return
            if isinstance(cwd, str):
                self.project = cwd

    def _line(self, line: bytes) -> Iterator[Entry]:
        try:
            entry = json.loads(line)
            if not isinstance(entry, dict):
                raise TypeError  # noqa: TRY301
            yield from self._entry(entry)
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            self.skipped += 1

    def _entry(self, entry: dict[str, Any]) -> Iterator[Entry]:
        moment = stamp(entry.get("timestamp"))
        attachment = entry.get("attachment")
        if isinstance(attachment, dict):
            if attachment.get("type") == "hook_success":
                yield from _hook_success(entry, attachment, moment)
            elif attachment.get("type") == "queued_command":
                yield from self._notice(attachment.get("prompt"), stamp(attachment.get("timestamp")) or moment)
        elif entry.get("type") == "queue-operation" and entry.get("operation") == "enqueue":
            yield from self._notice(entry.get("content"), moment)
        elif isinstance(entry.get("hookInfos"), list):
            yield from _hook_summary(entry, moment)
        else:
            yield from self._message(entry, moment)

    def _message(self, entry: dict[str, Any], moment: float) -> Iterator[Entry]:
        message = entry.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            yield from self._notice(content, moment)
            return
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict):
                continue
            kind = block.get("type")
            if kind == "tool_use" and isinstance(block.get("input"), dict):
                self._begins(entry, block, moment, str((message or {}).get("id") or ""))
            elif kind == "tool_result":
                yield from self._ends(entry, block, moment)
            elif kind == "text":
                yield from self._notice(block.get("text"), moment)

    def _begins(self, entry: dict[str, Any], block: dict[str, Any], moment: float, message: str) -> None:
        call = Call(
            str(block["id"]),
            str(block.get("name") or ""),
            block["input"],
            moment,
            session=str(entry.get("sessionId") or ""),
            project=self.project,
            cwd=str(entry.get("cwd") or ""),
            agent=str(entry.get("agentId") or ("side" if entry.get("isSidechain") else "")),
            message=message,
            version=str(entry.get("version") or ""),
        )
        for other in self.open_calls.values():
            if message and other.message == message:
                other.alone = call.alone = False
        self.open_calls[call.id] = call

    def _ends(self, entry: dict[str, Any], block: dict[str, Any], moment: float) -> Iterator[Entry]:
        call = self.open_calls.pop(str(block.get("tool_use_id")), None)
        if call is None:
            return
        result = entry.get("toolUseResult")
        text = _text(block.get("content"))
        permission = entry.get("permissionDecision")
        permission = permission if isinstance(permission, dict) else {}
        if block.get("is_error") or (isinstance(result, str) and result.startswith("Error:")):
            facts = outcome.failed(text)
            call.refused = is_refusal(text) or permission.get("decision") == "reject"
        else:
            facts = outcome.succeeded(call.tool, result)
        call.asked = permission.get("source") == "user_temporary" or call.tool.endswith("AskUserQuestion")
        call.outcome = facts.get("outcome")
        call.exit_code = facts.get("exit_code")
        call.task = str(facts.get("task_id") or "") or _older_task(text, call)
        if call.task:
            call.outcome = "background"
            self.tasks[call.task] = call
        if moment and call.time and moment >= call.time:
            call.seconds = moment - call.time
        yield call
        if call.tool.endswith("AskUserQuestion"):
            yield from _questions(call, result)

    def _notice(self, text: object, moment: float) -> Iterator[Entry]:
        """A notice may stand in up to three entries; the first one has the time."""
        facts = outcome.finished_task(text)
        task = facts.get("task_id")
        if not task or task in self.seen_ends:
            return
        self.seen_ends.add(task)
        launched = self.tasks.pop(task, None)
        yield TaskEnd(
            task, facts.get("tool_use_id", ""), moment, facts.get("outcome"), facts.get("exit_code"), launched
        )


def find(config_dir: str) -> list[str]:
    """All transcripts, the subagents' too, oldest first."""
    paths = glob.glob(f"{glob.escape(config_dir)}/projects/**/*.jsonl", recursive=True)
    return sorted(paths, key=lambda path: (_mtime(path), path))


def head_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read(HEAD)


def stamp(text: object) -> float:
    """Seconds since 1970 of a transcript's time; 0 for none."""
    if not isinstance(text, str):
        return 0.0
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0


_REFUSED_AT_START = ("Permission to use", "Permission for", "The user doesn't want", "Claude requested permissions")
_REFUSED_WITHIN = ("hook error", "<tool_use_error>", "requires approval", "tool use was rejected")


def is_refusal(text: str) -> bool:
    """Texts by which the client says that a call did not run at all."""
    start = text[:400]
    return start.startswith(_REFUSED_AT_START) or any(words in start for words in _REFUSED_WITHIN)


def _slim(call: Call) -> dict[str, Any]:
    """A call without file contents and secrets."""
    kept: dict[str, Any] = {}
    if isinstance(call.input.get("command"), str):
        kept["command"] = mask(call.input["command"])[0]
    if call.tool.endswith("AskUserQuestion"):
        kept["questions"] = call.input.get("questions")
    if call.input.get("run_in_background"):
        kept["run_in_background"] = True
    return {**asdict(call), "input": kept}


def _older_task(text: str, call: Call) -> str:
    """Former clients told a background command by words only."""
    mark = "running in background with ID: "
    if call.tool != "Bash" or mark not in text[:200]:
        return ""
    return text.partition(mark)[2].split(".")[0].split()[0]


def _questions(call: Call, result: object) -> Iterator[Question]:
    asked = call.input.get("questions")
    answers = result.get("answers") if isinstance(result, dict) else None
    for number, item in enumerate(asked if isinstance(asked, list) else ()):
        if not isinstance(item, dict) or not isinstance(item.get("question"), str):
            continue
        options = [str(o.get("label", "")) if isinstance(o, dict) else str(o) for o in item.get("options") or ()]
        answer = answers.get(item["question"]) if isinstance(answers, dict) else None
        said = ", ".join(map(str, answer)) if isinstance(answer, list) else answer
        yield Question(call, number, str(item.get("header") or ""), item["question"], options, said)


def _hook_success(entry: dict[str, Any], attachment: dict[str, Any], moment: float) -> Iterator[HookRun]:
    ms = attachment.get("durationMs")
    if isinstance(ms, (int, float)):
        yield HookRun(
            str(entry.get("uuid") or ""),
            moment,
            str(entry.get("sessionId") or ""),
            str(attachment.get("hookEvent") or ""),
            str(attachment.get("hookName") or ""),
            str(attachment.get("command") or ""),
            float(ms),
            attachment.get("exitCode") if isinstance(attachment.get("exitCode"), int) else None,
        )


def _hook_summary(entry: dict[str, Any], moment: float) -> Iterator[HookRun]:
    session = str(entry.get("sessionId") or "")
    for number, info in enumerate(entry["hookInfos"]):
        if isinstance(info, dict) and isinstance(info.get("durationMs"), (int, float)):
            name, command = f"{entry.get('uuid') or ''}-{number}", str(info.get("command") or "")
            yield HookRun(name, moment, session, "Stop", "Stop", command, float(info["durationMs"]), None)


def _text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(block.get("text") or "") for block in content if isinstance(block, dict))
    return ""


def _mtime(path: str) -> float:
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0.0
