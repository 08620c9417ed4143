"""Files in the shapes people publish: no crash, no false error, planted defects named, byte-exact round trips."""

import os

import pytest

from hookwright.settings.change import apply, plan_install, plan_uninstall
from hookwright.settings.check import CheckContext, check
from hookwright.settings.desired_entry import DesiredEntry
from hookwright.settings.find import SearchPaths, find_sources
from hookwright.settings.load import load_sources
from hookwright.verify.report import is_wrong
from tests.settings.published import DEFECTS, HEALTHY, render
from tests.settings.random_files import is_ours, our_handler

ALL = [*HEALTHY, *DEFECTS]
FILES = {
    "project": "project/.claude/settings.json",
    "local": "project/.claude/settings.local.json",
    "user": "home/.claude/settings.json",
}
WANTED = [DesiredEntry("PreToolUse", "Bash", our_handler()), DesiredEntry("Stop", None, our_handler())]


def put(root, published, style=0):
    """Write the file and its scripts; returns its path."""
    for name, text in published.scripts.items():
        path = root / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)
    path = root / FILES[published.scope]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(render(published, style))
    return path


def findings_of(root, published):
    put(root, published)
    project = str(root / "project")
    os.makedirs(project, exist_ok=True)
    environment = {"HOME": str(root / "home"), "PATH": "/usr/bin:/bin", **published.others.get("env", {})}
    places = SearchPaths.from_environment(environment, project, managed=str(root / "managed"))
    return check(load_sources(find_sources(places)), CheckContext(project, environment))


def test_the_corpus_is_as_large_as_it_says():
    assert len({published.name for published in ALL}) == len(ALL) >= 150
    assert len({render(published) for published in HEALTHY}) >= 100
    assert len(DEFECTS) >= 40


def test_healthy_files_have_no_finding(tmp_path):
    wrong = {}
    for number, published in enumerate(HEALTHY):
        found = findings_of(tmp_path / str(number), published)
        # Not every machine has jq.
        wrong[published.name] = [finding for finding in found if finding.code != "program-missing"]
    assert {name: found for name, found in wrong.items() if found} == {}


def test_planted_defects_are_named_with_their_place_and_a_way_out(tmp_path):
    missed = {}
    for number, published in enumerate(DEFECTS):
        found = findings_of(tmp_path / str(number), published)
        named = [finding for finding in found if finding.code == published.code]
        if not named or "settings" not in named[0].where or not named[0].fix:
            missed[published.name] = found
        elif is_wrong(named[0]) != (published.code not in ("path-relative", "tool-unknown")):
            missed[published.name] = named
    assert missed == {}


@pytest.mark.slow
def test_install_and_uninstall_leave_every_byte_as_it_was(tmp_path):
    for number, published in enumerate(ALL):
        path = put(tmp_path / str(number), published, style=number)
        before, state = path.read_bytes(), str(tmp_path / "state")
        apply(plan_install(str(path), WANTED, is_ours, state), state)
        installed = path.read_bytes()
        assert installed != before, published.name
        again = plan_install(str(path), WANTED, is_ours, state).after
        assert again in (None, installed), published.name  # a second time: no change
        apply(plan_uninstall(str(path), is_ours, state), state)
        assert path.read_bytes() == before, published.name
