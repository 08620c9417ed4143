"""The administrator's policy: a floor under user, project and environment; broken, the last good one stays."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from hookwright import dispatch
from hookwright.config import compiler, config_files, plan_cache
from hookwright.config.policy import matches_revision
from hookwright.config.trust import read_project
from hookwright.hooks.base import World
from hookwright.proc.root_owned import why_not_root_owned

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="a policy counts only if root owns it: run this as root")

NOBODY = 65534
GUARD_ON = '[command_guard]\nmode = "on"\n'
EXCEPTION = '[[command_guard.exceptions]]\ncommand = "rm -rf /"\n'


class Machine:
    """A policy, a user and a project, each with a file of its own."""

    def __init__(self, root: Path):
        self.policy = root / "etc"
        self.config, self.state, self.cache = root / "config", root / "state", root / "cache"
        self.project = root / "project"
        for folder in (self.policy, self.policy / "policy.d", self.config, self.project / ".git"):
            folder.mkdir(parents=True, mode=0o755)

    def write(self, policy="", user="", project=""):
        (self.policy / "policy.toml").write_text(policy)
        (self.config / "config.toml").write_text(user)
        (self.project / ".hookwright.toml").write_text(project)

    def trust(self):
        path = str(self.project / ".hookwright.toml")
        file = Path(config_files.trust_file(str(self.state), path, plan_cache.project_key))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"files": read_project(path).hashes}))

    def plan(self):
        return plan_cache.load_plan(
            b"build",
            config=str(self.config),
            state=str(self.state),
            cache=str(self.cache),
            start=str(self.project),
            home=None,
            policy=str(self.policy),
        )

    def answer(self, command="rm -rf /", env=None, project_env=None):
        world = World((env or {}).get, now=0, home="/home/u", project=str(self.project))
        world.project_env = project_env or {}
        payload = {
            "hook_event_name": "PreToolUse",
            "session_id": "s",
            "cwd": str(self.project),
            "tool_name": "Bash",
            "tool_input": {"command": command},
        }
        outcome = dispatch.answer(payload, self.plan(), world)
        return outcome.verdict

    def value(self, name, **places):
        every = compiler.load_hook_set(user=str(self.config / "config.toml"), policy=str(self.policy), **places)
        section, option = name.split(".")
        return every.resolved.values[section][option]

    def load(self):
        return compiler.load_hook_set(
            policy=str(self.policy), last_good_policy=str(self.state / "policy.json"), only_ours=True
        ).policy


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


# --- the floor
@pytest.mark.parametrize(
    ("user", "env"),
    [
        ('[command_guard]\nmode = "off"\n', {}),
        ('[command_guard]\nmode = "shadow"\n', {}),
        ('[command_guard]\noff = ["recursive-delete"]\n', {}),
        ('[command_guard]\nask = ["recursive-delete"]\n', {}),
        (EXCEPTION, {}),
        ('[[command_guard.exceptions]]\nrule = "recursive-delete"\n', {}),
        ("", {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off"}),
        ("", {"HOOKWRIGHT_COMMAND_GUARD_MODE": "shadow"}),
        ("", {"HOOKWRIGHT_COMMAND_GUARD_OFF": "recursive-delete"}),
        ("", {"HOOKWRIGHT_COMMAND_GUARD_ASK": "recursive-delete"}),
        ("", {"AGENT_OS_HOOKS_QUIET": "1"}),
        ("[command_guard\n", {"HOOKWRIGHT_COMMAND_GUARD_MODE": "off"}),
    ],
)
@pytest.mark.parametrize("policy", [GUARD_ON, '[command_guard]\ndeny = ["git-reset-hard"]\n', "[guard]\n"])
def test_what_the_policy_says_of_the_guard_cannot_be_lowered(machine, policy, user, env):
    machine.write(policy, user)
    assert machine.answer(env=env) == "deny"


@pytest.mark.parametrize(
    "project", ['[command_guard]\nmode = "off"\n', '[command_guard]\noff = ["recursive-delete"]\n', EXCEPTION]
)
def test_a_trusted_project_cannot_lower_it_either(machine, project):
    machine.write("", project=project)
    machine.trust()
    assert machine.answer() is None
    machine.write(GUARD_ON, project=project)
    machine.trust()
    assert machine.answer() == "deny"


def test_without_a_policy_users_decide(machine):
    machine.write("", EXCEPTION)
    assert machine.answer() is None
    machine.write('[notify]\nmode = "on"\n', EXCEPTION)  # a policy that is not about the guard
    assert machine.answer() is None


@pytest.mark.parametrize("form", ['exceptions = "user"\n' + GUARD_ON, GUARD_ON + 'exceptions = "user"\n'])
def test_exceptions_of_users_count_where_the_policy_says_so(machine, form):
    machine.write(form, EXCEPTION)
    assert machine.answer() is None
    machine.write(form, '[command_guard]\nmode = "off"\n')
    assert machine.answer() == "deny"


def test_the_policys_own_exceptions_count(machine):
    machine.write(GUARD_ON + EXCEPTION, '[command_guard]\noff = ["git-force-push"]\n')
    assert machine.answer() is None
    assert machine.answer("git push --force origin main") == "deny"


def test_others_may_raise_what_the_policy_says(machine):
    machine.write('[command_guard]\nmode = "shadow"\nsecrets = "ask"\n', '[command_guard]\nsecrets = "deny"\n')
    assert machine.value("command_guard.secrets").value == "deny"
    assert machine.value("command_guard.mode").value == "on"
    assert machine.answer() == "deny"


def test_rules_and_lists_add_and_no_variable_takes_them_away(machine):
    rule = '[[command_guard.rules]]\nprogram = "{}"\nverdict = "deny"\n'
    policy = GUARD_ON + 'deny = ["git-reset-hard"]\ndeny_paths = ["/srv"]\n' + rule.format("acme")
    machine.write(policy, '[command_guard]\ndeny_paths = ["/data"]\n' + rule.format("mine"))
    env = {"HOOKWRIGHT_COMMAND_GUARD_DENY": "", "HOOKWRIGHT_COMMAND_GUARD_DENY_PATHS": "/other"}
    assert [machine.answer(command) for command in ("acme", "mine", "cat /srv/x", "cat /data/x")] == ["deny"] * 4
    assert machine.answer("git reset --hard HEAD~1", env) == "deny"
    assert machine.answer("cat /srv/x", env) == "deny"
    assert machine.answer("cat /other/x", env) == "deny"


def test_an_option_without_a_direction_is_the_policys(machine):
    machine.write("[auto_background]\nlong_seconds = 77\n", "[auto_background]\nlong_seconds = 5\n")
    found = machine.value("auto_background.long_seconds")
    assert (found.value, found.origin) == (77, "policy")


def test_of_several_files_the_tightest_value_counts(machine):
    machine.write('[command_guard]\nsecrets = "deny"\ndeny_paths = ["/a"]\n')
    (machine.policy / "policy.d/50-b.toml").write_text('[command_guard]\nsecrets = "ask"\ndeny_paths = ["/b"]\n')
    (machine.policy / "policy.d/ignored.txt").write_text("no TOML")
    assert machine.value("command_guard.secrets").value == "deny"
    assert machine.value("command_guard.deny_paths").value == ("/a", "/b")


def test_the_policys_commands_run_for_everybody_and_stay_on(machine, tmp_path):
    table = '[[hooks.command]]\nname = "acme"\nevent = "PreToolUse"\ncommand = "exit 2"\n'
    user = '[[hooks.command]]\nname = "acme"\nevent = "PreToolUse"\ncommand = "true"\n[acme]\nmode = "off"\n'
    machine.write(table, user)
    rows = [row for row in machine.plan()["hooks"]["PreToolUse"] if row["hook"] == "acme"]
    assert [(row["mode"], row["command"]) for row in rows] == [("on", ("/bin/sh", "-c", "exit 2"))]
    assert machine.answer("ls", {"HOOKWRIGHT_ACME_MODE": "off"}) == "deny"


def test_python_of_the_user_that_runs_where_the_plan_is_made_cannot_lower_it(machine):
    hooks = machine.config / "hooks"
    hooks.mkdir()
    (hooks / "mine.py").write_text(
        "from hookwright.config import compiler\n"
        "made = compiler.build_plan\n"
        "compiler.build_plan = lambda *a: {**made(*a), 'hooks': {}, 'policy': None, 'stamps': (), 'files': ()}\n"
    )
    machine.write(GUARD_ON)
    assert machine.answer() == "deny"
    assert machine.plan()["policy"]


# --- which files count
def test_only_files_that_root_alone_can_write_count(machine):
    machine.write(GUARD_ON, '[command_guard]\nmode = "off"\n')
    file = machine.policy / "policy.toml"
    for spoil, mend in (
        (lambda: os.chown(file, NOBODY, 0), lambda: os.chown(file, 0, 0)),
        (lambda: file.chmod(0o664), lambda: file.chmod(0o644)),
        (lambda: file.chmod(0o646), lambda: file.chmod(0o644)),
        (lambda: os.chown(machine.policy, NOBODY, 0), lambda: os.chown(machine.policy, 0, 0)),
        (lambda: machine.policy.chmod(0o777), lambda: machine.policy.chmod(0o755)),
    ):
        assert machine.load().problems == ()
        spoil()
        found = machine.load()
        assert found.revision is None
        assert "does not count" in found.problems[0].what
        assert machine.answer() is None
        mend()
        assert machine.answer() == "deny"
        (machine.state / "policy.json").unlink()


def test_links_are_followed_through_directories_of_root_only(tmp_path):
    (tmp_path / "real").mkdir(mode=0o755)
    (tmp_path / "real/file").write_text("")
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "good").symlink_to("real/../real/file")
    (tmp_path / "open/link").symlink_to(tmp_path / "real/file")
    (tmp_path / "bad").symlink_to("open/link")
    (tmp_path / "loop").symlink_to("loop")
    assert why_not_root_owned(str(tmp_path / "good")) == ""
    assert "can write to" in why_not_root_owned(str(tmp_path / "bad"))
    assert "leads nowhere" in why_not_root_owned(str(tmp_path / "loop"))
    os.lchown(tmp_path / "good", NOBODY, 0)
    assert "does not belong to root" in why_not_root_owned(str(tmp_path / "good"))


def test_the_variable_counts_only_where_there_is_no_usual_place(monkeypatch, tmp_path):
    monkeypatch.setattr(config_files, "POLICY_DIR", str(tmp_path))
    named = {"HOOKWRIGHT_POLICY": "/srv/policy.toml"}
    assert config_files.policy_source(named.get) == str(tmp_path)
    monkeypatch.setattr(config_files, "POLICY_DIR", str(tmp_path / "missing"))
    assert config_files.policy_source(named.get) == "/srv/policy.toml"
    assert config_files.policy_source({"HOOKWRIGHT_POLICY": "policy.toml"}.get) == str(tmp_path / "missing")


# --- a broken policy
BROKEN = {
    "syntax": "[command_guard\n",
    "value": GUARD_ON + 'secrets = "maybe"\n',
    "option": GUARD_ON + "secret = 1\n",
    "section": '[comand_guard]\nmode = "on"\n',
    "exceptions": 'exceptions = "all"\n',
    "revision": "revision = 7\n",
    "bomb": "a=" + "[" * 500,
    "bytes": "\ud800",
}


@pytest.mark.parametrize("text", BROKEN.values(), ids=BROKEN)
def test_the_last_good_policy_stays_in_force(machine, text):
    machine.write('revision = "one"\n' + GUARD_ON, '[command_guard]\nmode = "off"\n')
    assert machine.answer() == "deny"
    good = machine.plan()["policy"]
    (machine.policy / "policy.toml").write_bytes(text.encode("utf-8", "surrogatepass"))
    assert machine.answer() == "deny"
    plan = machine.plan()
    assert plan["policy"] == good
    assert any("stays in force" in problem and good in problem for problem in plan["problems"])
    found = machine.load()
    assert (found.revision, found.origin) == (good, "last good")
    assert matches_revision(found, "one")
    (machine.policy / "policy.toml").write_text("")  # taken over: there is nothing wrong with an empty one
    assert machine.answer() is None


def test_without_an_earlier_policy_what_is_right_counts(machine):
    machine.write('revision = "one"\n' + GUARD_ON + 'secrets = "maybe"\n', '[command_guard]\nmode = "off"\n')
    assert machine.answer() == "deny"
    found = machine.load()
    assert found.origin == "sound parts"
    assert not matches_revision(found, "one")


def test_a_file_of_the_policy_that_goes_is_not_missed(machine):
    machine.write(GUARD_ON, '[command_guard]\nmode = "off"\n')
    assert machine.answer() == "deny"
    (machine.policy / "policy.toml").unlink()
    assert machine.answer() is None
    assert machine.plan()["policy"] is None


def test_the_copy_of_another_place_does_not_count(machine, tmp_path):
    machine.write(GUARD_ON)
    machine.plan()
    other = tmp_path / "other.toml"
    other.write_text("[")
    kept = str(machine.state / "policy.json")
    found = compiler.load_hook_set(policy=str(other), last_good_policy=kept, only_ours=True).policy
    assert found.revision is None


def test_a_broken_file_of_the_user_does_not_bring_back_a_plan_from_before_the_policy(machine):
    machine.write("", '[command_guard]\nmode = "off"\n')
    assert machine.answer() is None
    machine.write(GUARD_ON, "[")
    assert machine.answer() == "deny"


# --- revision
def test_the_revision_follows_the_content_not_the_place_or_comments(machine, tmp_path):
    machine.write(GUARD_ON)
    first = machine.load().revision
    machine.write("# a comment\n" + GUARD_ON)
    assert machine.load().revision == first
    machine.write('revision = "2026-11-18"\n' + GUARD_ON)
    found = machine.load()
    assert found.revision.startswith("2026-11-18+")
    digest = found.revision.partition("+")[2]
    assert all(matches_revision(found, wanted) for wanted in (found.revision, "2026-11-18", digest))
    assert not any(matches_revision(found, wanted) for wanted in (first, "2026-11", ""))


# --- commands
@pytest.mark.slow
def test_show_check_path_verify_status_and_log_name_the_policy(machine, tmp_path):
    home = tmp_path / "home"
    home.mkdir()
    file = machine.policy / "policy.toml"
    machine.write('revision = "one"\n' + GUARD_ON)
    env = {"HOME": str(home), "PATH": os.environ["PATH"], "HOOKWRIGHT_POLICY": str(file)}

    def run(*words, expect=0, stdin=None):
        argv = [os.sys.executable, "-m", "hookwright", *words]
        done = subprocess.run(
            argv, env=env, cwd=machine.project, capture_output=True, text=True, input=stdin, check=False
        )
        assert done.returncode == expect, done
        return done.stdout

    found = json.loads(run("policy", "show", "--json"))
    assert found["path"] == str(file)
    assert found["values"] == {"command_guard.mode": "on"}
    assert found["problems"] == []
    revision = found["revision"]
    assert json.loads(run("policy", "--json")) == found
    assert revision in run("policy", "check")
    assert str(file) in run("policy", "path")
    assert json.loads(run("status", "--json"))["policy"] == revision
    run("install", "--yes", "--only", "command_guard")
    assert json.loads(run("verify", "--json", "--expect", f"policy={revision}"))["policy"] == revision
    report = json.loads(run("verify", "--json", "--expect", "policy=two", expect=1))
    assert [row["code"] for row in report["findings"]] == ["policy-differs"]
    run("verify", "--expect", "fingerprint=1", expect=2)
    payload = {"hook_event_name": "PreToolUse", "session_id": "s", "cwd": str(machine.project), "tool_name": "Bash"}
    run("hook", stdin=json.dumps({**payload, "tool_input": {"command": "rm -rf /"}}))
    assert json.loads(run("log", "--json"))["policy"] == revision
    file.write_text("[")
    broken = json.loads(run("policy", "check", "--json", expect=1))
    assert broken["revision"] == revision
    assert broken["in_force"] == "last good"
    file.unlink()
    assert json.loads(run("policy", "show", "--json"))["revision"] is None
    run("verify", "--expect", f"policy={revision}", expect=1)


# --- cost
def test_a_machine_without_a_policy_costs_one_look_an_event(machine, monkeypatch):
    machine.policy = machine.policy / "missing"
    machine.plan()
    looks = []
    exists = config_files.path_exists
    monkeypatch.setattr(config_files, "path_exists", lambda path: looks.append(path) or exists(path))
    machine.plan()
    assert [path for path in looks if path.startswith(str(machine.policy))] == [str(machine.policy)]
