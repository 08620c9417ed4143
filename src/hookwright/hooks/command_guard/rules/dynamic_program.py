"""Asks when the program is only known at run time and its arguments look like a deletion.

Why: `$CMD -rf /` runs whatever CMD contains, and with these arguments that is hardly harmless.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.path_kinds import NEVER, classify_word
from hookwright.hooks.command_guard.rule_api import ask, format_call, quote_word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "dynamic-program"
EXAMPLES = {
    "$CMD -rf /": "ask",
    '"$TOOL" -rf ~': "ask",
    "$TOOL «-fr|-Rf|-r|-R» /": "ask",
    '"$PYTHON" script.py': None,
    "$EDITOR notes.txt": None,
    "./$NAME --help": None,
    "$RUN -rf build": None,
    "$TOOL -x /": None,
    "$TOOL -rf build": None,
}

FORCED = ("-rf", "-fr", "-Rf", "-r", "-R")


def check(call: Call, scene: Scene) -> Finding | None:
    text = plain_command(call)
    if text:
        return scene.evaluate_text(text, call.cwd)
    if not any(flag in call.args for flag in FORCED):
        return None
    if any(classify_word(call, word, scene) in NEVER for word in call.args if word[:1] != "-"):
        return ask(
            f"`{format_call(call)}`: which program that is shows only when it runs, and its words look like rm's",
            "type -a rm",
        )
    return None


def plain_command(call: Call) -> str:
    """The call with the program's own name where that is only looked up: `$(which rm) -rf x`; else ""."""
    program = str(call.words[0])
    rest = " ".join(quote_word(word) for word in call.args)
    for opening in ("$(which ", "$(command -v ", "$(type -p ", "`which "):
        if program.startswith(opening):
            return program[len(opening) : -1] + " " + rest
    return ""
