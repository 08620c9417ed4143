"""Is the page there at once, however long the past is? 1,000,000 events in the ledger.

    python bench/page.py [events]        or the state directory of a ledger that exists: python bench/page.py DIR

The ledger is made by the journal's own functions (bench/scale.py). `hookwright open` runs as a process of its own; what
a browser asks first is asked over HTTP. Processor time of the server, so that a busy machine does not blur it, and its
memory. The bars: the first view at most 1 s, 60 MB, a new event in the stream at most 0.5 s after its record.
"""

import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from urllib.parse import urlsplit

import scale

from hookwright.store.database import open_store
from hookwright.store.refresh import refresh

EVENTS = 1_000_000
FIRST_S, LARGEST_MB, LIVE_S = 1.0, 60, 0.5
FIRST = (
    "",
    "style.css",
    "app.js",
    "dom.js",
    "charts.js",
    "timeline.js",
    "views.js",
    *("api/summary", "api/timeline", "api/events"),
)
OTHERS = (
    "api/background",
    "api/questions",
    "api/time",
    "api/hooks",
    "api/durations",
    "api/events?text=nothing+like+this",
)
TRIES = 20


def build_ledger(state, count):
    scale.write_journal(state, count, time.time() - 60)
    store = open_store(state)
    refresh(store, state, time.time())
    store.close()


class Server:
    def __init__(self, state):
        env = {"HOME": state, "PATH": os.environ["PATH"], "HOOKWRIGHT_STATE_HOME": state}
        argv = [sys.executable, "-m", "hookwright", "open", "--json", "--no-browser", "--port", "0"]
        self.process = subprocess.Popen(argv, env=env, cwd=state, stdout=subprocess.PIPE, text=True)
        self.url = urlsplit(json.loads(self.process.stdout.readline())["url"])
        self.connection = http.client.HTTPConnection(self.url.hostname, self.url.port)
        self.connection.request("GET", f"/?{self.url.query}")
        answer = self.connection.getresponse()
        answer.read()
        self.headers = {"Cookie": answer.getheader("Set-Cookie").partition(";")[0]}

    def get(self, path):
        self.connection.request("GET", f"/{path}", headers=self.headers)
        answer = self.connection.getresponse()
        body = answer.read()
        assert answer.status == 200, (path, body)
        return body

    def measure(self, paths):
        """Seconds of processor time for these requests."""
        before = scale.read_cpu(self.process.pid)
        size = sum(len(self.get(path)) for path in paths)
        return scale.read_cpu(self.process.pid) - before, size

    def memory_mb(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as file:
            return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024

    def measure_live(self, state):
        """Seconds from a written record to its event, several times."""
        stream = http.client.HTTPConnection(self.url.hostname, self.url.port)
        stream.request("GET", "/api/live", headers=self.headers)
        answer = stream.getresponse()
        answer.readline()
        spent = []
        for _ in range(TRIES):
            began = time.perf_counter()
            scale.append_call(state)
            while not answer.readline().startswith(b"event: record"):
                pass
            spent.append(time.perf_counter() - began)
            while not answer.readline().startswith(b"event: record"):  # the second half of the call
                pass
            time.sleep(0.05)
        return sorted(spent)


def main(word):
    with tempfile.TemporaryDirectory() as folder:
        state = word
        if not os.path.isdir(state):
            state = f"{folder}/state"
            build_ledger(state, int(word))
        server = Server(state)
        try:
            time.sleep(1.0)  # the start is over
            first, size = server.measure(FIRST)
            print(f"first view: {first:.2f} s of processor time, {size >> 10} KiB (at most {FIRST_S:g} s)")
            missed = first > FIRST_S
            for path in OTHERS:
                spent, _ = server.measure([path, f"{path}{'&' if '?' in path else '?'}span=90d"])
                print(f"  {path:36} {spent / 2:.2f} s")
            spent = server.measure_live(state)
            print(f"a new event: {spent[len(spent) // 2]:.2f} s (median), best {spent[0]:.2f} s (at most {LIVE_S:g} s)")
            missed += spent[len(spent) // 2] > LIVE_S
            print(f"largest memory: {server.memory_mb():.0f} MB (at most {LARGEST_MB})")
            missed += server.memory_mb() > LARGEST_MB
        finally:
            server.process.terminate()
            server.process.wait()
    print(f"{missed} bars missed")
    return missed


if __name__ == "__main__":
    sys.exit(bool(main(sys.argv[1] if len(sys.argv) > 1 else str(EVENTS))))
