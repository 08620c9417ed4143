"""The cases that the first plans list for their own verification, as they write them, through the registered process.

Auto-background's ten commands and its variables, question hooks of native and MCP tools, payloads with `hookMetadata`.
"""

import json

import pytest

from hookwright.testing.builders import payload
from tests.hooks.kit import Desk
from tests.hooks.questions.kit import preference

pytestmark = pytest.mark.slow


def verdict(done):
    """What a hook process answered, in the words of the first plan."""
    assert (done.returncode, done.stderr) == (0, b"")
    if not done.stdout:
        return None
    specific = json.loads(done.stdout)["hookSpecificOutput"]
    assert specific["hookEventName"] == "PreToolUse"
    if "permissionDecision" in specific:
        return specific["permissionDecision"]
    return "force" if specific.get("updatedInput", {}).get("run_in_background") is True else "suggest"


@pytest.mark.parametrize(
    ("tool_input", "env", "answer"),
    [
        ({"command": "npm install"}, {}, "force"),
        ({"command": "git status"}, {}, None),
        ({"command": "npm --version"}, {}, None),
        ({"command": "npm install", "run_in_background": True}, {}, None),
        ({"command": "pytest"}, {}, "suggest"),
        ({"command": "npm install"}, {"CLAUDE_AUTOBACKGROUND": "0"}, None),
        ({"command": "npm run dev"}, {}, "force"),
        ({"command": "sleep 30 && curl localhost:8080"}, {}, "force"),
        ({"command": "make clean"}, {}, None),
        ({"command": "npm install", "timeout": 10_000}, {}, None),
        ({"command": "kill $PID && npm install"}, {}, "force"),
        ({"command": "NODE_ENV=prod npm run build"}, {}, "force"),
        ({"command": "npm install"}, {"CLAUDE_AUTOBACKGROUND_MODE": "suggest"}, "suggest"),
        ({"command": "webpack"}, {"CLAUDE_AUTOBACKGROUND_EXTRA": r"\b(webpack|x-vite)\b"}, "force"),
        ({"command": "mywebpack"}, {"CLAUDE_AUTOBACKGROUND_EXTRA": r"\b(webpack|x-vite)\b"}, None),
    ],
)
def test_auto_background_answers_its_plan(hook_process, tool_input, env, answer):
    assert verdict(hook_process({"tool_input": tool_input}, **env)) == answer


QUESTION = {
    "question": "Which database?",
    "header": "DB",
    "multiSelect": False,
    "options": [{"label": "A) Postgres (recommended)", "description": "x"}, {"label": "B) SQLite", "description": "y"}],
}


@pytest.mark.parametrize("tool", ["AskUserQuestion", "mcp__conductor__AskUserQuestion"])
@pytest.mark.parametrize("preferred", [True, False])
def test_a_question_is_answered_by_a_preference_only_and_recorded(hook_process, tool, preferred):
    if preferred:
        folder = hook_process.home / ".config/hookwright/questions"
        folder.mkdir(parents=True, mode=0o700)
        chosen = preference("never-ask", match={"question": "Which database?"})
        (folder / "user.json").write_text(json.dumps({"v": 1, "preferences": [chosen]}))
        (folder / "user.json").chmod(0o600)
    asked = {"tool_name": tool, "tool_input": {"questions": [QUESTION]}, "tool_use_id": "t1"}
    answer = hook_process.answer(payload("PreToolUse", **asked))
    if preferred:
        specific = answer["hookSpecificOutput"]
        assert specific["permissionDecision"] == "allow"
        assert specific["updatedInput"]["answers"] == {"Which database?": "A) Postgres (recommended)"}
    else:
        assert answer is None
    answers = {"Which database?": "A) Postgres (recommended)"}
    done = {**asked, "tool_response": {"questions": [QUESTION], "answers": answers}}
    assert hook_process.answer(payload("PostToolUse", **done)) is None
    assert hook_process.journal[-1]["questions"][0]["answered_by"] == ("preference" if preferred else "user")


def metadata(desk, **more):
    return {"hookMetadata": {"sessionId": "s1", "projectDir": desk.project, **more}, "cwd": desk.project}


def test_payloads_with_hook_metadata_are_answered_and_observed(hook_process, tmp_path):
    desk = Desk(tmp_path / "desk")
    env = {"CLAUDE_PROJECT_DIR": desk.project, "HOOKWRIGHT_OBSERVER_PROJECT_LOG": ".agent-os/observed-bash.jsonl"}
    common = metadata(desk, toolName="Bash")
    assert (
        verdict(hook_process({**common, "tool_input": {"command": "npm run dev", "timeout": 120_000}}, **env))
        == "force"
    )
    assert verdict(hook_process({**common, "tool_input": {"command": "rm -rf /"}}, **env)) == "deny"
    for code in (0, 3):
        response = {"exit_code": code, "output": "x", "success": not code}
        done = hook_process({**common, "tool_input": {"command": "npm test"}, "tool_response": response}, **env)
        assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")  # never blocks
    with open(desk.path(".agent-os/observed-bash.jsonl"), encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    seen = [(row["event"], row["cmd"], row["intent"], row.get("exit")) for row in rows]
    assert seen == [
        ("pre", "npm run dev", "server", None),
        ("pre", "rm -rf /", "other", None),
        ("post", "npm test", "test", 0),
        ("post", "npm test", "test", 3),
    ]


def test_a_stop_with_hook_metadata_blocks_once_and_never_twice_in_a_row(hook_process, tmp_path):
    desk = Desk(tmp_path / "desk")
    env = {"CLAUDE_PROJECT_DIR": desk.project, "HOOKWRIGHT_STOP_GUARD_UNCOMMITTED": "block"}
    path = desk.put("kept.py", "a = 2\n")
    wrote = {**metadata(desk, toolName="Write"), "tool_input": {"file_path": path}, "tool_response": {}}
    assert hook_process.answer(wrote, **env) is None
    assert hook_process.answer({**metadata(desk), "stop_hook_active": True}, **env) is None
    assert hook_process.answer({**metadata(desk), "stop_hook_active": False}, **env)["decision"] == "block"
    assert hook_process.answer({**metadata(desk), "stop_hook_active": False}, **env) is None  # within the TTL


@pytest.mark.parametrize("data", [b"{}", b'{"dangerous": "command"}', b""])
def test_what_is_no_event_passes(hook_process, data):
    done = hook_process(data)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_context_is_added_to_a_prompt_and_said_once(hook_process, tmp_path):
    desk = Desk(tmp_path / "desk")
    prompt = {**metadata(desk), "prompt": "go on"}
    said = hook_process.answer(prompt, CLAUDE_PROJECT_DIR=desk.project)["hookSpecificOutput"]
    assert "branch main" in said["additionalContext"]
    assert hook_process.answer(prompt, CLAUDE_PROJECT_DIR=desk.project) is None
