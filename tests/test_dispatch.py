"""Hooks run in order, each sees what the one before left, and one answer comes out."""

import json
import time

import pytest

from hookwright.dispatch import answer, listens
from hookwright.hooks.base import Overrun, World
from hookwright.testing.builders import bash, payload

HEAD = """from hookwright import PreToolUse, Stop, UserPromptSubmit, add_context, allow, ask, block, deny
from hookwright import hook, rewrite, stop, system_message
"""


def plan_of(tmp_path, *hooks: str, **config: str):
    """A plan of these hook functions only, in this order."""
    from hookwright.plan import compiler  # noqa: PLC0415

    folder = tmp_path / "hooks"
    folder.mkdir(exist_ok=True)
    for number, source in enumerate(hooks):
        (folder / f"h{number}.py").write_text(HEAD + source)
    own = compiler.user_hooks(str(folder))
    assert not own.problems, own.problems
    resolved = compiler.resolved("", "", trusted=False, hooks=own.hooks)
    plan = compiler.assembled(own.hooks, resolved.values)
    for row in (row for rows in plan["hooks"].values() for row in rows):
        row.update({key: value for key, value in config.items() if key in row})
    return plan


def says(body: str, name: str = "h", on: str = 'PreToolUse, "Bash"', **declared) -> str:
    extra = "".join(f", {key}={value!r}" for key, value in declared.items())
    return f"@hook({on}{extra})\ndef {name}(event):\n    {body}\n"


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
        (("mcp__*",), "mcp__a__b", True),
        (("*",), "Anything", True),
        (("Bash",), None, False),
        (("Bash",), ["Bash"], False),
    ],
)
def test_tool_names_may_hold_one_star(tools, name, hears):
    assert listens(tools, name) is hears


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


def test_what_a_hook_did_is_measured(tmp_path):
    outcome, _ = decided(tmp_path, says("import time; time.sleep(0.02)"))
    assert outcome.trace[0]["us"] >= 20_000


def test_unknown_events_have_no_listeners(tmp_path):
    assert answer({"hook_event_name": "BrandNew"}, plan_of(tmp_path, says("return None")), World()).stdout == b""


def test_a_long_chain_stays_quick(tmp_path):
    hooks = [says(f"return add_context('c{n}')", f"h{n}") for n in range(50)]
    plan = plan_of(tmp_path, *hooks)
    began = time.perf_counter()
    outcome = answer(bash("ls").raw, plan, World())
    assert len(outcome.trace) == 50
    assert time.perf_counter() - began < 5
