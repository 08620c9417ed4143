"""Run an mcp_tool handler: call a tool of an MCP server; its text is the hook's output.

handler, payload → [run] → server (MCP SDK: a process over stdio, or an address over http or SSE) → RawResult.stdout
A server is started once per engine and ends with it, including everything that it started.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import re
import shutil
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from hookwright.engine import environment
from hookwright.engine.handlers.missing_extra import report_missing
from hookwright.engine.types import Handler, Payload, RawResult, RunContext
from hookwright.proc.kill_group import signal_group
from hookwright.proc.scratch_dir import ScratchDir

if TYPE_CHECKING:
    from mcp import ClientSession

PLACEHOLDER = re.compile(r"\$\{([\w-]+(?:\.[\w-]+)*)\}")
# The shell writes its pid to a file, then execs the server: so the whole process group can be killed.
STARTER = 'echo $$ >"$0"; exec "$@"'
CONNECT_TIMEOUT_S = 30.0  # the client's default
TIMEOUT_VARIABLE = "MCP_TIMEOUT"  # milliseconds
HTTP_TYPES = ("http", "streamable-http", "sse")
CONNECTION_CLOSED = -32000  # the SDK's error code


class NotConnected(Exception):
    """The server could not be started or reached; the message says why."""


async def run(handler: Handler, payload: Payload, context: RunContext) -> RawResult:
    """Call the tool; errors are results, too."""
    try:
        from mcp import MCPError  # noqa: PLC0415
    except ImportError as error:
        return report_missing(error, "mcp")
    server, tool = str(handler.options["server"]), str(handler.options["tool"])
    try:
        connection = await _connect_server(server, payload, context)
    except NotConnected as why:
        return RawResult(problem=f"MCP server '{server}' not connected: {why}")
    began = time.monotonic()

    def build_result(**facts: Any) -> RawResult:
        return RawResult(ms=round((time.monotonic() - began) * 1000, 1), **facts)

    try:
        async with asyncio.timeout(context.timeout_s):
            result = await connection.invoke_tool(tool, fill_placeholders(handler.options.get("input") or {}, payload))
    except TimeoutError:
        return build_result(timed_out=True)
    except (MCPError, RuntimeError, ValueError, OSError) as error:
        return build_result(problem=f"{tool} of MCP server '{server}': {error}")
    return build_result(stdout=text_of(result).encode("utf-8", "replace"), is_error=bool(result.is_error))


def fill_placeholders(value: Any, payload: Payload) -> Any:
    """Expand `${tool_input.x}` in all strings: strings as they are, other values as JSON, missing ones empty."""
    if isinstance(value, str):
        return PLACEHOLDER.sub(lambda found: _format_value(_look_up(payload, found[1].split("."))), value)
    if isinstance(value, list):
        return [fill_placeholders(inner, payload) for inner in value]
    return (
        {key: fill_placeholders(inner, payload) for key, inner in value.items()} if isinstance(value, dict) else value
    )


def _look_up(value: Any, path: list[str]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _format_value(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def text_of(result: Any) -> str:
    """One line per block; other blocks than text are named. Structured content is ignored, as in the client."""
    return "\n".join(block.text if block.type == "text" else f"[{block.type}]" for block in result.content)


# --- server
async def _connect_server(name: str, payload: Payload, context: RunContext) -> _Connection:
    """Reuse the connection or start the server. Connecting is not part of the handler's timeout, as in the client."""
    key = f"mcp:{name}"
    connection = context.connections.get(key)
    if not isinstance(connection, _Connection) or not connection.is_alive():
        connection = context.connections[key] = _Connection(_describe_server(name, payload, context), context)
    wait_ms = context.env.get(TIMEOUT_VARIABLE, "")
    wait_s = int(wait_ms) / 1000 if wait_ms.isdigit() else CONNECT_TIMEOUT_S
    try:
        async with asyncio.timeout(wait_s):
            await asyncio.shield(connection.ready)
    except TimeoutError:
        await connection.aclose()
        raise NotConnected(f"it did not answer within {wait_s:g} s ({TIMEOUT_VARIABLE})") from None
    return connection


@dataclass(frozen=True)
class _Server:
    """How a server is reached: a program with its environment, or an address with headers."""

    argv: Sequence[str] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    is_sse: bool = False


def _describe_server(name: str, payload: Payload, context: RunContext) -> _Server:
    known = context.mcp_servers
    server = known.get(name)
    if server is None:
        there = f"there are {', '.join(sorted(known))}" if known else "no server is configured here"
        raise NotConnected(f"no MCP configuration names it; {there}")
    kind, url = server.get("type"), server.get("url")
    if kind in HTTP_TYPES and isinstance(url, str):
        headers = server.get("headers")
        texts = {key: str(value) for key, value in headers.items()} if isinstance(headers, dict) else {}
        return _Server(url=url, headers=texts, is_sse=kind == "sse")
    command = server.get("command")
    if not isinstance(command, str):
        raise NotConnected(f"its transport is {kind or 'unknown'}; programs (stdio), http and sse are supported here")
    # The environment of a hook, by which the engine also finds children that left the process group.
    marks = environment.build_environment(
        str(payload["hook_event_name"]),
        base=context.env,
        project=context.project,
        session_id=str(payload.get("session_id", "")),
        scratch=context.scratch,
    )
    env = {**marks, **{name: str(value) for name, value in (server.get("env") or {}).items()}}
    if shutil.which(os.path.expanduser(command), path=env.get("PATH", os.defpath)) is None:
        raise NotConnected(f"there is no program {command}")
    return _Server([command, *map(str, server.get("args") or ())], env)


class _Connection:
    """A server process and the MCP session with it. One task owns both from start to end."""

    def __init__(self, server: _Server, context: RunContext) -> None:
        self.server = server
        self.project = context.project
        self.loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[ClientSession] = self.loop.create_future()
        self.over = asyncio.Event()
        self.task = asyncio.create_task(self._run_server())

    def is_alive(self) -> bool:
        return not self.over.is_set() and self._is_running()

    def _is_running(self) -> bool:
        """Its task is running in this event loop; an earlier loop has ended its tasks."""
        return self.loop is asyncio.get_running_loop() and not self.task.done()

    async def invoke_tool(self, tool: str, arguments: dict[str, Any]) -> Any:
        from mcp import MCPError  # noqa: PLC0415

        try:
            return await self.ready.result().call_tool(tool, arguments)
        except MCPError as error:
            if error.code == CONNECTION_CLOSED:
                self.over.set()  # the next call starts it again
            raise

    async def aclose(self) -> None:
        self.over.set()
        if not self._is_running():
            return
        if not self.ready.done():
            self.task.cancel()  # it may be waiting for a handshake that never comes
        await asyncio.wait([self.task])

    async def _run_server(self) -> None:
        # Without a handler the SDK would log to stderr; a configured logger still gets everything.
        logging.getLogger("mcp").addHandler(logging.NullHandler())
        with ScratchDir("mcp") as folder:
            pid_file, log = os.path.join(folder, "pid"), os.path.join(folder, "stderr")
            try:
                await self._serve_session(pid_file, log)
            except Exception as error:  # noqa: BLE001  the waiting caller must get every error
                self._fail_ready(_last_line(log) or _innermost_message(error))
            finally:
                self._fail_ready("it was stopped")
                _kill_group(pid_file)

    async def _serve_session(self, pid_file: str, log: str) -> None:
        from mcp import ClientSession, StdioServerParameters, stdio_client  # noqa: PLC0415

        async with contextlib.AsyncExitStack() as opened:
            if self.server.url:
                streams = await _open_address(self.server, opened)
            else:
                argv = ["-c", STARTER, pid_file, *self.server.argv]
                program = StdioServerParameters(
                    command="/bin/sh", args=argv, env=dict(self.server.env), cwd=self.project
                )
                stderr = opened.enter_context(open(log, "w", encoding="utf-8"))  # noqa: ASYNC230, SIM115  a new file, closed with the rest
                streams = await opened.enter_async_context(stdio_client(program, errlog=stderr))
            session = await opened.enter_async_context(ClientSession(*streams))
            await session.initialize()
            self.ready.set_result(session)
            await self.over.wait()

    def _fail_ready(self, why: str) -> None:
        if not self.ready.done():
            self.ready.set_exception(NotConnected(why))
            self.ready.exception()  # mark as retrieved: the caller may be gone


async def _open_address(server: _Server, opened: contextlib.AsyncExitStack) -> Any:
    """The streams to a server that is reached by its address."""
    headers = dict(server.headers)
    if server.is_sse:
        from mcp.client.sse import sse_client  # noqa: PLC0415

        return await opened.enter_async_context(sse_client(server.url, headers=headers))
    from mcp.client import streamable_http as transport  # noqa: PLC0415

    http = await opened.enter_async_context(transport.create_mcp_http_client(headers=headers))  # type: ignore[attr-defined]
    return await opened.enter_async_context(transport.streamable_http_client(server.url, http_client=http))


def _innermost_message(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


def _last_line(log: str) -> str:
    """The last line that the server wrote to stderr."""
    with contextlib.suppress(OSError), open(log, encoding="utf-8", errors="replace") as file:
        lines = file.read()[-2000:].strip().splitlines()
        return lines[-1] if lines else ""
    return ""


def _kill_group(pid_file: str) -> None:
    with contextlib.suppress(OSError, ValueError), open(pid_file, encoding="ascii") as file:
        signal_group(int(file.read()), signal.SIGKILL)
