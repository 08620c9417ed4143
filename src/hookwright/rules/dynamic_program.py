"""Asks when the program itself is only known at run time and the words after it look like a deletion.

Why: `$CMD -rf /` is whatever CMD holds; with these words after it, it is hardly anything harmless.
"""

from __future__ import annotations

from hookwright.rules.judging import judge_text
from hookwright.rules.kit import ask, quoted, shown
from hookwright.rules.paths import NEVER, kind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "dynamic-program"
EXAMPLES = {
    "$CMD -rf /": "ask",
    '"$TOOL" -rf ~': "ask",
    '"$PYTHON" script.py': None,
    "$EDITOR notes.txt": None,
    "./$NAME --help": None,
    "$RUN -rf build": None,
}

FORCED = ("-rf", "-fr", "-Rf", "-r", "-R")


def check(call: Call, scene: Scene) -> Finding | None:
    text = named(call)
    if text:
        return judge_text(text, call.cwd, scene)
    if not any(flag in call.args for flag in FORCED):
        return None
    if any(kind(call, word, scene) in NEVER for word in call.args if word[:1] != "-"):
        return ask(
            f"`{shown(call)}`: which program that is shows only when it runs, and its words look like rm's",
            "type -a rm",
        )
    return None


def named(call: Call) -> str:
    """The call in plain words where the program is only disguised: `$(which rm)`, `rm${IFS}-rf`."""
    program = str(call.words[0])
    rest = " ".join(quoted(word) for word in call.args)
    if "IFS" in program:
        return program.replace("${IFS}", " ").replace("$IFS", " ") + " " + rest
    for opening in ("$(which ", "$(command -v ", "$(type -p ", "`which "):
        if program.startswith(opening):
            return program[len(opening) : -1] + " " + rest
    return ""
