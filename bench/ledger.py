"""Do the ledger's questions answer at once? A million events, every question of `log`, `why` and `stats`.

python bench/ledger.py [events]
"""

import os
import random
import sys
import tempfile
import time

from hookwright.store import queries, refresh, stats
from hookwright.store.filter import Filter
from store import write

AT_ONCE_S = 1.0
END = 1_763_200_000.0


def main(count):
    with tempfile.TemporaryDirectory() as folder:
        state = f"{folder}/state"
        write(state, count, random.Random(1))
        end = END + count * 0.5
        began = time.perf_counter()
        store, done = refresh.open_ledger(state, end)
        size = os.path.getsize(f"{state}/ledger.db") >> 20
        print(f"{done.lines:,} events, journal to durations: {time.perf_counter() - began:.0f} s, {size} MiB")
        slow = ask(store, state, end)
    print(f"{slow} of the questions need more than {AT_ONCE_S:g} s of work (the aim is none)")
    return slow


def ask(store, state, end):
    call = "toolu_" + f"{12:020}"
    questions = {
        "log: the latest 50": lambda: list(queries.read_events(store, Filter(), limit=50)),
        "log: one session": lambda: list(queries.read_events(store, Filter(session="0000000a"))),
        "log: one hook, latest 50": lambda: list(queries.read_events(store, Filter(hook="auto_background"), limit=50)),
        "log: one project, latest 50": lambda: list(
            queries.read_events(store, Filter(project="/home/ada/project3"), limit=50)
        ),
        "log: the last hour": lambda: list(queries.read_events(store, Filter(since=end - 3600))),
        "why last": lambda: queries.explain_event(store, queries.find_event(store, "last")),
        "why by tool use": lambda: queries.explain_event(store, queries.find_event(store, call)),
        "stats of a day": lambda: stats.compute_stats(store, state, Filter(since=end - 86400)),
        "stats of all": lambda: stats.compute_stats(store, state, Filter()),
        "stats of a project": lambda: stats.compute_stats(store, state, Filter(project="/home/ada/project3")),
        "nothing new to read": lambda: refresh.open_ledger(state, end),
    }
    slow = 0
    for name, question in questions.items():
        began, worked = time.perf_counter(), time.process_time()
        question()
        spent, worked = time.perf_counter() - began, time.process_time() - worked
        slow += worked > AT_ONCE_S
        print(f"  {name:30} {spent * 1000:8.1f} ms, {worked * 1000:8.1f} ms of them at work")
    return slow


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
