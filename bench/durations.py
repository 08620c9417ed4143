"""How good are learned durations? Errors against the number of past runs: the table alone, the mean, ours.

    python bench/durations.py [transcripts folder]

First a simulation with an invented population (read the shape, not the level), then recorded sessions: real
commands that the real client ran, each decision made from the runs before it. With a folder, such as
~/.claude/projects, your own sessions as well; nothing is kept.
An error is a decision that differs from "longer than the threshold". In brackets: needless moves, missed ones.
"""

import json
import math
import os
import random
import sys

from hookwright.store.duration_sums import describe_command
from hookwright.store.estimate import Learner, Sample
from hookwright.store.transcripts import ToolCall, TranscriptReader, find_transcripts

HERE = os.path.dirname(os.path.abspath(__file__))
LONG_S = 60.0
KEYS = 3000
RUNS = (0, 1, 2, 3, 5, 8, 20)
# share of keys, middle of their medians (s), spread of the medians
POPULATION = {"force": (0.3, 30.0, 1.3), "suggest": (0.3, 8.0, 1.4), "none": (0.4, 0.8, 1.5)}
LAUNCH_CENSOR_S = 120.0


def make_key(chance):
    tier = chance.choices(list(POPULATION), [row[0] for row in POPULATION.values()])[0]
    _, middle, spread = POPULATION[tier]
    return tier, chance.gauss(math.log(middle), spread), chance.uniform(0.25, 0.8)


def run_of(chance, median, spread):
    shift = chance.choice((-1.5, 1.5)) if chance.random() < 0.1 else 0.0  # a warm cache, a cold start
    return math.exp(chance.gauss(median + shift, spread))


class Score:
    def __init__(self):
        self.n = self.needless = self.missed = 0

    def add(self, said, seconds, long_s):
        self.n += 1
        self.needless += said and seconds <= long_s
        self.missed += (not said) and seconds > long_s

    def __str__(self):
        if not self.n:
            return f"{'-':>18}"
        share = 100 / self.n
        return f"{(self.needless + self.missed) * share:5.1f} ({self.needless * share:4.1f}/{self.missed * share:4.1f})"


def ours(learner, level, tier, long_s, last):
    belief = learner.belief("", level)
    if belief is None:
        return tier == "force"
    p = belief.longer_than(long_s)
    return p >= 0.6 or (p > 0.4 and bool(last))


def simulated(seed=4):
    chance = random.Random(seed)
    scores = {name: {n: Score() for n in RUNS} for name in ("table", "mean", "ours", "best possible")}
    for number in range(KEYS):
        tier, median, spread = make_key(chance)
        level, learner, past, last = f"k{number}", Learner(), [], None
        for n in range(max(RUNS) + 1):
            seconds = run_of(chance, median, spread)
            said = ours(learner, level, tier, LONG_S, last)
            if n in RUNS:
                scores["table"][n].add(tier == "force", seconds, LONG_S)
                mean = sum(past) / len(past) > LONG_S if past else tier == "force"
                scores["mean"][n].add(mean, seconds, LONG_S)
                scores["ours"][n].add(said, seconds, LONG_S)
                scores["best possible"][n].add(median > math.log(LONG_S), seconds, LONG_S)
            past.append(seconds)
            last = said
            learner.add_sample(Sample((level,), tier, seconds, 1e9 + 3600 * n))
    print("simulation, every run seen; error % (needless/missed) after n runs")
    table(scores, RUNS)


def sequential(seed=5):
    """The decision decides what is seen: the foreground is cut at two minutes, the background tells its end or not."""
    chance = random.Random(seed)
    at = (1, 4, 9, 39)
    ways = ("end seen", "end not seen", "launch time taken for a duration")
    scores = {way: {n: Score() for n in at} for way in ways}
    for number in range(KEYS // 4):
        tier, median, spread = make_key(chance)
        runs = [run_of(chance, median, spread) for _ in range(max(at) + 1)]
        for way in ways:
            level, learner, last = f"{way}{number}", Learner(), None
            for n, seconds in enumerate(runs):
                said = ours(learner, level, tier, LONG_S, last)
                if n in at:
                    scores[way][n].add(said, seconds, LONG_S)
                last = said
                moment = 1e9 + 3600 * n
                if not said:
                    kind, seen = ("least", LAUNCH_CENSOR_S) if seconds > LAUNCH_CENSOR_S else ("exact", seconds)
                    learner.add_sample(Sample((level,), tier, seen, moment, kind=kind))
                elif way == "end seen":
                    learner.add_sample(Sample((level,), tier, seconds, moment))
                elif way.startswith("launch"):
                    learner.add_sample(Sample((level,), tier, 0.02, moment))
    print("\nsimulation, what is decided decides what is seen; error at run 2, 5, 10, 40")
    table(scores, at, head=[n + 1 for n in at])


def recorded(runs, long_s, title):
    """Each decision from the runs before it, as it would have been made."""
    shown = (0, 1, 2, 3, 5)
    scores = {name: {n: Score() for n in shown} for name in ("table", "mean", "ours")}
    learner, past, last = Learner(), {}, {}
    for moment, command, seconds in runs:
        levels, shared, tier = describe_command(command)
        if not levels:
            continue
        before = past.setdefault(levels[0], [])
        n = max((count for count in shown if count <= len(before)), default=0)
        said = ours(learner, levels[0], tier, long_s, last.get(levels[0]))
        scores["table"][n].add(tier == "force", seconds, long_s)
        scores["mean"][n].add(sum(before) / len(before) > long_s if before else tier == "force", seconds, long_s)
        scores["ours"][n].add(said, seconds, long_s)
        before.append(seconds)
        last[levels[0]] = said
        learner.add_sample(Sample(levels, tier, seconds, moment, shared=shared))
    print(f"\n{title}; {sum(score.n for score in scores['ours'].values())} runs, long is over {long_s:g} s")
    table(scores, shown, head=["0", "1", "2", "3-4", "5+"])


def table(scores, columns, head=None):
    print(f"  {'':34}" + "".join(f"{name!s:>20}" for name in head or columns))
    for name, row in scores.items():
        print(f"  {name:34}" + "".join(f"{row[n]!s:>20}" for n in columns))


def own_sessions(folder):
    runs = []
    for path in find_transcripts(os.path.dirname(os.path.abspath(os.path.expanduser(folder)).rstrip("/"))):
        for entry in TranscriptReader(path).read_entries():
            usable = isinstance(entry, ToolCall) and entry.tool == "Bash" and entry.outcome in ("ok", "failed")
            if usable and entry.seconds is not None and not entry.asked and not entry.refused:
                runs.append((entry.time, entry.input.get("command", ""), entry.seconds))
    return sorted(runs)


if __name__ == "__main__":
    simulated()
    sequential()
    with open(os.path.join(HERE, "recorded_durations.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    recorded([(row["time"], row["command"], row["seconds"]) for row in rows], 2.0, "recorded sessions of the client")
    if len(sys.argv) > 1:
        recorded(own_sessions(sys.argv[1]), LONG_S, "your own sessions")
