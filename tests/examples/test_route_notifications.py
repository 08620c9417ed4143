"""route_notifications: the first route that fits gets the message, and nobody waits for it."""

import sys
import time

import pytest

from hookwright.testing.builders import event

# Nobody waits for the message's program: that is the point of it.
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")

WRITE = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_text('|'.join(sys.argv[2:]))"


def route(file, kind="", project=""):
    return {"kind": kind, "project": project, "run": (sys.executable, "-c", WRITE, str(file), "{text}", "{kind}")}


def came(file):
    deadline = time.monotonic() + 60
    while not (file.exists() and file.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return file.read_text()


NEEDS = event("Notification", message="Claude needs your permission to use Bash", notification_type="permission_prompt")
DONE = event("Stop", stop_hook_active=False, last_assistant_message="All tests pass.\nDetails follow.")
FAILED = event("StopFailure", error="rate_limit", error_details="too many requests")


@pytest.mark.parametrize(
    ("sent", "arrives", "text"),
    [
        (NEEDS, "phone", "shop: Claude needs your permission to use Bash|permission_prompt"),
        (DONE, "desktop", "shop: All tests pass.|done"),
        (FAILED, "team", "shop: too many requests|failed"),
    ],
    ids=["needs you", "done", "failed"],
)
def test_each_kind_has_its_place(asked, tmp_path, sent, arrives, text):
    phone, desktop, team = (tmp_path / name for name in ("phone", "desktop", "team"))
    routes = (
        *(route(tmp_path / "never", "done", project="other"), route(phone, "permission_prompt")),
        *(route(desktop, "done"), route(team)),
    )
    assert asked(sent, routes=routes) is None
    assert came(tmp_path / arrives) == text
    assert [file.name for file in (phone, desktop, team, tmp_path / "never") if file.exists()] == [arrives]


def test_nothing_is_sent_while_a_command_of_claudes_own_runs(asked, tmp_path):
    running = [{"id": "b1", "type": "shell", "status": "running", "description": "build"}]
    busy = event("Stop", stop_hook_active=False, background_tasks=running)
    missing = {"kind": "", "project": "", "run": ("/no/such/program",)}
    assert asked(busy, routes=(missing,)) is None
    with pytest.raises(FileNotFoundError):
        asked(DONE, routes=(missing,))  # the dispatcher records it, and Claude goes on


def test_a_text_is_one_word_of_the_command_whatever_is_in_it(asked, tmp_path):
    sent = event("Notification", message="$(rm -rf x); 'y' {kind}", notification_type="idle_prompt")
    asked(sent, routes=(route(tmp_path / "out"),))
    assert came(tmp_path / "out").startswith("shop: $(rm -rf x); 'y' ")
