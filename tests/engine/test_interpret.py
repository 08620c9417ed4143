"""The effect of one run. Decisions are measured in tests/conformance; here: what is ignored is recorded."""

import json

import pytest

from hookwright.engine.interpret import interpret_late_result, interpret_result
from hookwright.engine.types import RawResult
from tests.engine.kit import handler

DENY = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "deny"}}
ALLOW = {"hookSpecificOutput": {"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": {"a": 1}}}


def out(value, **facts):
    text = value if isinstance(value, str) else json.dumps(value)
    return RawResult(stdout=text.encode(), **{"exit_code": 0, **facts})


@pytest.mark.parametrize(
    ("who", "raw", "decision", "ignored"),
    [
        (handler(), out("hello"), None, ["plain text on stdout is not shown on PreToolUse"]),
        (
            handler(),
            out(ALLOW, exit_code=2),
            "deny",
            ["its allow: exit code 2 is stronger", "its rewrite: exit code 2"],
        ),
        (
            handler(),
            out("", exit_code=3, stderr=b"oh\nno"),
            None,
            ["it exited with 3 (oh), which is an error and no block"],
        ),
        (handler(), out("", exit_code=1, stderr=b"\n "), None, ["it exited with 1, which is an error and no block"]),
        (handler(), out(DENY, exit_code=1), "deny", []),
        (handler(), RawResult(timed_out=True), None, ["it timed out; Claude Code continues without it"]),
        (
            handler(),
            RawResult(problem="No such file or directory"),
            None,
            ["it failed; Claude Code continues without it"],
        ),
        (handler(event="SessionStart"), out("", exit_code=2), None, ["exit code 2 stops nothing on SessionStart"]),
        (
            handler(event="SessionStart"),
            out({"systemMessage": "hi"}),
            None,
            ["its system message, which is not shown"],
        ),
        (
            handler(event="SessionStart"),
            out("words", exit_code=1),
            None,
            ["its text on stdout: it exited with 1", "it exited with 1"],
        ),
        (
            handler(event="PostToolUseFailure"),
            out({"continue": False}),
            None,
            ['its "continue": false, which ends nothing'],
        ),
        (handler("http"), RawResult(status=500, stdout=b"x"), None, ["it failed (HTTP 500 from http://h/x)"]),
        (
            handler("http"),
            RawResult(problem="connect ECONNREFUSED h:80"),
            None,
            ["it failed (connect ECONNREFUSED h:80)"],
        ),
        (handler("mcp_tool"), RawResult(stdout=b"oh", is_error=True), None, ["it failed (oh)"]),
        (handler("mcp_tool", onFailure="block"), RawResult(problem="gone"), None, ["it failed (gone)"]),
        (handler("prompt"), RawResult(not_evaluated="no key"), None, ["not evaluated: no key"]),
        (handler("prompt"), RawResult(timed_out=True), None, ["it timed out; Claude Code continues"]),
        (handler("prompt"), RawResult(answer={"ok": "no"}), None, ["the model did not answer"]),
        (handler("prompt"), RawResult(answer={"ok": False, "reason": "r"}), "deny", []),
        (handler("agent"), RawResult(answer={"ok": False, "reason": "r"}), "deny", []),
        (handler(event="WorktreeCreate"), out("", exit_code=1, stderr=b"no"), "block", []),
        (
            handler(onFailure="block"),
            out(ALLOW, exit_code=1),
            "deny",
            ['its "allow": it failed, and onFailure', 'its "rewrites'],
        ),
        (handler(event="Stop", onFailure="block"), out("", exit_code=1), None, ["it exited with 1"]),
    ],
)
def test_what_is_passed_over_is_told(who, raw, decision, ignored):
    heard = interpret_result(who, raw)
    assert heard.decision == decision
    assert len(heard.ignored) == len(ignored)
    assert all(map(str.startswith, heard.ignored, ignored)), heard.ignored


def test_what_counts_is_told_in_words():
    answer = {
        "continue": False,
        "stopReason": "enough",
        "systemMessage": "told",
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask",
            "permissionDecisionReason": "sure?",
            "updatedInput": {},
            "additionalContext": "words",
        },
    }
    said = ["ask: sure?", "rewrites the input", "context: words", "system message: told", "ends the turn: enough"]
    assert interpret_result(handler(), out(answer)).list_effects() == said


@pytest.mark.parametrize(
    ("who", "raw", "told", "ignored"),
    [
        (handler(), out({"systemMessage": "a", **DENY}), ["a"], ['its "permissionDecision": a background']),
        (
            handler(),
            out({"continue": False}, exit_code=2),
            [],
            ['its "continue": a background', "exit code 2: a background"],
        ),
        (handler(), out({"systemMessage": "a"}, timed_out=True, exit_code=None), [], ["it timed out"]),
        (handler(asyncRewake=True), out("", exit_code=2, stderr=b"wake"), ["wake"], []),
        (handler(), out('{"async": true}\n{"systemMessage": "a"}\n{"systemMessage": "b"}'), ["a"], []),
        (handler(), out("no object at all"), [], []),
    ],
)
def test_a_background_handler_can_report_but_not_decide(who, raw, told, ignored):
    texts, found = interpret_late_result(who, raw)
    assert texts == told
    assert len(found) == len(ignored)
    assert all(map(str.startswith, found, ignored)), found
