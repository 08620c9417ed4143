"""Wrappers removed to the real call: sudo, env, timeout, xargs, `sh -c`, npx, docker exec, ssh, find -exec, …

walk.py → [this, when a program is a known wrapper] → Command.calls
Two kinds: a *wrapper* disappears and stays readable in `call.wrappers`; a *carrier* (ssh, sh -c, find) is a call of
its own and its `inner` calls follow it in the list.
"""

from __future__ import annotations

from hookwright.shell.command import Call, Loop, Place, Word, part
from hookwright.shell.walk import MOST_STEPS, Scope, bind

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookwright.shell.walk import Walker

DEEPEST = 12  # wrappers around one call
UNROLLED = 64  # literal words that xargs or parallel hand over one by one
PYTHONS = ("python", "python3", "py", "pypy", "pypy3", *(f"python3.{minor}" for minor in range(9, 15)))
SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish"))

# Wrappers of the form `name [options] [fixed operands] command…`: operands before the command, options with a value.
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
    "linux32": (0, ""),
    "linux64": (0, ""),
    "winpty": (0, ""),
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
    "perf": ("stat record", "-e -o -F -g -p"),
    "nix": ("develop shell run", ""),
}

# Names after the verb that are no command yet: `aws-vault exec PROFILE -- command`, `direnv exec DIR command`.
EXTRA_OPERANDS = {"aws-vault": 1, "chamber": 1, "direnv": 1}
# Runners whose command stands after `--`, whatever comes before.
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

CONTAINER_VALUED = (
    "-a -c -e -h -l -m -p -u -v -w --add-host --annotation --attach --blkio-weight --cap-add "
    "--cap-drop --cgroup-parent --cgroupns "
    "--cidfile --cpu-period --cpu-quota --cpu-shares --cpus --cpuset-cpus --cpuset-mems --detach-keys --device --dns "
    "--dns-option --dns-search --domainname --entrypoint --env --env-file --expose --gpus --group-add --health-cmd "
    "--health-interval --health-retries --health-timeout --hostname --index --ip --ip6 --ipc "
    "--isolation --label --label-file --link "
    "--log-driver --log-opt --mac-address --memory --memory-reservation --memory-swap --mount --name --network --net "
    "--network-alias --oom-score-adj --pid --pids-limit --platform --publish --pull --restart --runtime --security-opt "
    "--shm-size --stop-signal --stop-timeout --storage-opt --sysctl --tmpfs --ulimit --user --userns --uts --volume "
    "--volume-driver --volumes-from --workdir --pod --secret --arch"
).split()
DOCKER_VALUED = "-H --host -c --context --config -l --log-level --tlscacert --tlscert --tlskey".split()
COMPOSE_VALUED = (
    "-f --file -p --project-name --profile --project-directory --env-file --ansi --parallel --progress".split()
)
KUBE_VALUED = (
    "-n --namespace --context --kubeconfig --cluster --user -s --server --token --as --as-group --request-timeout "
    "-c --container -f --filename --pod-running-timeout -v --cache-dir"
).split()
SSH_VALUED = "-b -c -D -E -e -F -I -i -J -L -l -m -O -o -P -p -Q -R -S -W -w -B".split()
XARGS_VALUED = (
    "-I -n -P -L -d -s -E -a -J -R -S --max-args --max-procs --max-lines --delimiter --max-chars "
    "--arg-file --process-slot-var"
).split()
PARALLEL_VALUED = (
    "-j --jobs -I -a --arg-file -d --delimiter -S --sshlogin --timeout --retries --delay --joblog "
    "--results --colsep -C -n -N "
    "--max-args -L --tagstring --halt --workdir --wd --env --block --memfree --load --progress-bar"
).split()


def unwrap(walker: Walker, call: Call, scope: Scope) -> None:
    """Adds the real call, and what it carries, to the walk."""
    for _ in range(DEEPEST):
        if not call.wraps(walker.command.scripts):
            break
        carrier = CARRIERS.get(call.program)
        if carrier is not None:
            found = carrier(walker, call, scope)
            if found is None:
                return
        else:
            found = removed(call)
        if found is call:
            break
        call = found
    walker.add(call, scope)


def removed(call: Call) -> Call:
    """The call without its outermost wrapper, or the same when there is nothing inside."""
    program = call.program
    words = call.words
    plain = PLAIN.get(program)
    if plain is not None:
        start = after_options(words, 1, plain[1].split())
        if (
            program == "sudo"
            and start > 1
            and any(word in {"-l", "-v", "-e", "-k", "-K", "--list", "--validate", "--edit"} for word in words[1:start])
        ):
            return call
        start = start + plain[0]
        if start < len(words) and words[start] == "--":
            start += 1
        return inside(call, start)
    runner = RUNNERS.get(program)
    if runner is not None:
        return run_verb(call, *runner)
    return call


def inside(call: Call, start: int) -> Call:
    """The call that begins at words[start], with assignments before it taken as its environment."""
    words = call.words
    env = call.env
    end = start
    while start < len(words) and assigns(words[start]):
        if env is call.env:
            env = dict(env)
        name, _, _ = words[start].partition("=")
        env[name] = part(words[start], len(name) + 1)
        start += 1
    if start >= len(words):
        return call
    return exchanged(call, words[start:], words[:end], env)


def exchanged(call: Call, words: Sequence[Word], wrapper: Sequence[Word], env: dict[str, Word] | None = None) -> Call:
    """The real call in the place of its wrapper."""
    found = Call(words, call.place, call.cwd)
    found.env = call.env if env is None else env
    found.redirects = call.redirects
    found.joiner = call.joiner
    found.wrappers = (*call.wrappers, Call(wrapper, call.place, call.cwd))
    return found


def assigns(word: Word) -> bool:
    name, equals, _ = word.partition("=")
    return bool(equals) and name.isidentifier()


def after_options(words: Sequence[Word], start: int, valued: Sequence[str]) -> int:
    """The index of the first word that is no option; `--` is passed over."""
    index = start
    while index < len(words):
        word = words[index]
        if word[:1] != "-" or word == "-":
            return index
        if word == "--":
            return index + 1
        index += 2 if word in valued or (len(word) > 2 and cluster_takes(word, valued)) else 1
    return index


def cluster_takes(word: str, valued: Sequence[str]) -> bool:
    """Whether the last flag of `-iu` takes the next word; in `-uroot` its value is attached."""
    if word[1] == "-":
        return False
    for index in range(1, len(word)):
        if "-" + word[index] in valued:
            return index == len(word) - 1
    return False


def run_verb(call: Call, verbs: str, valued: str) -> Call:
    """The call behind `uv run [options] …`, `pnpm -C x exec …`, `mise exec tool -- …`."""
    words = call.words
    takes = valued.split()
    start = after_options(words, 1, takes)
    if start >= len(words) or words[start] not in verbs.split():
        return call
    program = call.program
    index = command_start(program, words, start, takes)
    if index >= len(words):
        return call
    found = inside(call, index)
    if found is call:
        return call
    name = found.words[0]
    if program == "hatch" and ":" in name:
        found = exchanged(call, [part(name, name.index(":") + 1), *found.words[1:]], words[:index])
    if program in FOLDER_OPTIONS:
        folder = found.wrappers[-1].option(*FOLDER_OPTIONS[program])
        if folder is not None:
            found.cwd = call.path(folder)
    return found


def command_start(program: str, words: Sequence[Word], start: int, takes: list[str]) -> int:
    """Where the command begins after the runner's verb at `start`; the number of words when there is none."""
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
    index = after_options(words, start + 1, takes) + EXTRA_OPERANDS.get(program, 0)
    return index + 1 if index < len(words) and words[index] == "--" else index


# -- carriers --------------------------------------------------------------------------------------------------------


def within(call: Call, *, remote: tuple[str, str] | None = None) -> Place:
    """The place of what a call carries."""
    place = Place(call.place)
    place.outer = call
    place.depth += 1
    place.timeout_s = call.timeout_s
    place.pipe = None
    if remote is not None:
        place.remote = remote
    return place


def carry(walker: Walker, call: Call, scope: Scope, words: Sequence[Word], place: Place, inner_scope: Scope) -> None:
    """Adds a call and what a shell makes of the words that it hands over."""
    walker.add(call, scope)
    call.inner = walker.nested(" ".join([told(word) for word in words]), place, inner_scope)


def told(word: Word) -> str:
    """A word as text for another shell: what ran already, or is filled in later, stands there as a variable."""
    text = str(word)
    if not word.literal:
        for source in word.ran:
            text = text.replace(source, "$SUBSTITUTED", 1)
        text = text.replace("{}", "$ARGUMENT")
    return text


def carry_words(walker: Walker, call: Call, scope: Scope, words: Sequence[Word], place: Place, cwd: str | None) -> None:
    """Adds a call and the one that it starts with these words."""
    walker.add(call, scope)
    hand_over(walker, call, words, place, Scope(cwd, {}))


def hand_over(walker: Walker, call: Call, words: Sequence[Word], place: Place, inner: Scope) -> None:
    if not words or walker.shells >= DEEPEST:
        return
    first = len(walker.calls)
    walker.shells += 1
    found = Call(words, place, inner.cwd)
    found.redirects = call.redirects
    walker.emit(found, inner)
    walker.shells -= 1
    call.inner = [*call.inner, *walker.calls[first:]]


def shell_scope(call: Call, scope: Scope) -> Scope:
    """What a child shell knows: the folder, exported variables and those in front of its call."""
    variables = {name: scope.variables[name] for name in scope.exported if name in scope.variables}
    variables.update(call.env)
    return Scope(call.cwd, variables, scope.exported)


def shell(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`sh -c text`, or a shell that reads its commands from a here-document or a literal pipe."""
    words = call.words
    index = 1
    runs = False
    while index < len(words) and words[index][:1] in {"-", "+"} and words[index] != "-":
        word = words[index]
        index += 1
        if word == "--":
            break
        if word[:2] == "--":
            if word in {"--rcfile", "--init-file"}:
                index += 1
            elif word == "--command":
                runs = True
                break
            continue
        if "c" in word:
            runs = True
        if word[-1] in "oO":
            index += 1
    if runs:
        if index >= len(words):
            return call
        inner = shell_scope(call, scope)
        bind(inner.variables, words[index + 1 :])
        carry(walker, call, scope, words[index : index + 1], within(call), inner)
        return None
    if index >= len(words) or words[index] in {"-", "/dev/stdin"} or "-s" in words[1:index]:
        text = call.stdin_text
        if text is not None:
            carry(walker, call, scope, (text,), within(call), shell_scope(call, scope))
            return None
    elif walker.files and call.path(words[index]) in walker.files:
        run_file(walker, call, scope, words[index])
        return None
    return call


def run_file(walker: Walker, call: Call, scope: Scope, word: Word) -> None:
    """A file that this very command has written is run: read what it says, unless it is another language's."""
    path = call.path(word)
    text = walker.files.get(path) if path is not None else None
    if path is None or text is None or (text[:2] == "#!" and "sh" not in text.partition("\n")[0]):
        walker.add(call, scope)
        return
    del walker.files[path]  # meanwhile: a file may run itself
    inner = shell_scope(call, scope)
    bind(inner.variables, call.words[list(call.words).index(word) :])
    carry(walker, call, scope, (text,), within(call), inner)
    walker.files[path] = text


def eval_(walker: Walker, call: Call, scope: Scope) -> None:
    carry(walker, call, scope, call.words[1:], within(call), scope)


def source(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`source /dev/stdin` and `. <(…)`; a file stays a call."""
    if len(call.words) > 1 and call.words[1] in {"/dev/stdin", "-"}:
        text = call.stdin_text
        if text is not None:
            carry(walker, call, scope, (text,), within(call), scope)
            return None
    elif walker.files and len(call.words) > 1 and call.path(call.words[1]) in walker.files:
        run_file(walker, call, scope, call.words[1])
        return None
    return call


def trap(walker: Walker, call: Call, scope: Scope) -> Call | None:
    operands = call.operands()
    if len(operands) < 2 or operands[0] == "-" or not operands[0]:
        return call
    carry(walker, call, scope, operands[:1], within(call), scope.copy())
    return None


def env(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    valued = ("-u", "-C", "-S", "--unset", "--chdir", "--split-string")
    start = after_options(words, 1, valued)
    text = None
    for index in range(1, min(start, len(words))):
        word = words[index]
        if word in {"-S", "--split-string"} and index + 1 < len(words):
            text = words[index + 1]
        elif word.startswith("-S") and len(word) > 2:
            text = part(word, 2)
        elif word.startswith("--split-string="):
            text = part(word, 15)
        elif word in {"-C", "--chdir"} and index + 1 < len(words):
            call.cwd = call.path(words[index + 1])
    if text is not None:
        split = [Word(piece) for piece in text.split()]
        return inside(exchanged(call, [words[0], *split, *words[start:]], words[:1]), 1)
    return inside(call, start)


def command_(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`command -v x` only asks; `command x` runs."""
    start = after_options(call.words, 1, ())
    if any("v" in word or "V" in word for word in call.words[1:start] if word != "--"):
        return call
    return inside(call, start)


def exec_(walker: Walker, call: Call, scope: Scope) -> Call | None:
    return inside(call, after_options(call.words, 1, ("-a",)))


def xargs(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """The call that xargs makes; words from its input are added, literal when the input is."""
    words = call.words
    start = after_options(words, 1, XARGS_VALUED)
    given = list(words[start:]) or [Word("echo")]
    own = Call(words[:start], call.place, call.cwd)  # the options of xargs itself, not of what it runs
    mark = own.option("-I", "--replace") or ("{}" if own.has_flag("-i") else None)
    text = call.stdin_text
    values = text.split() if text is not None and text.literal and not own.option("-a", "--arg-file") else None
    if values is not None and len(values) <= UNROLLED:
        if mark and values:
            for value in values[:-1]:
                walker.emit(
                    exchanged(call, [replaced(word, mark, value) for word in given], words[:start]), scope.copy()
                )
            given = [replaced(word, mark, values[-1]) for word in given]
        elif not mark:
            given.extend(map(Word, values))
    elif mark:
        given = [unknown(word.replace(mark, "{}")) if mark in word else word for word in given]
    else:
        given.append(unknown("{}"))
    found = exchanged(call, given, words[:start])
    if found.program in SHELLS:
        found.redirects = ()
        found.place = Place(call.place)
        found.place.pipe = None
    return found


def replaced(word: Word, mark: str, value: str) -> Word:
    return Word(word.replace(mark, value)) if mark in word else word


def unknown(text: str) -> Word:
    word = Word(text)
    word.literal = False
    return word


def dotenv(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`dotenv -f .env run -- command` (Python's) and `dotenv -e .env -- command` (Node's)."""
    words = call.words
    start = after_options(words, 1, ("-f", "-e", "-v", "-c", "--file", "--export"))
    if start < len(words) and words[start] in {"run", "get", "set", "list", "unset"}:
        if words[start] != "run":
            return call
        start = after_options(words, start + 1, ())
    return inside(call, start)


def watch(walker: Walker, call: Call, scope: Scope) -> Call | None:
    start = after_options(call.words, 1, ("-n", "--interval", "-q", "--equexit"))
    if start >= len(call.words):
        return call
    place = within(call)
    place.loop = Loop("watch", call.place.loop)
    place.loop.endless = True
    carry(walker, call, scope, call.words[start:], place, shell_scope(call, scope))
    return None


def python(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`python -m tool` is the tool."""
    words = call.words
    for index in range(1, len(words) - 1):
        word = words[index]
        if word == "-m":
            return exchanged(call, words[index + 1 :], words[: index + 1])
        if word[:1] != "-" or word == "-" or word == "-c":
            return call
    return call


def find(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    walker.add(call, scope)
    flags = (
        {"-exec", "-execdir", "-ok", "-okdir"}
        if call.program in {"find", "gfind"}
        else {"-x", "-X", "--exec", "--exec-batch"}
    )
    index = 1
    while index < len(words):
        if words[index] in flags:
            end = index + 1
            while end < len(words) and words[end] != ";" and not (words[end] == "+" and words[end - 1] == "{}"):
                end += 1
            given = [
                unknown(word) if "{}" in word or (flags and word in {"{/}", "{//}", "{.}", "{/.}"}) else word
                for word in words[index + 1 : end]
            ]
            hand_over(walker, call, given, within(call), Scope(None if "dir" in words[index] else call.cwd, {}))
            index = end
        index += 1
    return None


def ssh(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    host = after_options(words, 1, SSH_VALUED)
    if host >= len(words):
        return call
    start = after_options(words, host + 1, SSH_VALUED)
    place = within(call, remote=("ssh", str(words[host])))
    given = words[start:]
    if not given:
        text = call.stdin_text
        if text is None:
            return call
        given = (text,)
    place.redirects = tuple(call.redirects)
    carry(walker, call, scope, given, place, Scope(None, {}))
    return None


def container(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """docker|podman [compose] exec|run [options] NAME command…"""
    words = call.words
    compose = "compose" in call.program
    index = after_options(words, 1, COMPOSE_VALUED if compose else DOCKER_VALUED)
    if index < len(words) and words[index] == "container":
        index += 1
    if index < len(words) and words[index] == "compose":
        index = after_options(words, index + 1, COMPOSE_VALUED)
        compose = True
    if index >= len(words) or words[index] not in {"exec", "run"}:
        return call
    valued = CONTAINER_VALUED if not compose else [*CONTAINER_VALUED, "--index"]
    name = after_options(words, index + 1, valued)
    start = name + 1
    if start >= len(words):
        return call
    place = within(call, remote=(call.program.partition("-")[0], str(words[name])))
    detached = any(
        word in {"-d", "--detach"} or (word[:1] == "-" and word[1:2] != "-" and "d" in word and word[1:].isalpha())
        for word in words[index + 1 : name]
    )
    if detached:
        place.background = True
    folder = None
    for number in range(index + 1, name):
        if words[number] in {"-w", "--workdir"}:
            folder = str(words[number + 1])
    carry_words(walker, call, scope, words[start:], place, folder)
    return None


def kubectl(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    index = after_options(words, 1, KUBE_VALUED)
    if index >= len(words) or words[index] not in {"exec", "run", "debug"}:
        return call
    name = after_options(words, index + 1, KUBE_VALUED)
    if "--" in words:
        start = list(words).index(Word("--")) + 1
    elif words[index] == "exec":
        start = after_options(words, name + 1, KUBE_VALUED)
    else:
        return call
    if start >= len(words) or name >= len(words):
        return call
    carry_words(walker, call, scope, words[start:], within(call, remote=(call.program, str(words[name]))), None)
    return None


def parallel(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    start = after_options(words, 1, PARALLEL_VALUED)
    end = start
    while end < len(words) and words[end][:3] != ":::":
        end += 1
    template = words[start:end]
    values = words[end + 1 :]
    walker.add(call, scope)
    text = " ".join([told(word) for word in template])
    place = within(call)
    inner = shell_scope(call, scope)
    if not template:
        for value in values[:UNROLLED]:
            call.inner = [*call.inner, *walker.nested(value, place, inner.copy())]
    elif (
        values
        and words[end] == ":::"
        and ":::" not in values
        and all(value.literal for value in values)
        and len(values) <= UNROLLED
    ):
        for value in values:
            whole = text.replace("{}", value) if "{}" in text else text + " " + value
            call.inner = [*call.inner, *walker.nested(whole, place, inner.copy())]
    else:
        whole = text.replace("{}", "$ARGUMENT") if "{}" in text else text + " $ARGUMENT"
        call.inner = walker.nested(whole, place, inner)
    return None


def with_c(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`su user -c text`, `script -c text`, `flock file -c text`, `nix-shell --run text`."""
    text = call.option("-c", "--command", "--run", "--session-command")
    if text is not None and text in call.words:
        carry(walker, call, scope, (text,), within(call), shell_scope(call, scope))
        return None
    if call.program == "flock":
        start = after_options(call.words, 1, ("-w", "-E", "--timeout", "--wait", "--conflict-exit-code")) + 1
        return inside(call, start)
    return call


def npx(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`npx tool` is the tool, without its version; `npx -c text` a shell."""
    text = call.option("-c", "--call")
    found = removed(call)
    if text is not None and (found is call or found.words[0] == text or "-c" in found.wrappers[-1].words):
        carry(walker, call, scope, (text,), within(call), shell_scope(call, scope))
        return None
    return unversioned(call, found)


def unversioned(call: Call, found: Call) -> Call:
    """`prisma@5` → `prisma`; `@scope/tool@1` → `tool`."""
    if found is call:
        return call
    at = found.words[0].rfind("@")
    if at > 0:
        found.words = [part_before(found.words[0], at), *found.words[1:]]
        found.program = found.words[0].rpartition("/")[2]
    return found


def part_before(word: Word, end: int) -> Word:
    rest = Word(word[:end])
    if word.__dict__:
        rest.__dict__.update(word.__dict__)
    return rest


def package_manager(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`pnpm dlx tool`, `yarn exec tool`, `npm exec tool`; `npm run x` when scripts are known."""
    found = removed(call)
    if found is not call:
        return unversioned(call, found)
    return scripted(walker, call, scope)


def uv(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    if len(words) > 3 and words[1] == "tool" and words[2] == "run":
        return unversioned(call, inside(call, after_options(words, 3, PLAIN["uvx"][1].split())))
    return removed(call)


def runner(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """Runners that also know tasks of the project: pdm, hatch, poe, tox, nox, make, just, …"""
    if walker.command.scripts is not None:
        found = scripted(walker, call, scope)
        if found is None:
            return None
    return removed(call)


def scripted(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """What a project script runs follows its call, when somebody can look it up."""
    command = walker.command
    if command.scripts is None or walker.steps > MOST_STEPS:
        return call
    key = f"{call.cwd} {call.text}"
    texts = command.scripts.texts(call, command.home) if key not in walker.active else ()
    if not texts:
        return call
    walker.add(call, scope)
    walker.active.add(key)
    place = within(call)
    for text, folder in texts:
        call.inner = [*call.inner, *walker.nested(text, place, Scope(folder, dict(call.env)))]
    walker.active.discard(key)
    return None


def terminal(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """Tmux and screen start their command detached from this terminal."""
    words = call.words
    if call.program == "screen":
        start = after_options(words, 1, ("-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-X"))
        if call.has_flag("-X", "-r", "-x", "-ls", "-list"):
            return call
    else:
        start = after_options(words, 1, ("-L", "-S", "-f", "-c", "-T"))
        if start >= len(words) or words[start] not in {
            "new",
            "new-session",
            "neww",
            "new-window",
            "splitw",
            "split-window",
        }:
            return call
        start = after_options(words, start + 1, ("-s", "-n", "-c", "-t", "-x", "-y", "-F", "-e", "-f", "-l", "-p"))
    if start >= len(words):
        return call
    place = within(call)
    place.background = place.background or any(word[:1] == "-" and "d" in word for word in words[1:start])
    carry(walker, call, scope, words[start:], place, Scope(call.cwd, {}))
    return None


def hyperfine(walker: Walker, call: Call, scope: Scope) -> Call | None:
    walker.add(call, scope)
    for text in call.operands(
        "-w",
        "-m",
        "-M",
        "-r",
        "-s",
        "-p",
        "-c",
        "-n",
        "-S",
        "--warmup",
        "--runs",
        "--min-runs",
        "--max-runs",
        "--export-json",
        "--export-markdown",
        "--export-csv",
        "-P",
        "-L",
    ):
        call.inner = [*call.inner, *walker.nested(text, within(call), Scope(call.cwd, {}))]
    return None


CARRIERS: dict[str, Callable[[Walker, Call, Scope], Call | None]] = {
    **dict.fromkeys(SHELLS, shell),
    "eval": eval_,
    "source": source,
    ".": source,
    "trap": trap,
    "env": env,
    "command": command_,
    "exec": exec_,
    "xargs": xargs,
    "watch": watch,
    "dotenv": dotenv,
    **dict.fromkeys(PYTHONS, python),
    **dict.fromkeys(("find", "gfind", "fd", "fdfind"), find),
    "ssh": ssh,
    **dict.fromkeys(("docker", "podman", "docker-compose", "podman-compose", "nerdctl"), container),
    **dict.fromkeys(("kubectl", "oc"), kubectl),
    "parallel": parallel,
    **dict.fromkeys(("su", "runuser", "script", "flock", "sg", "nix-shell"), with_c),
    **dict.fromkeys(("npx", "bunx", "pnpx", "uvx"), npx),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), package_manager),
    "uv": uv,
    **dict.fromkeys(("pdm", "hatch", "poetry", "pipenv", "rye", "pixi"), runner),
    **dict.fromkeys(("make", "gmake", "just", "tox", "nox", "poe", "task"), scripted),
    **dict.fromkeys(("deno", "composer", "run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"), scripted),
    **dict.fromkeys(("tmux", "screen"), terminal),
    "hyperfine": hyperfine,
}
