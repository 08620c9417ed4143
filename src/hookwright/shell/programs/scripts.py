"""Interpreters and the project's own scripts: the name tells what to expect, a bare interpreter waits for a person.

force    python train.py --epochs 10
suggest  python scripts/backfill_orders.py
none     python scripts/version.py
force    node server.js
force    node --watch index.js
suggest  ./deploy.sh
none     bash -n deploy.sh
none     python -c 'print(1)'
force    python -c "import time; time.sleep(120)"
force    python3
"""

from __future__ import annotations

from hookwright.shell.command import Word
from hookwright.shell.families import family_of
from hookwright.shell.programs import behind, each, is_fed, number, row_of, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

PERSON: Row = ("force", "terminal", "waits for a person")
SERVES: Row = ("force", "server", "starts a server that does not end")
WATCHES: Row = ("force", "watch", "starts again with every change")
TRAINS: Row = ("force", "job", "trains or evaluates a model")
ASKS: Row = ("none", "script", "only asks or checks")

# Options of interpreters that take the next word.
VALUED = (
    "-W -X -m -r --require --import --loader --env-file -I -M -C -d --experimental-loader -O -o --rcfile -S".split()
)
# What a program text says when it serves.
SERVING = (
    "serve_forever(",
    "app.run(",
    "uvicorn.run(",
    ".listen(",
    "run_forever(",
    "http.createServer",
    "mainloop()",
    "pr_run(",
    "Pluto.run(",
    "runApp(",
)

# What it says when it downloads models or data.
LOADING = (
    "load_dataset(",
    "snapshot_download(",
    "hf_hub_download(",
    "nltk.download(",
    ".from_pretrained(",
    "urlretrieve(",
)


def interpreter(call: Call) -> Row | None:
    program = call.program
    language = LANGUAGES.get(program, "shell")
    if language == "ruby" and "-run" in call.args:
        return SERVES  # ruby -run -ehttpd
    text = inline(call, language)
    if text is not None:
        return code(text)
    if language == "shell" and carries(call):
        fetched = "$(curl " in call.text or "$(wget " in call.text
        return ("suggest", "install", "runs a script from the network") if fetched else None
    if language == "node" and not {"--check", "-c"}.isdisjoint(call.args[:2]):
        return ASKS
    if language == "node" and call.has_flag("--watch", "--watch-path"):
        return WATCHES
    if language == "node" and call.has_flag("--test"):
        from hookwright.shell.programs.tests import limited

        return (
            ("none", "test", "runs one file")
            if limited([word for word in call.args if word != "--test"])
            else ("suggest", "test", "runs a test suite")
        )
    operands = call.operands(*VALUED) if language != "shell" or "-s" not in call.args else []
    if call.has_flag("-i") and language != "shell" and program not in {"perl", "ruby"} and not is_fed(call):
        return PERSON
    if not operands or operands[0] == "-":
        return bare(call, language)
    if language == "shell" and call.has_flag("-n"):
        return ASKS
    if language == "node" and operands[0] == "inspect":
        return PERSON
    return script(call, operands[0], language)


def carries(call: Call) -> bool:
    """`bash -lc TEXT`: what runs are the calls in the text."""
    for word in call.args:
        if word[:1] != "-":
            return False
        if "c" in word and word[:2] != "--":
            return True
    return False


def inline(call: Call, language: str) -> str | None:
    """The program text of -c, -e, a here-document; shells are read as calls already."""
    if language == "shell":
        return None
    operands = call.operands(*VALUED)
    own = call.args
    if operands and operands[0] != "-":
        # What stands behind the script is the script's: `train.py -c conf.yaml`.
        own = call.args[: len(call.args) - len(behind(call, operands[0]))]
    text = within(call, [call.words[0], *own]).option("-c", "-e", "--eval", "-p", "--print", "-E")
    if text is not None or language == "perl":
        return text if text is not None else ("" if any(word[:1] == "-" and "e" in word for word in own) else None)
    if operands and operands[0] != "-":
        return None
    return call.stdin_text


def code(text: str) -> Row | None:
    """sleep(120) and serve_forever() in a program text; anything else is taken as quick."""
    for word in SERVING:
        if word in text:
            return SERVES
    for word in LOADING:
        if word in text:
            return "suggest", "download", "may download a model or data"
    seconds = slept(text)
    if "setTimeout(" in text and not any(mark in text for mark in ("abort", "exit", "reject", "kill", "clear")):
        for part in text.partition("setTimeout(")[2].split(","):
            wait = number(part.partition(")")[0].strip()) or 0.0
            if wait >= 30_000:
                return "suggest", "sleep", f"waits {wait / 1000:g} s"
    if "while True" in text and seconds and "break" not in text:
        return "force", "wait", "loops without end"
    return (seconds, "sleep", f"sleeps {seconds:g} s") if seconds else None


def slept(text: str) -> float:
    """The seconds of every sleep(…), as often as a `for … in range(N)` around it says."""
    total = 0.0
    turns, depth = 1.0, 0
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if indent <= depth and line.strip():
            turns = 1.0
        if "in range(" in line:
            turns = number(line.partition("in range(")[2].partition(")")[0].rpartition(",")[2].strip()) or 1.0
            depth = indent
        for part in line.split("sleep(")[1:]:
            total += turns * (number(part.partition(")")[0].strip()) or 0.0)
    return total


def bare(call: Call, language: str) -> Row | None:
    """Without a script it reads its input; from a terminal that means a person."""
    if call.producers and not call.inner and call.producers[-1].program in {"curl", "wget"}:
        return "suggest", "install", "runs a script from the network"
    if call.inner or is_fed(call):
        return None
    for word in call.args:
        if word[:1] == "-" and word not in {"-i", "-l", "--login", "-x", "-q", "-B", "-u", "-O", "-s", "-"}:
            return None
    return PERSON


def script(call: Call, path: Word, language: str) -> Row | None:
    """A script file; `python manage.py x` and `node_modules/.bin/x` are programs of their own."""
    name = path.rpartition("/")[2]
    if "HYDRA_FULL_ERROR" in call.env:
        return TRAINS
    if family_of(name) and (name in {"manage.py", "setup.py"} or ".bin/" in path or "/bin/" in path):
        return row_of(within(call, [path, *behind(call, path)]))
    from hookwright.shell.programs.names import script as named

    if language == "python" and not TRAINING.isdisjoint(word.partition("=")[0] for word in behind(call, path)):
        return TRAINS
    if is_application(call, path, language):
        return SERVES
    return named(path, language="" if language == "shell" else language)


def is_application(call: Call, path: str, language: str) -> bool:
    """`node index.js`, `python app.py`: called so, alone or with a port, this is usually a server."""
    entry = ENTRIES.get(language)
    if entry is None or path.rpartition("/")[2].partition(".")[0] not in entry:
        return False
    rest = behind(call, path)
    if rest and SERVED.isdisjoint(word.partition("=")[0] for word in rest):
        return False
    return path.count("/") < 3


def own(call: Call) -> Row | None:
    """A program called by its path, or a module of the project: `./deploy.sh`, `bin/dev`, `python -m app.train`."""
    from hookwright.shell.programs.names import script as named

    path = call.words[0]
    if call.wrappers and call.wrappers[-1].words[-1] == "-m":
        if path in QUICK_MODULES:
            return None
        package = path.partition(".")[0]
        if package != path and family_of(package):  # python -m rq.cli worker
            row = row_of(within(call, [Word(package), *call.args]))
            if row is not None:
                return row
        if "serve" in path.split("."):
            return SERVES
        return TRAINS if "HYDRA_FULL_ERROR" in call.env else named(path.replace(".", "/"), language="python")
    if "://" in path or path.startswith(("/usr/", "/bin/", "/sbin/", "/opt/")):
        return None
    if "/" not in path and call.wrappers[-1].program not in PACKAGE_RUNNERS:
        return None
    verb = call.words[1] if len(call.words) > 1 else ""
    tool = path[0] == "@" or "/" not in path  # of a package, not a script of the project
    if verb in STAYS or (verb in STARTS and tool):
        return SERVES if verb != "watch" else WATCHES
    if not tool:
        row = named(path)
        if row is not None and row[1] == "test":
            from hookwright.shell.programs.tests import LISTS, ONE, limited

            if any("list_tests" in word or word == "--list-test-names-only" for word in call.args):
                return LISTS
            return ONE if limited(call.args) else row
        return row if path != "./main" else None
    if path.startswith("create-"):
        return "force", "install", "makes a project and installs its packages"
    from hookwright.shell.programs.names import task

    row = task(path) if call.wrappers[-1].program in TASK_RUNNERS else None
    return row or (task(verb) if verb[:1].isalpha() and "." not in verb else None)


TASK_RUNNERS = frozenset("uv hatch pdm rye pixi pipenv poetry".split())

# `npx tool dev`, `uv run app serve`, `./app worker`: a verb that says that it stays.
PACKAGE_RUNNERS = frozenset("npx bunx pnpx uvx uv poetry pipenv pdm hatch rye pixi bundle npm pnpm yarn bun".split())
STAYS = frozenset("serve server runserver dev watch worker daemon listen start-server".split())
SERVED = frozenset("serve server runserver --serve --port --host --bind --reload --listen".split())
STARTS = frozenset("start mock preview studio tunnel playground".split())  # of a tool; a script's `start` leaves
# Arguments that say that a script trains: `python main.py train`, `python run.py --epochs 10`.
TRAINING = frozenset(
    "train finetune eval fit --train --do_train --do-train --epochs --num_epochs --num-epochs --num_train_epochs "
    "--max_steps --max-steps".split()
)
# Modules of Python's own library that run in a moment.
QUICK_MODULES = frozenset("py_compile compileall venv json.tool timeit zipfile tarfile calendar site sysconfig".split())
ENTRIES = {"node": {"app", "index", "main", "www"}, "python": {"app", "wsgi", "asgi"}, "ruby": {"app", "config"}}
LANGUAGES = {
    **dict.fromkeys("python python2 python3 py pypy pypy3 ipython bpython ptpython".split(), "python"),
    **dict.fromkeys("python3.9 python3.10 python3.11 python3.12 python3.13 python3.14".split(), "python"),
    **dict.fromkeys("node nodejs tsx ts-node esno".split(), "node"),
    **dict.fromkeys("ruby jruby irb pry".split(), "ruby"),
    "perl": "perl",
    **dict.fromkeys(
        "lua luajit groovy tclsh guile racket ocaml ghci swipl erl pwsh runghc runhaskell".split(), "other"
    ),
}


def typescript(call: Call) -> Row | None:
    """`tsx watch file`."""
    return WATCHES if call.verb == "watch" else interpreter(call)


PROGRAMS: dict[str, Handler] = {
    **each(
        "python python2 python3 py pypy pypy3 ipython bpython ptpython python3.9 python3.10 python3.11 python3.12 "
        "python3.13 python3.14 node nodejs esno ruby jruby irb pry perl lua luajit groovy tclsh guile racket ocaml "
        "ghci swipl erl pwsh runghc runhaskell bash sh zsh dash ksh fish",
        interpreter,
    ),
    **each("tsx ts-node", typescript),
}
