"""Once per session, and not more often than."""

import pytest

from hookwright.store import limits

NOW = 1_763_208_000.0


def test_once_is_true_the_first_time_for_each_session_agent_and_name(tmp_path):
    state = str(tmp_path)
    calls = [("s1", None, "a"), ("s1", "agent-7", "a"), ("s2", None, "a"), ("s1", None, "b")]
    marks = [(limits.scope(state, session, agent), name) for session, agent, name in calls]
    assert [limits.once(*mark) for mark in marks] == [True] * 4
    assert [limits.once(*mark) for mark in marks] == [False] * 4


def test_a_forgotten_name_begins_anew(tmp_path):
    here = limits.scope(str(tmp_path), "s")
    assert limits.once(here, "a")
    limits.forget(here, "a")
    assert limits.once(here, "a")


@pytest.mark.parametrize(
    ("times", "most", "per_seconds", "allowed"),
    [
        ([0, 1, 59, 60, 61], 1, 60, [True, False, False, True, False]),
        ([0, 1, 2, 3], 3, 60, [True, True, True, False]),
        ([0, 30, 60, 89, 90], 2, 60, [True, True, True, False, True]),
        ([0, 0, 0], 2, 60, [True, True, False]),
        ([0, -10, -3600, -3599], 1, 60, [True, False, True, False]),
        ([0], 0, 60, [False]),
    ],
)
def test_no_span_of_time_holds_more_than_its_number(tmp_path, times, most, per_seconds, allowed):
    got = [limits.allow(str(tmp_path), "n", NOW + t, most=most, per_seconds=per_seconds) for t in times]
    assert got == allowed


def test_limits_of_other_sessions_agents_and_names_do_not_count(tmp_path):
    one = {"most": 1, "per_seconds": 60}
    for key in (("s", None, "n"), ("s", "a", "n"), ("t", None, "n"), ("s", None, "m")):
        assert limits.allow(limits.scope(str(tmp_path), key[0], key[1]), key[2], NOW, **one)


@pytest.mark.parametrize("state", [None, "/proc/nowhere"])
def test_where_nothing_can_be_written_the_answer_is_no(state):
    assert not limits.once(limits.scope(state, "s"), "n")
    assert not limits.allow(limits.scope(state, "s"), "n", NOW, most=1, per_seconds=60)


@pytest.mark.parametrize("damage", [b"x" * 24, b"\xff" * 50, b"1"])
def test_a_damaged_file_means_no_or_is_passed_over_but_never_raises(tmp_path, damage):
    limits.allow(str(tmp_path), "n", NOW, most=1, per_seconds=60)
    (file,) = tmp_path.rglob("*.times")
    file.write_bytes(damage)
    assert limits.allow(str(tmp_path), "n", NOW, most=1, per_seconds=60) in (True, False)


RACER = """
from hookwright.store import limits
sys.stdin.readline()
once = sum(limits.once(sys.argv[1], f"mark{i}") for i in range(50))
allow = sum(limits.allow(sys.argv[1], f"n{i}", 1763208000.0, most=3, per_seconds=60) for i in range(50))
print(once, allow)
"""


def test_processes_at_once_share_one_limit(tmp_path, crowd):
    racers = [crowd.start(RACER, tmp_path) for _ in range(8)]
    for racer in racers:
        racer.stdin.write("\n")
        racer.stdin.flush()
    counts = [tuple(map(int, line.split())) for line in crowd.outputs()]
    assert sum(once for once, _ in counts) == 50
    assert sum(allow for _, allow in counts) == 150


def write_uses(state, count, seconds_apart):
    """The file of a limit that was used so often, as `allow` writes it."""
    entries = [f"{NOW + seconds_apart * number:014.3f} {number:08x}\n" for number in range(count)]
    (state / "n.times").write_text("".join(entries))


def test_a_limit_that_is_used_for_years_neither_grows_nor_stops(tmp_path):
    """The times of old uses go. Before, the file grew until a new entry was no longer read: then all was refused."""
    first = limits._MOST_ENTRIES - 5
    write_uses(tmp_path, first, seconds_apart=60)
    times = [NOW + 60 * number for number in range(first, first + 40)]
    assert all(limits.allow(str(tmp_path), "n", time, most=1, per_seconds=60) for time in times)
    assert (tmp_path / "n.times").stat().st_size < limits._MOST_ENTRIES * limits._ENTRY
    assert not limits.allow(str(tmp_path), "n", times[-1] + 1, most=1, per_seconds=60)


def test_the_times_that_count_survive_when_old_ones_go(tmp_path):
    first = limits._MOST_ENTRIES - 5
    write_uses(tmp_path, first, seconds_apart=1)
    for number in range(first, first + 10):
        assert limits.allow(str(tmp_path), "n", NOW + number, most=10_000, per_seconds=60)
    assert not limits.allow(str(tmp_path), "n", NOW + first + 10, most=30, per_seconds=60)
