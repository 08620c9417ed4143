"""Serve the page on loopback to whoever has the token: assets, answers as JSON, one stream of live events.

browser → [PageServer] → access (host, token) → assets | api | live | what_if
The standard library's threading server: one thread per connection, none of them outlives the process.
"""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from queue import Empty
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit

from hookwright.errors import UserError
from hookwright.page.access import HEADERS, LOOPBACK, Access
from hookwright.page.api import Api, NotFound, shape_live_record
from hookwright.page.ledger_reader import LedgerUpdater, describe_error, prepare_ledger
from hookwright.page.live import LiveFeed
from hookwright.page.run_hookwright import RunningCommands
from hookwright.page.what_if import replay_proposal
from hookwright.store.database import FILE

if TYPE_CHECKING:
    from collections.abc import Callable

ASSETS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "assets")
FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "style.css": ("style.css", "text/css; charset=utf-8"),
    "app.js": ("app.js", "text/javascript; charset=utf-8"),
    "dom.js": ("dom.js", "text/javascript; charset=utf-8"),
    "charts.js": ("charts.js", "text/javascript; charset=utf-8"),
    "timeline.js": ("timeline.js", "text/javascript; charset=utf-8"),
    "views.js": ("views.js", "text/javascript; charset=utf-8"),
    "icon.svg": ("icon.svg", "image/svg+xml"),
}
DEFAULT_PORT = 4665  # H-O-O-K on a telephone
PORTS_TRIED = 20
IDLE_S = 75.0  # a connection without a request is closed then
KEEP_ALIVE_S = 15.0
MAX_BODY = 64 << 10


class PageServer(ThreadingHTTPServer):
    """The server of one ledger; `serve_forever` until `close`."""

    daemon_threads = True
    block_on_close = False
    allow_reuse_address = os.name == "posix"  # a port in TIME_WAIT is free; one that is served is refused all the same

    def __init__(
        self, state: str, port: int, public_url: str = "", on_login: Callable[[], object] = lambda: None
    ) -> None:
        prepare_ledger(state)
        super().__init__((LOOPBACK, port), _Handler)
        self.state = state
        self.on_login = on_login
        self.access = Access(self.server_address[1], public_url)
        self.running = RunningCommands()
        self.updater = LedgerUpdater(state, self.running, lambda: self.live.announce("ledger"))
        self.live = LiveFeed(state, shape_live_record, self.updater.wake)
        self.api = Api(state, self.updater, self.running)
        self.replaying = threading.Lock()
        self.live.start()
        self.updater.start()

    def close(self) -> None:
        """End the streams and the processes that the page has started, then the socket."""
        self.live.close()
        self.updater.close()
        self.running.close()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that goes away is no error of ours; anything else was answered with 500."""


def start_server(state: str, port: int | None, public_url: str = "", **more: Any) -> PageServer:
    """Start on this port, or on the first free one from DEFAULT_PORT. UserError if it is taken."""
    tried = [port] if port is not None else [*range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED), 0]
    for number in tried:
        try:
            return PageServer(state, number, public_url, **more)
        except OSError as error:
            if number != tried[-1]:
                continue
            what = f"port {number} cannot be used: {(error.strerror or str(error)).lower()}"
            raise UserError(what, fix="hookwright open --port 0    (any free port)") from None
    raise AssertionError  # the list is never empty


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "hookwright"
    sys_version = ""
    timeout = IDLE_S
    server: PageServer

    def do_GET(self) -> None:
        self._respond(self._get)

    def do_HEAD(self) -> None:
        self._respond(self._get)

    def do_POST(self) -> None:
        self._respond(self._post)

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the address holds the token."""

    def _respond(self, answer: Callable[[], None]) -> None:
        try:
            if self._let_in():
                answer()
        except NotFound as error:
            self._send_error(HTTPStatus.NOT_FOUND, error)
        except UserError as error:
            self._send_error(HTTPStatus.BAD_REQUEST, error)
        except sqlite3.Error as error:
            where = f"{self.server.state}/{FILE}"
            self._send_error(HTTPStatus.SERVICE_UNAVAILABLE, describe_error(error, where))
        except (ConnectionError, TimeoutError):  # the browser went away
            self.close_connection = True
        except Exception as error:  # noqa: BLE001  the page says so, and goes on
            self._send_error(HTTPStatus.INTERNAL_SERVER_ERROR, UserError(f"internal error: {error!r}"))

    def _let_in(self) -> bool:
        """Answer strangers: another host, no token."""
        access = self.server.access
        if not access.is_our_host(self.headers.get("Host")):
            what = "this host name is not ours"
            fix = "open the address that `hookwright open` printed; for a tunnel: hookwright open --public-url URL"
            self._send_error(HTTPStatus.MISDIRECTED_REQUEST, UserError(what, fix=fix))
            return False
        parts = urlsplit(self.path)
        given = dict(parse_qsl(parts.query)).get("token")
        if given is not None and self.command == "GET" and parts.path == "/" and access.is_token(given):
            self.server.on_login()
            self._send(HTTPStatus.SEE_OTHER, b"", {"Location": "./", "Set-Cookie": access.format_cookie()})
            return False
        if given is None and access.has_cookie(self.headers.get("Cookie")):
            return True
        what = "this page needs its token"
        fix = "open the address that `hookwright open` printed"
        self._send_error(HTTPStatus.UNAUTHORIZED, UserError(what, fix=fix))
        return False

    def _get(self) -> None:
        parts = urlsplit(self.path)
        path = parts.path.removeprefix("/")
        if path in FILES:
            name, kind = FILES[path]
            with open(os.path.join(ASSETS, name), "rb") as file:
                self._send(HTTPStatus.OK, file.read(), {"Content-Type": kind})
        elif path == "api/live":
            self._stream()
        elif path.startswith("api/"):
            values = dict(parse_qsl(parts.query, keep_blank_values=True, errors="replace"))
            self._send_json(HTTPStatus.OK, self.server.api.answer_question(path.removeprefix("api/"), values))
        else:
            raise NotFound("there is no such page")

    def _post(self) -> None:
        length = self.headers.get("Content-Length") or ""
        if not length.isdecimal() or int(length) > MAX_BODY:
            self.close_connection = True
            raise UserError("the request is too long")
        body = self.rfile.read(int(length))
        if urlsplit(self.path).path != "/api/what-if":
            raise NotFound("there is no such page")
        site, origin = self.headers.get("Sec-Fetch-Site"), self.headers.get("Origin")
        is_json = self.headers.get_content_type() == "application/json"
        if not self.server.access.is_our_page(site, origin) or not is_json:
            raise UserError("this request is not from our page")
        try:
            asked = json.loads(body)
        except ValueError:
            raise UserError("the request is not JSON") from None
        if not isinstance(asked, dict):
            raise UserError("the request is not an object")
        if not self.server.replaying.acquire(blocking=False):
            raise UserError("a replay is running; wait for it")
        try:
            found = replay_proposal(self.server.running, asked)
        finally:
            self.server.replaying.release()
        self._send_json(HTTPStatus.OK, found)

    def _stream(self) -> None:
        """Server-sent events until the browser goes away or the server ends."""
        self.close_connection = True
        self.send_response(HTTPStatus.OK)
        for name, value in {**HEADERS, "Content-Type": "text/event-stream", "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        live = self.server.live
        queue = live.subscribe(self.headers.get("Last-Event-ID") or "")
        try:
            self.wfile.write(b"retry: 1000\n: open\n\n")
            while True:
                try:
                    message = queue.get(timeout=KEEP_ALIVE_S)
                except Empty:
                    self.wfile.write(b": waiting\n\n")
                    continue
                if message is None:
                    return
                kind, record_id, data = message
                head = f"id: {_one_line(record_id)}\n" if record_id else ""
                self.wfile.write(f"{head}event: {kind}\ndata: {json.dumps(data)}\n\n".encode())
        finally:
            live.unsubscribe(queue)

    def _send_json(self, status: HTTPStatus, value: Any) -> None:
        self._send(status, json.dumps(value).encode(), {"Content-Type": "application/json"})

    def _send_error(self, status: HTTPStatus, error: UserError) -> None:
        if status in (HTTPStatus.MISDIRECTED_REQUEST, HTTPStatus.UNAUTHORIZED):
            self.close_connection = True  # a body that was not read would be taken for the next request
        if urlsplit(self.path).path.startswith("/api/"):
            self._send_json(status, {"error": error.what, "where": error.where, "fix": error.fix})
        else:
            text = f"hookwright: {error}\n"
            self._send(status, text.encode("utf-8", "replace"), {"Content-Type": "text/plain; charset=utf-8"})

    def _send(self, status: HTTPStatus, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**HEADERS, **headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)


def _one_line(text: str) -> str:
    """An id as one line: a record of a damaged journal may hold anything."""
    return "".join(c for c in text if c.isprintable())
