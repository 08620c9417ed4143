"""Our own entries in a settings file: known by what they run, so that a rewritten file cannot hide them.

handler → [starts_the_door] → installer, verify, the plugin that stands aside
Hot where the plugin runs: no imports.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

MARK = "import sys  # hookwright"  # the first line of the launcher's text
PLUGIN_MARK = ": hookwright plugin\n"  # the first line of the plugin's text
PROGRAM = "hookwright"

# Words after the launcher's own arguments: names of hooks, and these.
AS_PLUGIN = "as-plugin"  # stand aside where settings register the door themselves
FAIL_CLOSED = "fail-closed"  # a door that cannot open ends with 1, which `onFailure: "block"` turns into a block


def starts_the_door(handler: Any) -> bool:
    """Does this handler run hookwright's hooks, in this form or an earlier one, and nothing else?"""
    if not isinstance(handler, dict) or handler.get("type") != "command":
        return False
    command, args = handler.get("command"), handler.get("args")
    if not isinstance(command, str):
        return False
    if isinstance(args, list):
        return is_launcher(args) or is_program([command, *args])
    return command.startswith(PLUGIN_MARK) or is_program(plain_words(command))


def is_launcher(words: list[Any]) -> bool:
    """Interpreter options, `-c`, our text."""
    for place, word in enumerate(words):
        if word == "-c":
            text = words[place + 1] if place + 1 < len(words) else None
            return isinstance(text, str) and text.startswith(MARK)
    return False


def is_program(words: list[Any]) -> bool:
    """`hookwright hook`, or `python -m hookwright hook`."""
    if not all(isinstance(word, str) for word in words):
        return False
    if "-m" in words[1:4]:
        place = words.index("-m", 1)
        return "python" in base(words[0]) and words[place + 1 : place + 3] == [PROGRAM, "hook"]
    return bool(words) and base(words[0]) == PROGRAM and words[1:2] == ["hook"]


def plain_words(text: str) -> list[str]:
    """The words of a shell text that is one plain command; none if the shell would see more in it."""
    if any(mark in text for mark in ";&|<>()`\n#"):
        return []
    words = text.split()
    if len(words) > 1 and words[0] == "exec":
        del words[0]
    return [word.strip("'\"") for word in words]


def base(path: str) -> str:
    return path[path.rfind("/") + 1 :]
