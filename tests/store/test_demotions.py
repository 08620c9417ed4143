"""What moving a command cost and saved decides whether its kind is moved again."""

import pytest

from hookwright.hooks.auto_background.hook import AutoBackground
from hookwright.hooks.base import World
from hookwright.store import demotions
from hookwright.testing.builders import bash

PROJECT = "/home/ann/shop"


def verdict(past, command, **options):
    world = World(state=past.state, project=PROJECT, now=past.clock)
    found = AutoBackground(world, **options).classify_command(bash(command, cwd=PROJECT), command)
    return *found, world.facts


def move(past, command, seconds, *, task, does="work", status="ok"):
    """A moved command, what Claude does while it runs, and its end."""
    call = past.moved(command, task=task)
    if does == "stop":
        past.event("Stop", tasks=[{"id": task, "status": "running"}])
    elif does == "read":
        for _ in range(3):
            past.event("PostToolUse", tool="Read", tool_use_id="r1", polled=task, duration_ms=5, outcome="ok")
    else:
        past.ran("grep -rn x src", 0.1)
    past.event("UserPromptSubmit", later=seconds, tool_use_id=call, task_id=task, outcome=status, exit_code=0)


@pytest.mark.parametrize(
    ("does", "seconds", "demoted"),
    [("work", 90, False), ("stop", 90, True), ("read", 90, True), ("work", 3, True)],
)
def test_a_kind_that_costs_more_than_it_saves_is_left_in_the_foreground(past, does, seconds, demoted):
    for number in range(3):
        move(past, "npm run build", seconds, task=f"b{number}", does=does)
    past.store().close()
    said, reason, facts = verdict(past, "npm run build", long_seconds=1)
    assert (said == "none") == demoted
    if demoted:
        assert reason.startswith("moving `npm run build` to the background cost more than it saved here: 3 moves, -")
        assert facts["demoted"] == reason


def test_two_moves_are_no_evidence(past):
    for number in range(2):
        move(past, "npm run build", 90, task=f"b{number}", does="stop")
    past.store().close()
    assert verdict(past, "npm run build")[0] == "force"


def test_a_kind_of_work_is_demoted_as_a_whole(past):
    for number, name in enumerate(("build", "build:css", "build:js", "build:docs", "build:all")):
        move(past, f"npm run {name}", 90, task=f"b{number}", does="stop")
    past.store().close()
    assert verdict(past, "npm run build:new")[1].startswith("moving commands that build")
    assert verdict(past, "npm ci")[0] == "force"


def test_what_does_not_end_by_itself_is_never_demoted(past):
    for number in range(6):
        move(past, "npm run dev", 90, task=f"b{number}", does="stop")
        move(past, "tail -f x.log", 90, task=f"t{number}", does="stop")
    past.store().close()
    assert verdict(past, "npm run dev")[0] == "force"
    assert verdict(past, "tail -f x.log")[0] == "force"


def test_a_rule_of_the_users_own_and_another_project_are_not_affected(past):
    for number in range(3):
        move(past, "npm run build", 90, task=f"b{number}", does="stop")
    past.store().close()
    rules = ({"program": "npm", "subcommand": "run build", "flags": (), "class": "build"},)
    assert verdict(past, "npm run build")[0] == "none"
    assert verdict(past, "npm run build", rules=rules)[0] == "force"
    assert verdict(past, "npm run build", extra="npm")[0] == "force"
    assert verdict(past, "npm run build", learned=False)[0] == "force"
    world = World(state=past.state, project="/elsewhere", now=past.clock)
    assert AutoBackground(world).classify_command(bash("npm run build"), "npm run build")[0] == "force"


def test_old_moves_are_forgotten(past):
    for number in range(3):
        move(past, "npm run build", 90, task=f"b{number}", does="stop")
    past.store().close()
    past.event("Stop", later=(demotions.DAYS + 1) * 86400)
    past.store().close()
    assert list(demotions.read_demotions(past.state, PROJECT)) == []


def test_why_says_that_it_was_demoted(past, hookwright):
    reason = "moving `npm run build` to the background cost more than it saved here: 3 moves, -30 s"
    past.pre("npm run build", demoted=reason)
    past.store().close()
    assert reason in hookwright("why", f"toolu_{past.calls}")[1]
