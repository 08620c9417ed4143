"""One question to a model: what is sent, which answers are verdicts, and when no model is asked."""

import json
import sys

import pytest

from tests.engine.handlers.kit import BASH, api, around, handler, ran

pytestmark = pytest.mark.slow

OK = '{"ok": true, "reason": "fine"}'


def judged(tmp_path, side, *, event="PreToolUse", payload=None, env=None, **options):
    """The ending of one run, and the request it made."""
    with api(tmp_path, side=side) as served:
        one = handler("prompt", event, **{"prompt": "Look at $ARGUMENTS", **options})
        raw = ran(one, around(tmp_path, env={**served.env, **(env or {})}), payload)
        return raw, served.bodies


# Played through the client as well: tests/client/test_handlers.py.
@pytest.mark.parametrize(
    ("said", "answer"),
    [
        ('{"ok": true}', {"ok": True}),
        ('{"ok": false, "reason": "no"}', {"ok": False, "reason": "no"}),
        ('{"ok": false}', {"ok": False}),
        ('{"ok": false, "reason": "no", "impossible": true}', {"ok": False, "reason": "no", "impossible": True}),
        ('{"ok": false, "reason": "no", "more": 1}', {"ok": False, "reason": "no"}),
        ('```json\n{"ok": false, "reason": "no"}\n```', {"ok": False, "reason": "no"}),
        (' \n{"ok": false, "reason": "no"}\n', {"ok": False, "reason": "no"}),
        ('Well: {"ok": false, "reason": "no"}', None),
        ('{"ok": "false", "reason": "no"}', None),
        ('{"ok": false, "reason": 5}', None),
        ('{"reason": "no"}', None),
        ("[]", None),
        ("certainly", None),
        ("", None),
    ],
)
def test_only_a_verdict_is_taken_for_one(tmp_path, said, answer):
    raw, _ = judged(tmp_path, said)
    assert raw.answer == answer
    assert raw.stdout.decode() == said
    assert bool(raw.problem) == (answer is None)
    assert not raw.not_evaluated


def test_the_event_stands_where_the_prompt_wants_it(tmp_path):
    raw, [body] = judged(tmp_path, OK)
    said = body["messages"][-1]["content"]
    assert json.loads(said.removeprefix("Look at ")) == BASH
    assert "«x»" in said
    assert raw.answer == {"ok": True, "reason": "fine"}


def test_the_event_stands_at_the_end_if_the_prompt_does_not_say(tmp_path):
    _, [body] = judged(tmp_path, OK, prompt="Is it good?")
    words, _, event = body["messages"][-1]["content"].partition("\n\nARGUMENTS: ")
    assert (words, json.loads(event)) == ("Is it good?", BASH)


@pytest.mark.parametrize(
    ("options", "env", "model"),
    [
        ({}, {}, "claude-opus-5-5"),
        ({}, {"ANTHROPIC_MODEL": "sonnet"}, "claude-sonnet-5-5"),
        ({}, {"ANTHROPIC_MODEL": "haiku", "ANTHROPIC_DEFAULT_HAIKU_MODEL": "small-one"}, "small-one"),
        ({}, {"ANTHROPIC_MODEL": "claude-x[1m]"}, "claude-x"),
        ({"model": "claude-y"}, {"ANTHROPIC_MODEL": "sonnet"}, "claude-y"),
        ({"model": "haiku"}, {}, "haiku"),  # as the client: what a handler names is sent as it is written
    ],
)
def test_the_model_is_the_handlers_or_the_sessions(tmp_path, options, env, model):
    _, [body] = judged(tmp_path, OK, env=env, **options)
    assert body["model"] == model


def test_the_answer_is_asked_for_as_a_schema(tmp_path):
    _, [body] = judged(tmp_path, OK)
    assert body["output_config"]["format"]["schema"]["required"] == ["ok", "reason"]
    assert "tools" not in body


def test_a_stop_is_judged_with_the_conversation(tmp_path):
    transcript = tmp_path / "t.jsonl"
    said = [("user", "make it work"), ("assistant", [{"type": "text", "text": "made"}])]
    transcript.write_text("".join(json.dumps({"message": {"role": r, "content": c}}) + "\n" for r, c in said))
    payload = {"hook_event_name": "Stop", "transcript_path": str(transcript), "stop_hook_active": False}
    _, [body] = judged(tmp_path, OK, event="Stop", payload=payload)
    assert [(m["role"], m["content"]) for m in body["messages"][:2]] == [
        ("user", "make it work"),
        ("assistant", "made"),
    ]
    assert "Look at {" in body["messages"][2]["content"]
    assert "impossible" in body["system"]


@pytest.mark.parametrize(
    ("env", "why"),
    [
        ({}, "ANTHROPIC_API_KEY is not set, so no model was asked"),
        ({"ANTHROPIC_API_KEY": ""}, "ANTHROPIC_API_KEY is not set, so no model was asked"),
        ({"ANTHROPIC_API_KEY": "k", "CLAUDE_CODE_USE_BEDROCK": "1"}, "CLAUDE_CODE_USE_BEDROCK is set"),
    ],
)
@pytest.mark.parametrize("kind", ["prompt", "agent"])
def test_without_a_key_nobody_is_asked_and_nothing_is_guessed(tmp_path, monkeypatch, kind, env, why):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "of-this-process")  # which is not the session's
    with api(tmp_path) as served:
        raw = ran(handler(kind, prompt="?"), around(tmp_path, env={"ANTHROPIC_BASE_URL": served.url, **env}))
        assert served.bodies == []
    assert raw.not_evaluated.startswith(why)
    assert raw.answer is None


def test_a_token_and_custom_headers_go_along(tmp_path):
    with api(tmp_path, side=OK) as served:
        env = {"ANTHROPIC_BASE_URL": served.url, "ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_CUSTOM_HEADERS": "X-Team: a"}
        raw = ran(handler("prompt", prompt="?"), around(tmp_path, env=env))
    assert raw.answer == {"ok": True, "reason": "fine"}


def test_what_the_api_refuses_is_told(tmp_path):
    raw, _ = judged(tmp_path, [{"status": 400, "error": "invalid_request_error", "message": "no such model"}])
    assert raw.problem == "the API answered 400: no such model"
    assert raw.answer is None


def test_an_api_that_is_not_there_is_told(tmp_path):
    env = {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1", "ANTHROPIC_API_KEY": "k"}
    raw = ran(handler("prompt", prompt="?"), around(tmp_path, env=env))
    assert raw.problem.startswith("the API is not reachable")


def test_a_missing_library_is_told_with_the_way_to_get_it(tmp_path, monkeypatch):
    for package in ("anthropic", "httpx", "mcp"):
        monkeypatch.setitem(sys.modules, package, None)
    for one in (
        handler("prompt", prompt="?"),
        handler("agent", prompt="?"),
        handler("http", url="http://127.0.0.1/"),
        handler("mcp_tool", server="s", tool="t"),
    ):
        raw = ran(one, around(tmp_path, env={"ANTHROPIC_API_KEY": "k"}))
        assert "is not installed; try: pip install 'hookwright[engine]'" in raw.not_evaluated
