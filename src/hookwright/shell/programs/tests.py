"""Test runners: a suite may run long, one file or one named test is quick, a watching runner does not end.

The programs and their tables are in tests.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import args_after, make_inner_call, row_of
from hookwright.shell.programs.tests_table import (
    BROWSER,
    CODE,
    LISTING,
    LISTS,
    NAMES,
    ONE,
    OPENS,
    SUITE,
    TOOL,
    WATCH,
    WATCHES,
    WHOLE,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.call import Call, Word
    from hookwright.shell.programs import Row


FEW = 3  # files; more count as the whole suite


def is_test_file(word: Word) -> bool:
    """`tests/test_cart.py`, `spec/cart_spec.rb:12`, but no folder and no pattern."""
    if word.glob or "*" in word:
        return False
    name = word.rpartition("/")[2]
    stem, dot, extension = name.partition(":")[0].rpartition(".")
    return bool(dot) and bool(stem) and extension in CODE


def names_few_tests(words: Sequence[Word]) -> bool:
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
        elif is_test_file(word):
            files += 1
        elif "*" in word and "." in word.rpartition("/")[2]:
            return False
    return 0 < files <= FEW


def has_watch_flag(words: Sequence[Word]) -> bool:
    """Whether a flag makes the runner watch; `--watch=false` does not."""
    for word in words:
        flag, equals, value = word.partition("=")
        if flag in WATCHES and not (equals and value in {"false", "0", "no"}):
            return True
    return False


def has_path_filter(call: Call) -> bool:
    """Jest and vitest take patterns: `vitest run src/utils` runs the tests whose path holds it."""
    words = [
        word
        for word in call.operands("--config", "-c", "--reporter", "--project", "--root", "-r", "--dir")
        if "=" not in word
    ]
    named = [word for word in words if word not in {"run", "related", "bench", "watch", "dev"}]
    return bool(named) and all(not word.glob and word.rstrip("/").removeprefix("./") not in WHOLE for word in named)


def classify_suite(call: Call) -> Row:
    args = call.args
    if (has_watch_flag(args) and call.program not in {"ctest", "rspec", "prove"}) or call.verb == "watch":
        return WATCH
    if not LISTING.isdisjoint(args):
        return LISTS
    if call.program == "jest" and has_path_filter(call):
        return ONE
    return ONE if names_few_tests(args) else SUITE


def classify_pytest(call: Call) -> Row:
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
    if names_few_tests(rest):
        return ONE
    browsers = call.has_flag("--browser", "--headed", "--driver") or any(
        "e2e" in word or "selenium" in word for word in args
    )
    return BROWSER if browsers else SUITE


def classify_unittest(call: Call) -> Row:
    """`unittest tests.test_cart.TestCart` names a module; `discover`, or nothing, is the suite."""
    operands = call.operands("-s", "-p", "-t", "-k")
    if call.has_flag("-k"):
        return ONE
    return ONE if operands and operands[0] != "discover" else SUITE


def classify_vitest(call: Call) -> Row:
    args = call.args
    if "list" in args[:1]:
        return LISTS
    if has_watch_flag(args):
        return WATCH
    runs = any(word in {"run", "--run", "related", "bench"} or word == "--watch=false" for word in args)
    if not runs and not call.env.get("CI") and call.place.pipe is None:
        return WATCH
    return (
        ONE
        if has_path_filter(call) or names_few_tests([word for word in args if word not in {"run", "--run"}])
        else SUITE
    )


def classify_browser_tests(call: Call) -> Row | None:
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
    if has_watch_flag(args):
        return WATCH
    if names_few_tests([word for word in args if ".conf." not in word and ".config." not in word]):
        return "suggest", "test", "starts a browser for some tests"
    return BROWSER


def classify_test_environments(call: Call) -> Row:
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


def classify_karma(call: Call) -> Row | None:
    if call.verb not in {"start", "run"}:
        return None
    return SUITE if call.has_flag("--single-run", "--singleRun") or call.verb == "run" else WATCH


def classify_coverage(call: Call) -> Row | None:
    """`coverage run -m pytest` and `nyc mocha` are the runner; the rest reports."""
    words = call.words
    start = 1
    if call.program == "coverage":
        if call.verb != "run":
            return None
        start = len(words) - len(args_after(call, "run"))
    while start < len(words) and words[start][:1] == "-" and words[start] != "-m":
        start += 2 if words[start] in {"--source", "--omit", "--include", "--rcfile"} else 1
    if start < len(words) and words[start] == "-m":
        start += 1
    if start >= len(words) or words[start] in {"report", "merge", "check-coverage"}:
        return None
    return row_of(make_inner_call(call, words[start:]))
