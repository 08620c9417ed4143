"""Test runners: a suite may run long, one file or one named test is quick, a watching runner does not end.

suggest  pytest
none     pytest tests/test_cart.py::test_total
none     pytest -k total
suggest  npx jest
none     npx jest src/cart.test.ts
force    npx jest --watch
force    npx vitest
suggest  npx vitest run
force    npx playwright test
none     npx playwright test --list
force    tox
suggest  bundle exec rspec
none     bundle exec rspec spec/models/cart_spec.rb:12
"""

from __future__ import annotations

from hookwright.shell.programs import behind, each, row_of, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call, Word
    from hookwright.shell.programs import Handler, Row

SUITE: Row = ("suggest", "test", "runs a test suite")
BROWSER: Row = ("force", "test", "runs end-to-end tests")
WATCH: Row = ("force", "watch", "watches for changes and tests again")
ONE: Row = ("none", "test", "runs one test or file")
LISTS: Row = ("none", "test", "only lists")
TOOL: Row = ("none", "test", "prepares or reports")
OPENS: Row = ("force", "server", "opens a window or a report server and stays")

# Flags that name the tests to run; with a value behind or after them.
NAMES = frozenset(
    (
        "-k -t -g --grep --filter --testNamePattern --test-name-pattern --tests --example --name --only --fgrep -f "
        "--test --testcase --findRelatedTests --related -Dtest -Dit.test --only-testing -only-testing --spec "
        "--focus --match --lf --last-failed --onlyFailures --only-failures --next-failure --stepwise --sw -run "
        "--run -R --tests-regex --testPathPattern --testPathPatterns --test-path-pattern --testFile --specs "
        "--scenario --gtest_filter --test-case --run_test --test_filter --last --failed -only --onlyChanged -o "
        "--changedSince --changed"
    ).split()
)
WATCHES = frozenset("--watch --watchAll -w --ui --auto-watch --watch-all".split())
LISTING = frozenset(
    (
        "--collect-only --co --list --list-tests --listTests --show-only -N --listenvs --listenvs-all -l --fixtures "
        "--markers --showConfig --print-config -a --notest --clearCache --clear-cache --setup-plan"
    ).split()
)
CODE = frozenset(
    "py js jsx ts tsx mjs cjs mts cts rb php exs dart go rs java kt kts swift feature bats t lua scala clj hs cpp c "
    "robot groovy ex fs cs".split()
)
FEW = 3  # files that still count as a part of the suite


def is_file(word: Word) -> bool:
    """`tests/test_cart.py`, `spec/cart_spec.rb:12`, but no folder and no pattern."""
    if word.glob or "*" in word:
        return False
    name = word.rpartition("/")[2]
    stem, dot, extension = name.partition(":")[0].rpartition(".")
    return bool(dot) and bool(stem) and extension in CODE


def limited(words: Sequence[Word]) -> bool:
    """Whether these arguments name single tests or a few files."""
    files = 0
    for index, word in enumerate(words):
        if word[:1] == "-":
            flag, equals, value = word.partition("=")
            if flag in NAMES:
                value = value if equals else "".join(words[index + 1 : index + 2])
                return "**" not in value and not value.endswith(("/*", "/"))
        elif "::" in word:
            return True
        elif is_file(word):
            files += 1
        elif "*" in word and "." in word.rpartition("/")[2]:
            return False
    return 0 < files <= FEW


def watching(words: Sequence[Word]) -> bool:
    """Whether a flag makes the runner stay; `--watch=false` does not."""
    for word in words:
        flag, equals, value = word.partition("=")
        if flag in WATCHES and not (equals and value in {"false", "0", "no"}):
            return True
    return False


# Folders that hold all tests; any other word is a filter of the runners that take patterns.
WHOLE = frozenset(". ./ src tests test spec specs e2e packages app apps lib __tests__ integration unit".split())


def filters(call: Call) -> bool:
    """Jest and vitest take patterns: `vitest run src/utils` runs the tests whose path holds it."""
    words = [
        word
        for word in call.operands("--config", "-c", "--reporter", "--project", "--root", "-r", "--dir")
        if "=" not in word
    ]
    named = [word for word in words if word not in {"run", "related", "bench", "watch", "dev"}]
    return bool(named) and all(not word.glob and word.rstrip("/").removeprefix("./") not in WHOLE for word in named)


def suite(call: Call) -> Row:
    args = call.args
    if (watching(args) and call.program not in {"ctest", "rspec", "prove"}) or call.verb == "watch":
        return WATCH
    if not LISTING.isdisjoint(args):
        return LISTS
    if call.program == "jest" and filters(call):
        return ONE
    return ONE if limited(args) else SUITE


def pytest(call: Call) -> Row:
    args = call.args
    for word in args:
        if word in {
            "--collect-only",
            "--co",
            "--fixtures",
            "--markers",
            "--setup-plan",
            "--cache-show",
            "--trace-config",
        }:
            return LISTS
        if word in {"-f", "--looponfail"}:
            return WATCH
    if call.has_flag("--pdb", "--trace"):
        return "force", "terminal", "stops in a debugger"
    if call.has_flag("--benchmark-only"):
        return "force", "test", "runs benchmarks"
    rest = [word for word in args if word not in {"--ff", "-o", "-R", "-m", "-a", "--run", "-w", "--changed"}]
    if limited(rest):
        return ONE
    browsers = call.has_flag("--browser", "--headed", "--driver") or any(
        "e2e" in word or "selenium" in word for word in args
    )
    return BROWSER if browsers else SUITE


def unittest(call: Call) -> Row:
    """`unittest tests.test_cart.TestCart` names a module; `discover`, or nothing, is the suite."""
    operands = call.operands("-s", "-p", "-t", "-k")
    if call.has_flag("-k"):
        return ONE
    return ONE if operands and operands[0] != "discover" else SUITE


def vitest(call: Call) -> Row:
    args = call.args
    if "list" in args[:1]:
        return LISTS
    if watching(args):
        return WATCH
    runs = any(word in {"run", "--run", "related", "bench"} or word == "--watch=false" for word in args)
    if not runs and not call.env.get("CI") and call.place.pipe is None:
        return WATCH
    return ONE if filters(call) or limited([word for word in args if word not in {"run", "--run"}]) else SUITE


def browser(call: Call) -> Row | None:
    """Cypress, Playwright and the like: the suite is long, one file still starts a browser."""
    verb = call.verb
    args = call.args
    if call.program == "playwright":
        if verb in {"install", "install-deps"}:
            return "force", "install", "downloads browsers"
        if verb in {"codegen", "open", "show-report", "show-trace", "ui"} or call.has_flag("--ui", "--debug"):
            return OPENS
        if verb != "test":
            return None
    if call.program == "cypress":
        if verb == "open":
            return OPENS
        if verb == "install":
            return "force", "install", "downloads Cypress"
        if verb != "run":
            return TOOL
    if verb in {"init", "build-framework-cache", "clean-framework-cache", "config", "install", "repl"}:
        return TOOL
    if call.program == "detox" and verb == "build":
        return "force", "build", "builds the app"
    if "--list" in args:
        return LISTS
    if watching(args):
        return WATCH
    if limited([word for word in args if ".conf." not in word and ".config." not in word]):
        return "suggest", "test", "starts a browser for some tests"
    return BROWSER


def environments(call: Call) -> Row:
    """Tox and nox build an environment for each session before they test in it."""
    args = call.args
    if not {
        "-l",
        "--list",
        "-a",
        "--listenvs",
        "--list-sessions",
        "list",
        "config",
        "--showconfig",
        "devenv",
    }.isdisjoint(args):
        return LISTS
    chosen = call.option("-e", "-s", "--session", "--sessions", "-t", "--tags", "-k")
    if chosen is not None and "," not in chosen:
        return "suggest", "test", "builds an environment and runs one session"
    return "force", "test", "builds environments and tests in all of them"


def machines(call: Call) -> Row | None:
    """Tests that make machines or containers first."""
    return BROWSER if call.verb in {"test", "converge", "verify", "create"} else None


def karma(call: Call) -> Row | None:
    if call.verb not in {"start", "run"}:
        return None
    return SUITE if call.has_flag("--single-run", "--singleRun") or call.verb == "run" else WATCH


def ctest(call: Call) -> Row:
    if call.has_flag("-N", "--show-only", "--print-labels"):
        return LISTS
    if call.has_flag("-R", "--tests-regex", "-I", "--tests-information", "--rerun-failed"):
        return ONE
    return "force", "test", "runs a test suite"


def coverage(call: Call) -> Row | None:
    """`coverage run -m pytest` and `nyc mocha` are the runner; the rest reports."""
    words = call.words
    start = 1
    if call.program == "coverage":
        if call.verb != "run":
            return None
        start = len(words) - len(behind(call, "run"))
    while start < len(words) and words[start][:1] == "-" and words[start] != "-m":
        start += 2 if words[start] in {"--source", "--omit", "--include", "--rcfile"} else 1
    if start < len(words) and words[start] == "-m":
        start += 1
    if start >= len(words) or words[start] in {"report", "merge", "check-coverage"}:
        return None
    return row_of(within(call, words[start:]))


PROGRAMS: dict[str, Handler] = {
    **each("pytest py.test pytest-3", pytest),
    "unittest": unittest,
    "vitest": vitest,
    **each(
        "jest mocha ava tap jasmine qunit rspec minitest cucumber cucumber-js phpunit pest paratest codecept behat "
        "kahlan nose nosetests nose2 behave robot pabot green ward bats busted prove gotestsum ginkgo trial stestr "
        "uvu tape testem web-test-runner wtr xctest cargo-nextest runtests.py",
        suite,
    ),
    **each("playwright cypress wdio nightwatch testcafe protractor detox maestro codeceptjs", browser),
    **each("tox nox", environments),
    "ctest": ctest,
    **each("newman dredd chromatic percy backstop", ("suggest", "test", "runs tests against a service")),
    **each("molecule kitchen", machines),
    **each("coverage nyc c8", coverage),
    "karma": karma,
    **each("ptw pytest-watch pytest-watcher guard-rspec", WATCH),
    **each(
        "mutmut stryker infection cosmic-ray tarpaulin cargo-tarpaulin cargo-mutants",
        ("force", "test", "tests many times over"),
    ),
}
