"""One table per merge rule: which effect wins, and what the traces record. Measured in tests/conformance."""

import pytest

from hookwright.engine.handler_run import new_trace
from hookwright.engine.interpret import HandlerEffect as Effect
from hookwright.engine.merge import FinishedRun, merge, stops_listening
from hookwright.engine.types import Handler
from tests.engine.kit import BASH

A, B = {"command": "a"}, {"command": "b"}


def finished(effect, line=1, scope="user", event="PreToolUse"):
    handler = Handler("command", event, scope, "f.json", line, None, {"command": "x"})
    return FinishedRun(handler, new_trace(handler, None), effect)


def merged(*effects, event="PreToolUse", interactive=False, scopes=(), **payload):
    """The outcome of these effects in order of completion, and what each trace counted and ignored."""
    scopes = (*scopes, *["user"] * len(effects))
    pairs = zip(effects, scopes, strict=False)
    runs = [finished(effect, line, scope, event) for line, (effect, scope) in enumerate(pairs, 1)]
    outcome = merge({**BASH, "hook_event_name": event, **payload}, runs, interactive=interactive)
    return outcome, [(run.trace.counted, run.trace.ignored) for run in runs]


def decided(words, **options):
    """The decision and the reason for decisions written as "ask:a deny:b"."""
    effects = [Effect(decision, reason or None) for decision, _, reason in (w.partition(":") for w in words.split())]
    outcome, _ = merged(*effects, **options)
    return outcome.decision, outcome.reason


# --- permissions
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("allow ask:a", ("ask", "a")),
        ("ask:a allow", ("ask", "a")),
        ("ask:a defer", ("defer", None)),
        ("defer ask:a", ("defer", None)),
        ("defer deny:d", ("deny", "d")),
        ("deny:d defer", ("deny", "d")),
        ("deny:d allow", ("deny", "d")),
        ("allow", ("allow", None)),
    ],
)
def test_the_strictest_permission_wins_in_any_order(words, expected):
    assert decided(words) == expected


@pytest.mark.parametrize(
    ("event", "words", "expected"),
    [
        ("PreToolUse", "deny:a deny:b", ("deny", "b")),
        ("PreToolUse", "ask:a ask:b", ("ask", "a")),
        ("PreModelSwitch", "deny:a deny:b", ("deny", "a")),
    ],
)
def test_the_last_deny_before_a_tool_gives_the_reason_and_otherwise_the_first_of_equals(event, words, expected):
    assert decided(words, event=event) == expected


@pytest.mark.parametrize(
    ("words", "scopes", "reason"),
    [
        ("ask:a ask:b", ("managed", "user"), "b"),
        ("ask:a ask:b", ("user", "managed"), "a"),
        ("ask:a ask:b", ("managed", "managed"), "a"),
        ("deny:a deny:b", ("user", "managed"), "b"),
    ],
)
def test_of_two_asks_the_one_outside_of_managed_settings_gives_the_reason(words, scopes, reason):
    assert decided(words, scopes=scopes)[1] == reason


@pytest.mark.parametrize(
    ("words", "interactive", "decision"),
    [
        ("defer", False, "defer"),
        ("defer", True, "none"),
        ("allow defer", True, "allow"),
        ("allow defer", False, "defer"),
        ("ask defer", True, "ask"),
    ],
)
def test_defer_counts_only_without_a_user(words, interactive, decision):
    assert decided(words, interactive=interactive)[0] == decision


def test_an_ignored_defer_is_recorded():
    _, [(counted, ignored)] = merged(Effect("defer"), interactive=True)
    assert (counted, ignored) == ([], ["its defer: the session is interactive"])


@pytest.mark.parametrize(
    ("words", "interactive", "expected"),
    [
        ("allow", False, ("none", None)),
        ("allow", True, ("none", None)),
        ("ask:a", False, ("deny", "a")),
        ("ask:a", True, ("ask", "a")),
        ("deny:d", True, ("deny", "d")),
    ],
)
def test_before_a_model_switch_allow_has_no_effect_and_ask_needs_a_user(words, interactive, expected):
    assert decided(words, event="PreModelSwitch", interactive=interactive) == expected


def test_the_stronger_decision_is_named_to_the_weaker():
    outcome, traces = merged(Effect("allow"), Effect("deny", "no"))
    assert outcome.won == "deny, by f.json:2, against 1 other"
    assert traces == [([], ["its allow: deny is stronger (f.json:2)"]), (["deny: no"], [])]


def test_a_deny_whose_reason_is_not_shown_is_told_who_gives_it():
    outcome, traces = merged(Effect("deny", "a"), Effect("deny", "b"), Effect("deny", "b"))
    assert (outcome.reason, outcome.won) == ("b", "deny, by f.json:3, against 2 others")
    assert traces[0] == (["deny"], ['its reason "a": f.json:3 gives it'])
    assert traces[1] == (["deny"], [])


def test_context_is_lost_if_only_managed_handlers_ran_and_deny():
    effects = (Effect("deny", "no", context=["c"]), Effect(context=["d"]))
    outcome, traces = merged(*effects, scopes=("managed", "managed"))
    assert outcome.context == []
    lost = "a managed handler denied, and then context is lost"
    assert [ignored for _, ignored in traces] == [[f'its "c": {lost}'], [f'its "d": {lost}']]


@pytest.mark.parametrize(
    ("decision", "scopes"), [("ask", ("managed",)), ("deny", ("user",)), ("deny", ("managed", "user"))]
)
def test_otherwise_context_beside_a_decision_is_kept(decision, scopes):
    effects = [Effect(decision, "no", context=["c"]), Effect()][: len(scopes)]
    assert merged(*effects, scopes=scopes)[0].context == ["c"]


# --- rewrites
@pytest.mark.parametrize(
    ("effects", "updated"),
    [
        ((Effect(updated_input=A),), A),
        ((Effect(updated_input=A), Effect(updated_input=B)), B),
        ((Effect(updated_input=B), Effect(updated_input=A)), A),
        ((Effect(updated_input=BASH["tool_input"]),), None),
        ((Effect("allow", updated_input=A),), A),
        ((Effect("ask", "why", updated_input=A),), A),
        ((Effect("deny", "no"), Effect(updated_input=A)), None),
        ((Effect(updated_input=A), Effect("deny", "no")), None),
        ((Effect("defer"), Effect(updated_input=A)), None),
        ((Effect("defer", updated_input=A),), None),
    ],
)
def test_the_last_rewrite_wins_unless_the_call_does_not_run(effects, updated):
    assert merged(*effects)[0].updated_input == updated


def test_a_rewrite_beside_defer_counts_in_an_interactive_session():
    assert merged(Effect("defer"), Effect(updated_input=A), interactive=True)[0].updated_input == A


def test_an_earlier_rewrite_is_told_which_one_came_later():
    outcome, traces = merged(Effect(updated_input=A), Effect(updated_input={**B, "color": 1}))
    assert outcome.updated_input == B
    assert traces[0] == ([], ["its rewrite: f.json:2 ended later, and the last rewrite wins"])
    assert traces[1] == (["rewrites the input"], ["color: the tool has no such key"])


@pytest.mark.parametrize("decision", ["deny", "defer"])
def test_a_rewrite_of_a_call_that_does_not_run_is_ignored(decision):
    _, traces = merged(Effect(decision, "no"), Effect(updated_input=A))
    assert traces[1] == ([], [f"its rewrite: the call does not run ({decision})"])


def test_a_rewrite_that_the_tool_rejects_denies_the_call():
    outcome, traces = merged(Effect("allow", updated_input={}))
    assert (outcome.decision, outcome.won) == ("deny", "deny, since the rewrite by f.json:1 does not fit the tool")
    assert traces[0][1] == ["its rewrite: it does not fit the tool's schema; the call is refused"]


# --- PermissionRequest
@pytest.mark.parametrize(
    ("effects", "expected"),
    [
        ((Effect("allow"), Effect("deny", "no")), ("allow", None, None)),
        ((Effect("deny", "no"), Effect("allow")), ("deny", "no", None)),
        ((Effect(), Effect("deny", "no")), ("deny", "no", None)),
        ((Effect("allow", updated_input=A),), ("allow", None, A)),
        ((Effect("deny", "no", updated_input=A),), ("deny", "no", None)),
        ((Effect(updated_input=A),), ("none", None, None)),
    ],
)
def test_the_first_decision_on_a_permission_request_wins(effects, expected):
    outcome, _ = merged(*effects, event="PermissionRequest")
    assert (outcome.decision, outcome.reason, outcome.updated_input) == expected


@pytest.mark.parametrize(
    ("event", "effects", "won"),
    [
        ("PermissionRequest", (Effect("allow"),), "allow, by f.json:1, who was the first to decide"),
        ("PermissionRequest", (Effect(), Effect("allow")), "allow, by f.json:2, who was the first to decide"),
        ("PermissionRequest", (Effect(),), ""),
        ("UserPromptSubmit", (Effect("block", "no"),), "block, by f.json:1, who was the first to decide"),
        ("UserPromptExpansion", (Effect("block", "no"),), "block, by f.json:1, who was the first to decide"),
        ("UserPromptSubmit", (Effect(stops=True),), ""),
        ("PostToolUse", (Effect("block", "a"), Effect("block", "b")), "block, by f.json:1 and f.json:2"),
        ("PostToolBatch", (Effect("block", "a"),), "the end of the turn, by f.json:1"),
    ],
)
def test_whoever_decided_is_named(event, effects, won):
    assert merged(*effects, event=event)[0].won == won


@pytest.mark.parametrize(
    ("event", "effect", "counted"),
    [
        ("PreToolUse", Effect("deny"), ["deny"]),
        ("PermissionRequest", Effect("allow", updated_input=A), ["rewrites the input", "allow"]),
        ("PostToolBatch", Effect("block", "b"), ["ends the turn: b"]),
        ("PostToolUse", Effect("block", "b", context=["c"]), ["block: b", "context: c"]),
        ("PostToolUse", Effect(message="m"), ["system message: m"]),
        ("PostToolUse", Effect(others={"displayContent": "d"}), ["displayContent"]),
        ("UserPromptSubmit", Effect(stops=True), ["ends the turn: without a reason"]),
    ],
)
def test_the_trace_lists_the_effects_that_counted(event, effect, counted):
    assert merged(effect, event=event)[1][0][0] == counted


# --- continue: false
@pytest.mark.parametrize(
    ("event", "reasons", "expected"),
    [
        ("PreToolUse", ("a", "b"), "b"),
        ("PostToolUse", ("a", "b"), "a"),
        ("Stop", ("a", "b"), "a"),
        ("PreToolUse", (None,), "Execution stopped by hook"),
        ("PostToolUse", (None,), "Execution stopped by PostToolUse hook"),
        ("PostToolBatch", (None,), "Execution stopped by PostToolBatch hook"),
        ("Stop", (None,), "Stop hook prevented continuation"),
        ("UserPromptSubmit", (None,), None),
    ],
)
def test_the_turn_ends_with_the_last_reason_before_a_tool_and_elsewhere_with_the_first(event, reasons, expected):
    outcome, _ = merged(*(Effect(stops=True, stop_reason=reason) for reason in reasons), event=event)
    assert (outcome.continue_, outcome.stop_reason) == (False, expected)


def test_a_reason_to_end_the_turn_that_is_not_shown_is_recorded():
    effects = (Effect(stops=True, stop_reason="a"), Effect(stops=True, stop_reason="b"))
    _, before = merged(*effects)
    assert before == [([], ["its reason to end the turn: the last to end gives it"]), (["ends the turn: b"], [])]
    _, after = merged(*effects, event="PostToolUse")
    assert after == [(["ends the turn: a"], []), ([], ["its reason to end the turn: the first to end gives it"])]


def test_a_subagent_that_is_stopped_does_not_end_the_turn():
    outcome, traces = merged(Effect(stops=True), Effect("block", "b", context=["c"]), event="SubagentStop")
    assert (outcome.continue_, outcome.stop_reason, outcome.decision) == (True, None, "none")
    assert (outcome.goes_on, outcome.context) == (False, [])
    assert traces[1] == ([], ["its block: the subagent has ended", 'its "c": the subagent has ended'])


@pytest.mark.parametrize(
    ("effects", "reason"),
    [
        ((Effect("block", "a"), Effect("block", "b")), "a"),
        ((Effect("block", "a"), Effect(stops=True, stop_reason="s")), "s"),
        ((Effect("block", "a"), Effect(stops=True)), "a"),
    ],
)
def test_after_a_batch_a_block_ends_the_turn_unless_a_reason_is_given(effects, reason):
    outcome, _ = merged(*effects, event="PostToolBatch")
    assert (outcome.continue_, outcome.stop_reason, outcome.decision) == (False, reason, "none")


# --- blocks
@pytest.mark.parametrize(
    ("event", "effects", "expected"),
    [
        ("PostToolUse", (Effect("block", "a"), Effect("block", "b")), ("block", "a\nb")),
        ("TaskCreated", (Effect("block", "a"), Effect("block", "b")), ("block", "a\nTaskCreated hook feedback:\nb")),
        ("PostToolUse", (Effect("block", "a", stops=True), Effect("block", "b")), ("block", "b")),
        ("PostToolUse", (Effect("block", "a", stops=True),), ("none", None)),
        ("Stop", (Effect("block", "a", stops=True),), ("block", "a")),
        ("Stop", (Effect("block", "a"), Effect(stops=True)), ("block", "a")),
        ("SubagentStop", (Effect("block", "a"), Effect(stops=True)), ("none", None)),
    ],
)
def test_reasons_of_blocks_are_joined(event, effects, expected):
    outcome, _ = merged(*effects, event=event)
    assert (outcome.decision, outcome.reason) == expected


def test_a_block_beside_its_own_end_of_the_turn_is_ignored():
    _, traces = merged(Effect("block", "a", stops=True), event="PostToolUse")
    assert 'its block: its "continue": false is stronger' in traces[0][1]


@pytest.mark.parametrize(
    ("event", "effect", "goes_on"),
    [
        ("Stop", Effect("block", "a"), True),
        ("Stop", Effect(context=["c"]), True),
        ("Stop", Effect(message="m"), False),
        ("Stop", Effect("block", "a", stops=True), False),
        ("SubagentStop", Effect("block", "a"), True),
        ("SubagentStop", Effect("block", "a", stops=True), False),
        ("PostToolUse", Effect("block", "a"), False),
    ],
)
def test_a_block_or_context_makes_the_model_continue_after_a_stop(event, effect, goes_on):
    assert merged(effect, event=event)[0].goes_on is goes_on


# --- listening
@pytest.mark.parametrize(
    ("event", "effect", "over"),
    [
        ("PreToolUse", Effect("deny"), False),
        ("PreToolUse", Effect(stops=True), False),
        ("UserPromptSubmit", Effect("block"), True),
        ("UserPromptSubmit", Effect(stops=True), True),
        ("UserPromptSubmit", Effect(context=["x"]), False),
        ("UserPromptExpansion", Effect("block"), True),
        ("PermissionRequest", Effect("allow"), True),
        ("PermissionRequest", Effect(stops=True), False),
        ("PostToolUse", Effect("block"), False),
        ("PostToolUse", Effect(stops=True), True),
        ("Stop", Effect("block", stops=True), False),
    ],
)
def test_some_results_make_the_client_ignore_all_later_ones(event, effect, over):
    assert stops_listening(event, effect) is over


# --- context and system messages
@pytest.mark.parametrize(
    ("event", "context"),
    [
        ("PreToolUse", ["p", "q", "a\nb"]),
        ("SessionStart", ["p", "q", "a\nb"]),
        ("SubagentStart", ["p", "q", "a\nb"]),
        ("Setup", ["p", "q", "a\nb"]),
        ("PostToolUse", ["p", "a", "q", "b"]),
        ("UserPromptSubmit", ["p", "a", "q", "b"]),
    ],
)
def test_some_events_join_the_context_of_all_handlers(event, context):
    effects = (Effect(plain=["p"], context=["a"]), Effect(plain=["q"], context=["b"]))
    assert merged(*effects, event=event)[0].context == context


@pytest.mark.parametrize(
    ("event", "effects", "context", "messages"),
    [
        ("UserPromptSubmit", (Effect(plain=["a"], message="m"), Effect("block", "no")), [], []),
        ("UserPromptSubmit", (Effect(plain=["a"], message="m"), Effect(stops=True)), [], []),
        (
            "PostToolUse",
            (Effect(context=["a"], message="m"), Effect(context=["b"], message="n", stops=True)),
            ["a"],
            ["m"],
        ),
        ("Stop", (Effect(context=["a"], message="m", stops=True),), ["a"], ["m"]),
        ("PreToolUse", (Effect("deny", "no", context=["a"], message="m"),), ["a"], ["m"]),
    ],
)
def test_texts_are_lost_with_the_prompt_or_the_turn(event, effects, context, messages):
    outcome, _ = merged(*effects, event=event)
    assert (outcome.context, outcome.system_messages) == (context, messages)


def test_lost_texts_are_recorded():
    _, traces = merged(Effect(plain=["a"], message="m"), Effect("block", "no"), event="UserPromptSubmit")
    lost = "the prompt does not reach the model"
    assert traces[0] == ([], [f'its "a": {lost}', f'its "m": {lost}'])


# --- tool output and other keys
OUTPUT = {"stdout": "new", "stderr": "", "interrupted": False}


@pytest.mark.parametrize(
    ("key", "value", "options", "expected"),
    [
        ("updatedToolOutput", OUTPUT, {}, OUTPUT),
        ("updatedToolOutput", "text", {}, None),
        ("updatedToolOutput", "text", {"tool_name": "mcp__a__b"}, "text"),
        ("updatedMCPToolOutput", "text", {}, None),
        ("updatedMCPToolOutput", "text", {"tool_name": "mcp__a__b"}, "text"),
        ("displayContent", "text", {"event": "MessageDisplay"}, "text"),
    ],
)
def test_an_output_must_have_the_shape_that_the_tool_returns(key, value, options, expected):
    outcome, _ = merged(Effect(others={key: value}), **{"event": "PostToolUse", **options})
    assert (outcome.updated_output, outcome.others) == (expected, {})


def test_the_last_output_wins_but_not_that_of_a_handler_that_ends_the_turn():
    first, second = (
        Effect(others={"updatedToolOutput": OUTPUT}),
        Effect(others={"updatedToolOutput": {**OUTPUT, "stdout": "b"}}),
    )
    assert merged(first, second, event="PostToolUse")[0].updated_output["stdout"] == "b"
    second.stops = True
    outcome, traces = merged(first, second, event="PostToolUse")
    assert outcome.updated_output == OUTPUT
    assert 'its updatedToolOutput: its "continue": false is stronger' in traces[1][1]


def test_an_output_of_another_shape_is_recorded_as_ignored():
    _, traces = merged(Effect(others={"updatedToolOutput": "text"}), event="PostToolUse")
    assert traces[0][1] == ["its updatedToolOutput: it does not have the shape of what Bash returns"]


def test_other_keys_are_passed_on():
    outcome, traces = merged(Effect(others={"sessionTitle": "x"}), event="UserPromptSubmit")
    assert outcome.others == {"sessionTitle": "x"}
    assert traces == [(["sessionTitle"], [])]


def test_without_any_effect_nothing_happens():
    outcome, traces = merged(Effect(), Effect())
    assert (outcome.decision, outcome.won, outcome.continue_) == ("none", "", True)
    assert traces == [([], []), ([], [])]


def test_what_one_run_ignored_is_in_its_trace_once():
    run = finished(Effect(ignored=["a", "b"]))
    run.trace.ignored.append("a")
    merge(BASH, [run], interactive=False)
    assert run.trace.ignored == ["a", "b"]
