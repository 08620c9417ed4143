"""A session is played through real settings and real processes, and what a hook says counts for what follows."""

import sys

import pytest

from hookwright.testing.builders import bash, prompt, session_start, stop

SAYS = '"permissionDecision": "%s", "permissionDecisionReason": "no"'
DENY = '{"hookSpecificOutput": {"hookEventName": "PreToolUse", ' + SAYS + "}}"
HOOK = '''\
"""A hook that remembers prompts and keeps Claude going once."""

from hookwright import Hook, PreToolUse, Stop, UserPromptSubmit, add_context, block, deny, rewrite


class Watcher(Hook):
    on = ((UserPromptSubmit,), (PreToolUse, "Bash"), (Stop,))

    def decide(self, event):
        if event.hook_event_name == "UserPromptSubmit":
            return add_context("be careful") if "deploy" in event.prompt else None
        if event.hook_event_name == "Stop":
            return None if event.stop_hook_active else block("look again")
        command = event.tool_input["command"]
        if command == "deploy":
            return deny("deploys go through the pipeline")
        if command == "npm i":
            return rewrite("one package manager", command="pnpm i")
        return None
'''


def saying(text, code=0):
    """A shell command that prints this and ends with that."""
    return f"cat > /dev/null; printf '%s' '{text}'; exit {code}"


@pytest.mark.slow
def test_a_whole_session_through_the_installed_hook_process(claude, tmp_path, share_bundle):
    share_bundle(claude)
    (tmp_path / "watcher.py").write_text(HOOK)
    claude.install(tmp_path / "watcher.py", config='[command_guard]\nmode = "on"\n')
    assert claude.start().decision == "none"
    assert "[hookwright watcher] be careful" in "\n".join(claude.prompt("deploy it").context)
    refused = claude.bash("deploy")
    assert (refused.ran, refused.decision) == (False, "deny")
    assert "[hookwright watcher] deploys go through the pipeline" in refused.reason
    changed = claude.bash("npm i", stdout="ok")
    assert (changed.ran, changed.input["command"]) == (True, "pnpm i")
    assert claude.bash("rm -rf ~").decision == "deny"
    first, second = claude.stop(), claude.stop()
    assert (first.decision, first.goes_on, second.decision, second.goes_on) == ("block", True, "none", False)
    assert claude.end().decision == "none"
    assert not (claude.home / ".local/state/hookwright/refresh").exists()  # nothing goes on behind the test
    events = "SessionStart UserPromptSubmit PreToolUse PreToolUse PostToolUse PreToolUse Stop Stop SessionEnd"
    assert [outcome.event for outcome in claude.outcomes] == events.split()


def test_any_command_of_any_scope_is_a_handler(claude):
    claude.command("PreToolUse", saying(DENY % "deny"), matcher="Write")
    claude.command("PreToolUse", saying("", 1), scope="project")
    claude.command("UserPromptSubmit", saying("branch main"), scope="local")
    assert claude.prompt("hello").context == ["branch main"]
    assert claude.bash("ls").ran
    written = claude.write("a.txt", "hello")
    assert (written.ran, written.reason, (claude.project / "a.txt").exists()) == (False, "no", False)
    assert len(claude.ran("PreToolUse")) == 3


@pytest.mark.parametrize(("person", "ran"), [("allow", True), ("deny", False)])
def test_the_person_answers_the_dialog(claude, person, ran):
    claude.command("PreToolUse", saying(DENY % "ask"))
    claude.person = person
    call = claude.write("@/a.txt", "hello")
    assert (call.decision, call.ran, call.asked.event) == ("ask", ran, "PermissionRequest")
    assert (claude.project / "a.txt").exists() is ran


def test_a_failing_tool_and_words_for_everybody(claude):
    claude.command("PostToolUseFailure", saying('{"systemMessage": "it broke"}'))
    call = claude.bash("make", error="Exit code 2")
    assert (call.ran, call.after.event, claude.messages) == (True, "PostToolUseFailure", ["it broke"])


def test_events_of_builders_and_names_happen_in_the_session(claude):
    claude.command(
        "PreToolUse",
        sys.executable,
        "-c",
        "import json, sys; print(json.load(sys.stdin)['cwd'], file=sys.stderr); sys.exit(2)",
    )
    outcomes = claude.play(session_start(), prompt("hello"), bash("ls"), stop())
    assert [outcome.decision for outcome in outcomes] == ["none", "none", "deny", "none"]
    assert str(claude.project) in outcomes[2].reason
    assert claude.fire("PreCompact", trigger="auto").event == "PreCompact"


def test_changed_settings_count_from_the_next_event_on(claude):
    assert claude.bash("ls").ran
    claude.settings({"hooks": {"PreToolUse": [{"hooks": [{"type": "command", "command": "exit 2"}]}]}})
    assert not claude.bash("ls").ran
    claude.settings({"disableAllHooks": True}, "local")
    assert claude.bash("ls").ran


def test_what_does_not_exist_is_an_error(claude):
    for wrong, words in (
        (lambda: claude.fire("Stopp"), "did you mean Stop?"),
        (lambda: claude.command("PreTool", "true"), "did you mean PreToolUse?"),
        (lambda: claude.settings({}, "mine"), "there is no scope 'mine'"),
        (lambda: claude.bash("ls", timout=3), "did you mean timeout?"),
    ):
        with pytest.raises(ValueError, match="no") as error:
            wrong()
        assert words in str(error.value)
