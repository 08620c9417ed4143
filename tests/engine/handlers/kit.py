"""Real counterparts for handlers: a scripted API, http routes, an MCP server process."""

import asyncio
import contextlib
import json
import os
import threading
from collections.abc import Iterator

from hookwright.engine import handlers
from hookwright.engine.types import Handler, RawResult, RunContext
from tests.client.kit.scripted_api import Script, ScriptedApi

PATIENCE_S = 60.0
BASH = {
    "session_id": "s-1",
    "transcript_path": "/nowhere/t.jsonl",
    "cwd": "/nowhere",
    "hook_event_name": "PreToolUse",
    "tool_name": "Bash",
    "tool_input": {"command": "ls «x»", "timeout": 5000},
}


class Api:
    """What answers at `url`, and what was asked there."""

    def __init__(self, folder: str, script: list, side, routes: dict):
        self.log, self.routes = os.path.join(folder, "requests.jsonl"), os.path.join(folder, "routes.json")
        with open(self.routes, "w", encoding="utf-8") as file:
            json.dump(routes, file)
        self.server = ScriptedApi(Script(script, self.log, self.routes, side), port=0)
        threading.Thread(target=self.server.serve_forever, args=[0.01], daemon=True).start()
        self.port = self.server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self.env = {"ANTHROPIC_BASE_URL": self.url, "ANTHROPIC_API_KEY": "sk-ant-test"}

    def asked(self, kind: str) -> list[dict]:
        with open(self.log, encoding="utf-8") as file:
            return [entry for entry in map(json.loads, file) if entry["kind"] == kind]

    @property
    def bodies(self) -> list[dict]:
        return [entry["body"] for entry in self.asked("message")]


@contextlib.contextmanager
def api(folder, script=(), side="side answer", routes=None) -> Iterator[Api]:
    served = Api(str(folder), list(script), side, routes or {})
    try:
        yield served
    finally:
        served.server.shutdown()
        served.server.server_close()
        served.server.script.log.close()


def handler(kind: str, event: str = "PreToolUse", **options) -> Handler:
    return Handler(kind, event, "user", "settings.json", 3, None, {"type": kind, **options})


def around(project, **more) -> RunContext:
    known = {"env": {}, "timeout_s": PATIENCE_S, "scratch": str(project), **more}
    return RunContext(project=str(project), cwd=str(project), **known)


def ran(one: Handler, place: RunContext, payload: dict | None = None) -> RawResult:
    """One run, from the table of handlers, and its connections closed afterwards."""

    async def play() -> RawResult:
        try:
            return await handlers.load_runner(one.type)(one, payload or BASH, place)
        finally:
            for connection in place.connections.values():
                await connection.aclose()

    return asyncio.run(play())


def processes(mark: str) -> list[int]:
    """Ids of the processes whose command line or environment contains this text."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            for part in ("cmdline", "environ"):
                with open(f"/proc/{name}/{part}", "rb") as file:
                    if mark.encode() in file.read() and int(name) != os.getpid():
                        found.append(int(name))
                        break
    return found
