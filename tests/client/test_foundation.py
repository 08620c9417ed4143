"""The dispatcher in the real client: what it answers is what Claude Code does."""

import json
import os
import shutil
from pathlib import Path

import pytest

from tests.client.kit.scripted_api import bash, call
from tests.hook_kit import install_copy, prepare_hook

HEADLESS = {"HOOKWRIGHT_AUTO_BACKGROUND_HEADLESS": "on"}
# A real long command that is over soon: the judge sees an install, the shell a function of that name.
INSTALL = "npm() { sleep 0.2; echo installed-$1; }; npm install"


@pytest.fixture
def ours(lab, monkeypatch, built_bundle):
    """The lab with our hook process registered for the usual events."""
    monkeypatch.setenv("HOME", str(lab.home))
    for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    lab.argv = prepare_hook(built_bundle)
    for event in ("PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit"):
        lab.handler(event, {"type": "command", "command": lab.argv[0], "args": lab.argv[1:], "timeout": 60})
    lab.allow("Bash", "Agent")
    return lab


def own_hook(lab, name, source):
    folder = Path(lab.home) / ".config/hookwright/hooks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.py").write_text(source)


def journal(lab):
    lines = (Path(lab.home) / ".local/state/hookwright/journal").glob("*.jsonl")
    return [json.loads(line) for path in lines for line in path.read_text().splitlines() if line]


def test_a_long_command_runs_in_the_background_and_its_output_arrives(ours):
    run = ours.run([bash(INSTALL), "waiting", "done"], env=HEADLESS)
    assert "running in background" in run.tool_results[0].text
    assert any("installed-install" in text for text in run.background_outputs.values())
    assert run.task_notifications
    assert any("Moved to the background" in text for text in run.context_texts())


@pytest.mark.parametrize(
    ("command", "options", "env"),
    [
        ("echo quick", {}, HEADLESS),
        ("npm() { echo ran; }; npm --version", {}, HEADLESS),
        (INSTALL, {"run_in_background": False}, HEADLESS),
        (INSTALL, {"timeout": 20_000}, HEADLESS),
        (INSTALL, {}, {}),
        (INSTALL, {}, {**HEADLESS, "CLAUDE_AUTOBACKGROUND": "0"}),
        (INSTALL, {}, {**HEADLESS, "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"}),
    ],
    ids=["quick", "asks only", "explicit false", "short timeout", "headless by default", "switched off", "disabled"],
)
def test_what_is_not_ours_to_move_stays_in_the_foreground_without_a_trace(ours, command, options, env):
    run = ours.run([bash(command, **options), "done"], env=env)
    assert "background" not in run.tool_results[0].text
    assert not run.tool_results[0].failed
    assert run.context_texts() == []
    assert run.system_messages() == []


def test_a_command_of_a_subagent_stays_in_the_foreground(ours):
    agent = call("Agent", description="d", prompt="SUBTASK", subagent_type="general-purpose", run_in_background=False)
    lanes = [
        {"name": "sub", "first": "SUBTASK", "turns": [bash(INSTALL), "sub done"]},
        {"name": "main", "turns": [agent, "done"]},
    ]
    run = ours.run(lanes, env=HEADLESS)
    assert "installed-install" in json.dumps(run.lane("sub")[-1])
    assert not run.background_tasks


def test_a_deny_stops_the_tool_and_the_model_reads_the_reason(ours):
    own_hook(
        ours,
        "no_touch",
        "from hookwright import PreToolUse, deny, hook\n"
        "@hook(PreToolUse, 'Bash')\n"
        "def no_touch(event):\n"
        "    if 'touch' in event.tool_input['command']: return deny('not here; use the Write tool')\n",
    )
    run = ours.run([bash("touch made"), "done"])
    assert ours.read("made") is None
    assert run.tool_results[0].failed
    assert "[hookwright no_touch] not here; use the Write tool" in run.tool_results[0].text


def test_a_chained_rewrite_of_two_hooks_arrives_whole(ours):
    for number, word in enumerate(("one", "two")):
        own_hook(
            ours,
            word,
            "from hookwright import PreToolUse, add_context, hook, rewrite\n"
            "@hook(PreToolUse, 'Bash')\n"
            f"def {word}(event):\n"
            f"    return rewrite('r', command=event.tool_input['command'] + ' {word}') & add_context('ctx{number}')\n",
        )
    run = ours.run([bash("echo start", description="kept"), "done"])
    assert "start one two" in run.tool_results[0].text
    texts = " ".join(run.context_texts())
    assert "[hookwright one] ctx0" in texts
    assert "[hookwright two] ctx1" in texts
    [post] = [line for line in journal(ours) if line["event"] == "PostToolUse"]
    assert post["tool"] == "Bash"


def breakages():
    def package_removed(lab):
        shutil.rmtree(lab.root_copy)

    def cache_removed(lab):
        shutil.rmtree(Path(lab.home) / ".cache/hookwright")

    def both_removed(lab):
        package_removed(lab)
        cache_removed(lab)

    def bundle_corrupt(lab):
        for path in (Path(lab.home) / ".cache/hookwright").glob("bundle-*/*"):
            path.unlink()  # and not written to: it may be a link
            path.write_bytes(b"\0" * 5000)

    def plan_corrupt(lab):
        lab.run([bash("true"), "done"])
        for path in (Path(lab.home) / ".cache/hookwright").glob("plan-*"):
            path.write_bytes(b"\0" * 5000)

    def config_broken(lab):
        (Path(lab.home) / ".config/hookwright").mkdir(parents=True)
        (Path(lab.home) / ".config/hookwright/config.toml").write_text("[[[")

    def state_unwritable(lab):
        state = Path(lab.home) / ".local/state"
        shutil.rmtree(state, ignore_errors=True)
        state.write_text("in the way")

    def module_broken(lab):
        (lab.root_copy / "hookwright/dispatch.py").write_text("1/0")

    def launcher_removed(lab):
        Path(lab.argv[0]).unlink()

    def run_bit_lost(lab):
        Path(lab.argv[0]).chmod(0o644)

    def interpreter_gone(lab):
        text = Path(lab.argv[0]).read_text()
        Path(lab.argv[0]).write_text("#!/gone/python3 -ISXutf8\n" + text.partition("\n")[2])

    return [package_removed, cache_removed, both_removed, bundle_corrupt, plan_corrupt, config_broken,
            state_unwritable, module_broken, launcher_removed, run_bit_lost, interpreter_gone]  # fmt: skip


@pytest.mark.parametrize("breakage", breakages(), ids=lambda function: function.__name__)
def test_a_broken_hook_process_never_blocks_a_tool(ours, breakage, tmp_path):
    ours.root_copy = tmp_path / "site"
    ours.settings.clear()
    argv = install_copy(ours.root_copy, os.environ)
    for event in ("PreToolUse", "PostToolUse", "Stop", "SessionStart", "UserPromptSubmit"):
        ours.handler(event, {"type": "command", "command": argv[0], "args": argv[1:], "timeout": 60})
    ours.allow("Bash")
    breakage(ours)
    run = ours.run([bash("touch made && echo ran"), "done"])
    assert ours.read("made") == ""
    assert "ran" in run.tool_results[0].text
    assert run.result == "done"
    # Headless, a message at the session's start is in the hook's response; later ones are lines of their own.
    told = [event for event in run.events if event.get("subtype") in ("informational", "hook_response")]
    told = [event for event in told if "hookwright" in json.dumps(event)]
    expected = {"package_removed": 1, "both_removed": 1, "module_broken": 1, "config_broken": 1}
    if breakage.__name__ in ("launcher_removed", "run_bit_lost", "interpreter_gone"):
        assert told  # the client itself says that the hook did not start
    else:
        assert len(told) == expected.get(breakage.__name__, 0), told


def test_the_journal_holds_one_line_for_each_event(ours):
    ours.run([bash("echo a"), bash("echo b"), "done"])
    events = [line["event"] for line in journal(ours)]
    assert sorted(events) == sorted(
        ["SessionStart", "UserPromptSubmit", "PreToolUse", "PostToolUse", "PreToolUse", "PostToolUse", "Stop"]
    )


def test_the_user_sees_the_notice_on_the_screen(ours, tmux):
    (Path(ours.home) / ".config/hookwright").mkdir(parents=True)
    (Path(ours.home) / ".config/hookwright/config.toml").write_text("[[[")
    with ours.terminal(["hello"]) as screen:
        assert "not valid TOML" in screen.wait("[hookwright]")
        screen.leave()


def test_a_person_at_the_screen_has_long_commands_moved_by_default(ours, tmux):
    with ours.terminal([bash(INSTALL), "waiting", "all done"], args=["--permission-mode", "default"]) as screen:
        screen.say("go")
        screen.wait("all done")
        screen.leave()
    [line] = [line for line in journal(ours) if line["event"] == "PreToolUse"]
    assert (line["answer"], line["changed"]) == ("rewrite", ["run_in_background"])
