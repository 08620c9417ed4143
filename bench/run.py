"""Do the hooks of one event really run side by side?

    python bench/run.py [rounds]

Ten command hooks that sleep for differing times, in a settings file of their own. In each round, in changing order:
`hookwright run` with no hook (our own start), with the slowest hook's command alone (started by nobody but the shell),
and with all ten. The bar: all ten cost at most 1.3 times the slowest, beyond our own start.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

BAR = 1.3
SLEEPS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
RUN = [sys.executable, "-m", "hookwright", "run", "PreToolUse", "--yes", "--json"]


def home(folder, name, sleeps):
    """A home whose settings hold these hooks."""
    path = os.path.join(folder, name)
    os.makedirs(os.path.join(path, ".claude"))
    handlers = [{"type": "command", "command": f"sleep {seconds}"} for seconds in sleeps]
    settings = {"hooks": {"PreToolUse": [{"hooks": handlers}]}} if handlers else {}
    with open(os.path.join(path, ".claude", "settings.json"), "w", encoding="utf-8") as file:
        json.dump(settings, file)
    return path


def seconds(argv, path):
    env = {"HOME": path, "PATH": os.environ["PATH"]}
    began = time.perf_counter()
    done = subprocess.run(argv, env=env, cwd=path, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    spent = time.perf_counter() - began
    return spent, done.stdout


def main(rounds):
    with tempfile.TemporaryDirectory() as folder:
        empty, full = home(folder, "empty", []), home(folder, "full", SLEEPS)
        slowest = ["/bin/sh", "-c", f"sleep {SLEEPS[-1]}"]
        cases = {"start": (RUN, empty), "slowest": (slowest, empty), "ten": (RUN, full)}
        spent = {name: [] for name in cases}
        seconds(RUN, empty)  # what is made once is made now
        for _ in range(rounds):
            for name in random.sample(list(cases), len(cases)):
                took, out = seconds(*cases[name])
                spent[name].append(took)
                if name == "ten":
                    assert sum(handler["ran"] for handler in json.loads(out)["handlers"]) == len(SLEEPS), out
    rounds = zip(spent["ten"], spent["start"], spent["slowest"], strict=True)
    ratio = statistics.median((ten - start) / slow for ten, start, slow in rounds)
    for name, values in spent.items():
        print(f"{name:8} {statistics.median(values) * 1000:7.0f} ms")
    print(f"ten hooks beyond our start: {ratio:.2f} x the slowest (bar {BAR})")
    print(f"one after the other it would be {sum(SLEEPS) / SLEEPS[-1]:.1f} x")
    return ratio <= BAR


if __name__ == "__main__":
    sys.exit(not main(int(sys.argv[1]) if len(sys.argv) > 1 else 7))
