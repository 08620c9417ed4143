"""The client as an SDK host speaks to it: messages on stdin, events on stdout, questions to a human.

    with lab.stream([call("AskUserQuestion", …), "done"], human=answers({"Which?": "Blue"})) as session:
        session.say("go")
        session.wait_for_result()
    assert session.run.tool_results[0].text.startswith("Your questions have been answered")

`human` is asked whenever the client wants permission: it gets the control request and returns `allow(…)`,
`refuse(…)`, or the like. Without one, everything is refused. With `attended=False` nobody can be asked at all.
"""

import contextlib
import itertools
import json
import queue
import threading
import time
from collections.abc import Callable
from typing import Self

from tests.client.kit.lab import Lab, parsed

FLAGS = ["--input-format", "stream-json", "--output-format", "stream-json", "--verbose"]


def allow(request: dict, **changed) -> dict:
    return {"behavior": "allow", "updatedInput": {**request["input"], **changed}}


def refuse(message: str = "The human said no.") -> dict:
    return {"behavior": "deny", "message": message}


def answers(choices: dict[str, str]) -> Callable[[dict], dict]:
    """A human who answers questions with these labels and allows everything else."""

    def human(request: dict) -> dict:
        questions = request["tool_name"] == "AskUserQuestion"
        return allow(request, answers=choices) if questions else allow(request)

    return human


class Stream:
    """A running session; `run` grows while it goes on and is complete after the block."""

    def __init__(self, lab: Lab, script, *, human=None, args=(), env=None, timeout=120, attended=True, **api):
        self.lab, self.timeout = lab, timeout
        self.human = human or (lambda request: refuse())
        self.asked: list[dict] = []  # control requests that a human saw
        self.run = lab._new_run()
        self._queue: queue.Queue[dict | None] = queue.Queue()
        self._ids = itertools.count(1)
        self._opened = contextlib.ExitStack()
        argv = ["-p", *FLAGS, *(["--permission-prompt-tool", "stdio"] if attended else []), *args]
        self._start = lambda: lab._client(argv, script, env=env, **api)

    def __enter__(self) -> Self:
        self._client = self._opened.enter_context(self._start())
        threading.Thread(target=self._read, daemon=True).start()
        self._stderr = threading.Thread(target=self._read_errors, daemon=True)
        self._stderr.start()
        return self

    def __exit__(self, *exc) -> None:
        with self._opened:
            if exc[0] is None:
                self.close()
        self._stderr.join(10)
        self.run.code, self.run.seconds = self._client.returncode, time.time() - self.run.since

    def say(self, words: str) -> None:
        """A prompt of the user."""
        self.send({"type": "user", "message": {"role": "user", "content": [{"type": "text", "text": words}]}})

    def control(self, subtype: str, **fields) -> dict:
        """Ask the client something (initialize, set_model, interrupt…) and wait for its answer."""
        name = f"host-{next(self._ids)}"
        self.send({"type": "control_request", "request_id": name, "request": {"subtype": subtype, **fields}})
        event = self.wait(
            lambda e: e.get("type") == "control_response" and e["response"].get("request_id") == name, f"{subtype}"
        )
        return event["response"]

    def wait_for_mcp(self, names: list[str]) -> None:
        """Wait until these servers are connected: until then their tools do not exist."""
        deadline = time.monotonic() + self.timeout
        while names and time.monotonic() < deadline:
            servers = self.control("mcp_status")["response"]["mcpServers"]
            if {server["name"] for server in servers if server["status"] == "connected"} >= set(names):
                return
            time.sleep(0.05)
        if names:
            raise TimeoutError(f"{', '.join(names)} did not connect in {self.timeout} s")

    def send(self, message: dict) -> None:
        self._client.stdin.write(json.dumps(message) + "\n")
        self._client.stdin.flush()

    def wait_for_result(self) -> dict:
        return self.wait(lambda event: event.get("type") == "result", "a result")

    def wait(self, wanted: Callable[[dict], bool], what: str = "an event") -> dict:
        """The next event that is wanted; the human answers meanwhile."""
        deadline = time.monotonic() + self.timeout
        while True:
            event = self._next(deadline, what)
            if event is None:
                raise EOFError(f"the client ended before {what} came\n{self.run.stderr}")
            if wanted(event):
                return event

    def drain(self) -> None:
        """Forget the events that have come so far; they stay in `run`."""
        while not self._queue.empty():
            self._next(time.monotonic() + self.timeout, "an event")

    def close(self) -> None:
        """No more input: the client finishes and leaves."""
        self._client.stdin.close()
        deadline = time.monotonic() + self.timeout
        while self._next(deadline, "its end") is not None:
            pass
        self._client.wait(self.timeout)

    def _next(self, deadline: float, what: str) -> dict | None:
        try:
            event = self._queue.get(timeout=max(deadline - time.monotonic(), 0))
        except queue.Empty:
            last = [f"{event['type']} {event.get('subtype', '')}" for event in self.run.events[-5:]]
            raise TimeoutError(f"{what} did not come in {self.timeout} s; last came {', '.join(last)}") from None
        if event and event.get("type") == "control_request":
            self._answer(event)
        return event

    def _answer(self, event: dict) -> None:
        request = event["request"]
        said = {}
        if request.get("subtype") == "can_use_tool":
            self.asked.append(request)
            said = self.human(request)
        response = {"subtype": "success", "request_id": event["request_id"], "response": said}
        self.send({"type": "control_response", "response": response})

    def _read(self) -> None:
        for line in self._client.stdout:
            event = parsed(line)
            if event:
                self.run.stdout += line
                self.run.events.append(event)
                self._queue.put(event)
        self._queue.put(None)

    def _read_errors(self) -> None:
        for line in self._client.stderr:
            self.run.stderr += line
