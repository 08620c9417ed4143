"""The guard as a hook: what it answers, how it says it, and what the user's configuration changes."""

import time

import pytest

from hookwright.config.compiler import build_hook_spec, compile_plan
from hookwright.hooks.base import World
from hookwright.hooks.command_guard.hook import OTHERS, CommandGuard
from hookwright.options import validate_option
from hookwright.testing.builders import bash, tool_use

NOW = time.mktime((2030, 3, 17, 12, 0, 0, 0, 0, -1))  # noon, wherever this runs


def guard(**options):
    """A guard in Ann's shop, its options as a configuration file would give them."""
    declared = build_hook_spec("command_guard", CommandGuard).options
    given = {name: validate_option(declared[name], value) for name, value in options.items()}
    return CommandGuard(World(home="/home/ann", project="/home/ann/shop", now=NOW), **given)


def verdict(event, **options):
    decision = guard(**options).decide(event)
    return decision.permission if decision else None


def test_a_reason_says_what_was_seen_the_way_on_and_the_rule():
    decision = CommandGuard().decide(bash("cd /repo && git push --force origin main"))
    assert decision.permission == "deny"
    assert decision.reason == (
        "`git push --force origin main` can erase others' commits on a shared branch. "
        "Only the user can allow it: hookwright allow last. Instead: `git push origin HEAD:refs/heads/new-branch`."
    )
    assert decision.label == "git-force-push"


@pytest.mark.parametrize("command", ["ls;\tgit push --force origin main", "ls && git\tpush\t--force origin main"])
def test_a_tab_separates_words_as_a_blank_does(command):
    assert verdict(bash(command)) == "deny"


def test_the_strictest_finding_is_told_and_all_are_recorded():
    hook = guard()
    decision = hook.decide(bash("git reset --hard && rm -rf ~"))
    assert decision.permission == "deny"
    assert "git reset" not in decision.reason
    assert hook.world.facts["guard"] == {"rules": ["recursive-delete", "git-reset-hard"], "instead": "ls -la ~"}


def test_what_runs_in_double_quotes_is_named_as_such():
    decision = CommandGuard().decide(bash('git commit -m "never `rm -rf ~` again"'))
    assert decision.permission == "deny"
    assert "It stands in double quotes, but the shell runs it all the same." in decision.reason


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm -rf /home/ann/shop/node_modules", None),
        ("rm -rf /home/ann/shop/src", "ask"),
        ("rm -rf /home/ann/shop", "ask"),
        ("rm -rf $PWD", "ask"),
        ("rm -rf /home/ann/other", "ask"),
        ("rm -rf /home/ann", "deny"),
        ("rm -rf ../..", "deny"),
        ("cd .. && rm -rf *", "deny"),
        ("cd src && rm -rf ../.git", "deny"),
        ("echo x > /home/ann/.claude/settings.json", "deny"),
        ("cp evil ../.bashrc", "ask"),
        ("npm test", None),
        ("", None),
        ("   ", None),
    ],
)
def test_paths_are_seen_from_the_folder_in_which_the_command_runs(command, expected):
    assert verdict(bash(command)) == expected


@pytest.mark.parametrize("given", [{}, {"command": None}, {"command": 5}, {"command": ["rm", "-rf", "/"]}])
def test_a_call_without_a_command_is_none_of_its_business(given):
    assert verdict(tool_use("Bash", given)) is None


def test_it_listens_to_the_tools_that_can_do_harm_and_to_nothing_else():
    plan = compile_plan(user="", project="", trust="")
    rows = {
        event: [row["tools"] for row in rows if row["hook"] == "command_guard"] for event, rows in plan["hooks"].items()
    }
    assert {event: tools for event, tools in rows.items() if tools} == {
        "PreToolUse": [("Bash", "Read", "Write", "Edit", "NotebookEdit", "Monitor", *OTHERS)]
    }
    assert plan["hooks"]["PreToolUse"][0]["hook"] == "command_guard"
    assert plan["hooks"]["PreToolUse"][0]["failure"] == "ask"


# -- switches --------------------------------------------------------------------------------------------------------

PUSH = bash("git push --force origin main")
RESET = bash("git reset --hard")


@pytest.mark.parametrize(
    ("event", "options", "expected"),
    [
        (PUSH, {"off": ["git-force-push"]}, None),
        (PUSH, {"ask": ["git-force-push"]}, "ask"),
        (RESET, {"deny": ["git-reset-hard"]}, "deny"),
        (RESET, {"off": ["git-force-push"]}, "ask"),
        (bash("find . -type f | xargs rm"), {"off": ["find-delete"]}, None),
        (bash("git push --force origin next"), {}, "ask"),
        (bash("git push --force origin next"), {"branches": ["next"]}, "deny"),
        (bash("git push --force origin main"), {"branches": ["next"]}, "deny"),
    ],
)
def test_rules_are_switched_softened_and_hardened_by_name(event, options, expected):
    assert verdict(event, **options) == expected


PACKAGE = (
    '{"scripts": {"reset": "rm -rf ~", "db:reset": "prisma migrate reset", "build": "rm -rf dist && tsc", "t": "jest"}}'
)
MAKEFILE = (
    "B = out\ndestroy:\n\tterraform destroy -auto-approve\nclean:\n\trm -rf $(B) $(X)/cache\nall:\n\tgo build ./...\n"
)


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("npm run reset", "deny"),
        ("npm run db:reset", "ask"),
        ("cd sub && npm run reset", "deny"),
        ("npm --prefix .. run reset", "deny"),
        ("npm run build", None),
        ("npm run t && npm install", None),
        ("npm run missing", None),
        ("make destroy", "deny"),
        ("make -C . destroy", "deny"),
        ("make all && make clean", None),
        ("just up", None),
    ],
)
def test_project_tasks_are_judged_by_what_they_run_unless_that_is_switched_off(tmp_path, command, expected):
    (tmp_path / "package.json").write_text(PACKAGE)
    (tmp_path / "Makefile").write_text(MAKEFILE)
    (tmp_path / "sub").mkdir()
    world = World(home="/home/ann", project=str(tmp_path))
    folder = tmp_path / "sub" if "--prefix" in command else tmp_path
    event = bash(command, cwd=str(folder))
    decision = CommandGuard(world).decide(event)
    assert (decision.permission if decision else None) == expected
    assert CommandGuard(world, scripts=False).decide(event) is None


# -- own rules -------------------------------------------------------------------------------------------------------

DEPLOY = {
    "program": "ship",
    "subcommand": "app to",
    "flags": ["--live", "-l"],
    "verdict": "deny",
    "reason": "not on Fridays",
}


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("ship app to --live", "deny"),
        ("cd x && ./bin/ship app to -l", "deny"),
        ("sudo ship app to eu --live=yes", "deny"),
        ("ship app to", None),
        ("ship app --live", None),
        ("echo ship app to --live", None),
    ],
)
def test_an_own_rule_meets_program_words_and_flags(command, expected):
    assert verdict(bash(command), rules=[DEPLOY]) == expected


def test_an_own_rule_speaks_with_its_own_words():
    rule = {**DEPLOY, "name": "fridays", "instead": "ship app to --staging"}
    decision = guard(rules=[rule]).decide(bash("ship app to --live"))
    assert (
        decision.reason
        == "not on Fridays. Instead: `ship app to --staging`. Only the user can allow it: hookwright allow last."
    )


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("psql -f db/prod.sql", "ask"),
        ("cat db/prod.sql", None),
        ("psql -f other.sql", None),
        ("mysql < /home/ann/shop/db/prod.sql", "ask"),
    ],
)
def test_an_own_rule_meets_paths(command, expected):
    rule = {"program": ["psql", "mysql"], "paths": ["db/prod*"]}
    assert verdict(bash(command), rules=[rule]) == expected


@pytest.mark.parametrize(
    ("event", "expected"),
    [
        (bash("cat infra/prod/main.tf"), "deny"),
        (bash("cp x infra/prod/"), "deny"),
        (bash("echo x > infra/prod/x"), "deny"),
        (bash("cd infra && cat prod/main.tf"), "deny"),
        (bash("cat infra/dev/main.tf"), None),
        (bash("vi schema.lock"), "ask"),
        (tool_use("Read", {"file_path": "/home/ann/shop/infra/prod/main.tf"}), "deny"),
        (tool_use("Edit", {"file_path": "/home/ann/shop/a/../infra/prod/main.tf"}), "deny"),
        (tool_use("Edit", {"file_path": "/home/ann/shop/db/schema.lock"}), "ask"),
        (tool_use("Edit", {"file_path": "/home/ann/shop/src/a.py"}), None),
    ],
)
def test_listed_paths_are_kept_from_commands_and_file_tools(event, expected):
    assert verdict(event, deny_paths=["infra/prod/**"], ask_paths=["*.lock"]) == expected


# -- exceptions ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("exception", "expected"),
    [
        ({"rule": "git-force-push"}, None),
        ({"rule": "git-reset-hard"}, "deny"),
        ({"command": "git push --force origin main"}, None),
        ({"command": "git  push --force   origin main"}, None),
        ({"command": "git push --force"}, "deny"),
        ({"rule": "git-force-push", "command": "git push --force origin main"}, None),
        ({"rule": "git-reset-hard", "command": "git push --force origin main"}, "deny"),
        ({"rule": "git-force-push", "until": "2030-03-17"}, None),
        ({"rule": "git-force-push", "until": "2031-01-01"}, None),
        ({"rule": "git-force-push", "until": "2030-03-16"}, "deny"),
        ({"rule": "git-force-push", "until": "2020-01-01T12:00:00"}, "deny"),
    ],
)
def test_an_exception_lets_exactly_what_it_names_pass_until_its_day(exception, expected):
    assert verdict(PUSH, exceptions=[exception]) == expected


def test_an_exception_for_a_call_counts_inside_a_longer_command_but_not_with_other_wrappers():
    exception = {"command": "git reset --hard"}
    assert verdict(bash("cd sub && git reset --hard"), exceptions=[exception]) is None
    assert verdict(bash("sudo git reset --hard"), exceptions=[exception]) == "ask"
    assert verdict(bash("git reset --hard && rm -rf ~"), exceptions=[exception]) == "deny"
