"""hookwright open: one line with the address, served until interrupted, and an end without a trace."""

import http.client
import json
import os
import signal
import socket
import stat
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from hookwright.page.browser import BrowserLink

pytestmark = pytest.mark.slow


@pytest.fixture
def start(tmp_path):
    """Start the command in a home of its own; returns the process."""
    started = []

    def run(*words, **env):
        process = subprocess.Popen(
            [sys.executable, "-m", "hookwright", "open", *words],
            env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin", "PYTHONPATH": os.pathsep.join(sys.path), **env},
            cwd=tmp_path, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        started.append(process)
        return process

    yield run
    for process in started:
        process.kill()
        process.communicate()


def get(url, **headers):
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=300)
    connection.request("GET", f"{parts.path}?{parts.query}", headers=headers)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_one_line_then_the_page_until_it_is_interrupted(start, number):
    process = start("--json", "--no-browser", "--port", "0")
    line = json.loads(process.stdout.readline())
    assert sorted(line) == ["pid", "url"]
    assert line["pid"] == process.pid
    answer = get(line["url"])
    assert answer.status == 303
    cookie = answer.getheader("Set-Cookie").partition(";")[0]
    assert get(line["url"].partition("?")[0], Cookie=cookie).status == 200
    assert get(line["url"].partition("?")[0]).status == 401
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, "", "")


def test_a_person_is_told_where_and_how_it_ends(start):
    process = start("--no-browser", "--port", "0")
    assert process.stdout.readline().startswith("http://127.0.0.1:")
    assert "Ctrl-C" in process.stdout.readline()


def test_over_ssh_the_tunnel_is_named(start):
    process = start("--no-browser", "--port", "0", SSH_CONNECTION="1.2.3.4 1 5.6.7.8 22")
    lines = [process.stdout.readline() for _ in range(3)]
    port = urlsplit(lines[0].strip()).port
    assert f"ssh -L {port}:127.0.0.1:{port}" in lines[2]


def test_a_port_that_is_taken(start):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = start("--no-browser", "--port", str(taken.getsockname()[1]))
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (1, "")
    assert "cannot be used: address already in use" in err
    assert "hookwright open --port 0" in err


def test_a_damaged_ledger_is_a_sentence_and_stays(start, tmp_path):
    state = tmp_path / ".local/state/hookwright"
    state.mkdir(parents=True, mode=0o700)
    (state / "ledger.db").write_bytes(b"no database" * 500)
    process = start("--no-browser", "--port", "0")
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (1, "")
    assert "the ledger is damaged" in err
    assert (state / "ledger.db").read_bytes() == b"no database" * 500


def test_without_a_display_no_browser_is_tried_and_the_page_is_served(start):
    process = start("--port", "0", "--json")
    assert get(json.loads(process.stdout.readline())["url"]).status == 303
    assert "there is no display here" in process.stderr.readline()


def test_the_browser_gets_a_private_file_and_not_the_token(start, tmp_path, wait_for):
    seen = tmp_path / "browser.seen"
    browser = tmp_path / "browser"
    script = 'exec > "$0.new"; stat -c %a "${1#file://}"; cat "${1#file://}"; echo; echo "$@"; mv "$0.new" "$0.seen"'
    browser.write_text(f"#!/bin/sh\n{script}\n")
    browser.chmod(0o755)
    process = start("--port", "0", "--json", BROWSER=str(browser))
    url = json.loads(process.stdout.readline())["url"]
    wait_for(seen.exists)
    mode, page, argument = seen.read_text().splitlines()
    assert mode == "600"
    assert url in page
    assert "token" not in argument
    link = Path(argument.removeprefix("file://"))
    assert stat.S_IMODE(link.parent.stat().st_mode) == 0o700
    assert get(url).status == 303
    assert not link.exists(), "the file is gone once the page was opened"


def test_a_browser_that_cannot_be_started_is_named(start):
    process = start("--port", "0", "--json", BROWSER="/nonexistent/browser")
    assert get(json.loads(process.stdout.readline())["url"]).status == 303
    assert "No browser was opened" in process.stderr.readline()


@pytest.mark.parametrize(
    ("words", "code"),
    [(["--port", "70000"], 2), (["--port", "x"], 2), (["--public-url", "example"], 1), (["more"], 2)],
)
def test_wrong_words_are_refused(start, words, code):
    process = start("--no-browser", *words)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (code, "")
    assert err


def test_behind_a_tunnel_its_address_is_printed_and_answered(start):
    process = start("--json", "--no-browser", "--port", "0", "--public-url", "https://me.example")
    url = json.loads(process.stdout.readline())["url"]
    assert url.startswith("https://me.example/?token=")


def test_a_link_that_cannot_be_written_is_told(tmp_path, monkeypatch):
    monkeypatch.setenv("DISPLAY", ":0")
    (tmp_path / "page").write_text("a file is in the way")
    link = BrowserLink(str(tmp_path))
    assert not link.open("http://127.0.0.1:1/?token=x")
    assert "cannot be written" in link.problem
