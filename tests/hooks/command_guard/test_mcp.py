"""MCP tools: the calls of the commonest servers, and what their arguments can hide."""

import json
from pathlib import Path

from hookwright.hooks.base import World
from hookwright.hooks.command_guard.hook import CommandGuard
from hookwright.testing.builders import tool_use

HOME = "/home/ann"


def read_cases():
    rows = []
    for line in (Path(__file__).parent / "mcp_cases.txt").read_text().splitlines():
        if line and line[0] != "#":
            wanted, server, tool, given = line.split(" ", 3)
            rows.append((wanted, f"mcp__{server}__{tool}", json.loads(given)))
    return rows


CASES = read_cases()


def judge(tool, given, **options):
    world = World({"HOME": HOME}.get, home=HOME, project=f"{HOME}/shop", state=f"{HOME}/.local/state/hookwright")
    return CommandGuard(world, **options).decide(tool_use(tool, given, cwd=f"{HOME}/shop"))


def verdict(tool, given, **options):
    decision = judge(tool, given, **options)
    return decision.permission if decision else "none"


def test_the_commonest_servers_are_judged_as_labelled():
    """The bar: 95 of 100 that should stop do, at most 5 of 100 others are stopped. Each miss is listed."""
    misses, stops, false, quiet = [], 0, 0, 0
    for wanted, tool, given in CASES:
        got = verdict(tool, given)
        if wanted == "none":
            quiet += 1
            false += got != "none"
        else:
            stops += 1
        if got != wanted and not (wanted == "stop" and got != "none"):
            misses.append(f"{wanted} but {got}: {tool} {json.dumps(given)}")
    print("\n".join(misses))
    missed = sum(line.split(" but ")[1].startswith("none") for line in misses)
    print(
        f"{stops - missed} of {stops} stopped, {false} of {quiet} stopped that should not be, {len(misses)} not exact"
    )
    assert misses == []
    assert len({tool.split("__")[1] for _, tool, _ in CASES}) >= 30
