"""The sums: the same as fitting all samples, whatever the order in which a run becomes known."""

import math
import random

import pytest

from hookwright.store import duration_sums, refresh
from hookwright.store.database import open_store
from hookwright.store.duration_samples import SampleWriter
from hookwright.store.duration_sums import load_project, rebuild_sums
from hookwright.store.estimate import Sample, fit_samples

PROJECT = "/home/ann/shop"
BEGIN = 1_763_208_000.0
DAY = 86400.0


@pytest.fixture
def ledger(tmp_path):
    return open_store(str(tmp_path / "state"))


def add(store, *runs, now=BEGIN):
    """Each run: tool use, command, seconds, kind, seconds after BEGIN."""
    samples = SampleWriter(store, now)
    for call, command, seconds, kind, later in runs:
        samples.add(
            "s1",
            call,
            time=BEGIN + later,
            project=PROJECT,
            command=command,
            seconds=seconds,
            kind=kind,
            weight=1.0,
            source="ledger",
        )
    samples.save()


def sums(store):
    """Place → its sums, without what rounding changes."""
    names = ("n", "s1", "s2", "time", "weight", "runs", "over_60", "censored")
    rows = store.execute("SELECT * FROM sums").fetchall()
    return {(row["project"], row["level"]): pytest.approx([row[name] for name in names], abs=1e-6) for row in rows}


def values(store):
    return {place: found.expected for place, found in sums(store).items()}


def test_added_one_by_one_they_are_those_of_all_samples_at_once(ledger):
    chance = random.Random(1)
    commands = ("make", "pytest -x tests/a.py", "pytest tests", "npm ci && npm run build", "./slow.sh --n 5")
    runs = [
        (
            f"t{n}",
            chance.choice(commands),
            chance.uniform(0.1, 300),
            chance.choice(["exact", "least", "most"]),
            900.0 * n,
        )
        for n in range(60)
    ]
    for run in runs:
        add(ledger, run)
    learner = fit_samples(
        Sample(levels, tier, round(seconds, 3), BEGIN + later, kind=kind, shared=shared, project=PROJECT)
        for _, command, seconds, kind, later in runs
        for levels, shared, tier in [duration_sums.describe_command(command)]
    )
    found = load_project(ledger, PROJECT, 600)
    assert found.build_rows(PROJECT, BEGIN + DAY) == learner.build_rows(PROJECT, BEGIN + DAY)
    before = values(ledger)
    rebuild_sums(ledger)
    assert sums(ledger) == before


@pytest.mark.parametrize("between", [0, 1, 5, 40])
def test_a_bound_that_becomes_exact_leaves_nothing_of_the_bound(ledger, tmp_path, between):
    """However many other runs came in between: as if the exact duration had been known when it arrived."""
    others = [(f"o{n}", "make", 20.0 + n, "exact", 60.0 * n) for n in range(between)]
    add(ledger, ("t", "make", 120.0, "least", 0.0), *others, ("t", "make", 180.0, "exact", 60.0 * between))
    known = open_store(str(tmp_path / "known"))
    add(known, *others, ("t", "make", 180.0, "exact", 60.0 * between))
    place = (PROJECT, "make")
    runs, expected = values(ledger)[place], values(known)[place]
    # n, s1 and s2 without the bound; the later runs had decayed with its weight, which is what is left
    assert runs[5:] == expected[5:] == [between + 1, 1, 0]
    assert runs[1] / runs[0] == pytest.approx(expected[1] / expected[0], abs=0.02)


def test_exceedances_and_bounds_are_counted(ledger):
    add(
        ledger,
        ("a", "make", 61.0, "exact", 0),
        ("b", "make", 59.0, "exact", 10),
        ("c", "make", 120.0, "least", 20),
        ("d", "make", 5.0, "most", 30),
    )
    row = ledger.execute("SELECT * FROM sums WHERE project = ? AND level = 'make'", (PROJECT,)).fetchone()
    assert (row["runs"], row["over_60"], row["censored"], row["weight"]) == (4, 2, 2, 4.0)
    assert math.exp(row["s1"] / row["n"]) > 10


def test_an_exact_duration_is_never_replaced(ledger):
    add(ledger, ("a", "make", 61.0, "exact", 0), ("a", "make", 500.0, "least", 0), ("a", "make", 5.0, "exact", 0))
    assert ledger.execute("SELECT seconds, kind FROM samples").fetchall()[0]["seconds"] == 61.0
    assert values(ledger)[PROJECT, "make"][5] == 1


def test_a_run_marks_its_project_and_what_is_shared_as_unpublished(ledger):
    add(ledger, ("a", "pytest", 5.0, "exact", 0))
    assert {row["project"] for row in ledger.execute("SELECT project FROM unpublished")} == {PROJECT, ""}


def test_runs_of_long_ago_are_put_in_order_by_the_next_refresh(ledger, tmp_path):
    """As when transcripts of months are learned after a day of use."""
    late = [(f"o{n}", "make", 200.0, "exact", -30 * DAY + n) for n in range(8)]
    add(ledger, ("new", "make", 2.0, "exact", 0.0), *late)
    assert not duration_sums.are_current(ledger)
    refresh.refresh(ledger, str(tmp_path / "state"), BEGIN)
    ordered = open_store(str(tmp_path / "ordered"))
    add(ordered, *late, ("new", "make", 2.0, "exact", 0.0))
    assert sums(ledger) == values(ordered)


def test_another_version_of_the_model_sums_up_again(ledger, tmp_path):
    add(ledger, ("a", "make", 61.0, "exact", 0))
    before = values(ledger)
    ledger.execute("UPDATE meta SET value = '0 of old' WHERE name = 'sums'")
    ledger.execute("UPDATE sums SET n = 99")
    refresh.refresh(ledger, str(tmp_path / "state"), BEGIN)
    assert sums(ledger) == before
