"""Stops `find … -delete`, `find … -exec rm` and `… | xargs rm` unless what is found can be made again.

Why: a search finds more than one thinks, and the names are never shown. A search for what builds leave behind
(`*.pyc`, `node_modules`, empty folders, temp folders) passes; from root, home or system it is refused.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, deny, quoted, shown
from hookwright.rules.paths import FREE, NEVER, PROJECT, TEMP, WHAT, kind, regenerable
from hookwright.shell.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "find-delete"
EXAMPLES = {
    "find / -name '*.conf' -delete": "deny",
    "find ~ -type f -delete": "deny",
    "find . -name .git -exec rm -rf {} +": "deny",
    "find . -type f -delete": "ask",
    "find src -name '*.py' -exec rm {} \\;": "ask",
    "find . -name '*.bak' | xargs rm": "ask",
    "git ls-files -o | xargs rm -rf": "ask",
    "fd -e py -x rm": "ask",
    "find . -name '*.orig' -delete": "ask",
    "rm $(cat list.txt)": "ask",
    'while read -r f; do rm "$f"; done < list.txt': "ask",
    "find . -name '*.pyc' -delete": None,
    "fd -H '^\\.DS_Store$' -X rm": None,
    "find . -type d -name node_modules -exec rm -rf {} +": None,
    "find . -name '*.o' -print0 | xargs -0 rm -f": None,
    "find . -type d -empty -delete": None,
    "find /tmp/work -mtime +3 -delete": None,
    "find . -name '*.py' -exec grep -l TODO {} +": None,
}

REPOSITORIES = frozenset((".git", ".git*", "*.git", ".g*"))
FINDERS = frozenset(("find", "gfind", "fd", "fdfind"))
NAMES = frozenset(("-name", "-iname", "-path", "-ipath", "-wholename"))
AGES = frozenset(("-mtime", "-mmin", "-atime", "-ctime", "-newer", "-user"))
TEMP_ROOTS = ("/tmp", "/tmp/", "/var/tmp", "/var/tmp/")
LEFTOVERS = (".orig", ".rej")  # of a merge or patch: the only copy of what did not fit
BEFORE = frozenset(("-H", "-L", "-P"))  # options of find itself


def check(call: Call, scene: Scene) -> Finding | None:
    """`find -delete`; what -exec runs is met by the rule for rm."""
    if "-delete" not in call.words or call.program not in ("find", "gfind"):
        return None
    return search(call, shown(call), scene)


def fed(call: Call, scene: Scene) -> Finding | None:
    """A deletion whose targets come from `find -exec` or through xargs."""
    outer = call.outer
    sources = [source for stage in call.pipeline for source in stage if source.program in FINDERS]
    if outer is not None and outer.program in FINDERS:
        finding = search(outer, shown(outer), scene)
    elif lists_free(call, scene):
        return None
    elif sources:
        finding = search(sources[0], f"{shown(sources[0])} | xargs {shown(call)}", scene)
    else:
        finding = ask(f"`{shown(call)}` deletes whatever names it is given, unseen", "git status --short")
    if finding is not None:
        finding.rule = ID
    return finding


def lists_free(call: Call, scene: Scene) -> bool:
    """`ls /tmp/x* | xargs rm`: all that is listed may go."""
    listers = [source for source in call.producers if source.program in ("ls", "echo", "printf")]
    words = [word for source in listers for word in source.operands()]
    return bool(words) and all(word[:1] == "/" and kind(call, word, scene) in FREE for word in words)


def printed_list(call: Call, word: Word, scene: Scene) -> Finding | None:
    """A deletion of what a substitution prints: `rm $(find . -name '*.pyc')`."""
    inner = Command(word.strip("`") if word[0] == "`" else word[2:-1], cwd=call.cwd or ".", home=scene.home)
    finders = [source for source in inner.calls if source.program in FINDERS]
    if finders:
        finding = search(finders[0], shown(call), scene)
    else:
        finding = ask(f"`{shown(call)}` deletes whatever names it is given, unseen", "git status --short")
    if finding is not None:
        finding.rule = ID
    return finding


def search(find: Call, text: str, scene: Scene) -> Finding | None:
    """What a search and a deletion mean together."""
    names = patterns(find)
    chosen = bool(names) or not AGES.isdisjoint(find.words)
    starts = [TEMP if chosen and word in TEMP_ROOTS else kind(find, word, scene) for word in roots(find)] or [PROJECT]
    worst = next((what for what in starts if what in NEVER), None)
    if not REPOSITORIES.isdisjoint(names):
        return deny(f"`{text}` would delete every repository that it finds", printed(find))
    made_again = bool(names) and all(
        regenerable([name.rstrip("/*").rpartition("/")[2]]) and not name.endswith(LEFTOVERS) for name in names
    )
    if worst is not None:
        if made_again or "-empty" in find.words:
            if all(word[:1] not in "/~$" for word in roots(find)):
                return None  # from where one works, be it the home folder
            return ask(f"`{text}` deletes in {WHAT[worst]}", printed(find))
        return deny(f"`{text}` would delete {WHAT[worst]}", printed(find))
    if made_again or "-empty" in find.words or all(what in FREE for what in starts):
        return None
    return ask(f"`{text}` deletes whatever it finds, unseen; uncommitted work included", printed(find))


def roots(find: Call) -> list[Word]:
    """Where the search begins."""
    if find.program in ("fd", "fdfind"):
        return find.operands("-e", "-t", "-E", "-d", "-x", "-X", "--extension", "--type")[1:2]
    found = []
    for word in find.args:
        if word in BEFORE:
            continue
        if word[:1] in ("-", "(", "!"):
            break
        found.append(word)
    return found


def patterns(find: Call) -> list[str]:
    """The names that are searched for, the excluded ones not."""
    words = find.words
    if find.program in ("fd", "fdfind"):
        found = ["*." + end for end in find.options("-e", "--extension")]
        pattern = find.operands("-e", "-t", "-E", "-d", "-x", "-X", "--extension", "--type")[:1]
        return found + [name.strip("^$").replace("\\", "") for name in pattern if name != "."]
    return [
        str(words[index + 1])
        for index in range(1, len(words) - 1)
        if words[index] in NAMES and words[index - 1] not in ("!", "-not")
    ]


def printed(find: Call) -> str:
    """The same search, only shown."""
    kept = []
    for word in find.words:
        if word in ("-delete", "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec"):
            break
        kept.append(quoted(word))
    return " ".join(kept)
