"""A variable in a path counts with its real value; a directory for temporary files that is unset, as the root."""

import pytest

from hookwright.hooks.base import World
from hookwright.hooks.command_guard.hook import CommandGuard
from hookwright.testing.builders import bash


def verdict(command, home="/home/ada", project="/home/ada/shop", **env):
    guard = CommandGuard(World(env.get, home=home, project=project))
    decision = guard.decide(bash(command, cwd=project))
    return decision.permission if decision else None


@pytest.mark.parametrize(
    ("command", "env", "expected"),
    [
        ('rm -rf "$TMPDIR"/*', {}, "deny"),
        ('rm -rf "${TMPDIR}"/', {}, "deny"),
        ("rm -rf $TMPDIR/*", {}, "deny"),
        ("rm -rf ${RUNNER_TEMP}/*", {}, "deny"),
        ('rm -rf "$TMPDIR"/etc', {}, "deny"),
        ('rm -rf "$TMPDIR"/*', {"TMPDIR": ""}, "deny"),
        ('rm -rf "$TMPDIR"/*', {"TMPDIR": "/"}, "deny"),
        ('rm -rf "$TMPDIR"/*', {"TMPDIR": "/home/ada"}, "deny"),
        ('rm -rf "$TMPDIR"/*', {"TMPDIR": "/tmp/x"}, None),
        ('rm -rf "$TMPDIR"/build', {"TMPDIR": "/var/folders/zz/T/"}, None),
        ("rm -rf ${TMPDIR:-/tmp}/x", {}, None),
        ("rm -rf ${TMPDIR:-/tmp}/x", {"TMPDIR": "/etc"}, "deny"),
        ("rm -rf ${TMPDIR:?}/x", {}, "ask"),
        ('rm -rf "$BUILD"/*', {}, "ask"),
        ('rm -rf "$BUILD"/*', {"BUILD": "/etc"}, "deny"),
        ('rm -rf "$BUILD"', {"BUILD": "/home/ada"}, "deny"),
        ('rm -rf "$BUILD"/*', {"BUILD": "/tmp/b"}, None),
        ('rm -rf "$A$B"', {"A": "/", "B": "etc"}, "deny"),
        ('TMPDIR=$(cat place); rm -rf "$TMPDIR"/*', {"TMPDIR": "/tmp/x"}, "ask"),
        ('source env.sh; rm -rf "$TMPDIR"/*', {"TMPDIR": "/tmp/x"}, "ask"),
        ('for TMPDIR in $LIST; do rm -rf "$TMPDIR"/*; done', {"TMPDIR": "/tmp/x"}, "ask"),
        ('TMPDIR=$(mktemp -d); rm -rf "$TMPDIR"/*', {}, None),
        ('export TMPDIR=/tmp/y; rm -rf "$TMPDIR"/*', {}, None),
    ],
)
def test_variables_count_with_their_value(command, env, expected):
    assert verdict(command, **env) == expected


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("rm -rf ~", "deny"),
        ("rm -rf /work/home", "deny"),
        ("rm -rf /work", "deny"),
        ("rm -rf ~/.ssh", "deny"),
        ("rm -rf /work/src", "ask"),
        ("rm -rf /work/dist", None),
    ],
)
def test_a_home_inside_of_the_project_is_a_home(command, expected):
    assert verdict(command, home="/work/home", project="/work") == expected
