"""What the first half of many sessions teaches about the second half; and what one project knows from the others."""

import pytest

from hookwright.hooks.auto_background.hook import AutoBackground
from hookwright.hooks.base import World
from hookwright.store import durations_read, durations_write, refresh
from hookwright.store.duration_samples import SampleWriter
from hookwright.store.learn import PromptSigns, build_sample
from hookwright.store.transcripts import ToolCall
from hookwright.testing.builders import bash
from tests.store.learned_halves import measure_halves

NOW = 1_790_000_000.0


@pytest.mark.parametrize("seed", [4, 5, 6])
def test_the_first_half_of_sessions_decides_the_second(tmp_path, seed):
    names = {"learned": False}
    found = measure_halves(tmp_path, {"seed": {}, "endless": {"by_name": "endless"}, "names": names}, seed)
    for policy in ("seed", "endless"):
        score = found[policy]
        assert score.precision(25) >= 0.9
        assert score.recall(25) >= 0.6
        assert score.quick_moved <= 0.01 * score.quick_seen
    assert found["names"].precision(25) < 0.5  # the sessions are such that names alone are often wrong


# -- one run, here or elsewhere ----------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path):
    """`place.ran(project, command, *seconds)`, `place.says(project, command)`."""

    class Place:
        state = str(tmp_path)
        number = 0

        def ran(self, project, command, *runs, **known):
            store, _ = refresh.open_ledger(self.state, NOW)
            writer = SampleWriter(store, NOW)
            for seconds in runs:
                self.number += 1
                given = {"kind": "exact", "weight": 1.0, "source": "ledger", **known}
                writer.add(
                    "s1", f"t{self.number}", time=NOW - 9000 + self.number, project=project, command=command,
                    seconds=seconds, **given,
                )  # fmt: skip
            writer.save()
            refresh.refresh(store, self.state, NOW)
            store.close()

        def says(self, project, command, **options):
            world = World(state=self.state, project=project, now=NOW)
            verdict, reason = AutoBackground(world, **options).classify_command(bash(command, cwd=project), command)
            return verdict, reason, world.facts

    return Place()


@pytest.mark.parametrize("command", ["npm ci", "cargo build --release", "npm run build | tail -5", "npm test"])
def test_one_quick_run_is_enough_to_leave_a_command_alone(place, command):
    assert place.says("/p", command)[0] == "force"
    place.ran("/p", command, 2.0)
    assert place.says("/p", command)[0] == "none"


def test_a_command_that_failed_at_once_is_not_long(place):
    place.ran("/p", "swift build", 0.3, weight=0.5)
    assert place.says("/p", "swift build")[0] == "none"


def test_runs_of_other_projects_count_where_this_one_has_none(place):
    place.ran("/other", "npm ci", 2.0, 2.5, 3.0)
    verdict, _, facts = place.says("/new", "npm ci --no-audit")
    assert verdict == "none"
    assert facts["learned"]["n"] == 3
    place.ran("/other", "docker build -t x .", 200.0, 220.0, 240.0)
    verdict, reason, _ = place.says("/new", "docker build -t y .")
    assert verdict == "force"
    assert reason.startswith("3 runs in other projects, usually")


def test_the_projects_own_runs_outweigh_those_of_others(place):
    place.ran("/other", "npm ci", *[2.0] * 20)
    place.ran("/own", "npm ci", 200.0, 210.0)
    verdict, reason, _ = place.says("/own", "npm ci")
    assert verdict == "force"
    assert "2 runs here" in reason


@pytest.mark.parametrize("command", ["npm run build", "make all", "./run.sh", "python x.py", "yarn test"])
def test_what_every_project_defines_for_itself_is_not_taken_from_another(place, command):
    before = place.says("/new", command)[0]
    place.ran("/other", command, *([300.0] * 5 if before != "force" else [1.0] * 5))
    assert place.says("/new", command)[0] == before


def test_a_quick_command_by_its_name_does_not_read_what_others_know(place, monkeypatch):
    place.ran("/other", "docker build .", 200.0, 200.0)
    opened = []
    real = durations_read.open_table
    monkeypatch.setattr(durations_read, "open_table", lambda folder: opened.append(folder) or real(folder))
    assert place.says("/new", "ls -la")[0] == "none"
    assert opened == []


# -- who was asked -----------------------------------------------------------------------------------------------------


def call(tool, seconds, **known):
    return ToolCall("t", tool, {"command": "npm ci"}, 1.0, seconds=seconds, outcome="ok", **known)


@pytest.mark.parametrize(
    ("edits", "kind"),
    [
        ([0.1] * 20, "exact"),
        ([0.1] * 18 + [5.0], "exact"),
        ([0.1, 9.0, 12.0, 0.1, 30.0], "most"),
        ([], "exact"),
    ],
)
def test_slow_edits_tell_that_a_person_was_asked_before_commands(edits, kind):
    signs = PromptSigns()
    for seconds in edits:
        signs.add_call(call("Edit", seconds))
    assert build_sample(call("Bash", 40.0), prompted=signs.were_seen)[1] == kind
    assert build_sample(call("Bash", 40.0, permission_known=True), prompted=signs.were_seen)[1] == "exact"
    assert build_sample(call("Bash", 1.0), prompted=signs.were_seen)[1] == "exact"


# -- files of the version before ---------------------------------------------------------------------------------------


def write_format_2(folder, rows, slow, others):
    """A file as the version before wrote it: names as text in the head."""
    import marshal  # noqa: PLC0415
    from _imp import source_hash  # noqa: PLC0415

    new = durations_write.pack_table(rows, {}, ())
    size = int.from_bytes(new[8:12], "little")
    slots = marshal.loads(new[12 : 12 + size])[1]
    head = marshal.dumps((2, slots, *("\n" + "\n".join(names) + "\n" for names in (slow, others))))
    head = len(head).to_bytes(4, "little") + head
    shift = len(head) - size - 4
    table = bytearray(new[12 + size : 12 + size + slots * durations_read.SLOT])
    for at in range(0, len(table), durations_read.SLOT):
        offset = int.from_bytes(table[at + 8 : at + 12], "little")
        if offset:
            table[at + 8 : at + 12] = (offset + shift).to_bytes(4, "little")
    rest = new[12 + size + len(table) :]
    folder.mkdir(parents=True)
    (folder / "durations").write_bytes(source_hash(durations_read.SALT, head) + head + table + rest)


def test_a_file_of_the_version_before_is_read_and_then_written_anew(place, tmp_path):
    from hookwright.store.paths import project_dir  # noqa: PLC0415

    slow = (4, 95.0, 120.0, None, *([0.9] * len(durations_read.THRESHOLDS)))
    folder = tmp_path / project_dir("", "/p")[1:]
    write_format_2(folder, {"./own.sh": slow}, ["own.sh"], [])
    assert place.says("/p", "./own.sh")[0] == "force"
    assert place.says("/p", "ls")[0] == "none"
    place.ran("/p", "./own.sh", 95.0, 96.0)
    assert durations_read.open_table(str(folder)) is not None
    assert (folder / "durations").read_bytes()[12:].find(b"own.sh\n") < 0
    assert place.says("/p", "./own.sh")[0] == "force"
