"""Estimate how long a command takes: log-normal durations with priors, parent keys, censoring and decay.

samples → [Learner] → sums (duration_sums keeps them) → rows → durations_write
A key's own runs decide; with few runs its parent keys help, and before any run the static class of the command.
Standard library only: the Student t distribution is computed from the incomplete beta function.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hookwright.store.durations_read import THRESHOLDS

if TYPE_CHECKING:
    from collections.abc import Iterable

MODEL_VERSION = 2  # raise it when the same samples give other sums or levels: they are then summed up again
HALF_LIFE_RUNS = 8.0
HALF_LIFE_DAYS = 30.0
CHILD_WEIGHT = 0.3  # the parent's belief counts as so many runs of the child
MAX_KEYS = 5000
LEAST_WEIGHT = 0.2  # of its own runs; a key with less is not published
LEAST_SHARED_WEIGHT = 0.9  # the same for what all projects share
OVER_S = 60.0
MIN_P_LONG = 0.25  # below that a command that is quick by its class is not published

# Before any run, by static class: median in seconds and its weight in runs; then the parameters of the spread.
# Small weights: in the simulation (bench/durations.py) one run then outweighs a wrong class.
PRIORS = {"force": (40.0, 0.3), "suggest": (12.0, 0.25), "none": (1.0, 0.15)}
SPREAD_A, SPREAD_B = 2.0, 0.9


@dataclass(frozen=True)
class Sample:
    """One run of a command."""

    levels: tuple[str, ...]  # narrowest first
    tier: str  # its static class: force, suggest or none
    seconds: float
    time: float
    kind: str = "exact"  # or least (it took at least this long), most (at most)
    weight: float = 1.0
    shared: str = ""  # the widest level, if other projects share it
    project: str = ""
    background: bool | None = None  # whether this run was moved to the background


@dataclass
class Stats:
    """Exponentially decayed sums of one key."""

    n: float = 0.0
    s1: float = 0.0
    s2: float = 0.0
    time: float = 0.0
    weight: float = 0.0  # of all runs, not decayed
    runs: int = 0
    over_60: int = 0
    censored: int = 0
    background: bool | None = None

    def apply_decay(self, now: float, run_weight: float = 0.0) -> None:
        """Reduce the weight of older runs, by their age and by the number of later runs."""
        keep = decay(run_weight, now - self.time if self.time else 0.0)
        self.n, self.s1, self.s2 = self.n * keep, self.s1 * keep, self.s2 * keep
        self.time = max(self.time, now)

    def add_run(self, x: float, weight: float, seconds: float, *, censored: bool) -> None:
        self._add(x, weight, 1.0)
        self.weight += weight
        self.runs += 1
        self.over_60 += seconds > OVER_S
        self.censored += censored

    def remove_run(self, run: CountedRun, weight: float, seconds: float) -> None:
        """Take out a bound that was counted before, with what is left of it after later runs."""
        x, weight_then, time_then = run
        self._add(x, weight, -decay(self.weight - weight_then, self.time - time_then))
        self.n = max(0.0, self.n)
        self.runs -= 1
        self.over_60 -= seconds > OVER_S
        self.censored -= 1

    def _add(self, x: float, weight: float, share: float) -> None:
        self.n += share * weight
        self.s1 += share * weight * x
        self.s2 += share * weight * x * x


# What a bound was counted as in one sum: its value, and the sum's weight and time just after it.
CountedRun = tuple[float, float, float]


def decay(run_weight: float, seconds: float) -> float:
    """What is left of a run's weight after later runs of this weight and this time."""
    return float(0.5 ** (run_weight / HALF_LIFE_RUNS + max(0.0, seconds) / 86400 / HALF_LIFE_DAYS))


@dataclass(frozen=True)
class Belief:
    """The posterior of ln(seconds): a Student t with location m, the scale below and 2a degrees of freedom."""

    m: float
    k: float
    a: float
    b: float

    @property
    def scale(self) -> float:
        return math.sqrt(self.b * (self.k + 1) / (self.a * self.k))

    @property
    def spread(self) -> float:
        return math.sqrt(self.b / self.a)

    def longer_than(self, seconds: float) -> float:
        """The probability that the next run takes longer."""
        return student_t_tail((math.log(seconds) - self.m) / self.scale, 2 * self.a)

    def quantile(self, share: float) -> float:
        """Seconds within which this share of runs ends."""
        return math.exp(min(40.0, self.m + self.scale * student_t_quantile(share, 2 * self.a)))


def prior_belief(tier: str) -> Belief:
    seconds, weight = PRIORS[tier]
    return Belief(math.log(seconds), weight, SPREAD_A, SPREAD_B)


def update_belief(before: Belief, stats: Stats) -> Belief:
    """The belief after these runs."""
    k = before.k + stats.n
    m = (before.k * before.m + stats.s1) / k
    b = before.b + (stats.s2 + before.k * before.m**2 - k * m**2) / 2
    return Belief(m, k, before.a + stats.n / 2, max(b, 1e-3))


def child_prior(parent: Belief) -> Belief:
    """The belief of a key before its own runs: its parent's location with a small weight."""
    return Belief(parent.m, CHILD_WEIGHT, SPREAD_A, SPREAD_B)


@dataclass
class Learner:
    """Takes samples in order of time, then gives the belief of every key."""

    stats: dict[tuple[str, str], Stats] = field(default_factory=dict)  # (project, level)
    tiers: dict[tuple[str, str], str] = field(default_factory=dict)
    parents: dict[tuple[str, str], tuple[str, str] | None] = field(default_factory=dict)

    def add_sample(self, sample: Sample) -> list[CountedRun]:
        """Learn from one run; a censored one counts as the expected value beyond (or below) its bound.

        Returns what it was counted as at each level, so that a bound can be taken out again (`remove_sample`).
        """
        chain = self.link_levels(sample)
        for place in chain:
            self.tiers[place] = sample.tier
        beliefs = self._chain_beliefs(chain)
        counted = []
        for place, belief in zip(chain, beliefs, strict=True):
            stats = self.stats.setdefault(place, Stats())
            stats.apply_decay(sample.time, sample.weight)
            x = expected_value(belief, math.log(max(sample.seconds, 1e-3)), sample.kind)
            stats.add_run(x, sample.weight, sample.seconds, censored=sample.kind != "exact")
            if sample.background is not None:
                stats.background = sample.background
            counted.append((x, stats.weight, stats.time))
        return counted

    def remove_sample(self, sample: Sample, counted: list[CountedRun]) -> None:
        """Forget a bound that was counted, because more is known of its run now."""
        for place, run in zip(self.link_levels(sample), counted, strict=False):
            if place in self.stats:
                self.stats[place].remove_run(run, sample.weight, sample.seconds)

    def find_belief(self, project: str, level: str) -> Belief | None:
        place = (project, level)
        if place not in self.stats:
            return None
        chain = []
        at: tuple[str, str] | None = place
        while at is not None:
            chain.append(at)
            at = self.parents.get(at)
        return self._chain_beliefs(chain)[0]

    def build_rows(self, project: str, now: float) -> dict[str, tuple[float | bool | None, ...]]:
        """The rows of one project for the hook process: its MAX_KEYS latest keys."""
        found = {}
        recent = sorted(
            (level for owner, level in self.stats if owner == project),
            key=lambda level: self.stats[project, level].time,
            reverse=True,
        )
        for level in recent[:MAX_KEYS]:
            stats = self.stats[project, level]
            stats.apply_decay(now)
            belief = self.find_belief(project, level)
            if belief is None or stats.n < LEAST_WEIGHT:
                continue
            if self.tiers[project, level] == "none" and belief.longer_than(THRESHOLDS[0]) < MIN_P_LONG:
                continue  # quick by its class and by its runs: the decision is the same without it
            found[level] = build_row(stats, belief, stats.background)
        return found

    def build_shared_rows(self, now: float) -> dict[str, tuple[float | bool | None, ...]]:
        """What a project that has not run a command may expect from the others: their median, and a wide spread."""
        found = {}
        for (owner, level), stats in self.stats.items():
            if owner or is_project_task(level):
                continue
            stats.apply_decay(now)
            belief = self.find_belief("", level)
            if belief is not None and stats.n >= LEAST_SHARED_WEIGHT:
                found[level] = build_row(stats, child_prior(belief), None)
        return found

    def link_levels(self, sample: Sample) -> list[tuple[str, str]]:
        """The levels of a sample, narrowest first, the level shared between projects last."""
        chain = [(sample.project, level) for level in dict.fromkeys(sample.levels)]
        if sample.shared:
            chain.append(("", sample.shared))
        for child, parent in zip(chain, [*chain[1:], None], strict=True):
            self.parents[child] = parent
        return chain

    def _chain_beliefs(self, chain: list[tuple[str, str]]) -> list[Belief]:
        """The belief of each level in a chain; the widest starts from its static class."""
        beliefs: list[Belief] = []
        belief = prior_belief(self.tiers[chain[-1]])
        for place in reversed(chain):
            before = belief if not beliefs else child_prior(belief)
            belief = update_belief(before, self.stats.get(place, Stats()))
            beliefs.append(belief)
        return beliefs[::-1]


def build_row(stats: Stats, belief: Belief, background: bool | None) -> tuple[float | bool | None, ...]:
    """What the hook process is told of a key: durations_read.Row."""
    chances = [round(belief.longer_than(seconds), 3) for seconds in THRESHOLDS]
    return (stats.runs, round(math.exp(belief.m), 2), round(belief.quantile(0.9), 2), background, *chances)


# Verbs of package managers that mean the same in every project; any other is a script of the project.
_COMMON_VERBS = frozenset(
    (
        *("install", "i", "ci", "add", "remove", "uninstall", "update", "upgrade", "outdated", "audit", "dedupe"),
        *("exec", "dlx", "x", "create", "init", "publish", "pack", "link", "rebuild", "prune", "view", "info", "ls"),
    )
)


def is_project_task(level: str) -> bool:
    """Whether a key names a task that every project defines for itself: `npm run build`, `yarn test`."""
    words = level.split(" ")
    return words[0] in ("npm", "pnpm", "yarn", "bun", "deno") and len(words) > 1 and words[1] not in _COMMON_VERBS


def fit_samples(samples: Iterable[Sample]) -> Learner:
    learner = Learner()
    for sample in sorted(samples, key=lambda sample: sample.time):
        learner.add_sample(sample)
    return learner


def expected_value(belief: Belief, x: float, kind: str) -> float:
    """The value that a sample counts as: itself, or the mean of the distribution beyond or below its bound."""
    if kind == "exact":
        return x
    z = (x - belief.m) / belief.spread
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    if kind == "least":
        above = math.erfc(z / math.sqrt(2)) / 2
        return x + belief.spread / z if z > 8 else belief.m + belief.spread * density / above
    below = math.erfc(-z / math.sqrt(2)) / 2
    return x + belief.spread / z if z < -8 else belief.m - belief.spread * density / below


def student_t_tail(t: float, freedom: float) -> float:
    """The probability that a Student t exceeds this value."""
    half = _incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2
    return half if t > 0 else 1 - half


def student_t_quantile(share: float, freedom: float) -> float:
    """The value that a Student t stays below with this probability: Newton's method, about four steps."""
    if share < 0.5:
        return -student_t_quantile(1 - share, freedom)
    log_front = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2) - math.log(freedom * math.pi) / 2
    t = 0.0  # the tail falls and is convex to the right of 0: from the left, Newton never oversteps
    for _ in range(100):
        density = math.exp(log_front - (freedom + 1) / 2 * math.log1p(t * t / freedom))
        step = (student_t_tail(t, freedom) - (1 - share)) / density
        t += step
        if abs(step) <= 1e-6 * (1 + t):
            break
    return t


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _beta_fraction(a, b, x) / a
    return 1 - front * _beta_fraction(b, a, 1 - x) / b


def _beta_fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, by Lentz's method."""
    tiny = 1e-300
    c, d = 1.0, 1 - (a + b) * x / (a + 1)
    d = 1 / (d if abs(d) > tiny else tiny)
    result = d
    for m in range(1, 200):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            d = 1 / (d if abs(d) > tiny else tiny)
            c = 1 + numerator / c
            c = c if abs(c) > tiny else tiny
            result *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return result
