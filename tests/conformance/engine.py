"""Run a scene through our engine, with handlers that are real: processes, an http server, a model's API, MCP.

scene → settings and behaviours → Engine.fire(event) → outcome as in README.md
One engine per scene. Which handlers ran and which were killed is read from files that they wrote, not from the trace;
the trace has to agree.
"""

import asyncio
import contextlib
import json
import os
import shlex
import shutil
import threading
import uuid
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace

from hookwright.engine import Engine, Outcome
from tests.client.kit.lab import MCP_SERVER, PYTHON
from tests.client.kit.scripted_api import URL, Script, ScriptedApi
from tests.conformance.reading import neutral
from tests.conformance.scenes import Case, Scene, entries_of, fill_places, short

SHELL = "/bin/sh"
PATIENCE = 60
MOST_CONTINUATIONS = 20
STAGES = 4
POLL_S = 0.02


class Player:
    """Runs one scene; `outcomes()` yields (case, outcome)."""

    def __init__(self, scene: Scene, folder: str, client: str | None = None):
        self.client = client
        self.scene, self.folder = scene, os.path.realpath(folder)
        self.home, self.project = self.path("home"), self.path("project")
        self.places = {"PROJECT": self.project, "HOME": self.home, "OUTSIDE": self.folder}
        self.scripts, self.records, self.specs = self.path("scripts"), self.path("records"), self.path("specs")
        for made in (self.home, self.project, self.scripts, self.records, self.specs):
            os.makedirs(made)
        self.lines: dict[str, str] = {}  # handler → its command line or address
        self.kinds = {
            entry["run"]: entry.get("type", "command") for entry in entries_of(scene.settings) if "run" in entry
        }

    def path(self, *parts: str) -> str:
        return os.path.join(self.folder, *parts)

    async def outcomes(self) -> AsyncIterator[tuple[Case, dict]]:
        with self._network():
            async with self._engine() as engine:
                for case in self.scene.cases:
                    yield case, await self._play(engine, case)

    @contextlib.contextmanager
    def _network(self) -> Iterator[None]:
        """The server that http handlers call and models answer on."""
        self.write("routes.json", {})
        api = ScriptedApi(Script([], self.path("api.jsonl"), self.path("routes.json")), port=0)
        self.url = f"http://127.0.0.1:{api.server_port}"
        threading.Thread(target=api.serve_forever, args=(POLL_S,), daemon=True).start()
        try:
            yield
        finally:
            api.shutdown()
            api.server_close()
            api.script.log.close()

    def _engine(self) -> Engine:
        servers = {}
        for entry in entries_of(self.scene.settings):
            if entry.get("type") == "mcp_tool" and "run" in entry:
                servers.setdefault(entry["server"], set()).add(entry["run"])
        program = ["-I", "-S", MCP_SERVER, self.specs]
        return Engine.from_settings(
            project=self.project,
            home=self.home,
            client=self.client,
            settings={scope: self._real(settings) for scope, settings in self.scene.settings.items()},
            env={
                "PATH": os.environ["PATH"],
                "ANTHROPIC_BASE_URL": self.url,
                "ANTHROPIC_API_KEY": "sk-ant-test",
                **self.scene.env,
            },
            mcp_servers={
                name: {"command": PYTHON, "args": [*program, *sorted(tools)]} for name, tools in servers.items()
            }
            or {"nobody": {}},
        )

    # --- the stage
    def _real(self, value):
        """Settings and events with handlers and places filled in."""
        if isinstance(value, list):
            return [self._real(inner) for inner in value]
        if isinstance(value, str):
            return fill_places(value, self.places).replace(URL, self.url)
        if not isinstance(value, dict):
            return value
        real = {key: self._real(inner) for key, inner in value.items() if key not in ("run", "form")}
        return {**real, **self._handler(value)} if "run" in value else real

    def _handler(self, entry: dict) -> dict:
        """What a handler's name stands for in settings."""
        name = entry["run"]
        match entry.get("type", "command"):
            case "http":
                self.lines[name] = f"{self.url}/{name}"
                return {"url": self.lines[name]}
            case "mcp_tool":
                return {"tool": name}
            case "prompt":
                return {}  # its prompt holds the name
        script = os.path.join(self.scripts, name)
        if entry.get("form") == "exec":
            self.lines[name] = f"{SHELL} {script}"
            return {"type": "command", "command": SHELL, "args": [script]}
        self.lines[name] = f"exec {SHELL} {script}"
        return {"type": "command", "command": self.lines[name]}

    def _behave(self, case: Case, turn: int) -> None:
        """Set the stage for the n-th coming of the event."""
        shutil.rmtree(self.records)
        os.makedirs(self.records)
        routes = {}
        for name, kind in self.kinds.items():
            behaviour = at(case.handlers.get(name, {}), turn)
            routes["/" + name] = behaviour
            routes["model:" + name] = behaviour.get("answer", '{"ok": true}')
            if kind == "mcp_tool":
                self.write(f"specs/{name}.json", {"log": self.records, "name": name, **behaviour})
            self._write_text(f"scripts/{name}", "\n".join(script_of(name, behaviour, self.records)) + "\n")
        self.write("routes.json", routes)

    def write(self, name: str, value) -> None:
        self._write_text(name, json.dumps(value))

    def _write_text(self, name: str, words: str) -> None:
        with open(self.path(name), "w", encoding="utf-8") as handle:
            handle.write(words)

    # --- the play
    async def _play(self, engine: Engine, case: Case) -> dict:
        event = {key: value for key, value in self._real(case.event).items() if key != "model_sees"}
        payload = {"session_id": str(uuid.uuid4()), **event}
        self._behave(case, 0)
        asked = self._asked()
        outcome = await engine.fire(payload)
        await engine.settle(PATIENCE)
        seen = self._seen(outcome, case, asked)
        continuations, current = 0, outcome
        while current.goes_on and continuations < MOST_CONTINUATIONS:
            continuations += 1
            self._behave(case, continuations)
            current = await engine.fire({**payload, "stop_hook_active": True})
        names = {line: "{" + name + "}" for name, line in self.lines.items()}
        names |= {path: f"<{name}>" for name, path in self.places.items()}
        return short(neutral({**seen, "continuations": continuations}, names))

    def _seen(self, outcome: Outcome, case: Case, asked: Counter) -> dict:
        made = os.listdir(self.records)
        started = Counter(name.partition(".")[0] for name in made if not name.endswith(".end"))
        ended = Counter(name.partition(".")[0] for name in made if name.endswith(".end"))
        commands = {name for name, kind in self.kinds.items() if kind == "command"}
        ran = started + (self._asked() - asked)
        traced = Counter(self._name(trace.label) for trace in outcome.handlers if trace.ran) - Counter({None: 1000})
        assert traced == ran, f"{case.name}: the trace says {traced}, the handlers say {ran}"
        return {
            "ran": sorted(ran.elements()),
            "cut": sorted((Counter({n: c for n, c in started.items() if n in commands}) - ended).elements()),
            "decision": outcome.decision,
            "reason": outcome.reason,
            "updated_input": outcome.updated_input,
            "updated_output": shown(outcome.updated_output),
            "context": outcome.context,
            "system_messages": outcome.system_messages,
            "continue": outcome.continue_,
            "stop_reason": outcome.stop_reason,
            "later": outcome.later,
        }

    def _name(self, label: str) -> str | None:
        """The handler that goes by this line in the trace; None for those that are meant literally."""
        for name, kind in self.kinds.items():
            script = os.path.join(self.scripts, name)
            if kind == "prompt" and f"You are {name}." in label:
                return name
            if label in (self.lines.get(name), f"{SHELL} {script}", f"exec {SHELL} {script}"):
                return name
            if kind == "mcp_tool" and label.endswith("__" + name):
                return name
        return None

    def _asked(self) -> Counter:
        """How often each handler was called over the network so far."""
        called: Counter = Counter()
        with open(self.path("api.jsonl"), encoding="utf-8") as handle:
            for line in handle:
                entry = json.loads(line)
                if entry["kind"] == "http":
                    called[entry["path"].strip("/")] += 1
                else:
                    said = json.dumps(entry["body"]["messages"])
                    called.update(name for name in self.kinds if f"You are {name}." in said)
        return called


def at(behaviour: dict, turn: int) -> dict:
    replies = behaviour.get("replies")
    return {**behaviour, **replies[min(turn, len(replies) - 1)]} if replies else behaviour


def script_of(name: str, behaviour: dict, records: str) -> Iterator[str]:
    """A command handler as a shell script: it records its start and its end, and behaves in between."""
    place = os.path.join(records, name)
    yield f": > {place}.$$"
    yield "read -r payload"
    if "first_line" in behaviour:
        yield says(behaviour["first_line"] + "\n")
    for other in behaviour.get("after", []):
        # A process is there until the engine has taken note of its end; its record bears its number.
        yield f"record() {{ for made in {os.path.join(records, other)}.*[0-9]; do echo $made; done; }}"
        yield 'while made=$(record); [ ! -e "$made" ]; do sleep 0.01; done'
        yield "while kill -0 ${made##*.} 2> /dev/null; do sleep 0.01; done"
    if behaviour.get("sleep"):
        yield f"sleep {behaviour['sleep']}"
    yield says((json.dumps(behaviour["reply"]) if "reply" in behaviour else "") + behaviour.get("stdout", ""))
    yield says(behaviour.get("stderr", "")) + " >&2"
    yield f": > {place}.$$.end"
    yield f"exit {behaviour.get('exit', 0)}"


def says(words: str) -> str:
    return f"printf %s {shlex.quote(words)}"


def shown(output) -> str | None:
    """A tool's result as the model reads it; how it is made into text is the tool's own, not the hooks'."""
    if isinstance(output, dict):
        return "\n".join(text for text in (output["stdout"], output["stderr"]) if text)
    if isinstance(output, list):
        return "\n".join(block["text"] for block in output)
    return output


async def played(scene: Scene, folder: str, client: str | None) -> list[tuple[Case, dict]]:
    """Several stages at once: cases stand on their own, and many of them wait."""
    stages = [
        Player(replace(scene, cases=scene.cases[n::STAGES]), os.path.join(folder, str(n)), client)
        for n in range(STAGES)
    ]
    return [pair for pairs in await asyncio.gather(*map(_all, stages)) for pair in pairs]


async def _all(stage: Player) -> list[tuple[Case, dict]]:
    return [pair async for pair in stage.outcomes()] if stage.scene.cases else []


def play(scene: Scene, folder: str, client: str | None = None) -> list[tuple[Case, dict]]:
    """The outcomes of all cases; `client`: the version to speak for."""
    return asyncio.run(played(scene, folder, client))
