"""What a guest returns comes through unchanged, or not at all."""

import pytest

from hookwright import Decision, add_context, ask, deny, rewrite, stop, system_message
from hookwright.protocol.verbs import replace_output
from hookwright.user_hooks.serialize import copy_payload, decode_decision, encode_decision


@pytest.mark.parametrize(
    "decision",
    [
        None,
        deny("no"),
        ask("ä \ud800 \u2028 \x00 \"'\\"),
        rewrite("r", drop=["timeout"], command="ls", nested={"a": [1, 2.5, None, True]}) & add_context("c"),
        stop("") & system_message("m"),
        replace_output({"stdout": "x"}),
        Decision("block", "b", voice="stderr"),
    ],
)
def test_a_decision_survives_the_way(decision):
    assert decode_decision(encode_decision(decision)) == decision


@pytest.mark.parametrize(
    "decision",
    [
        "deny",
        True,
        deny(None),
        deny(b"no"),
        Decision("perhaps"),
        Decision(stop_reason=5),
        Decision(changes=[1]),
        Decision(fields={"x": {1, 2}}),
        Decision(fields={5: 1}),
        rewrite("r", x=float("nan")),
    ],
)
def test_what_cannot_be_sent_is_refused(decision):
    with pytest.raises((TypeError, ValueError)):
        encode_decision(decision)


def test_a_copy_can_be_changed_to_its_depth():
    raw = {"a": {"b": [1, {"c": 2}]}}
    copy = copy_payload(raw)
    copy["a"]["b"][1]["c"] = 3
    copy["a"]["b"].append(4)
    assert raw == {"a": {"b": [1, {"c": 2}]}}
