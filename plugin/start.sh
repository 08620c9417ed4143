# Runs the hookwright that this plugin carries in lib/, for machines on which none is installed. hooks.json reads this file
# into its shell, which turns every exit of these lines into 0: 2 would deny a tool.
# The first event writes $CLAUDE_PLUGIN_DATA/hook, a launcher that names a Python and lib/; the later ones start that.
lib=$CLAUDE_PLUGIN_ROOT/lib
h=$CLAUDE_PLUGIN_DATA/hook
[ -f "$h" ] && [ -x "$h" ] && [ -r "$h" ] && { read -r i x; read -r x x p; } <"$h" &&
    [ -x "${i#??}" ] && [ "$p" = "$lib" ] && exec "$h" as-plugin
for python in python3 python3.14 python3.13 python3.12 python3.11; do
    command -v "$python" >/dev/null || continue
    "$python" -IS -c 'import sys; sys.exit(sys.version_info < (3, 11))' </dev/null 2>/dev/null || continue
    exec "$python" -ISXutf8 -c 'import sys; sys.path.insert(0, sys.argv[1])
from hookwright.runtime.plugin_start import start
start(sys.argv[1], sys.argv[2])' "$lib" "$CLAUDE_PLUGIN_DATA"
done
