"""The cost of guarding a command, compared with `shlex.split` of the same text; and random broken texts.

    python bench/guard.py [TEXTS]          make bench

Guarding is all that the hook does with a text: prefilter, parser, rules. Both are timed alternately on every command of
the corpora, best of several runs; the ratio is that of the medians. The random texts are mutations of the shell
parser's snippets and of the rules' examples. Exit code 1 if the ratio is above the bar or anything raises.
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

from hookwright.hooks.base import World  # noqa: E402
from hookwright.hooks.command_guard import rule_catalogue  # noqa: E402
from hookwright.hooks.command_guard.evaluate import judge  # noqa: E402
from hookwright.hooks.command_guard.hook import CommandGuard  # noqa: E402
from hookwright.hooks.command_guard.prefilter import may_matter  # noqa: E402
from hookwright.shell.command import Command  # noqa: E402
from hookwright.testing.builders import bash  # noqa: E402
from tests.shell.mutations import mutated  # noqa: E402

BAR = 1.5  # guarding / shlex.split, medians
ROUNDS = 15
RULES = rule_catalogue.load_rules().values()
EXAMPLES = [command for rule in RULES for command in rule_catalogue.expand_examples(rule)]
BREAKS = ["'", '"', "\\", "$", "`", "\n", ";", "(", ")", "{", "}", "|", "&", ">", "<<", "=", "-", "*", "\0", "$(", "é"]


def load_corpora() -> list[str]:
    files = sorted((ROOT / "tests" / "corpora").glob("*.jsonl"))
    return [json.loads(line)["cmd"] for file in files for line in file.read_text().splitlines()]


def split_words(text: str) -> None:
    try:
        shlex.split(text)
    except ValueError:
        pass  # shlex rejects it; the time counts all the same


def guard(text: str) -> None:
    if may_matter(text):
        judge(Command(text))


def best_time(function, text: str) -> float:
    shortest = 1.0
    for _ in range(ROUNDS):
        start = time.perf_counter()
        function(text)
        shortest = min(shortest, time.perf_counter() - start)
    return shortest * 1e6


def random_text(chance: random.Random) -> str:
    """A random broken text, in half of the cases made of rules' examples."""
    if chance.random() < 0.5:
        return mutated(chance)
    text = chance.choice(EXAMPLES)
    for _ in range(chance.randint(1, 4)):
        at = chance.randint(0, len(text))
        text = text[:at] + chance.choice((*BREAKS, " " + chance.choice(EXAMPLES))) + text[at + chance.randint(0, 3) :]
    return text


def main() -> int:
    texts = int(sys.argv[1]) if len(sys.argv) > 1 else 200_000
    pairs = [(best_time(split_words, text), best_time(guard, text)) for text in load_corpora()]
    theirs, ours = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = ours / theirs
    print(f"{len(pairs)} commands: shlex.split {theirs:.1f} µs, guarding {ours:.1f} µs at the median")
    print(f"{'ok  ' if ratio <= BAR else 'MISS'} guarding / shlex.split: {ratio:.2f}, at most {BAR}")
    start = time.monotonic()
    chance = random.Random(11)
    hook = CommandGuard(World(home="/home/ann", project="/home/ann/shop"))
    said = {"deny": 0, "ask": 0, None: 0}
    for _ in range(texts):
        decision = hook.decide(bash(random_text(chance)))
        said[decision.permission if decision else None] += 1
    took = time.monotonic() - start
    print(f"ok   {texts} random texts in {took:.0f} s ({said}), no error raised")
    return 0 if ratio <= BAR else 1


if __name__ == "__main__":
    raise SystemExit(main())
