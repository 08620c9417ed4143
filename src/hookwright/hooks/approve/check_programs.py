"""Prove that one call of a program only reads: by its row in read_only.toml, or by a check of its own.

prove.py → [prove_program] → the directories in which the shell is afterwards; raises Unproven
"""

from __future__ import annotations

import posix

from hookwright.git.directory import common_dir, find_worktree_root, git_dir
from hookwright.hooks.approve.read_only_table import GIT, PROGRAMS
from hookwright.hooks.approve.readable import Readable, Unproven, list_names
from hookwright.hooks.command_guard.secret_paths import is_secret_path
from hookwright.proc.safe_read import read_head
from hookwright.shell.call import join_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Row = tuple[str, str, str, str, str, str, bool, bool]
    Places = tuple[str, ...]

SYSTEM_DIRS = ("/bin", "/usr/bin", "/usr/local/bin")
BUILTINS = ("cd", "echo", "printf", "true", "false", ":", "test", "[", "pwd", "type", "command")  # whatever PATH says


def prove_program(readable: Readable, words: Sequence[str], places: Places) -> Places:
    folder, slash, program = words[0].rpartition("/")
    if slash and folder not in SYSTEM_DIRS:
        raise Unproven(f"{words[0]} is no program of the system")
    row = PROGRAMS.get(program)
    if row is None:
        raise Unproven(f"{program} is not known to only read")
    if not slash:
        check_search_path(readable, program)
    check = CHECKS.get(row[4])
    if check is not None:
        return check(readable, words, places) or places
    prove_options(readable, program, row, words[1:], places)
    return places


def check_search_path(readable: Readable, program: str) -> None:
    """Raise if PATH finds a program of this name in a relative directory, or in one that the project can write."""
    if program in BUILTINS:
        return
    for folder in readable.path.split(":"):
        if folder in SYSTEM_DIRS:
            return
        if folder[:1] != "/":
            raise Unproven("PATH has a relative directory")
        if readable.is_inside(folder) and exists(f"{folder}/{program}"):
            raise Unproven(f"PATH finds {program} in the project")


def exists(path: str) -> bool:
    try:
        return posix.access(path, posix.F_OK)
    except ValueError:
        return True


def split_options(program: str, row: Row, words: Sequence[str]) -> tuple[list[tuple[str, str]], list[str]]:
    """The options, each with its value, and the operands; raises for an option that is not in the row."""
    flags, values, files, _, _, _, digits, any_flag = row
    options: list[tuple[str, str]] = []
    operands: list[str] = []
    queue = list(words)[::-1]
    while queue:
        word = queue.pop()
        if word == "--" and not any_flag:
            return options, operands + queue[::-1]
        if word[:1] != "-" or word == "-" or any_flag:
            operands.append(word)
            continue
        name, equals, value = word.partition("=")
        spaced = f" {name} "
        if name[:2] == "--" or (spaced in flags and len(name) > 2) or (spaced in values and len(name) > 2):
            if equals and (spaced in values or spaced in files):
                options.append((name, value))
            elif not equals and spaced in flags:  # its value, if it takes one, is optional and attached
                options.append((name, ""))
            elif not equals and (spaced in values or spaced in files) and queue:
                options.append((name, queue.pop()))
            else:
                raise Unproven(f"`{program} {name}` is not known to only read")
        elif digits and word[1:].isdigit():
            options.append(("-n", word[1:]))
        else:
            options += split_letters(program, row, word, queue)
    return options, operands


def split_letters(program: str, row: Row, word: str, queue: list[str]) -> list[tuple[str, str]]:
    """The options of one word such as `-rn` or `-A3`."""
    flags, values, files, *_ = row
    options = []
    for index, letter in enumerate(word[1:], 1):
        spaced = f" -{letter} "
        if spaced in values or spaced in files:
            value = word[index + 1 :]
            if not value:
                if f" -{letter} " in flags and not queue:
                    options.append((f"-{letter}", ""))
                    return options
                if not queue:
                    raise Unproven(f"`{program} -{letter}` lacks its value")
                value = queue.pop()
            options.append((f"-{letter}", value))
            return options
        if spaced not in flags:
            raise Unproven(f"`{program} -{letter}` is not known to only read")
        options.append((f"-{letter}", ""))
    return options


def prove_options(readable: Readable, program: str, row: Row, words: Sequence[str], places: Places) -> list[str]:
    """Prove a call by its row; its operands."""
    options, operands = split_options(program, row, words)
    for name, value in options:
        if f" {name} " in row[2]:
            readable.check_path(value, places)
    kind = row[3]
    given = any(f" {name} " in row[5] for name, _ in options)
    if kind == "none" and operands:
        raise Unproven(f"`{program} {operands[0]}` is not known to only read")
    if kind == "pattern" and program != "rg" and any(name in ("-r", "--recursive") for name, _ in options):
        check_tree(readable, operands if given else operands[1:], options, places)
    if kind == "one" and len(operands) > 1:
        raise Unproven(f"`{program}` writes its second operand")
    if kind in ("paths", "one", "names") or kind == "pattern":
        paths = operands[1:] if kind == "pattern" and not given else operands
        for path in paths:
            readable.check_path(path, places, names_only=kind == "names")
    return operands


def check_tree(readable: Readable, folders: Sequence[str], options: list[tuple[str, str]], places: Places) -> None:
    """Raise if a directory that is searched with all that is in it holds a secret, unless the files are chosen."""
    if any(name == "--include" for name, _ in options):
        return
    for place in places:
        for folder in folders or (".",):
            path = join_path(place, folder) if folder[:1] != "/" else folder
            if any(is_secret_path(f"{path}/{name}") for name in list_names(path)):
                raise Unproven(f"{folder} holds a file with secrets")


# -- programs that need more than a row --------------------------------------------------------------------------------


def check_cd(readable: Readable, words: Sequence[str], places: Places) -> Places:
    if len(words) != 2 or words[1][:1] in ("-", ""):
        raise Unproven("`cd` without a directory that is named")
    ends = []
    for place in places:
        target = join_path(place, words[1]) if words[1][:1] != "/" else join_path("", words[1])
        readable.check_directory(target)
        ends.append(target)
    return tuple(dict.fromkeys(ends))


def check_test(readable: Readable, words: Sequence[str], places: Places) -> None:
    if words[0] == "[" and words[-1] != "]":
        raise Unproven("`[` is not closed")


def check_command(readable: Readable, words: Sequence[str], places: Places) -> None:
    if len(words) < 3 or words[1] not in ("-v", "-V"):
        raise Unproven("`command` runs a program")


def check_version(readable: Readable, words: Sequence[str], places: Places) -> None:
    if tuple(words[1:]) not in (("--version",), ("-v",)):
        raise Unproven(f"`{words[0]}` runs code")


def check_date(readable: Readable, words: Sequence[str], places: Places) -> None:
    queue = list(words[1:])[::-1]
    while queue:
        word = queue.pop()
        if word in ("-d", "--date") and queue:
            queue.pop()
        elif not (
            word in ("-u", "--utc", "-R", "-I", "--rfc-email") or word.startswith(("+", "-I", "--iso-8601", "--date="))
        ):
            raise Unproven(f"`date {word}` may set the clock")


def check_ps(readable: Readable, words: Sequence[str], places: Places) -> None:
    queue = list(words[1:])[::-1]
    while queue:
        word = queue.pop()
        if word in ("-p", "-C", "-u", "-U", "-g", "-t", "--ppid", "--pid", "-o", "-eo", "-Ao") and queue:
            value = queue.pop()
            if "env" in value:
                raise Unproven("`ps` would show environments")
        elif word not in (
            "aux",
            "auxw",
            "auxww",
            "ax",
            "-ef",
            "-e",
            "-A",
            "-a",
            "-f",
            "-l",
            "-T",
            "-H",
            "--no-headers",
        ) and not (word.startswith(("--sort=", "-o")) and "env" not in word):
            raise Unproven(f"`ps {word}` may show environments")


FIND_TESTS = (
    " -name -iname -path -ipath -wholename -regex -iregex -type -maxdepth -mindepth -newer -mtime -ctime -atime -mmin "
    "-cmin -amin -size -perm -user -group -links -inum -newermt -regextype -printf -uid -gid -samefile -lname "
)
FIND_WORDS = (
    " -print -print0 -ls -prune -not ! -o -or -a -and ( ) -empty -follow -xdev -mount -depth -quit -true -false "
    "-readable -writable -executable -nouser -nogroup -daystart -noleaf -H -L -P , "
)


def check_find(readable: Readable, words: Sequence[str], places: Places) -> None:
    queue = list(words[1:])[::-1]
    starts = 0
    while queue and (queue[-1][:1] not in ("-", "(", "!") or queue[-1] in ("-H", "-L", "-P")):
        word = queue.pop()
        if word[:1] != "-":
            readable.check_path(word, places, names_only=True)
            starts += 1
    if not starts:
        for place in places:
            readable.check_directory(place)
    regular = name = ""
    while queue:
        word = queue.pop()
        if f" {word} " in FIND_TESTS and queue:
            value = queue.pop()
            if word in ("-newer", "-samefile"):
                readable.check_path(value, places, names_only=True)
            regular = value if word == "-type" else regular
            name = value if word == "-name" else name
        elif word == "-exec" and regular == "f" and is_harmless_name(name):
            inner = []
            while queue and queue[-1] not in (";", "+"):
                inner.append(queue.pop())
            if (
                not queue
                or "{}" not in inner
                or any("{}" in one and one != "{}" for one in inner)
                or inner[0] not in FIND_RUNS
            ):
                raise Unproven("`find -exec` runs a program that is not known to only read")
            queue.pop()
            prove_program(readable, [f"./{name[1:]}" if one == "{}" else one for one in inner], places)
        elif f" {word} " not in FIND_WORDS:
            raise Unproven(f"`find {word}` is not known to only read")


FIND_RUNS = ("cat", "cut", "grep", "head", "ls", "md5sum", "nl", "sha256sum", "stat", "tail", "wc")


def is_harmless_name(pattern: str) -> bool:
    """Whether a pattern such as `*.py` names no file with secrets."""
    return pattern[:2] == "*." and pattern[2:].isalnum() and not is_secret_path(f"x{pattern[1:]}")


SED_ROW: Row = (
    " -n -E -r -s -u -z --quiet --silent --regexp-extended --separate --null-data --posix ",
    " -e -l --expression ",
    " ",
    "",
    "",
    " -e --expression ",
    False,
    False,
)


def check_sed(readable: Readable, words: Sequence[str], places: Places) -> None:
    options, operands = split_options("sed", SED_ROW, words[1:])
    scripts = [value for name, value in options if name in ("-e", "--expression")]
    if not scripts:
        if not operands:
            raise Unproven("`sed` without a script")
        scripts, operands = [operands[0]], operands[1:]
    for script in scripts:
        check_sed_script(script)
    for path in operands:
        readable.check_path(path, places)


def check_sed_script(script: str) -> None:
    """Accept addresses with p, d, q, =, n, N, D, P, g, G, h, H, x, ! and s with the flags g, p, i, I and numbers."""
    at = 0
    while at < len(script):
        letter = script[at]
        if letter in " \t\n;{}!,$0123456789~+":
            at += 1
        elif letter == "/":
            at = skip_delimited(script, at + 1, "/")
            while script[at : at + 1] in ("I", "M"):
                at += 1
        elif letter in "pdq=nNDPgGhHxl" and (at + 1 == len(script) or script[at + 1] in " \t\n;}"):
            at += 1
        elif letter in "sy" and at + 1 < len(script) and script[at + 1] not in "\n\\ ":
            mark = script[at + 1]
            at = skip_delimited(script, skip_delimited(script, at + 2, mark), mark)
            while at < len(script) and script[at] in ("gpiI0123456789" if letter == "s" else ""):
                at += 1
            if at < len(script) and script[at] not in " \t\n;}":
                raise Unproven(f"`sed` with `{script}` may write or run something")
        else:
            raise Unproven(f"`sed` with `{script}` is not known to only read")


def skip_delimited(text: str, at: int, mark: str) -> int:
    """The index after the next `mark` that is neither escaped nor in brackets."""
    bracket = False
    while at < len(text):
        letter = text[at]
        if letter == "\\":
            at += 1
        elif letter == "\n":
            break
        elif letter == "[":
            bracket = True  # a delimiter in brackets is read differently by different seds
        elif letter == "]":
            bracket = False
        elif letter == mark:
            if bracket:
                break
            return at + 1
        at += 1
    raise Unproven("a script of `sed` is not understood")


AWK_ROW: Row = (" ", " -F -v --field-separator --assign ", " ", "", "", " ", False, False)
AWK_WORDS = (
    "system",
    "getline",
    "ENVIRON",
    "ARGV",
    "PROCINFO",
    "SYMTAB",
    "FUNCTAB",
    "close",
    "fflush",
    "printf(",
    "extension",
)


def check_awk(readable: Readable, words: Sequence[str], places: Places) -> None:
    options, operands = split_options("awk", AWK_ROW, words[1:])
    if not operands:
        raise Unproven("`awk` without a program")
    for _, value in options:
        if "\\" in value.replace("\\t", "").replace("\\|", ""):
            raise Unproven("an option of `awk` is not understood")
    program, *paths = operands
    if any(mark in program for mark in ("|", ">", "@", "`", "<")) and not is_comparison_only(program):
        raise Unproven("the program of `awk` may write, read or run something")
    if any(word in program for word in AWK_WORDS):
        raise Unproven("the program of `awk` may write, read or run something")
    for path in paths:
        name, equals, _ = path.partition("=")
        if equals and name.isidentifier():
            continue
        readable.check_path(path, places)


def is_comparison_only(program: str) -> bool:
    """Whether `>` and `<` compare, and `|` is `||`: outside of text, before any print, or followed by `=`."""
    plain = program.replace("||", "").replace(">=", "").replace("<=", "")
    if any(mark in plain for mark in "|@`<"):
        return False
    return ">" not in plain or ("print" not in plain[: plain.rfind(">")] and '"' not in plain)


JQ_FLAGS = (
    " -r -c -s -n -e -S -M -C -j -a -R --raw-output --compact-output --slurp --null-input --exit-status --sort-keys "
    "--monochrome-output --color-output --join-output --ascii-output --raw-input --tab --seq --stream --unbuffered "
)
JQ_ROW: Row = (JQ_FLAGS, " --indent ", " ", "", "", " ", False, False)
JQ_WORDS = (
    "env",
    "ENV",
    "import",
    "include",
    "input_filename",
    "debug",
    "stderr",
    "halt",
    "getpath/",
    "modulemeta",
    "get_search_list",
    "__",
)


def check_jq(readable: Readable, words: Sequence[str], places: Places) -> None:
    kept: list[str] = []
    queue = list(words[1:])[::-1]
    while queue:
        word = queue.pop()
        if word in ("--arg", "--argjson") and len(queue) > 1:
            del queue[-2:]
        else:
            kept.append(word)
    _, operands = split_options("jq", JQ_ROW, kept)
    if not operands:
        raise Unproven("`jq` without a filter")
    if any(word in operands[0] for word in JQ_WORDS):
        raise Unproven("the filter of `jq` may read more than its input")
    for path in operands[1:]:
        readable.check_path(path, places)


# -- git ---------------------------------------------------------------------------------------------------------------

# Words in a repository's own configuration that make a reading command run a program or read other files.
RISKY_CONFIG = (
    *("fsmonitor", "textconv", "external", "[include", "showsignature", "[filter", "command", "pager", "worktree"),
    *("gpg", "alias", "attributesfile", "hookspath", "sshcommand", "[diff", "promisor", "partialclone", "program"),
)


def check_git(readable: Readable, words: Sequence[str], places: Places) -> None:
    queue = list(words[1:])[::-1]
    while queue and queue[-1][:1] == "-":
        word = queue.pop()
        if word == "-C" and queue:
            folder = queue.pop()
            places = tuple(join_path(place, folder) if folder[:1] != "/" else folder for place in places)
        elif word not in ("--no-pager", "--no-optional-locks", "-P", "--literal-pathspecs"):
            if word == "--version" and not queue:
                return
            raise Unproven(f"`git {word}` is not known to only read")
    for place in places:
        readable.check_directory(place)
        check_repository(readable, place)
    if not queue:
        raise Unproven("`git` without a subcommand")
    verb = queue.pop()
    row = GIT.get(verb)
    if row is None:
        raise Unproven(f"`git {verb}` is not known to only read")
    rest = queue[::-1]
    check = GIT_CHECKS.get(row[4])
    if check is not None:
        check(rest)
        return
    options, operands = split_options(f"git {verb}", row, rest)
    if any("%G" in value or "%(trailers" in value for _, value in options):
        raise Unproven("the format verifies signatures, which runs a program")
    listed = any(name in ("-l", "--list") for name, _ in options)
    if row[3] == "none" and operands and not listed:
        raise Unproven(f"`git {verb} {operands[0]}` is not known to only read")
    if row[3] == "revisions":
        for word in operands:
            check_revision(readable, word, places)


def check_revision(readable: Readable, word: str, places: Places) -> None:
    """Raise for a commit's file or a path that holds secrets, or a path outside."""
    _, colon, path = word.partition(":")
    if is_secret_path(path if colon else word):
        raise Unproven(f"{word} holds secrets")
    if word[:1] in ("/", "~") or ".." in word.split("/"):
        readable.check_path(word, places)


def check_repository(readable: Readable, place: str) -> None:
    """Raise if the repository's own configuration can make a reading command run something."""
    top = find_worktree_root(place)
    if not top:
        if exists(f"{place}/HEAD") and exists(f"{place}/objects"):
            raise Unproven("a bare repository is not looked into")
        return
    own = git_dir(top)
    for path in dict.fromkeys((f"{common_dir(own)}/config", f"{own}/config.worktree")):
        try:
            text = read_head(path, MAX_CONFIG).decode("utf-8", "replace").lower()
        except OSError:
            continue
        if len(text) >= MAX_CONFIG or any(word in text for word in RISKY_CONFIG):
            raise Unproven("the repository's configuration can make git run a program")


MAX_CONFIG = 1 << 16
CONFIG_NAMES = ("user.name", "user.email", "core.autocrlf", "core.ignorecase", "core.filemode", "init.defaultbranch",
                "pull.rebase", "push.default", "merge.ff")  # fmt: skip


def check_git_config(rest: list[str]) -> None:
    if not (len(rest) == 2 and rest[0] == "--get" and rest[1].lower() in CONFIG_NAMES):
        raise Unproven("`git config` is not known to only read")


def check_git_stash(rest: list[str]) -> None:
    shows = rest[:1] == ["show"] and all(w in ("-p", "--stat") or w.startswith("stash@{") for w in rest[1:])
    if rest != ["list"] and not shows:
        raise Unproven("`git stash` is not known to only read")


def check_git_worktree(rest: list[str]) -> None:
    if rest not in (["list"], ["list", "--porcelain"]):
        raise Unproven("`git worktree` is not known to only read")


CHECKS = {
    "awk": check_awk,
    "cd": check_cd,
    "command": check_command,
    "date": check_date,
    "find": check_find,
    "git": check_git,
    "jq": check_jq,
    "ps": check_ps,
    "sed": check_sed,
    "test": check_test,
    "version": check_version,
}
GIT_CHECKS = {"config": check_git_config, "stash": check_git_stash, "worktree": check_git_worktree}
