"""What the hook process loads and executes: a list of modules, and a count of instructions that no load changes."""

import functools
import shutil
import subprocess
from pathlib import Path

import pytest

from hookwright.engine.types import encode_payload
from hookwright.runtime.launcher import find_interpreter
from hookwright.store import durations_read, durations_write
from hookwright.testing.builders import bash, payload, tool_use
from tests.hook_kit import install_copy

pytestmark = pytest.mark.slow

PASS = bash("grep -rn \"OrderService\" src --include='*.py' | head -40; ls -la src/orders", description="look").raw
FORCE = bash("cd packages/web && NODE_ENV=production npm install --no-fund && npm run build 2>&1 | tail -20").raw
BARE = """
import json, sys
json.dump(sorted(sys.modules), sys.stdout)
"""
# What a bare interpreter does not have and the hook process may: builtin C modules only.
ALLOWED = {"_imp", "gc", "marshal", "posix", "time", "_signal", "__main__"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """The home of a user with an installed package: pip's RECORD beside it, launcher and bundle made."""
    root = tmp_path_factory.mktemp("installed")
    record = root / "site/hookwright-1.0.dist-info/RECORD"
    record.parent.mkdir(parents=True)
    record.write_text("hookwright/__init__.py,,\n")
    install_copy(root / "site", {"HOME": str(root / "home"), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})
    return root / "home"


@pytest.fixture
def hook_process(hook_process, installed):
    """The hook process of that package, in a home of its own."""
    [bundle] = [path for path in (installed / ".cache/hookwright").glob("bundle-site*") if path.is_dir()]
    shutil.copytree(bundle, hook_process.home / ".cache/hookwright" / bundle.name)
    text = (installed / ".local/share/hookwright/hook").read_text()
    hook_process.launcher.write_text(text.replace(str(installed), str(hook_process.home)))
    return hook_process


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


def test_a_question_that_is_asked_loads_no_more_and_none_of_the_rules_about_irreversible_ones(hook_process):
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
    assert [path.name for path in opened if "bundle" in path.parent.name] == ["core", "PreToolUse-Bash"]


RUNS = 5  # the fewest of so many: counts vary with the hash seed, which is random under -I


def count_instructions(argv, data, env):
    command = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *argv]
    done = subprocess.run(command, input=data, capture_output=True, env=env, timeout=170, check=True)
    [line] = [line for line in done.stderr.decode().splitlines() if "Collected" in line]
    return int(line.split(":")[-1])


@functools.cache
def empty_instructions():
    env = {"PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"}
    return min(count_instructions([find_interpreter(), "-I", "-S", "-c", "pass"], b"", env) for _ in range(RUNS))


def ratio_to_empty(hook_process, event, bar):
    """Instructions of the hook process, of an empty interpreter's; the payload is written as the client writes it.

    The fewest of all runs is within the bar as soon as one is, so that one ends the counting.
    """
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    hook_process(event)  # the plan is made once
    empty = empty_instructions()
    ratio = float("inf")
    for _ in range(RUNS):
        ours = count_instructions(hook_process.argv, encode_payload(event) + b"\n", hook_process.env)
        ratio = min(ratio, ours / empty)
        if ratio <= bar:
            break
    print(f"hook process: {ratio:.3f} of an empty interpreter's {empty / 1e6:.1f} M instructions")
    return ratio


UNREAD = 1.07  # of an empty interpreter's instructions, for a command that nobody must read
TASK = 1.10  # for one that runs a task of the project, whose file is looked for, and is told to the person
READ = 1.45  # for one that has to be parsed
NOTED = 1.55  # for one that has to be parsed, and makes something that the session remembers
MAKEFILE = "build: generate\n\tgo build ./...\ngenerate:\n\tmkdir -p out\n"


@pytest.mark.parametrize(
    ("event", "most"),
    [(PASS, UNREAD), (FORCE, TASK), (bash("git status").raw, UNREAD), (bash("npm install").raw, UNREAD)],
    ids=["pass", "force", "git status", "npm install"],
)
def test_a_command_that_nobody_must_read_stays_within_the_bar(hook_process, event, most):
    assert ratio_to_empty(hook_process, event, most) <= most


@pytest.mark.parametrize("makefile", ["", MAKEFILE], ids=["no Makefile", "Makefile"])
def test_a_command_that_has_to_be_read_stays_within_the_bar(hook_process, tmp_path, makefile):
    web = tmp_path / "shop/web"
    web.mkdir(parents=True)
    if makefile:
        (web / "Makefile").write_text(makefile)
    event = {**bash("cd web && make build && ls").raw, "cwd": str(web.parent)}
    assert ratio_to_empty(hook_process, event, READ) <= READ


KEYS = 5000  # as many as are kept
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
        (PASS, [], 1.10),
        (FORCE, [], 1.25),  # parsed for its key, by modules that are loaded late
        (SCRIPT, [], 1.25),
        (FORCE, [FORCE["tool_input"]["command"]], 1.10),
    ],
    ids=["pass", "by-key", "script", "in-the-same-words"],
)
def test_a_past_of_many_keys_stays_within_the_bar(hook_process, event, texts, most):
    assert durations_write.write_durations(
        f"{hook_process.home}/.local/state/hookwright", event["cwd"], *learned(KEYS, texts)
    )
    assert ratio_to_empty(hook_process, event, most) <= most


OTHER_TOOLS = {
    "MCP": tool_use("mcp__github__list_issues", {"owner": "ann", "repo": "shop"}).raw,
    "WebFetch": tool_use("WebFetch", {"url": "https://docs.example.com/a", "prompt": "summarize"}).raw,
    "Grep": tool_use("Grep", {"pattern": "OrderService", "path": "src", "output_mode": "files_with_matches"}).raw,
}


@pytest.mark.parametrize("event", OTHER_TOOLS.values(), ids=OTHER_TOOLS)
def test_a_call_of_another_tool_that_nobody_must_judge_stays_within_the_bar(hook_process, event):
    assert ratio_to_empty(hook_process, event, UNREAD + 0.03) <= UNREAD + 0.03  # its arguments are looked at


def test_a_folder_that_is_made_is_noted_within_the_bar_of_a_command_that_is_read(hook_process, tmp_path):
    event = {**bash("mkdir -p work/a && cd work").raw, "cwd": str(tmp_path)}
    assert ratio_to_empty(hook_process, event, NOTED) <= NOTED


def test_a_call_of_an_mcp_tool_reads_two_files_of_the_bundle(hook_process):
    hook_process(OTHER_TOOLS["MCP"])
    hook_process.add_code(
        "real = posix.open; posix.open = lambda *a: posix.write(2, (a[0] + '\\n').encode()) and real(*a)"
    )
    opened = [Path(line) for line in hook_process(OTHER_TOOLS["MCP"]).stderr.decode().splitlines()]
    assert [path.name for path in opened if "bundle" in path.parent.name] == ["core", "PreToolUse-mcp"]
