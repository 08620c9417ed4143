"""Hooks from the examples folder and from the tutorial in the real client: what they answer is what happens."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.client.kit.scripted_api import bash, call
from tests.examples.kit import EXAMPLES
from tests.hook_kit import prepare_hook
from tests.hooks.kit import git
from tests.test_tutorial import PAGE as TUTORIAL, follow

TOKEN = "ghp_" + "a1B2" * 9
EVENTS = ("PreToolUse", "PostToolUse", "PostToolUseFailure", "Stop", "UserPromptSubmit")


@pytest.fixture
def using(lab, monkeypatch, built_bundle):
    """The lab with our hook process, and these examples in the user's folder."""
    monkeypatch.setenv("HOME", str(lab.home))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    argv = prepare_hook(built_bundle)
    for event in EVENTS:
        lab.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60})
    lab.allow("Bash", "Edit", "Write", "Read")
    folder = Path(lab.home) / ".config/hookwright/hooks"
    folder.mkdir(parents=True)

    def use(*names):
        for name in names:
            shutil.copy(EXAMPLES / f"{name}.py", folder)
        return lab

    return use


def test_a_commit_waits_for_the_tests(using):
    lab = using("require_tests")
    git(lab.project, "init", "-q", "-b", "topic")
    lab.write("app.py", "speed = 1\n")
    lab.write("Makefile", "test:\n\t@grep -q 'speed = 9' app.py\n")
    git(lab.project, "add", "-A")
    git(lab.project, "commit", "-q", "-m", "first")
    commit = bash("git -c user.name=a -c user.email=a@b commit -qam faster")
    app = os.path.join(lab.project, "app.py")
    run = lab.run(
        [
            *(call("Edit", file_path=app, old_string="= 1", new_string="= 2"), commit, bash("make test"), commit),
            *(call("Edit", file_path=app, old_string="= 2", new_string="= 9"), bash("make test"), commit, "done"),
        ]
    )
    _, early, failing, still, _, passing, last = run.tool_results
    assert "app.py changed after the last passing tests; run pytest or npm test or make test" in early.text
    assert [step.failed for step in (early, failing, still, passing, last)] == [True, True, True, False, False]
    assert git(lab.project, "log", "--format=%s") == "faster\nfirst"


def test_claude_reads_masked_output_and_a_masked_file(using):
    lab = using("redact_output")
    lab.write("keys.py", f"KEY = '{TOKEN}'\n")
    file = call("Read", file_path=os.path.join(lab.project, "keys.py"))
    run = lab.run([bash(f"echo GITHUB_TOKEN={TOKEN[:10]}$((1)){TOKEN[11:]}; echo PORT=80"), file, "done"])
    output, content = (result.text for result in run.tool_results)
    assert output == "GITHUB_TOKEN=***\nPORT=80"
    assert "KEY = '***'" in content
    assert TOKEN not in content
    assert any("replaced by ***" in text for text in run.context_texts())


def test_another_package_manager_runs_and_claude_is_told(using):
    lab = using("one_package_manager")
    lab.write("uv.lock", "")
    lab.write("bin/uv", '#!/bin/sh\necho "uv got: $*"\n')
    os.chmod(os.path.join(lab.project, "bin/uv"), 0o755)
    run = lab.run([bash("PATH=$PWD/bin:$PATH; pip install left-pad", description="Install it"), "done"])
    assert run.tool_results[0].text == "uv got: pip install left-pad"
    assert any("Ran `uv pip install left-pad`" in text for text in run.context_texts())


def test_a_ticket_comes_along_and_a_protected_file_stays(using):
    lab = using("ticket_text", "protect_paths")
    lab.write("tickets/SHOP-142.md", "The cart forgets its items.\n")
    lab.write("migrations/1.sql", "create table cart;\n")
    run = lab.run([bash("cd migrations && echo drop > 1.sql"), "done"], prompt="fix SHOP-142")
    assert r"Ticket SHOP-142:\nThe cart forgets its items." in json.dumps(run.requests[0])
    assert "migrations/1.sql is protected (migrations)" in run.tool_results[0].text
    assert lab.read("migrations/1.sql") == "create table cart;\n"


@pytest.mark.timeout(600)
def test_after_the_tutorial_claude_resets_its_own_shop_and_no_other(lab):
    follow(TUTORIAL.read_text(), Path(lab.home))
    lab.scopes["flag"] = {"permissions": {"allow": ["Bash"]}}
    ours = "shopctl() { echo reset $3; }"
    run = lab.run([bash(f"{ours}; git pull; shopctl reset"), bash(f"{ours}; shopctl reset --shop local"), "done"])
    refused, done = run.tool_results
    assert refused.failed
    assert "this empties the demo shop, which customers see" in refused.text
    assert done.text == "reset local"
