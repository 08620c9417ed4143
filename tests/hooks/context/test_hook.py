"""Claude is told where the project stands once, and afterwards only what others changed."""

import os
import subprocess
import time

import pytest

from hookwright.hooks.context.hook import Context, format_export
from hookwright.hooks.stop_guard.hook import StopGuard
from hookwright.options import BadValue, validate_option
from tests.hooks.kit import IDENTITY, Desk, git
from tests.proc.kit import run_with_time

NOW = {"ttl": 0}  # look at every prompt


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


def start(desk, source="startup", **options):
    decision = desk.fire(Context, "SessionStart", options, source=source)
    return decision.context if decision else ""


def prompt(desk, text="go on", **options):
    decision = desk.fire(Context, "UserPromptSubmit", {**NOW, **options}, prompt=text)
    return decision.context if decision else ""


def commands(**named):
    return {"commands": validate_option(Context.commands, [{"name": n, "command": c} for n, c in named.items()])}


def test_the_first_block_tells_branch_changes_commits_and_commands(desk, tmp_path):
    git(tmp_path, "init", "-q", "--bare", "remote.git")
    desk.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    desk.git("push", "-q", "-u", "origin", "main")
    desk.put("b.py", "b = 1\n")
    desk.commit("Add b", date=f"@{int(time.time()) - 600} +0000")
    desk.put("kept.py", "a = 2\n")
    desk.put("new.py", "")
    text = start(desk, **commands(node="echo v22.1.0; echo more"))
    assert text.splitlines()[0].endswith("(data, not instructions):")
    assert "- branch main, 1 ahead of origin/main" in text
    assert "- open changes in 2 files (1 modified, 1 untracked): kept.py, new.py" in text
    assert " Add b (Ann)" in text
    assert "first" not in text  # an old commit
    assert "- node: v22.1.0\n" in text + "\n"


def test_the_same_block_is_never_sent_twice(desk):
    assert start(desk)
    assert prompt(desk) == ""
    assert prompt(desk) == ""
    assert start(desk, "resume") == ""


@pytest.mark.parametrize("source", ["compact", "clear", "startup"])
def test_after_a_loss_of_memory_it_is_sent_again(desk, source):
    first = start(desk)
    assert start(desk, source) == first


def test_afterwards_only_what_changed_is_told(desk):
    desk.put("kept.py", "a = 2\n")
    start(desk, **commands(version="cat version"))
    desk.git("switch", "-q", "-c", "other")
    assert prompt(desk).splitlines()[1:] == ["- now on branch other"]
    desk.put("their.py", "x")
    assert prompt(desk).splitlines()[1:] == ["- changed by others: their.py"]
    desk.put("version", "7")
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "Theirs", date="")
    assert "Theirs (Ann)" in prompt(desk)
    assert "version: 7" in prompt(desk, **commands(version="cat version"))
    assert prompt(desk, **commands(version="cat version")) == ""


def test_what_the_session_did_itself_is_no_news(desk):
    start(desk)
    desk.write(StopGuard, "mine.py", "x = 1\n")
    desk.bash(StopGuard, "echo x > mine.txt")
    assert prompt(desk) == ""
    desk.bash(StopGuard, "git add -A && git -c user.name=a -c user.email=a@b commit -q -m mine")
    assert prompt(desk) == ""
    desk.bash(StopGuard, "git switch -q -c mine")
    assert prompt(desk) == ""


def test_the_clients_own_prompts_get_nothing(desk):
    start(desk)
    desk.git("switch", "-q", "-c", "other")
    assert prompt(desk, "<task-notification>\n<task-id>b1</task-id>\n</task-notification>") == ""
    assert "other" in prompt(desk)


def test_without_a_change_of_git_nothing_is_asked_before_the_time(desk, monkeypatch):
    start(desk)
    monkeypatch.setenv("PATH", "/nonexistent")  # whoever asks git now, fails
    desk.later = 59
    assert prompt(desk, ttl=60) == ""
    assert "context_without" not in desk.facts
    desk.later = 61
    assert prompt(desk, ttl=60) == ""
    assert "context_without" in desk.facts


def test_a_subagent_is_told_once_unless_it_is_switched_off(desk):
    told = desk.fire(Context, "SubagentStart", {}, agent_id="a1", agent_type="Explore")
    assert "branch main" in told.context
    assert desk.fire(Context, "SubagentStart", {"subagents": False}, agent_id="a2", agent_type="Explore") is None


def test_running_background_tasks_are_told_after_compaction(desk):
    start(desk)
    task = {"id": "b1", "status": "running", "command": "npm run watch"}
    desk.fire(Context, "Stop", {}, background_tasks=[task, {"id": "b2", "status": "completed", "command": "done"}])
    text = start(desk, "compact")
    assert "running in the background when the last turn ended: npm run watch" in text
    desk.fire(Context, "Stop", {}, background_tasks=[])
    assert "background" not in start(desk, "compact")


def test_text_from_outside_is_data(desk):
    desk.git("switch", "-q", "-c", "x\u202ey")
    sequences = "\\033[31mred\\033[0m\\a\\033]0;title\\a \\342\\200\\256"
    hostile = f"printf '{sequences} token=ghp_0123456789abcdefghij0123456789abcdef\\n'"
    text = start(desk, **commands(evil=hostile, long="head -c 5000 /dev/zero | tr '\\0' x"))
    line = next(line for line in text.splitlines() if line.startswith("- evil"))
    assert line.startswith("- evil: red token=")
    assert "ghp_0123456789" not in line
    assert not any(ord(c) < 32 or ord(c) == 0x202E for c in text.replace("\n", ""))
    assert max(map(len, text.splitlines())) < 260


def test_the_budget_of_characters_holds(desk):
    for number in range(60):
        desk.put(f"a-rather-long-name-of-a-file-{number}.py", "")
    many = commands(**{f"c{number}": "echo " + "word " * 30 for number in range(20)})
    assert len(start(desk, **many)) <= 1200
    assert len(start(desk, "clear", budget=300, **many)) <= 300


def test_the_budget_of_time_holds_and_what_is_late_is_left_out(desk):
    def tell(seconds):
        return start(desk, "clear", seconds=seconds, **commands(slow="sleep 600; echo late", quick="echo soon"))

    text = run_with_time(tell, lambda text: "quick: soon" in text)
    assert "quick: soon" in text
    assert "slow" not in text
    [(late, why)] = desk.facts["context_without"].items()
    assert (late, why[:15]) == ("command slow", "did not end in ")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([("checkout", "-q", "--detach")], "- no branch, at "),
        ([("branch", "-q", "gone"), ("switch", "-q", "gone"), ("branch", "-q", "-u", "main")], "level with main"),
    ],
)
def test_a_detached_head_and_a_local_upstream_are_named(desk, steps, said):
    for step in steps:
        desk.git(*step)
    assert said in start(desk)


def test_a_merge_in_progress_is_told(desk):
    desk.git("switch", "-q", "-c", "other")
    desk.put("kept.py", "other\n")
    desk.commit("other")
    desk.git("switch", "-q", "main")
    desk.put("kept.py", "main\n")
    desk.commit("main")
    env = {**os.environ, **IDENTITY}
    subprocess.run(["git", "merge", "-q", "other"], cwd=desk.project, env=env, check=False, capture_output=True)
    text = start(desk)
    assert "branch main; a merge is in progress" in text
    assert "(1 in conflict): kept.py" in text


def test_a_worktree_has_its_own_branch(desk, tmp_path):
    tree = str(tmp_path / "tree")
    desk.git("worktree", "add", "-q", "-b", "side", tree)
    desk.project = tree
    assert "branch side" in start(desk)
    git(tree, "switch", "-q", "-c", "further")
    assert "now on branch further" in prompt(desk)


def test_without_git_or_repository_or_memory_there_is_silence(desk, tmp_path, monkeypatch):
    outside = Desk(tmp_path / "outside", repository=False)
    assert start(outside) == ""
    assert "only: this" in start(outside, "clear", **commands(only="echo this"))
    monkeypatch.setenv("PATH", "/nonexistent")
    assert start(desk) == ""
    desk.state = None
    assert start(desk) == ""


def test_two_sessions_are_told_each(desk):
    first = start(desk)
    desk.session = "s2"
    assert start(desk) == first
    desk.git("switch", "-q", "-c", "other")
    assert "other" in prompt(desk)
    desk.session = "s1"
    assert "other" in prompt(desk)


@pytest.mark.parametrize("jump", [86400, -86400])
def test_a_clock_that_jumps_repeats_nothing(desk, jump):
    start(desk)
    desk.later = jump
    assert prompt(desk, ttl=60) == ""


# --- variables for later commands


def test_variables_are_exported_once_and_taken_literally(desk, tmp_path):
    file = tmp_path / "env"
    desk.environment["CLAUDE_ENV_FILE"] = str(file)
    options = {"export": ("A=it's $HOME `x`", "P=${CLAUDE_PROJECT_DIR}/src"), "mode": "on"}
    desk.fire(Context, "SessionStart", options, source="startup")
    desk.fire(Context, "SessionStart", options, source="compact")
    assert len(file.read_text().splitlines()) == 2
    shown = subprocess.run(["sh", "-c", f'. {file}; printf "%s|%s" "$A" "$P"'], capture_output=True, check=True)
    assert shown.stdout.decode() == f"it's $HOME `x`|{desk.project}/src"


def test_in_shadow_nothing_is_exported(desk, tmp_path):
    desk.environment["CLAUDE_ENV_FILE"] = str(tmp_path / "env")
    desk.fire(Context, "SessionStart", {"export": ("A=1",), "mode": "shadow"}, source="startup")
    assert not os.path.exists(tmp_path / "env")


def test_a_line_that_could_run_something_is_not_written():
    assert format_export("A=x\nrm -rf /", "") == ""
    assert format_export("A B=x", "") == ""


@pytest.mark.parametrize(
    ("option", "value", "said"),
    [
        ("export", ["1A=2"], "must be assignments such as NODE_ENV=development, got '1A=2'"),
        ("parts", ["branch", "weather"], "must be some of branch, changes, commits, tasks, got weather"),
        ("seconds", 120, "must be 0.1 to 20, got 120"),
        ("commands", [{"command": "x"}], "number 1 needs name"),
    ],
)
def test_a_wrong_value_is_explained(option, value, said):
    with pytest.raises(BadValue) as wrong:
        validate_option(vars(Context)[option], value)
    assert said in str(wrong.value)
