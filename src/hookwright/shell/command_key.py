"""The key of a command: what stays the same when it is run again, so that past runs predict the next one.

command → calls → [key_of] → segments with levels, one key to store, an intent
`pytest -x tests/a.py::T` → `pytest -x <node>` ⊂ `pytest <node>` ⊂ `pytest …`; values, paths and texts never enter
a key, only names of programs, verbs, own scripts and flags. Never raises.
"""

from __future__ import annotations

from hookwright.shell.call import join_path
from hookwright.shell.command import Command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call, Word

ANY = " …"  # ends the widest level of a segment
JOINED = " ; "  # between the segments of a compound key
MAX_SEGMENTS = 6
MAX_FLAGS = 4

# Calls that take no time worth recording.
_TRIVIAL = frozenset(
    (
        *("cd", "echo", "printf", "export", "set", "unset", "source", ".", "true", "false", ":", "pwd", "test", "["),
        *("[[", "mkdir", "touch", "exit", "read", "local", "alias", "umask", "ulimit", "wait", "type", "which", "trap"),
        *("pushd", "popd", "shopt", "declare", "return", "break", "continue", "command", "hash", "date", "sleep 0"),
    )
)
# Filters: at the end of a pipe they only wait for the stage before.
_LISTENERS = frozenset(
    (
        *("tail", "head", "tee", "grep", "egrep", "fgrep", "rg", "wc", "sort", "uniq", "cut", "awk", "gawk", "sed"),
        *("cat", "less", "more", "jq", "yq", "tr", "column", "fold", "nl", "tac", "rev", "base64", "xxd", "hexdump"),
        *("md5sum", "sha256sum", "strings", "fmt", "paste", "cat", "bat", "diff", "comm", "iconv"),
    )
)
_SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish", "eval", "su", "sudo"))
_REMOTES = frozenset(("ssh", "docker", "podman", "nerdctl", "kubectl", "oc", "docker-compose"))
_REPEATERS = frozenset(("find", "fd", "gfind", "fdfind", "parallel"))

# How many operands of a program are verbs; a key of two words is a verb that takes a second one.
_VERBS = {
    **dict.fromkeys(
        (
            *("git", "cargo", "go", "pip", "pip3", "brew", "apt", "apt-get", "dnf", "yum", "apk", "conda", "mamba"),
            *("gradle", "gradlew", "mvn", "mvnw", "dotnet", "terraform", "tofu", "helm", "systemctl", "rails", "rake"),
            *("bundle", "composer", "flutter", "dart", "swift", "mix", "stack", "cabal", "sbt", "bazel", "nx"),
            *("turbo", "lerna", "next", "vite", "ng", "expo", "docker", "podman", "kubectl", "oc", "npm", "pnpm"),
            *("yarn", "bun", "uv", "poetry", "pdm", "hatch", "rye", "just", "task", "invoke", "inv", "playwright"),
            *("cypress", "prisma", "alembic", "jupyter", "deno", "rustup", "pre-commit", "vercel", "netlify", "fly"),
            *("flyctl", "heroku", "pulumi", "flask", "celery", "airflow", "dbt", "svn", "hg", "django-admin", "gem"),
            *("docker-compose", "cdk", "sam", "serverless", "wrangler", "supabase", "firebase", "tox", "nox", "mise"),
            *("manage.py", "artisan", "setup.py", "webpack", "vitest", "jest", "ruff", "manim", "xcodebuild"),
        ),
        1,
    ),
    **dict.fromkeys(("gh", "aws", "gcloud", "az", "make", "gmake"), 2),
    **dict.fromkeys(
        (
            *("docker compose", "npm run", "npm exec", "pnpm run", "yarn run", "bun run", "uv pip", "uv tool"),
            *("docker buildx", "podman compose", "deno task", "yarn workspace", "npm run-script", "kubectl rollout"),
        ),
        2,
    ),
}
_INTERPRETERS = frozenset(
    (
        *("python", "node", "bash", "sh", "zsh", "dash", "ruby", "perl", "php", "Rscript", "julia", "tsx", "ts-node"),
        *("lua", "deno", "bun", "java", "pypy", "osascript", "pwsh", "groovy", "scala", "elixir", "escript"),
    )
)
_NO_MATTER = frozenset(
    (
        *("-v", "-vv", "-vvv", "-q", "-s", "-i", "-t", "-it", "-y", "--verbose", "--quiet", "--silent", "--color"),
        *("--no-color", "--colors", "--yes", "--tb", "--no-header", "--progress", "--no-progress", "--json", "-h"),
    )
)
_TOOL_FOLDERS = ("/bin/", "/sbin/", "/.bin/")


class Segment:
    """One call of a command: its keys, from the most specific level to the widest."""

    __slots__ = ("head", "levels", "own", "piped")

    def __init__(self, levels: tuple[str, str, str], head: str, *, own: bool, piped: bool) -> None:
        self.levels = levels
        self.head = head  # program and verbs
        self.own = own  # a script of the project: its name means nothing in other projects
        self.piped = piped  # runs in parallel with the segment before it


class Key:
    """The key under which the durations of a command are stored."""

    __slots__ = ("segments", "text")

    def __init__(self, segments: list[Segment]) -> None:
        self.segments = segments
        if len(segments) == 1:
            self.text = segments[0].levels[0]
        else:
            self.text = JOINED.join(segment.levels[1] for segment in segments[:MAX_SEGMENTS])

    @property
    def intent(self) -> str:
        """What it is run for: server, test, build, install, git, search or other."""
        from hookwright.shell.intents import RANK, intent_of

        intents = {intent_of(segment.head) for segment in self.segments}
        return next((intent for intent in RANK if intent in intents), "other")


def key_of(text: str, cwd: str = ".") -> Key:
    """The key of a command line; empty segments when there is nothing to run."""
    try:
        calls = Command(text, cwd).calls
    except Exception:  # noqa: BLE001  a command that breaks the parser has no history
        return Key([])
    chosen = [call for call in calls if _is_significant(call)]
    if not chosen:
        chosen = [call for call in calls if call.words][-1:]
    segments: list[Segment] = []
    for call in chosen:
        segment = _build_segment(call)
        if segments and segments[-1].levels == segment.levels:
            continue  # the iterations of a loop are one segment
        segments.append(segment)
    return Key(segments)


def _is_significant(call: Call) -> bool:
    program = call.program
    if not call.words or call.background or program in _TRIVIAL:
        return False
    if call.place.stage and program in _LISTENERS:
        return False
    if call.inner and (program in _SHELLS or program in _REMOTES):
        return False  # its nested commands count
    outer = call.outer
    return outer is None or outer.program not in _REPEATERS


def _build_segment(call: Call) -> Segment:
    head, operands, own = _split_head(call)
    shapes = _operand_shapes(operands)
    flags = [flag for flag in _list_flags(call) if not head.endswith(" " + flag)]
    if call.remote:
        head = f"{call.remote[0]}: {head}"
    narrow = " ".join((head, *flags, *shapes))
    levels = (narrow, " ".join((head, *shapes)), head + ANY)
    return Segment(levels, head, own=own, piped=bool(call.place.stage))


def _split_head(call: Call) -> tuple[str, list[Word], bool]:
    """Program and verbs, or interpreter and script; the remaining operands; whether it is the project's own."""
    program = _program_name(call)
    operands = call.operands()
    if program in _INTERPRETERS and (program not in _VERBS or not operands or _is_path(operands[0])):
        return _split_script_head(call, program, operands)
    own = "/" in program
    count = _VERBS.get(program, 0)
    verbs: list[str] = []
    while operands and len(verbs) < count and _is_verb(operands[0]):
        verbs.append(str(operands[0]))
        operands = operands[1:]
        count = max(count, _VERBS.get(f"{program} {verbs[0]}", 0)) if len(verbs) == 1 else count
    return " ".join((program, *verbs)), operands, own or program in ("make", "gmake", "just", "task")


def _split_script_head(call: Call, program: str, operands: list[Word]) -> tuple[str, list[Word], bool]:
    if call.has_flag("-c", "-e", "--eval") or not operands:
        flag = next((word for word in ("-c", "-e", "--eval", "-") if word in call.words), "")
        return f"{program} {flag}".strip(), [], False
    first = operands[0]
    if first == "-" or not first.literal:
        return f"{program} {'-' if first == '-' else '<var>'}", [], False
    name = _script_path(call, first)
    rest = operands[1:]
    head = f"{program} {name}"
    if name.rpartition("/")[2] in _VERBS and rest and _is_verb(rest[0]):
        return f"{head} {rest[0]}", rest[1:], True
    return head, rest, True


def _program_name(call: Call) -> str:
    """A tool by its name, a script of the project by its path."""
    first = call.words[0]
    program = call.program
    if program.startswith("python") and program[6:].replace(".", "").isdigit():
        program = "python"
    if "/" not in first or any(folder in first for folder in _TOOL_FOLDERS) or program in _VERBS:
        return program
    return "./" + _script_path(call, first).removeprefix("./")


def _script_path(call: Call, word: Word) -> str:
    """The path of a script relative to the project; of another absolute path the last two components."""
    path = call.path(word) if call.cwd is not None else None
    found = path or str(word)
    if found.startswith(("/", "~")):
        cwd = call.cwd or ""
        found = found[len(cwd) + 1 :] if cwd and found.startswith(cwd + "/") else "/".join(found.split("/")[-2:])
    return join_path("", found)


def _operand_shapes(operands: list[Word]) -> list[str]:
    shapes: list[str] = []
    for word in operands[:12]:
        shape = _operand_shape(word)
        if shape not in shapes and len(shapes) < 3:
            shapes.append(shape)
    return shapes


def _operand_shape(word: Word) -> str:
    if "::" in word:
        return "<node>"
    if "://" in word or word.startswith("git@"):
        return "<url>"
    if word == "***":
        return "<word>"
    if word.glob:
        return "<glob>"
    if word.replace(".", "", 1).isdigit():
        return "<n>"
    if not word.literal:
        return "<var>"
    return "<path>" if _is_path(word) else "<word>"


def _is_path(word: str) -> bool:
    if "/" in word or word in (".", ".."):
        return True
    name, dot, end = word.rpartition(".")
    return bool(dot and name and 0 < len(end) <= 5 and end.isalnum() and not end.isdigit())


def _is_verb(word: Word) -> bool:
    return (
        word.literal
        and len(word) <= 30
        and not _is_path(word)
        and word.replace("-", "").replace("_", "").replace(":", "").isalnum()
        and not word.isdigit()
    )


def _list_flags(call: Call) -> list[str]:
    flags: set[str] = set()
    for word in call.words[1:]:
        if word == "--":
            break
        if len(word) > 1 and word[0] == "-" and word.literal and word[1] not in "0123456789.":
            flags.add(str(word.partition("=")[0]))
    return sorted(flag for flag in flags - _NO_MATTER if len(flag) <= 30)[:MAX_FLAGS]
