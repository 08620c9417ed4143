"""Removes wrappers from calls: sudo, env, timeout, nohup, npx, `uv run`, `python -m`, …

evaluator.py → [this, when a program is a known wrapper] → the wrapped call
A *wrapper* is replaced by the call that it wraps, and is kept in `call.wrappers`. A program that runs *nested commands*
(ssh, sh -c, find; nested_commands.py) stays a separate call, and its `inner` calls follow it in the list.
"""

from __future__ import annotations

from hookwright.shell.call import Call, Word, slice_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

MAX_WRAPPERS = 12  # around one call

# Wrappers of the form `name [options] [fixed operands] command…`: number of these operands, options with a value.
PLAIN = {
    "sudo": (
        0,
        (
            "-u -g -h -p -C -r -t -T -U -D -R --user --group --host --prompt --close-from --role --type "
            "--chdir --chroot --other-user --command-timeout"
        ),
    ),
    "doas": (0, "-u -C"),
    "nohup": (0, ""),
    "setsid": (0, ""),
    "nice": (0, "-n --adjustment"),
    "ionice": (0, "-c -n -p -P -u --class --classdata"),
    "stdbuf": (0, "-i -o -e --input --output --error"),
    "time": (0, "-f -o --format --output"),
    "gtime": (0, "-f -o --format --output"),
    "timeout": (1, "-s -k --signal --kill-after"),
    "gtimeout": (1, "-s -k --signal --kill-after"),
    "builtin": (0, ""),
    "noglob": (0, ""),
    "nocorrect": (0, ""),
    "chroot": (1, "--userspec --groups"),
    "unshare": (0, "-S -G -R -w --setuid --setgid --root --wd --propagation"),
    "nsenter": (0, "-t -S -G --target --setuid --setgid"),
    "taskset": (1, ""),
    "chrt": (1, "-T -P -D"),
    "prlimit": (0, "-p -o --pid --output"),
    "strace": (0, "-e -o -p -s -u -a -E -I -O -P -S -X"),
    "ltrace": (0, "-e -o -p -s -u -a -n -l -x"),
    "valgrind": (0, ""),
    "catchsegv": (0, ""),
    "unbuffer": (0, ""),
    "rlwrap": (0, "-a -b -C -f -H -l -s -t"),
    "busybox": (0, ""),
    "toybox": (0, ""),
    "cross-env": (0, ""),
    "env-cmd": (0, "-f --file -e --environments -r --rc-file"),
    "faketime": (1, "-f"),
    "caffeinate": (0, "-t -w"),
    "systemd-run": (
        0,
        (
            "-u -p -H -M -E -t --unit --property --host --machine --setenv --description --slice --uid --gid "
            "--nice --working-directory --service-type --on-active --on-calendar"
        ),
    ),
    "gosu": (1, ""),
    "su-exec": (1, ""),
    "tini": (0, "-p -e"),
    "dumb-init": (0, "-r --rewrite"),
    "xvfb-run": (0, "-e -f -n -p -s -w --server-args --server-num --error-file --auth-file --wait"),
    "dbus-run-session": (0, "--config-file --dbus-daemon"),
    "firejail": (0, ""),
    "proxychains": (0, "-f"),
    "proxychains4": (0, "-f"),
    "torsocks": (0, "-u -p -a -P"),
    "retry": (0, "-t -d -m -x -n --times --delay --max"),
    "npx": (0, "-p -c --package --call -w --workspace"),
    "bunx": (0, "-p --package"),
    "pnpx": (0, "-p --package"),
    "uvx": (0, "--from --with --python -p --with-editable --with-requirements --index --index-url --extra-index-url"),
    "setarch": (1, ""),
    "arch": (0, "-arch -e -d"),
    "numactl": (0, "-N -m -C -i -p"),
    "ddtrace-run": (0, ""),
    "opentelemetry-instrument": (0, ""),
    "pyinstrument": (0, "-o --outfile -r --renderer"),
    "fakeroot": (0, "-l -s -i"),
    "eatmydata": (0, ""),
    "cpulimit": (0, "-l -p -e"),
    "setpriv": (0, ""),
    "chronic": (0, ""),
    "pkexec": (0, "--user"),
    "heaptrack": (0, "-o"),
    "linux32": (0, ""),
    "linux64": (0, ""),
    "winpty": (0, ""),
    "lvm": (0, ""),
}

# Runners that need a verb before the command: `uv run [options] command…`.
RUNNERS = {
    "poetry": ("run", "-C -P --directory --project"),
    "pipenv": ("run", ""),
    "pdm": ("run", "-p --project -s --site-packages"),
    "hatch": ("run", "-e --env -p --project --data-dir --cache-dir --config"),
    "rye": ("run", "--pyproject"),
    "pixi": ("run", "-e --environment --manifest-path"),
    "bundle": ("exec", "--gemfile"),
    "conda": ("run", "-n -p --name --prefix --cwd"),
    "mamba": ("run", "-n -p --name --prefix --cwd"),
    "micromamba": ("run", "-n -p --name --prefix --cwd"),
    "pipx": ("run", "--spec --python --index-url --pip-args"),
    "direnv": ("exec", ""),
    "mise": ("exec x", "-C --cd -j --jobs"),
    "asdf": ("exec", ""),
    "rbenv": ("exec", ""),
    "pyenv": ("exec", ""),
    "nodenv": ("exec", ""),
    "volta": ("run", "--node --npm --yarn --pnpm"),
    "fnm": ("exec", "--using"),
    "op": ("run", "--env-file --account"),
    "doppler": ("run", "-p -c -t --project --config --token --command"),
    "aws-vault": ("exec", "-d --duration --region -t"),
    "chamber": ("exec", "-b -r"),
    "infisical": ("run", "--env --path --projectId --token"),
    "pnpm": ("exec dlx", "-C --dir --filter -F --package"),
    "yarn": ("exec dlx", "--cwd -p --package"),
    "npm": ("exec x", "-p -c --package --call --prefix -C -w --workspace"),
    "bun": ("x", "--cwd -p --package"),
    "uv": (
        "run",
        (
            "-p -m --module --python --with --with-editable --with-requirements --extra --group --only-group "
            "--no-group --project --directory --env-file --package --index --index-url --default-index "
            "--extra-index-url"
        ),
    ),
    "corepack": ("pnpm yarn npm", ""),
    "nsys": ("profile", "-o -t -s -c -y -d --output --trace --duration --delay"),
    "newrelic-admin": ("run-program", ""),
    "dotenvx": ("run", "-f --env-file -e --env"),
    "memray": ("run", "-o --output"),
    "mprof": ("run", "-T --interval"),
    "devbox": ("run", "-c --config -e --env"),
    "perf": ("stat record", "-e -o -F -p -c -C --call-graph"),
    "nix": ("develop shell run", ""),
}

# Operands between the verb and the command: `aws-vault exec PROFILE -- command`, `direnv exec DIR command`.
EXTRA_OPERANDS = {"aws-vault": 1, "chamber": 1, "direnv": 1}
# Runners whose command is what follows `--`.
DASHED = frozenset(("mise", "op", "doppler", "aws-vault", "chamber", "infisical"))
# Options that change the folder of what is run.
FOLDER_OPTIONS = {
    "pnpm": ("-C", "--dir"),
    "npm": ("-C", "--prefix"),
    "yarn": ("--cwd",),
    "bun": ("--cwd",),
    "uv": ("--directory",),
    "poetry": ("-C", "--directory"),
    "mise": ("-C", "--cd"),
    "conda": ("--cwd",),
}

# Without a command these read commands from their standard input, as a shell does.
STDIN_SHELLS = frozenset(("sudo", "doas", "su", "runuser", "chroot", "nsenter", "unshare", "at", "batch"))
# Runners of tools, which may also run a project script or a shell text (-c).
TOOLS = frozenset("npx bunx pnpx uvx npm pnpm yarn bun pdm hatch poetry pipenv rye pixi".split())


def remove_wrapper(call: Call) -> Call:
    """The call without its outermost wrapper; the same call when nothing is wrapped."""
    program = call.program
    words = call.words
    plain = PLAIN.get(program)
    if plain is not None:
        start = skip_options(words, 1, plain[1].split())
        if (
            program == "sudo"
            and start > 1
            and any(word in {"-l", "-v", "-e", "-k", "-K", "--list", "--validate", "--edit"} for word in words[1:start])
        ):
            return call
        start = start + plain[0]
        if start < len(words) and words[start] == "--":
            start += 1
        return take_inner_call(call, start)
    runner = RUNNERS.get(program)
    if runner is not None:
        return remove_runner(call, *runner)
    return call


def take_inner_call(call: Call, start: int) -> Call:
    """The call that begins at words[start]; assignments there become its environment."""
    words = call.words
    env = call.env
    end = start
    while start < len(words) and is_assignment(words[start]):
        if env is call.env:
            env = dict(env)
        name, _, _ = words[start].partition("=")
        env[name] = slice_from(words[start], len(name) + 1)
        start += 1
    if start >= len(words):
        return call
    return replace_call(call, words[start:], words[:end], env)


def replace_call(
    call: Call, words: Sequence[Word], wrapper: Sequence[Word], env: dict[str, Word] | None = None
) -> Call:
    """A call in the place of its wrapper."""
    found = Call(words, call.place, call.cwd)
    found.env = call.env if env is None else env
    found.redirects = call.redirects
    found.joiner = call.joiner
    found.wrappers = (*call.wrappers, Call(wrapper, call.place, call.cwd))
    return found


def is_assignment(word: Word) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def skip_options(words: Sequence[Word], start: int, valued: Sequence[str]) -> int:
    """The index of the first word that is not an option; `--` is skipped."""
    index = start
    while index < len(words):
        word = words[index]
        if word[:1] != "-" or word == "-":
            return index
        if word == "--":
            return index + 1
        index += 2 if word in valued or (len(word) > 2 and cluster_takes_value(word, valued)) else 1
    return index


def cluster_takes_value(word: str, valued: Sequence[str]) -> bool:
    """Whether the last flag of a cluster such as `-iu` takes the next word; in `-uroot` the value is attached."""
    if word[1] == "-":
        return False
    for index in range(1, len(word)):
        if "-" + word[index] in valued:
            return index == len(word) - 1
    return False


def remove_runner(call: Call, verbs: str, valued: str) -> Call:
    """The call wrapped by `uv run [options] …`, `pnpm -C x exec …`, `mise exec tool -- …`."""
    words = call.words
    takes = valued.split()
    start = skip_options(words, 1, takes)
    if start >= len(words) or words[start] not in verbs.split():
        return call
    program = call.program
    index = find_command_start(program, words, start, takes)
    if index >= len(words):
        return call
    found = take_inner_call(call, index)
    if found is call:
        return call
    name = found.words[0]
    if program == "hatch" and ":" in name:
        found = replace_call(call, [slice_from(name, name.index(":") + 1), *found.words[1:]], words[:index])
    if program in FOLDER_OPTIONS:
        folder = found.wrappers[-1].option(*FOLDER_OPTIONS[program])
        if folder is not None:
            found.cwd = call.path(folder)
    return found


def find_command_start(program: str, words: Sequence[Word], start: int, takes: list[str]) -> int:
    """The index of the command after the runner's verb at `start`; the number of words when there is none."""
    if program == "corepack":
        return start
    if program in DASHED and "--" in words:
        return list(words).index(Word("--")) + 1
    if program in {"uv", "nix"}:
        for index in range(start + 1, len(words) - 1):
            if words[index] in {"-m", "--module"} if program == "uv" else words[index] in {"-c", "--command"}:
                return index + 1
            if program == "uv" and words[index][:1] != "-":
                break
        if program == "nix":
            return len(words)
    index = skip_options(words, start + 1, takes) + EXTRA_OPERANDS.get(program, 0)
    return index + 1 if index < len(words) and words[index] == "--" else index


def strip_version(call: Call, found: Call) -> Call:
    """`prisma@5` → `prisma`; `@scope/tool@1` → `tool`."""
    if found is call:
        return call
    at = found.words[0].rfind("@")
    if at > 0:
        found.words = [slice_until(found.words[0], at), *found.words[1:]]
        found.program = found.words[0].rpartition("/")[2]
    return found


def slice_until(word: Word, end: int) -> Word:
    rest = Word(word[:end])
    if word.__dict__:
        rest.__dict__.update(word.__dict__)
    return rest


# -- wrappers with special syntax --------------------------------------------------------------------------------------


def remove_env(call: Call) -> Call:
    words = call.words
    valued = ("-u", "-C", "-S", "--unset", "--chdir", "--split-string")
    start = skip_options(words, 1, valued)
    while start < len(words) and words[start] == "-":  # short for -i
        start = skip_options(words, start + 1, valued)
    text = None
    for index in range(1, min(start, len(words))):
        word = words[index]
        if word in {"-S", "--split-string"} and index + 1 < len(words):
            text = words[index + 1]
        elif word.startswith("-S") and len(word) > 2:
            text = slice_from(word, 2)
        elif word.startswith("--split-string="):
            text = slice_from(word, 15)
        elif word in {"-C", "--chdir"} and index + 1 < len(words):
            call.cwd = call.path(words[index + 1])
    if text is not None:
        split = [Word(piece) for piece in text.split()]
        return take_inner_call(replace_call(call, [words[0], *split, *words[start:]], words[:1]), 1)
    return take_inner_call(call, start)


def remove_command(call: Call) -> Call:
    """`command x` runs x; `command -v x` only looks it up."""
    start = skip_options(call.words, 1, ())
    if any("v" in word or "V" in word for word in call.words[1:start] if word != "--"):
        return call
    return take_inner_call(call, start)


def remove_exec(call: Call) -> Call:
    return take_inner_call(call, skip_options(call.words, 1, ("-a",)))


def remove_dotenv(call: Call) -> Call:
    """`dotenv -f .env run -- command` (Python's) and `dotenv -e .env -- command` (Node's)."""
    words = call.words
    start = skip_options(words, 1, ("-f", "-e", "-v", "-c", "--file", "--export"))
    if start < len(words) and words[start] in {"run", "get", "set", "list", "unset"}:
        if words[start] != "run":
            return call
        start = skip_options(words, start + 1, ())
    return take_inner_call(call, start)


def remove_python(call: Call) -> Call:
    """`python -m tool` is the tool."""
    words = call.words
    for index in range(1, len(words) - 1):
        word = words[index]
        if word == "-m":
            return replace_call(call, words[index + 1 :], words[: index + 1])
        if word[:1] != "-" or word == "-" or word == "-c":
            return call
    return call


def remove_uv(call: Call) -> Call:
    words = call.words
    if len(words) > 3 and words[1] == "tool" and words[2] == "run":
        return strip_version(call, take_inner_call(call, skip_options(words, 3, PLAIN["uvx"][1].split())))
    return remove_wrapper(call)


REMOVERS: dict[str, Callable[[Call], Call]] = {
    "env": remove_env,
    "command": remove_command,
    "exec": remove_exec,
    **dict.fromkeys(("dotenv", "dotenv-cli"), remove_dotenv),
    "uv": remove_uv,
    **dict.fromkeys(("python", "python2", "python3", "py", "pypy", "pypy3"), remove_python),
    **{f"python3.{minor}": remove_python for minor in range(9, 15)},
}
