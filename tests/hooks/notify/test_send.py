"""The sender reaches real receivers, tries a little again, and notes what is lost."""

import json
import os
import socket
import subprocess
import sys
import threading
import time

import pytest

from hookwright.hooks.notify import send
from hookwright.hooks.notify.message import start_sender
from tests.hooks.receiver import Receiver

JOB = {
    "kind": "done",
    "title": "Prüfstand",
    "body": "Claude is done",
    "session_id": "s1",
    "project": "/p",
    "time": 1.0,
    "ways": [],
    "urls_from": ["env:WHERE"],
    "sound_file": "",
    "state": None,
}


pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")  # of modules that apprise imports


def to(monkeypatch, url, pauses=(0.01, 0.01), **job):
    monkeypatch.setenv("WHERE", url)
    return send.send_to_all({**JOB, **job}, pauses)


def closed_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def test_a_plain_url_gets_an_object_that_slack_and_others_read(monkeypatch):
    with Receiver() as receiver:
        assert to(monkeypatch, f"http://{receiver.host}/hook?x=1") == []
        ((path, headers, body),) = receiver.got
    assert path == "/hook?x=1"
    assert headers["Content-Type"] == "application/json"
    said = json.loads(body)
    assert said["text"] == "Prüfstand: Claude is done"
    assert (said["kind"], said["title"], said["message"]) == ("done", "Prüfstand", "Claude is done")


def test_ntfy_gets_text_a_title_and_the_password(monkeypatch):
    with Receiver() as receiver:
        assert to(monkeypatch, f"ntfy://ann:s%40cret@{receiver.host}/topic") == []
        ((path, headers, body),) = receiver.got
    assert (path, body) == ("/topic", "Claude is done")
    assert headers["Authorization"] == "Basic YW5uOnNAY3JldA=="
    assert headers["Title"].startswith("=?utf-8?")


def test_the_public_ntfy_server_is_meant_by_a_topic_alone():
    assert send.build_ntfy_request("ntfy://my-topic", JOB)[0] == "https://ntfy.sh/my-topic"
    assert send.build_ntfy_request("ntfys://host.example/t", JOB)[0] == "https://host.example/t"


def test_several_urls_in_one_variable(monkeypatch):
    with Receiver() as receiver:
        assert to(monkeypatch, f"http://{receiver.host}/a  json://{receiver.host}/b") == []
        assert [path for path, _, _ in receiver.got] == ["/a", "/b"]


@pytest.mark.slow
def test_apprise_brings_every_other_service(monkeypatch):
    with Receiver() as receiver:
        assert to(monkeypatch, f"xml://{receiver.host}/x") == []
        ((path, _, body),) = receiver.got
    assert path == "/x"
    assert "<Message>Claude is done</Message>" in body


@pytest.mark.parametrize(
    ("answers", "tries", "lost"),
    [
        ([500, 503, 200], 3, []),
        ([429, 200], 2, []),
        ([500], 3, ["the server answered 500"]),
        ([404], 1, ["the server answered 404"]),
    ],
)
def test_what_may_pass_is_tried_again_and_what_will_not_is_not(monkeypatch, answers, tries, lost):
    with Receiver(answers) as receiver:
        found = to(monkeypatch, f"http://{receiver.host}/")
        assert len(receiver.got) == tries
    assert [text.rpartition(": ")[2] for text in found] == lost


def test_a_dead_network_is_told_without_the_secrets_of_the_url(monkeypatch):
    url = f"http://user:hunter2@127.0.0.1:{closed_port()}/services/T000/B000/xoxb-secret"
    (lost,) = to(monkeypatch, url)
    assert "refused" in lost
    assert "hunter2" not in lost
    assert "xoxb" not in lost


def test_a_name_that_does_not_resolve_and_a_service_that_nobody_knows(monkeypatch):
    assert len(to(monkeypatch, "http://no-such-host.invalid/x")) == 1
    assert "apprise does not understand" in to(monkeypatch, "nosuchservice://x")[0]


def test_without_apprise_the_way_to_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "apprise", None)
    assert to(monkeypatch, "tgram://token/chat") == [
        "tgram: this kind of URL needs apprise; try: pip install 'hookwright[notify]'"
    ]


@pytest.fixture
def programs(tmp_path, monkeypatch):
    """A PATH with nothing in it but what a test puts there."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name, body):
        (folder / name).write_text(f"#!/bin/sh\n{body}\n")
        (folder / name).chmod(0o755)

    return put


def desktop(**job):
    return send.send_to_all({**JOB, "urls_from": [], "ways": ["desktop"], **job}, (0.01,))


def test_the_desktop_shows_title_and_text(programs, tmp_path):
    programs("notify-send", f'printf "%s\\n" "$@" > {tmp_path}/shown')
    assert desktop(body="a <b> & c") == []
    assert (tmp_path / "shown").read_text().splitlines()[-2:] == ["Prüfstand", "a &lt;b> &amp; c"]


def test_a_machine_without_a_desktop_or_without_dbus_is_told_and_harms_nothing(programs):
    assert desktop() == ["desktop: no program for notifications found (notify-send, osascript)"]
    programs("notify-send", 'echo "Cannot autolaunch D-Bus without X11 \\$DISPLAY" >&2; exit 1')
    assert desktop() == ["desktop: Cannot autolaunch D-Bus without X11 $DISPLAY"]


def test_a_hanging_desktop_is_ended(programs, monkeypatch):
    monkeypatch.setattr(send, "TRY_S", 0.3)
    programs("notify-send", "/bin/sleep 600")
    assert desktop() == ["desktop: did not end in 0.3 s"]


def test_a_sound_is_played_with_what_there_is(programs, tmp_path):
    assert send.send_to_all({**JOB, "urls_from": [], "ways": ["sound"]}, ())[0].startswith(
        "sound: no program for sounds"
    )
    programs("aplay", f'echo "$1" > {tmp_path}/played')
    assert send.send_to_all({**JOB, "urls_from": [], "ways": ["sound"], "sound_file": "/my/ding.wav"}, ()) == []
    assert (tmp_path / "played").read_text() == "/my/ding.wav\n"


def test_the_keyring_gives_urls_and_its_absence_is_told(programs):
    with Receiver() as receiver:
        job = {**JOB, "urls_from": ["keyring:phone"]}
        assert send.send_to_all(job, ()) == [
            "keyring:phone: the keyring has no entry of this name, or there is no keyring on this machine"
        ]
        programs("secret-tool", f'[ "$*" = "lookup service hookwright name phone" ] && echo http://{receiver.host}/k')
        assert send.send_to_all(job, ()) == []
        assert receiver.got[0][0] == "/k"


def test_the_sender_is_a_process_of_its_own_that_nobody_waits_for(tmp_path, monkeypatch):
    gate = threading.Event()
    with Receiver(gate=gate) as receiver:
        monkeypatch.setenv("WHERE", f"http://{receiver.host}/late")
        program = f"from hookwright.hooks.notify.message import start_sender; start_sender({JOB!r})"
        subprocess.run([sys.executable, "-c", program], check=True)
        gate.set()  # it answers only now that the parent has ended
        assert receiver.wait()[0][0] == "/late"


def test_what_is_lost_is_noted_for_the_user_and_in_the_journal(tmp_path, monkeypatch):
    monkeypatch.setenv("WHERE", "nosuchservice://x")
    start_sender({**JOB, "state": str(tmp_path / "state")})
    path = tmp_path / "state/notify/failed"
    deadline = time.monotonic() + 60
    while not (path.exists() and path.read_text()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert path.read_text().startswith("nosuchservice: ")
    assert os.stat(path.parent).st_mode & 0o077 == 0
    journal = "".join(file.read_text() for file in (tmp_path / "state/journal").glob("*.jsonl"))
    assert "notify: nosuchservice" in journal
