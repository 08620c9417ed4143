"""`hookwright run`: the outcome first, then everybody's part in it; strangers only after a word."""

import json
import os
import pty
import signal
import subprocess
import sys
import time

import click
import pytest

from tests.engine.handlers.kit import api, processes

pytestmark = pytest.mark.slow

RUN_KEYS = {
    "type",
    "event",
    "scope",
    "file",
    "line",
    "matcher",
    "ran",
    "why_not",
    "exit_code",
    "ms",
    "counted",
    "ignored",
}
OUTCOME_KEYS = {
    "decision",
    "reason",
    "updated_input",
    "context",
    "system_messages",
    "continue",
    "stop_reason",
}


def said(**specific):
    return "printf %s '" + json.dumps({"hookSpecificOutput": {"hookEventName": "PreToolUse", **specific}}) + "'"


DENY = said(permissionDecision="deny", permissionDecisionReason="not here")


def command(text, **options):
    return {"type": "command", "command": text, **options}


def registered(*handlers, event="PreToolUse", matcher=None):
    group = {"hooks": list(handlers), **({"matcher": matcher} if matcher else {})}
    return {"hooks": {event: [group]}}


def run(home, *words):
    code, found = home.json("run", *words, "--yes")
    assert code == 0
    return found


def test_the_outcome_and_each_handler_have_the_promised_form(home):
    home.write(registered(command(DENY), command("true", **{"if": "Bash(git *)"}), matcher="Bash"))
    found = run(home, "PreToolUse", "--command", "ls")
    assert found["event"] == "PreToolUse"
    assert found["outcome"].keys() >= OUTCOME_KEYS
    assert (found["outcome"]["decision"], found["outcome"]["reason"]) == ("deny", "not here")
    first, second = found["handlers"]
    assert first.keys() >= RUN_KEYS
    assert (first["ran"], first["exit_code"], first["scope"]) == (True, 0, "user")
    assert first["file"] == str(home.file())
    assert home.file().read_text().splitlines()[first["line"] - 1].strip().startswith(("{", '"type"', '"command"'))
    assert (second["ran"], second["exit_code"], second["ms"]) == (False, None, None)
    assert second["why_not"]


def test_people_read_the_outcome_first_then_the_trace(home):
    home.write(
        registered(
            command(DENY),
            command("""echo '{"permissionDecision": "allow"}'"""),
            command("echo '[red]wrong[/]' >&2; exit 1"),
            {"type": "prompt", "prompt": "Is it good?"},
        )
    )
    code, out, _ = home("run", "PreToolUse", "--command", "git push", "--yes")
    lines = out.splitlines()
    assert code == 0
    assert lines[0] == "PreToolUse  Bash  git push"
    assert lines[2] == "✗ denied: not here"
    assert lines[3].startswith("  deny, by ~/.claude/settings.json:")
    assert "counts   deny: not here" in out
    assert 'ignored  "permissionDecision" outside of hookSpecificOutput is ignored' in out
    assert "said     [red]wrong[/]" in out
    assert "  not evaluated: ANTHROPIC_API_KEY is not set, so no model was asked\n" in out
    assert "! 1 hook could not be evaluated; the real outcome may differ" in out
    assert out.index("denied") < out.index("~/.claude/settings.json user") < out.index("counts")
    assert "\x1b" not in out


def test_a_long_reason_is_shown_once_beside_the_answer_itself(home):
    reason = "this branch is protected, open a pull request instead of pushing to it"
    home.write(registered(command(said(permissionDecision="deny", permissionDecisionReason=reason))))
    _, out, _ = home("run", "PreToolUse", "--command", "git push", "--yes")
    assert "counts   deny: the text above" in out
    assert out.count(f": {reason}") == 1


@pytest.mark.parametrize(
    ("event", "text", "says"),
    [
        ("PreToolUse", "true", "✓ no hook decides: Claude Code continues as without hooks"),
        ("PreToolUse", said(permissionDecision="ask"), "? Claude Code asks you"),
        ("PreToolUse", said(updatedInput={"command": "ls -l"}), 'the input becomes    {"command": "ls -l"}'),
        ("PreToolUse", said(additionalContext="one\ntwo"), "Claude reads         one\n                       two"),
        ("PreToolUse", """echo '{"systemMessage": "psst"}'""", "you are told         psst"),
        ("PreToolUse", """echo '{"continue": false, "stopReason": "enough"}'""", "! the turn ends: enough"),
        ("PreToolUse", """echo '{"systemMessage": "psst"}'; sleep 0 # async""", "Claude reads later   psst"),
        ("Stop", "echo more >&2; exit 2", "✗ Claude may not stop and continues"),
        ("UserPromptSubmit", "echo no >&2; exit 2", "✗ the prompt is blocked and erased"),
        ("UserPromptSubmit", "echo words", "Claude reads         words"),
    ],
)
def test_every_effect_is_said_in_words(home, event, text, says):
    home.write(registered(command(text, **({"async": True} if "# async" in text else {})), event=event))
    code, out, _ = home("run", event, "--yes")
    assert code == 0
    assert says in out


def test_nobody_elses_hook_runs_without_a_word(home):
    home.write(registered(command("touch ran"), {"type": "http", "url": "http://127.0.0.1:1/x"}))
    for words in ((), ("--json",)):
        code, out, err = home("run", "PreToolUse", *words)
        assert (code, out) == (1, "")
        assert "$ touch ran  (~/.claude/settings.json:" in err
        assert "posts the event to http://127.0.0.1:1/x" in err
        assert "try: hookwright run PreToolUse --yes" in err
    assert not (home.project / "ran").exists()


def test_each_of_them_is_named_however_many(home):
    home.write(registered(*(command(f"touch ran-{number}") for number in range(30))))
    err = home("run", "PreToolUse")[2]
    assert all(f"$ touch ran-{number} " in err for number in range(30))


def test_hooks_that_do_not_match_need_no_word(home):
    home.write(registered(command("touch ran"), matcher="Write"))
    code, found = home.json("run", "PreToolUse", "--tool", "Read")
    assert (code, [handler["ran"] for handler in found["handlers"]]) == (0, [False])


@pytest.mark.parametrize(("answer", "code", "ran"), [(b"n\n", 1, False), (b"y\n", 0, True)])
def test_a_terminal_is_asked(home, answer, code, ran):
    home.write(registered(command("touch ran")))
    mine, theirs = pty.openpty()
    argv = [sys.executable, "-m", "hookwright", "run", "PreToolUse"]
    env = {**os.environ, "HOME": str(home.path), "TERM": "xterm", "COLUMNS": "100"}
    with subprocess.Popen(argv, stdin=theirs, stdout=theirs, stderr=theirs, cwd=home.project, env=env) as process:
        os.close(theirs)
        shown = until(mine, b"Run them now?")
        assert b"$ touch ran" in shown
        os.write(mine, answer)
        until(mine, None)
        process.wait(60)
    os.close(mine)
    assert (process.returncode, (home.project / "ran").exists()) == (code, ran)


def until(terminal, words):
    """What is shown up to these words; None: to the end."""
    shown = b""
    while words is None or words not in shown:
        try:
            chunk = os.read(terminal, 4096)
        except OSError:  # the other side is closed
            return shown
        if not chunk:
            return shown
        shown += chunk
    return shown


def test_our_own_entry_is_run_without_a_question_and_called_by_its_name(home):
    code, _, err = home("install", "--yes")
    assert code == 0, err
    code, out, err = home("run", "PreToolUse", "--command", "rm -rf /")
    assert (code, err) == (0, "")
    assert out.splitlines()[2].startswith("✗ denied: ")
    assert "command hookwright  " in out


def test_what_only_looks_like_ours_is_not_run_without_a_word(home):
    evil = {"type": "command", "command": sys.executable, "args": ["-c", "import sys  # hookwright\nopen('ran', 'w')"]}
    home.write(registered(evil, command("hookwright hook")), scope="project")
    code, _, err = home("run", "PreToolUse")
    assert code == 1
    assert "$ hookwright hook" in err
    assert not (home.project / "ran").exists()


def test_our_own_entry_is_asked_about_if_settings_change_its_environment(home):
    assert home("install", "--yes")[0] == 0
    home.write({"env": {"HOOKWRIGHT_CONFIG_HOME": "."}}, scope="project")
    code, _, err = home("run", "PreToolUse")
    assert code == 1
    assert "hookwright, with variables from settings: HOOKWRIGHT_CONFIG_HOME" in err


def test_an_mcp_server_is_named_with_what_it_starts(home):
    home.write(registered({"type": "mcp_tool", "server": "srv", "tool": "check"}))
    (home.project / ".mcp.json").write_text(json.dumps({"mcpServers": {"srv": {"command": "npx", "args": ["it"]}}}))
    code, _, err = home("run", "PreToolUse")
    assert code == 1
    assert "calls check of the MCP server srv: $ npx it" in err


def test_settings_are_those_of_the_payloads_folder(home, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / ".claude").mkdir(parents=True)
    (elsewhere / ".claude" / "settings.json").write_text(json.dumps(registered(command("pwd >&2; exit 2"))))
    (home.project / "p.json").write_text(json.dumps({"cwd": str(elsewhere), "tool_input": {"command": "ls"}}))
    found = run(home, "PreToolUse", "--payload", "p.json")
    assert [handler["scope"] for handler in found["handlers"]] == ["project"]
    assert str(elsewhere) in found["outcome"]["reason"]


def test_the_users_settings_move_with_their_variable(home, monkeypatch, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "settings.json").write_text(json.dumps(registered(command(DENY))))
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(tmp_path / "other"))
    assert run(home, "PreToolUse")["outcome"]["decision"] == "deny"


def test_the_payload_reaches_the_hook_as_it_was_given(home):
    home.write(registered(command("cat > got")))
    payload = {"tool_input": {"command": "echo 'grüß \u2028'", "nested": [1, {"a": None}]}, "more": "kept"}
    (home.project / "p.json").write_text(json.dumps(payload))
    run(home, "PreToolUse", "--payload", "p.json")
    got = json.loads((home.project / "got").read_text())
    assert {key: got[key] for key in payload} == payload
    assert got["hook_event_name"] == "PreToolUse"


def test_a_large_payload_reaches_the_hook_whole(home):
    home.write(registered(command("wc -c")))
    (home.project / "p.json").write_text(json.dumps({"tool_input": {"command": "x" * 3_000_000}}))
    found = run(home, "PreToolUse", "--payload", "p.json")
    assert int(found["handlers"][0]["said"]) > 3_000_000


def test_nothing_registered_and_files_that_are_dropped_are_told(home):
    code, out, _ = home("run", "PreToolUse")
    assert code == 0
    assert "! no hook is registered for PreToolUse; see: hookwright status" in out
    home.write(registered({"type": "command"}))
    code, out, _ = home("run", "PreToolUse")
    assert code == 0
    assert "! " in out
    assert "~/.claude/settings.json" in out


def test_wrong_words_are_wrong_usage(home):
    with pytest.raises(click.UsageError, match="Did you mean 'PreToolUse'"):
        home("run", "PreToolUs")
    with pytest.raises(click.UsageError, match="Stop has no tool"):
        home("run", "Stop", "--tool", "Bash")
    assert home("run", "PreToolUse", "--payload", "none.json")[0] == 1


ALL_HERE = """
import os, sys, time
name, many = sys.argv[1], int(sys.argv[2])
os.makedirs("here", exist_ok=True)
open(f"here/{name}", "w").close()
end = time.monotonic() + 60
while len(os.listdir("here")) < many and time.monotonic() < end:
    time.sleep(0.01)
sys.stderr.write("all here" if len(os.listdir("here")) == many else "alone")
"""


def test_ten_hooks_run_at_the_same_time(home):
    """Each waits for all the others: one after the other they would wait in vain."""
    script = home.script("all_here.py", ALL_HERE)
    home.write(registered(*(command(f"{sys.executable} -S {script} {number} 10") for number in range(10))))
    found = run(home, "PreToolUse")
    assert [handler["said"] for handler in found["handlers"]] == ["all here"] * 10


def test_no_process_is_left_behind(home):
    mark = f"hookwright-left-behind-{os.getpid()}-{time.time_ns()}"
    sleeper = f"{sys.executable} -S -c 'import time; time.sleep(600)' {mark}"
    home.write(
        registered(
            command(f"{sleeper} & exit 0"),
            command(f"setsid {sleeper} >/dev/null 2>&1 & exit 0"),
            command(f"{sleeper}", timeout=1),
            command(f"trap '' TERM; {sleeper} ; true", timeout=1),
        )
    )
    run(home, "PreToolUse")
    deadline = time.monotonic() + 60
    while processes(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes(mark) == []


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whoever_ends_us_ends_the_hooks(home, number):
    mark = f"hookwright-interrupted-{os.getpid()}-{time.time_ns()}"
    sleeper = f"exec {sys.executable} -S -c 'import time; time.sleep(600)' {mark}"
    home.write(registered(command(sleeper), command(f"{sleeper} 2", **{"async": True})))
    argv = [sys.executable, "-m", "hookwright", "run", "PreToolUse", "--yes"]
    env = {**os.environ, "HOME": str(home.path)}
    quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    with subprocess.Popen(argv, cwd=home.project, env=env, **quiet) as process:
        deadline = time.monotonic() + 60
        while len(processes(mark)) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        process.send_signal(number)
        process.wait(60)
    deadline = time.monotonic() + 60
    while processes(mark) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert processes(mark) == []
    assert process.returncode == (1 if number == signal.SIGINT else 128 + number)


def test_half_a_character_breaks_nothing(home):
    home.write(registered(command(r"""printf %s '{"systemMessage": "a \ud800 b"}'""")))
    assert run(home, "PreToolUse")["outcome"]["system_messages"] == ["a \ud800 b"]
    code, out, _ = home("run", "PreToolUse", "--yes")
    assert (code, "you are told         a · b" in out) == (0, True)


def test_a_response_and_a_missing_key_are_told(home, tmp_path):
    with api(tmp_path, routes={"/hook": {"status": 403, "text": "no"}}) as served:
        home.write(registered({"type": "http", "url": f"{served.url}/hook"}))
        found = run(home, "PreToolUse")
        _, out, _ = home("run", "PreToolUse", "--yes")
    assert (found["handlers"][0]["exit_code"], found["outcome"]["decision"]) == (403, "none")
    assert "status 403" in out


def test_a_run_of_others_hooks_makes_nothing_in_a_fresh_home(tmp_path):
    """The bundle of our own entry takes seconds to make: ten times as long as the run."""
    (tmp_path / ".claude").mkdir()
    (tmp_path / ".claude" / "settings.json").write_text(json.dumps(registered(command("true"))))
    argv = [sys.executable, "-m", "hookwright", "run", "PreToolUse", "--yes", "--json"]
    env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    subprocess.run(argv, cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, check=True)
    assert [path.name for path in tmp_path.iterdir()] == [".claude"]


def test_in_the_home_folder_one_file_is_shown_as_the_users_and_as_the_projects(home, monkeypatch):
    home.write(registered(command("true")))
    monkeypatch.chdir(home.path)
    code, out, _ = home("run", "PreToolUse", "--yes")
    lines = [line.strip() for line in out.splitlines()]
    assert code == 0
    assert [line for line in lines if line.startswith("~/.claude/settings.json")] == [
        "~/.claude/settings.json user",
        "~/.claude/settings.json project",
    ]
    assert "not run: the same as ~/.claude/settings.json:6, which runs" in lines
