"""Run a scene through the real client: one session, a prompt per case.

scene → settings and recording hooks → stream-json session → Seen (requests, events, hook calls) → reading.py → outcome
The settings stay, the hooks' behaviour changes from case to case, so a whole scene costs one start of the client.
"""

import os
import re
import shlex
import time
from collections.abc import Iterator

from tests.client.kit import install, stream
from tests.client.kit.lab import PROBE, PYTHON, Lab
from tests.conformance.reading import STOPPED, Seen, outcome_of
from tests.conformance.scenes import Case, Scene, entries_of, fill_places, short

# This model is sent each hook's note as a block of its own; newer ones get them run together.
MODEL = "claude-sonnet-4-5"
PATIENCE = 20
TOOL_EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "PostToolBatch", "PermissionRequest")


class Player:
    """One scene on the stage; `outcomes()` yields (case, outcome)."""

    def __init__(self, scene: Scene, lab: Lab):
        self.scene, self.lab = scene, lab
        self.places = {"PROJECT": lab.project, "HOME": lab.home, "OUTSIDE": lab.root}
        self.lines: dict[str, str] = {}  # handler → its command line or address, as the client prints it
        for case in scene.cases:
            case.event = self._real(case.event)
        self.case, self.flushes = scene.cases[0], 0
        for name in scene.handlers:
            lab.behave(name)
        lab.scopes.update({scope: self._real(settings) for scope, settings in scene.settings.items()})
        lab.env.update(scene.env)
        self._set_up_project()

    def outcomes(self) -> Iterator[tuple[Case, dict]]:
        waiting = list(enumerate(self.scene.cases))
        while waiting:
            batch, waiting = (waiting[:1], waiting[1:]) if self.scene.alone else (waiting, [])
            yield from self._session(batch)

    # --- the stage
    def _real(self, value):
        """Settings with handlers and places filled in."""
        if isinstance(value, list):
            return [self._real(inner) for inner in value]
        if isinstance(value, str):
            return fill_places(value, self.places)
        if not isinstance(value, dict):
            return value
        real = {key: self._real(inner) for key, inner in value.items() if key not in ("run", "form")}
        return {**real, **self._handler(value)} if "run" in value else real

    def _handler(self, entry: dict) -> dict:
        """What a handler's name stands for in settings."""
        name = entry["run"]
        match entry.get("type", "command"):
            case "http":
                self.lines[name] = f"{self.lab.url}/{name}"
                return {"url": self.lines[name]}
            case "mcp_tool":
                return {"tool": name}
            case "prompt" | "agent":
                return {}  # its prompt holds the name
        argv = [PYTHON, "-I", "-S", PROBE, os.path.join(self.lab.specs, name + ".json")]
        self.lines[name] = shlex.join(argv)
        if entry.get("form") == "exec":
            return {"type": "command", "command": argv[0], "args": argv[1:]}
        return {"type": "command", "command": self.lines[name]}

    def _set_up_project(self) -> None:
        servers: dict[str, set[str]] = {}
        for case in self.scene.cases:
            match = re.match(r"mcp__(.+?)__(.+)", case.event.get("tool_name", ""))
            if match:
                servers.setdefault(match[1], set()).add(match[2])
            if "command_name" in case.event:
                self.lab.write(f".claude/commands/{case.event['command_name']}.md", "Expanded: $ARGUMENTS\n")
        for entry in entries_of(self.scene.settings):
            if entry.get("type") == "mcp_tool" and "run" in entry:
                servers.setdefault(entry["server"], set()).add(entry["run"])
        for server, tools in servers.items():
            self.lab.mcp(server, *sorted(tools))

    # --- the session
    def _session(self, batch: list[tuple[int, Case]]) -> Iterator[tuple[Case, dict]]:
        if self.scene.alone:
            self._behave(batch[0][1].handlers)  # its event may come before the first prompt
        lanes = [lane for number, case in batch for lane in lanes_of(number, case)]
        lanes += [
            {"name": "flush", "prompt": f"flush-{number}.", "turns": [f"flushed {number}"]}
            for number in range(self.flushes + 1, self.flushes + 1 + len(batch))
        ]
        session = self.lab.stream(
            [*lanes, {"name": "rest", "turns": []}],
            human=self._human,
            args=["--include-hook-events", "--model", MODEL],
            attended=not any(case.event["hook_event_name"] == "PermissionRequest" for _, case in batch),
        )
        with session:
            session.wait_for_mcp(list(self.lab.mcp_servers))
            seen = [(case, self._play(session, number, case)) for number, case in batch]
        for case, found in seen:
            if case.event["hook_event_name"] == "SessionEnd":
                found.calls = session.run.hooks
            yield case, short(outcome_of(found, self.lines, self.places))

    def _play(self, session: stream.Stream, number: int, case: Case) -> Seen:
        self.case = case
        began, first_event, first_asked = time.time(), len(session.run.events), len(session.asked)
        if case.event["hook_event_name"] == "SessionStart":
            first_event, began = 0, session.run.since
        if not self.scene.alone:
            self._behave(case.handlers)
        seen = Seen(case, marker(number, case), tells_who=self.lab.binary == install.find())
        self._bring_about(session, prompt(number, case), seen)
        ended = time.time()
        seen.events, seen.asked = session.run.events[first_event:], session.asked[first_asked:]
        if case.settle:
            self._settle(session, began)
            ended = time.time()
        if seen.result.get("terminal_reason") in STOPPED or case.settle:
            self._flush(session)
        log = [entry for entry in session.run.log if entry["time"] >= began]
        ours = [entry for entry in log if entry["kind"] == "message" and entry["lane"] != "side"]
        subagent = [entry for entry in ours if entry["lane"] == f"sub {number}"]
        seen.requests = [entry["body"] for entry in subagent or ours]
        seen.side = [e["body"] for e in log if e["kind"] == "message" and e["lane"] == "side" and e["time"] <= ended]
        seen.http = [entry for entry in log if entry["kind"] == "http" and entry["time"] <= ended]
        seen.calls = [call for call in session.run.hooks if began <= call.start <= ended]
        seen.prompts = [entry["run"] for entry in entries_of(self.scene.settings) if entry.get("type") == "prompt"]
        return seen

    def _bring_about(self, session: stream.Stream, words: str, seen: Seen) -> None:
        if seen.case.event["hook_event_name"] == "PreModelSwitch":
            seen.control = session.control("set_model", model=seen.case.event["to_model"])
            return
        if seen.case.event["hook_event_name"] == "PreCompact":
            session.say("something to compact")
            session.wait_for_result()
        session.say(words)
        session.wait_for_result()

    def _settle(self, session: stream.Stream, began: float) -> None:
        """Wait for handlers that the client did not wait for."""
        deadline, awaited = time.monotonic() + PATIENCE, set(self.case.handlers)
        while awaited and time.monotonic() < deadline:
            awaited -= {call.name for call in session.run.hooks if call.start >= began and call.finished}
            time.sleep(0.05)
        time.sleep(1)  # the client has to notice, too

    def _flush(self, session: stream.Stream) -> None:
        """Some notes wait for the next request: make one, with every hook silent."""
        self._behave({})
        self.flushes += 1
        session.say(f"flush-{self.flushes}.")
        # A handler may have woken the model meanwhile, which gives a result of its own.
        session.wait(lambda event: event.get("result") == f"flushed {self.flushes}", "the flush")

    def _behave(self, handlers: dict[str, dict]) -> None:
        for name in self.scene.handlers:
            behaviour = handlers.get(name, {})
            self.lab.behave(name, **behaviour)
            self.lab.routes["/" + name] = behaviour
            self.lab.routes["model:" + name] = behaviour.get("answer", '{"ok": true}')
        self.lab.write_routes()

    def _human(self, request: dict) -> dict:
        """Allow what is harmless; of a real command, the question is all that the outcome needs."""
        real = self.case.event["hook_event_name"] == "PreToolUse" and not request["tool_name"].startswith("mcp__")
        return stream.refuse("not needed") if real else stream.allow(request)


# --- how each event is brought about


def prompt(number: int, case: Case) -> str:
    """What the user says."""
    match case.event["hook_event_name"]:
        case "UserPromptSubmit":
            return case.event["prompt"]
        case "UserPromptExpansion":
            return f"/{case.event['command_name']} {case.event['command_args']}"
        case "PreCompact":
            return "/compact"
    return f"case number {number}."


def marker(number: int, case: Case) -> str:
    """What of it can be found in the request: a slash command expands."""
    return case.event.get("command_args") or prompt(number, case)


def lanes_of(number: int, case: Case) -> list[dict]:
    """What the model answers."""
    event, name = case.event, case.event["hook_event_name"]
    lane = {"name": f"main {number}", "prompt": marker(number, case), "turns": ["done"]}
    if name == "MessageDisplay":
        return [{**lane, "turns": [event["delta"]]}]
    if name in TOOL_EVENTS:
        tool = {"tool": event["tool_name"], "input": event["tool_input"]}
        return [{**lane, "turns": [tool, "done"]}]
    if name == "TaskCreated":
        task = {"subject": event["task_subject"], "description": event["task_description"]}
        return [{**lane, "turns": [{"tool": "TaskCreate", "input": task}, "done"]}]
    if name in ("SubagentStart", "SubagentStop"):
        errand = {"description": "errand", "prompt": f"ERRAND {number}.", "subagent_type": event["agent_type"]}
        agent = {"tool": "Agent", "input": {**errand, "run_in_background": False}}
        below = {"name": f"sub {number}", "first": f"ERRAND {number}.", "turns": ["done", "done again"]}
        return [below, {**lane, "turns": [agent, "done"]}]
    return [lane]
