"""Entries that 0.1.0 wrote into settings.json go on answering after an upgrade of the package."""

import json
import os
import subprocess

import pytest

from hookwright.runtime import launcher
from hookwright.testing.builders import bash

pytestmark = pytest.mark.slow

# Word for word what 0.1.0 registered.
TEXT = """import sys  # hookwright
try:
    import _imp, marshal, posix
    f = posix.open(sys.argv[1] + sys.implementation.cache_tag, 0); b = posix.read(f, 8192)
    _imp.source_hash(0, b[8:]) == b[:8] and exec(marshal.loads(b[8:]))
finally: exec(sys.argv[3])
"""
FALLBACK = """try:
    sys.path.append(sys.argv[2])
    from hookwright.door.slow import main
except Exception:
    sys.exit('fail-closed' in sys.argv)
else: main(sys.argv[1])
"""


def run_old_entry(hook_process, payload, *words):
    cache = f"{hook_process.home}/.cache/hookwright/door-src-06dbce51a24b3159."
    argv = [launcher.find_interpreter(), "-I", "-S", "-Xutf8", "-c", TEXT, cache, launcher.package_root(), FALLBACK]
    data = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    return subprocess.run(
        [*argv, *words], input=data, capture_output=True, env=hook_process.env, timeout=60, check=False
    )


@pytest.mark.parametrize("there", [True, False], ids=["with the launcher", "launcher not yet written"])
def test_the_answer_is_the_launchers(hook_process, there):
    event = bash("rm -rf /").raw
    expected = hook_process(event)
    if not there:
        launcher.remove_launcher()
    for _ in range(2):
        done = run_old_entry(hook_process, event)
        assert (done.returncode, done.stdout, done.stderr) == (0, expected.stdout, b"")
    assert b'"deny"' in done.stdout
    assert os.access(launcher.launcher_path(), os.X_OK)


def test_where_no_launcher_can_be_written_the_source_answers(hook_process):
    launcher.remove_launcher()
    share = hook_process.home / ".local/share"
    share.mkdir(parents=True, exist_ok=True)
    (share / "hookwright").write_text("in the way")
    done = run_old_entry(hook_process, bash("rm -rf /").raw)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"deny"' in done.stdout


@pytest.mark.parametrize(
    ("payload", "words", "code", "answered"),
    [
        (bash("rm -rf /").raw, ["command_guard"], 0, True),
        (bash("rm -rf /").raw, ["auto_background"], 0, False),
        (b"{", [], 0, True),  # told once: it could not be read
        (b"{", ["fail-closed"], 1, False),
    ],
)
def test_its_words_count(hook_process, payload, words, code, answered):
    done = run_old_entry(hook_process, payload, *words)
    assert (done.returncode, bool(done.stdout)) == (code, answered)
