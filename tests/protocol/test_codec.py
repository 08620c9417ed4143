"""Answers are written in today's form, and only in it."""

import json

import pytest

from hookwright.protocol.capabilities import EXIT_2, LEGAL
from hookwright.protocol.codec import CUT, TEXT_LIMIT, encode_answer, fit_text, read_payload
from hookwright.protocol.decisions import (
    Decision,
    add_context,
    allow,
    ask,
    block,
    deny,
    rewrite,
    stop,
    system_message,
)
from hookwright.protocol.json import NotJson
from hookwright.protocol.verbs import (
    answer_elicitation,
    display,
    emit_terminal_sequence,
    replace_output,
    retry,
    set_title,
    watch,
)


def said(event, decision, updated=None):
    stdout, stderr, code = encode_answer(event, decision, updated)
    assert (stderr, code) == (b"", 0)
    return json.loads(stdout) if stdout else None


def specific(event, **fields):
    return {"hookSpecificOutput": {"hookEventName": event, **fields}}


FORMS = [
    ("PreToolUse", deny("no"), specific("PreToolUse", permissionDecision="deny", permissionDecisionReason="no")),
    ("PreToolUse", ask("sure?"), specific("PreToolUse", permissionDecision="ask", permissionDecisionReason="sure?")),
    ("PreToolUse", allow("yes"), specific("PreToolUse", permissionDecision="allow", permissionDecisionReason="yes")),
    ("PreToolUse", add_context("c"), specific("PreToolUse", additionalContext="c")),
    ("PreToolUse", system_message("m"), {"systemMessage": "m"}),
    ("PreToolUse", stop("s"), {"continue": False, "stopReason": "s"}),
    (
        "PreModelSwitch",
        deny("no"),
        specific("PreModelSwitch", permissionDecision="deny", permissionDecisionReason="no"),
    ),
    ("PermissionRequest", deny("no"), specific("PermissionRequest", decision={"behavior": "deny", "message": "no"})),
    ("PermissionRequest", allow("ok"), specific("PermissionRequest", decision={"behavior": "allow"})),
    ("Stop", block("go on"), {"decision": "block", "reason": "go on"}),
    (
        "UserPromptSubmit",
        block("no") & add_context("c"),
        {"decision": "block", "reason": "no", **specific("UserPromptSubmit", additionalContext="c")},
    ),
    ("SessionStart", set_title("t"), specific("SessionStart", sessionTitle="t")),
    ("SessionStart", watch("/a", "/b"), specific("SessionStart", watchPaths=["/a", "/b"])),
    ("PostToolUse", replace_output({"stdout": "x"}), specific("PostToolUse", updatedToolOutput={"stdout": "x"})),
    ("MessageDisplay", display("x"), specific("MessageDisplay", displayContent="x")),
    ("PermissionDenied", retry(), specific("PermissionDenied", retry=True)),
    ("Elicitation", answer_elicitation("accept", {"a": 1}), specific("Elicitation", action="accept", content={"a": 1})),
    ("Notification", emit_terminal_sequence("\x07"), {"terminalSequence": "\x07"}),
    ("Stop", Decision(), None),
]


@pytest.mark.parametrize(("event", "decision", "form"), FORMS)
def test_each_decision_has_its_form(event, decision, form):
    assert all(word in LEGAL[event] for word in decision.capabilities())
    assert said(event, decision) == form


def test_a_rewrite_is_the_full_input():
    decision = rewrite("longer", drop=["timeout"], run_in_background=True)
    full = decision.applied_to({"command": "make", "timeout": 5, "description": "d"})
    assert said("PreToolUse", decision, full) == specific(
        "PreToolUse", updatedInput={"command": "make", "description": "d", "run_in_background": True}
    )


def test_permission_requests_carry_a_rewrite_only_with_allow():
    assert said("PermissionRequest", allow("ok"), {"command": "x"})["hookSpecificOutput"]["decision"] == {
        "behavior": "allow",
        "updatedInput": {"command": "x"},
    }


@pytest.mark.parametrize("event", EXIT_2)
def test_events_without_a_block_in_json_block_by_exit_code(event):
    assert encode_answer(event, block("not yet"), None) == (b"", b"not yet", 2)


@pytest.mark.parametrize("letter", ["x", "é", "😀", "\udc80"])
def test_long_texts_are_cut_with_a_word_about_it(letter):
    cut = fit_text(letter * 10_001)
    assert cut.endswith(CUT)
    assert len(cut.encode("utf-16-le", "surrogatepass")) // 2 <= TEXT_LIMIT
    longest = letter * (TEXT_LIMIT // (2 if letter == "😀" else 1))
    assert fit_text(longest) == longest


def test_defer_is_never_written():
    assert not any("defer" in words for words in LEGAL.values())


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"\xef\xbb\xbf", "empty"),
        (b"{", "not JSON"),
        (b"[1]", "not an object"),
        (b"42", "not an object"),
        (b'{"a": "\xff"}', "not UTF-8"),
        (b'{"a": 1, "a": 2}', "twice"),
        (b'{"a":' * 1000, "deeply"),
        (b"{} x", "after"),
    ],
)
def test_unreadable_payloads_say_why(data, why):
    with pytest.raises(NotJson, match=why):
        read_payload(data)


def test_a_payload_may_have_a_byte_order_mark_and_blank_lines():
    assert read_payload(b'\xef\xbb\xbf\n{"a": "\xe2\x80\xa8"}\n') == {"a": "\u2028"}


def test_one_hook_cannot_say_two_permissions():
    with pytest.raises(ValueError, match="both deny and ask"):
        deny("a") & ask("b")
