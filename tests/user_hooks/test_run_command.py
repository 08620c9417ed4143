"""Old scripts inside the dispatcher: started as Claude Code would, understood as Claude Code would, in an order."""

import json
import os

import pytest

from hookwright.testing.builders import bash, payload, tool_use
from tests.proc.kit import has_pids, is_alive, read_pids, run_with_time, wait_until

pytestmark = pytest.mark.slow


def table(event, command, **more):
    lines = [f"event = {event!r}", f"command = {json.dumps(command)}"]
    lines += [f"{key} = {json.dumps(value)}" for key, value in more.items()]
    return "[[hooks.command]]\n" + "\n".join(lines) + "\n"


def answer(**specific):
    return f"echo '{json.dumps({'hookSpecificOutput': {'hookEventName': 'PreToolUse', **specific}})}'"


def whole(place, event=None):
    done = place.ask(event)
    assert done.returncode == 0, done
    return json.loads(done.stdout) if done.stdout else {}


PROMPT = payload("UserPromptSubmit", prompt="hello")
STOP = payload("Stop", stop_hook_active=False)
DONE = payload("PostToolUse", tool_name="Bash", tool_input={"command": "ls"}, tool_response={"stdout": ""})
DENY = answer(permissionDecision="deny", permissionDecisionReason="not here")
DENIED = {"permissionDecision": "deny", "permissionDecisionReason": "[hookwright old] not here"}
# event, command → what is answered and what is recorded as its failure
UNDERSTOOD = {
    "silence": (None, "true", {}, None),
    "a deny": (None, DENY, DENIED, None),
    "exit code 2": (None, "echo not here >&2; exit 2", DENIED, None),
    "exit code 1": (None, "echo odd >&2; exit 1", {}, "ended with 1: odd"),
    "an answer with exit code 1": (None, f"{DENY}; exit 1", DENIED, "ended with 1"),
    "context": (None, answer(additionalContext="mind"), {"additionalContext": "[hookwright old] mind"}, None),
    "text that nobody sees": (None, "echo hello", {}, None),
    "text that is context": (PROMPT, "echo hello", {"additionalContext": "[hookwright old] hello"}, None),
    "a rewrite": (None, answer(updatedInput={"command": "pwd"}), {"updatedInput": {"command": "pwd"}}, None),
    "no schema": (None, answer(additionalContext=5), {}, '"hookSpecificOutput.additionalContext" must be a text'),
    "two objects": (None, f"{DENY}; {DENY}", {}, "stdout holds two objects"),
    "defer": (None, answer(permissionDecision="defer"), {}, None),
    "no such program": (None, "no-such-program", {}, "ended with 127"),
    "no such file": (None, ["/no/such/program"], {}, "it cannot be started: No such file or directory"),
    "ended by a signal": (None, "kill -9 $$", {}, "ended with 137"),
    "to the background": (None, "echo '{\"async\": true}'", {}, "it continues in the background"),
}  # fmt: skip


@pytest.mark.parametrize("case", UNDERSTOOD)
def test_what_a_command_says_counts_as_in_the_client(place, case):
    event, command, expected, failure = UNDERSTOOD[case]
    name = (event or {}).get("hook_event_name", "PreToolUse")
    place.config(table(name, command, name="old"))
    said = place.said(event)
    said.pop("hookEventName", None)
    assert said == expected
    [row] = [row for row in place.rows() if row["hook"] == "old"]
    assert (row.get("failure") or "").startswith(failure or ""), row
    assert ("failure" in row) == (failure is not None)


def test_stop_goes_on_and_a_result_gets_its_word(place):
    place.config(
        table("Stop", "echo 'not yet' >&2; exit 2", name="gate") + table("PostToolUse", "echo look >&2; exit 2")
    )
    assert whole(place, STOP) == {"decision": "block", "reason": "[hookwright gate] not yet"}
    assert whole(place, DONE)["hookSpecificOutput"]["additionalContext"] == "[hookwright echo] look"


def test_the_payload_the_environment_and_the_folder_are_the_clients(place, tmp_path):
    out = tmp_path / "seen"
    script = f'cat > {out}; echo "$CLAUDE_PROJECT_DIR|$PWD|$MINE" >> {out}'
    place.config(table("PreToolUse", script))
    event = bash("ls -l 'ä'", description="d").raw
    place.ask(event, MINE="yes")
    first, second = out.read_text().splitlines()
    assert json.loads(first) == event
    assert second == f"{place.project}|{place.hook_process.home}|yes"


def test_a_program_gets_its_arguments_as_they_are(place, tmp_path):
    out = tmp_path / "seen"
    script = tmp_path / "script.sh"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {out}\n')
    script.chmod(0o755)
    place.config(
        table("PreToolUse", str(script), args=["${CLAUDE_PROJECT_DIR}/x", "$HOME", "a b"])
        + table("Stop", [str(script), "${CLAUDE_PROJECT_DIR}"])
    )
    place.said()
    assert out.read_text().splitlines() == [f"{place.project}/x", "$HOME", "a b"]
    place.said(STOP)
    assert out.read_text().splitlines() == [str(place.project)]


def test_several_scripts_have_an_order_see_each_others_rewrites_and_give_one_answer(place):
    grow = """python3 -c 'import json,sys
e = json.load(sys.stdin)
i = dict(e["tool_input"], command=e["tool_input"]["command"] + " {}")
print(json.dumps({{"hookSpecificOutput": {{"hookEventName": "PreToolUse", "updatedInput": i}}}}))'"""
    place.config(
        table("PreToolUse", grow.format("two"), name="two", order=2)
        + table("PreToolUse", grow.format("one"), name="one", order=1)
        + table("PreToolUse", answer(additionalContext="noted"), name="three", order=3)
    )
    said = place.said()
    assert said["updatedInput"] == {"command": "ls one two", "description": "d"}
    assert said["additionalContext"] == "[hookwright three] noted"
    assert [row["hook"] for row in place.rows() if row["hook"] in ("one", "two", "three")] == ["one", "two", "three"]


# --- matchers
MATCHERS = [
    ("Bash", True), ("Bash|Write", True), ("Bash, Write", True), ("*", True), ("", True), ("Ba.*", True), ("^Ba", True),
    (".*", True), ("(Bash)", True), ("B[a]sh", True), (" Bash ", True), ("as.", True), ("bash", False), ("Ba", False),
    ("Bash.", False), ("Write", False), ("^ash", False), ("sh$", True), ("^Bash$", True), ("(?<n>Bash)", True),
]  # fmt: skip


@pytest.mark.parametrize(("matcher", "fires"), MATCHERS)
def test_a_matcher_means_what_it_means_to_the_client(place, matcher, fires):
    place.config(table("PreToolUse", "true", matcher=matcher, name="old"))
    place.said()
    assert ("old" in [row["hook"] for row in place.rows()]) is fires


@pytest.mark.parametrize(
    ("event", "matcher", "fires"),
    [
        (payload("SessionStart", source="resume"), "resume|clear", True),
        (payload("SessionStart", source="startup"), "resume|clear", False),
        (payload("SessionStart", source="startup"), "^start", True),
        (tool_use("Agent", {"prompt": "x", "description": "d"}).raw, "Task", True),
        (tool_use("Agent", {"prompt": "x", "description": "d"}).raw, "^Task$", True),
        (tool_use("mcp__memory__store", {}).raw, "mcp__memory", False),
        (tool_use("mcp__memory__store", {}).raw, "mcp__memory__.*", True),
        (PROMPT, "anything", True),  # it has no matcher, and says so
    ],
)
def test_other_events_match_their_own_words(place, event, matcher, fires):
    place.config(table(event["hook_event_name"], "true", matcher=matcher, name="old"))
    place.said(event)
    assert ("old" in [row["hook"] for row in place.rows()]) is fires


# --- what can go wrong
def test_a_deadline_is_real_and_ends_the_whole_group(place, tmp_path):
    pids = tmp_path / "pids"
    hangs = f"trap '' TERM; sleep 600 & echo $! $$ > {pids}; sleep 601"

    def ask(seconds):
        place.config(
            table("PreToolUse", hangs, timeout=seconds)
            + table("PreToolUse", answer(additionalContext="still here"), name="sound")
        )
        return place.said()

    assert run_with_time(ask, lambda _: has_pids(pids, 2), 1)["additionalContext"] == "[hookwright sound] still here"
    assert next(row["failure"] for row in place.rows() if "failure" in row) == "it took too long"
    assert wait_until(lambda: not any(map(is_alive, read_pids(pids, 2))))


def test_a_child_that_keeps_the_streams_does_not_keep_us(place, tmp_path):
    pid = tmp_path / "pid"
    place.config(table("PreToolUse", f"sleep 600 & echo $! > {pid}; {answer(additionalContext='done')}", name="old"))
    assert place.said()["additionalContext"] == "[hookwright old] done"
    os.kill(int(pid.read_text()), 9)  # as with the client, what outlives a normal end is spared


@pytest.mark.parametrize(("failure", "permission"), [("open", None), ("ask", "ask"), ("closed", "deny")])
def test_a_command_says_what_its_failure_means(place, failure, permission):
    place.config(table("PreToolUse", "exit 3", failure=failure, name="old"))
    assert place.said().get("permissionDecision") == permission


def test_a_command_that_goes_on_in_the_background_is_not_waited_for(place, tmp_path):
    pid = tmp_path / "pid"
    place.config(table("PreToolUse", f"echo $$ > {pid}; echo '{{\"async\": true}}'; exec sleep 600", name="old"))
    assert place.said() == {}
    assert "it continues in the background" in place.rows()[-1]["failure"]
    os.kill(int(pid.read_text()), 9)


def test_much_output_and_unread_input_do_no_harm(place):
    place.config(table("PreToolUse", "head -c 3000000 /dev/zero; exec 0<&-; exit 0", name="old"))
    assert place.said(tool_use("Grep", {"pattern": "y" * 300_000}).raw) == {}
    assert place.rows()[-1]["hook"] == "old"


def test_a_mode_and_a_section_of_its_own(place):
    place.config(table("PreToolUse", DENY, name="old", mode="shadow"))
    assert place.said() == {}
    assert place.rows()[-1]["verdict"] == "deny"
    assert place.said(HOOKWRIGHT_OLD_MODE="on")["permissionDecision"] == "deny"
    place.config(table("PreToolUse", DENY, name="old") + "[old]\nmode = 'off'\n")
    assert (place.said(), [row["hook"] for row in place.rows() if row["hook"] == "old"]) == ({}, [])


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[[hooks.command]]\ncommand = 'x'\n", "hooks.command number 1 needs event"),
        ("[[hooks.command]]\nevent = 'Stop'\n", "hooks.command number 1 needs command"),
        (table("PreTolUse", "x"), "is no event: 'PreTolUse'; did you mean PreToolUse?"),
        (table("PreToolUse", "x", matcher="["), "'[' would never match: a [ is not closed"),
        (table("PreToolUse", "x", timeout=0), "timeout must be above 0"),
        (table("PreToolUse", "x", timout=5), "has no key timout"),
        (table("PreToolUse", "x", failure="shut"), "failure must be open, ask or closed"),
        (table("PreToolUse", "x", name="Old Script"), "name must be small letters"),
        (table("PreToolUse", ""), "command must be"),
        ("[hooks]\npaths = []\n", "[hooks] has no option paths"),
    ],
)
def test_mistakes_are_named(place, text, what):
    place.config(text)
    found = place.run("config", "check")
    assert found.returncode == 1
    assert what in found.stdout
    assert "config.toml:" in found.stdout


def test_a_matcher_that_means_nothing_is_named(place):
    place.config(table("Stop", "true", matcher="Bash", name="old"))
    found = place.run("config", "check")
    assert (found.returncode, "old: Stop knows no matcher, so it runs every time" in found.stdout) == (1, True)


def test_the_configuration_shows_and_describes_them(place):
    place.config(table("PreToolUse", "true", name="old"))
    shown = json.loads(place.run("config", "show", "--json").stdout)["values"]
    assert shown["hooks.command"]["from"] == "user"
    assert shown["old.mode"] == {"value": "on", "from": "built-in"}
    schema = json.loads(place.run("config", "schema").stdout)
    assert "matcher" in schema["properties"]["hooks"]["properties"]["command"]["items"]["properties"]


def test_a_silent_command_loads_no_more_than_it_needs(place):
    """`subprocess`, `json` and `re` each cost as much as half an interpreter's start."""
    place.config(table("PreToolUse", "true", matcher="Ba.*"))
    place.said()
    place.hook_process.print_modules_at_exit()
    loaded = place.ask().stderr.decode().split("\n")
    assert "hookwright.proc.child_process" in loaded
    assert not {"subprocess", "json", "re", "os", "dataclasses", "typing"} & set(loaded)
