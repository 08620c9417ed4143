"""What a table of `[[hooks.command]]` becomes: a name, an argv, and a matcher that is cheap to ask."""

import pytest

from hookwright.config import command_hooks, compiler


def hooks(*tables):
    columns = command_hooks.hooks_section().options["command"].columns
    whole = [{**{key: column.default for key, column in columns.items()}, **table} for table in tables]
    common = {
        name: option for name, option in compiler.declare_builtins()[0].options.items() if name in ("mode", "debug")
    }
    return command_hooks.build_command_hooks(whole, "config.toml", common)


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("~/bin/check-command.sh --fast", "check_command"),
        ("python3 tools/lint.py", "lint"),
        (["node", "/x/Format Code.js"], "format_code"),
        ("jq -r .tool_name", "jq"),
        ("echo hi", "echo"),
        ("context", "context_2"),  # the name of a built-in hook is taken
        ("7z x", "command_7z"),
        ("'$HOME'/hooks/guard.py", "guard"),
    ],
)
def test_a_command_without_a_name_gets_that_of_its_script(command, name):
    [hook] = hooks({"event": "Stop", "command": command})
    assert hook.name == name


def test_the_same_script_twice_has_two_names():
    found = hooks(*({"event": "Stop", "command": "x.sh"} for _ in range(3)))
    assert [hook.name for hook in found] == ["x", "x_2", "x_3"]


@pytest.mark.parametrize(
    ("table", "argv"),
    [
        ({"command": "a | b"}, ("/bin/sh", "-c", "a | b")),
        ({"command": ["a", "b c"]}, ("a", "b c")),
        ({"command": "a", "args": ("b", "c")}, ("a", "b", "c")),
    ],
)
def test_a_text_is_for_the_shell_and_a_list_is_not(table, argv):
    [hook] = hooks({"event": "Stop", **table})
    assert hook.user_hook.command["run"] == argv


@pytest.mark.parametrize(
    ("event", "matcher", "tools", "rest"),
    [
        ("PreToolUse", "", (), None),
        ("PreToolUse", "*", (), None),
        ("PreToolUse", "Bash", ("Bash",), None),
        ("PreToolUse", "Write | Edit", ("Edit", "Write"), None),
        ("PreToolUse", "Task", ("Agent", "Task"), None),
        ("PreToolUse", "|", (), ("tool_name", "is", ())),  # a list of no names: never, as in the client
        ("PreToolUse", "(?<=a*)b", (), ("tool_name", "never", "(?<=a*)b")),
        ("PreToolUse", "mcp__memory__.*", (), ("tool_name", "has", "mcp__memory__")),
        ("PreToolUse", "^mcp__.*", (), ("tool_name", "starts", "mcp__")),
        ("PreToolUse", ".*__store$", (), ("tool_name", "ends", "__store")),
        ("PreToolUse", "^Bash$", (), ("tool_name", "is", "Bash")),
        ("PreToolUse", "^.*$", (), ("tool_name", "re", r"^.*\Z")),
        ("PreToolUse", "(?<name>Ba)sh", (), ("tool_name", "re", "(?P<name>Ba)sh")),
        ("SessionStart", "startup|resume", (), ("source", "is", ("resume", "startup"))),
        ("UserPromptSubmit", "whatever", (), None),
        ("StopFailure", "rate-limit", (), ("error", "has", "rate-limit")),
    ],
)
def test_a_matcher_becomes_names_a_plain_comparison_or_an_expression(event, matcher, tools, rest):
    assert command_hooks.compile_matcher(event, matcher) == (tools, rest)
