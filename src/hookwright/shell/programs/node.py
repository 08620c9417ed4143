"""JavaScript's package managers and task runners: npm, pnpm, yarn, bun, deno, nx, turbo, lerna.

The programs and their tables are in node.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.call import Word
from hookwright.shell.families import family_of
from hookwright.shell.programs import args_after, make_inner_call, row_of
from hookwright.shell.programs.node_table import (
    ASKS,
    CREATES,
    INSTALLS,
    ONE,
    OWN,
    PUBLISHES,
    RUNNERS,
    RUNS,
    SERVES,
    SOURCES,
    TESTS,
    VERBS,
    WATCHES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_package_manager(call: Call) -> Row | None:
    program = call.program
    root = "--dir" if program == "pnpm" else "-w"  # pnpm's -w is the root of the workspace and takes no name
    operands = call.operands("--filter", "-F", "--cwd", "-C", "--prefix", root, "--workspace", "--dir")
    if program == "bun" and call.args[:1] and call.args[0] in {"-e", "--eval", "-p", "--print"}:
        return None
    if not operands:
        return classify_without_verb(call)
    verb = operands[0]
    if (verb == "workspace" and len(operands) > 2) or (
        verb == "workspaces" and len(operands) > 2 and operands[1] in {"foreach", "run"}
    ):  # yarn workspace NAME verb
        operands = operands[2:]
        verb = operands[0]
    if verb in RUNS:
        if len(operands) == 1:
            return None  # lists the scripts
        return classify_script(call, operands[1])
    if verb in {"test", "t", "tst"}:
        return classify_test(call)
    if verb == "start" or (verb == "restart" and program == "npm"):
        return SERVES
    if verb == "init" and len(operands) > 1 and program in {"npm", "pnpm", "yarn"}:
        return CREATES
    if verb in {"login", "adduser"} or (verb == "init" and program == "npm" and not call.has_flag("-y", "--yes", "-f")):
        return ASKS if verb != "init" else ("suggest", "terminal", "asks questions")
    if len(operands) > 1:
        row = VERBS.get(verb + " " + operands[1])
        if row is not None:
            return row
    row = VERBS.get(verb)
    if row is not None:
        return soften_lockfile_only(call, row)
    if verb in OWN or program == "npm":
        return None
    if program == "bun" and verb == "build":
        return WATCHES if call.has_flag("--watch") else None
    return classify_script(call, verb)


def classify_without_verb(call: Call) -> Row | None:
    """`yarn` alone installs."""
    if call.program != "yarn" or call.has_flag("-v", "--version", "-h", "--help"):
        return None
    return INSTALLS


def soften_lockfile_only(call: Call, row: Row) -> Row:
    if row is INSTALLS and call.has_flag("--package-lock-only", "--lockfile-only"):
        return "suggest", "install", "resolves packages"
    return row


def classify_script(call: Call, name: Word) -> Row | None:
    """`npm run NAME`, `pnpm NAME`: a file, a program of the project, or a task known by its name."""
    from hookwright.shell.programs.name_hints import classify_script_name as file, classify_task_name

    args = script_args(call, name)
    if call.program in {"bun", "deno"} and name.endswith(SOURCES):
        if call.has_flag("--watch", "--hot"):
            return WATCHES
        from hookwright.shell.programs.interpreters import is_application

        return SERVES if is_application(call, name, "node") else file(name, language="node")
    row = classify_task_name(name, tier="force")
    if family_of(name) and (row is None or name in RUNNERS):
        return row_of(make_inner_call(call, [name, *args]))
    return narrow_by_args(row, args)


def narrow_by_args(row: Row | None, args: Sequence[Word]) -> Row | None:
    """Adjust a row to the arguments of the script: `--watch`, or files or a pattern that select tests."""
    if not args:
        return row
    from hookwright.shell.programs.tests import has_watch_flag, names_few_tests

    if has_watch_flag(args) and (row is None or row[1] in {"test", "build"}):
        return WATCHES
    if row is not None and row[1] == "test" and (names_few_tests(args) or has_test_filter(args)):
        return ONE
    return None if row is not None and row[1] == "check" and names_few_tests(args) else row


def classify_test(call: Call) -> Row | None:
    if call.program == "npm":  # npm's own options are before the `--`
        return narrow_by_args(TESTS, args_after(call, "--"))
    return narrow_by_args(TESTS, script_args(call, call.operands("--filter", "-F", "--cwd", "-C", "--dir")[0]))


def has_test_filter(args: Sequence[Word]) -> bool:
    """Whether an operand after the runner's options selects tests: `npm test -- cart`."""
    from hookwright.shell.programs.tests_table import WHOLE

    words = [word for index, word in enumerate(args) if word[:1] != "-" and (index == 0 or args[index - 1][:2] != "--")]
    return bool(words) and all(not word.glob and word.rstrip("/").removeprefix("./") not in WHOLE for word in words)


def script_args(call: Call, name: Word) -> Sequence[Word]:
    """The arguments after the script's name."""
    words = call.words
    for index in range(1, len(words)):
        if words[index] is name:
            return [word for word in words[index + 1 :] if word != "--"]
    return ()


def classify_deno(call: Call) -> Row | None:
    verb = call.verb
    if call.has_flag("--watch", "--watch-hmr"):
        return WATCHES
    if verb in {"serve", "lsp", "jupyter"}:
        return SERVES
    if verb == "repl" or not call.args:
        return "force", "terminal", "waits for a person"
    if verb in {"install", "cache", "add", "upgrade"}:
        return "suggest", "install", "may install packages"
    if verb in {"compile", "bundle", "doc"}:
        return "suggest", "build", "builds"
    if verb in {"test", "bench"}:
        from hookwright.shell.programs.tests import names_few_tests

        return ONE if names_few_tests(call.args) else ("suggest", "test", "runs a test suite")
    operands = call.operands()
    if verb == "run" and len(operands) > 1 and operands[1].startswith("npm:"):
        package = Word(operands[1][4:].partition("@")[0])
        return row_of(make_inner_call(call, [package, *args_after(call, operands[1])]))
    if verb in {"task", "run"} and len(operands) > 1:
        return classify_script(call, operands[1])
    return None


def classify_monorepo(call: Call) -> Row | None:
    """nx, turbo, lerna, rush, wireit: targets over many packages."""
    operands = call.operands(
        "--filter", "-t", "--target", "--targets", "-p", "--projects", "--scope", "-c", "--parallel"
    )
    if not operands:
        return None
    verb = operands[0]
    targets = call.options("-t", "--target", "--targets")
    if verb in {"run", "run-many", "affected", "exec", "watch", "affected:test", "affected:build"} or targets:
        if verb == "watch":
            return WATCHES
        names = [*targets, *(operand.rpartition(":")[2] or operand for operand in operands[1:])]
        if verb == "run" and len(operands) > 1 and operands[1].count(":") > 1:
            names = [operands[1].split(":")[1]]
        if ":" in verb:
            names = [verb.partition(":")[2], *names]
    elif verb in {"bootstrap", "install", "update", "link"}:
        return INSTALLS
    elif call.program == "moon" and verb in {"ci", "check"}:
        return "suggest", "test", "builds and tests projects"
    elif verb in {"publish", "release", "version"} and call.program != "turbo":
        return PUBLISHES if verb != "version" else None
    elif verb in {
        "graph",
        "list",
        "ls",
        "show",
        "report",
        "reset",
        "prune",
        "daemon",
        "format",
        "format:check",
        "init",
    } or verb in {"migrate", "g", "generate", "dep-graph", "changed", "diff", "info", "login", "connect", "add"}:
        return None
    else:
        names = list(operands)
    from hookwright.shell.programs.name_hints import classify_task_name

    best: Row | None = None
    for name in names:
        for one in name.split(","):
            row = classify_task_name(one, tier="force")
            if row is not None and (best is None or row[0] == "force"):
                best = row
    return best


def classify_concurrent(call: Call) -> Row | None:
    """concurrently, npm-run-all: the longest of the scripts that they name."""
    from hookwright.shell.programs.name_hints import classify_task_name

    best = None
    for word in call.operands("-n", "--names", "-c", "--prefix-colors", "-p", "--prefix", "-k"):
        name = word.rpartition("npm run ")[2] if "npm run " in word else word.removeprefix("npm:")
        row = classify_task_name(name.partition(" ")[0] if "npm" in word else name, tier="force")
        if row is not None and (best is None or row[0] == "force"):
            best = row
    if call.program == "concurrently" and (best is None or best[0] != "force"):
        return "force", "server", "keeps several programs running"
    return best


SCOPED = {
    "@angular/cli": "ng",
    "@nestjs/cli": "nest",
    "@vue/cli": "vue",
    "@tauri-apps/cli": "tauri",
    "@ionic/cli": "ionic",
    "@storybook/cli": "storybook",
    "@electron-forge/cli": "electron-forge",
    "@capacitor/cli": "cap",
    "@lhci/cli": "lhci",
    "@wdio/cli": "wdio",
    "@expo/cli": "expo",
}


def classify_scoped_package(call: Call) -> Row | None:
    """`npx @angular/cli serve` is `ng serve`."""
    program = SCOPED.get(call.words[0])
    return row_of(make_inner_call(call, [Word(program), *call.args])) if program else None
