"""Path sense: what a path is, for somebody who is about to delete or overwrite it.

a word of a call → [kind] → one of the words below
By name only: no file is looked at, so the answer is the same in a test, in `explain` and in the hook.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Scene
    from hookwright.shell.command import Call, Word

ROOT = "root"  # everything
HOME = "home"  # a whole home folder
SYSTEM = "system"  # the operating system's own
PRECIOUS = "precious"  # keys, documents, settings in a home folder
GIT = "git"  # a repository's inside
SETTINGS = "settings"  # of Claude Code and hookwright
PROJECT = "project"  # all of the project, or the folders above it
INSIDE = "inside"  # somewhere in the project
OUTSIDE = "outside"  # somewhere else
REMOTE = "remote"  # on another machine or in a container
UNKNOWN = "unknown"  # not to be told from the words
TEMP = "temp"
REGENERABLE = "regenerable"  # a build or an install brings it back

NEVER = frozenset((ROOT, HOME, SYSTEM, PRECIOUS, GIT, SETTINGS))
FREE = frozenset((TEMP, REGENERABLE))

WHAT = {
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
SCRATCH = frozenset("tmp temp .tmp logs log cache caches".split())  # fine inside of the project only
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
TEMPS = ("/tmp/", "/var/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/", "/dev/shm/")
TOPS = frozenset(
    (
        "bin boot dev etc lib lib32 lib64 libx32 opt proc run sbin srv sys usr var mnt media nix snap private System "
        "Library Applications Volumes Windows"
    ).split()
)
# Under these a program's own folder may go after a look.
SHARED_TOPS = ("opt", "srv", "mnt", "media", "run", "snap", "Applications", "Volumes", "usr/local",
               "usr/src", "var/www", "var/log", "var/cache", "var/backups", "var/run", "private")  # fmt: skip
LOCAL_TOPS = ("/usr/local/bin", "/usr/local/sbin", "/usr/local/lib", "/usr/local/share", "/usr/local/etc")
SYSTEM_CACHES = ("/var/lib/apt/lists", "/var/cache/apt", "/var/cache/yum", "/var/cache/dnf", "/var/cache/apk")
TEMP_VARIABLES = ("$TMPDIR/", "${TMPDIR}/", "$RUNNER_TEMP/", "${RUNNER_TEMP}/", "${TMPDIR:-/tmp}/")
# Whose home it is that `/home/$USER` names.
MYSELF = (
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
WILD = frozenset("*?[")
ALL_OF_IT = ("*", ".*", "**", "*.*", ".[!.]*", ".??*")


def kind(call: Call, word: Word, scene: Scene) -> str:
    """What the word names, seen from where the call runs."""
    path = call.path(word)
    if path is None:
        if call.place.remote is not None and word.literal:
            return elsewhere(call, str(word))
        return unplaced(word) if word.literal else unknown(word)
    if word[1:2] == ":" and not word[2:].strip("/\\*.") and word[0].isalpha():
        return ROOT  # a whole drive
    if call.place.remote is not None:
        return elsewhere(call, path)
    found = locate(path, scene)
    # From a project in a temp folder, `../x` is a neighbour, not scratch.
    return OUTSIDE if found == TEMP and word[:2] == ".." else found


def locate(path: str, scene: Scene) -> str:
    """What a path on this machine is; absolute, `~/…`, or relative to the project."""
    path = folder_of_all(path)
    home = scene.home
    if home and (path == "~" or path[:2] == "~/"):
        path = home + path[1:] if path[2:4] != ".." else "/home"
    if path[:1] == "/":
        return on_disk(path, home, scene.project)
    if path[:1] == "~":
        return at_home(path.split("/")[1:], whole=False)
    if path == "." or not path.strip("./"):
        return PROJECT
    if path[:3] == "../":
        parts = path.split("/")
        return REGENERABLE if regenerable(parts) else GIT if ".git" in parts else OUTSIDE
    return inside(path.split("/"))


def on_disk(path: str, home: str, project: str) -> str:
    wide = project != "" and project in ("/", home)  # a session that was started there has no smaller project
    if len(project) > 1 and not wide:
        if path.startswith(project + "/"):
            return inside(path[len(project) + 1 :].split("/"))
        if path == project:
            return PROJECT
    rest = path[len(home) :] if home and path.startswith(home) else None
    if rest is not None and rest[:1] in ("", "/"):
        found = at_home(rest[1:].split("/") if rest else [], above(path, project))
    else:
        found = absolute(path)
        if found == OUTSIDE and above(path, project):
            return PROJECT
    if found == OUTSIDE and wide and (rest or project == "/"):
        return inside((rest or path)[1:].split("/"))
    return found


def above(path: str, project: str) -> bool:
    return project.startswith(path + "/")


def folder_of_all(path: str) -> str:
    """`folder/*`, `folder/.*` and the like name the whole folder."""
    head, slash, tail = path.rpartition("/")
    while tail in ALL_OF_IT and head not in ("/tmp", "/var/tmp"):
        if not slash:
            return "."
        if not head:
            return "/"
        path = head
        head, slash, tail = path.rpartition("/")
    return path


def inside(parts: list[str]) -> str:
    if ".git" in parts:
        return GIT
    if parts[0] in (".claude", ".hookwright.toml") and keeps_guard(parts):
        return SETTINGS
    if regenerable(parts) or not SCRATCH.isdisjoint(parts):
        return REGENERABLE
    if parts[-1].startswith(("tmp-", "tmp_", "tmp.", "temp-", "temp_")) or parts[-1].endswith(("-tmp", "_tmp")):
        return REGENERABLE
    return INSIDE


def keeps_guard(parts: list[str]) -> bool:
    """`.claude` as a whole, its settings or its hooks; `.hookwright.toml`."""
    return len(parts) == 1 or parts[1] in ("settings.json", "settings.local.json", "hooks", "plugins")


def regenerable(parts: list[str]) -> bool:
    if not BUILT.isdisjoint(parts):
        return True
    last = parts[-1]
    return last.endswith(BUILT_ENDS) or last.startswith(BUILT_STARTS)


def at_home(parts: list[str], whole: bool) -> str:
    """Somewhere in a home folder; no parts: the folder itself."""
    if not parts or parts[0] in ("", ".."):
        return HOME  # or what holds it
    first = parts[0]
    if first in (".claude", ".claude.json"):
        return SETTINGS if first == ".claude.json" or keeps_guard(parts) else OUTSIDE
    if first == ".config" and len(parts) > 1 and parts[1] == "hookwright":
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
    if regenerable(parts):
        return REGENERABLE
    return PROJECT if whole else OUTSIDE


def absolute(path: str) -> str:
    """Somewhere from the root on, neither in the project nor in the known home."""
    if path == "/":
        return ROOT
    if path.startswith(TEMPS):
        return TEMP
    if path.startswith(SYSTEM_CACHES):
        return REGENERABLE
    if path in ("/tmp", "/var/tmp"):
        return OUTSIDE
    path = path.removeprefix("/private")
    parts = path[1:].split("/")
    top = parts[0]
    if top in ("home", "Users"):
        return HOME if len(parts) < 3 else at_home(parts[2:], whole=False)
    if top == "root":
        return HOME if len(parts) < 2 else at_home(parts[1:], whole=False)
    if not WILD.isdisjoint(top):
        return SYSTEM
    if top in TOPS:
        if len(parts) > 1:
            two = top + "/" + parts[1]
            if path in LOCAL_TOPS:
                return SYSTEM
            if top in SHARED_TOPS or (two in SHARED_TOPS and (len(parts) > 2 or top == "var")):
                return REGENERABLE if regenerable(parts) and top != "usr" else OUTSIDE
        return SYSTEM
    if ".git" in parts:
        return GIT
    return REGENERABLE if regenerable(parts) else OUTSIDE


def unplaced(word: Word) -> str:
    """A name in a folder that is not known: `cd "$d" && rm -rf .git`."""
    parts = word.rstrip("/").split("/")
    return GIT if ".git" in parts else REGENERABLE if regenerable(parts) else UNKNOWN


def unknown(word: Word) -> str:
    """What can be told of a word that is only partly known."""
    text = str(word).replace("~$", "/home/$")
    if "git rev-parse --git-" in text and text[-1] in ")`":
        return GIT
    if "mktemp" in text or text.startswith(TEMP_VARIABLES):
        return TEMP
    name = text.strip("${}")
    if (
        name.isidentifier()
        and text[:1] == "$"
        and not {"tmp", "temp", "tmpdir", "tempdir"}.isdisjoint(name.lower().split("_"))
    ):
        return TEMP  # by its name
    last = folder_of_all(text.rstrip("/")).rpartition("/")[2]
    if last != text and last in BUILT:
        return REGENERABLE
    for mine in MYSELF:
        if mine in text:
            text = text.replace(mine, "me")
            if "$" not in text and "`" not in text and text.startswith(("/home/me", "/Users/me")):
                return absolute(folder_of_all(text.rstrip("/")))
    return UNKNOWN


def elsewhere(call: Call, path: str) -> str:
    """A path on another machine or in a container: there is no project; mounted folders are the host's own."""
    path = folder_of_all(path)
    if path[:1] == "~":
        found = at_home(path.split("/")[1:], whole=False)
    elif path[:1] == "/":
        found = absolute(path)
        mounted = mount(call, path)
        if mounted is not None:
            found = absolute(mounted) if mounted[:1] == "/" else INSIDE
            if mounted[:1] == "~":
                found = at_home(mounted.split("/")[1:], whole=False)
    else:
        return REGENERABLE if regenerable(path.split("/")) else REMOTE
    return REMOTE if found in (OUTSIDE, INSIDE) else found


def mount(call: Call, path: str) -> str | None:
    """The host's path behind a path in a container: `-v /:/host`, `--mount src=/,dst=/host`."""
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
