"""A detached process lives in a session of its own, hears nothing of ours and says nothing into it."""

import os
import signal
import subprocess
import sys

import pytest

from tests.proc.kit import is_alive, read_pids, wait_until

pytestmark = pytest.mark.slow

SCRIPT = "cat > {0}/heard; readlink /proc/self/fd/1 /proc/self/fd/2 >> {0}/heard; echo $$ > {0}/pids; exec sleep 300"


def start(folder, stdin, *, then="", **how):
    program = (
        "import sys\n"
        "from hookwright.proc.spawn import start_detached\n"
        f"start_detached(['/bin/sh', '-c', {SCRIPT.format(folder)!r}], {stdin!r})\n{then}"
    )
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, timeout=120, **how)


def test_it_outlives_us_and_holds_none_of_our_streams(tmp_path):
    done = start(tmp_path, b"the job")
    assert done.stdout == done.stderr == b""  # `run` would wait for a stream that somebody holds
    [pid] = read_pids(tmp_path / "pids", 1)
    assert is_alive(pid)
    assert os.getsid(pid) == pid
    os.kill(pid, signal.SIGKILL)
    heard = (tmp_path / "heard").read_text()
    assert heard.startswith("the job")
    assert heard.count("/dev/null") == 1  # stdout is the file there; stderr is nothing


def test_a_signal_to_our_group_does_not_reach_it(tmp_path):
    then = f"import os, signal, time\nwhile not os.path.exists('{tmp_path}/pids'): time.sleep(0.01)\n"
    then += "signal.signal(signal.SIGTERM, signal.SIG_IGN)\nos.killpg(0, signal.SIGTERM)\n"
    start(tmp_path, b"", then=then, start_new_session=True)
    [pid] = read_pids(tmp_path / "pids", 1)
    assert is_alive(pid)
    os.kill(pid, signal.SIGKILL)
    assert wait_until(lambda: not is_alive(pid))
