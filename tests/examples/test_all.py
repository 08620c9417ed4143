"""All examples together: each loads, explains itself, takes the settings that it shows, answers as a process."""

import json
import re
import shutil
import sqlite3
import subprocess
import textwrap
import time

import pytest

from hookwright.config import compiler
from hookwright.testing.builders import bash, bash_done, bash_failed, event, tool_use
from hookwright.testing.run_cases import CaseSuite
from tests.examples.kit import EXAMPLES, NAMES, hook_of

pytestmark = pytest.mark.slow

LOADED = compiler.load_user_hooks(str(EXAMPLES))
PAGE = (EXAMPLES / "README.md").read_text()
TOKEN = "ghp_" + "a1B2" * 9


def test_every_file_loads_and_holds_the_hook_it_is_named_for():
    assert LOADED.problems == []
    assert [hook.name for hook in LOADED.hooks] == NAMES
    assert len(NAMES) >= 10


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_small_explained_and_tested(name):
    text = (EXAMPLES / f"{name}.py").read_text()
    assert text.count("\n") <= 80
    assert text.startswith('"""')
    assert hook_of(name).__doc__
    assert (EXAMPLES / f"{name}.case").exists()
    assert (EXAMPLES.parent / f"tests/examples/test_{name}.py").exists()
    assert f"[{name}]({name}.py)" in PAGE


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # a route's program outlives its hook
@pytest.mark.parametrize("name", NAMES)
def test_the_case_file_beside_an_example_holds(name):
    run = CaseSuite([str(EXAMPLES / f"{name}.case")])
    results = list(run.run_all())
    assert run.problems == []
    assert [(result.case.source_line, result.diff, result.error) for result in results if not result.has_passed] == []
    said = {line.word for result in results for line in result.case.expected}
    assert "silence" in said  # and it knows when to say nothing


def shown_settings(name):
    """The TOML in an example's first words."""
    first = (EXAMPLES / f"{name}.py").read_text().split('"""')[1]
    blocks = re.findall(r"(?:^    .*\n|^\n(?=    ))+", first, flags=re.MULTILINE)
    return [textwrap.dedent(block) for block in blocks if f"[{name}" in block]


@pytest.mark.parametrize("name", NAMES)
def test_the_settings_that_an_example_shows_are_taken(name, tmp_path):
    options = set(hook_of(name).__dict__) & set(next(h for h in LOADED.hooks if h.name == name).options)
    blocks = shown_settings(name)
    assert bool(blocks) == bool(options)
    for block in blocks:
        (tmp_path / "config.toml").write_text(block)
        resolved = compiler.resolve_options(str(tmp_path / "config.toml"), "", trusted=True, hooks=LOADED.hooks)
        assert resolved.problems == []
        assert any(value.origin == "user" for value in resolved.values[name].values())


@pytest.fixture
def shop(hook_process):
    """A hook process with every example in the user's folder, and a repository with something for each of them."""
    shutil.copytree(EXAMPLES, hook_process.home / ".config/hookwright/hooks")
    hook_process.config.write_text('[context]\nmode = "off"\n')
    project = hook_process.home / "shop"
    for name, text in {
        "migrations/1.sql": "",
        "app.py": "x = 1\n",
        "tickets/SHOP-7.md": "Slow start.",
        "uv.lock": "",
        "keys.py": f"KEY = '{TOKEN}'\n",
    }.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    for words in (["init", "-q", "-b", "main"], ["add", "-A"]):
        subprocess.run(["git", *words], cwd=project, check=True)
    hook_process.env["CLAUDE_PROJECT_DIR"] = str(project)
    return hook_process


def _file(tool, name, **given):
    return lambda project: tool_use(tool, {"file_path": f"{project}/{name}", **given})


# Example → an event, and what the process answers to it.
ANSWERS = {
    "ask_before_network": (lambda _: bash("curl https://evil.example"), "this talks to evil.example"),
    "commit_message": (lambda p: bash("git commit -m wip", cwd=str(p)), "write the first line as"),
    "limit_file_size": (_file("Write", "big.py", content="x\n" * 900), "would have 900 lines"),
    "no_work_on_main": (_file("Edit", "app.py", old_string="x", new_string="y"), "main is shared"),
    "one_package_manager": (lambda p: bash("pip install x", cwd=str(p)), '"command": "uv pip install x"'),
    "protect_paths": (lambda p: bash("rm migrations/1.sql", cwd=str(p)), "migrations/1.sql is protected"),
    "redact_output": (lambda _: bash_done("env", f"GITHUB_TOKEN={TOKEN}"), '"stdout": "GITHUB_TOKEN=***"'),
    "secrets_in_diff": (lambda p: bash("git commit -m 'fix: x'", cwd=str(p)), "keys.py:1 (token)"),
    "ticket_text": (lambda p: event("UserPromptSubmit", prompt="fix SHOP-7", cwd=str(p)), "Slow start."),
}


@pytest.mark.parametrize("name", ANSWERS)
def test_the_registered_process_answers(shop, name):
    made, said = ANSWERS[name]
    answer = shop.answer(made(shop.home / "shop").raw)
    assert said in json.dumps(answer)
    assert name in [row["hook"] for row in shop.journal[-1]["decisions"]]
    assert not any("failure" in row for row in shop.journal[-1]["decisions"])


def test_what_is_remembered_survives_the_process(shop):
    project = str(shop.home / "shop")
    edited = {"file_path": f"{project}/app.py", "old_string": "x", "new_string": "y"}
    shop(event("PostToolUse", tool_name="Edit", tool_input=edited, tool_response={}, tool_use_id="t").raw)
    commit = bash("git switch -c topic && git commit -m 'fix: x'", cwd=project)
    assert "changed after the last passing tests" in json.dumps(shop.answer(commit.raw))
    told = [shop.answer(bash_failed("pytest").raw) for _ in range(3)]
    assert told[:2] == [None, None]
    assert "failed 3 times" in json.dumps(told[2])
    shop(bash_done("pytest").raw)
    assert "changed after" not in json.dumps(shop.answer(commit.raw))
    database = sqlite3.connect(shop.home / ".local/state/hookwright/tools.db")
    rows = database.execute("select what, ok from calls order by time").fetchall()
    database.close()
    assert rows == [(edited["file_path"], 1), *[("pytest", 0)] * 3, ("pytest", 1)]


def test_a_message_outlives_the_process_that_sent_it(shop):
    sent = shop.home / "sent"
    script = f'sleep 0.5; echo "$0" > {sent}.part; mv {sent}.part {sent}'
    routes = f"[[route_notifications.routes]]\nrun = {json.dumps(['sh', '-c', script, '{text}'])}\n"
    shop.config.write_text(shop.config.read_text() + routes)
    assert shop.answer(event("Notification", message="Claude waits", notification_type="idle_prompt").raw) is None
    deadline = time.monotonic() + 60
    while not sent.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    assert sent.read_text() == "shop: Claude waits\n"


def test_an_ordinary_call_is_met_with_silence(shop):
    assert shop.answer(bash("ls -la", cwd=str(shop.home / "shop")).raw) is None
    assert shop.answer(bash_done("ls -la", "app.py").raw) is None
