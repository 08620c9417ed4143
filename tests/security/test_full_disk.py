"""A disk that is full or read-only: every answer is right and whole, commands say what is wrong, nothing hangs.

The disks are small ones in memory, in a mount namespace of their own.
"""

import json
import subprocess
import sys

import pytest

from hookwright.testing.builders import bash
from hookwright.verify.check_journal import check_journal

pytestmark = pytest.mark.slow

# Runs inside of the namespace. `place` is mounted; the answers of the events and of the commands go to stdout.
DRIVER = """
import json, os, subprocess, sys
job = json.load(sys.stdin)
def start(argv, data):
    done = subprocess.run(argv, input=data.encode(), capture_output=True, env=job["env"], cwd="/", timeout=300)
    return done.returncode, done.stdout.decode(), done.stderr.decode()
def events(count, name):
    return [start(job["argv"], json.dumps({**job["payload"], "tool_use_id": f"{name}-{n}"})) for n in range(count)]
def commands():
    return {words: start([sys.executable, "-m", "hookwright", *words.split()], "") for words in job["commands"]}
def mount(*words):
    subprocess.run(["mount", *words], check=True, capture_output=True)
def fill(path, leave):
    with open(path, "wb", buffering=0) as file:
        try:
            while True: file.write(bytes(4096))
        except OSError:
            file.truncate(max(0, file.tell() - leave))
found, place = {}, job["place"]
mount("-t", "tmpfs", "-o", "size=1m,mode=700", "none", place)
found["empty"] = events(2, "empty")
fill(place + "/filler", 4096)
found["full"] = events(8, "full")
found["commands, full"] = commands()
os.unlink(place + "/filler")
found["free again"] = events(3, "free")
found["log"] = start([sys.executable, "-m", "hookwright", "log", "--json"], "")
mount("-o", "remount,ro", place)
found["read-only"] = events(3, "ro")
found["commands, read-only"] = commands()
json.dump(found, sys.stdout)
"""


def can_mount():
    try:
        done = subprocess.run(
            ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"], capture_output=True, check=False
        )
    except OSError:
        return False
    return done.returncode == 0


@pytest.fixture(scope="module", autouse=True)
def _namespace():
    if not can_mount():
        pytest.skip("a mount namespace needs root")


def run_on_small_disk(hook_process, place):
    path = hook_process.home / place
    path.mkdir(parents=True, exist_ok=True)
    job = {
        "argv": hook_process.argv,
        "env": hook_process.env,
        "payload": bash("rm -rf /").raw,
        "place": str(path),
        "commands": ["verify", "status", "log --json", "install --yes"],
    }
    done = subprocess.run(
        ["unshare", "-m", sys.executable, "-c", DRIVER],
        input=json.dumps(job).encode(),
        capture_output=True,
        timeout=900,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.mark.parametrize("place", [".local/state/hookwright", ".local", ".cache", "."])
def test_every_answer_is_right_and_the_user_is_told(hook_process, place):
    if place in (".local", "."):  # hides the launcher and the bundle: keep them outside
        inside = hook_process.home
        hook_process.env["HOME"] = str(inside / "disk")
        (inside / "disk").mkdir()
        place = "disk/" + place
    found = run_on_small_disk(hook_process, place)
    for name in ("empty", "full", "free again", "read-only"):
        for code, stdout, stderr in found[name]:
            assert (code, stderr) == (0, ""), name
            assert json.loads(stdout)["hookSpecificOutput"]["permissionDecision"] == "deny", name
    for name in ("commands, full", "commands, read-only"):
        for words, (code, _, stderr) in found[name].items():
            assert code in (0, 1), (name, words, stderr)
            assert "Traceback" not in stderr, (name, words, stderr)
    shown = {json.loads(line)["tool_use_id"] for line in found["log"][1].splitlines()}
    assert {"empty-0", "empty-1", "free-0", "free-1", "free-2"} <= shown
    if "cache" not in place:
        assert "the disk is full" in str(found["commands, full"]["verify"])
        assert "events cannot be recorded" in str(found["commands, read-only"]["verify"])


# --- what verify says of the journal, without a disk
def lose_records(state):
    (state / "journal").mkdir(parents=True)
    (state / "journal/.failures").write_text("..")


def put_file_for_journal(state):
    state.mkdir()
    (state / "journal").write_text("")


JOURNALS = {
    "none yet": (lambda state: None, []),
    "a directory": (lambda state: state.mkdir(), []),
    "a file for the state": (lambda state: state.write_text(""), ["journal-unwritable"]),
    "a link loop": (lambda state: state.symlink_to(state), ["journal-unwritable"]),
    "a file for the journal": (put_file_for_journal, ["journal-unwritable"]),
    "lost records": (lose_records, ["records-lost"]),
}


@pytest.mark.parametrize("name", JOURNALS)
def test_the_journal_is_checked(tmp_path, name):
    make, codes = JOURNALS[name]
    make(tmp_path / "state")
    assert [finding.code for finding in check_journal(str(tmp_path / "state"))] == codes
