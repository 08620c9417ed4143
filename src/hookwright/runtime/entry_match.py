"""Recognise our own entries in a settings file by what they run, in the current form or an earlier one.

handler → [runs_hookwright] → installer, verify, the plugin (which skips events that settings register)
A tag would not do: the client may rewrite the file and drop keys that it does not know. Hot where the plugin runs: no
imports.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

PROGRAM = "hookwright"
LAUNCHER = "hook"  # the launcher's file name, in a directory called hookwright
INLINE_MARK = "import sys  # hookwright"  # first line of the code in args that earlier versions registered
INLINE_ARGS = 5  # of their args from `-c` on: -c, code, bundle, package, code; then the same words as today
PLUGIN_MARK = ": hookwright plugin\n"  # first line of the plugin's shell text

# Arguments of the launcher: names of hooks (none: all), and these.
AS_PLUGIN = "as-plugin"  # skip an event that settings files register as well
FAIL_CLOSED = "fail-closed"  # exit with 1 if the event cannot be answered; `onFailure: "block"` makes that a block


def runs_hookwright(handler: Any) -> bool:
    """True if this handler runs hookwright's hooks, in this form or an earlier one, and nothing else."""
    if not isinstance(handler, dict) or handler.get("type") != "command":
        return False
    command, args = handler.get("command"), handler.get("args")
    if not isinstance(command, str):
        return False
    if isinstance(args, list):
        return is_launcher(command) or is_inline_launcher(args) or is_program([command, *args])
    words = split_plain_command(command)
    return command.startswith(PLUGIN_MARK) or is_program(words) or (bool(words) and is_launcher(words[0]))


def is_launcher(path: str) -> bool:
    """True for the path of a launcher, of this user or another: `/…/hookwright/hook`."""
    return path.startswith("/") and path.endswith(f"/{PROGRAM}/{LAUNCHER}")


def is_inline_launcher(args: list[Any]) -> bool:
    """True for interpreter options, `-c` and our code, as earlier versions registered it."""
    for place, word in enumerate(args):
        if word == "-c":
            text = args[place + 1] if place + 1 < len(args) else None
            return isinstance(text, str) and text.startswith(INLINE_MARK)
    return False


def launcher_words(handler: dict[str, Any]) -> list[str]:
    """The arguments that an entry of ours gives to the launcher."""
    args = handler.get("args")
    if not isinstance(args, list):
        words = split_plain_command(str(handler.get("command")))
        return words[1:] if words and is_launcher(words[0]) else []
    if is_inline_launcher(args):
        args = args[args.index("-c") + INLINE_ARGS :]
    elif not is_launcher(str(handler.get("command"))):
        args = []
    return [word for word in args if isinstance(word, str)]


def is_program(words: list[Any]) -> bool:
    """`hookwright hook`, or `python -m hookwright hook`."""
    if not all(isinstance(word, str) for word in words):
        return False
    if "-m" in words[1:4]:
        place = words.index("-m", 1)
        return "python" in base_name(words[0]) and words[place + 1 : place + 3] == [PROGRAM, "hook"]
    return bool(words) and base_name(words[0]) == PROGRAM and words[1:2] == ["hook"]


def split_plain_command(text: str) -> list[str]:
    """The words of a shell text that is one plain command; empty if it has any shell syntax."""
    words, word, quote = [], "", ""
    is_word = False
    for char in text:
        if quote:
            if char == quote:
                quote = ""
            elif quote == '"' and char in "(`\\":  # the shell would run or change what is in there
                return []
            else:
                word += char
        elif char in "'\"":
            quote, is_word = char, True
        elif char in ";&|<>()`\n#\\":
            return []
        elif char in " \t":
            if is_word:
                words.append(word)
            word, is_word = "", False
        else:
            word += char
            is_word = True
    if quote:
        return []
    if is_word:
        words.append(word)
    return words[1:] if len(words) > 1 and words[0] == "exec" else words


def base_name(path: str) -> str:
    return path[path.rfind("/") + 1 :]
