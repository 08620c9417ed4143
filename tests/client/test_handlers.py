"""Prompt, agent, http and MCP handlers in the client: the facts on which engine/handlers rests.

The same answers are given to our handlers in tests/engine/handlers; what the client takes for a verdict, they must.
"""

import json

import pytest

from hookwright.engine import Engine
from hookwright.engine.handlers.mcp_tool import fill_placeholders
from hookwright.engine.handlers.model import fill_prompt as prompt_of, parse_verdict
from hookwright.testing import sample_values
from tests.client.kit.lab import MCP_SERVER, PYTHON
from tests.client.kit.scripted_api import bash, call
from tests.engine.handlers.kit import api, handler

MODEL = ("--model", "claude-sonnet-4-5")
DENY = {"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": "no"}


def test_the_same_answers_are_verdicts(lab):
    """One session, a prompt handler an answer: each names itself, so that its side request finds its answer."""
    answers = {
        "fenced": '```json\n{"ok": false, "reason": "no"}\n```',
        "bare": '{"ok": false}',
        "spare": '{"ok": false, "reason": "no", "more": 1}',
        "around": 'Well: {"ok": false, "reason": "no"}',
        "text": '{"ok": "false", "reason": "no"}',
        "number": '{"ok": false, "reason": 5}',
        "list": "[]",
    }
    lab.allow("Bash")
    for name, answer in answers.items():
        lab.routes[f"model:I am {name}."] = answer
        entry = {"type": "prompt", "prompt": f"I am {name}. $ARGUMENTS", "continueOnBlock": True}
        lab.handler("PreToolUse", {**entry, "if": f"Bash(echo {name})"}, matcher="Bash")
    run = lab.run([*(bash(f"echo {name}") for name in answers), "done"], args=MODEL)
    denied = {name for name, told in zip(answers, run.tool_results, strict=True) if told.failed}
    assert denied == {name for name, answer in answers.items() if parse_verdict(answer)}
    assert "[I am bare. $ARGUMENTS]: undefined" in run.tool_results[1].text
    sent = run.side_requests[0]["messages"][-1]["content"][-1]["text"]
    event = json.loads(sent.removeprefix("I am fenced. "))
    assert sent == prompt_of(handler("prompt", prompt="I am fenced. $ARGUMENTS"), event)


@pytest.mark.parametrize(
    ("turns", "told", "requests"),
    [
        ([call("StructuredOutput", ok=False, reason="no")], "Agent hook condition was not met: no", 1),
        ([call("StructuredOutput", ok=False)], "Agent hook condition was not met: undefined", 1),
        (["certainly", call("StructuredOutput", ok=False, reason="late")], "condition was not met: late", 2),
        (["certainly", "again"], "hi", 2),
    ],
)
def test_an_agent_ends_through_its_tool_or_after_one_reminder(lab, turns, told, requests):
    lab.allow("Bash")
    lab.handler("PreToolUse", {"type": "agent", "prompt": "JUDGE $ARGUMENTS"}, matcher="Bash")
    script = [
        {"name": "agent", "first": "JUDGE", "turns": turns},
        {"name": "main", "turns": [bash("echo hi"), "done"]},
    ]
    run = lab.run(script, args=MODEL)
    assert told in run.tool_results[-1].text
    assert len(run.lane("agent")) == requests


@pytest.mark.parametrize(
    ("event", "command", "ends"),
    [
        ("PreToolUse", "echo hi", False),
        ("PostToolUse", "echo hi", False),
        ("PostToolUseFailure", "exit 3", False),
        ("PostToolBatch", "echo hi", True),
        ("UserPromptSubmit", "echo hi", False),
        ("Stop", None, False),
    ],
)
def test_an_agents_no_does_the_same_in_client_and_engine(lab, tmp_path, event, command, ends):
    settings = {"hooks": {event: [{"hooks": [{"type": "agent", "prompt": "JUDGE $ARGUMENTS"}]}]}}
    verdicts = [call("StructuredOutput", ok=False, reason="no"), *[call("StructuredOutput", ok=True)] * 3]
    main = [bash(command), "done"] if command else ["done", "done again"]
    lab.allow("Bash")
    lab.settings.update(settings)
    script = [{"name": "agent", "first": "JUDGE", "turns": verdicts}, {"name": "main", "turns": main}]
    run = lab.run(script, args=MODEL)
    told = json.dumps([body["messages"] for body in run.lane("main")]) + (run.result or "")

    served = api(tmp_path, [verdicts[0]])
    with served as there, Engine.from_settings(settings={"user": settings}, env=there.env) as engine:
        outcome = engine.fire_now({**sample_values.EVENTS[event], "hook_event_name": event, "tool_input": {}})
    stopped = run.result_event.get("terminal_reason") == "hook_stopped"
    assert (stopped, outcome.continue_) == (ends, not ends)
    if not ends:
        assert outcome.reason == "Agent hook condition was not met: no"
        assert outcome.reason in told


def test_an_mcp_server_of_the_project_gets_the_same_input(lab):
    lab.allow("Bash")
    lab.behave("guard", reply={"hookSpecificOutput": DENY})
    server = {"command": "${LAB_PYTHON}", "args": ["-I", "-S", MCP_SERVER, "${NONE:-" + lab.specs + "}", "guard"]}
    lab.env["LAB_PYTHON"] = PYTHON
    lab.write(".mcp.json", json.dumps({"mcpServers": {"srv": server}}))
    given = {
        "text": "a ${tool_input.command} ${tool_input.none} ${tool_input.timeout} ${tool_input} $tool_input.command",
        "answers": {"${hook_event_name}": ["${hook_event_name}", 5, True, "${ cwd }"]},
    }
    lab.handler("PreToolUse", {"type": "mcp_tool", "server": "srv", "tool": "guard", "input": given}, matcher="Bash")
    run = lab.run([bash("echo hi", timeout=5000), "done"], args=MODEL)
    [made] = run.calls("guard")
    event = {"hook_event_name": "PreToolUse", "tool_input": {"command": "echo hi", "timeout": 5000}}
    assert made.payload == fill_placeholders(given, event)
    assert run.tool_results[0].failed
