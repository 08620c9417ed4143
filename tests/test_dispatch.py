"""Hooks run in order, each sees what the one before left, and one answer comes out."""

import json

import pytest

from hookwright.config import compiler
from hookwright.dispatch import answer, matches_tool, merge
from hookwright.hooks.base import Overrun, World
from hookwright.protocol.decisions import Decision
from hookwright.testing.builders import bash, payload

HEAD = """from hookwright import PreToolUse, SessionEnd, Stop, UserPromptSubmit, add_context, allow, ask, block, deny
from hookwright import hook, rewrite, stop, system_message
"""


def plan_of(tmp_path, *hooks: str, **config: str):
    """A plan of these hook functions only, in this order."""
    folder = tmp_path / "hooks"
    folder.mkdir(exist_ok=True)
    for number, source in enumerate(hooks):
        (folder / f"h{number:02}.py").write_text(HEAD + source)
    own = compiler.load_user_hooks(str(folder))
    assert not own.problems, own.problems
    resolved = compiler.resolve_options("", "", trusted=False, hooks=own.hooks)
    plan = compiler.assemble_plan(own.hooks, resolved.values)
    for row in (row for rows in plan["hooks"].values() for row in rows):
        row.update({key: value for key, value in config.items() if key in row})
    return plan


def says(body: str, name: str = "h", on: str = 'PreToolUse, "Bash"', **declared) -> str:
    extra = "".join(f", {key}={value!r}" for key, value in declared.items())
    return f"@hook({on}{extra})\ndef {name}(event):\n    {body}\n"


def builtin_plan(*names):
    """A plan of these built-in hooks."""
    hooks = compiler.declare_builtins(names)
    return compiler.assemble_plan(hooks, compiler.resolve_options("", "", trusted=False, hooks=hooks).values)


def sent(outcome):
    return json.loads(outcome.stdout) if outcome.stdout else None


def decided(tmp_path, *hooks, event=None, world=None):
    outcome = answer((event or bash("ls", description="d")).raw, plan_of(tmp_path, *hooks), world or World())
    return outcome, (sent(outcome) or {}).get("hookSpecificOutput", {})


def test_no_opinion_is_silence(tmp_path):
    outcome, _ = decided(tmp_path, says("return None"), says("return None", "h2"))
    assert (outcome.stdout, outcome.stderr, outcome.exit_code, outcome.decision) == (b"", b"", 0, None)
    assert [row["verdict"] for row in outcome.trace] == ["none", "none"]


@pytest.mark.parametrize(
    ("words", "winner"),
    [
        (("allow", "ask"), "ask"),
        (("ask", "allow"), "ask"),
        (("deny", "allow", "ask"), "deny"),
        (("ask", "deny"), "deny"),
        (("allow",), "allow"),
    ],
)
def test_the_strictest_permission_wins(tmp_path, words, winner):
    hooks = [says(f"return {word}('because {word}')", f"h{place}") for place, word in enumerate(words)]
    _, specific = decided(tmp_path, *hooks)
    assert specific["permissionDecision"] == winner
    place = words.index(winner)
    assert specific["permissionDecisionReason"] == f"[hookwright h{place}] because {winner}"


def test_reasons_and_contexts_keep_the_name_of_their_hook(tmp_path):
    _, specific = decided(
        tmp_path, says("return deny('a') & add_context('x')", "one"), says("return deny('b') & add_context('y')", "two")
    )
    assert specific["permissionDecisionReason"] == "[hookwright one] a\n[hookwright two] b"
    assert specific["additionalContext"] == "[hookwright one] x\n[hookwright two] y"


def test_of_several_reasons_to_end_the_turn_the_first_is_given(tmp_path):
    outcome, _ = decided(tmp_path, says("return stop('one')", "h1"), says("return stop('two')", "h2"))
    assert sent(outcome)["stopReason"] == "one"


@pytest.mark.parametrize(
    ("decisions", "voice"),
    [
        ([Decision("block", "a", voice="stderr"), Decision("block", "b")], "stderr"),
        ([Decision("block", "a"), Decision("block", "b", voice="context")], "context"),
        ([Decision("allow", "a", voice="stderr"), Decision("deny", "b")], ""),
        ([Decision(None, context="a", voice="stderr"), Decision("block", "b")], ""),
    ],
)
def test_how_a_block_is_sent_is_chosen_by_a_hook_that_blocks(decisions, voice):
    assert merge([(f"h{place}", decision) for place, decision in enumerate(decisions)]).voice == voice


def test_rewrites_chain_into_one_full_input(tmp_path):
    outcome, specific = decided(
        tmp_path,
        says("return rewrite('r', command=event.tool_input['command'] + ' -l')", "one"),
        says("return rewrite('r', command=event.tool_input['command'] + ' -a', timeout=5)", "two"),
        says("return rewrite('r', drop=['timeout'], run_in_background=True)", "three"),
    )
    assert specific["updatedInput"] == {"command": "ls -l -a", "description": "d", "run_in_background": True}
    assert outcome.verdict == "rewrite"


def test_a_denied_call_carries_no_input(tmp_path):
    _, specific = decided(tmp_path, says("return rewrite('r', command='x')", "one"), says("return deny('no')", "two"))
    assert "updatedInput" not in specific


def test_a_hook_hears_only_its_tools(tmp_path):
    outcome, _ = decided(tmp_path, says("return deny('no')", on='PreToolUse, "Write", "Edit"'))
    assert outcome.trace == []


@pytest.mark.parametrize(
    ("tools", "name", "hears"),
    [
        (("Bash",), "Bash", True),
        (("Bash",), "bash", False),
        (("mcp__*__AskUserQuestion",), "mcp__conductor__AskUserQuestion", True),
        (("mcp__*__AskUserQuestion",), "mcp__AskUserQuestion", False),
        (("mcp__*__AskUserQuestion",), "mcp____AskUserQuestion", True),
        (("mcp__*",), "mcp__a__b", True),
        (("*",), "Anything", True),
        (("Bash",), None, False),
        (("Bash",), ["Bash"], False),
    ],
)
def test_tool_names_may_hold_one_star(tools, name, hears):
    assert matches_tool(tools, name) is hears


@pytest.mark.parametrize(
    ("failure", "permission"), [("open", None), ("ask", "ask"), ("closed", "deny")]
)  # fmt: skip
def test_a_hook_that_raises_means_what_it_declared_and_the_others_go_on(tmp_path, failure, permission):
    outcome, specific = decided(
        tmp_path,
        says("raise ValueError('boom')", "broken", failure=failure),
        says("return add_context('still here')", "sound"),
    )
    assert specific.get("permissionDecision") == permission
    assert specific["additionalContext"] == "[hookwright sound] still here"
    assert outcome.trace[0]["failure"] == "ValueError: boom"


def test_a_failure_can_only_be_told_where_the_event_can_carry_it(tmp_path):
    plan = plan_of(tmp_path, says("raise ValueError", on="UserPromptSubmit", failure="ask"))
    outcome = answer(payload("UserPromptSubmit", prompt="x"), plan, World())
    assert (outcome.stdout, outcome.trace[0]["failure"]) == (b"", "ValueError")


def test_a_closed_hook_blocks_where_there_is_no_deny(tmp_path):
    plan = plan_of(tmp_path, says("raise ValueError", on="UserPromptSubmit", failure="closed"))
    assert sent(answer(payload("UserPromptSubmit", prompt="x"), plan, World()))["decision"] == "block"


def test_an_overrun_is_a_failure_even_if_the_hook_catches_everything(tmp_path):
    def alarm(seconds):
        if seconds:
            raise Overrun

    outcome, specific = decided(tmp_path, says("return deny('late')", failure="ask"), world=World(alarm=alarm))
    assert (specific["permissionDecision"], outcome.trace[0]["failure"]) == ("ask", "it took too long")


@pytest.mark.parametrize("name", ["CommandGuard", "Missing"])
def test_the_deadline_of_a_built_in_hook_ends_with_the_hook_even_if_it_fails(name):
    plan = builtin_plan("command_guard")
    [row] = plan["hooks"]["PreToolUse"]
    row["class"] = name
    alarms = []
    outcome = answer(bash("git status").raw, plan, World(alarm=alarms.append))
    assert ("failure" in outcome.trace[0]) == (name == "Missing")
    assert alarms == [5.0, 0]


def test_a_decision_that_the_event_cannot_carry_is_an_error_not_silence(tmp_path):
    plan = plan_of(tmp_path, says("return deny('no')", on="Stop"), says("return block('go on')", "two", on="Stop"))
    outcome = answer(payload("Stop", stop_hook_active=False), plan, World())
    assert "Stop cannot carry deny; it can carry block" in outcome.trace[0]["failure"]
    assert sent(outcome) == {"decision": "block", "reason": "[hookwright two] go on"}


def test_shadow_decides_and_records_but_answers_nothing(tmp_path):
    plan = plan_of(tmp_path, says("return deny('no')"), mode="shadow")
    outcome = answer(bash("ls").raw, plan, World())
    assert (outcome.stdout, outcome.trace[0]["verdict"], outcome.trace[0]["mode"]) == (b"", "deny", "shadow")


def test_off_is_not_even_asked(tmp_path):
    outcome = answer(bash("ls").raw, plan_of(tmp_path, says("return deny('no')"), mode="off"), World())
    assert outcome.trace == []


@pytest.mark.parametrize(("text", "verdict"), [("off", None), ("shadow", "deny"), ("on", "deny"), ("nonsense", "deny")])
def test_the_environment_is_on_top(tmp_path, text, verdict):
    world = World({"HOOKWRIGHT_H_MODE": text}.get)
    outcome = answer(bash("ls").raw, plan_of(tmp_path, says("return deny('no')")), world)
    assert (outcome.trace[0]["verdict"] if outcome.trace else None) == verdict
    assert ("bad_environment" in world.facts) == (text == "nonsense")


@pytest.mark.parametrize(
    ("names", "asked"), [(None, True), ([b"HOME", b"HOOKWRIGHT_H_MODE"], True), ([b"HOME", b"HOOKS"], False)]
)
def test_variables_are_read_only_if_the_name_of_one_may_be_ours(tmp_path, names, asked):
    world = World({"HOOKWRIGHT_H_MODE": "off"}.get, names=names)
    outcome = answer(bash("ls").raw, plan_of(tmp_path, says("return deny('no')")), world)
    assert (outcome.trace == []) == asked


@pytest.mark.parametrize(("text", "moved"), [("0", False), ("1", True)])
def test_a_variable_of_a_former_tool_means_what_it_meant_there(text, moved):
    world = World({"CLAUDE_AUTOBACKGROUND": text}.get)
    outcome = answer(bash("npm install").raw, builtin_plan("auto_background"), world)
    assert bool(outcome.updated_input) == moved


def test_an_entry_may_be_for_some_hooks_only(tmp_path):
    world = World()
    world.only = ("h2",)
    outcome, specific = decided(tmp_path, says("return ask('a')", "h1"), says("return deny('b')", "h2"), world=world)
    assert ([row["hook"] for row in outcome.trace], specific["permissionDecision"]) == (["h2"], "deny")


def test_a_built_in_hook_decides():
    outcome = answer(bash("rm -rf /").raw, builtin_plan("command_guard"), World())
    assert outcome.verdict == "deny"


@pytest.mark.parametrize(("reason", "runs"), [("clear", True), ("logout", False)])
def test_a_matcher_of_a_command_is_compared_with_the_payload(tmp_path, reason, runs):
    plan = plan_of(tmp_path, says("return None", on="SessionEnd"))
    [row] = plan["hooks"]["SessionEnd"]
    row["matcher"] = ("reason", "is", ("clear",))
    outcome = answer(payload("SessionEnd", reason=reason), plan, World())
    assert bool(outcome.trace) == runs


@pytest.mark.parametrize(
    ("says_what", "row"),
    [
        ("return deny('no')", ("deny", "no")),
        ("return add_context('c')", ("context", "c")),
        ("return system_message('m')", ("message", "m")),
        ("return None", ("none", "")),
    ],
)
def test_the_trace_says_which_hook_decided_what_and_why(tmp_path, says_what, row):
    outcome, _ = decided(tmp_path, says(says_what))
    assert [(one["hook"], one["verdict"], one["reason"]) for one in outcome.trace] == [("h", *row)]


def test_what_a_hook_did_is_measured(tmp_path):
    outcome, _ = decided(tmp_path, says("import time; time.sleep(0.02)"))
    assert outcome.trace[0]["us"] >= 20_000


@pytest.mark.parametrize("event", [{"hook_event_name": "BrandNew"}, {"hook_event_name": 5}, {}])
def test_unknown_events_have_no_listeners(tmp_path, event):
    assert answer(event, plan_of(tmp_path, says("return None")), World()).stdout == b""


def test_a_long_chain_is_merged_in_order(tmp_path):
    hooks = [says(f"return add_context('c{n}')", f"h{n:02}") for n in range(50)]
    _, specific = decided(tmp_path, *hooks)
    assert specific["additionalContext"].splitlines() == [f"[hookwright h{n:02}] c{n}" for n in range(50)]
