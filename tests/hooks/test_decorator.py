"""`@hook` accepts what can fire, refuses what cannot with the right words, and leaves the function callable."""

import pytest

from hookwright import (
    REQUIRED,
    BadDeclaration,
    BadValue,
    Hook,
    PostToolUse,
    PreToolUse,
    Stop,
    World,
    allow,
    deny,
    hook,
    option,
)
from hookwright.config.compiler import build_hook_spec
from hookwright.options import validate_option
from hookwright.protocol.catalogue import is_about_tools, list_events, load_protocol
from hookwright.protocol.events import FAMILY
from hookwright.protocol.listening import read_listening
from hookwright.protocol.tool_names import TOOL_EVENTS, TOOLS
from hookwright.testing.builders import bash, event


def says_no(event):
    return deny("no")


@pytest.mark.parametrize(
    ("on", "listens"),
    [
        ((PreToolUse, "Bash"), {"PreToolUse": ("Bash",)}),
        (("PreToolUse", "Bash"), {"PreToolUse": ("Bash",)}),
        (("Stop",), {"Stop": ()}),
        ((PreToolUse,), {"PreToolUse": ()}),
        (((PreToolUse, "Write", "Edit"), (Stop,)), {"PreToolUse": ("Write", "Edit"), "Stop": ()}),
        ((PreToolUse, "Bash", PostToolUse, Stop), {"PreToolUse": ("Bash",), "PostToolUse": (), "Stop": ()}),
        ((PreToolUse, "mcp__github__*", "Note*"), {"PreToolUse": ("mcp__github__*", "Note*")}),
        ((PreToolUse, "ToolOfNextYear"), {"PreToolUse": ("ToolOfNextYear",)}),
        (((PreToolUse, "Bash"), (PreToolUse, "Edit")), {"PreToolUse": ("Bash", "Edit")}),
        (((PreToolUse, "Bash"), (PreToolUse,)), {"PreToolUse": ()}),
    ],
)  # fmt: skip
def test_a_declaration_that_can_fire_is_read_in_every_form(on, listens):
    assert build_hook_spec("says_no", hook(*on)(says_no)).on == listens


@pytest.mark.parametrize(
    ("on", "words"),
    [
        (("PreToolUze",), "'PreToolUze' is no event; did you mean PreToolUse?"),
        (("pre_tool_use", "Bash"), "'pre_tool_use' is no event; did you mean PreToolUse?"),
        ((PreToolUse, "bash"), "'bash' is no tool of Claude Code, so the hook would never run; did you mean \"Bash\"?"),
        ((PreToolUse, "Bahs"), 'did you mean "Bash"?'),
        ((PreToolUse, "Shell"), 'did you mean "Bash"?'),
        ((PreToolUse, "web_fetch"), 'did you mean "WebFetch"?'),
        ((PreToolUse, "Edit|Write"), 'write each by itself: @hook(PreToolUse, "Edit", "Write")'),
        ((PreToolUse, "PostTooluse"), "did you mean PostToolUse?"),
        ((PreToolUse, ""), "@hook(PreToolUse) listens to all tools"),
        ((Stop, "Bash"), "Stop is not about a tool, so a hook for Bash would never run"),
        ((PreToolUse, "Bash", "Stop", "Edit"), "Stop is not about a tool"),
        (("Bash",), 'Bash is a tool: name the event first, @hook(PreToolUse, "Bash")'),
        ((42,), "a hook listens to an event such as PreToolUse, not to 42"),
        ((PreToolUse, 42), "a hook listens to an event such as PreToolUse, not to 42"),
        ((PreToolUse, None), "not to None"),
    ],
)
def test_a_declaration_that_could_never_fire_is_refused_with_what_was_meant(on, words):
    with pytest.raises(BadDeclaration) as refused:
        hook(*on)(says_no)
    assert words in str(refused.value)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"failure": "close"}, '"open", "ask" or "closed", not \'close\''),
        ({"deadline_s": 0}, "a number of seconds above 0, not 0"),
        ({"deadline_s": "5"}, "not '5'"),
        ({"order": "first"}, "order is a whole number"),
        ({"timeout": 5}, "unexpected keyword argument 'timeout'"),
    ],
)
def test_an_option_that_hook_does_not_have_is_refused(options, words):
    with pytest.raises(TypeError, match=r".") as refused:
        hook(PreToolUse, **options)(says_no)
    assert words in str(refused.value)


def test_without_an_event_the_annotation_is_the_event():
    @hook
    def bare(event: PreToolUse):
        return deny("no")

    @hook(order=2)
    def called(event: "PreToolUse | hookwright.Stop"):  # noqa: F821  read as text
        return None

    assert read_listening(bare.on) == {"PreToolUse": ()}
    assert (read_listening(called.on), called.order) == ({"PreToolUse": (), "Stop": ()}, 2)


def test_without_an_event_and_without_an_annotation_it_is_refused():
    with pytest.raises(BadDeclaration, match=r"says_no names no event: write @hook\(PreToolUse\), or annotate"):
        hook(says_no)


def test_what_is_no_function_is_refused():
    async def later(event):
        return None

    with pytest.raises(BadDeclaration, match="later is async"):
        hook(PreToolUse)(later)
    with pytest.raises(BadDeclaration, match="not of type"):
        hook(PreToolUse)(World)


def test_a_decorated_function_is_called_with_an_event():
    @hook(PreToolUse, "Bash")
    def no_sudo(event):
        """No sudo."""
        return deny("no sudo") if "sudo" in event.tool_input["command"] else None

    assert no_sudo(bash("sudo ls")) == deny("no sudo")
    assert no_sudo(bash("ls")) is None
    assert no_sudo.__doc__ == "No sudo."
    assert isinstance(no_sudo(), Hook)  # as the dispatcher makes it
    assert no_sudo(World()).decide(bash("sudo ls")) == deny("no sudo")
    with pytest.raises(TypeError, match=r"no_sudo takes an event.*not dict"):
        no_sudo({"tool_name": "Bash"})


def test_a_hook_class_called_with_an_event_says_how_it_is_called():
    class Limits(Hook):
        on = (PreToolUse, "Bash")

        def decide(self, event):
            return allow("fine")

    with pytest.raises(TypeError, match=r"takes a World, not PreToolUse: \.decide\(event\)"):
        Limits(bash("ls"))


def test_the_names_of_events_and_tools_are_those_of_the_catalogue():
    assert frozenset(name for name in list_events() if is_about_tools(name)) == TOOL_EVENTS
    assert set(list_events()) == set(FAMILY)
    named = {word for key in load_protocol()["tools"] if key != "MCP tools" for word in key.split(" ")[:1]}
    assert named <= TOOLS


def test_the_environment_is_a_mapping_and_a_function():
    env = World(env={"CI": "1", "EMPTY": ""}).env
    assert (env("CI"), env["CI"], env.get("CI"), "CI" in env) == ("1", "1", "1", True)
    assert (env("NO"), env.get("NO"), env.get("NO", "x"), "NO" in env) == (None, None, "x", False)
    assert dict(env) == {"CI": "1", "EMPTY": ""} == dict(env.items())
    assert (len(env), sorted(env.keys()), sorted(env.values())) == (2, ["CI", "EMPTY"], ["", "1"])
    with pytest.raises(KeyError, match="NO"):
        env["NO"]


def test_what_the_page_on_options_names_can_be_imported():
    def even(value):
        if value % 2:
            raise BadValue("must be even")
        return value

    assert validate_option(option(2, help="x", check=even), 4) == 4
    with pytest.raises(BadValue, match="must be even"):
        validate_option(option(2, help="x", check=even), 3)
    with pytest.raises(BadValue, match="needs name"):
        validate_option(option((), kind="tables", help="x", columns={"name": option(REQUIRED, help="a name")}), [{}])


def test_an_event_of_every_kind_can_be_listened_to_by_name():
    for name in FAMILY:
        assert hook(name)(says_no)(event(name)) == deny("no")
