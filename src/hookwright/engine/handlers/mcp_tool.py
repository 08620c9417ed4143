"""An mcp_tool handler: a tool of an MCP server is called, and its text is what the hook says.

handler, payload → [run] → server process (MCP SDK, stdio) → Raw.stdout
A server is started once for an engine and ends with it, with everything that it started itself.
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
import tempfile
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from hookwright.engine import environment
from hookwright.engine.handlers.extra import missing
from hookwright.engine.types import Around, Handler, Payload, Raw

if TYPE_CHECKING:
    from mcp import ClientSession

PLACEHOLDER = re.compile(r"\$\{([\w-]+(?:\.[\w-]+)*)\}")
# The shell leaves its number behind, then becomes the server: so the whole group can be ended, children included.
STARTER = 'echo $$ >"$0"; exec "$@"'
CONNECT_S = 30.0  # as the client waits, unless the variable says otherwise
PATIENCE_VARIABLE = "MCP_TIMEOUT"  # milliseconds
CLOSED = -32000  # the SDK's code for a server that went away


class NotConnected(Exception):
    """Why there is no such server."""


async def run(handler: Handler, payload: Payload, around: Around) -> Raw:
    """Call the tool; every ending is a Raw."""
    try:
        from mcp import MCPError  # noqa: PLC0415
    except ImportError as error:
        return missing(error, "mcp")
    server, tool = str(handler.options["server"]), str(handler.options["tool"])
    try:
        connection = await _connected(server, payload, around)
    except NotConnected as why:
        return Raw(problem=f"MCP server '{server}' not connected: {why}")
    began = time.monotonic()

    def ended(**facts: Any) -> Raw:
        return Raw(ms=round((time.monotonic() - began) * 1000, 1), **facts)

    try:
        async with asyncio.timeout(around.timeout_s):
            result = await connection.call(tool, filled(handler.options.get("input") or {}, payload))
    except TimeoutError:
        return ended(timed_out=True)
    except (MCPError, RuntimeError, ValueError, OSError) as error:
        return ended(problem=f"{tool} of MCP server '{server}': {error}")
    return ended(stdout=text_of(result).encode("utf-8", "replace"), is_error=bool(result.is_error))


def filled(value: Any, payload: Payload) -> Any:
    """`${tool_input.x}` wherever a text stands: texts as they are, other values as JSON, what is not there empty."""
    if isinstance(value, str):
        return PLACEHOLDER.sub(lambda found: _told(_at(payload, found[1].split("."))), value)
    if isinstance(value, list):
        return [filled(inner, payload) for inner in value]
    return {key: filled(inner, payload) for key, inner in value.items()} if isinstance(value, dict) else value


def _at(value: Any, path: list[str]) -> Any:
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def _told(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def text_of(result: Any) -> str:
    """A line a block; what is no text is named. Structured content is not looked at, as in the client."""
    return "\n".join(block.text if block.type == "text" else f"[{block.type}]" for block in result.content)


# --- the server
async def _connected(name: str, payload: Payload, around: Around) -> _Connection:
    """The one that is there, or a new one. A session has it before any hook runs, so this is not the handler's time."""
    key = f"mcp:{name}"
    connection = around.kept.get(key)
    if not isinstance(connection, _Connection) or not connection.lives():
        connection = around.kept[key] = _Connection(_start_of(name, payload, around), around)
    wait_ms = around.env.get(PATIENCE_VARIABLE, "")
    wait_s = int(wait_ms) / 1000 if wait_ms.isdigit() else CONNECT_S
    try:
        async with asyncio.timeout(wait_s):
            await asyncio.shield(connection.ready)
    except TimeoutError:
        await connection.aclose()
        raise NotConnected(f"it did not answer within {wait_s:g} s ({PATIENCE_VARIABLE})") from None
    return connection


def _start_of(name: str, payload: Payload, around: Around) -> tuple[list[str], dict[str, str]]:
    """The command line and the environment of a server."""
    known = around.mcp_servers
    server = known.get(name)
    if server is None:
        there = f"there are {', '.join(sorted(known))}" if known else "no server is configured here"
        raise NotConnected(f"no MCP configuration names it; {there}")
    command = server.get("command")
    if not isinstance(command, str):
        raise NotConnected(f"it speaks {server.get('type', 'something else')}; only programs (stdio) are started here")
    # The marks of a hook, by which the engine finds what left the server's group as well.
    marks = environment.variables(
        str(payload["hook_event_name"]),
        base=around.env,
        project=around.project,
        session_id=str(payload.get("session_id", "")),
        scratch=around.scratch,
    )
    env = {**marks, **{name: str(value) for name, value in (server.get("env") or {}).items()}}
    if shutil.which(os.path.expanduser(command), path=env.get("PATH", os.defpath)) is None:
        raise NotConnected(f"there is no program {command}")
    return [command, *map(str, server.get("args") or ())], env


class _Connection:
    """A server process and the talk with it. One task owns both, from the start to the end."""

    def __init__(self, start: tuple[list[str], dict[str, str]], around: Around) -> None:
        self.argv, self.env = start
        self.project = around.project
        self.loop = asyncio.get_running_loop()
        self.ready: asyncio.Future[ClientSession] = self.loop.create_future()
        self.over = asyncio.Event()
        self.task = asyncio.create_task(self._live())

    def lives(self) -> bool:
        return not self.over.is_set() and self._is_here()

    def _is_here(self) -> bool:
        """Its task goes on, in this loop: what an earlier loop had, that loop has ended."""
        return self.loop is asyncio.get_running_loop() and not self.task.done()

    async def call(self, tool: str, arguments: dict[str, Any]) -> Any:
        from mcp import MCPError  # noqa: PLC0415

        try:
            return await self.ready.result().call_tool(tool, arguments)
        except MCPError as error:
            if error.code == CLOSED:
                self.over.set()  # the next call starts it anew
            raise

    async def aclose(self) -> None:
        self.over.set()
        if not self._is_here():
            return
        if not self.ready.done():
            self.task.cancel()  # it may wait for a greeting that never comes
        await asyncio.wait([self.task])

    async def _live(self) -> None:
        # Whoever configures logging hears the SDK; nobody else's stderr is written to.
        logging.getLogger("mcp").addHandler(logging.NullHandler())
        with tempfile.TemporaryDirectory(prefix="hookwright-mcp-") as folder:
            number, log = os.path.join(folder, "pid"), os.path.join(folder, "stderr")
            try:
                await self._talk(number, log)
            except Exception as error:  # noqa: BLE001  whatever it is, whoever waits must hear of it
                self._fail(_last_line(log) or _innermost(error))
            finally:
                self._fail("it was ended")
                _end_group(number)

    async def _talk(self, number: str, log: str) -> None:
        from mcp import ClientSession, StdioServerParameters, stdio_client  # noqa: PLC0415

        program = StdioServerParameters(
            command="/bin/sh", args=["-c", STARTER, number, *self.argv], env=self.env, cwd=self.project
        )
        with open(log, "w", encoding="utf-8") as stderr:  # noqa: ASYNC230  a new file in a new folder
            async with stdio_client(program, errlog=stderr) as streams, ClientSession(*streams) as session:
                await session.initialize()
                self.ready.set_result(session)
                await self.over.wait()

    def _fail(self, why: str) -> None:
        if not self.ready.done():
            self.ready.set_exception(NotConnected(why))
            self.ready.exception()  # seen: nobody may be waiting any more


def _innermost(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return str(error) or type(error).__name__


def _last_line(log: str) -> str:
    """What the server said when it died."""
    with contextlib.suppress(OSError), open(log, encoding="utf-8", errors="replace") as file:
        lines = file.read()[-2000:].strip().splitlines()
        return lines[-1] if lines else ""
    return ""


def _end_group(number: str) -> None:
    with contextlib.suppress(OSError, ValueError), open(number, encoding="ascii") as file:
        os.killpg(int(file.read()), signal.SIGKILL)
