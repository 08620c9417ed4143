"""Who won, and what became of the others' words. Which of them wins is measured in tests/conformance."""

import pytest

from hookwright.engine.judge import Heard
from hookwright.engine.merge import End, is_over, merge
from hookwright.engine.running import begun
from hookwright.engine.types import Handler
from tests.engine.kit import BASH


def ends(event, *heard):
    who = [Handler("command", event, "user", "f.json", line, None, {"command": "x"}) for line in range(1, 9)]
    return [End(one, begun(one, None), words) for one, words in zip(who, heard, strict=False)]


def outcome(*heard, event="PreToolUse", **payload):
    run = ends(event, *heard)
    merged = merge({**BASH, "hook_event_name": event, **payload}, run, interactive=False)
    return merged, [(end.trace.counted, end.trace.ignored) for end in run]


def test_the_stronger_decision_is_named_to_the_weaker():
    merged, told = outcome(Heard("allow"), Heard("deny", "no"))
    assert merged.won == "deny, by f.json:2, against 1 other"
    assert told == [([], ["its allow: deny is stronger (f.json:2)"]), (["deny: no"], [])]


def test_of_two_denies_the_one_without_the_last_word_hears_of_it():
    merged, told = outcome(Heard("deny", "a"), Heard("deny", "b"), Heard("deny", "b"))
    assert (merged.reason, merged.won) == ("b", "deny, by f.json:3, against 2 others")
    assert told[0] == (["deny"], ['its reason "a": f.json:3 gives it'])
    assert told[1] == (["deny"], [])


def test_a_rewrite_that_came_too_soon_hears_who_came_later():
    merged, told = outcome(Heard(updated_input={"command": "a"}), Heard(updated_input={"command": "b", "color": 1}))
    assert merged.updated_input == {"command": "b"}
    assert told[0] == ([], ["its rewrite: f.json:2 ended later, and the last rewrite wins"])
    assert told[1] == (["rewrites the input"], ["color: the tool has no such key"])


def test_a_rewrite_of_a_call_that_does_not_run_is_moot():
    merged, told = outcome(Heard("deny", "no"), Heard(updated_input={"command": "a"}))
    assert merged.updated_input is None
    assert told[1] == ([], ["its rewrite: the call does not run (deny)"])


def test_a_rewrite_that_the_tool_refuses_denies_the_call():
    merged, told = outcome(Heard("allow", updated_input={}))
    assert (merged.decision, merged.won) == ("deny", "deny, since the rewrite by f.json:1 does not fit the tool")
    assert told[0][1] == ["its rewrite: it does not fit the tool's schema; the call is refused"]


@pytest.mark.parametrize(
    ("event", "heard", "over"),
    [
        ("PreToolUse", Heard("deny"), False),
        ("UserPromptSubmit", Heard("block"), True),
        ("UserPromptSubmit", Heard(context=["x"]), False),
        ("PermissionRequest", Heard("allow"), True),
        ("PostToolUse", Heard("block"), False),
        ("PostToolUse", Heard(stops=True), True),
        ("Stop", Heard("block", stops=True), False),
    ],
)
def test_some_events_stop_listening(event, heard, over):
    assert is_over(event, heard) is over


def test_texts_of_a_prompt_that_is_gone_are_told_to_be_lost():
    merged, told = outcome(Heard(plain=["a"], message="m"), Heard("block", "no"), event="UserPromptSubmit")
    assert (merged.context, merged.system_messages) == ([], [])
    gone = "the prompt does not reach the model"
    assert told[0] == ([], [f'its "a": {gone}', f'its "m": {gone}'])


def test_other_words_are_kept_for_whoever_knows_them():
    merged, told = outcome(Heard(others={"sessionTitle": "x"}), event="UserPromptSubmit")
    assert merged.others == {"sessionTitle": "x"}
    assert told == [(["sessionTitle"], [])]


def test_an_output_of_another_shape_is_ignored():
    heard = Heard(others={"updatedToolOutput": "text"})
    merged, told = outcome(heard, event="PostToolUse", tool_response={"stdout": ""})
    assert merged.updated_output is None
    assert told[0][1] == ["its updatedToolOutput: it does not have the shape of what Bash returns"]


def test_silence_of_all_is_nothing():
    merged, told = outcome(Heard(), Heard())
    assert (merged.decision, merged.won, merged.continue_) == ("none", "", True)
    assert told == [([], []), ([], [])]
