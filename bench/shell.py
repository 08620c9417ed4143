"""The cost of parsing a command, against `shlex.split` of the same text; and a million hostile texts without an error.

    python bench/shell.py [TEXTS]          make bench

Both are timed in turn on every command of the corpora, best of several; the ratio is of the medians. The texts are
mutations of the test snippets, wrapped in each other. Bars: see BAR; exit 1 if it is missed or anything is raised.
"""

from __future__ import annotations

import json
import pathlib
import random
import shlex
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "src")]

from hookwright.shell.command import Command  # noqa: E402
from tests.shell.mutations import mutated  # noqa: E402

BAR = 1.0  # parsing / shlex.split, medians
ROUNDS = 15


def corpora() -> list[str]:
    files = sorted((ROOT / "tests" / "corpora").glob("*.jsonl"))
    return [json.loads(line)["cmd"] for file in files for line in file.read_text().splitlines()]


def split(text: str) -> None:
    try:
        shlex.split(text)
    except ValueError:
        pass  # shlex rejects it; the attempt counts


def parse(text: str) -> None:
    _ = Command(text).calls


def best(function, text: str) -> float:
    shortest = 1.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        function(text)
        shortest = min(shortest, time.perf_counter() - start)
    return shortest * 1e6


def main() -> int:
    texts = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    pairs = [(best(split, text), best(parse, text)) for text in corpora()]
    theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = ours / theirs
    each = statistics.quantiles([mine / other for other, mine in pairs], n=20)
    print(f"{len(pairs)} commands: shlex.split {theirs:.1f} µs, parsing {ours:.1f} µs at the median")
    print(f"{'ok  ' if ratio <= BAR else 'MISS'} parsing / shlex.split: {ratio:.2f}, at most {BAR}")
    print(f"     per command: median {each[9]:.2f}, 95th percentile {each[18]:.2f}")
    start = time.monotonic()
    chance = random.Random(7)
    understood = 0
    for _ in range(texts):
        command = Command(mutated(chance))
        _ = command.calls
        understood += command.problem is None
    took = time.monotonic() - start
    print(f"ok   {texts} hostile texts in {took:.0f} s, {understood} of them valid, no error raised")
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main())
