"""A scripted stand-in for the Messages API; it lives behind the fence, beside the client.

client ── POST /v1/messages ──▶ [this server] ──▶ the next scripted turn; each request is logged as a line
The same script gives the same conversation; what is not scripted is answered with a fixed text.

A script is a list of turns, or of lanes `{"turns": […], "first": "text", "prompt": "text", "name": "…"}`: a lane
answers if its `first` occurs in the conversation's opening message (that is how a subagent's requests are told
from the main ones) and its `prompt` anywhere; of several, that with the latest prompt and turns left. A turn is a
text, a block, a list of blocks, or an API failure `{"status": 529, "error": "overloaded_error"}`; `{output}` in it is
the output file of the latest background command, which only the conversation names. Requests without tools (titles,
summaries, prompt hooks) are side requests: `side` answers them, a text or a list of texts.

`routes` is a file that says how other paths answer, for http hooks: `{"/deny": {"status": 200, "json": {…}}}`, with
`text` in place of `json`, `headers`, `delay` (seconds), or a list whose n-th entry answers the n-th call. It is read
anew for each request, so it may change while the session goes on. A key `model:WORDS` holds the text that answers
side requests in which these words occur.
"""

import itertools
import json
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The namespace is private, so the port is always free and settings can name it in advance.
PORT = 8901
URL = f"http://127.0.0.1:{PORT}"
EXHAUSTED = "script exhausted"
USAGE = {"input_tokens": 100, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}


def text(words: str) -> dict:
    return {"text": words}


def call(tool: str, **tool_input) -> dict:
    """A block in which the model calls a tool."""
    return {"tool": tool, "input": tool_input}


def bash(command: str, **tool_input) -> dict:
    return call("Bash", command=command, **tool_input)


def lanes_of(script: list) -> list[dict]:
    if script and all(isinstance(lane, dict) and "turns" in lane for lane in script):
        return script
    return [{"turns": script}]


def blocks_of(turn) -> list[dict]:
    if isinstance(turn, str):
        return [text(turn)]
    return [turn] if isinstance(turn, dict) else [text(b) if isinstance(b, str) else b for b in turn]


def nth(answers, number: int):
    """The answer to the n-th call; the last one repeats."""
    return answers[min(number, len(answers) - 1)] if isinstance(answers, list) else answers


def fill_output(turn, said: str):
    """The turn with the path that the client named last in place of `{output}`."""
    found = re.findall(r"Output is being written to: (\S+?\.output)", said)
    words = json.dumps(turn)
    return json.loads(words.replace("{output}", found[-1])) if found and "{output}" in words else turn


class Script:
    """Which turn comes next, and the log of what was asked."""

    def __init__(self, script: list, log: str, routes: str, side="side answer"):
        self.routes = routes
        self.lanes = [dict(lane, turns=list(lane["turns"])) for lane in lanes_of(script)]
        self.side, self.asked_aside = side, 0
        self.log = open(log, "a", encoding="utf-8")  # noqa: SIM115 - lives as long as the server
        self.ids = itertools.count(1)
        self.lock = threading.Lock()

    def next_id(self, prefix: str) -> str:
        return f"{prefix}_{next(self.ids):06d}"

    def note(self, **entry) -> None:
        with self.lock:
            self.log.write(json.dumps({"time": time.time(), **entry}) + "\n")
            self.log.flush()

    def answer(self, body: dict):
        with self.lock:
            lane, turn = self._next(body) if body.get("tools") else self._aside(body)
        self.note(kind="message", lane=lane, body=body)
        return turn

    def _aside(self, body: dict):
        said = json.dumps(body["messages"], ensure_ascii=False)
        for key, reply in self.read_routes().items():
            if key.startswith("model:") and key.removeprefix("model:") in said:
                return "side", reply
        self.asked_aside += 1
        return "side", nth(self.side, self.asked_aside - 1)

    def read_routes(self) -> dict:
        with open(self.routes, encoding="utf-8") as handle:
            return json.load(handle)

    def _next(self, body: dict):
        opening = json.dumps(body["messages"][0], ensure_ascii=False)
        said = json.dumps(body["messages"], ensure_ascii=False)
        fitting = []
        for number, lane in enumerate(self.lanes):
            heard = said.rfind(lane["prompt"]) if "prompt" in lane else 0
            if heard >= 0 and lane.get("first", "") in opening:
                fitting.append((heard, -number, lane.get("name", str(number)), lane["turns"]))
        fitting.sort(key=lambda lane: lane[:2], reverse=True)
        for _, _, name, turns in fitting:
            if turns:
                return name, fill_output(turns.pop(0), said)
        return fitting[0][2] if fitting else "none", EXHAUSTED


def stream_of(script: Script, model: str, turn, usage: dict):
    """The server-sent events of one assistant message."""
    message = {
        "id": script.next_id("msg"),
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": {**usage, "output_tokens": 1},
    }
    yield {"type": "message_start", "message": message}
    stop = "end_turn"
    for index, block in enumerate(blocks_of(turn)):
        if "tool" in block:
            stop = "tool_use"
            name = block.get("id") or script.next_id("toolu")
            start = {"type": "tool_use", "id": name, "name": block["tool"], "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        else:
            start = {"type": "text", "text": ""}
            delta = {"type": "text_delta", "text": block["text"]}
        yield {"type": "content_block_start", "index": index, "content_block": start}
        yield {"type": "content_block_delta", "index": index, "delta": delta}
        yield {"type": "content_block_stop", "index": index}
    ending = {"stop_reason": stop, "stop_sequence": None}
    yield {"type": "message_delta", "delta": ending, "usage": {"output_tokens": 20}}
    yield {"type": "message_stop"}


def whole(events) -> dict:
    """The same message as one object, for requests that do not stream."""
    message: dict = {}
    for event in events:
        match event["type"]:
            case "message_start":
                message = event["message"]
            case "content_block_start":
                message["content"].append(dict(event["content_block"]))
            case "content_block_delta" if event["delta"]["type"] == "text_delta":
                message["content"][event["index"]]["text"] += event["delta"]["text"]
            case "content_block_delta":
                message["content"][event["index"]]["input"] = json.loads(event["delta"]["partial_json"])
            case "message_delta":
                message["stop_reason"] = event["delta"]["stop_reason"]
                message["usage"].update(event["usage"])
    return message


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "ScriptedApi"

    def log_message(self, *args):
        """The request log is ours."""

    def do_GET(self):
        self._other(None)

    do_HEAD = do_GET  # noqa: N815 - the name that http.server looks for

    def do_POST(self):
        raw = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        try:
            body = json.loads(raw or b"{}")
        except ValueError:
            body = {"raw": raw.decode("utf-8", "replace")}
        path = self.path.split("?")[0]
        if path.endswith("/v1/messages/count_tokens"):
            self.send(200, {"input_tokens": 1000})
        elif path.endswith("/v1/messages"):
            self._message(body)
        else:
            self._other(body)

    def _message(self, body: dict):
        turn = self.server.script.answer(body)
        if isinstance(turn, dict) and "status" in turn:
            error = {"type": turn["error"], "message": turn.get("message", "scripted failure")}
            self.send(turn["status"], {"type": "error", "error": error})
            return
        events = stream_of(self.server.script, body.get("model", "unknown"), turn, self.server.usage)
        if not body.get("stream"):
            self.send(200, whole(events))
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        for event in events:
            self.wfile.write(f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode())
            self.wfile.flush()
        self.close_connection = True

    def _other(self, body):
        path = self.path.split("?")[0]
        reply, number = self.server.route(path)
        self.server.script.note(
            kind="http", method=self.command, path=path, number=number, headers=dict(self.headers), body=body
        )
        if reply is None:
            self.send(404, {"type": "error", "error": {"type": "not_found_error", "message": "no such path"}})
            return
        time.sleep(reply.get("delay", 0))
        data = reply["text"].encode() if "text" in reply else json.dumps(reply.get("json", {})).encode()
        self.send(reply.get("status", 200), data, reply.get("headers", {}))

    def send(self, status: int, value, headers=None):
        data = value if isinstance(value, bytes) else json.dumps(value).encode()
        self.send_response(status)
        for name, words in {"Content-Type": "application/json", **(headers or {})}.items():
            self.send_header(name, words)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


class ScriptedApi(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, script: Script, usage: dict | None = None, port: int = PORT):
        super().__init__(("127.0.0.1", port), Handler)
        self.script, self.usage = script, {**USAGE, **(usage or {})}
        self.called: dict[str, int] = {}

    def route(self, path: str):
        """The reply that this call of the path gets (None: no such path), and the call's number."""
        with self.script.lock:
            number = self.called.get(path, 0)
            self.called[path] = number + 1
        routes = self.script.read_routes()
        return (nth(routes[path], number) if path in routes else None), number

    def handle_error(self, request, client_address):
        """A client that hangs up early (a hook's timeout, the end of a run) is no error."""

    def start(self) -> "ScriptedApi":
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self
