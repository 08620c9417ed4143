"""Stops `find … -delete`, `find … -exec rm` and `… | xargs rm` unless what is found can be rebuilt.

Why: a search can find more than expected, and the names are never shown. A search for build output (`*.pyc`,
`node_modules`), empty directories or in temp directories passes; from root, home or system it is denied.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.delete_searches import check_search
from hookwright.hooks.command_guard.rule_api import format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "find-delete"
EXAMPLES = {
    "find / -name '*.conf' -delete": "deny",
    "find ~ -type f -delete": "deny",
    "find . -name .git -exec rm -rf {} +": "deny",
    "find . -name '«.git*|*.git|.g*»' -exec rm -rf {} +": "deny",
    "find «-H|-L|-P» / -name '*.conf' -delete": "deny",
    "fd '' / «-x|-X|--exec» rm": "deny",
    "fd -t f -e py . / -X rm": "deny",
    "find ~ -type f | parallel rm": "deny",
    "find / -name --help -delete": "deny",
    "find . -type f -delete": "ask",
    "find src -name '*.py' -exec rm {} \\;": "ask",
    "find . -name '*.bak' | xargs rm": "ask",
    "git ls-files -o | xargs rm -rf": "ask",
    "fd -e py -x rm": "ask",
    "find . -name '*.orig' -delete": "ask",
    "rm $(cat list.txt)": "ask",
    'while read -r f; do rm "$f"; done < list.txt': "ask",
    "gfind . -name '*.py' -exec rm {} \\;": "ask",
    "fdfind -e py -x rm": "ask",
    "ls src | xargs -I{} rm {}": "ask",
    "find / «-iname|-path|-ipath|-wholename» '*.pyc' -delete": "ask",
    "find / -empty -delete": "ask",
    "find . -name '*.rej' -delete": "ask",
    "find «/tmp|/tmp/|/var/tmp|/var/tmp/» -delete": "ask",
    "find . '(' -name '*.py' ')' -delete": "ask",
    "find . ! -name '*.pyc' -delete": "ask",
    "find . -not -name '*.pyc' -delete": "ask",
    "rm `find . -name '*.py'`": "ask",
    "ls src | xargs rm": "ask",
    "find . -name '*.py' «-execdir|-ok|-okdir» rm {} \\;": "ask",
    "find . -name '*.pyc' -delete": None,
    "find . -name -delete -print": None,
    "find . -exec echo -delete \\;": None,
    "fd -H '^\\.DS_Store$' -X rm": None,
    "find . -type d -name node_modules -exec rm -rf {} +": None,
    "find . -name '*.o' -print0 | xargs -0 rm -f": None,
    "find . -type d -empty -delete": None,
    "find /tmp/work -mtime +3 -delete": None,
    "find . -name '*.py' -exec grep -l TODO {} +": None,
    "fdfind -e pyc -x rm": None,
    "fd «-e|--extension» pyc -x rm": None,
    "fd «-t f|-E x|-d 2|--type f» -e pyc -x rm": None,
    "find . «-iname|-path|-ipath|-wholename» '*.pyc' -delete": None,
    "find «/tmp|/tmp/|/var/tmp|/var/tmp/» «-mtime|-mmin|-atime|-ctime» +3 -delete": None,
    "find /tmp «-newer a|-user ann» -delete": None,
    "find «-H|-L|-P» . -name '*.pyc' -delete": None,
    "«ls|echo|printf '%s'» /tmp/a | xargs rm": None,
    "rm `find . -name '*.pyc'`": None,
}


NAMED = frozenset(
    ("-name", "-iname", "-path", "-ipath", "-wholename", "-regex", "-newer", "-user", "-group", "-printf")
)
RUNS = frozenset(("-exec", "-execdir", "-ok", "-okdir"))


def deletes(call: Call) -> bool:
    """Whether `-delete` is an action of its own: not a name that is looked for, nor an argument of what it runs."""
    inside = False
    for before, word in zip(call.words, call.args, strict=False):
        if word in RUNS:
            inside = True
        elif inside and (word == ";" or (word == "+" and before == "{}")):
            inside = False
        elif word == "-delete" and not inside and before not in NAMED:
            return True
    return False


def check(call: Call, scene: Scene) -> Finding | None:
    """`find -delete`; `find -exec rm` is checked by recursive-delete."""
    if not deletes(call) or call.program not in ("find", "gfind"):
        return None
    return check_search(call, format_call(call), scene)
