"""Auto-background: the seed's own cases in today's form, and what the real client needs beyond them."""

import subprocess
import sys

import pytest

from hookwright.hooks.auto_background.hook import AutoBackground, is_headless
from hookwright.hooks.base import World
from hookwright.store import durations_read, durations_write
from hookwright.testing.builders import bash

ATTENDED = {"CLAUDE_CODE_ENTRYPOINT": "cli"}


def decided(event, env=ATTENDED, **options):
    decision = AutoBackground(World(env.get), **options).decide(event)
    if decision is None:
        return None
    return "force" if decision.rewrites else "note"


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        (bash("npm install"), "force"),
        (bash("git status"), None),
        (bash("npm --version"), None),
        (bash("npm install", run_in_background=True), None),
        (bash("pytest"), "note"),
        (bash("npm run dev"), "force"),
        (bash("sleep 30 && curl localhost:8080"), "force"),
        (bash("make clean"), None),
        (bash("npm install", timeout=10_000), None),
        (bash("sudo npm install"), "force"),
        (bash("NODE_ENV=prod npm run build"), "force"),
        (bash("kill $PID && npm install"), "force"),
    ],
    ids=lambda value: value.tool_input["command"] if hasattr(value, "tool_input") else value,
)
def test_the_cases_of_the_first_plan(event, answer):
    assert decided(event) == answer


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        (bash("npm install", run_in_background=False), None),
        (bash("npm install", run_in_background=None), "force"),
        (bash("npm install", timeout=30_000), None),
        (bash("npm install", timeout=30_001), "force"),
        (bash("npm install", timeout=0), "force"),
        (bash("npm install", agent_id="a1"), None),
        (bash("  \n"), None),
        (bash(""), None),
    ],
)
def test_a_choice_already_made_is_respected(event, answer):
    assert decided(event) == answer


@pytest.mark.parametrize("tool_input", [{}, {"command": None}, {"command": 5}, {"command": ["npm", "install"]}])
def test_an_input_without_a_command_is_nobodys_business(tool_input):
    assert decided(bash("x").replace(tool_input=tool_input)) is None


def test_the_rewrite_keeps_the_whole_input_and_drops_only_the_timeout():
    event = bash("npm install", description="deps", timeout=600_000)
    event = event.replace(tool_input={**event.tool_input, "novel": 1})
    decision = AutoBackground(World(ATTENDED.get)).decide(event)
    assert decision.applied_to(event.tool_input) == {
        "command": "npm install",
        "description": "deps",
        "novel": 1,
        "run_in_background": True,
    }
    assert decision.permission is None


def test_the_context_says_where_the_result_comes_from_and_not_to_poll():
    context = AutoBackground(World(ATTENDED.get)).decide(bash("npm install")).context
    assert all(words in context for words in ("notified when it ends", "do not poll", "run_in_background: false"))


def test_suggest_never_rewrites():
    assert decided(bash("npm install"), action="suggest") == "note"


@pytest.mark.parametrize(
    ("env", "answer"),
    [
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, None),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-py"}, None),
        ({"CLAUDE_CODE_ENTRYPOINT": "cli"}, "force"),
        ({}, "force"),
        ({"CLAUDE_CODE_ENTRYPOINT": "sdk-cli", "CLAUDE_CODE_SESSION_ATTENDED": "1"}, "force"),
        ({"CLAUDE_CODE_DISABLE_BACKGROUND_TASKS": "1"}, None),
    ],
)
def test_nobody_waits_in_a_headless_run(env, answer):
    assert decided(bash("npm install"), env) == answer


def test_headless_can_be_switched_on():
    assert decided(bash("npm install"), {"CLAUDE_CODE_ENTRYPOINT": "sdk-cli"}, headless=True) == "force"


@pytest.mark.parametrize(
    ("extra", "command", "answer"),
    [
        (r"\b(webpack|rollup)\b", "webpack --mode production", "force"),
        (r"[[:space:]]--slow$", "tool --slow", "force"),
        (r"(unclosed", "tool", None),
        ("", "tool", None),
    ],
)
def test_extra_is_one_extended_regular_expression(extra, command, answer):
    assert decided(bash(command), extra=extra) == answer


@pytest.mark.parametrize(
    ("command", "parsed"),
    [
        ("cat > setup.sh <<'EOF'\nnpm install\nEOF", False),
        ("cat > setup.sh <<'EOF'\nnpm install\nEOF\nnpm run odd", True),
        ("bash <<'EOF'\nnpm install\nEOF", True),
    ],
)
def test_what_a_here_document_only_writes_is_not_parsed(command, parsed):
    script = (
        "import sys; from hookwright.hooks.auto_background.hook import AutoBackground; "
        "from hookwright.protocol.events import event_of; "
        "AutoBackground().decide(event_of({'hook_event_name': 'PreToolUse', 'tool_name': 'Bash', "
        "'tool_input': {'command': sys.argv[1]}})); "
        "print('hookwright.shell.parser' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, command], capture_output=True, text=True, check=True)
    assert done.stdout == f"{parsed}\n"


def test_debug_says_the_reason_on_stderr(capsys):
    decided(bash("npm install"), debug=True)
    assert "force" in capsys.readouterr().err


def test_is_headless_reads_the_clients_own_words():
    assert not is_headless({}.get)


# -- what a name may do ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "seed", "endless", "never"),
    [
        ("npm install", "force", "note", "note"),
        ("cargo build --release", "force", "note", "note"),
        ("npm run build 2>&1 | tail -5 && cp -r dist /srv", "force", "note", "note"),
        ("npm test", "force", "note", "note"),
        ("npm run dev", "force", "force", "note"),
        ("vite", "force", "force", "note"),
        ("npm run test:watch", "force", "force", "note"),
        ("tail -f app.log", "force", "force", "note"),
        ("kubectl port-forward svc/web 8080:80", "force", "force", "note"),
        ("ngrok http 80", "force", "force", "note"),
        ("while true; do date; sleep 5; done", "force", "force", "note"),
        ("until curl -sf localhost:3000; do sleep 1; done", "force", "force", "note"),
        ("python train.py --epochs 10", "force", "force", "note"),
        ("docker compose up", "force", "force", "note"),
        ("ping -c 100 example.com", "force", "note", "note"),
        ("true; sleep 40", "force", None, None),
        ("pytest", "note", "note", "note"),
        ("git status", None, None, None),
    ],
)
def test_by_name_says_how_much_a_name_may_do(command, seed, endless, never):
    assert decided(bash(command)) == seed
    assert decided(bash(command), by_name="endless") == endless
    assert decided(bash(command), by_name="never") == never


@pytest.mark.parametrize("by_name", ["seed", "endless", "never"])
def test_a_rule_of_the_users_own_and_past_runs_are_no_names(tmp_path, by_name):
    rules = ({"program": "slowly", "subcommand": "", "flags": (), "class": "job"},)
    assert decided(bash("slowly 1"), rules=rules, by_name=by_name) == "force"
    assert decided(bash("deploy --slow"), extra="--slow", by_name=by_name) == "force"
    assert with_past(tmp_path, {"npm install": row(0.9)}, bash("npm install"), by_name=by_name)[0] == "force"


PIPED = "npm run build 2>&1 | tail -20 && cp -r dist /srv && ls /srv"


def test_a_moved_command_is_moved_whole():
    decision = AutoBackground(World(ATTENDED.get)).decide(bash(PIPED))
    assert decision.applied_to(bash(PIPED).tool_input)["command"] == PIPED


# -- what is told, and how often ---------------------------------------------------------------------------------------


def in_session(tmp_path, event, **options):
    world = World(ATTENDED.get, state=str(tmp_path))
    world.alone = True
    return AutoBackground(world, **options).decide(event)


def test_a_note_is_given_once_per_kind_of_command_and_session(tmp_path):
    first = in_session(tmp_path, bash("pytest tests"))
    assert "run_in_background: true" in first.context
    assert in_session(tmp_path, bash("pytest -q tests")) is None
    assert in_session(tmp_path, bash("make all")) is not None
    assert in_session(tmp_path, bash("pytest tests", session_id="another")) is not None


def test_the_person_sees_one_line_per_kind_of_command_and_session(tmp_path):
    decisions = [in_session(tmp_path, bash(command)) for command in ("npm ci", "npm ci --no-audit", "cargo build")]
    assert [decision.message for decision in decisions] == [
        "moved to the background: `npm ci` installs packages",
        "",
        "moved to the background: `cargo build` compiles",
    ]
    assert all(decision.changes == {"run_in_background": True} for decision in decisions)
    assert in_session(tmp_path, bash("yarn add left-pad"), tell_user=False).message == ""


def test_claude_is_told_in_full_once_and_briefly_of_every_move(tmp_path):
    first, second = (in_session(tmp_path, bash(command)).context for command in ("npm ci", "npm ci"))
    assert "run_in_background: false" in first
    assert "run_in_background: false" not in second
    assert len(second) < len(first) / 2
    assert all("notified when it ends" in text for text in (first, second))


OUTPUT = "/tmp/claude-0/-home-ann-shop/5a/tasks/b1x.output"


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("until [ -f done ]; do sleep 15; done", "polling loop"),
        ("until curl -sf localhost:3000; do sleep 1; done", "polling loop"),
        ("while ! grep -q ready log; do sleep 2; done; echo up", "polling loop"),
        ("while true; do [ -f x ] && break; sleep 5; done", "polling loop"),
        ("while pgrep -f 'npm run build'; do sleep 5; done", "never ends: `pgrep -f"),
        ("until ! pgrep -f vite >/dev/null; do sleep 1; done", "never ends: `pgrep -f vite"),
        ("while ps aux | grep 'make all' > /dev/null; do sleep 3; done", "never ends: `grep"),
        ("while pgrep -f '[n]pm run build'; do sleep 5; done", "polling loop"),
        ("while pgrep npm; do sleep 5; done", "polling loop"),
        ("while ps aux | grep make | grep -v grep; do sleep 3; done", "polling loop"),
        (f"true; sleep 60; tail -5 {OUTPUT}", "needs no sleeping"),
        ("true; sleep 60; curl localhost:3000", "do not poll or sleep"),
        ("for i in 1 2 3; do sleep 30; done", "do not poll or sleep"),
    ],
)
def test_who_polls_is_told_that_a_notice_comes(command, words):
    decision = AutoBackground(World(ATTENDED.get)).decide(bash(command))
    assert words in decision.context
    assert "notified when" in decision.context
    assert words not in AutoBackground(World(ATTENDED.get), polling="off").decide(bash(command)).context or (
        words == "do not poll or sleep"
    )


@pytest.mark.parametrize(
    ("command", "permission"),
    [
        ("while pgrep -f 'npm run build'; do sleep 5; done", "deny"),
        (f"true; sleep 60; tail -5 {OUTPUT}", "deny"),
        ("until curl -sf localhost:3000; do sleep 1; done", None),
        ("npm ci", None),
    ],
)
def test_polling_in_vain_can_be_denied(command, permission):
    decision = AutoBackground(World(ATTENDED.get), polling="deny").decide(bash(command))
    assert decision.permission == permission
    assert bool(decision.changes) == (permission is None)


# -- what was learned --------------------------------------------------------------------------------------------------


def row(p, *, background=None, n=3, median=10.0):
    return (n, median, median * 2, background, *([p] * len(durations_read.THRESHOLDS)))


def with_past(tmp_path, rows, event, **options):
    assert durations_write.write_durations(str(tmp_path), "/home/ann/shop", rows, serving={"npm run dev"})
    world = World(ATTENDED.get, state=str(tmp_path), project="/home/ann/shop")
    decision = AutoBackground(world, **options).decide(event)
    word = None if decision is None else "force" if decision.rewrites else "note"
    return word, decision, world.facts


@pytest.mark.parametrize(
    ("rows", "command", "answer"),
    [
        ({"python train.py": row(0.9)}, "python train.py", "force"),
        ({"./own.sh": row(0.9)}, "cd sub && ./own.sh", None),
        ({"./own.sh": row(0.9)}, "./own.sh 2>&1 | tail -5", "force"),
        ({"npm install": row(0.1)}, "npm install", None),
        ({"npm install": row(0.5)}, "npm install", "force"),
        ({"npm install": row(0.5, background=False)}, "npm install", None),
        ({"python once.py": row(0.5)}, "python once.py", None),
        ({"python train.py": row(0.5, background=True)}, "python train.py", "force"),
        ({"npm run dev": row(0.0)}, "npm run dev", "force"),
        ({"sleep <n> ; echo": row(0.0), "sleep <n>": row(0.0)}, "true; sleep 40", None),
        ({"sleep <n>": row(0.0)}, "true; sleep 300", "force"),
        ({"make": row(0.9)}, "npm install", "force"),
        ({}, "npm install", "force"),
        ({}, "git status", None),
    ],
)
def test_past_runs_outweigh_the_table_and_the_unknown_falls_to_it(tmp_path, rows, command, answer):
    assert with_past(tmp_path, rows, bash(command))[0] == answer


def test_the_reason_says_how_often_how_long_and_how_likely(tmp_path):
    _, decision, facts = with_past(tmp_path, {"./own.sh": row(0.87, n=4, median=95.0)}, bash("./own.sh"))
    assert decision.reason == "4 runs here, usually 95 s; longer than 60 s with probability 0.87"
    assert facts["key"] == "./own.sh"
    assert facts["learned"] == {"n": 4, "median_s": 95.0, "p90_s": 190.0, "p_long": 0.87}


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        ({}, "force"),
        ({"learned": False}, None),
        ({"long_at": 0.95, "quick_at": 0.94}, None),
        ({"extra": "own"}, "force"),
        ({"action": "suggest"}, "note"),
    ],
)
def test_options_say_how_much_the_past_counts(tmp_path, options, answer):
    assert with_past(tmp_path, {"./own.sh": row(0.9)}, bash("./own.sh"), **options)[0] == answer


def test_the_caller_s_own_choice_outweighs_the_past(tmp_path):
    event = bash("./own.sh", run_in_background=False)
    assert with_past(tmp_path, {"./own.sh": row(0.9)}, event)[0] is None
