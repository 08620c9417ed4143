"""The server: strangers are refused, answers are complete and bounded, and nothing is ever changed."""

import http.client
import json
import shutil
import subprocess
import threading
import time
from pathlib import Path

import pytest

from hookwright.errors import UserError
from hookwright.page import server as page_server
from hookwright.page.access import HEADERS
from hookwright.store import background_tasks

DENIED = {"hook": "command_guard", "verdict": "deny", "reason": "deletes all", "us": 90, "mode": "on"}


@pytest.fixture
def client(past, serve):
    """A short past: one command stopped, one moved, one run, one question answered."""
    call = past.pre("rm -rf /", said=[DENIED], answer="deny", guard={"rules": ["recursive-delete"], "instead": None})
    assert call
    past.moved("npm install", ends_after=40.0)
    past.ran("pytest -q", 12.0)
    past.ran("pytest -q", 14.0)
    question = {"question": "Which database?", "answer": "SQLite", "answered_by": "user", "header": "DB"}
    past.event("PostToolUse", tool="AskUserQuestion", tool_use_id="q1", questions=[question])
    past.store().close()
    return serve(past.state)


def everything(client):
    return client.ask("api/events?span=90d&from=1")["events"]


# --- strangers
def test_without_token_or_cookie_nothing_is_served(client):
    for path in ("", "app.js", "api/summary", "api/live", "api/nothing", "../../etc/passwd"):
        assert client.request(path, Cookie=None)[0] == 401, path
        assert client.request(path, Cookie=f"{client.server.access.cookie_name}=wrong")[0] == 401, path
    assert client.request("?token=wrong", Cookie=None)[0] == 401
    assert client.request("?token=", Cookie=None)[0] == 401
    assert client.request("?token=wrong")[0] == 401, "a wrong token is no visit of ours, cookie or not"
    assert client.request("api/what-if", method="POST", body=b"{}", Cookie=None)[0] == 401


def test_the_token_gives_a_cookie_and_leaves_the_address(client):
    status, body = client.request(f"?token={client.server.access.token}", Cookie=None)
    assert (status, body) == (303, b"")
    assert client.headers["Location"] == "./"
    cookie = client.headers["Set-Cookie"].partition(";")[0]
    assert client.request("", Cookie=cookie)[0] == 200


@pytest.mark.parametrize("host", ["evil.example", "evil.example:4665", "127.0.0.1", "127.0.0.1:1", ""])
def test_another_host_is_refused_whatever_it_brings(client, host):
    for path in ("", f"?token={client.server.access.token}", "api/summary"):
        assert client.request(path, Host=host)[0] == 421
    assert client.request("api/what-if", method="POST", body=b"{}", Host=host)[0] == 421


def test_a_request_without_a_host_is_refused(client):
    connection = http.client.HTTPConnection("127.0.0.1", client.server.access.port, timeout=60)
    connection.putrequest("GET", "/", skip_host=True)
    connection.putheader("Cookie", client.cookie)
    connection.endheaders()
    assert connection.getresponse().status == 421
    connection.close()


def test_the_server_listens_on_loopback_only(client):
    assert client.server.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("path", ["", "app.js", "style.css", "api/summary", "api/nothing", "nothing"])
def test_every_answer_forbids_other_hosts_frames_and_caches(client, path):
    client.request(path)
    assert HEADERS.items() <= client.headers.items()
    assert "default-src 'none'" in client.headers["Content-Security-Policy"]


def test_refusals_have_the_same_headers(client):
    client.request("", Cookie=None)
    assert HEADERS.items() <= client.headers.items()


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS"])
def test_other_methods_do_not_exist(client, method):
    assert client.request("api/summary", method=method)[0] in (405, 501)


@pytest.mark.parametrize("path", ["..%2f..%2fetc/passwd", "../server.py", "assets/app.js", "/etc/passwd", "style.css/"])
def test_only_the_pages_own_files_are_served(client, path):
    assert client.request(path)[0] == 404


# --- answers
def test_the_page_and_its_parts_are_there(client):
    for path, kind in (
        ("", "text/html"),
        ("app.js", "text/javascript"),
        ("style.css", "text/css"),
        ("icon.svg", "image/svg"),
    ):
        status, body = client.request(path)
        assert status == 200
        assert body
        assert client.headers["Content-Type"].startswith(kind)
        assert client.request(path, method="HEAD") == (200, b"")


def test_the_page_names_no_other_host():
    for name, _ in page_server.FILES.values():
        with open(f"{page_server.ASSETS}/{name}", encoding="utf-8") as file:
            text = file.read().replace("http://www.w3.org/2000/svg", "")
        assert "//" not in text.replace("// ", "").replace("\n//", ""), name
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "onclick="):
            assert word not in text, (name, word)


def test_figures_count_what_happened(client):
    found = client.ask("api/summary?span=90d")
    assert found["version"]
    assert found["problem"] == ""
    # The past of the test is older than every span: nothing happened lately, and the ledger still holds it.
    assert found["figures"] == {
        "events": 0,
        "seconds_saved": 0,
        **dict.fromkeys(("stopped", "asked", "moved", "answered", "approved", "noted"), 0),
    }
    assert found["ledger"]["events"] == 9


def test_events_are_newest_first_and_name_the_command_that_changes_them(client):
    rows = everything(client)
    assert [row["kind"] for row in rows if row["kind"]] == ["moved", "stopped"]
    times = [row["time"] for row in rows]
    assert times == sorted(times, reverse=True)
    stopped = next(row for row in rows if row["kind"] == "stopped")
    commands = [one["command"] for one in stopped["commands"]]
    assert commands[0] == f"cd /home/ann/shop && hookwright allow {stopped['id'][:16]}"
    assert "cd /home/ann/shop && hookwright allow recursive-delete" in commands
    assert "cd /home/ann/shop && hookwright off command_guard --here" in commands


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("kinds=stopped", ["rm -rf /"]),
        ("kinds=moved", ["npm install"]),
        ("kinds=stopped,moved", ["npm install", "rm -rf /"]),
        ("hook=command_guard", ["rm -rf /"]),
        ("text=DELETES", ["rm -rf /"]),
        ("text=recursive-delete", ["rm -rf /"]),
        ("text=nothing+like+this", []),
        ("kinds=asked", []),
        ("session=none", []),
        ("session=s1&kinds=moved", ["npm install"]),
        ("project=/home/ann/shop&kinds=moved", ["npm install"]),
        ("project=/home/ann", []),
    ],
)
def test_events_are_filtered(client, query, found):
    rows = client.ask(f"api/events?from=1&{query}")["events"]
    assert [row["command"] for row in rows] == found


@pytest.mark.parametrize("more", ["", "&session=s1", "&project=/home/ann/shop"])
def test_pages_follow_each_other_without_gap_or_double(past, serve, more):
    for number in range(150):
        past.pre(f"echo {number}", later=0.0)  # several in one millisecond
    client = serve(past.state)
    client.server.updater.update()
    seen, cursor = [], ""
    while True:
        found = client.ask(f"api/events?from=1&cursor={cursor}{more}")
        seen += [row["id"] for row in found["events"]]
        cursor = found["next"]
        if not cursor:
            break
    assert len(seen) == len(set(seen)) == 150


def test_why_shows_what_came_in_the_opinions_the_evidence_and_the_end(client):
    stopped = client.ask("api/events?from=1&kinds=stopped")["events"][0]
    found = client.ask(f"api/why?id={stopped['id']}")
    assert found["record"]["command"] == "rm -rf /"
    assert [(hook["hook"], hook["verdict"]) for hook in found["hooks"]] == [
        ("command_guard", "deny"),
        ("observer", "none"),
    ]
    assert found["evidence"]["guard"]["rules"] == ["recursive-delete"]
    assert found["afterwards"] == []
    moved = client.ask("api/events?from=1&kinds=moved")["events"][0]
    ends = client.ask(f"api/why?id={moved['id']}")["afterwards"]
    assert [row["outcome"] for row in ends] == ["background", "ok"]


def test_background_work_has_its_state_and_its_end(client):
    (task,) = client.ask("api/background")["tasks"]
    assert (task["command"], task["state"], task["outcome"], task["moved"]) == ("npm install", "ended", "ok", True)
    assert 39 < task["ended"] - task["started"] < 41


@pytest.fixture
def task(past, tmp_path):
    """A process that runs as the client starts a background command, launched four minutes ago, of usually one."""
    past.clock = time.time() - 241
    past.moved("make build", task="b7")
    launch = past.clock
    past.store().close()
    output = tmp_path / "s1/tasks/b7.output"
    output.parent.mkdir(parents=True)
    known = {"project": "/home/ann/shop", "command": "make build", "key": "make build", "endless": False}
    past_runs = (9, 60.0, 90.0, None, 0.5)
    assert background_tasks.add_start(past.state, "s1", "b7", launch, past=past_runs, serves=False, **known)
    with output.open("wb") as file:
        process = subprocess.Popen(["sleep", "600"], stdout=file, stderr=file, start_new_session=True)
    yield process
    process.kill()
    process.wait()


def test_a_running_command_has_its_expected_end_and_may_be_overdue(past, serve, task):
    client = serve(past.state)
    (row,) = client.ask("api/background")["tasks"]
    assert (row["state"], row["overdue"], row["command"], row["moved"]) == ("running", True, "make build", True)
    assert (row["expected"]["median_s"], row["expected"]["p90_s"]) == (60.0, 90.0)
    assert row["commands"][0]["command"] == "hookwright background end b7"
    task.kill()
    task.wait()
    (row,) = client.ask("api/background")["tasks"]
    assert (row["state"], row["overdue"]) == ("gone", False)


def test_a_launch_that_the_ledger_does_not_know_yet_is_shown(past, serve, task):
    Path(past.state, "ledger.db").unlink()
    shutil.rmtree(Path(past.state, "journal"))
    (row,) = serve(past.state).ask("api/background")["tasks"]
    assert (row["id"], row["state"], row["command"]) == (None, "running", "make build")


def test_learned_durations_are_distributions(client):
    found = client.ask("api/durations?project=/home/ann/shop")
    row = next(row for row in found["durations"] if row["key"].startswith("pytest"))
    assert row["runs"] == 2
    assert 5 < row["median_s"] < 30 < row["p90_s"]
    assert sorted(dot[1] for dot in row["dots"]) == [12.0, 14.0]


def test_hooks_have_modes_times_and_commands(client):
    found = client.ask("api/hooks?span=90d")
    rows = {row["hook"]: row for row in found["hooks"]}
    assert rows["command_guard"]["mode"] == "on"
    assert rows["observer"]["p50"] == 9
    assert [one["command"] for one in rows["command_guard"]["commands"]] == [
        "hookwright off command_guard",
        "hookwright shadow command_guard",
    ]


@pytest.mark.parametrize(
    "path",
    [
        *(
            "api/summary?span=2y",
            "api/timeline?before=x",
            "api/events?from=x",
            "api/nothing",
            "api/why?id=zzz",
            "api/why",
        ),
        *("api/events?cursor=x/y&session=s1", "api/events?cursor=1", "api/events?from=nan", "api/"),
    ],
)
def test_a_wrong_question_gets_a_sentence(client, path):
    status, found = client(path)
    assert status in (400, 404)
    assert found["error"]


def test_a_new_event_can_be_explained_before_the_ledger_has_it(past, client):
    call = past.pre("git push --force", said=[DENIED], answer="deny")
    assert client.ask(f"api/why?id={call}")["record"]["command"] == "git push --force"


# --- nothing is changed
def test_the_page_writes_nothing_but_what_every_reader_ingests(client, past):
    before = sorted(path for path in Path(past.state).rglob("*") if path.is_file())
    for name in ("summary", "timeline", "events", "background", "questions", "time", "hooks", "durations", "modes"):
        client.ask(f"api/{name}?span=90d")
    after = sorted(path for path in Path(past.state).rglob("*") if path.is_file())
    new = {path.name for path in after} - {path.name for path in before}
    assert new <= {"ledger.db-wal", "ledger.db-shm", "ingest.lock"}


def test_a_what_if_of_another_site_is_refused(client):
    body = json.dumps({"modes": {"command_guard": "off"}}).encode()
    for headers in (
        {"Sec_Fetch_Site": "cross-site"},
        {"Origin": "http://evil.example"},
        {"Content_Type": "text/plain"},
    ):
        sent = {"Content_Type": "application/json", **headers}
        assert client.request("api/what-if", method="POST", body=body, **sent)[0] == 400


# --- the port
def test_a_port_that_is_taken_is_named(client, past):
    port = client.server.access.port
    with pytest.raises(UserError, match=f"port {port} cannot be used: address already in use"):
        page_server.start_server(past.state, port)


def test_without_a_port_the_next_free_one_is_taken(past, monkeypatch, serve):
    monkeypatch.setattr(page_server, "DEFAULT_PORT", serve(past.state).server.access.port)
    second = page_server.start_server(past.state, None)
    assert second.access.port != page_server.DEFAULT_PORT
    second.close()


def test_the_end_does_not_wait_for_open_pages(past, serve):
    client = serve(past.state)
    connection = http.client.HTTPConnection("127.0.0.1", client.server.access.port, timeout=60)
    connection.request("GET", "/api/live", headers={"Cookie": client.cookie, "Host": client.host})
    stream = connection.getresponse()
    assert stream.readline() == b"retry: 1000\n"
    client.server.shutdown()
    client.server.close()
    while stream.readline():
        pass  # the stream ends by itself
    assert not [thread for thread in threading.enumerate() if thread.name == "server"]
    connection.close()
