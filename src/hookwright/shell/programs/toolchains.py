"""Languages whose own tool builds, tests and installs: cargo, go, dotnet, swift, flutter, mix, …

The programs and their tables are in toolchains.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import (
    args_after,
    has_input,
    look_up_verb,
    make_inner_call,
    parse_number,
    row_of,
)
from hookwright.shell.programs.toolchains_table import (
    BUILDS,
    CARGO,
    CARGO_VALUED,
    CHECKS,
    CLOJURE,
    COMPILES,
    CONTRACTS,
    DOTNET,
    FETCHES,
    GO,
    HASKELL,
    INSTALLS,
    MIX,
    ONE,
    PPROF,
    REPL,
    RUNS,
    SERVES,
    SUITE,
    TESTS,
    WATCHES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.call import Call, Word
    from hookwright.shell.programs import Row, Table


def classify_cargo(call: Call) -> Row | None:
    operands = [word for word in call.operands(*CARGO_VALUED) if word[:1] != "+"]
    verb = operands[0] if operands else ""
    if verb in {"test", "t", "nextest"}:
        return classify_cargo_test(call, operands)
    if verb in {"make", "xtask"}:
        return classify_mage(make_inner_call(call, [call.words[0], *operands[1:]])) if len(operands) > 1 else None
    both = " ".join(operands[:2])
    row = CARGO[both] if both in CARGO else CARGO.get(verb)
    if row is RUNS:
        named = [*call.options("--bin", "-p", "--package", "--example"), "main"]
        return classify_compiled_program(named[0], args_after(call, "--") or operands[1:])
    return row


def classify_cargo_test(call: Call, operands: list[Word]) -> Row:
    """A word after the verb, or after `--`, is a filter; `--test name` is one file."""
    named = operands[1:] if operands[0] != "nextest" else operands[2:]
    if operands[0] == "nextest" and operands[1:2] == ["list"]:
        return "none", "test", "only lists"
    if call.has_flag("--no-run"):
        return BUILDS
    if [word for word in named if word[:1] != "-"] or call.has_flag("--test", "-E", "--filter-expr", "--example"):
        return ONE
    return TESTS


def classify_go(call: Call) -> Row | None:
    verb = call.verb
    if verb == "test":
        return classify_go_test(call)
    if verb == "vet":
        return CHECKS if "./..." in call.words else None
    if verb == "tool" and "pprof" in call.words:
        shows = any(word.lstrip("-").partition("=")[0] in PPROF for word in call.args)
        return SERVES if call.has_flag("-http") else None if shows else REPL
    if verb == "get" and not call.has_flag("-u"):
        return None
    if verb in {"build", "install"} and "-n" in call.args:
        return None
    if verb == "build" and not any("..." in word for word in call.args):
        operands = call.operands("-o", "-ldflags", "-tags", "-gcflags", "-mod", "-C")
        if len(operands) > 1 and all(word.endswith(".go") for word in operands[1:]):
            return None
    if verb == "run":
        named = call.operands("-tags", "-ldflags", "-C", "-exec", "-mod")[1:2]
        return classify_compiled_program(named[0], args_after(call, named[0])) if named else None
    return look_up_verb(call, GO)


def classify_compiled_program(name: str, rest: Sequence[str]) -> Row:
    """A program that is compiled and run: a server by its own verb, or else by its name."""
    from hookwright.shell.programs.name_hints import is_server_name

    verb = next((word for word in rest if word != "--"), "-")
    if verb[:1] != "-":
        return SERVES if is_server_name(verb) or verb in {"start", "dev", "watch", "listen"} else RUNS
    folder, _, file = name.removesuffix(".go").rpartition("/")
    return SERVES if is_server_name(folder.rpartition("/")[2] if file == "main" else file) else RUNS


OFTEN = 5  # repetitions of a benchmark that make it surely long


def classify_go_test(call: Call) -> Row:
    if call.has_flag("-list", "--list"):
        return "none", "test", "only lists"
    fuzz = call.option("-fuzz", "--fuzz")
    if fuzz is not None:
        from hookwright.shell.programs.containers import parse_timespan

        seconds = parse_timespan(call.option("-fuzztime", "--fuzztime"))
        return ("force", "test", "fuzzes without end") if seconds is None else (seconds, "test", "fuzzes for that long")
    bench = call.option("-bench", "--bench")
    if bench is not None:
        often = (parse_number(call.option("-count", "--count")) or 1) >= OFTEN
        return ("force" if often or bench in {".", "./..."} else "suggest"), "test", "runs benchmarks"
    named = call.option("-run", "--run")
    whole = any("..." in word for word in call.args)
    if named is not None and named not in {".", "^$"}:
        return ("suggest", "test", "compiles every package for some tests") if "./..." in call.args else ONE
    if whole:
        return TESTS
    return "none", "test", "tests one package"


def classify_dotnet(call: Call) -> Row | None:
    verb = call.verb
    if verb == "test" and call.has_flag("--list-tests", "-t"):
        return ONE
    if verb == "test" and call.has_flag("--filter"):
        return "suggest", "test", "compiles and runs some tests"
    if verb == "run":
        project = call.option("--project", "-p") or ""
        name = project.rstrip("/").rpartition("/")[2].removesuffix(".csproj")
        if call.option("--urls", "--launch-profile") or name in {"app", "App"} or name.endswith(("Host", ".App")):
            return SERVES
        return classify_compiled_program(name, args_after(call, "--"))
    if verb == "format" and call.has_flag("--include"):
        return None
    if verb == "add" and len(call.operands()) > 2 and "package" in call.operands():
        return FETCHES
    return look_up_verb(call, DOTNET, "--project")


def classify_mix(call: Call) -> Row | None:
    """Several tasks are joined by `do`; each is classified, the longest counts."""
    best: Row | None = None
    for task in call.operands():
        name = task.rstrip(",")
        row = MIX.get(name)
        if name == "run" and call.has_flag("--no-halt"):
            row = SERVES
        if name == "test":
            from hookwright.shell.programs.tests import names_few_tests

            row = ONE if names_few_tests(call.args) or any(":" in word for word in call.args) else SUITE
            if call.has_flag("--stale", "--failed", "--only"):
                row = ONE
        if row is not None and (best is None or row[0] == "force"):
            best = row
        if task != "do" and not task.endswith(",") and best is not None:
            break
    return best


def classify_app_toolchain(call: Call, table: Table) -> Row | None:
    """swift, flutter and dart: `--filter`, `--name` or a file name one test; build_runner may watch."""
    row = look_up_verb(call, table, "-c", "--configuration", "-d", "--device-id", "--flavor", "--target", "-t")
    if row is SUITE:
        from hookwright.shell.programs.tests import names_few_tests

        return ONE if names_few_tests(call.args) or call.has_flag("--name", "--plain-name", "-n") else SUITE
    if "build_runner" in call.words and ("watch" in call.words or "serve" in call.words):
        return WATCHES
    if call.program == "swift" and not call.args:
        return REPL
    if row is RUNS:
        return classify_launched(call, row)
    if call.program == "dart" and call.verb.endswith(".dart"):
        from hookwright.shell.programs.name_hints import classify_script_name

        return classify_script_name(call.verb, language="dart")
    return row


def classify_haskell(call: Call) -> Row | None:
    """`stack exec name` is the program of that name."""
    if call.verb == "exec":
        inner = [word for word in args_after(call, "exec") if word != "--"]
        if not inner:
            return None
        row = row_of(make_inner_call(call, inner))
        return row or (SERVES if classify_compiled_program(inner[0], inner[1:]) is SERVES else None)
    return classify_launched(call, look_up_verb(call, HASKELL))


def classify_runner(call: Call, table: Table) -> Row | None:
    return classify_launched(call, table.get(call.verb))


def classify_launched(call: Call, row: Row | None) -> Row | None:
    """`stack run server`, `swift run App serve`, `dune exec ./server.exe`: a server by its name."""
    named = call.operands("-c", "--configuration", "--package-path", "--stack-yaml")[1:]
    if row is not RUNS or not named:
        return row
    return classify_compiled_program(
        named[0].removesuffix(".exe"), [word for word in args_after(call, named[0]) if word != "--"]
    )


def classify_clojure(call: Call) -> Row | None:
    verb = call.verb
    if call.program in {"clojure", "clj"}:
        return classify_clojure_aliases(call)
    if verb in {"test", "midje", "eftest", "check", "spec"}:
        from hookwright.shell.programs.tests import names_few_tests

        return ONE if call.has_flag("-n", ":only") or ":only" in call.words or names_few_tests(call.args) else SUITE
    return look_up_verb(call, CLOJURE)


def classify_clojure_aliases(call: Call) -> Row | None:
    """`clojure -M:test`, `-X:run`, `-T:build uber`: by the names of the aliases."""
    text = call.text
    if "server" in text or "figwheel" in text or "shadow-cljs watch" in text:
        return SERVES
    if call.has_flag("-P", "-Spath", "-Stree", "-e", "--eval"):
        return FETCHES if call.has_flag("-P") else None
    named = [word for word in call.args if word[:2] in {"-M", "-X", "-T", "-A"}]
    if not call.args or any(mark in text for mark in ("repl", "rebel", "-A:", "-M:dev")):
        return None if has_input(call) else REPL
    if any("test" in word or "kaocha" in word for word in named):
        return SUITE
    return COMPILES if named else None


def classify_mill(call: Call) -> Row | None:
    """`mill app.test`, `mill __.compile`: the task is the last part of the path."""
    if call.has_flag("-w", "--watch"):
        return WATCHES
    for word in call.operands("-j", "--jobs"):
        task = word.rpartition(".")[2]
        if task in {"resolve", "inspect", "show", "plan", "version", "clean", "path", "visualize"}:
            return None
        if task in {"run", "runMain", "runBackground"}:
            return RUNS
        if task in {"repl", "console"}:
            return REPL
        return TESTS if task.startswith("test") else BUILDS
    return None


def classify_sbt(call: Call) -> Row | None:
    """The start of sbt alone takes half a minute; `~task` watches."""
    operands = call.operands()
    if not operands:
        return REPL
    for word in operands:
        if word[:1] == "~":
            return WATCHES
        task = word.rpartition("/")[2].partition(" ")[0]
        if task == "testOnly":
            return "suggest", "test", "compiles and runs some tests"
        if task in {"test", "it:test", "Test"}:
            return SUITE
        if task in {"run", "runMain"}:
            return "force", "server", "compiles and runs the application"
        if task in {"console", "shell"}:
            return REPL
    return BUILDS


def classify_julia(call: Call) -> Row | None:
    code = call.option("-e", "--eval", "-E")
    if code is not None:
        return FETCHES if "Pkg." in code else SERVES if "Pluto.run" in code or "serve(" in code else None
    operands = call.operands("-t", "--threads", "-p", "--project", "-J", "-L")
    if not operands:
        return None if call.place.pipe is not None or call.redirects or call.has_flag("-v", "--version") else REPL
    from hookwright.shell.programs.name_hints import classify_script_name

    return classify_script_name(operands[0], language="julia")


def classify_r_language(call: Call) -> Row | None:
    code = call.option("-e")
    if code is not None:
        if "install" in code or "renv::restore" in code:
            return INSTALLS
        if "runApp" in code or "run_app" in code or "pr_run" in code or "$run(" in code:
            return SERVES
        return SUITE if "test" in code or "check()" in code else None
    if call.program == "R":
        if call.verb == "CMD":
            operands = call.operands()
            rows = {
                "INSTALL": FETCHES,
                "check": ("force", "test", "checks the package"),
                "build": COMPILES,
                "BATCH": RUNS,
            }
            return rows.get(operands[1]) if len(operands) > 1 else None
        return None if call.place.pipe is not None or call.redirects or call.has_flag("--version") else REPL
    from hookwright.shell.programs.name_hints import classify_script_name

    return classify_script_name(call.verb, language="R")


def classify_elixir(call: Call) -> Row | None:
    """`iex` is a REPL, `elixir x.exs` runs a script."""
    if call.program == "iex":
        return SERVES if "phx.server" in call.words else REPL
    if call.has_flag("--no-halt"):
        return SERVES
    operands = call.operands("-r", "-e", "-S", "--name", "--sname")
    if not operands:
        return None
    from hookwright.shell.programs.name_hints import classify_script_name

    return classify_script_name(operands[0], language="elixir")


def classify_zig(call: Call) -> Row | None:
    if call.has_flag("--watch"):
        return WATCHES
    operands = call.operands()
    if operands[:1] == ["test"]:
        return ONE
    return (
        (SUITE if "test" in operands else RUNS if "run" in operands else BUILDS) if operands[:1] == ["build"] else None
    )


def classify_contracts(call: Call) -> Row | None:
    """Foundry, Hardhat, Truffle, Anchor."""
    if call.has_flag("-w", "--watch"):
        return WATCHES
    if call.verb == "test" and call.has_flag(
        "--match-test", "--match-contract", "--match-path", "--mt", "--mc", "--mp"
    ):
        return ONE
    if call.verb == "test" and call.program != "forge":
        from hookwright.shell.programs.tests import names_few_tests

        if names_few_tests(call.args):
            return ONE
    return look_up_verb(call, CONTRACTS, "--network")


def classify_mage(call: Call) -> Row | None:
    from hookwright.shell.programs.name_hints import classify_task_name

    for name in call.operands("-t", "-d", "-w"):
        row = classify_task_name(name)
        if row is not None:
            return row
    return None


def classify_crystal(call: Call) -> Row | None:
    rows = {"build": COMPILES, "spec": SUITE, "run": RUNS, "install": FETCHES, "update": FETCHES}
    row = rows.get(call.verb)
    named = call.operands()[1:]
    return (
        classify_compiled_program(named[0].removesuffix(".cr"), args_after(call, named[0]))
        if row is RUNS and named
        else row
    )


def classify_gleam(call: Call) -> Row | None:
    row = {"test": SUITE, "build": COMPILES, "run": RUNS}.get(call.verb)
    module = call.option("-m", "--module")
    return classify_compiled_program(module, ()) if row is RUNS and module else row


def classify_nim(call: Call) -> Row | None:
    """`nim c -r file` compiles and runs."""
    if call.verb not in {"c", "cpp", "js", "compile", "r"}:
        return None
    files = [word for word in call.operands() if word.endswith(".nim")]
    if files and (call.verb == "r" or call.has_flag("-r", "--run")):
        return classify_compiled_program(files[0].removesuffix(".nim"), args_after(call, files[0]))
    return COMPILES
