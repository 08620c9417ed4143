"""What deleting the results of a search would destroy: `find`, `fd`, `xargs`, `$(find …)`.

rules/find_delete, rules/recursive_delete, delete_targets → [check_search] → Finding | None
"""

from __future__ import annotations

from hookwright.hooks.command_guard.path_kinds import (
    DESCRIPTION,
    FREE,
    NEVER,
    PROJECT,
    TEMP,
    classify_word,
    is_regenerable,
)
from hookwright.hooks.command_guard.rule_api import ask, deny, format_call, quote_word
from hookwright.shell.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call, Word

ID = "find-delete"
REPOSITORIES = frozenset((".git", ".git*", "*.git", ".g*"))
FINDERS = frozenset(("find", "gfind", "fd", "fdfind"))
NAMES = frozenset(("-name", "-iname", "-path", "-ipath", "-wholename"))
AGES = frozenset(("-mtime", "-mmin", "-atime", "-ctime", "-newer", "-user"))
TEMP_ROOTS = ("/tmp", "/tmp/", "/var/tmp", "/var/tmp/")
LEFTOVERS = (".orig", ".rej")  # of a merge or patch: the only copy of a rejected change
BEFORE = frozenset(("-H", "-L", "-P"))  # options of find itself


def check_found_targets(call: Call, scene: Scene) -> Finding | None:
    """A deletion whose targets come from `find -exec`, a pipe or a loop over `read`."""
    outer = call.outer
    pipeline = outer.pipeline if outer is not None and outer.program == "parallel" else call.pipeline
    sources = [source for stage in pipeline for source in stage if source.program in FINDERS]
    if outer is not None and outer.program in FINDERS:
        finding = check_search(outer, format_call(outer), scene)
    elif lists_free(call, scene):
        return None
    elif sources:
        finding = check_search(sources[0], f"{format_call(sources[0])} | xargs {format_call(call)}", scene)
    else:
        finding = ask(f"`{format_call(call)}` deletes whatever names it is given, unseen", "git status --short")
    if finding is not None:
        finding.rule = ID
    return finding


def lists_free(call: Call, scene: Scene) -> bool:
    """`ls /tmp/x* | xargs rm`: whether everything that is listed may be deleted."""
    listers = [source for source in call.producers if source.program in ("ls", "echo", "printf")]
    words = [word for source in listers for word in source.operands()]
    return bool(words) and all(word[:1] == "/" and classify_word(call, word, scene) in FREE for word in words)


def check_substitution(call: Call, word: Word, scene: Scene) -> Finding | None:
    """A deletion of the output of a substitution: `rm $(find . -name '*.pyc')`."""
    inner = Command(word.strip("`") if word[0] == "`" else word[2:-1], cwd=call.cwd or ".", home=scene.home)
    finders = [source for source in inner.calls if source.program in FINDERS]
    if finders:
        finding = check_search(finders[0], format_call(call), scene)
    else:
        finding = ask(f"`{format_call(call)}` deletes whatever names it is given, unseen", "git status --short")
    if finding is not None:
        finding.rule = ID
    return finding


def check_search(find: Call, text: str, scene: Scene) -> Finding | None:
    """The finding on deleting the results of this search; None if all of them can be rebuilt."""
    names = search_patterns(find)
    chosen = bool(names) or not AGES.isdisjoint(find.words)
    starts = [
        TEMP if chosen and word in TEMP_ROOTS else classify_word(find, word, scene) for word in search_roots(find)
    ] or [PROJECT]
    worst = next((kind for kind in starts if kind in NEVER), None)
    if not REPOSITORIES.isdisjoint(names):
        return deny(f"`{text}` would delete every repository that it finds", preview_search(find))
    made_again = bool(names) and all(
        is_regenerable([name.rstrip("/*").rpartition("/")[2]]) and not name.endswith(LEFTOVERS) for name in names
    )
    if worst is not None:
        if made_again or "-empty" in find.words:
            if all(word[:1] not in "/~$" for word in search_roots(find)):
                return None  # from the current directory, even if that is the home directory
            return ask(f"`{text}` deletes in {DESCRIPTION[worst]}", preview_search(find))
        return deny(f"`{text}` would delete {DESCRIPTION[worst]}", preview_search(find))
    if made_again or "-empty" in find.words or all(kind in FREE for kind in starts):
        return None
    return ask(f"`{text}` deletes whatever it finds, unseen; uncommitted work included", preview_search(find))


def search_roots(find: Call) -> list[Word]:
    """The directories in which the search starts."""
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


def search_patterns(find: Call) -> list[str]:
    """The name patterns that are searched for, without excluded ones."""
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


def preview_search(find: Call) -> str:
    """The same search without the deletion."""
    kept = []
    for word in find.words:
        if word in ("-delete", "-exec", "-execdir", "-ok", "-okdir", "-x", "-X", "--exec"):
            break
        kept.append(quote_word(word))
    search = " ".join(kept)
    wide = any(word in ("/", "~", "/*") for word in search_roots(find))
    return f"{search} | head -50" if wide else search
