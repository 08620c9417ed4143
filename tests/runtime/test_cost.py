"""What the hook process loads and executes: a list of modules, and a count of instructions that no load changes."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from hookwright.runtime.launcher import find_interpreter
from hookwright.store import durations_read, durations_write
from hookwright.testing.builders import bash, payload, tool_use

pytestmark = pytest.mark.slow

PASS = bash("grep -rn \"OrderService\" src --include='*.py' | head -40; ls -la src/orders", description="look").raw
FORCE = bash("cd packages/web && NODE_ENV=production npm install --no-fund && npm run build 2>&1 | tail -20").raw
BARE = """
import json, sys
json.dump(sorted(sys.modules), sys.stdout)
"""
# What a bare interpreter does not have and the hook process may: builtin C modules only.
ALLOWED = {"_imp", "gc", "marshal", "posix", "time", "_signal", "__main__"}


def modules_of(hook_process, event):
    """The modules that are loaded when the hook process ends."""
    hook_process(event)  # compiles the plan
    hook_process.print_modules_at_exit()
    return set(hook_process(event).stderr.decode().split("\n"))


def bare():
    code = "import sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([find_interpreter(), "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split("\n"))


@pytest.mark.parametrize("event", [PASS, FORCE, payload("Stop", stop_hook_active=False)], ids=["pass", "force", "stop"])
def test_the_hook_process_loads_builtin_c_modules_and_its_own_only(hook_process, event):
    loaded = {name for name in modules_of(hook_process, event) if not name.startswith("hookwright")}
    assert loaded - bare() <= ALLOWED


def test_a_question_that_is_asked_loads_no_more_and_none_of_the_doors_rules(hook_process):
    options = [{"label": "SQLite", "description": "small"}, {"label": "Postgres", "description": "large"}]
    asked = {"questions": [{"question": "Which database?", "header": "DB", "options": options, "multiSelect": False}]}
    loaded = modules_of(hook_process, tool_use("AskUserQuestion", asked).raw)
    others = {name for name in loaded if not name.startswith("hookwright")} - bare()
    assert others <= ALLOWED | {"_sha256", "_sha2"}
    assert not [name for name in loaded if name.startswith("hookwright.hooks.questions.irreversible")]


def test_a_quick_command_loads_no_family_of_programs_and_no_rule(hook_process):
    ours = {name for name in modules_of(hook_process, PASS) if name.startswith("hookwright")}
    assert not [name for name in ours if name.startswith("hookwright.shell.programs.")]
    guard = {name.rpartition(".")[2] for name in ours if name.startswith("hookwright.hooks.command_guard.")}
    assert guard == {"hook", "prefilter", "prefilter_data"}
    assert "hookwright.config.compiler" not in ours


def test_an_event_reads_two_files_of_the_bundle(hook_process):
    """The core, and the modules of its hooks in one piece."""
    hook_process(PASS)
    hook_process.add_code(
        "real = posix.open; posix.open = lambda *a: posix.write(2, (a[0] + '\\n').encode()) and real(*a)"
    )
    opened = [Path(line) for line in hook_process(PASS).stderr.decode().splitlines()]
    assert [path.name for path in opened if "bundle" in path.parent.name] == ["PreToolUse-Bash"]  # after the core


def instructions(argv, data, env, folder):
    log = folder / "callgrind.out"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={log}", *argv]
    done = subprocess.run(command, input=data, capture_output=True, env=env, timeout=170, check=True)
    [line] = [line for line in done.stderr.decode().splitlines() if "Collected" in line]
    return int(line.split(":")[-1])


# The goals are 1.07 and 1.45; Debian's interpreter starts with a fifth fewer instructions, which raises the ratio.
UNREAD = 1.10  # of an empty interpreter's instructions, for a command that nobody must read
READ = 1.55  # for one that has to be parsed


@pytest.mark.parametrize(
    ("event", "most"),
    [
        (PASS, UNREAD),
        (FORCE, UNREAD),
        (bash("git status").raw, UNREAD),
        (bash("npm install").raw, UNREAD),
        (bash("cd web && make build && ls").raw, READ),
    ],
    ids=["pass", "force", "git status", "npm install", "read"],
)
def test_instructions_stay_within_the_bar_of_an_empty_interpreter(hook_process, tmp_path, event, most):
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    env = {**hook_process.env, "PYTHONHASHSEED": "0"}
    data = json.dumps(event).encode()
    hook_process(event)  # the plan is made once
    empty = instructions([find_interpreter(), "-I", "-S", "-c", "pass"], b"", env, tmp_path)
    ours = instructions(hook_process.argv, data, env, tmp_path)
    print(f"hook process: {ours / empty:.3f} of an empty interpreter's {empty / 1e6:.1f} M instructions")
    assert ours <= most * empty


KEYS = 600  # as many as are kept
SCRIPT = bash("python3 scripts/report.py --month 3").raw


def learned(count, texts):
    """Keys such as sessions leave, slow scripts and quick tools, and commands in the words in which they were run."""
    slow, quick = ((9, m, 2 * m, None, *([p] * len(durations_read.THRESHOLDS))) for m, p in ((95.0, 0.9), (2.0, 0.02)))
    rows = {"npm install": quick, "npm run build": quick, "npm install ; npm run build": quick, "git push": quick}
    rows["python scripts/report.py --month <n>"] = slow
    for number in range(count - len(rows)):
        rows[(f"./jobs/{number}.sh", f"python tools/t{number}.py", f"npm run t{number}")[number % 3]] = (
            slow if number % 3 else quick
        )
    return rows, dict.fromkeys(texts, ("k", False, quick))


@pytest.mark.parametrize(
    ("event", "texts", "most"),
    [
        (PASS, [], 1.15),
        (FORCE, [], 1.25),  # parsed for its key, by modules that are loaded late
        (SCRIPT, [], 1.25),
        (FORCE, [FORCE["tool_input"]["command"]], 1.15),
    ],
    ids=["pass", "by-key", "script", "in-the-same-words"],
)
def test_a_past_of_many_keys_stays_within_the_bar(hook_process, tmp_path, event, texts, most):
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    env = {**hook_process.env, "PYTHONHASHSEED": "0"}
    hook_process(event)
    assert durations_write.write_durations(
        f"{hook_process.home}/.local/state/hookwright", event["cwd"], *learned(KEYS, texts)
    )
    hook_process(event)
    empty = instructions([find_interpreter(), "-I", "-S", "-c", "pass"], b"", env, tmp_path)
    ours = instructions(hook_process.argv, json.dumps(event).encode(), env, tmp_path)
    print(f"hook process with {KEYS} learned keys: {ours / empty:.3f} of an empty interpreter")
    assert ours <= most * empty
