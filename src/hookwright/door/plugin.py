"""The plugin's way to the door: a few lines for the shell that find the installed package, or say how to install it.

Claude Code → [TEXT] → <state>/door (written by us) → the launcher's own process, as a plugin
A plugin's files are the same for everybody, so they cannot name an interpreter; `leave` writes down what this machine
has. The shell and not `python3`: it starts in an eighth of the time and is never a version manager's stand-in. Whatever
is missing or broken, it ends with 0: left alone, a shell that cannot read a file ends with 2, which would mean deny.
"""

from __future__ import annotations

import contextlib
import os
import shlex
from collections.abc import Sequence

from hookwright.door.entry import AS_PLUGIN, PLUGIN_MARK
from hookwright.state import paths

DOOR = "door"

TEXT = f"""{PLUGIN_MARK}trap 'exit 0' 0
s=$HOOKWRIGHT_STATE_HOME
[ "$s" ] || s=${{XDG_STATE_HOME:+$XDG_STATE_HOME/hookwright}}
[ "$s" ] || s=$HOME/.local/state/hookwright
set -- {AS_PLUGIN}
[ -r "$s/{DOOR}" ] && . "$s/{DOOR}"
PATH=$PATH:$HOME/.local/bin
command -v hookwright >/dev/null && exec hookwright hook --as-plugin
"""

# At the start of a session that somebody sees, once: the plugin's own data folder remembers.
NOTICE = """\
case $CLAUDE_CODE_ENTRYPOINT in sdk*) exit ;; esac
d="$CLAUDE_PLUGIN_DATA"
[ "$d" ] && mkdir -p "$d" && (set -C; : > "$d/told") 2>/dev/null || exit 0
echo '{"systemMessage": "The hookwright plugin is on, but hookwright itself is not installed, so its hooks do nothing. \
Install it from its folder with: make install (or: pipx install .). Claude Code needs no restart."}'
"""


def text_for(event: str) -> str:
    return TEXT + NOTICE if event == "SessionStart" else TEXT


def script(argv: Sequence[str], root: str) -> str:
    """What the plugin's text reads: becomes the door if interpreter and package are there, else does nothing."""
    there = f"[ -x {shlex.quote(argv[0])} ] && [ -d {shlex.quote(root + '/hookwright')} ]"
    return f'# Made by hookwright for its plugin.\n{there} && exec {shlex.join(argv)} "$@"\n'


def leave(argv: Sequence[str], root: str, state: str | None) -> None:
    """Write it down for the plugin, if there is a place. Whole or not at all: a torn script would be read."""
    if state is None or not paths.make_private(state):
        return
    path, text = f"{state}/{DOOR}", script(argv, root)
    with contextlib.suppress(OSError), open(path, encoding="utf-8") as file:
        if file.read() == text:
            return
    temporary = f"{path}.{os.getpid()}"
    with contextlib.suppress(OSError, UnicodeEncodeError):
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(temporary, path)


def forget(state: str) -> None:
    """The door is in nobody's settings any more."""
    with contextlib.suppress(OSError):
        os.unlink(f"{state}/{DOOR}")
