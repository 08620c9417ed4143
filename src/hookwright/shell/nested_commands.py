"""Nested commands: the calls inside `sh -c`, eval, ssh, docker exec, find -exec, xargs, project scripts, …

evaluator.py → [HANDLERS, when a program runs other commands] → Command.calls
Nested calls follow the call that runs them, have it as `outer`, and are listed in its `inner`.
"""

from __future__ import annotations

from hookwright.shell.call import TOO_DEEP, TOO_LONG, Call, CallContext, Word, make_nested_context, quote_words
from hookwright.shell.parser import parse
from hookwright.shell.wrappers import (
    MAX_WRAPPERS,
    remove_wrapper,
    replace_call,
    skip_options,
    strip_version,
    take_inner_call,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hookwright.shell.evaluator import Scope, Walker

MAX_SCRIPT_CHARS = 1 << 15  # of project scripts that are read for one command
MAX_UNROLLED = 64  # literal arguments for which xargs or parallel is unrolled
SHELLS = frozenset("sh bash zsh dash ksh ash fish mksh rbash csh tcsh xonsh yash".split())
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


def walk_shell_words(
    walker: Walker, call: Call, scope: Scope, words: Sequence[Word], place: CallContext, inner_scope: Scope
) -> None:
    """Add a call, and the calls in the words that it passes to a shell."""
    walker.add_call(call, scope)
    call.inner = walker.walk_nested(" ".join([format_for_shell(word) for word in words]), place, inner_scope)


def format_for_shell(word: Word) -> str:
    """A word as text for another shell; substitutions that have run and `{}` become variables, that is, unknown."""
    text = str(word)
    if not word.literal:
        for source in word.ran:
            text = text.replace(source, "$SUBSTITUTED", 1)
        text = text.replace("{}", "$ARGUMENT")
    return text


def add_call_with_words(
    walker: Walker, call: Call, scope: Scope, words: Sequence[Word], place: CallContext, cwd: str | None
) -> None:
    """Add a call, and the call that it makes with these words."""
    walker.add_call(call, scope)
    add_inner_call(walker, call, words, place, scope.new_shell(cwd))


def add_inner_call(walker: Walker, call: Call, words: Sequence[Word], place: CallContext, inner: Scope) -> None:
    if not words:
        return
    if walker.shells >= MAX_WRAPPERS:
        walker.note_problem(f"its commands are {TOO_DEEP}", [])
        return
    first = len(walker.calls)
    walker.shells += 1
    found = Call(words, place, inner.cwd)
    found.redirects = call.redirects
    if place.remote is not None and call.producers:  # `echo … | docker exec -i db psql`
        text = call.stdin_text
        if text is not None:
            from hookwright.shell.redirects import Redirect

            found.redirects = (*call.redirects, Redirect("<<<", "", text, text))
    walker.emit_call(found, inner)
    walker.shells -= 1
    call.inner = [*call.inner, *walker.calls[first:]]


def make_shell_scope(call: Call, scope: Scope) -> Scope:
    """The scope of a child shell: the folder, exported variables and those assigned in front of the call."""
    variables = {name: scope.variables[name] for name in scope.exported if name in scope.variables}
    variables.update(call.env)
    return scope.new_shell(call.cwd, variables, scope.exported)


# -- shells ------------------------------------------------------------------------------------------------------------


def walk_shell(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`sh -c text`, or a shell that reads its commands from a here-document or a literal `echo … |`."""
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
        inner = make_shell_scope(call, scope)
        inner.bind_positional(words[index + 1 :])
        walk_shell_words(walker, call, scope, words[index : index + 1], make_nested_context(call), inner)
        return None
    if index >= len(words) or words[index] in {"-", "/dev/stdin"} or "-s" in words[1:index]:
        text = call.stdin_text
        if text is not None:
            walk_shell_words(walker, call, scope, (text,), make_nested_context(call), make_shell_scope(call, scope))
            return None
    elif walker.files and call.path(words[index]) in walker.files:
        walk_written_file(walker, call, scope, words[index])
        return None
    elif words[index][:2] == "<(":
        return walk_process_substitution(walker, call, scope, words[index], make_shell_scope(call, scope))
    return call


def walk_process_substitution(walker: Walker, call: Call, scope: Scope, word: Word, inner: Scope) -> Call | None:
    """`bash <(echo …)`: the predicted output is the script."""
    tree, _problem = parse("x $(" + word[2:])
    pieces = tree[0][1][1][-1] if tree and tree[0][1][0] == "call" else None
    text = walker.predict_substitution(pieces[0], scope) if pieces.__class__ is list and pieces[0][0] == "(" else None
    if text is None:
        return call
    walk_shell_words(walker, call, scope, (text,), make_nested_context(call), inner)
    return None


def walk_stdin(walker: Walker, call: Call, scope: Scope) -> None:
    """`sudo -i <<EOF`, `echo … | at now`: the standard input is the script."""
    text = call.stdin_text
    if text is not None:
        walk_shell_words(walker, call, scope, (text,), make_nested_context(call), make_shell_scope(call, scope))


def keep_call(walker: Walker, call: Call, scope: Scope) -> Call | None:
    return call


def walk_written_file(walker: Walker, call: Call, scope: Scope, word: Word) -> None:
    """Run a file that this command has written itself: walk its text, unless its shebang names another language."""
    path = call.path(word)
    text = walker.files.get(path) if path is not None else None
    if path is None or text is None or (text[:2] == "#!" and "sh" not in text.partition("\n")[0]):
        walker.add_call(call, scope)
        return
    del walker.files[path]  # until it is walked: a file may run itself
    inner = make_shell_scope(call, scope)
    inner.bind_positional(call.words[list(call.words).index(word) :])
    walk_shell_words(walker, call, scope, (text,), make_nested_context(call), inner)
    walker.files[path] = text


def walk_written_code(walker: Walker, call: Call, scope: Scope, word: Word) -> None:
    """`python3 x.py` with a file that this command has written: the call as if it read that text from its input."""
    from hookwright.shell.redirects import Redirect

    path = call.path(word)
    text = walker.files[path] if path is not None else Word("")
    rest = list(call.words[list(call.words).index(word) + 1 :])
    found = Call([call.words[0], Word("-"), *rest], call.place, call.cwd)
    found.env, found.wrappers, found.joiner = call.env, call.wrappers, call.joiner
    found.redirects = (*call.redirects, Redirect("<<", "", Word("EOF"), text))
    walker.add_call(found, scope)


def walk_written_tasks(walker: Walker, call: Call, scope: Scope, text: Word) -> None:
    """`make x` with a Makefile that this command has written: every recipe in it counts."""
    recipes = [line.strip().lstrip("@-") for line in text.splitlines() if line[:1] in ("\t", " ") and line.strip()]
    recipe = Word("\n".join(recipes))
    recipe.literal = text.literal
    walk_shell_words(walker, call, scope, (recipe,), make_nested_context(call), make_shell_scope(call, scope))


def walk_eval(walker: Walker, call: Call, scope: Scope) -> None:
    walk_shell_words(walker, call, scope, call.words[1:], make_nested_context(call), scope)


def walk_source(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`source /dev/stdin`, `. <(…)` and files written by this command; another file stays a call."""
    if len(call.words) > 1 and call.words[1] in {"/dev/stdin", "-"}:
        text = call.stdin_text
        if text is not None:
            walk_shell_words(walker, call, scope, (text,), make_nested_context(call), scope)
            return None
    elif walker.files and len(call.words) > 1 and call.path(call.words[1]) in walker.files:
        walk_written_file(walker, call, scope, call.words[1])
        return None
    elif len(call.words) > 1 and call.words[1][:2] == "<(":
        return walk_process_substitution(walker, call, scope, call.words[1], scope)
    return call


def walk_trap(walker: Walker, call: Call, scope: Scope) -> Call | None:
    operands = call.operands()
    if len(operands) < 2 or operands[0] == "-" or not operands[0]:
        return call
    walk_shell_words(walker, call, scope, operands[:1], make_nested_context(call), scope.copy())
    return None


def walk_command_option(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`su user -c text`, `script -c text`, `flock file -c text`, `nix-shell --run text`."""
    text = call.option("-c", "--command", "--run", "--session-command")
    if text is not None and text in call.words:
        walk_shell_words(walker, call, scope, (text,), make_nested_context(call), make_shell_scope(call, scope))
        return None
    if call.program == "runuser" and not text:
        found = take_inner_call(
            call, skip_options(call.words, 1, ("-u", "-g", "-G", "-s", "--user", "--group", "--shell"))
        )
        return found if call.options("-u", "--user") else call
    if call.program == "flock":
        start = skip_options(call.words, 1, ("-w", "-E", "--timeout", "--wait", "--conflict-exit-code")) + 1
        return take_inner_call(call, start)
    return call


# -- arguments from elsewhere ------------------------------------------------------------------------------------------


def walk_xargs(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """The call that xargs makes; the words of its standard input are appended if they are known."""
    words = call.words
    start = skip_options(words, 1, XARGS_VALUED)
    given = list(words[start:]) or [Word("echo")]
    own = Call(words[:start], call.place, call.cwd)  # the options of xargs itself, not of what it runs
    mark = own.option("-I", "--replace") or ("{}" if own.has_flag("-i") else None)
    text = call.stdin_text
    values = None
    if text is not None and text.literal and not own.option("-a", "--arg-file"):
        values = [line.strip() for line in text.splitlines() if line.strip()] if mark else text.split()
    if values is not None and len(values) <= MAX_UNROLLED:
        if mark and values:
            for value in values[:-1]:
                walker.emit_call(
                    replace_call(call, [replace_mark(word, mark, value) for word in given], words[:start]), scope.copy()
                )
            given = [replace_mark(word, mark, values[-1]) for word in given]
        elif not mark:
            for value in values:
                given.append(Word(value))
                given[-1].home = value[:1] == "~"  # `echo ~ | xargs rm`: expanded by the shell that ran echo
    elif mark:
        given = [make_unknown(word.replace(mark, "{}")) if mark in word else word for word in given]
    else:
        given.append(make_unknown("{}"))
    found = replace_call(call, given, words[:start])
    if found.program in SHELLS:
        found.redirects = ()
        found.place = CallContext(call.place)
        found.place.pipe = None
    return found


def replace_mark(word: Word, mark: str, value: str) -> Word:
    return Word(word.replace(mark, value)) if mark in word else word


def make_unknown(text: str) -> Word:
    word = Word(text)
    word.literal = False
    return word


def walk_find(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    walker.add_call(call, scope)
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
                make_unknown(word) if "{}" in word or (flags and word in {"{/}", "{//}", "{.}", "{/.}"}) else word
                for word in words[index + 1 : end]
            ]
            add_inner_call(
                walker,
                call,
                given,
                make_nested_context(call),
                scope.new_shell(None if "dir" in words[index] else call.cwd),
            )
            index = end
        index += 1
    return None


def walk_parallel(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    start = skip_options(words, 1, PARALLEL_VALUED)
    end = start
    while end < len(words) and words[end][:3] != ":::":
        end += 1
    template = words[start:end]
    values = words[end + 1 :]
    walker.add_call(call, scope)
    text = format_for_shell(template[0]) if len(template) == 1 else quote_words(template)[1:]
    place = make_nested_context(call)
    inner = make_shell_scope(call, scope)
    if not template:
        for value in values[:MAX_UNROLLED]:
            call.inner = [*call.inner, *walker.walk_nested(value, place, inner.copy())]
    elif (
        values
        and words[end] == ":::"
        and ":::" not in values
        and all(value.literal for value in values)
        and len(values) <= MAX_UNROLLED
    ):
        for value in values:
            whole = text.replace("{}", value) if "{}" in text else text + " " + value
            call.inner = [*call.inner, *walker.walk_nested(whole, place, inner.copy())]
    else:
        whole = text.replace("{}", "$ARGUMENT") if "{}" in text else text + " $ARGUMENT"
        call.inner = walker.walk_nested(whole, place, inner)
    return None


def walk_watch(walker: Walker, call: Call, scope: Scope) -> Call | None:
    start = skip_options(call.words, 1, ("-n", "--interval", "-q", "--equexit"))
    if start >= len(call.words):
        return call
    from hookwright.shell.redirects import Loop

    place = make_nested_context(call)
    place.loop = Loop("watch", call.place.loop)
    place.loop.endless = True
    walk_shell_words(walker, call, scope, call.words[start:], place, make_shell_scope(call, scope))
    return None


def walk_hyperfine(walker: Walker, call: Call, scope: Scope) -> Call | None:
    walker.add_call(call, scope)
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
        call.inner = [*call.inner, *walker.walk_nested(text, make_nested_context(call), scope.new_shell(call.cwd))]
    return None


# -- other machines, containers, terminals -----------------------------------------------------------------------------


def walk_ssh(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    host = skip_options(words, 1, SSH_VALUED)
    if host >= len(words):
        return call
    start = skip_options(words, host + 1, SSH_VALUED)
    place = make_nested_context(call, remote=("ssh", str(words[host])))
    given = words[start:]
    if not given:
        text = call.stdin_text
        if text is None:
            return call
        given = (text,)
    elif given[0] in SHELLS and len(given) == 1 + ("-s" in given) and call.producers and call.stdin_text is not None:
        given = (call.stdin_text,)  # `… | ssh host bash`
    place.redirects = tuple(call.redirects)
    walk_shell_words(walker, call, scope, given, place, scope.new_shell(None))
    return None


def walk_container(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """docker|podman [compose] exec|run [options] NAME command…"""
    words = call.words
    compose = "compose" in call.program
    index = skip_options(words, 1, COMPOSE_VALUED if compose else DOCKER_VALUED)
    if index < len(words) and words[index] == "container":
        index += 1
    if index < len(words) and words[index] == "compose":
        index = skip_options(words, index + 1, COMPOSE_VALUED)
        compose = True
    if index >= len(words) or words[index] not in {"exec", "run"}:
        return call
    valued = CONTAINER_VALUED if not compose else [*CONTAINER_VALUED, "--index"]
    name = skip_options(words, index + 1, valued)
    start = name + 1
    entry = call.option("--entrypoint") if words[index] == "run" else None
    inside = [*([entry] if entry else []), *words[start:]]
    if not inside:
        return call
    place = make_nested_context(
        call, remote=(call.program.partition("-")[0], str(words[name]) if name < len(words) else "")
    )
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
    add_call_with_words(walker, call, scope, inside, place, folder)
    return None


def walk_kubectl(walker: Walker, call: Call, scope: Scope) -> Call | None:
    words = call.words
    index = skip_options(words, 1, KUBE_VALUED)
    if index >= len(words) or words[index] not in {"exec", "run", "debug"}:
        return call
    name = skip_options(words, index + 1, KUBE_VALUED)
    if "--" in words:
        start = list(words).index(Word("--")) + 1
    elif words[index] == "exec":
        start = skip_options(words, name + 1, KUBE_VALUED)
    else:
        return call
    if start >= len(words) or name >= len(words):
        return call
    add_call_with_words(
        walker, call, scope, words[start:], make_nested_context(call, remote=(call.program, str(words[name]))), None
    )
    return None


def walk_terminal(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`tmux new-session command`, `screen -dm command`: the command runs in another terminal."""
    words = call.words
    if call.program == "screen":
        start = skip_options(words, 1, ("-S", "-c", "-e", "-h", "-p", "-s", "-t", "-T", "-X", "-dmS", "-DmS", "-AdmS"))
        if not {"-X", "-r", "-x", "-ls", "-list", "-dr"}.isdisjoint(words[1:start]):
            return call
    else:
        start = skip_options(words, 1, ("-L", "-S", "-f", "-c", "-T"))
        if start >= len(words) or words[start] not in {
            "new",
            "new-session",
            "neww",
            "new-window",
            "splitw",
            "split-window",
        }:
            return call
        start = skip_options(words, start + 1, ("-s", "-n", "-c", "-t", "-x", "-y", "-F", "-e", "-f", "-l", "-p"))
    if start >= len(words):
        return call
    place = make_nested_context(call)
    place.background = place.background or any(word[:1] == "-" and "d" in word for word in words[1:start])
    if len(words) - start > 1:  # several words are run as they are, one is a text for a shell
        add_call_with_words(walker, call, scope, words[start:], place, call.cwd)
    else:
        walk_shell_words(walker, call, scope, words[start:], place, scope.new_shell(call.cwd))
    return None


# -- scripts of the project --------------------------------------------------------------------------------------------


def walk_npx(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`npx tool` is the tool, without its version; `npx -c text` a shell."""
    text = call.option("-c", "--call")
    found = remove_wrapper(call)
    if text is not None and (found is call or found.words[0] == text or "-c" in found.wrappers[-1].words):
        walk_shell_words(walker, call, scope, (text,), make_nested_context(call), make_shell_scope(call, scope))
        return None
    return strip_version(call, found)


def walk_package_manager(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`pnpm dlx tool`, `yarn exec tool`, `npm exec tool`; `npm run x` when scripts are known."""
    found = remove_wrapper(call)
    if found is not call:
        return strip_version(call, found)
    return walk_project_script(walker, call, scope)


def walk_runner(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """Runners that also know project tasks: pdm, hatch, poetry, pipenv, rye, pixi."""
    if walker.command.scripts is not None:
        found = walk_project_script(walker, call, scope)
        if found is None:
            return None
    return remove_wrapper(call)


def walk_project_script(walker: Walker, call: Call, scope: Scope) -> Call | None:
    """`npm run x`, `make y`: walk what the task runs, if the command has a ScriptResolver."""
    command = walker.command
    if command.scripts is None:
        return call
    if walker.is_over_budget:
        walker.note_problem(f"its scripts are {TOO_LONG}", [])
        return call
    key = f"{call.cwd} {call.text}"
    texts = command.scripts.resolve_task(call, command.home) if key not in walker.active else ()
    if not texts:
        return call
    walker.add_call(call, scope)
    walker.active.add(key)
    place = make_nested_context(call)
    for text, folder in texts:
        walker.script_chars += len(text)
        if walker.script_chars > MAX_SCRIPT_CHARS:
            walker.note_problem(f"its scripts are {TOO_LONG}", [])
            break
        call.inner = [*call.inner, *walker.walk_nested(text, place, scope.new_shell(folder, dict(call.env)))]
    walker.active.discard(key)
    return None


HANDLERS: dict[str, Callable[[Walker, Call, Scope], Call | None]] = {
    **dict.fromkeys(SHELLS, walk_shell),
    "eval": walk_eval,
    "source": walk_source,
    ".": walk_source,
    "trap": walk_trap,
    "xargs": walk_xargs,
    "watch": walk_watch,
    **dict.fromkeys(("find", "gfind", "fd", "fdfind"), walk_find),
    "ssh": walk_ssh,
    **dict.fromkeys(("docker", "podman", "docker-compose", "podman-compose", "nerdctl"), walk_container),
    **dict.fromkeys(("kubectl", "oc"), walk_kubectl),
    "parallel": walk_parallel,
    **dict.fromkeys(("su", "runuser", "script", "flock", "sg", "nix-shell"), walk_command_option),
    **dict.fromkeys(("npx", "bunx", "pnpx", "uvx"), walk_npx),
    **dict.fromkeys(("npm", "pnpm", "yarn", "bun"), walk_package_manager),
    **dict.fromkeys(("pdm", "hatch", "poetry", "pipenv", "rye", "pixi"), walk_runner),
    **dict.fromkeys(("make", "gmake", "just", "tox", "nox", "poe", "task"), walk_project_script),
    **dict.fromkeys(
        ("deno", "composer", "run-s", "run-p", "npm-run-all", "npm-run-all2", "concurrently"), walk_project_script
    ),
    **dict.fromkeys(("at", "batch"), keep_call),
    **dict.fromkeys(("tmux", "screen"), walk_terminal),
    "hyperfine": walk_hyperfine,
}
