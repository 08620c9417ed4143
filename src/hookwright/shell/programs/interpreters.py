"""Interpreters and the project's own scripts: the name tells what to expect, a bare interpreter waits for a person.

The programs and their tables are in interpreters.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.call import Word
from hookwright.shell.families import family_of
from hookwright.shell.programs import args_after, has_input, make_inner_call, parse_number, row_of
from hookwright.shell.programs.interpreters_table import (
    ASKS,
    LOADING,
    PACKAGE_RUNNERS,
    PERSON,
    QUICK_MODULES,
    SERVED,
    SERVES,
    SERVING,
    STARTS,
    STAYS,
    TASK_RUNNERS,
    TRAINING,
    TRAINS,
    VALUED,
    WATCHES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_interpreter(call: Call) -> Row | None:
    program = call.program
    language = LANGUAGES.get(program, "shell")
    if language == "ruby" and "-run" in call.args:
        return SERVES  # ruby -run -ehttpd
    text = find_inline_code(call, language)
    if text is not None:
        return classify_code(text)
    if language == "shell" and has_command_text(call):
        fetched = "$(curl " in call.text or "$(wget " in call.text
        return ("suggest", "install", "runs a script from the network") if fetched else None
    if language == "node" and not {"--check", "-c"}.isdisjoint(call.args[:2]):
        return ASKS
    if language == "node" and call.has_flag("--watch", "--watch-path"):
        return WATCHES
    if language == "node" and call.has_flag("--test"):
        from hookwright.shell.programs.tests import names_few_tests

        return (
            ("none", "test", "runs one file")
            if names_few_tests([word for word in call.args if word != "--test"])
            else ("suggest", "test", "runs a test suite")
        )
    operands = call.operands(*VALUED) if language != "shell" or "-s" not in call.args else []
    if call.has_flag("-i") and language != "shell" and program not in {"perl", "ruby"} and not has_input(call):
        return PERSON
    if not operands or operands[0] == "-":
        return classify_bare_interpreter(call, language)
    if language == "shell" and call.has_flag("-n"):
        return ASKS
    if language == "node" and operands[0] == "inspect":
        return PERSON
    return classify_script_file(call, operands[0], language)


def has_command_text(call: Call) -> bool:
    """`bash -lc TEXT`: the calls in the text are classified by themselves."""
    for word in call.args:
        if word[:1] != "-":
            return False
        if "c" in word and word[:2] != "--":
            return True
    return False


def find_inline_code(call: Call, language: str) -> str | None:
    """The code of -c, -e or a here-document; None for shells, whose text is parsed into calls."""
    if language == "shell":
        return None
    operands = call.operands(*VALUED)
    own = call.args
    if operands and operands[0] != "-":
        # Arguments after the script belong to the script: `train.py -c conf.yaml`.
        own = call.args[: len(call.args) - len(args_after(call, operands[0]))]
    text = make_inner_call(call, [call.words[0], *own]).option("-c", "-e", "--eval", "-p", "--print", "-E")
    if text is not None or language == "perl":
        return text if text is not None else ("" if any(word[:1] == "-" and "e" in word for word in own) else None)
    if operands and operands[0] != "-":
        return None
    return call.stdin_text


def classify_code(text: str) -> Row | None:
    """Look for sleep(120), serve_forever() and the like in code; anything else counts as quick."""
    for word in SERVING:
        if word in text:
            return SERVES
    for word in LOADING:
        if word in text:
            return "suggest", "download", "may download a model or data"
    seconds = sum_sleep_seconds(text)
    if "setTimeout(" in text and not any(mark in text for mark in ("abort", "exit", "reject", "kill", "clear")):
        for part in text.partition("setTimeout(")[2].split(","):
            wait = parse_number(part.partition(")")[0].strip()) or 0.0
            if wait >= 30_000:
                return "suggest", "sleep", f"waits {wait / 1000:g} s"
    if "while True" in text and seconds and "break" not in text:
        return "force", "wait", "loops without end"
    return (seconds, "sleep", f"sleeps {seconds:g} s") if seconds else None


def sum_sleep_seconds(text: str) -> float:
    """The seconds of every sleep(…), times N inside of `for … in range(N)`."""
    total = 0.0
    turns, depth = 1.0, 0
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if indent <= depth and line.strip():
            turns = 1.0
        if "in range(" in line:
            turns = parse_number(line.partition("in range(")[2].partition(")")[0].rpartition(",")[2].strip()) or 1.0
            depth = indent
        for part in line.split("sleep(")[1:]:
            total += turns * (parse_number(part.partition(")")[0].strip()) or 0.0)
    return total


def classify_bare_interpreter(call: Call, language: str) -> Row | None:
    """Without a script it reads its standard input; if that is a terminal, it waits for a person."""
    if call.producers and not call.inner and call.producers[-1].program in {"curl", "wget"}:
        return "suggest", "install", "runs a script from the network"
    if call.inner or has_input(call):
        return None
    for word in call.args:
        if word[:1] == "-" and word not in {"-i", "-l", "--login", "-x", "-q", "-B", "-u", "-O", "-s", "-"}:
            return None
    return PERSON


def classify_script_file(call: Call, path: Word, language: str) -> Row | None:
    """A script file; `python manage.py x` and `node_modules/.bin/x` count as separate programs."""
    name = path.rpartition("/")[2]
    if "HYDRA_FULL_ERROR" in call.env:
        return TRAINS
    if family_of(name) and (name in {"manage.py", "setup.py"} or ".bin/" in path or "/bin/" in path):
        return row_of(make_inner_call(call, [path, *args_after(call, path)]))
    from hookwright.shell.programs.name_hints import classify_script_name as named

    if language == "python" and not TRAINING.isdisjoint(word.partition("=")[0] for word in args_after(call, path)):
        return TRAINS
    if is_application(call, path, language):
        return SERVES
    return named(path, language="" if language == "shell" else language)


def is_application(call: Call, path: str, language: str) -> bool:
    """`node index.js`, `python app.py`: without arguments, or with a port, it is usually a server."""
    entry = ENTRIES.get(language)
    if entry is None or path.rpartition("/")[2].partition(".")[0] not in entry:
        return False
    rest = args_after(call, path)
    if rest and SERVED.isdisjoint(word.partition("=")[0] for word in rest):
        return False
    return path.count("/") < 3


def classify_own_program(call: Call) -> Row | None:
    """A program called by its path, or a module of the project: `./deploy.sh`, `bin/dev`, `python -m app.train`."""
    from hookwright.shell.programs.name_hints import classify_script_name as named

    path = call.words[0]
    if call.wrappers and call.wrappers[-1].words[-1] == "-m":
        if path in QUICK_MODULES:
            return None
        package = path.partition(".")[0]
        if package != path and family_of(package):  # python -m rq.cli worker
            row = row_of(make_inner_call(call, [Word(package), *call.args]))
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
            from hookwright.shell.programs.tests import names_few_tests
            from hookwright.shell.programs.tests_table import LISTS, ONE

            if any("list_tests" in word or word == "--list-test-names-only" for word in call.args):
                return LISTS
            return ONE if names_few_tests(call.args) else row
        return row if path != "./main" else None
    if path.startswith("create-"):
        return "force", "install", "makes a project and installs its packages"
    from hookwright.shell.programs.name_hints import classify_task_name

    row = classify_task_name(path) if call.wrappers[-1].program in TASK_RUNNERS else None
    return row or (classify_task_name(verb) if verb[:1].isalpha() and "." not in verb else None)


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


def classify_typescript(call: Call) -> Row | None:
    """`tsx watch file`."""
    return WATCHES if call.verb == "watch" else classify_interpreter(call)
