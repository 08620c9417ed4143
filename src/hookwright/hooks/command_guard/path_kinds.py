"""Classifies a path for a rule about deleting or overwriting: root, home, system, project, build output, temp, …

a word of a call → [classify_word] → one of the kinds below
By name only, no file is read: the result is the same in a test, in `explain` and in the hook. A variable in it counts
with the value that it has in the environment; one that should name a temporary directory and is unset, as empty.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.protected_paths import TEMP_DIRS
from hookwright.shell.call import join_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Scene
    from hookwright.shell.command import Call, Word

ROOT = "root"  # the whole machine
HOME = "home"  # a whole home directory
SYSTEM = "system"  # of the operating system
PRECIOUS = "precious"  # keys, documents, settings in a home directory
GIT = "git"  # inside of .git
SETTINGS = "settings"  # of Claude Code and hookwright
PROJECT = "project"  # the whole project, or a directory above it
INSIDE = "inside"  # somewhere in the project
OUTSIDE = "outside"  # somewhere else
REMOTE = "remote"  # on another machine or in a container
UNKNOWN = "unknown"  # only known at run time
TEMP = "temp"
REGENERABLE = "regenerable"  # recreated by a build or an install

NEVER = frozenset((ROOT, HOME, SYSTEM, PRECIOUS, GIT, SETTINGS))
FREE = frozenset((TEMP, REGENERABLE))

DESCRIPTION = {
    ROOT: "everything on the machine",
    HOME: "a whole home folder",
    SYSTEM: "part of the operating system",
    PRECIOUS: "keys, documents or settings in the home folder",
    GIT: "the repository's own history",
    SETTINGS: "the settings that keep the guard in place",
    PROJECT: "the whole project, uncommitted work included",
    INSIDE: "files of the project that may not be committed",
    OUTSIDE: "files outside of the project",
    REMOTE: "files on another machine",
    UNKNOWN: "whatever the words turn out to name",
}

BUILT = frozenset(
    (
        "node_modules bower_components dist build out target _build .next .nuxt .output .svelte-kit .astro "
        ".docusaurus .turbo .parcel-cache .cache .vite .angular .expo .gradle .terraform __pycache__ .pytest_cache "
        ".mypy_cache .ruff_cache .tox .nox .venv venv .eggs htmlcov coverage .coverage .nyc_output .hypothesis "
        ".ipynb_checkpoints DerivedData Pods .dart_tool .sass-cache .eslintcache storybook-static test-results "
        "playwright-report CMakeFiles CMakeCache.txt obj .swc .webpack .serverless .aws-sam cdk.out .pnpm-store "
        ".vercel .netlify .DS_Store Thumbs.db nohup.out package-lock.json yarn.lock pnpm-lock.yaml bun.lockb bun.lock "
        "poetry.lock Pipfile.lock uv.lock Cargo.lock Gemfile.lock composer.lock tsconfig.tsbuildinfo .pytype .pyre "
        ".scannerwork .bundle _site vendor elm-stuff .stack-work dist-newstyle .bloop .metals allure-results "
        ".wrangler .sst .elixir_ls"
    ).split()
)
SCRATCH = frozenset("tmp temp .tmp logs log cache caches".split())  # regenerable inside of the project only
BUILT_ENDS = (
    ".pyc",
    ".pyo",
    ".o",
    ".obj",
    ".class",
    ".egg-info",
    ".log",
    ".tmp",
    ".swp",
    ".orig",
    ".rej",
    ".tsbuildinfo",
    ".gcda",
    ".gcno",
    ".a",
    ".so",
    ".out",
)
BUILT_STARTS = ("cmake-build-", "bazel-", ".coverage.", "npm-debug")
CACHES = (
    ".cache .npm .pnpm-store .yarn/cache .yarn/berry .gradle/caches .m2/repository .cargo/registry go/pkg/mod .Trash "
    ".local/share/Trash Library/Caches .nuget/packages .ivy2/cache .bun/install/cache .node-gyp .deno .rustup/tmp"
).split()
PRECIOUS_HOME = frozenset(
    (
        ".ssh .gnupg .aws .azure .kube .config .local .docker .password-store .mozilla .thunderbird .git Documents "
        "Desktop Pictures Music Videos Movies Photos Library Dropbox OneDrive Downloads"
    ).split()
)
TOPS = frozenset(
    (
        "bin boot dev etc lib lib32 lib64 libx32 opt proc run sbin srv sys usr var mnt media nix snap private System "
        "Library Applications Volumes Windows"
    ).split()
)
# Directories below these belong to one program: asked about, not denied.
SHARED_TOPS = ("opt", "srv", "mnt", "media", "run", "snap", "Applications", "Volumes", "usr/local",
               "usr/src", "var/www", "var/log", "var/cache", "var/backups", "var/run", "private")  # fmt: skip
LOCAL_TOPS = ("/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/local/share", "/usr/local/etc")
SYSTEM_CACHES = ("/var/lib/apt/lists", "/var/cache/apt", "/var/cache/yum", "/var/cache/dnf", "/var/cache/apk")
TEMP_VARIABLES = frozenset("TMPDIR TEMP TMP TEMPDIR RUNNER_TEMP".split())
UNKNOWN_TEMP = "/tmp/some"
MAX_VARIABLES = 8  # in one word
# Expressions for the current user in `/home/$USER`.
CURRENT_USER = (
    "$USER",
    "${USER}",
    "$LOGNAME",
    "${LOGNAME}",
    "$(whoami)",
    "`whoami`",
    "$(id -un)",
    "$SUDO_USER",
    "$(logname)",
)
NAME_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
WILD = frozenset("*?[")
WHOLE_DIR = ("*", ".*", "**", "*.*", ".[!.]*", ".??*")


def classify_word(call: Call, word: Word, scene: Scene) -> str:
    """The kind of path that the word names, seen from the directory in which the call runs."""
    path = call.path(word)
    if path is None:
        if call.place.remote is not None and word.literal:
            return classify_remote(call, str(word))
        return classify_unplaced(word) if word.literal else classify_dynamic(word, scene)
    if not word.glob and not WILD.isdisjoint(path):
        path = path.replace("*", "x").replace("?", "x").replace("[", "x")  # quoted: a name like any other
    if word[1:2] == ":" and not word[2:].strip("/\\*.") and word[0].isalpha():
        return ROOT  # a whole drive
    if call.place.remote is not None:
        return classify_remote(call, path)
    found = classify_local(path, scene)
    # From a project in a temp directory, `../x` is another project, not temporary.
    return OUTSIDE if found == TEMP and word[:2] == ".." else found


def classify_local(path: str, scene: Scene) -> str:
    """The kind of a path on this machine: absolute, `~/…`, or relative to the project."""
    path = strip_wildcard(path)
    home = scene.home
    if home and (path == "~" or path[:2] == "~/"):
        path = home + path[1:] if path[2:4] != ".." else "/home"
    if path[:1] == "/":
        return classify_on_disk(path, home, scene.project)
    if path[:1] == "~":
        return classify_home(path.split("/")[1:], whole=False)
    if path == "." or not path.strip("./"):
        return PROJECT
    if path[:3] == "../":
        parts = path.split("/")
        return REGENERABLE if is_regenerable(parts) else GIT if ".git" in parts else OUTSIDE
    return classify_inside(path.split("/"))


def classify_on_disk(path: str, home: str, project: str) -> str:
    wide = project != "" and project in ("/", home)  # the session was started there: there is no smaller project
    home_inside = len(project) > 1 and home.startswith(project + "/")  # in containers, and in jobs of a server
    if home_inside and (path == home or is_above(path, home)):
        return HOME
    if len(project) > 1 and not wide and not (home_inside and path.startswith(home + "/")):
        if path.startswith(project + "/"):
            return classify_inside(path[len(project) + 1 :].split("/"))
        if path == project:
            return PROJECT
    rest = path[len(home) :] if home and path.startswith(home) else None
    if rest is not None and rest[:1] in ("", "/"):
        found = classify_home(rest[1:].split("/") if rest else [], is_above(path, project))
    else:
        found = classify_absolute(path)
        if found == OUTSIDE and is_above(path, project):
            return PROJECT
    if found == OUTSIDE and wide and (rest or project == "/"):
        return classify_inside((rest or path)[1:].split("/"))
    return found


def is_above(path: str, project: str) -> bool:
    return project.startswith(path + "/")


def strip_wildcard(path: str) -> str:
    """`dir/*`, `dir/.*` and the like name the whole directory."""
    head, slash, tail = path.rpartition("/")
    while tail in WHOLE_DIR and head not in ("/tmp", "/var/tmp"):
        if not slash:
            return "."
        if not head:
            return "/"
        path = head
        head, slash, tail = path.rpartition("/")
    return path


def classify_inside(parts: list[str]) -> str:
    if ".git" in parts:
        return GIT
    if parts[0] in (".claude", ".hookwright.toml") and holds_settings(parts):
        return SETTINGS
    if is_regenerable(parts) or not SCRATCH.isdisjoint(parts):
        return REGENERABLE
    if parts[-1].startswith(("tmp-", "tmp_", "tmp.", "temp-", "temp_")) or parts[-1].endswith(("-tmp", "_tmp")):
        return REGENERABLE
    return INSIDE


def holds_settings(parts: list[str]) -> bool:
    """`.claude` as a whole, its settings or its hooks; `.hookwright.toml`."""
    return len(parts) == 1 or parts[1] in ("settings.json", "settings.local.json", "hooks", "plugins")


def is_regenerable(parts: list[str]) -> bool:
    if not BUILT.isdisjoint(parts):
        return True
    last = parts[-1]
    return last.endswith(BUILT_ENDS) or last.startswith(BUILT_STARTS)


def classify_home(parts: list[str], whole: bool) -> str:
    """A path in a home directory; no parts: the directory itself."""
    if not parts or parts[0] in ("", ".."):
        return HOME  # or a directory above it
    first = parts[0]
    if first in (".claude", ".claude.json"):
        return SETTINGS if first == ".claude.json" or holds_settings(parts) else OUTSIDE
    if first == ".config" and len(parts) > 1 and parts[1] == "hookwright":
        return SETTINGS
    if first == ".local" and len(parts) > 2 and parts[2] == "hookwright":  # the launcher; what is trusted and recorded
        return SETTINGS
    if first == ".hookwright.toml":
        return SETTINGS
    path = "/".join(parts)
    for cache in CACHES:
        if path == cache or path.startswith(cache + "/"):
            return REGENERABLE
    if first in PRECIOUS_HOME and (len(parts) == 1 or first in (".ssh", ".gnupg", ".password-store")):
        return PRECIOUS
    if ".git" in parts:
        return GIT
    if is_regenerable(parts):
        return REGENERABLE
    return PROJECT if whole else OUTSIDE


def classify_absolute(path: str) -> str:
    """An absolute path, neither in the project nor in the user's home."""
    if path == "/":
        return ROOT
    if path.startswith(TEMP_DIRS):
        return TEMP
    if path.startswith(SYSTEM_CACHES):
        return REGENERABLE
    if path in ("/tmp", "/var/tmp"):
        return OUTSIDE
    path = path.removeprefix("/private")
    parts = path[1:].split("/")
    top = parts[0]
    if top in ("home", "Users"):
        return HOME if len(parts) < 3 else classify_home(parts[2:], whole=False)
    if top == "root":
        return HOME if len(parts) < 2 else classify_home(parts[1:], whole=False)
    if not WILD.isdisjoint(top):
        return SYSTEM
    if top in TOPS:
        if len(parts) > 1:
            two = top + "/" + parts[1]
            if path in LOCAL_TOPS:
                return SYSTEM
            if top in SHARED_TOPS or (two in SHARED_TOPS and (len(parts) > 2 or top == "var")):
                return REGENERABLE if is_regenerable(parts) and top != "usr" else OUTSIDE
        return SYSTEM
    if ".git" in parts:
        return GIT
    return REGENERABLE if is_regenerable(parts) else OUTSIDE


def classify_unplaced(word: Word) -> str:
    """A relative path in an unknown directory: `cd "$d" && rm -rf .git`."""
    parts = word.rstrip("/").split("/")
    return GIT if ".git" in parts else REGENERABLE if is_regenerable(parts) else UNKNOWN


def classify_dynamic(word: Word, scene: Scene) -> str:
    """The kind of a word that is only partly known before run time."""
    text = str(word).replace("~$", "/home/$")
    if "git rev-parse --git-" in text and text[-1] in ")`":
        return GIT
    if "mktemp" in text:
        return TEMP
    if "$" in text and "`" not in text and "$(" not in text:
        path = fill_variables(text, scene)
        if path is not None and path[:1] == "/":
            return classify_local(join_path("", path), scene)
    name = text.strip("${}")
    if (
        name.isidentifier()
        and text[:1] == "$"
        and not {"tmp", "temp", "tmpdir", "tempdir"}.isdisjoint(name.lower().split("_"))
    ):
        return TEMP  # by the variable's name
    last = strip_wildcard(text.rstrip("/")).rpartition("/")[2]
    if last != text and last in BUILT:
        return REGENERABLE
    for expression in CURRENT_USER:
        if expression in text:
            text = text.replace(expression, "me")
            if "$" not in text and "`" not in text and text.startswith(("/home/me", "/Users/me")):
                return classify_absolute(strip_wildcard(text.rstrip("/")))
    return UNKNOWN


def fill_variables(text: str, scene: Scene) -> str | None:
    """The text with `$NAME`, `${NAME}` and `${NAME:-value}` replaced by their values; None if one is not known.

    A variable for temporary files that is not set is empty: `rm -rf "$TMPDIR"/*` is then `rm -rf /*`. Any other that is
    not set here may be set by what the command runs before.
    """
    parts = text.split("$")
    if len(parts) > MAX_VARIABLES + 1:
        return None
    found = [parts[0]]
    for part in parts[1:]:
        if part[:1] == "{":
            inside, brace, rest = part[1:].partition("}")
            name, _, default = inside.partition(":-")
            if not brace:
                return None
        else:
            name = part[: len(part) - len(part.lstrip(NAME_LETTERS))]
            rest, default = part[len(name) :], ""
        if not name.isidentifier() or is_assigned(name, scene.command.text):
            return None
        value = scene.env(name) if scene.env is not None else UNKNOWN_TEMP if name in TEMP_VARIABLES else None
        if not value and not default and name not in TEMP_VARIABLES:
            return None
        found.append((value or default) + rest)
    return "".join(found)


def is_assigned(name: str, text: str) -> bool:
    """Whether the command itself may give the variable a value: it names it otherwise than as `$NAME` or `${NAME`."""
    if "source " in text or ". " in text[:2] or "; . " in text or "& . " in text:
        return True
    at = text.find(name)
    while at >= 0:
        before, after = text[:at], text[at + len(name) :]
        whole = not (before[-1:].isalnum() or before[-1:] == "_" or after[:1].isalnum() or after[:1] == "_")
        if whole and not before.endswith(("$", "${")):
            return True
        if whole and after[:2] in (":=", "=") and before.endswith("${"):
            return True
        at = text.find(name, at + 1)
    return False


def classify_remote(call: Call, path: str) -> str:
    """A path on another machine or in a container; a directory that is mounted into a container is the host's."""
    path = strip_wildcard(path)
    if path[:1] == "~":
        found = classify_home(path.split("/")[1:], whole=False)
    elif path[:1] == "/":
        found = classify_absolute(path)
        mounted = find_mount_source(call, path)
        if mounted is not None:
            found = classify_absolute(mounted) if mounted[:1] == "/" else INSIDE
            if mounted[:1] == "~":
                found = classify_home(mounted.split("/")[1:], whole=False)
    else:
        return REGENERABLE if is_regenerable(path.split("/")) else REMOTE
    return REMOTE if found in (OUTSIDE, INSIDE) else found


def find_mount_source(call: Call, path: str) -> str | None:
    """The host path that is mounted at a path in a container (`-v /:/host`); None if none is."""
    outer = call.outer
    while outer is not None and "run" not in outer.words:
        outer = outer.outer
    if outer is None:
        return None
    for volume in outer.options("-v", "--volume"):
        source, colon, target = volume.partition(":")
        target = target.partition(":")[0].rstrip("/") or "/"
        if colon and source[:1] in "/~." and (path == target or path.startswith(target.rstrip("/") + "/")):
            return (source.rstrip("/") + path[len(target.rstrip("/")) :]) or "/"
    return None
