"""Whatever is begun is green: every event, every kind of tool, and the text is as a careful person would leave it."""

import subprocess
import sys

import pytest

from hookwright.protocol import catalogue
from hookwright.protocol.capabilities import LEGAL
from hookwright.testing import scaffold
from hookwright.testing.case_runner import CaseRunner
from hookwright.testing.run_cases import load_cases
from hookwright.testing.scaffold import Draft

pytest_plugins = ["pytester"]
TOOLS = (
    "Write",
    "Edit",
    "NotebookEdit",
    "WebFetch",
    "Grep",
    "Agent",
    "AskUserQuestion",
    "TodoWrite",
    "mcp__*",
    "mcp__db__*",
)
DRAFTS = [
    *(Draft(f"on_{event.lower()}", event, ("Bash",) if catalogue.is_about_tools(event) else ()) for event in LEGAL),
    *(Draft(f"on_{tool.lower().replace('*', 'any')}", "PreToolUse", (tool,)) for tool in TOOLS),
    Draft("on_two", "PostToolUse", ("Write", "Edit")),
]


@pytest.fixture
def folder(tmp_path):
    return tmp_path


def put(folder, draft):
    (folder / f"{draft.name}.py").write_text(scaffold.render_hook(draft))
    (folder / f"{draft.name}.case").write_text(scaffold.render_cases(draft))
    return [str(folder / f"{draft.name}.py"), str(folder / f"{draft.name}.case")]


@pytest.mark.parametrize("draft", DRAFTS, ids=lambda draft: draft.name)
def test_a_first_hook_is_green_and_speaks_where_its_event_can_carry_it(tmp_path, draft):
    with CaseRunner() as player:
        results = [result for file in put(tmp_path, draft) for result in player.run_cases(load_cases(file))]
    assert [(result.diff, result.error) for result in results] == [([], None)] * 4
    silent = {"SessionEnd", "PostCompact", "InstructionsLoaded", "WorktreeCreate", "WorktreeRemove"}
    assert (draft.expected_line == "silence") == (draft.event in silent)


@pytest.mark.parametrize("stops", [("terraform", "destroy"), ("shutdown",), ("git", "push", "origin")])
def test_a_first_rule_is_green(tmp_path, stops):
    program, *verbs = stops
    (tmp_path / "no_go.py").write_text(scaffold.render_rule("no_go", program, tuple(verbs)))
    (tmp_path / "no_go.case").write_text(scaffold.render_rule_cases("no_go", program, tuple(verbs)))
    with CaseRunner() as player:
        results = [r for name in ("no_go.py", "no_go.case") for r in player.run_cases(load_cases(str(tmp_path / name)))]
    assert [(result.diff, result.error) for result in results] == [([], None)] * 6


def test_the_texts_are_in_form(tmp_path):
    """A formatter and a linter have nothing to say, so that the first change is the author's own."""
    for draft in DRAFTS:
        put(tmp_path, draft)
        (tmp_path / f"test_{draft.name}.py").write_text(scaffold.render_test(draft, f"{draft.name}.py"))
    (tmp_path / "no_go.py").write_text(scaffold.render_rule("no_go", "git", ("push",)))
    for words in (("format", "--check", "--diff"), ("check", "--select", "E,F,I,UP,B,SIM,RET")):
        ruff = [sys.executable, "-m", "ruff", *words, "--isolated", "--line-length", "120", str(tmp_path)]
        done = subprocess.run(ruff, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_tests_for_pytest_pass(pytester):
    tmp_path = pytester.path
    for draft in DRAFTS[:3] + DRAFTS[6:9] + DRAFTS[-2:]:
        put(tmp_path, draft)
        (tmp_path / f"test_{draft.name}.py").write_text(scaffold.render_test(draft, f"{draft.name}.py"))
    pytester.runpytest_inprocess().assert_outcomes(passed=32)
