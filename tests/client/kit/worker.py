"""The only place that starts the client: behind the fence, with the scripted API at its side.

lab (outside) ── job file ──▶ [this process, number 1 of its namespace] ──▶ client on our own stdin and stdout
When it ends, by itself or because the lab's end of the lifeline closed, the kernel ends all that it started.

    python -m tests.client.kit.worker JOB.json
"""

import json
import os
import subprocess
import sys
import threading

from tests.client.kit import netns
from tests.client.kit.covers import cover_directories
from tests.client.kit.scripted_api import Script, ScriptedApi


def hold(lifeline: int) -> None:
    """Wait for the lab to let go (or to die), then take everything down."""
    os.read(lifeline, 1)
    os._exit(137)


def run_in_terminal(job: dict) -> int:
    """Start the client in a tmux server of its own; the lab speaks to it through the socket."""
    width, height = job["terminal"]["size"]
    tmux = ["tmux", "-S", job["terminal"]["socket"], "-f", "/dev/null"]
    start = ["new-session", "-d", "-x", str(width), "-y", str(height), "-c", job["cwd"]]
    clear = ["env", "-i", *(f"{name}={value}" for name, value in job["env"].items())]
    # The pane outlives the client, so that the last screen can be read.
    keep = [";", "set-option", "remain-on-exit", "on"]
    return subprocess.run([*tmux, *start, "--", *clear, *job["argv"], *keep], check=False).returncode


def main(path: str) -> int:
    netns.refuse_unless_fenced()
    netns.raise_loopback()
    with open(path, encoding="utf-8") as handle:
        job = json.load(handle)
    watch = threading.Thread(target=hold, args=[job["lifeline"]], daemon=True)
    watch.start()
    cover_directories(job["covers"])
    script = Script(job["script"], job["log"], job["routes"], job["side"])
    ScriptedApi(script, job["usage"]).start()
    if job["terminal"]:
        code = run_in_terminal(job)
        if code == 0:
            watch.join()
        return code
    return subprocess.run(job["argv"], cwd=job["cwd"], env=job["env"], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]) & 0xFF)
