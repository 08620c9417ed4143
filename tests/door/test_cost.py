"""What the door loads and executes: a list of modules and a count of instructions, whatever the machine's load."""

import json
import shutil
import subprocess

import pytest

from hookwright.state import durations, published
from hookwright.testing.builders import bash, payload, tool_use

PASS = bash("grep -rn \"OrderService\" src --include='*.py' | head -40; ls -la src/orders", description="look").raw
FORCE = bash("cd packages/web && NODE_ENV=production npm install --no-fund && npm run build 2>&1 | tail -20").raw
BARE = """
import json, sys
json.dump(sorted(sys.modules), sys.stdout)
"""
# What a bare interpreter does not have and the door may: builtin C modules only.
ALLOWED = {"_imp", "gc", "marshal", "posix", "time", "_signal", "__main__"}


def modules_of(door, event):
    """The modules that are loaded when the door leaves."""
    spy = (
        "import sys, posix\n"
        "leave = posix._exit\n"
        "def spy(code):\n"
        "    posix.write(2, '\\n'.join(sys.modules).encode())\n"
        "    leave(code)\n"
        "posix._exit = spy\n"
    )
    argv = [*door.argv[:5], spy + door.argv[5], *door.argv[6:]]
    subprocess.run(argv, input=json.dumps(event).encode(), capture_output=True, env=door.env, check=True)
    done = subprocess.run(argv, input=json.dumps(event).encode(), capture_output=True, env=door.env, check=True)
    return set(done.stderr.decode().split("\n"))


def reads_of(door, event):
    """How often the door goes back to its bundle for a piece."""
    spy = (
        "import posix\n"
        "pread, leave, count = posix.pread, posix._exit, []\n"
        "posix.pread = lambda *where: count.append(1) or pread(*where)\n"
        "posix._exit = lambda code: posix.write(2, str(len(count)).encode()) and leave(code)\n"
    )
    argv = [*door.argv[:5], spy + door.argv[5], *door.argv[6:]]
    for _ in range(2):
        done = subprocess.run(argv, input=json.dumps(event).encode(), capture_output=True, env=door.env, check=True)
    return int(done.stderr)


def bare(door):
    code = "import sys; print('\\n'.join(sys.modules))"
    done = subprocess.run([door.argv[0], "-I", "-S", "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split("\n"))


@pytest.mark.parametrize("event", [PASS, FORCE, payload("Stop", stop_hook_active=False)], ids=["pass", "force", "stop"])
def test_the_door_loads_builtin_c_modules_and_its_own_only(door, event):
    loaded = {name for name in modules_of(door, event) if not name.startswith("hookwright")}
    assert loaded - bare(door) <= ALLOWED


def test_a_question_that_is_asked_loads_no_more_and_none_of_the_doors_rules(door):
    options = [{"label": "SQLite", "description": "small"}, {"label": "Postgres", "description": "large"}]
    asked = {"questions": [{"question": "Which database?", "header": "DB", "options": options, "multiSelect": False}]}
    loaded = modules_of(door, tool_use("AskUserQuestion", asked).raw)
    others = {name for name in loaded if not name.startswith("hookwright")} - bare(door)
    assert others <= ALLOWED | {"_sha256", "_sha2"}
    assert not [name for name in loaded if name.startswith("hookwright.questions.one_way")]


def test_a_quick_command_loads_no_family_of_programs_and_no_rule(door):
    ours = {name for name in modules_of(door, PASS) if name.startswith("hookwright")}
    assert not [name for name in ours if name.startswith("hookwright.shell.programs.")]
    names = {"hookwright.rules", "hookwright.rules.names", "hookwright.rules.worth"}
    assert {name for name in ours if name.startswith("hookwright.rules")} == names
    assert "hookwright.plan.compiler" not in ours


def test_a_quick_command_finds_all_it_needs_in_one_piece_and_calls_nothing_marked_rare(door):
    assert reads_of(door, PASS) == 1


def instructions(argv, data, env, folder):
    log = folder / "callgrind.out"
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={log}", *argv]
    done = subprocess.run(command, input=data, capture_output=True, env=env, timeout=170, check=True)
    [line] = [line for line in done.stderr.decode().splitlines() if "Collected" in line]
    return int(line.split(":")[-1])


@pytest.mark.parametrize(("event", "most"), [(PASS, 1.15), (FORCE, 1.15)], ids=["pass", "force"])
def test_instructions_stay_within_the_bar_of_an_empty_interpreter(door, tmp_path, event, most):
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    env = {**door.env, "PYTHONHASHSEED": "0"}
    data = json.dumps(event).encode()
    door(event)  # the plan is made once
    empty = instructions([door.argv[0], "-I", "-S", "-c", "pass"], b"", env, tmp_path)
    ours = instructions(door.argv, data, env, tmp_path)
    print(f"door: {ours / empty:.3f} of an empty interpreter's {empty / 1e6:.1f} M instructions")
    assert ours <= most * empty


KEYS = 600  # as many as are kept
SCRIPT = bash("python3 scripts/report.py --month 3").raw


def learned(count, texts):
    """Keys such as sessions leave, slow scripts and quick tools, and commands in the words in which they were run."""
    slow, quick = ((9, m, 2 * m, None, *([p] * len(durations.THRESHOLDS))) for m, p in ((95.0, 0.9), (2.0, 0.02)))
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
        (FORCE, [], 1.15),
        (SCRIPT, [], 1.15),
        (FORCE, [FORCE["tool_input"]["command"]], 1.15),
    ],
    ids=["pass", "by-key", "script", "in-the-same-words"],
)
def test_a_past_of_many_keys_stays_within_the_bar(door, tmp_path, event, texts, most):
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    env = {**door.env, "PYTHONHASHSEED": "0"}
    door(event)
    assert published.write(f"{door.home}/.local/state/hookwright", event["cwd"], *learned(KEYS, texts))
    door(event)
    empty = instructions([door.argv[0], "-I", "-S", "-c", "pass"], b"", env, tmp_path)
    ours = instructions(door.argv, json.dumps(event).encode(), env, tmp_path)
    print(f"door with {KEYS} learned keys: {ours / empty:.3f} of an empty interpreter")
    assert ours <= most * empty
