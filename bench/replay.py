"""How fast is replay? Its rate beside the rate of reading the same transcripts alone.

    python bench/replay.py [calls]

The transcripts are written as the client writes them: per call an assistant entry, a result, and the copies and
attachments around them that make up most of a real file. Commands are those of the labelled corpora, each made
different, so that nothing can be answered from a cache. Processor time, so that a busy machine does not blur it.
"""

import json
import os
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))  # for the shapes that the tests use too

from hookwright import replay  # noqa: E402
from tests.store.shapes import TODAY, lines  # noqa: E402

PER_SESSION = 200


def commands():
    for name in ("long_dev", "danger_dev"):
        with open(os.path.join(HERE, "..", "tests", "corpora", f"{name}.jsonl"), encoding="utf-8") as file:
            for line in file:
                yield json.loads(line)["cmd"]


def write(folder, calls):
    known = list(commands())
    copy = json.dumps({"type": "api-request-blob", "message": {"content": "x" * 3000}}, separators=(",", ":")) + "\n"
    note = json.dumps(TODAY.common(0, type="attachment", attachment={"type": "date", "rendered": "y" * 800})) + "\n"
    paths = []
    for begin in range(0, calls, PER_SESSION):
        path = f"{folder}/{begin}.jsonl"
        with open(path, "w", encoding="utf-8") as file:
            for number in range(begin, min(begin + PER_SESSION, calls)):
                command = f"{known[number % len(known)]} # {number}"
                file.write(copy + note + lines(TODAY.ran(f"t{number}", command, number % 3000, 2.5)))
        paths.append(path)
    return paths


def main(calls):
    with tempfile.TemporaryDirectory() as folder:
        paths = write(folder, calls)
        size = sum(map(os.path.getsize, paths)) / (1 << 20)
        state = f"{folder}/state"
        plain = replay.ReplayConfig("", state, state, folder, {"CLAUDE_CODE_ENTRYPOINT": "cli"})
        for _ in replay.replay(replay.read_past_calls(paths[:1], 0), plain).top_suspicions():
            pass  # everything that is loaded once is loaded now
        began = time.process_time()
        read = sum(1 for _ in replay.read_past_calls(paths, 0))
        reading = time.process_time() - began
        began = time.process_time()
        found = replay.replay(replay.read_past_calls(paths, 0), plain)
        whole = time.process_time() - began
    assert read == found.calls == calls
    print(f"{calls:,} calls in {len(paths)} transcripts, {size:.0f} MiB")
    print(f"reading alone {calls / reading:9,.0f} calls/s")
    print(f"replay        {calls / whole:9,.0f} calls/s (the aim is 2,000), {reading / whole:.2f} of the reading rate")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20_000)
