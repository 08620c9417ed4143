"""Call: one program call of a command line, and its context (pipeline, loop, branch, function, substitution).

fast_parser.py, evaluator.py → [Call] → rules, duration classes
The tables say which programs run other programs, and which options in front of a verb take a value.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Protocol

    from hookwright.shell.redirects import Loop, Redirect

    class ScriptResolver(Protocol):
        """Looks up what a project script runs; project_scripts.find_script.Project is one."""

        def resolve_task(self, call: Call, home: str = "") -> Sequence[tuple[str, str]]:
            """The texts that the call runs, each with its folder; empty when unknown."""


# Programs that run another one; wrappers.py and nested_commands.py say how. WRAPPERS always do, WRAPPING_WORDS when one
# of these words is an argument.
WRAPPERS = frozenset(
    (
        "sudo doas env nohup time gtime nice ionice stdbuf setsid command builtin noglob nocorrect exec xargs "
        "timeout gtimeout watch sh bash zsh dash ksh ash fish eval source . trap npx bunx pnpx uvx corepack ssh "
        "mksh rbash csh tcsh xonsh yash dotenv dotenv-cli env-cmd "
        "parallel chroot unshare nsenter taskset chrt prlimit strace ltrace valgrind catchsegv script unbuffer "
        "rlwrap busybox toybox cross-env faketime caffeinate systemd-run su runuser sg gosu su-exec tini "
        "dumb-init flock hyperfine xvfb-run dbus-run-session firejail proxychains proxychains4 torsocks retry "
        "nix-shell arch setarch linux32 linux64 winpty lvm screen tmux at batch numactl ddtrace-run "
        "opentelemetry-instrument pyinstrument fakeroot eatmydata cpulimit setpriv chronic pkexec heaptrack"
    ).split()
)
WRAPPING_WORDS = {
    "python": ("-m",),
    "python3": ("-m",),
    "py": ("-m",),
    "pypy": ("-m",),
    "python2": ("-m",),
    "pypy3": ("-m",),
    "python3.9": ("-m",),
    "python3.10": ("-m",),
    "python3.11": ("-m",),
    "python3.12": ("-m",),
    "python3.13": ("-m",),
    "python3.14": ("-m",),
    "find": (
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
    ),
    "gfind": (
        "-exec",
        "-execdir",
        "-ok",
        "-okdir",
    ),
    "fd": (
        "-x",
        "-X",
        "--exec",
        "--exec-batch",
    ),
    "fdfind": (
        "-x",
        "-X",
        "--exec",
        "--exec-batch",
    ),
    "docker": (
        "exec",
        "run",
    ),
    "podman": (
        "exec",
        "run",
    ),
    "nerdctl": (
        "exec",
        "run",
    ),
    "docker-compose": (
        "exec",
        "run",
    ),
    "podman-compose": (
        "exec",
        "run",
    ),
    "kubectl": ("exec", "--"),
    "oc": ("exec", "--"),
    "npm": (
        "exec",
        "x",
    ),
    "pnpm": (
        "exec",
        "dlx",
    ),
    "yarn": (
        "exec",
        "dlx",
    ),
    "bun": ("x",),
    "uv": ("run",),
    "poetry": ("run",),
    "pipenv": ("run",),
    "pdm": ("run",),
    "hatch": ("run",),
    "rye": ("run",),
    "pixi": ("run",),
    "conda": ("run",),
    "mamba": ("run",),
    "micromamba": ("run",),
    "pipx": ("run",),
    "volta": ("run",),
    "op": ("run",),
    "doppler": ("run",),
    "infisical": ("run",),
    "bundle": ("exec",),
    "direnv": ("exec",),
    "asdf": ("exec",),
    "rbenv": ("exec",),
    "pyenv": ("exec",),
    "nodenv": ("exec",),
    "fnm": ("exec",),
    "aws-vault": ("exec",),
    "chamber": ("exec",),
    "mise": (
        "exec",
        "x",
    ),
    "perf": (
        "stat",
        "record",
    ),
    "nsys": ("profile",),
    "newrelic-admin": ("run-program",),
    "dotenvx": ("run",),
    "memray": ("run",),
    "mprof": ("run",),
    "devbox": ("run",),
    "nix": (
        "-c",
        "--command",
    ),
}
# Programs that run tasks of the project; looked up only if the command has a ScriptResolver.
SCRIPTED = frozenset(
    (
        "npm pnpm yarn bun deno composer run-s run-p npm-run-all npm-run-all2 concurrently make gmake just "
        "tox nox poe task pdm hatch pipenv rye pixi"
    ).split()
)

# Reserved words: they begin or end a compound command, not a simple one.
# Ends of a problem that mean: the rest was not read, so it may be anything.
TOO_DEEP = "nested too deeply"
TOO_LONG = "too long to be read"
KEYWORDS = frozenset(
    "if then else elif fi for while until do done case esac select function time coproc { } ! [[ ]]".split()
)

# A text with one of these needs the grammar; without, fast_parser.py parses lists of plain calls.
HARD = frozenset("\r\0'\"\\$`(){}#~*?[!")

# Options before a subcommand that take the next word as their value, so that it is not mistaken for the verb.
VALUED = {
    "git": "-C -c --git-dir --work-tree --namespace --exec-path --super-prefix --config-env --attr-source",
    "docker": "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey",
    "docker compose": "-f --file -p --project-name --profile --project-directory --env-file --ansi --progress",
    "docker-compose": "-f --file -p --project-name --profile --project-directory --env-file --ansi --parallel",
    "podman": "-c --connection --url --identity --log-level --root --runroot --storage-driver",
    "kubectl": "-n --namespace --context --kubeconfig --cluster --user -s --server --token --as --as-group -v",
    "oc": "-n --namespace --context --kubeconfig --cluster --user -s --server --token --as --as-group",
    "helm": "-n --namespace --kube-context --kubeconfig --registry-config --repository-cache",
    "npm": "--prefix -C -w --workspace --loglevel --userconfig --registry --cache",
    "pnpm": "-C --dir --filter -F --filter-prod --reporter --loglevel",
    "yarn": "--cwd --mutex --cache-folder --modules-folder",
    "bun": "--cwd -F --filter --config -c",
    "cargo": "-C --config -Z --color --manifest-path",
    "make": "-C -f -I -o -W -j --directory --file --makefile --include-dir --jobs",
    "gmake": "-C -f -I -o -W -j --directory --file --makefile",
    "just": "-f -d --justfile --working-directory --set --shell",
    "go": "-C",
    "terraform": "-chdir",
    "aws": "--profile --region --output --endpoint-url --query --ca-bundle --color",
    "gcloud": "--project --account --configuration --format --verbosity --impersonate-service-account --zone --region",
    "az": "--subscription --output -o --query",
    "gh": "-R --repo --hostname",
    "poetry": "-C -P --directory --project",
    "uv": "--project --directory --config-file --cache-dir --color --python",
    "pip": "--proxy --timeout --cache-dir --log --python --retries --trusted-host --cert",
    "systemctl": "-H -M -t -p -n -o --host --machine --type --property --lines --output",
    "mvn": "-f -pl -P -s -T -gs --file --projects --activate-profiles --settings --threads",
    "gradle": "-p -b -c -I -g --project-dir --build-file --settings-file --init-script --max-workers",
    "gradlew": "-p -b -c -I -g --project-dir --build-file --settings-file --init-script --max-workers",
    "pulumi": "-C -s --cwd --stack --color",
    "heroku": "-a --app -r --remote",
    "flyctl": "-a --app -c --config",
    "fly": "-a --app -c --config",
    "vercel": "-t -S --token --scope --cwd -A --local-config",
    "systemd-run": "-u -p",
    "bundle": "--gemfile",
    "mise": "-C --cd",
    "nx": "--project",
    "turbo": "--filter --cwd --token --team --api",
    "ansible-playbook": "-i -l -e -u -f -t --inventory --limit --extra-vars --user --forks --tags",
    "psql": "-h -p -U -d -c -f -v -o -P -F -R -T --host --port --username --dbname --command --file --set",
    "mysql": "-h -P -u -D -e -S --host --port --user --database --execute --socket",
    "redis-cli": "-h -p -a -n -u -s -r -i --user --pass",
}


class Word(str):  # noqa: SLOT000 - defaults are on the class; only a special word has instance attributes
    """A word as the program receives it; an unknown part stays as written (`$X/log`)."""

    literal: bool = True  # no part of it is unknown
    quoted: bool = False  # at least partly quoted
    glob: bool = False  # holds an unquoted glob pattern: the shell replaces it by file names
    home: bool = False  # its `~` is the home folder (also written $HOME)
    ran: tuple[str, ...] = ()  # the substitutions in it whose output is unknown

    @property
    def is_integer(self) -> bool:
        return is_integer(self)


class CallContext:
    """Where a call is: pipeline, loop, branch, function, substitution; shared by all calls of one list."""

    __slots__ = (
        "background",
        "branch",
        "depth",
        "function",
        "loop",
        "outer",
        "owner",
        "pipe",
        "quoted",
        "redirects",
        "remote",
        "stage",
        "substitution",
        "timeout_s",
    )

    def __init__(self, base: CallContext | None = None) -> None:
        if base is None:
            self.background = False
            self.branch: tuple[str, ...] = ()
            self.depth = 0
            self.function = ""
            self.loop: Loop | None = None
            self.outer: Call | None = None
            self.owner: Call | None = None
            self.pipe: list[list[Call]] | None = None
            self.quoted = False
            self.redirects: tuple[Redirect, ...] = ()
            self.remote: tuple[str, str] | None = None
            self.stage = 0
            self.substitution = ""
            self.timeout_s: float | None = None
        else:
            self.background = base.background
            self.branch = base.branch
            self.depth = base.depth
            self.function = base.function
            self.loop = base.loop
            self.outer = base.outer
            self.owner = base.owner
            self.pipe = base.pipe
            self.quoted = base.quoted
            self.redirects = base.redirects
            self.remote = base.remote
            self.stage = base.stage
            self.substitution = base.substitution
            self.timeout_s = base.timeout_s


TOP = CallContext()


def make_nested_context(call: Call, *, remote: tuple[str, str] | None = None) -> CallContext:
    """The context of the commands nested in a call."""
    place = CallContext(call.place)
    place.outer = call
    place.depth += 1
    place.timeout_s = call.timeout_s
    place.pipe = None
    if remote is not None:
        place.remote = remote
    return place


class Call:
    """One call of a program; its wrappers are removed and kept in `wrappers`."""

    __slots__ = ("cwd", "env", "inner", "joiner", "place", "program", "redirects", "words", "wrappers")

    def __init__(self, words: Sequence[Word], place: CallContext, cwd: str | None) -> None:
        self.words = words
        self.place = place
        self.cwd = cwd  # where it runs: absolute, `~/…`, or relative to the start (`.`); None when unknown
        self.env: dict[str, Word] = EMPTY  # assignments in front of it
        self.redirects: Sequence[Redirect] = place.redirects
        self.wrappers: tuple[Call, ...] = ()  # outermost first: sudo, timeout 5, …
        self.inner: Sequence[Call] = ()  # its nested commands: sh -c '…', find -exec, npm run …
        self.joiner = ""  # the operator before it in its list: "", "&&", "||"
        first = words[0] if words else ""
        self.program: str = first.rpartition("/")[2] if "/" in first else first

    def __repr__(self) -> str:
        return f"Call({' '.join(self.words)!r})"

    def wraps(self, scripts: ScriptResolver | None) -> bool:
        """Whether it runs another program, which has to be found in its words or in the project's files."""
        program = self.program
        if program in WRAPPERS:
            return True
        if program in WRAPPING_WORDS:
            words = self.words
            for word in WRAPPING_WORDS[program]:
                if word in words:
                    return True
        return scripts is not None and program in SCRIPTED

    def derive_word(self, text: str, parts: Sequence[Word]) -> Word:
        """A word made of these parts, and as well known as they are."""
        word = Word(text)
        for part in parts:
            if not part.literal or part.glob:
                word.literal = False
            if part.home:
                word.home = True
        return word

    # -- words ---------------------------------------------------------------------------------------------------

    @property
    def args(self) -> Sequence[Word]:
        return self.words[1:]

    @property
    def text(self) -> str:
        return " ".join(self.words)

    @property
    def literal(self) -> bool:
        """Whether no word has an unknown part."""
        return all(word.literal for word in self.words)

    def has_flag(self, *flags: str) -> bool:
        """Whether one of the flags is given before `--`: `-f` also inside `-rf`, `--force` also as `--force=x`."""
        for word in self.words[1:]:
            if word[:1] != "-" or word == "-":
                continue
            if word in flags:
                return True
            if word == "--":
                return False
            if word[1] == "-":
                if "=" in word and word.partition("=")[0] in flags:
                    return True
            else:
                for flag in flags:
                    if len(flag) == 2 and flag[1] in word and word.partition("=")[0][1:].isalnum():
                        return True
                    if len(flag) > 2 and flag[1] != "-" and word.startswith(flag + "="):
                        return True
        return False

    def option(self, *names: str) -> Word | None:
        """The first value given to one of the options: `-C x`, `-Cx`, `--cwd x`, `--cwd=x`."""
        values = self.options(*names)
        return values[0] if values else None

    def options(self, *names: str) -> list[Word]:
        """All values given to these options, in order."""
        found = []
        words = self.words
        for index in range(1, len(words)):
            word = words[index]
            if word[:1] != "-":
                continue
            if word == "--":
                break
            if word in names:
                if index + 1 < len(words):
                    found.append(words[index + 1])
                continue
            for name in names:
                if word.startswith(name):
                    if word[len(name)] == "=":
                        found.append(slice_from(word, len(name) + 1))
                    elif len(name) == 2 and name[1] != "-":
                        found.append(slice_from(word, 2))
        return found

    def operands(self, *valued: str) -> list[Word]:
        """The arguments that are not options; `valued` names further options whose value is the next word."""
        found: list[Word] = []
        program = self.program
        words = self.words
        takes = (*VALUED.get(program, "").split(), *valued)
        skip = False
        for index in range(1, len(words)):
            word = words[index]
            if skip:
                skip = False
            elif word[:1] != "-" or word == "-":
                found.append(word)
                if len(found) < 3:  # after the verb, the verb's own options apply
                    more = VALUED.get(program + " " + word)
                    takes = valued if more is None else (*more.split(), *valued)
            elif word == "--":
                found.extend(words[index + 1 :])
                break
            elif word in takes:  # `make -j test`: -j takes a number only
                skip = word != "-j" or (index + 1 < len(words) and words[index + 1].isdigit())
        return found

    @property
    def verb(self) -> str:
        """The subcommand: the first operand (`git -C x push` → push), or ''."""
        words = self.words
        if len(words) < 2:
            return ""
        if words[1][:1] != "-":
            return words[1]
        operands = self.operands()
        return operands[0] if operands else ""

    def is_(self, program: str, *verbs: str) -> bool:
        """Whether it calls this program with these first operands: `call.is_("docker", "compose", "up")`."""
        if self.program != program:
            return False
        if not verbs:
            return True
        if len(verbs) == 1:
            return self.verb == verbs[0]
        return tuple(self.operands()[: len(verbs)]) == verbs

    def path(self, word: Word) -> str | None:
        """The path that a word names, seen from `cwd`, `..` resolved; None when unknown. Glob patterns stay in it."""
        if not word.literal:
            return None
        if word[:1] == "/" or (word.home and word[:1] == "~"):
            return join_path("", word)
        if self.cwd is None:
            return None
        return join_path(self.cwd, word if word[:1] != "~" else "./" + word)

    # -- context ------------------------------------------------------------------------------------------------

    @property
    def background(self) -> bool:
        """Whether it, or a group around it, is started with `&`."""
        return self.place.background

    @property
    def foreground(self) -> bool:
        return not self.place.background

    @property
    def loop(self) -> Loop | None:
        """The innermost loop around it."""
        return self.place.loop

    @property
    def times(self) -> float:
        """How often it runs: the product of the iterations of all loops around it; an unknown number counts as one."""
        times = 1.0
        loop = self.place.loop
        while loop is not None:
            if loop.endless:
                return float("inf")
            if not loop.unrolled and loop.count is not None:
                times *= loop.count
            loop = loop.outer
        return times

    @property
    def branch(self) -> tuple[str, ...]:
        """Why it may not run, outermost first: `if`, `else`, `case`, `||`, `while`, `function` (never called)."""
        return self.place.branch

    @property
    def depth(self) -> int:
        """How many shells deep it is nested: subshells, substitutions, `sh -c`."""
        return self.place.depth

    @property
    def function(self) -> str:
        """The function in whose body it is, or ''."""
        return self.place.function

    @property
    def substitution(self) -> str:
        """The substitution that it is in: '' (none), '$(', '`', '<(' or '>('."""
        return self.place.substitution

    @property
    def quoted(self) -> bool:
        """Whether its substitution is inside double quotes (it runs all the same)."""
        return self.place.quoted

    @property
    def owner(self) -> Call | None:
        """The call whose word holds the substitution."""
        return self.place.owner

    @property
    def outer(self) -> Call | None:
        """The call that this one is nested in: `ssh`, `sh -c`, `find -exec`, `npm run`."""
        return self.place.outer

    @property
    def remote(self) -> tuple[str, str] | None:
        """Where it runs, if not here: ("ssh", host), ("docker", container), …"""
        return self.place.remote

    def under(self, *programs: str) -> Call | None:
        """The wrapper of that name around it: `call.under("sudo")`."""
        for wrapper in self.wrappers:
            if wrapper.program in programs:
                return wrapper
        outer = self.place.outer
        if outer is None:
            return None
        return outer if outer.program in programs else outer.under(*programs)

    @property
    def timeout_s(self) -> float | None:
        """The shortest `timeout` around it, in seconds."""
        limit = self.place.timeout_s
        for wrapper in self.wrappers:
            if wrapper.program in {"timeout", "gtimeout"}:
                seconds = parse_duration(wrapper.operands("-s", "--signal", "-k", "--kill-after"))
                if seconds is not None and (limit is None or seconds < limit):
                    limit = seconds
        return limit

    # -- input and output ----------------------------------------------------------------------------------------

    @property
    def producers(self) -> list[Call]:
        """The calls of the stage before it in the pipeline."""
        place = self.place
        return place.pipe[place.stage - 1] if place.pipe is not None and place.stage else []

    @property
    def consumers(self) -> list[Call]:
        """The calls of the stage after it in the pipeline."""
        place = self.place
        if place.pipe is None or place.stage + 1 >= len(place.pipe):
            return []
        return place.pipe[place.stage + 1]

    @property
    def pipeline(self) -> list[list[Call]]:
        """All stages of its pipeline, each with its calls; empty when it stands alone."""
        return self.place.pipe or []

    @property
    def writes(self) -> list[Word]:
        """The files that its redirections write."""
        return [redirect.target for redirect in self.redirects if redirect.writes]

    @property
    def stdin_text(self) -> Word | None:
        """Its standard input, if the command itself contains it: here-document, here-string, literal `echo … |`."""
        for redirect in reversed(self.redirects):
            if redirect.fd in {"", "0"} and redirect.op[0] == "<":
                return redirect.text
        producers = self.producers
        if len(producers) != 1:
            return None
        from hookwright.shell.simulated_output import predict_stdout

        return predict_stdout(producers[0])


EMPTY: dict[str, Word] = {}


# -- small functions on words, paths and durations ---------------------------------------------------------------------


def slice_from(word: Word, start: int) -> Word:
    """The word from `start` on, with its attributes."""
    rest = Word(word[start:])
    if word.__dict__:
        rest.__dict__.update(word.__dict__)
    return rest


def join_path(base: str, path: str) -> str:
    """`path` seen from `base`, which is normalized, with `.` and `..` resolved lexically."""
    if "." not in path and base and base != "." and path[:1] not in {"/", "~"} and "//" not in path and path:
        return (base if base != "/" else "") + "/" + path.rstrip("/")
    whole = path if path[:1] in {"/", "~"} or base in {"", "."} else base + "/" + path
    root = "/" if whole[:1] == "/" else ""
    steps: list[str] = []
    for step in whole.split("/"):
        if step == "" or step == ".":
            continue
        if step == ".." and steps and steps[-1] != ".." and steps[-1][:1] != "~":
            steps.pop()
        elif step != ".." or not root:
            steps.append(step)
    return root + "/".join(steps) or "."


UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def parse_duration(words: Sequence[str]) -> float | None:
    """Seconds of the first word, in the syntax of sleep and timeout: 90, 1.5m, 2h, infinity."""
    if not words:
        return None
    word = words[0]
    unit = UNITS.get(word[-1:], 0.0)
    number = word[:-1] if unit else word
    try:
        return float(number) * (unit or 1.0)
    except ValueError:
        return None


# Characters that need no quotes.
SAFE = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=@,+%")


def quote_words(words: Sequence[Word]) -> str:
    """These words as shell text, each with a blank in front, to append to a script."""
    out = []
    for word in words:
        if not word.literal or (word and SAFE.issuperset(word)) or (word.glob and "'" not in word and " " not in word):
            out.append(str(word))
        else:
            out.append("'" + word.replace("'", "'\\''") + "'")
    return "".join([" " + word for word in out])


def is_integer(text: str) -> bool:
    """Whether it is a decimal integer of a size that shell arithmetic takes."""
    digits = text[1:] if text[:1] in {"-", "+"} else text
    return digits.isascii() and digits.isdigit() and len(digits) < 19
