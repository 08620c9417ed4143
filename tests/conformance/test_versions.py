"""The engine speaks for a version: what older clients do otherwise was recorded from them, case by case."""

import os

import pytest

from hookwright.engine import Engine
from hookwright.errors import UserError
from hookwright.protocol.client_versions import parse_version
from tests.conformance import scenes
from tests.conformance.engine import play
from tests.conformance.record import unread_fields

VERSIONS = sorted(os.path.splitext(name)[0] for name in os.listdir(scenes.VERSIONS))
OLD_RULES = "its permission rules were another language: no .gitignore patterns, and any expansion fits every rule"
OLD_LISTS = "a comma or a blank made an expression of a matcher"
# (version, scene) → cases in which the engine differs, and why. A case that agrees must not be listed.
DIFFERENCES: dict[tuple[str, str], tuple[set[str], str]] = {
    ("2.1.139", "exit-2-odd-json"): (
        {"exit 2, JSON that breaks the schema", "exit 2, no event name"},
        "exit 2 beside JSON that breaks the schema stopped nothing",
    ),
    ("2.1.139", "if"): (
        {"$ echo $(date)", "$ echo $HOME", '$ git push "unclosed', "Read .env", "Read sub/.env", "Write in src"},
        OLD_RULES,
    ),
    ("2.1.139", "if-paths"): (
        {
            *("Read src/a.py", "Read src/c.py", "Read in the home folder", "Read src/deep/b.py", "Read src"),
            *("Read other/src/x.txt", "Write src/a.py", "Read src/deep/c.py"),
        },
        OLD_RULES,
    ),
    ("2.1.139", "if-paths-case"): (
        {
            *("<PROJECT>/a.py", "<PROJECT>/src/a.py", "~/notes.txt", "src/a.py", "<PROJECT>/A.PY", "/opt/x.py"),
            "<PROJECT>/SRC/A.py",
        },
        OLD_RULES,
    ),
    ("2.1.139", "matcher-exact"): ({"Bash", "Write", "Read", "Agent"}, OLD_LISTS),
    ("2.1.139", "reasons-beside"): (
        {"block outside, the reason inside"},
        "the inner reason counted for an outer block",
    ),
    ("2.1.139", "rewrites"): ({"a later plain rewrite beats one with allow"}, "a rewrite with allow beat a plain one"),
    ("2.1.139", "stop"): ({"block and context", "context goes on"}, "Stop had no additionalContext yet"),
    ("2.1.235", "if"): ({'$ git push "unclosed'}, "an open quote was still split"),
    ("2.1.235", "reasons-beside"): (
        {"block outside, the reason inside"},
        "the inner reason counted for an outer block",
    ),
    ("2.1.235", "rewrites"): ({"a later plain rewrite beats one with allow"}, "a rewrite with allow beat a plain one"),
}
# Managed handlers ran beside the others there, and which ended last is a race.
RACES = {("managed-first", "exit 2 ends the asking"), ("managed-two", "a rewrite, then the user's")}
SLOW = ("dedup", "http", "on-failure")


def list_recorded():
    for version in VERSIONS:
        for name in scenes.load_version(version):
            marks = [pytest.mark.slow] * (name in SLOW)
            yield pytest.param(version, name, id=f"{version}-{name}", marks=marks)


def test_two_older_clients_were_recorded():
    assert len(VERSIONS) >= 2
    for version in VERSIONS:
        assert parse_version(version)
        assert len(scenes.load_version(version)) >= 20


def test_a_recorded_version_speaks_of_scenes_and_cases_of_the_table():
    cases = {scene.name: {case.name for case in scene.cases} for scene in map(scenes.load, scenes.files())}
    for version in VERSIONS:
        for name, found in scenes.load_version(version).items():
            assert set(found) <= cases[name], (version, name)


@pytest.mark.parametrize(("version", "name"), [*list_recorded()])
def test_the_engine_does_what_that_version_does(version, name, tmp_path):
    scene = scenes.load(os.path.join(scenes.FOLDER, f"{name}.json"))
    recorded = scenes.load_version(version)[name]
    known, _ = DIFFERENCES.get((version, name), (set(), ""))
    wrong, agreeing = {}, []
    for case, found in play(scene, tmp_path / "stage", version):
        unread = unread_fields(case, version)
        every = scenes.differences(recorded.get(case.name, case.outcome), found)
        lines = [line for line in every if line.split(":")[0] not in unread]
        if (name, case.name) in RACES:
            continue
        if case.name not in known:
            wrong.update({case.name: lines} if lines else {})
        elif not lines:
            agreeing.append(case.name)
    assert not wrong
    assert not agreeing, "these agree now: remove them from the list"


def test_what_is_no_version_is_refused():
    with pytest.raises(UserError, match="is no version of Claude Code"):
        Engine.from_settings(settings={}, client="newest")


def test_a_handler_of_an_event_that_the_version_does_not_know_is_not_run():
    settings = {"user": {"hooks": {"PostToolBatch": [{"hooks": [{"type": "command", "command": "exit 2"}]}]}}}
    payload = {"hook_event_name": "PostToolBatch", "tool_calls": []}
    with Engine.from_settings(settings=settings, client="2.1.117") as engine:
        outcome = engine.fire_now(payload)
    assert (outcome.decision, outcome.continue_) == ("none", True)
    assert outcome.handlers[0].why_not == "Claude Code 2.1.117 does not know PostToolBatch"


def test_a_file_that_the_oldest_clients_skip_has_no_handlers():
    hooks = {"PreToolUse": [{"hooks": [{"type": "command", "command": "exit 2"}]}], "MessageDisplay": [{"hooks": []}]}
    hooks["PostToolBatch"] = hooks["PreToolUse"]
    payload = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "ls"}}
    for version, handlers in (("2.1.100", 0), ("2.1.112", 1)):
        with Engine.from_settings(settings={"user": {"hooks": hooks}}, client=version) as engine:
            assert len(engine.choices(payload)) == handlers, version
