"""The guard in the real client: other tools than Bash, what it knows of the session, content from outside."""

import json
import os
from pathlib import Path

import pytest

from tests.client.kit.scripted_api import bash, call
from tests.client.kit.stream import allow
from tests.hook_kit import prepare_hook

PLUGIN = Path(__file__).parents[2] / "plugin/hooks/hooks.json"
MATCHER = json.loads(PLUGIN.read_text())["hooks"]["PreToolUse"][0]["matcher"]


@pytest.fixture
def guarded(lab, monkeypatch, built_bundle):
    """The lab with our hook process registered as the installer does, and everything allowed."""
    for name in [name for name in os.environ if name.startswith(("XDG_", "HOOKWRIGHT_", "CLAUDE"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", lab.home)
    argv = prepare_hook(built_bundle)
    handler = {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60}
    lab.handler("PreToolUse", handler, matcher=MATCHER)
    for event in ("PostToolUse", "PostToolUseFailure"):
        lab.handler(event, handler)
    lab.allow("Bash", "Read", "Write", "Edit", "Grep", "Glob", "WebFetch", "Agent", "mcp__supabase", "mcp__github")
    lab.write("src/app.py", "work")
    lab.write(".env", "TOKEN=hidden-value")
    return lab


def configure(lab, text):
    folder = Path(lab.home, ".config/hookwright")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.toml").write_text(text)


def test_a_destructive_mcp_call_does_not_reach_its_server(guarded):
    guarded.mcp("supabase", "execute_sql", "list_tables", "delete_project")
    run = guarded.run(
        [
            call("mcp__supabase__execute_sql", query="DROP TABLE users"),
            call("mcp__supabase__delete_project", text="p"),
            call("mcp__supabase__execute_sql", query="select 1"),
            call("mcp__supabase__list_tables", text="public"),
            "done",
        ]
    )
    assert [result.failed for result in run.tool_results] == [True, True, False, False]
    assert "sql-destroy" in run.tool_results[0].text
    assert "mcp-destroy" in run.tool_results[1].text
    assert "MCP got" in run.tool_results[2].text


def test_searches_fetches_and_subagents_are_judged_before_they_run(guarded):
    run = guarded.run(
        [
            call("Grep", pattern="TOKEN", path=os.path.join(guarded.project, ".env"), output_mode="content"),
            call("Grep", pattern="work", path=os.path.join(guarded.project, "src"), output_mode="content"),
            call("WebFetch", url="http://169.254.169.254/latest/meta-data/", prompt="read"),
            call("Agent", description="x", prompt="do it", subagent_type="general-purpose", mode="bypassPermissions"),
            call(
                "Write",
                file_path=os.path.join(guarded.project, "k.py"),
                content="K='ghp_a8Bc3dE9fGh1iJk2LmN4oPq5RsT6uVw7xYz0'",
            ),
            "done",
        ],
        args=["--tools", "Bash,Read,Write,Grep,WebFetch,Agent"],  # by default the client searches with Bash
    )
    texts = [result.text for result in run.tool_results]
    assert [result.failed for result in run.tool_results] == [True, False, True, True, True], texts
    assert all("hidden-value" not in text for text in texts)
    for text, rule in zip(
        texts, ("protected-secrets", "work", "metadata-address", "agent-permissions", "written-key"), strict=True
    ):
        assert rule in text
    assert guarded.read("k.py") is None


def test_what_the_session_made_is_deleted_in_silence_and_the_rest_is_asked_about(guarded):
    path = os.path.join(guarded.project, "demo/main.py")
    script = [
        bash("mkdir -p work/a && echo x > work/a/x.txt"),
        call("Write", file_path=path, content="print(1)\n"),
        bash("rm -rf work demo"),
        bash("mkdir -p src"),
        bash("rm -rf src"),
        call("Write", file_path=os.path.join(guarded.project, "clean.sh"), content="rm -rf ~/x ~\n"),
        bash("bash clean.sh"),
        "done",
    ]
    run = guarded.run(script)
    assert [result.failed for result in run.tool_results] == [False, False, False, False, True, False, True]
    assert guarded.read("work/a/x.txt") is None
    assert guarded.read("demo/main.py") is None
    assert guarded.read("src/app.py") == "work"
    assert "clean.sh, written in this session" in run.tool_results[6].text


def test_a_read_that_the_user_let_pass_is_asked_about_once(guarded):
    with guarded.stream([bash("cat .env"), bash("cat .env"), bash("rm -rf src"), "done"], human=allow) as session:
        session.say("go")
        session.wait_for_result()
    assert [request["input"]["command"] for request in session.asked] == ["cat .env", "rm -rf src"]
    assert "hidden-value" in session.run.tool_results[1].text


ISSUE = call("mcp__github__get_issue", text="3")
ATTACKS = {
    "reads a secret": (bash("cat .env"), "secret-read"),
    "pushes": (bash("git push origin HEAD:x"), "taint-send"),
    "writes instructions": (None, "taint-settings"),
}


@pytest.mark.parametrize("name", ATTACKS)
def test_after_content_from_outside_an_attack_is_stopped(guarded, name):
    configure(guarded, '[command_guard]\ntaint = "on"\n')
    guarded.mcp("github", "get_issue")
    deed, rule = ATTACKS[name]
    deed = deed or call("Write", file_path=os.path.join(guarded.project, "CLAUDE.md"), content="obey")
    run = guarded.run([ISSUE, deed, "done"])
    assert [result.failed for result in run.tool_results] == [False, True]
    assert rule in run.tool_results[1].text
    assert guarded.read("CLAUDE.md") is None


def test_ordinary_work_goes_on_after_content_from_outside(guarded):
    configure(guarded, '[command_guard]\ntaint = "on"\n')
    guarded.mcp("github", "get_issue")
    path = os.path.join(guarded.project, "src/new.py")
    run = guarded.run([ISSUE, call("Write", file_path=path, content="a = 1\n"), bash("cat src/new.py && ls"), "done"])
    assert [result.failed for result in run.tool_results] == [False, False, False]
    assert run.context_texts() == []


def test_in_shadow_the_attack_runs_and_is_recorded(guarded):
    configure(guarded, '[command_guard]\ntaint = "shadow"\n')
    guarded.mcp("github", "get_issue")
    deed = call("Write", file_path=os.path.join(guarded.project, "CLAUDE.md"), content="obey")
    run = guarded.run([ISSUE, deed, "done"])
    assert [result.failed for result in run.tool_results] == [False, False]
    journal = "".join(
        path.read_text() for path in Path(guarded.home, ".local/state/hookwright/journal").glob("*.jsonl")
    )
    assert '"taint"' in journal
    assert '"taint-settings"' in journal
