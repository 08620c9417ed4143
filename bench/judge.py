"""The cost of parsing and judging a command in process, against `shlex.split` of the same text.

    python bench/judge.py [ROUNDS]          make bench

Every command of the labelled corpora: the best of ROUNDS for each side, and the median over commands of the ratio.
"parse" is the parser alone, "judge" adds the judge of durations, "all" adds the guard's rules; "hook" is what the
auto_background hook does: a first look, and parsing only where it is needed. Bar: all, at most twice; exit 1 if missed.
"""

from __future__ import annotations

import json
import pathlib
import shlex
import statistics
import sys
from time import perf_counter_ns

from hookwright.hooks.auto_background.hook import AutoBackground
from hookwright.hooks.command_guard import evaluate
from hookwright.shell.command import Command
from hookwright.shell.duration import find_longest
from hookwright.testing.builders import bash

ROOT = pathlib.Path(__file__).resolve().parent.parent
MOST = 2.0


def split(text: str) -> None:
    try:
        shlex.split(text)
    except ValueError:
        pass  # an open quote; the time until then counts


def parse(text: str) -> None:
    _ = Command(text).calls


def judge(text: str) -> None:
    find_longest(Command(text))


def everything(text: str) -> None:
    command = Command(text)
    find_longest(command)
    evaluate.judge(command)


def run_hook(hook: AutoBackground, event) -> None:
    hook.decide(event)


def best(work, rounds: int) -> int:
    times = []
    for _ in range(rounds):
        began = perf_counter_ns()
        work()
        times.append(perf_counter_ns() - began)
    return min(times)


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    corpora = sorted((ROOT / "tests/corpora").glob("*.jsonl"))
    texts = [json.loads(line)["cmd"] for path in corpora for line in path.read_text().splitlines()]
    hook = AutoBackground()
    ways = {"parse": parse, "judge": judge, "all": everything}
    ratios: dict[str, list[float]] = {name: [] for name in (*ways, "hook")}
    for text in texts:
        everything(text)  # families and rules are loaded once in a process
        base = best(lambda text=text: split(text), rounds)
        for name, work in ways.items():
            ratios[name].append(best(lambda text=text, work=work: work(text), rounds) / base)
        event = bash(text)
        ratios["hook"].append(best(lambda event=event: run_hook(hook, event), rounds) / base)
    print(f"{len(texts)} commands, ratio to shlex.split: median, 90th percentile")
    for name, values in ratios.items():
        values.sort()
        print(f"  {name:6} {statistics.median(values):5.2f} {values[int(len(values) * 0.9)]:6.2f}")
    found = statistics.median(ratios["all"])
    print(f"{'ok  ' if found <= MOST else 'MISS'} parsing and both judgements: {found:.2f}, at most {MOST}")
    return int(found > MOST)


if __name__ == "__main__":
    raise SystemExit(main())
