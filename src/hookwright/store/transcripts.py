"""Read Claude Code's transcripts: tool calls and their outcomes, questions and answers, hook runs and their cost.

~/.claude/projects/**/*.jsonl → [TranscriptReader] → ToolCall, TaskEnd, AskedQuestion, HookRun
The format is not documented and differs between versions: unknown entries are counted and skipped. A reader can resume
where an earlier one stopped. Nothing is ever written to these files.
"""

from __future__ import annotations

import glob
import hashlib
import json
import os
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from hookwright.proc import safe_read
from hookwright.protocol import tool_outcome as outcome
from hookwright.store.redact import mask

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Lines without one of these are not parsed: they are most of a transcript's bytes.
_MARKERS = (b'"tool_use"', b'"tool_result"', b"<task-notification>", b'"hook_success"', b'"hookInfos"')
_COPIES = (b'{"type":"api-request', b'{"type":"file-history')  # these entries repeat others
MAX_OPEN_CALLS = 256  # unfinished calls that are carried over to the next reading
HEAD_BYTES = 256  # identify a transcript
DIGEST_BYTES = 34  # of `digest_head`
MAX_LINE_BYTES = 64 << 20


@dataclass
class ToolCall:
    """One tool call."""

    id: str
    tool: str
    input: dict[str, Any]
    time: float
    session: str = ""
    project: str = ""
    cwd: str = ""
    agent: str = ""
    message: str = ""  # calls of one message may run in parallel
    asked: bool = False  # the user was asked first: the time includes the waiting for the answer
    permission_known: bool = False  # the client recorded who decided; older ones do not
    refused: bool = False  # it did not run
    seconds: float | None = None
    outcome: str | None = None
    exit_code: int | None = None
    task: str = ""
    alone: bool = True
    version: str = ""


@dataclass
class TaskEnd:
    """The end of a background command."""

    task: str
    call: str
    time: float
    outcome: str | None
    exit_code: int | None
    launched: ToolCall | None = None

    @property
    def seconds(self) -> float | None:
        """From the launch to Claude Code's notification."""
        return None if self.launched is None else self.time - self.launched.time


@dataclass
class AskedQuestion:
    """One question of an AskUserQuestion call, and its answer."""

    call: ToolCall
    number: int
    header: str
    question: str
    options: list[str]
    answer: str | None


@dataclass
class HookRun:
    """A hook that Claude Code ran, ours or another tool's."""

    id: str
    time: float
    session: str
    event: str
    name: str
    command: str
    ms: float
    exit_code: int | None


TranscriptEntry = ToolCall | TaskEnd | AskedQuestion | HookRun


@dataclass
class TranscriptReader:
    """Reads one transcript, from its beginning or from an offset."""

    path: str
    offset: int = 0
    project: str = ""
    open_calls: dict[str, ToolCall] = field(default_factory=dict)
    tasks: dict[str, ToolCall] = field(default_factory=dict)
    skipped: int = 0  # lines that are not JSON, or entries of unknown form
    seen_ends: set[str] = field(default_factory=set)

    def read_entries(self, report: Callable[[int], object] = lambda _: None) -> Iterator[TranscriptEntry]:
        """Every new entry; a call is yielded when its end is read. An incomplete last line is left for later."""
        with os.fdopen(safe_read.open_regular(self.path)[0], "rb") as file:
            file.seek(self.offset)
            for line in file:
                if not line.endswith(b"\n"):
                    break
                self.offset += len(line)
                report(len(line))
                if line.startswith(_COPIES) or len(line) > MAX_LINE_BYTES:
                    continue
                if not self.project:
                    self._find_project(line)
                if any(mark in line for mark in _MARKERS):
                    yield from self._parse_line(line)

    def unfinished_calls(self) -> list[ToolCall]:
        """Calls whose end has not been read."""
        return list(self.open_calls.values())

    def dump_state(self) -> str:
        """The state for `resume_at` as JSON; of a call's input only what is needed later."""
        keep = [_slim_call(call) for call in list(self.open_calls.values())[-MAX_OPEN_CALLS:]]
        tasks = {task: _slim_call(call) for task, call in list(self.tasks.items())[-MAX_OPEN_CALLS:]}
        return json.dumps({"project": self.project, "open": keep, "tasks": tasks, "ends": sorted(self.seen_ends)})

    @classmethod
    def resume_at(cls, path: str, offset: int, carry: str) -> TranscriptReader:
        """A reader that continues with the state of another; from the beginning if the state is unreadable."""
        try:
            kept = json.loads(carry)
            return cls(
                path,
                offset,
                kept["project"],
                {call["id"]: ToolCall(**call) for call in kept["open"]},
                {task: ToolCall(**call) for task, call in kept["tasks"].items()},
                seen_ends=set(kept["ends"]),
            )
        except (ValueError, KeyError, TypeError):
            return cls(path)

    def _find_project(self, line: bytes) -> None:
        """The directory that the session was started in: the first cwd in the file."""
        if b'"cwd"' in line:
            try:
                cwd = json.loads(line).get("cwd")
            except (ValueError, AttributeError):
                return
            if isinstance(cwd, str):
                self.project = cwd

    def _parse_line(self, line: bytes) -> Iterator[TranscriptEntry]:
        try:
            entry = json.loads(line)
            if not isinstance(entry, dict):
                raise TypeError  # noqa: TRY301
            yield from self._parse_entry(entry)
        except (ValueError, TypeError, AttributeError, KeyError, RecursionError):
            self.skipped += 1

    def _parse_entry(self, entry: dict[str, Any]) -> Iterator[TranscriptEntry]:
        moment = parse_timestamp(entry.get("timestamp"))
        attachment = entry.get("attachment")
        if isinstance(attachment, dict):
            if attachment.get("type") == "hook_success":
                yield from _parse_hook_success(entry, attachment, moment)
            elif attachment.get("type") == "queued_command":
                yield from self._parse_notice(
                    attachment.get("prompt"), parse_timestamp(attachment.get("timestamp")) or moment
                )
        elif entry.get("type") == "queue-operation" and entry.get("operation") == "enqueue":
            yield from self._parse_notice(entry.get("content"), moment)
        elif isinstance(entry.get("hookInfos"), list):
            yield from _parse_hook_summary(entry, moment)
        else:
            yield from self._parse_message(entry, moment)

    def _parse_message(self, entry: dict[str, Any], moment: float) -> Iterator[TranscriptEntry]:
        message = entry.get("message")
        content = message.get("content") if isinstance(message, dict) else None
        if isinstance(content, str):
            yield from self._parse_notice(content, moment)
            return
        for block in content if isinstance(content, list) else ():
            if not isinstance(block, dict):
                continue
            kind = block.get("type")
            if kind == "tool_use" and isinstance(block.get("input"), dict):
                self._begin_call(entry, block, moment, str((message or {}).get("id") or ""))
            elif kind == "tool_result":
                yield from self._end_call(entry, block, moment)
            elif kind == "text":
                yield from self._parse_notice(block.get("text"), moment)

    def _begin_call(self, entry: dict[str, Any], block: dict[str, Any], moment: float, message: str) -> None:
        call = ToolCall(
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

    def _end_call(self, entry: dict[str, Any], block: dict[str, Any], moment: float) -> Iterator[TranscriptEntry]:
        call = self.open_calls.pop(str(block.get("tool_use_id")), None)
        if call is None:
            return
        result = entry.get("toolUseResult")
        text = _join_text(block.get("content"))
        permission = entry.get("permissionDecision")
        permission = permission if isinstance(permission, dict) else {}
        if block.get("is_error") or (isinstance(result, str) and result.startswith("Error:")):
            facts = outcome.read_failure(text)
            call.refused = is_refusal(text) or permission.get("decision") == "reject"
        else:
            facts = outcome.read_success(call.tool, result)
        call.permission_known = bool(permission)
        call.asked = permission.get("source") == "user_temporary" or call.tool.endswith("AskUserQuestion")
        call.outcome = facts.get("outcome")
        call.exit_code = facts.get("exit_code")
        call.task = str(facts.get("task_id") or "") or _parse_legacy_task(text, call)
        if call.task:
            call.outcome = "background"
            self.tasks[call.task] = call
        if moment and call.time and moment >= call.time:
            call.seconds = moment - call.time
        yield call
        if call.tool.endswith("AskUserQuestion"):
            yield from _parse_questions(call, result)

    def _parse_notice(self, text: object, moment: float) -> Iterator[TranscriptEntry]:
        """The end of a background command. Up to three entries repeat it; the first one has the right time."""
        facts = outcome.read_task_notice(text)
        task = facts.get("task_id")
        if not task or task in self.seen_ends:
            return
        self.seen_ends.add(task)
        launched = self.tasks.pop(task, None)
        yield TaskEnd(
            task, facts.get("tool_use_id", ""), moment, facts.get("outcome"), facts.get("exit_code"), launched
        )


def find_transcripts(config_dir: str) -> list[str]:
    """All transcripts, also of subagents, oldest first."""
    paths = glob.glob(f"{glob.escape(config_dir)}/projects/**/*.jsonl", recursive=True)
    return sorted(paths, key=lambda path: (_file_mtime(path), path))


def read_head(path: str) -> bytes:
    return safe_read.read_head(path, HEAD_BYTES)


def digest_head(head: bytes) -> bytes:
    """What identifies a transcript later: the length of its head and a digest. The head itself may hold a prompt."""
    return len(head).to_bytes(2, "big") + hashlib.sha256(head).digest()


def matches_head(head: bytes, digest: bytes) -> bool:
    """Whether a transcript that begins with `head` is the one that was identified; it may have grown since."""
    return digest_head(head[: int.from_bytes(digest[:2], "big")]) == digest


def parse_timestamp(text: object) -> float:
    """Seconds since the epoch; 0 for anything else than an ISO time."""
    if not isinstance(text, str):
        return 0.0
    try:
        return datetime.fromisoformat(text).timestamp()
    except ValueError:
        return 0.0


_REFUSED_AT_START = ("Permission to use", "Permission for", "The user doesn't want", "Claude requested permissions")
_REFUSED_WITHIN = ("hook error", "<tool_use_error>", "requires approval", "tool use was rejected")


def is_refusal(text: str) -> bool:
    """Whether this result says that the call did not run at all."""
    start = text[:400]
    return start.startswith(_REFUSED_AT_START) or any(words in start for words in _REFUSED_WITHIN)


def _slim_call(call: ToolCall) -> dict[str, Any]:
    """A call as JSON without file contents and with secrets masked."""
    kept: dict[str, Any] = {}
    if isinstance(call.input.get("command"), str):
        kept["command"] = mask(call.input["command"])[0]
    if call.tool.endswith("AskUserQuestion"):
        kept["questions"] = _mask_texts(call.input.get("questions"))
    if call.input.get("run_in_background"):
        kept["run_in_background"] = True
    return {**asdict(call), "input": kept}


def _mask_texts(value: Any) -> Any:
    if isinstance(value, str):
        return mask(value)[0]
    if isinstance(value, dict):
        return {key: _mask_texts(item) for key, item in value.items()}
    return [_mask_texts(item) for item in value] if isinstance(value, list) else value


def _parse_legacy_task(text: str, call: ToolCall) -> str:
    """Older clients announced a background command in the text of the result only."""
    marker = "running in background with ID: "
    if call.tool != "Bash" or marker not in text[:200]:
        return ""
    return text.partition(marker)[2].split(".")[0].split()[0]


def _parse_questions(call: ToolCall, result: object) -> Iterator[AskedQuestion]:
    asked = call.input.get("questions")
    answers = result.get("answers") if isinstance(result, dict) else None
    for number, item in enumerate(asked if isinstance(asked, list) else ()):
        if not isinstance(item, dict) or not isinstance(item.get("question"), str):
            continue
        options = [str(o.get("label", "")) if isinstance(o, dict) else str(o) for o in item.get("options") or ()]
        answer = answers.get(item["question"]) if isinstance(answers, dict) else None
        text = ", ".join(map(str, answer)) if isinstance(answer, list) else answer
        yield AskedQuestion(call, number, str(item.get("header") or ""), item["question"], options, text)


def _parse_hook_success(entry: dict[str, Any], attachment: dict[str, Any], moment: float) -> Iterator[HookRun]:
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


def _parse_hook_summary(entry: dict[str, Any], moment: float) -> Iterator[HookRun]:
    session = str(entry.get("sessionId") or "")
    for number, info in enumerate(entry["hookInfos"]):
        if isinstance(info, dict) and isinstance(info.get("durationMs"), (int, float)):
            name, command = f"{entry.get('uuid') or ''}-{number}", str(info.get("command") or "")
            yield HookRun(name, moment, session, "Stop", "Stop", command, float(info["durationMs"]), None)


def _join_text(content: object) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(str(block.get("text") or "") for block in content if isinstance(block, dict))
    return ""


def _file_mtime(path: str) -> float:
    try:
        return os.path.getmtime(path)
    except OSError:
        return 0.0
