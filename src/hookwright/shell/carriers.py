"""Carriers: calls that run others and stay calls themselves: `sh -c`, eval, ssh, docker exec, find -exec, xargs, …

wrappers.py → [this, when a program carries words or text] → Command.calls
What a call carries follows it in the list, knows it as `outer`, and is listed in its `inner`.
"""

from __future__ import annotations

from hookwright.shell.command import Call, Place, Word
from hookwright.shell.reader import parse
from hookwright.shell.walk import MOST_STEPS, Scope, bind
from hookwright.shell.wrappers import DEEPEST, after_options, exchanged, inside, removed, unversioned

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookwright.shell.walk import Walker

UNROLLED = 64  # literal words that xargs or parallel hand over one by one
SHELLS = frozenset(("sh", "bash", "zsh", "dash", "ksh", "ash", "fish"))
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


# -- shells ------------------------------------------------------------------------------------------------------------


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
    elif words[index][:2] == "<(":
        return streamed(walker, call, scope, words[index], shell_scope(call, scope))
    return call


def streamed(walker: Walker, call: Call, scope: Scope, word: Word, inner: Scope) -> Call | None:
    """`bash <(echo …)`: what is printed there, if it is known, are the commands."""
    tree, _problem = parse("x $(" + word[2:])
    pieces = tree[0][1][1][-1] if tree and tree[0][1][0] == "call" else None
    text = walker.printed(pieces[0], scope) if pieces.__class__ is list and pieces[0][0] == "(" else None
    if text is None:
        return call
    carry(walker, call, scope, (text,), within(call), inner)
    return None


def read_commands(walker: Walker, call: Call, scope: Scope) -> None:
    """`sudo -i <<EOF`, `echo … | at now`: what it reads are commands."""
    text = call.stdin_text
    if text is not None:
        carry(walker, call, scope, (text,), within(call), shell_scope(call, scope))


def itself(walker: Walker, call: Call, scope: Scope) -> Call | None:
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
    elif len(call.words) > 1 and call.words[1][:2] == "<(":
        return streamed(walker, call, scope, call.words[1], scope)
    return call


def trap(walker: Walker, call: Call, scope: Scope) -> Call | None:
    operands = call.operands()
    if len(operands) < 2 or operands[0] == "-" or not operands[0]:
        return call
    carry(walker, call, scope, operands[:1], within(call), scope.copy())
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


# -- words from elsewhere ----------------------------------------------------------------------------------------------


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
            for value in values:
                given.append(Word(value))
                given[-1].home = value[:1] == "~"  # `echo ~ | xargs rm`: the shell that printed it has expanded it
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


def watch(walker: Walker, call: Call, scope: Scope) -> Call | None:
    start = after_options(call.words, 1, ("-n", "--interval", "-q", "--equexit"))
    if start >= len(call.words):
        return call
    from hookwright.shell.parts import Loop

    place = within(call)
    place.loop = Loop("watch", call.place.loop)
    place.loop.endless = True
    carry(walker, call, scope, call.words[start:], place, shell_scope(call, scope))
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


# -- other machines, containers, terminals -----------------------------------------------------------------------------


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
    elif given[0] in SHELLS and len(given) == 1 + ("-s" in given) and call.producers and call.stdin_text is not None:
        given = (call.stdin_text,)  # `… | ssh host bash`
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
    entry = call.option("--entrypoint") if words[index] == "run" else None
    inside = [*([entry] if entry else []), *words[start:]]
    if not inside:
        return call
    place = within(call, remote=(call.program.partition("-")[0], str(words[name]) if name < len(words) else ""))
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
    carry_words(walker, call, scope, inside, place, folder)
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


def terminal(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """Tmux and screen start their command detached from this terminal."""
    words = call.words
    if call.program == "screen":
        start = after_options(words, 1, ("-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-X", "-dmS", "-DmS", "-AdmS"))
        if not {"-X", "-r", "-x", "-ls", "-list", "-dr"}.isdisjoint(words[1:start]):
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


# -- scripts of the project --------------------------------------------------------------------------------------------


def npx(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`npx tool` is the tool, without its version; `npx -c text` a shell."""
    text = call.option("-c", "--call")
    found = removed(call)
    if text is not None and (found is call or found.words[0] == text or "-c" in found.wrappers[-1].words):
        carry(walker, call, scope, (text,), within(call), shell_scope(call, scope))
        return None
    return unversioned(call, found)


def package_manager(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`pnpm dlx tool`, `yarn exec tool`, `npm exec tool`; `npm run x` when scripts are known."""
    found = removed(call)
    if found is not call:
        return unversioned(call, found)
    return scripted(walker, call, scope)


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


CARRIERS: dict[str, Callable[[Walker, Call, Scope], Call | None]] = {
    **dict.fromkeys(SHELLS, shell),
    "eval": eval_,
    "source": source,
    ".": source,
    "trap": trap,
    "xargs": xargs,
    "watch": watch,
    **dict.fromkeys(("find", "gfind", "fd", "fdfind"), find),
    "ssh": ssh,
    **dict.fromkeys(("docker", "podman", "docker-compose", "podman-compose", "nerdctl"), container),
    **dict.fromkeys(("kubectl", "oc"), kubectl),
    "parallel": parallel,
    **dict.fromkeys(("su", "runuser", "script", "flock", "sg", "nix-shell"), with_c),
    **dict.fromkeys(("npx", "bunx", "pnpx", "uvx"), npx),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), package_manager),
    **dict.fromkeys(("pdm", "hatch", "poetry", "pipenv", "rye", "pixi"), runner),
    **dict.fromkeys(("make", "gmake", "just", "tox", "nox", "poe", "task"), scripted),
    **dict.fromkeys(("deno", "composer", "run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"), scripted),
    **dict.fromkeys(("at", "batch"), itself),
    **dict.fromkeys(("tmux", "screen"), terminal),
    "hyperfine": hyperfine,
}
