"""The registered process: right answers, no harm from bad input, bounded time, one journal line."""

import json
import os
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from hookwright.config import compiler
from hookwright.dispatch import answer
from hookwright.hooks.base import World
from hookwright.testing.builders import bash, payload

pytestmark = pytest.mark.slow

FORCE = bash("npm install", description="deps").raw
QUIET = bash("git status").raw


def rewritten(answer):
    return answer["hookSpecificOutput"]["updatedInput"]


def test_a_long_command_is_moved_and_a_quick_one_passes(hook_process):
    assert rewritten(hook_process.answer(FORCE)) == {
        "command": "npm install",
        "description": "deps",
        "run_in_background": True,
    }
    assert hook_process.answer(QUIET) is None


def test_the_first_plans_payload_without_any_names_is_understood(hook_process):
    assert rewritten(hook_process.answer({"tool_input": {"command": "npm install"}}))["run_in_background"] is True


@pytest.mark.parametrize(
    ("env", "answers"),
    [
        ({}, "force"),
        ({"CLAUDE_AUTOBACKGROUND": "0"}, None),
        ({"CLAUDE_AUTOBACKGROUND": "1"}, "force"),
        ({"CLAUDE_AUTOBACKGROUND_MODE": "suggest"}, "note"),
        ({"HOOKWRIGHT_AUTO_BACKGROUND_MODE": "off"}, None),
        ({"HOOKWRIGHT_AUTO_BACKGROUND_MODE": "shadow"}, None),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, None),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "HOOKWRIGHT_AUTO_BACKGROUND_HEADLESS": "on"}, "force"),
    ],
)
def test_environment_variables_change_the_answer(hook_process, env, answers):
    answer = hook_process.answer(FORCE, **env)
    said = answer and ("force" if "updatedInput" in answer["hookSpecificOutput"] else "note")
    assert said == answers


def test_debug_speaks_on_stderr_only(hook_process):
    done = hook_process(FORCE, CLAUDE_AUTOBACKGROUND_DEBUG="1")
    assert b"force" in done.stderr
    assert json.loads(done.stdout)
    assert done.returncode == 0


def test_the_users_configuration_file_changes_the_answer(hook_process):
    hook_process.config.write_text("[auto_background]\naction = 'suggest'\n")
    assert "updatedInput" not in hook_process.answer(FORCE)["hookSpecificOutput"]
    hook_process.config.unlink()
    assert "updatedInput" in hook_process.answer(FORCE)["hookSpecificOutput"]


def test_a_broken_configuration_is_told_once_and_changes_nothing(hook_process):
    hook_process.config.write_text("[auto_background\n")
    first = hook_process.answer(QUIET)
    assert "not valid TOML" in first["systemMessage"]
    assert "hookwright config check" in first["systemMessage"]
    assert hook_process.answer(QUIET) is None
    assert rewritten(hook_process.answer(FORCE))


def test_all_ways_in_give_the_same_answer(hook_process, recorded):
    recorded = json.loads(json.dumps(recorded).replace("<PROJECT>", str(hook_process.home)))
    alone = hook_process(recorded)
    plan = compiler.compile_plan(user="", project="", trust="")
    here = answer(recorded, plan, World({}.get, home=str(hook_process.home)))
    assert (alone.returncode, alone.stdout) == (here.exit_code, here.stdout)


@pytest.mark.parametrize("event", [FORCE, QUIET, payload("Stop", stop_hook_active=False)])
def test_the_command_and_the_registered_argv_agree(hook_process, event):
    command = [sys.executable, "-m", "hookwright", "hook"]
    done = subprocess.run(
        command, input=json.dumps(event).encode(), capture_output=True, env=hook_process.env, timeout=60, check=False
    )
    registered = hook_process({**event, "session_id": "another"})  # the first was told everything that is told once
    assert (done.returncode, done.stdout, done.stderr) == (registered.returncode, registered.stdout, registered.stderr)


def test_print_argv_is_what_is_registered(hook_process):
    command = [sys.executable, "-m", "hookwright", "hook", "--print-argv"]
    printed = subprocess.run(command, capture_output=True, env=hook_process.env, timeout=60, check=True).stdout
    assert json.loads(printed) == hook_process.argv


BAD = {
    "empty": (b"", "empty"),
    "blank": (b"\n \n", "empty"),
    "truncated": (json.dumps(FORCE).encode()[:-30], "not JSON"),
    "not JSON": (b"hello", "not JSON"),
    "two objects": (json.dumps(FORCE).encode() * 2, "not JSON"),
    "a list": (b"[1, 2]", "not an object"),
    "a number": (b"7", "not an object"),
    "null": (b"null", "not an object"),
    "huge": (b'{"tool_input": {"command": "' + b"x" * (10 << 20) + b'"}}', "larger than 8 MiB"),
    "huge and endless": (b"[" * (10 << 20), "larger than 8 MiB"),
    "invalid UTF-8": (b'{"tool_input": {"command": "npm install \xff"}}', "not UTF-8"),
    "twin keys": (b'{"tool_input": {"command": "ls", "command": "npm install"}}', "twice"),
    "deep": (b'{"a":' * 100_000 + b"1" + b"}" * 100_000, "deeply"),
    "a NUL": (b'{"tool_input": {"command": "npm \x00install"}}', "not JSON"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_told_once_and_recorded(hook_process, name):
    data, why = BAD[name]
    data = data.replace(b"hook_event_name", b"x")  # a call that is known as one is asked about
    done = hook_process(data)
    assert (done.returncode, done.stderr) == (0, b"")
    assert why in json.loads(done.stdout)["systemMessage"] if data.strip() else done.stdout == b""
    assert why in hook_process.journal[-1]["problem"]
    assert hook_process(data).stdout == b""


DANGER = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "rm -rf /"}}
UNREADABLE = {
    "a key nested 1,000 deep": json.dumps(DANGER)[:-1] + ', "x": ' + "[" * 1000 + "]" * 1000 + "}",
    "a number of 5,000 digits": json.dumps(DANGER)[:-1] + ', "x": ' + "9" * 5000 + "}",
    "larger than 8 MB": json.dumps(DANGER)[:-1] + ', "x": "' + "y" * (9 << 20) + '"}',
    "not UTF-8": json.dumps(DANGER).encode()[:-1] + b', "x": "\xff"}',
    "a key twice": json.dumps(DANGER)[:-1] + ', "tool_name": "Bash"}',
    "truncated": json.dumps(DANGER)[:-1],
    "blanks around the colon": json.dumps(DANGER, separators=(",", " : "))[:-1],
}


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_call_that_cannot_be_decoded_is_asked_about(hook_process, name):
    data = UNREADABLE[name]
    data = data if isinstance(data, bytes) else data.encode()
    for _ in range(2):  # each time
        answer = hook_process.answer(data)["hookSpecificOutput"]
        assert (answer["hookEventName"], answer["permissionDecision"]) == ("PreToolUse", "ask")
        assert "could not read this call" in answer["permissionDecisionReason"]
    hook_process.argv = [*hook_process.argv, "fail-closed"]
    done = hook_process(data)
    assert (done.returncode, done.stdout) == (1, b"")


STRANGE = [
    {"hook_event_name": "PreToolUse"},
    {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": None},
    {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": []},
    {"hook_event_name": "PreToolUse", "tool_name": ["Bash"], "tool_input": {"command": "npm install"}},
    {"hook_event_name": ["PreToolUse"]},
    {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": {"a": 1}}, "cwd": 7},
    {"hook_event_name": "Brand New", "session_id": None},
    {"cwd": "/\u0000bad", "hook_event_name": "Stop"},
    {},
]


@pytest.mark.parametrize("strange", STRANGE, ids=str)
def test_strange_payloads_do_no_harm(hook_process, strange):
    done = hook_process(strange)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(hook_process.journal) == 1


def test_a_payload_whose_writer_never_closes_is_answered_all_the_same(hook_process):
    child = subprocess.Popen(hook_process.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hook_process.env)
    child.stdin.write(json.dumps(FORCE).encode() + b"\n")
    child.stdin.flush()
    assert rewritten(json.loads(child.stdout.read()))
    assert child.wait(timeout=30) == 0
    child.stdin.close()
    child.stdout.close()


def test_a_payload_that_never_ends_does_not_hang_the_client(hook_process):
    child = subprocess.Popen(hook_process.argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=hook_process.env)
    child.stdin.write(b'{"hook_event_name": ')
    child.stdin.flush()
    assert b"could not read an event" in child.stdout.read()
    assert child.wait(timeout=60) == 0
    child.stdin.close()
    child.stdout.close()
    assert "not JSON" in hook_process.journal[-1]["problem"]


def test_a_client_that_does_not_listen_is_no_error(hook_process):
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        hook_process.argv,
        input=json.dumps(FORCE).encode(),
        stdout=write_end,
        stderr=subprocess.PIPE,
        env=hook_process.env,
        check=False,
    )
    os.close(write_end)
    assert (done.returncode, done.stderr) == (0, b"")


def mutated(rng: random.Random) -> bytes:
    data = bytearray(json.dumps(rng.choice([FORCE, QUIET])).encode())
    for _ in range(rng.randrange(1, 6)):
        place = rng.randrange(len(data))
        kind = rng.randrange(3)
        if kind == 0:
            data[place] = rng.randrange(256)
        elif kind == 1:
            del data[place : place + rng.randrange(1, 20)]
        else:
            data[place:place] = bytes(rng.randrange(256) for _ in range(rng.randrange(1, 5)))
    return bytes(data)


def test_mutated_payloads_never_break_the_process(hook_process):
    rng = random.Random(7)
    inputs = [mutated(rng) for _ in range(150)]
    with ThreadPoolExecutor(4) as pool:
        for data, done in zip(inputs, pool.map(hook_process, inputs), strict=True):
            assert (done.returncode, done.stderr) == (0, b""), data
            if done.stdout:
                answer = json.loads(done.stdout)
                specific = answer.get("hookSpecificOutput", {"hookEventName": "PreToolUse"})
                assert specific["hookEventName"] == "PreToolUse", data
                assert len(specific) > 1 or "could not read" in answer["systemMessage"], data
    assert len(hook_process.journal) == len(inputs)


def test_32_at_once_lose_no_line_and_give_no_wrong_answer(hook_process):
    events = [bash("npm install" if n % 2 else "git status", tool_use_id=f"toolu_{n}").raw for n in range(96)]
    with ThreadPoolExecutor(32) as pool:
        answers = list(pool.map(hook_process.answer, events))
    assert [bool(answer) for answer in answers] == [bool(n % 2) for n in range(96)]
    assert sorted(line["tool_use_id"] for line in hook_process.journal) == sorted(
        event["tool_use_id"] for event in events
    )
    assert len({line["id"] for line in hook_process.journal}) == 96


def test_a_line_says_who_decided_what(hook_process):
    hook_process.answer({**FORCE, "cwd": str(hook_process.home)})
    [line] = hook_process.journal
    decision = next(row for row in line["decisions"] if row["hook"] == "auto_background")
    assert (line["event"], line["tool"], line["answer"], line["changed"]) == (
        "PreToolUse",
        "Bash",
        "rewrite",
        ["run_in_background"],
    )
    assert (decision["verdict"], decision["mode"]) == ("rewrite", "on")
    assert decision["us"] >= 0
    assert "npm install" in decision["reason"]


def test_nothing_of_content_or_environment_is_recorded(hook_process):
    secret = "hunter2-hunter2"
    event = payload(
        "PostToolUse",
        tool_name="Write",
        tool_input={"file_path": "/p/x", "content": secret},
        tool_response={"content": secret},
        tool_use_id="t",
    )
    hook_process(event, SECRET_TOKEN=secret)
    hook_process(payload("UserPromptSubmit", prompt=secret), SECRET_TOKEN=secret)
    assert len(hook_process.journal) == 2
    assert secret not in json.dumps(hook_process.journal)


HOOK = "from hookwright import PreToolUse, deny, hook\n\n@hook(PreToolUse, 'Bash'{extra})\ndef mine(event):\n{body}"


def own_hook(hook_process, body, extra=""):
    folder = hook_process.home / ".config/hookwright/hooks"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "mine.py").write_text(
        HOOK.format(extra=extra, body="\n".join("    " + line for line in body.split("\n")))
    )


def test_a_users_own_hook_decides(hook_process):
    own_hook(hook_process, "return deny('mine says no')")
    assert "mine says no" in json.dumps(hook_process.answer(QUIET))


SWALLOWS = "while True:\n    try:\n        while True: pass\n    except Exception: pass"


@pytest.mark.parametrize("body", ["while True: pass", SWALLOWS, "import time; time.sleep(600)"])
def test_a_hook_that_never_ends_is_ended(hook_process, body):
    own_hook(hook_process, body, extra=", deadline_s=0.3, failure='ask'")
    done = hook_process(QUIET)
    assert (done.returncode, done.stderr) == (0, b"hookwright: failed: mine: it took too long\n")
    said = json.loads(done.stdout)["hookSpecificOutput"]
    assert (said["permissionDecision"], "took too long" in said["permissionDecisionReason"]) == ("ask", True)
