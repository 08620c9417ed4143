"""Which handlers run: order, duplicates, switches; the reasons why not are in test_engine.py."""

import json

import pytest

from hookwright.engine.select import build_effective, choose_handlers, is_url_allowed
from hookwright.settings.find import Source
from hookwright.settings.load import load_sources
from tests.engine.kit import BASH, command


def found(*scopes):
    """Effective settings of (scope, settings) pairs, strongest first; a scope `plugin:x` has a folder of its own."""
    return build_effective(
        load_sources(
            Source(
                scope.partition(":")[0],
                f"{scope}.json",
                root=scope.partition(":")[2],
                content=json.dumps(data).encode(),
            )
            for scope, data in scopes
        )
    )


def hooks(*handlers, **more):
    return {"hooks": {"PreToolUse": [{"hooks": list(handlers)}]}, **more}


def running(settings):
    choices = choose_handlers(settings, BASH, project="/p", home="/h")
    return [(choice.handler.scope, choice.handler.label) for choice in choices if choice.why_not is None]


def test_files_are_laid_together_in_the_clients_order():
    every = [(scope, hooks(command(scope))) for scope in ("managed", "flag", "local", "project", "user")]
    assert [scope for scope, _ in running(found(*every))] == ["user", "project", "local", "flag", "managed"]


@pytest.mark.parametrize(
    ("one", "other", "ran"),
    [
        (command("a"), command("a", timeout=5, onFailure="block", statusMessage="x"), ["local"]),
        (command("a"), command("a", **{"if": "Bash"}), ["user", "local"]),
        (command("a", **{"if": ""}), command("a"), ["local"]),
        (command("a"), command("a", args=[]), ["user", "local"]),
        (command("a", args=["x"]), command("a", args=["y"]), ["user", "local"]),
        ({"type": "http", "url": "http://h/"}, {"type": "http", "url": "http://h/", "headers": {}}, ["local"]),
        (
            {"type": "mcp_tool", "server": "s", "tool": "t", "input": {"a": 1}},
            {"type": "mcp_tool", "server": "s", "tool": "t", "input": {"a": 2}},
            ["user", "local"],
        ),
    ],
)
def test_of_equal_handlers_the_last_runs(one, other, ran):
    assert [scope for scope, _ in running(found(("local", hooks(other)), ("user", hooks(one))))] == ran


def test_a_plugins_copy_is_its_own():
    copies = found(
        ("user", hooks(command("a"))), ("plugin:/one", hooks(command("a"))), ("plugin:/two", hooks(command("a")))
    )
    assert len(running(copies)) == 3


def test_lists_of_all_files_add_up_and_the_strongest_env_wins():
    settings = found(
        ("managed", {"allowedHttpHookUrls": ["http://a/*"], "env": {"A": "managed"}}),
        (
            "user",
            {"allowedHttpHookUrls": ["http://b/*"], "env": {"A": "user", "B": "b"}, "httpHookAllowedEnvVars": []},
        ),
    )
    assert settings.allowed_urls == ("http://a/*", "http://b/*")
    assert settings.http_env_vars == frozenset()
    assert settings.environment == {"A": "managed", "B": "b"}
    assert found(("user", {})).allowed_urls is None


@pytest.mark.parametrize(
    ("url", "patterns", "allowed"),
    [
        ("http://h/x", None, True),
        ("http://h/x", [], False),
        ("http://h/x", ["http://h/*"], True),
        ("http://hx/x", ["http://h/*"], False),
        ("http://h.evil/x", ["http://h.*"], True),
        ("http://h/a?b", ["http://h/a?b"], True),
        ("http://h/aXb", ["http://h/a?b"], False),
    ],
)
def test_an_address_fits_a_pattern_in_which_a_star_is_any_text(url, patterns, allowed):
    assert is_url_allowed(url, patterns) is allowed
