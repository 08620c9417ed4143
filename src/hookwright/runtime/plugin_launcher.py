"""The plugin's shell text, which finds the installed launcher, or starts the package that the plugin carries.

Claude Code → [text_for] → <data home>/hookwright/hook as-plugin, else `hookwright hook --as-plugin`, else start.sh
A plugin's files are the same for everybody, so they cannot name a path. The shell and not `python3`: it starts in an
eighth of the time and is never a version manager's shim. Whatever is missing or broken, the exit code is 0: a shell
that cannot read a file exits with 2, which would mean deny.
"""

from __future__ import annotations

from hookwright.runtime.entry_match import AS_PLUGIN, LAUNCHER, PLUGIN_MARK, PROGRAM

# The launcher's first two lines name its interpreter and its package. If one of them is gone, the command on PATH takes
# over, and writes the launcher anew.
TEXT = f"""{PLUGIN_MARK}trap 'exit 0' 0
d=$XDG_DATA_HOME
case $d in /*) ;; *) d=$HOME/.local/share ;; esac
h=$d/{PROGRAM}/{LAUNCHER}
[ -f "$h" ] && [ -x "$h" ] && [ -r "$h" ] && {{ read -r i x; read -r x x p; }} <"$h" &&
[ -x "${{i#??}}" ] && [ -d "$p/{PROGRAM}" ] && exec "$h" {AS_PLUGIN}
PATH=$PATH:$HOME/.local/bin
command -v {PROGRAM} >/dev/null && exec {PROGRAM} hook --{AS_PLUGIN}
[ -d "$CLAUDE_PLUGIN_ROOT/lib/{PROGRAM}" ] && . "$CLAUDE_PLUGIN_ROOT/start.sh"
"""

# At the start of a session that somebody sees, once: a file in the plugin's data directory remembers.
NOTICE = """\
case $CLAUDE_CODE_ENTRYPOINT in sdk*) exit ;; esac
d="$CLAUDE_PLUGIN_DATA"
umask 077
[ "$d" ] && mkdir -p "$d" && (set -C; : > "$d/told") 2>/dev/null || exit 0
w="hookwright itself is not installed. Install it: uv tool install hookwright"
[ -d "$CLAUDE_PLUGIN_ROOT/lib/hookwright" ] && w="there is no Python 3.11 or newer on PATH. Install one"
echo '{"systemMessage": "The hookwright plugin is on, but its hooks do nothing: '"$w"'. Claude Code needs no restart."}'
"""


def text_for(event: str) -> str:
    return TEXT + NOTICE if event == "SessionStart" else TEXT
