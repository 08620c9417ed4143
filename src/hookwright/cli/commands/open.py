"""hookwright open: a local page of what happened and why, live, until it is interrupted."""

from __future__ import annotations

import os
import signal
import sys
import threading
from typing import Any

import click

from hookwright.cli.ledger_context import require_state_dir
from hookwright.cli.output import bold, dim, print_json, print_line
from hookwright.page.browser import BrowserLink
from hookwright.page.server import DEFAULT_PORT, PageServer, start_server


@click.command("open", epilog="Example:  hookwright open --port 4700 --no-browser")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help=f"The port on 127.0.0.1; 0 is any free one. [default: {DEFAULT_PORT}, or the next free one]",
)
@click.option("--no-browser", is_flag=True, help="Only print the address.")
@click.option(
    "--public-url",
    default="",
    metavar="URL",
    help="The address under which a tunnel shows the page (ssh -L to another port, Codespaces).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON line with the address, then serve.")
def command(*, port: int | None, no_browser: bool, public_url: str, as_json: bool) -> int:
    """Show a page of what happened and why: sessions, decisions, background work, questions, times, hooks.

    The page is served to this machine only, to a browser that has the address printed here. It shows and never changes
    anything; each row names the command that would. Ctrl-C ends it.
    """
    state = require_state_dir()
    link = BrowserLink(state)
    server = start_server(state, port, public_url, on_login=link.remove)
    try:
        ended = _end_on_signals()
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.2}, name="server", daemon=True).start()
        _say_where(server, as_json=as_json)
        if not no_browser:  # in a thread: some browsers are only back when they are closed
            threading.Thread(target=_open_browser, args=(link, server.access.url), name="browser", daemon=True).start()
        ended.wait()
        server.shutdown()
    finally:
        link.remove()
        server.close()
    return 0


def _say_where(server: PageServer, *, as_json: bool) -> None:
    address = server.access.url
    if as_json:
        print_json({"url": address, "pid": os.getpid()}, one_line=True)
    else:
        print_line(bold(address), wrap=False)
        print_line(dim("for this machine and whoever has this address; Ctrl-C ends it"))
        if os.environ.get("SSH_CONNECTION") and not server.access.public_url:
            tunnel = f"ssh -L {server.access.port}:127.0.0.1:{server.access.port} HOST"
            print_line(dim(f"from your own machine: {tunnel}, then open the address there"), wrap=False)
    sys.stdout.flush()


def _open_browser(link: BrowserLink, address: str) -> None:
    if not link.open(address):
        print_line(f"No browser was opened: {link.problem}. Open the address yourself.", stderr=True)


def _end_on_signals() -> threading.Event:
    """Set by SIGINT, SIGTERM or SIGHUP; a second one does not disturb the end."""
    ended = threading.Event()

    def end(number: int, frame: Any) -> None:
        ended.set()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, end)
    return ended
