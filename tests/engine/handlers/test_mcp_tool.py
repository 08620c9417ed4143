"""A real MCP server process is started, called and stopped."""

import asyncio
import contextlib
import http.server
import json
import os
import sys
import threading
import time

import pytest

from hookwright.engine import Engine
from hookwright.engine.handlers import load_runner
from hookwright.engine.handlers.mcp_tool import fill_placeholders
from tests.client.kit import mcp_server
from tests.client.kit.lab import MCP_SERVER
from tests.engine.handlers.kit import BASH, around, handler, ran
from tests.proc.kit import run_with_time

pytestmark = pytest.mark.slow

SDK_SERVER = os.path.join(os.path.dirname(__file__), "tool_server.py")
GUARD = {"guard": {"command": sys.executable, "args": [SDK_SERVER], "env": {"OWN": "1"}}}


def place(tmp_path, servers=GUARD, **more):
    return around(tmp_path, env={"PATH": os.environ["PATH"], "OF_SESSION": "2"}, mcp_servers=servers, **more)


def call(tool, server="guard", **given):
    return handler("mcp_tool", server=server, tool=tool, input=given)


def alive(pid: int) -> bool:
    """Somebody else's dead child counts as dead."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/stat", encoding="ascii") as file:
        return file.read().rpartition(")")[2].split()[0] != "Z"
    return False


def gone(pid: int) -> bool:
    deadline = time.monotonic() + 60
    while alive(pid) and time.monotonic() < deadline:
        time.sleep(0.02)
    return not alive(pid)


def test_its_text_is_what_the_hook_says(tmp_path):
    raw = ran(
        call("check", command="${tool_input.command}"), place(tmp_path), {**BASH, "tool_input": {"command": "rm x"}}
    )
    assert json.loads(raw.stdout)["hookSpecificOutput"]["permissionDecisionReason"] == "no: rm x"
    assert (raw.problem, raw.is_error, raw.timed_out) == ("", False, False)


def test_the_hand_written_server_answers_as_well(tmp_path):
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "guard.json").write_text(json.dumps({"log": str(tmp_path), "name": "guard", "stdout": "hi", "exit": 1}))
    stub = {"command": sys.executable, "args": ["-I", "-S", MCP_SERVER, str(specs), "guard"]}
    raw = ran(call("guard", server="stub", text="x"), place(tmp_path, {"stub": stub}))
    assert (raw.stdout, raw.is_error) == (b"hi", True)


def test_it_runs_in_the_project_with_the_sessions_environment(tmp_path):
    told = json.loads(ran(call("around"), place(tmp_path)).stdout)
    pid = told.pop("pid")
    project = str(tmp_path)
    assert told == {"cwd": project, "CLAUDE_PROJECT_DIR": project, "OWN": "1", "OF_SESSION": "2"}
    assert gone(pid)


def test_one_server_serves_all_calls_of_an_engine_and_ends_with_it(tmp_path):
    where = place(tmp_path)

    async def play():
        runs = [load_runner("mcp_tool")(call("around"), BASH, where) for _ in range(3)]
        raws = [*await asyncio.gather(*runs), await load_runner("mcp_tool")(call("leave"), BASH, where)]
        await where.connections["mcp:guard"].aclose()
        return raws

    *arounds, left = asyncio.run(play())
    [pid] = {json.loads(raw.stdout)["pid"] for raw in arounds}
    assert gone(pid)
    assert gone(int(left.stdout))


def test_an_engine_finds_what_left_the_servers_group(tmp_path):
    entry = {"type": "mcp_tool", "server": "guard", "tool": "leave", "input": {"far": True}}
    settings = {"user": {"hooks": {"PreToolUse": [{"hooks": [entry]}]}}}
    env = {"PATH": os.environ["PATH"]}
    with Engine.from_settings(settings=settings, project=str(tmp_path), env=env, mcp_servers=GUARD) as engine:
        [trace] = engine.fire_now(BASH).handlers
        pid = int(trace.said)
        assert alive(pid)
    assert gone(pid)


def test_an_engine_that_is_not_closed_leaves_nothing_either(tmp_path):
    where = place(tmp_path)
    raw = asyncio.run(load_runner("mcp_tool")(call("around"), BASH, where))
    assert gone(json.loads(raw.stdout)["pid"])
    again = ran(call("around"), where)  # another loop: a new server
    assert again.problem == ""


def test_an_error_of_the_tool_is_told(tmp_path):
    raw = ran(call("fail"), place(tmp_path))
    assert raw.is_error
    assert b"fail" in raw.stdout


@pytest.mark.parametrize(
    ("servers", "why"),
    [
        ({}, "no MCP configuration names it; no server is configured here"),
        ({"other": {"command": "x"}}, "no MCP configuration names it; there are other"),
        (
            {"guard": {"type": "ws", "url": "ws://x/"}},
            "its transport is ws; programs (stdio), http and sse are supported here",
        ),
        ({"guard": {"command": "/no/such/program"}}, "there is no program /no/such/program"),
        (
            {"guard": {"command": sys.executable, "args": ["-c", "import sys; sys.exit('not today')"]}},
            "not today",
        ),
    ],
)
def test_a_server_that_is_not_there_is_told_why(tmp_path, servers, why):
    raw = ran(call("check"), place(tmp_path, servers))
    assert raw.problem == f"MCP server 'guard' not connected: {why}"


def test_a_server_that_dies_is_started_anew_for_the_next_call(tmp_path):
    where = place(tmp_path)

    async def play():
        died = await load_runner("mcp_tool")(call("die"), BASH, where)
        again = await load_runner("mcp_tool")(call("around"), BASH, where)
        await where.connections["mcp:guard"].aclose()
        return died, again

    died, again = asyncio.run(play())
    assert died.problem.startswith("die of MCP server 'guard': ")
    assert again.problem == ""


def test_a_server_that_never_greets_is_ended(tmp_path):
    mark = tmp_path / "pid"
    silent = f"import os, time; open({str(mark)!r}, 'w').write(str(os.getpid())); time.sleep(600)"

    def run_for(seconds):
        where = place(tmp_path, {"guard": {"command": sys.executable, "args": ["-S", "-c", silent]}})
        where.env["MCP_TIMEOUT"] = str(seconds * 1000)
        return ran(call("check"), where)

    raw = run_with_time(run_for, lambda _: mark.exists() and mark.read_text(), 2)
    assert raw.problem.startswith("MCP server 'guard' not connected: it did not answer within ")
    assert raw.problem.endswith(" s (MCP_TIMEOUT)")
    assert gone(int(mark.read_text()))


def test_the_time_of_a_handler_begins_when_its_server_is_there(tmp_path):
    slow = ran(call("sleep"), place(tmp_path, timeout_s=0.1))  # no server starts in a tenth of a second
    assert slow.timed_out
    assert slow.ms >= 100


# Measured on the client.
PAYLOAD = {**BASH, "tool_input": {"command": "ls", "timeout": 5000, "list": [1], "flag": True}}


@pytest.mark.parametrize(
    ("given", "sent"),
    [
        ("a ${tool_input.command} ${tool_input.none} $tool_input.command", "a ls  $tool_input.command"),
        ("${tool_input.timeout}", "5000"),
        ("${tool_input.flag}", "true"),
        ("${tool_input.list}", "[1]"),
        ("${tool_input.list.0}", ""),
        ("${hook_event_name} ${ session_id }", "PreToolUse ${ session_id }"),
        (
            {"${tool_input.command}": ["${tool_input.command}", 5, None, True]},
            {"${tool_input.command}": ["ls", 5, None, True]},
        ),
    ],
)
def test_texts_of_the_input_take_values_of_the_event(given, sent):
    assert fill_placeholders(given, PAYLOAD) == sent


class HttpServer(http.server.ThreadingHTTPServer):
    """The hand-written MCP server behind an address; `seen` are the headers of its requests."""

    daemon_threads = True

    def __init__(self, specs):
        self.specs, self.seen = specs, []
        super().__init__(("127.0.0.1", 0), HttpRequest)

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server_port}/mcp"


class HttpRequest(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append(dict(self.headers))
        if "id" not in request:
            self.send_response(202)
            self.end_headers()
            return
        result = mcp_server.answer(request, self.server.specs, ["guard"])
        body = json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": result}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        self.send_response(405)
        self.end_headers()

    do_DELETE = do_GET  # noqa: N815 - the name that http.server calls

    def log_message(self, *_):
        pass


def test_a_server_over_http_is_called_with_its_headers(tmp_path):
    specs = tmp_path / "specs"
    specs.mkdir()
    (specs / "guard.json").write_text(json.dumps({"log": str(tmp_path), "name": "guard", "stdout": "over http"}))
    with HttpServer(str(specs)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        known = {"far": {"type": "http", "url": server.url, "headers": {"X-Key": "secret"}}}
        raw = ran(call("guard", server="far", text="x"), place(tmp_path, known))
        server.shutdown()
    assert (raw.stdout, raw.problem) == (b"over http", "")
    assert server.seen[-1]["X-Key"] == "secret"


def test_an_address_where_nobody_answers_is_told(tmp_path):
    known = {"far": {"type": "http", "url": "http://127.0.0.1:9/mcp"}}
    raw = ran(call("guard", server="far"), place(tmp_path, known))
    assert raw.problem.startswith("MCP server 'far' not connected: ")
