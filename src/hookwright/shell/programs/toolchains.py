"""Languages whose own tool builds, tests and installs: cargo, go, dotnet, swift, flutter, mix, …

force    cargo build --release
force    cargo test
none     cargo test cart::total
force    cargo watch -x check
force    go test ./...
none     go test -run TestTotal ./cart
suggest  go build ./...
none     go fmt ./...
force    dotnet test
force    mix deps.get
force    mix phx.server
force    flutter build apk
none     cargo tree
"""

from __future__ import annotations

from hookwright.shell.programs import behind, each, is_fed, looked_up, number, row_of, table, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call, Word
    from hookwright.shell.programs import Handler, Row

BUILDS: Row = ("force", "build", "compiles")
COMPILES: Row = ("suggest", "build", "may compile much")
CHECKS: Row = ("suggest", "check", "compiles to check")
TESTS: Row = ("force", "test", "compiles and runs a test suite")
SUITE: Row = ("suggest", "test", "runs a test suite")
ONE: Row = ("none", "test", "runs one test or file")
INSTALLS: Row = ("force", "install", "downloads and compiles packages")
FETCHES: Row = ("suggest", "install", "may download packages")
RUNS: Row = ("suggest", "script", "compiles and runs a program")
SERVES: Row = ("force", "server", "starts a server that does not end")
WATCHES: Row = ("force", "watch", "watches for changes")
REPL: Row = ("force", "terminal", "waits for a person")
PUBLISHES: Row = ("suggest", "build", "builds and publishes")

CARGO = table(
    {
        BUILDS: "build, b, zigbuild, ndk, bundle, dist, tauri build, leptos build, lambda build, component build, "
        "deb, generate-rpm, xwin, apk, lipo, contract, msrv, build-sbf, build-bpf, bloat, wasi",
        INSTALLS: "install, binstall",
        FETCHES: "fetch, vendor",
        CHECKS: "check, c, clippy, doc, d, rustdoc, fix, udeps, semver-checks, expand",
        ("none", "test", "only lists or prepares"): "fuzz list, fuzz init, fuzz add, fuzz fmt, mutants --list",
        ("force", "test", "runs benchmarks"): "bench, criterion, fuzz, mutants, tarpaulin, llvm-cov, flamegraph, "
        "hack, miri",
        RUNS: "run, r",
        PUBLISHES: "publish, package",
        WATCHES: "watch, leptos watch, lambda watch, bacon",
        SERVES: "leptos serve, tauri dev, shuttle run, embed, pgrx run, espflash",
        SUITE: "insta, careful, pgrx test",
    }
)


def cargo(call: Call) -> Row | None:
    operands = [word for word in call.operands(*CARGO_VALUED) if word[:1] != "+"]
    verb = operands[0] if operands else ""
    if verb in {"test", "t", "nextest"}:
        return cargo_test(call, operands)
    if verb in {"make", "xtask"}:
        return mage(within(call, [call.words[0], *operands[1:]])) if len(operands) > 1 else None
    both = " ".join(operands[:2])
    row = CARGO[both] if both in CARGO else CARGO.get(verb)
    if row is RUNS:
        named = [*call.options("--bin", "-p", "--package", "--example"), "main"]
        return ran(named[0], behind(call, "--") or operands[1:])
    return row


CARGO_VALUED = (
    "-p --package --bin --test --example --bench --features -F --target --target-dir --manifest-path --profile -j "
    "--jobs --message-format --color --exclude -x -E --filter-expr"
).split()


def cargo_test(call: Call, operands: list[Word]) -> Row:
    """A word after the verb, or after `--`, is a filter; `--test name` is one file."""
    named = operands[1:] if operands[0] != "nextest" else operands[2:]
    if operands[0] == "nextest" and operands[1:2] == ["list"]:
        return "none", "test", "only lists"
    if call.has_flag("--no-run"):
        return BUILDS
    if [word for word in named if word[:1] != "-"] or call.has_flag("--test", "-E", "--filter-expr", "--example"):
        return ONE
    return TESTS


GO = table(
    {
        COMPILES: "build",
        RUNS: "run",
        FETCHES: "install, mod download, mod vendor, get, work sync",
        ("suggest", "build", "runs the generators"): "generate",
    }
)


def go(call: Call) -> Row | None:
    verb = call.verb
    if verb == "test":
        return go_test(call)
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
        return ran(named[0], behind(call, named[0])) if named else None
    return looked_up(call, GO)


def ran(name: str, rest: Sequence[str]) -> Row:
    """A program of the project that is compiled and run: its own verb, else its name tells whether it stays."""
    from hookwright.shell.programs.names import serves

    verb = next((word for word in rest if word != "--"), "-")
    if verb[:1] != "-":
        return SERVES if serves(verb) or verb in {"start", "dev", "watch", "listen"} else RUNS
    folder, _, file = name.removesuffix(".go").rpartition("/")
    return SERVES if serves(folder.rpartition("/")[2] if file == "main" else file) else RUNS


PPROF = frozenset("top text tree list peek png svg pdf dot gif raw traces disasm weblist proto tags".split())


OFTEN = 5  # turns of a benchmark


def go_test(call: Call) -> Row:
    if call.has_flag("-list", "--list"):
        return "none", "test", "only lists"
    fuzz = call.option("-fuzz", "--fuzz")
    if fuzz is not None:
        from hookwright.shell.programs.containers import span

        seconds = span(call.option("-fuzztime", "--fuzztime"))
        return ("force", "test", "fuzzes without end") if seconds is None else (seconds, "test", "fuzzes for that long")
    bench = call.option("-bench", "--bench")
    if bench is not None:
        often = (number(call.option("-count", "--count")) or 1) >= OFTEN
        return ("force" if often or bench in {".", "./..."} else "suggest"), "test", "runs benchmarks"
    named = call.option("-run", "--run")
    whole = any("..." in word for word in call.args)
    if named is not None and named not in {".", "^$"}:
        return ("suggest", "test", "compiles every package for some tests") if "./..." in call.args else ONE
    if whole:
        return TESTS
    return "none", "test", "tests one package"


DOTNET = table(
    {
        TESTS: "test",
        BUILDS: "publish, pack, msbuild",
        COMPILES: "build, format",
        FETCHES: "restore, workload install, workload restore, tool install, tool restore, add package, package add",
        WATCHES: "watch",
        RUNS: "run",
        ("suggest", "database", "migrates a database"): "ef database",
    }
)


def dotnet(call: Call) -> Row | None:
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
        return ran(name, behind(call, "--"))
    if verb == "format" and call.has_flag("--include"):
        return None
    if verb == "add" and len(call.operands()) > 2 and "package" in call.operands():
        return FETCHES
    return looked_up(call, DOTNET, "--project")


def mix(call: Call) -> Row | None:
    """Several tasks are joined by `do`; each is judged, the longest counts."""
    best: Row | None = None
    for task in call.operands():
        name = task.rstrip(",")
        row = MIX.get(name)
        if name == "run" and call.has_flag("--no-halt"):
            row = SERVES
        if name == "test":
            from hookwright.shell.programs.tests import limited

            row = ONE if limited(call.args) or any(":" in word for word in call.args) else SUITE
            if call.has_flag("--stale", "--failed", "--only"):
                row = ONE
        if row is not None and (best is None or row[0] == "force"):
            best = row
        if task != "do" and not task.endswith(",") and best is not None:
            break
    return best


MIX = table(
    {
        INSTALLS: "deps.get, deps.update, setup, local.hex, archive.install, phx.new",
        BUILDS: "release",
        COMPILES: "compile, deps.compile, assets.deploy, docs, escript.build, assets.build",
        CHECKS: "dialyzer, credo, sobelow",
        SERVES: "phx.server",
        WATCHES: "test.watch",
        RUNS: "run",
        ("suggest", "database", "changes a database"): (
            "ecto.migrate, ecto.setup, ecto.reset, ecto.create, ecto.rollback, ecto.load, ash.setup, ash.migrate"
        ),
    }
)

SWIFT = table({BUILDS: "build", SUITE: "test", RUNS: "run", FETCHES: "package resolve, package update", REPL: "repl"})
FLUTTER = table(
    {
        BUILDS: "build",
        SUITE: "test, drive",
        ("force", "server", "runs the app and waits for keys"): "run, attach",
        ("force", "follow", "follows the device log"): "logs",
        FETCHES: "pub get, pub upgrade, pub add, precache, packages get, create",
        INSTALLS: "upgrade",
        CHECKS: "analyze",
        COMPILES: "pub run, gen-l10n",
        SERVES: "daemon",
    }
)
DART = table(
    {
        SUITE: "test",
        COMPILES: "compile, pub publish, run build_runner, doc",
        FETCHES: "pub get, pub upgrade, pub add, pub global",
        CHECKS: "analyze",
    }
)


def filtered(call: Call) -> Row | None:
    """swift, flutter and dart: `--filter`, `--name` or a file name one test; build_runner may watch."""
    rows = {"swift": SWIFT, "flutter": FLUTTER, "dart": DART}[call.program]
    row = looked_up(call, rows, "-c", "--configuration", "-d", "--device-id", "--flavor", "--target", "-t")
    if row is SUITE:
        from hookwright.shell.programs.tests import limited

        return ONE if limited(call.args) or call.has_flag("--name", "--plain-name", "-n") else SUITE
    if "build_runner" in call.words and ("watch" in call.words or "serve" in call.words):
        return WATCHES
    if call.program == "swift" and not call.args:
        return REPL
    if row is RUNS:
        return launched(call, row)
    if call.program == "dart" and call.verb.endswith(".dart"):
        from hookwright.shell.programs.names import script

        return script(call.verb, language="dart")
    return row


def haskell(call: Call) -> Row | None:
    if call.has_flag("--file-watch"):
        return WATCHES
    if call.verb == "exec":
        inner = [word for word in behind(call, "exec") if word != "--"]
        if not inner:
            return None
        row = row_of(within(call, inner))
        return row or (SERVES if ran(inner[0], inner[1:]) is SERVES else None)
    return launched(call, looked_up(call, HASKELL))


def launched(call: Call, row: Row | None) -> Row | None:
    """`stack run server`, `swift run App serve`, `dune exec ./server.exe`: named like a server it is one."""
    named = call.operands("-c", "--configuration", "--package-path", "--stack-yaml")[1:]
    if row is not RUNS or not named:
        return row
    return ran(named[0].removesuffix(".exe"), [word for word in behind(call, named[0]) if word != "--"])


HASKELL = table(
    {
        BUILDS: "build, install",
        INSTALLS: "setup, update, upgrade",
        SUITE: "test, bench",
        RUNS: "run",
        REPL: "ghci, repl",
        COMPILES: "haddock",
    }
)


def clojure(call: Call) -> Row | None:
    verb = call.verb
    if call.program in {"clojure", "clj"}:
        return aliases(call)
    if verb in {"test", "midje", "eftest", "check", "spec"}:
        from hookwright.shell.programs.tests import limited

        return ONE if call.has_flag("-n", ":only") or ":only" in call.words or limited(call.args) else SUITE
    return looked_up(call, CLOJURE)


def aliases(call: Call) -> Row | None:
    """`clojure -M:test`, `-X:run`, `-T:build uber`: the names of the aliases tell."""
    text = call.text
    if "server" in text or "figwheel" in text or "shadow-cljs watch" in text:
        return SERVES
    if call.has_flag("-P", "-Spath", "-Stree", "-e", "--eval"):
        return FETCHES if call.has_flag("-P") else None
    named = [word for word in call.args if word[:2] in {"-M", "-X", "-T", "-A"}]
    if not call.args or any(mark in text for mark in ("repl", "rebel", "-A:", "-M:dev")):
        return None if is_fed(call) else REPL
    if any("test" in word or "kaocha" in word for word in named):
        return SUITE
    return COMPILES if named else None


CLOJURE = table(
    {
        COMPILES: "compile, uberjar, jar, package, assembly, docker, dist, publishLocal, native-image, install",
        FETCHES: "deps, update, ancient",
        SERVES: "run, ring, figwheel, cljsbuild",
        REPL: "repl, console, shell, ",
    }
)


def mill(call: Call) -> Row | None:
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


def sbt(call: Call) -> Row | None:
    """The tool's own start takes half a minute; `~task` watches."""
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


def julia(call: Call) -> Row | None:
    code = call.option("-e", "--eval", "-E")
    if code is not None:
        return FETCHES if "Pkg." in code else SERVES if "Pluto.run" in code or "serve(" in code else None
    operands = call.operands("-t", "--threads", "-p", "--project", "-J", "-L")
    if not operands:
        return None if call.place.pipe is not None or call.redirects or call.has_flag("-v", "--version") else REPL
    from hookwright.shell.programs.names import script

    return script(operands[0], language="julia")


def r_language(call: Call) -> Row | None:
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
    from hookwright.shell.programs.names import script

    return script(call.verb, language="R")


def elixir(call: Call) -> Row | None:
    """Iex is a prompt; `elixir x.exs` a script."""
    if call.program == "iex":
        return SERVES if "phx.server" in call.words else REPL
    if call.has_flag("--no-halt"):
        return SERVES
    operands = call.operands("-r", "-e", "-S", "--name", "--sname")
    if not operands:
        return None
    from hookwright.shell.programs.names import script

    return script(operands[0], language="elixir")


def zig(call: Call) -> Row | None:
    if call.has_flag("--watch"):
        return WATCHES
    operands = call.operands()
    if operands[:1] == ["test"]:
        return ONE
    return (
        (SUITE if "test" in operands else RUNS if "run" in operands else BUILDS) if operands[:1] == ["build"] else None
    )


def contracts(call: Call) -> Row | None:
    """Foundry, Hardhat, Truffle, Anchor."""
    if call.has_flag("-w", "--watch"):
        return WATCHES
    if call.verb == "test" and call.has_flag(
        "--match-test", "--match-contract", "--match-path", "--mt", "--mc", "--mp"
    ):
        return ONE
    if call.verb == "test" and call.program != "forge":
        from hookwright.shell.programs.tests import limited

        if limited(call.args):
            return ONE
    return looked_up(call, CONTRACTS, "--network")


CONTRACTS = table(
    {
        SUITE: "test, coverage, gas-snapshot, snapshot",
        COMPILES: "build, compile, b, script, run, deploy, migrate",
        FETCHES: "install, update, init, unbox",
        SERVES: "node, develop, localnet",
        REPL: "console",
    }
)


def maturin(call: Call) -> Row | None:
    return BUILDS if call.verb in {"build", "develop", "publish", "sdist"} else None


def mage(call: Call) -> Row | None:
    from hookwright.shell.programs.names import task

    for name in call.operands("-t", "-d", "-w"):
        row = task(name)
        if row is not None:
            return row
    return None


def elm(call: Call) -> Row | None:
    return {"make": COMPILES, "reactor": SERVES, "repl": REPL, "install": FETCHES}.get(call.verb)


def dune(call: Call) -> Row | None:
    if call.has_flag("-w", "--watch"):
        return WATCHES
    rows = {"build": COMPILES, "test": SUITE, "runtest": SUITE, "exec": RUNS, "utop": REPL}
    return launched(call, rows.get(call.verb))


def trunk(call: Call) -> Row | None:
    return {"serve": SERVES, "watch": WATCHES, "build": COMPILES}.get(call.verb)


def crystal(call: Call) -> Row | None:
    rows = {"build": COMPILES, "spec": SUITE, "run": RUNS, "install": FETCHES, "update": FETCHES}
    row = rows.get(call.verb)
    named = call.operands()[1:]
    return ran(named[0].removesuffix(".cr"), behind(call, named[0])) if row is RUNS and named else row


def gleam(call: Call) -> Row | None:
    row = {"test": SUITE, "build": COMPILES, "run": RUNS}.get(call.verb)
    module = call.option("-m", "--module")
    return ran(module, ()) if row is RUNS and module else row


def nim(call: Call) -> Row | None:
    """`nim c -r file` compiles and runs."""
    if call.verb not in {"c", "cpp", "js", "compile", "r"}:
        return None
    files = [word for word in call.operands() if word.endswith(".nim")]
    if files and (call.verb == "r" or call.has_flag("-r", "--run")):
        return ran(files[0].removesuffix(".nim"), behind(call, files[0]))
    return COMPILES


def nuget(call: Call) -> Row | None:
    return FETCHES if call.verb in {"restore", "install", "update"} else None


PROGRAMS: dict[str, Handler] = {
    "cargo": cargo,
    "cross": cargo,
    "go": go,
    "dotnet": dotnet,
    "mix": mix,
    **each("swift flutter dart", filtered),
    **each("stack cabal", haskell),
    **each("lein clojure clj boot scala-cli", clojure),
    "mill": mill,
    "sbt": sbt,
    "julia": julia,
    **each("R Rscript", r_language),
    **each("iex elixir", elixir),
    "zig": zig,
    **each("forge hardhat truffle anchor", contracts),
    "maturin": maturin,
    **each("mage cargo-make", mage),
    "elm": elm,
    "gleam": gleam,
    "nim": nim,
    "dune": dune,
    "trunk": trunk,
    **each("crystal shards", crystal),
    "nimble": {"build": COMPILES, "install": FETCHES, "test": SUITE},
    **each("msbuild xbuild", BUILDS),
    "nuget": nuget,
    "wasm-pack": {"build": COMPILES, "test": SUITE, "publish": PUBLISHES},
    "dfx": {"start": SERVES, "deploy": COMPILES, "build": COMPILES},
    **each("solana-test-validator", SERVES),
    **each("bacon ghcid", WATCHES),
    "foundryup": FETCHES,
    "tuist": {"build": BUILDS, "test": TESTS, "install": FETCHES, "generate": COMPILES},
    **each("gprbuild alr", COMPILES),
}
