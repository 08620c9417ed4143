"""Deeper than the guard reads is asked about, never passed in silence; what stands beside it is judged as ever."""

import pytest

from hookwright.hooks.command_guard.evaluate import judge
from hookwright.shell.command import Command


def verdict(text):
    findings = judge(Command(text, "/work/shop", "/home/ada"), "/work/shop")
    return findings[0].verdict if findings else None


def wrap(text, before, after, times):
    for _ in range(times):
        text = before + text + after
    return text


def quoted(text, program, times):
    """The text inside of so many shells, each quoting what the one before quoted."""
    for _ in range(times):
        text = f"{program} " + "'" + text.replace("'", "'\\''") + "'"
        if len(text) > 20_000:
            break
    return text


DEEP = {
    "eval": lambda text: f"{'eval ' * 9}{text}",
    "bash -c": lambda text: quoted(text, "bash -c", 9),
    "sudo": lambda text: f"{'sudo ' * 13}{text}",
    "env": lambda text: f"{'env ' * 13}{text}",
    "xargs": lambda text: f"echo / | {'xargs ' * 13}{text}",
    "substitutions": lambda text: wrap(text, "$(", ")", 49),
    "if": lambda text: wrap(text, "if ", "; then a; fi", 49),
    "subshells": lambda text: wrap(text, "( ", " )", 49),
    "a hundred": lambda text: wrap(text, "$(", ")", 100),
}


@pytest.mark.parametrize("shape", DEEP)
def test_a_deletion_below_the_depth_that_is_read_is_asked_about(shape):
    assert verdict(DEEP[shape]("rm -rf /")) in ("ask", "deny")


@pytest.mark.parametrize("shape", DEEP)
def test_what_stands_beside_it_is_denied_as_ever(shape):
    nested = DEEP[shape]("ls")
    own_text = nested[:2] in ("$(", "if", "( ")  # the whole text is one that cannot be parsed
    assert verdict(f"rm -rf / && {nested}") == ("ask" if own_text else "deny")


def test_a_mistake_in_a_nested_text_makes_that_text_doubtful_only():
    assert verdict("rm -rf / && bash -c 'ls ('") == "deny"
    assert verdict("bash -c 'ls (' && rm -rf /") == "deny"


@pytest.mark.parametrize(
    "text", ["sudo env nice ls", "bash -c 'bash -c ls'", "$($(ls))", "eval eval ls", "sh -c 'ls ('"]
)
def test_ordinary_nesting_passes(text):
    assert verdict(text) is None
