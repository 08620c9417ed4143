"""docs/testing.md is held to what it says."""

import re
from pathlib import Path

import pytest

from hookwright.cli.main import program
from hookwright.testing import builders, cases, expect
from hookwright.testing.run_cases import CaseSuite

pytest_plugins = ["pytester"]
PAGE = (Path(__file__).resolve().parents[2] / "docs/testing.md").read_text()
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE, flags=re.DOTALL)
PYTHON = [text for kind, text in BLOCKS if kind == "python"]
NO_PUSH = """\
from hookwright import Hook, PreToolUse, ask, calls, deny


class NoPush(Hook):
    on = (PreToolUse, "Bash")

    def decide(self, event):
        for call in calls(event, "git", "push"):
            if call.has_flag("-f", "--force"):
                team = self.world.env("TEAM")
                return ask(f"team {team}") if team else deny("use --force-with-lease")
        return None
"""


def test_the_hook_and_its_examples_in_both_forms(tmp_path):
    hook, pairs = PYTHON[:2]
    (tmp_path / "no_sudo.py").write_text(hook)
    (tmp_path / "more").mkdir()
    (tmp_path / "more/no_sudo.py").write_text(hook.replace("EXAMPLES = {", "_FORMER = {") + "\n" + pairs)
    run = CaseSuite([str(tmp_path)])
    results = list(run.run_all())
    assert [(result.diff, result.error) for result in results] == [([], None)] * 5
    assert run.problems == []


def test_the_case_file_of_the_page_passes(tmp_path):
    [text] = [text for kind, text in BLOCKS if not kind and "\n===" in text]
    (tmp_path / "no_push.py").write_text(NO_PUSH)
    (tmp_path / "no_push.case").write_text(text)
    results = list(CaseSuite([str(tmp_path)]).run_all())
    assert [(result.diff, result.error) for result in results] == [([], None)] * 3


def test_the_tests_for_pytest(pytester):
    hook, _, with_hook, _ = PYTHON
    pytester.makepyfile(no_sudo=hook, test_it=with_hook)
    pytester.runpytest_inprocess().assert_outcomes(passed=1)


NO_DEPLOYS = """\
from hookwright import Hook, PreToolUse, UserPromptSubmit, add_context, deny, rewrite


class NoDeploys(Hook):
    on = ((UserPromptSubmit,), (PreToolUse, "Bash"))

    def decide(self, event):
        if event.hook_event_name == "UserPromptSubmit":
            return add_context("be careful")
        if event.tool_input["command"] == "make deploy":
            return deny("deploys go through the pipeline")
        if event.tool_input["command"] == "npm i":
            return rewrite("one package manager", command="pnpm i")
        return None
"""


@pytest.mark.slow
def test_the_session_example_of_the_page_passes(claude, tmp_path, share_bundle):
    *_, session = PYTHON
    (tmp_path / "no_deploys.py").write_text(NO_DEPLOYS)
    claude._start = str(tmp_path)
    claude.put({"check.py": "raise SystemExit(2)\n"})
    share_bundle(claude)
    names: dict = {}
    exec(session, names)
    names["test_deploys_are_stopped"](claude)


def test_every_line_that_is_told_is_known_and_the_other_way_round():
    given, expected = re.findall(r"\| line \| means \|\n\|---\|---\|\n(.*?)\n\n", PAGE, flags=re.DOTALL)
    named = " ".join(re.findall(r"`([^`]*)`", given))
    assert [word for word in (*cases.NAMED, *cases.SINGLE) if not re.search(rf"\b{word}\b[ :]", named)] == []
    shown = " ".join(re.findall(r"`([^`]*)`", expected))
    own = [word for word in expect.WORDS if word not in expect.OTHERS]
    assert [word for word in own if not re.search(rf"\b{word}\b", shown)] == []
    assert (expect.ABSENT in shown, expect.MORE in shown) == (True, True)


def test_every_builder_that_is_told_exists():
    told = PAGE.partition("**Builders**")[2].partition("## ")[0]
    for name in re.findall(r"`(\w+)`", told):
        assert callable(getattr(builders, name)), name


@pytest.mark.parametrize(
    ("command", "options"), [("new hook", ["--event", "--tool", "--project", "--pytest"]), ("new rule", ["--stops"])]
)
def test_the_options_that_are_told_exist(command, options):
    found = program
    for word in command.split():
        found = found.get_command(None, word)
    known = {option for parameter in found.params for option in parameter.opts}
    assert set(options) <= known
    assert all(option in PAGE for option in options)
