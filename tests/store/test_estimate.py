"""The estimator: a run outweighs a guess, a bound is no duration, the recent past counts most."""

import math
import random

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from hookwright.store.durations_read import THRESHOLDS
from hookwright.store.estimate import Learner, Sample, expected_value, fit_samples, prior_belief, student_t_tail
from tests.sizes import examples

DAY = 86400.0
LEVELS = ("python x.py --n", "python x.py", "python x.py …")


def after(tier, seconds, *, kind="exact", every=3600.0, weight=1.0):
    """The chance to take longer than a minute after these runs."""
    learner = fit_samples(
        Sample(LEVELS, tier, s, 1e9 + every * i, kind=kind, weight=weight) for i, s in enumerate(seconds)
    )
    return learner.find_belief("", LEVELS[0]).longer_than(60)


@pytest.mark.parametrize(
    ("t", "freedom", "above"),
    [  # from tables of the t distribution
        *[(0.0, 3, 0.5), (6.3138, 1, 0.05), (2.9200, 2, 0.05), (2.0150, 5, 0.05), (1.8125, 10, 0.05)],
        *[(-1.8125, 10, 0.95), (2.7638, 10, 0.01), (1.6577, 120, 0.05), (63.657, 1, 0.005)],
    ],
)
def test_the_t_distribution_agrees_with_the_tables(t, freedom, above):
    assert student_t_tail(t, freedom) == pytest.approx(above, abs=2e-5)


@pytest.mark.parametrize(
    ("tier", "seconds", "long"),
    [
        *[("none", [200], True), ("none", [90, 90], True), ("none", [0.5], False), ("none", [20, 20], False)],
        *[("force", [3], False), ("force", [15], False), ("force", [90], True), ("suggest", [300], True)],
    ],
)
def test_one_or_two_runs_outweigh_the_static_class(tier, seconds, long):
    assert (after(tier, seconds) > 0.6) is long
    assert (after(tier, seconds) < 0.4) is not long


def test_before_any_run_the_static_class_orders_the_chances():
    assert (
        prior_belief("force").longer_than(60)
        > prior_belief("suggest").longer_than(60)
        > prior_belief("none").longer_than(60)
    )


def test_a_run_that_was_cut_at_two_minutes_counts_as_longer_than_that():
    assert after("none", [120], kind="least") > after("none", [120]) > 0.6


def test_a_run_that_had_ended_by_then_counts_as_shorter_than_that():
    assert after("force", [50], kind="most") < after("force", [50])


def test_a_change_of_pace_is_learned_within_two_half_lives():
    assert after("none", [200] * 10 + [2] * 16) < 0.2
    assert after("none", [2] * 10 + [200] * 16) > 0.6


def test_what_lies_months_back_hardly_counts():
    assert after("none", [200, 1], every=365 * DAY) < after("none", [200, 1], every=60) < 0.6


def test_a_weak_sample_moves_less_than_a_full_one():
    assert after("force", [0.2], weight=1) < after("force", [0.2], weight=0.3) < prior_belief("force").longer_than(60)


def test_runs_of_one_variant_help_another():
    learner = fit_samples([Sample(("pytest -x <node>", "pytest <node>", "pytest …"), "suggest", 1.0, 1e9)] * 5)
    learner.add_sample(Sample(("pytest", "pytest", "pytest …"), "suggest", 400.0, 1e9 + 60))
    assert learner.find_belief("", "pytest").longer_than(60) > 0.6
    assert learner.find_belief("", "pytest <node>").longer_than(60) < 0.2


def test_other_projects_help_where_the_name_means_the_same():
    runs = [Sample(("npm install",), "force", 3.0, 1e9, shared="npm install", project=f"/p{i}") for i in range(4)]
    learner = fit_samples([*runs, Sample(("npm install",), "force", 40.0, 1e9 + 9, shared="npm install", project="/q")])
    alone = fit_samples([Sample(("npm install",), "force", 40.0, 1e9 + 9, project="/q")])
    assert learner.find_belief("/q", "npm install").longer_than(60) < alone.find_belief(
        "/q", "npm install"
    ).longer_than(60)


def test_rows_name_runs_median_late_quantile_and_the_chance_at_every_threshold():
    learner = fit_samples([Sample(LEVELS, "none", 30.0, 1e9 + i, background=True) for i in range(6)])
    runs, median, late, background, *chances = learner.build_rows("", 1e9 + 10)[LEVELS[0]]
    assert runs == 6
    assert background is True
    assert 20 < median < 40 < late
    assert len(chances) == len(THRESHOLDS)
    assert chances == sorted(chances, reverse=True)


def test_a_key_that_has_been_forgotten_gets_no_row():
    assert fit_samples([Sample(LEVELS, "none", 30.0, 1e9)]).build_rows("", 1e9 + 400 * DAY) == {}


def test_beliefs_find_the_truth_of_a_log_normal():
    chance = random.Random(3)
    learner = Learner()
    for i in range(400):
        learner.add_sample(Sample(LEVELS, "none", math.exp(chance.gauss(math.log(45), 0.5)), 1e9 + i))
    belief = learner.find_belief("", LEVELS[0])
    assert belief.m == pytest.approx(math.log(45), abs=0.4)
    assert belief.longer_than(60) == pytest.approx(0.283, abs=0.15)


@settings(max_examples=examples(200), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(
        st.tuples(
            st.floats(0, 1e7),
            st.sampled_from(["exact", "least", "most"]),
            st.sampled_from(["force", "suggest", "none"]),
            st.floats(0.05, 1),
        ),
        min_size=1,
        max_size=30,
    )
)
def test_any_samples_give_finite_beliefs_and_chances_between_none_and_all(runs):
    learner = fit_samples(
        Sample(LEVELS, tier, s, 1e9 + i, kind=kind, weight=w) for i, (s, kind, tier, w) in enumerate(runs)
    )
    for row in learner.build_rows("", 1e9 + 100).values():
        assert all(0 <= chance <= 1 for chance in row[4:])
        assert row[2] >= row[1] * 0.99
        assert all(map(math.isfinite, row[1:3]))


@pytest.mark.parametrize("kind", ["least", "most"])
@pytest.mark.parametrize("x", [-50.0, -3.0, 0.0, 3.0, 50.0])
def test_a_bound_counts_as_a_value_on_its_own_side(kind, x):
    value = expected_value(prior_belief("suggest"), x, kind)
    assert math.isfinite(value)
    assert value >= x if kind == "least" else value <= x


def test_what_is_quick_by_name_and_by_past_is_not_published():
    learner = fit_samples([Sample(("ls",), "none", 0.05, 1e9), Sample(("npm install",), "force", 0.05, 1e9)])
    assert set(learner.build_rows("", 1e9 + 1)) == {"npm install"}
