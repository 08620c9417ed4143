"""What a session left behind: requests, hook calls, tool results, messages.

lab → worker → client → [these records] → assertions
Everything is read from files and from the client's own output, so a run can be looked at while it goes on.
"""

import glob
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

CONTEXT = re.compile(r"(\w+(?::[\w-]+)?) hook (additional context|success): (.*)", re.DOTALL)
REMINDER = re.compile(r"<system-reminder>\n?(.*?)\n?</system-reminder>", re.DOTALL)


@dataclass(frozen=True)
class ToolResult:
    """What the model was told about one of its calls."""

    id: str
    text: str
    failed: bool


@dataclass(frozen=True)
class HookCall:
    """One start of a recording hook."""

    name: str
    number: int
    payload: dict
    raw: str
    env: dict
    cwd: str
    start: float
    end: float | None
    tty: list

    @property
    def event(self) -> str:
        return self.payload["hook_event_name"]

    @property
    def finished(self) -> bool:
        return self.end is not None


@dataclass
class Run:
    """The records of one session. `code` is None while the client runs."""

    folder: str
    code: int | None = None
    stdout: str = ""
    stderr: str = ""
    seconds: float = 0.0
    since: float = 0.0
    events: list[dict] = field(default_factory=list)
    # Records that cannot change any more are read once: a long session asks for them often.
    _ended: dict[str, HookCall] = field(default_factory=dict, repr=False)
    _entries: list[dict] = field(default_factory=list, repr=False)
    _offset: int = field(default=0, repr=False)

    # --- what the hooks were given
    @property
    def hooks(self) -> list[HookCall]:
        """Every call of a recording hook, in order of start."""
        running = []
        for path in glob.glob(os.path.join(self.folder, "hooklog", "*.json")):
            if path not in self._ended:
                call = read_call(path)
                if call and call.finished:
                    self._ended[path] = call
                elif call:
                    running.append(call)
        calls = [call for call in [*self._ended.values(), *running] if call.start >= self.since]
        return sorted(calls, key=lambda call: call.start)

    def calls(self, name: str) -> list[HookCall]:
        return [call for call in self.hooks if call.name == name]

    def payloads(self, event: str) -> list[dict]:
        return [call.payload for call in self.hooks if call.payload and call.event == event]

    # --- what the model was sent
    @property
    def log(self) -> list[dict]:
        path = os.path.join(self.folder, "requests.jsonl")
        if not os.path.exists(path):
            return []
        with open(path, "rb") as handle:
            handle.seek(self._offset)
            for line in handle:
                if line.endswith(b"\n"):
                    self._offset += len(line)
                    self._entries.append(json.loads(line))
        return [entry for entry in self._entries if entry["time"] >= self.since]

    @property
    def requests(self) -> list[dict]:
        """Bodies of the model requests, side requests left out."""
        return [e["body"] for e in self.log if e["kind"] == "message" and e["lane"] != "side"]

    @property
    def side_requests(self) -> list[dict]:
        """Bodies of requests without tools: titles, summaries, prompt hooks."""
        return [e["body"] for e in self.log if e["kind"] == "message" and e["lane"] == "side"]

    @property
    def http(self) -> list[dict]:
        """Requests to any other path: what http hooks were sent."""
        return [e for e in self.log if e["kind"] == "http"]

    def lane(self, name: str) -> list[dict]:
        return [e["body"] for e in self.log if e["kind"] == "message" and e["lane"] == name]

    @property
    def blocks(self) -> list[tuple[str, dict]]:
        """(role, content block) of all that was sent, in order of first appearance.

        A conversation is sent again with each request: what occurs twice here occurred twice in one request.
        """
        seen: dict[tuple[str, int], tuple[str, dict]] = {}
        for body in self.requests:
            times: Counter[str] = Counter()
            for role, block in blocks_in(body):
                key = json.dumps([role, block], sort_keys=True)
                seen.setdefault((key, times[key]), (role, block))
                times[key] += 1
        return list(seen.values())

    @property
    def tool_results(self) -> list[ToolResult]:
        """Every tool result the model was sent, once each, in order."""
        seen: dict[str, ToolResult] = {}
        for _, block in self.blocks:
            if block.get("type") == "tool_result":
                name = block["tool_use_id"]
                seen.setdefault(name, ToolResult(name, text_of(block.get("content")), bool(block.get("is_error"))))
        return list(seen.values())

    def notes(self) -> list[str]:
        """Every text that was put beside the conversation: system messages and reminders, without the wrapping."""
        found = []
        for role, block in self.blocks:
            words = block.get("text") or ""
            if block.get("type") == "tool_result":
                words = text_of(block.get("content"))
            if role == "system":
                found.append(words)
            elif role == "user":
                found.extend(REMINDER.findall(words))
        return found

    def contexts(self) -> list[tuple[str, str]]:
        """(who, text) of hook context that reached the model, such as ("PreToolUse:Bash", "…")."""
        return [(m[1], m[3]) for m in map(CONTEXT.match, self.notes()) if m]

    def context_texts(self) -> list[str]:
        return [words for _, words in self.contexts()]

    # --- what the user was shown
    def system_messages(self) -> list[str]:
        """Texts of `systemMessage`, as the client announced them."""
        return [e["content"] for e in self.events if e.get("subtype") == "informational"]

    @property
    def result_event(self) -> dict:
        return next((e for e in reversed(self.events) if e.get("type") == "result"), {})

    @property
    def result(self) -> str | None:
        """The final text of a headless run."""
        return self.result_event.get("result")

    # --- background commands
    @property
    def background_tasks(self) -> list[str]:
        """Identifiers of commands that went to the background, in order."""
        found = (re.search(r"running in background with ID: (\w+)", r.text) for r in self.tool_results)
        return [match[1] for match in found if match]

    @property
    def background_outputs(self) -> dict[str, str]:
        """Task identifier → what the command wrote."""
        outputs = {}
        for result in self.tool_results:
            match = re.search(r"with ID: (\w+)\. Output is being written to: (\S+?\.output)", result.text)
            if match and os.path.exists(match[2]):
                with open(match[2], encoding="utf-8", errors="replace") as handle:
                    outputs[match[1]] = handle.read()
        return outputs

    @property
    def task_notifications(self) -> list[str]:
        """Texts by which the client told the model that a background task ended."""
        texts = [b.get("text") or "" for role, b in self.blocks if role in ("user", "system")]
        return [words for words in texts if "<task-notification>" in words]


def read_call(path: str) -> HookCall | None:
    with open(path, encoding="utf-8") as handle:
        written = handle.read()
    if not written:
        return None  # the blink between claim and first record
    record = {"end": None, **json.loads(written)}
    return HookCall(**{key: value for key, value in record.items() if key not in ("finished", "pid")})


def blocks_in(body: dict) -> Iterator[tuple[str, dict]]:
    for message in body["messages"]:
        content = message["content"]
        for block in [{"type": "text", "text": content}] if isinstance(content, str) else content:
            # Where the cache ends moves from request to request; it says nothing.
            yield message["role"], {k: v for k, v in block.items() if k != "cache_control"}


def text_of(content) -> str:
    if isinstance(content, list):
        return "".join(block.get("text", "") for block in content)
    return content or ""
