"""JavaScript's package managers and task runners: npm, pnpm, yarn, bun, deno, nx, turbo, lerna.

force    npm ci
force    pnpm --filter web dev
force    yarn workspace @acme/web build
force    npm test
none     npm test -- src/cart.test.ts
force    npm run test:e2e
suggest  npm run lint
none     npm run format
none     npm ls --depth=0
none     npm init -y
force    npm create vite@latest my-app
force    npx turbo run build
force    npx nx serve shop
"""

from __future__ import annotations

from hookwright.shell.command import Word
from hookwright.shell.families import family_of
from hookwright.shell.programs import behind, each, row_of, table, within

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

INSTALLS: Row = ("force", "install", "installs packages")
CREATES: Row = ("force", "install", "makes a project and installs its packages")
MAYBE: Row = ("suggest", "install", "may install packages")
PUBLISHES: Row = ("suggest", "build", "builds and publishes")
TESTS: Row = ("force", "test", "runs a test suite")
SERVES: Row = ("force", "server", "starts something that stays")
WATCHES: Row = ("force", "watch", "watches for changes")
BUILDS: Row = ("force", "build", "builds")
ONE: Row = ("none", "test", "runs one test or file")
ASKS: Row = ("force", "terminal", "waits for a person")

# Test runners that are called by their own name: `yarn jest x`, `pnpm vitest run`.
RUNNERS = frozenset("jest vitest mocha playwright cypress ava karma nyc c8 tap wdio".split())
SOURCES = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts")
RUNS = frozenset("run run-script rum urn".split())
VERBS = table(
    {
        INSTALLS: (
            "install, i, in, ins, inst, isntall, add, a, ci, clean-install, ic, install-clean, cit, it, "
            "install-test, install-ci-test, global add, update, up, upgrade, udpate, upgrade-interactive, fetch, "
            "import, deploy, workspaces focus"
        ),
        MAYBE: "audit fix, rebuild, rb, dedupe, ddp, dlx, self-update, setup",
        CREATES: "create, innit",
        PUBLISHES: "publish, npm publish",
    }
)
# What these managers do themselves; any other verb of pnpm, yarn or bun is a script or a program of the project.
OWN = frozenset(
    (
        "access adduser approve-builds audit autoclean bin bugs cache cat-file cat-index check completion config "
        "constraints dedupe deprecate diff dist-tag docs doctor edit env exec explain explore find-dupes fund get "
        "help help-search hook info init ignored-builds lbr licenses link list ll ln ls login logout npm node org "
        "outdated owner pack patch patch-commit patch-remove ping pkg plugin pm policies prefix prune profile query "
        "rebuild remove repo restart rm root s search se set set-script shrinkwrap star store stop tag team token "
        "un uninstall unlink unplug unpublish unstar v version versions view whoami why server whois info types run "
        "x"
    ).split()
)


def manager(call: Call) -> Row | None:
    program = call.program
    root = "--dir" if program == "pnpm" else "-w"  # pnpm's -w is the root of the workspace and takes no name
    operands = call.operands("--filter", "-F", "--cwd", "-C", "--prefix", root, "--workspace", "--dir")
    if program == "bun" and call.args[:1] and call.args[0] in {"-e", "--eval", "-p", "--print"}:
        return None
    if not operands:
        return without_verb(call)
    verb = operands[0]
    if (verb == "workspace" and len(operands) > 2) or (
        verb == "workspaces" and len(operands) > 2 and operands[1] in {"foreach", "run"}
    ):  # yarn workspace NAME verb
        operands = operands[2:]
        verb = operands[0]
    if verb in RUNS:
        if len(operands) == 1:
            return None  # lists the scripts
        return script(call, operands[1])
    if verb in {"test", "t", "tst"}:
        return tested(call)
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
        return only_lockfile(call, row)
    if verb in OWN or program == "npm":
        return None
    if program == "bun" and verb == "build":
        return WATCHES if call.has_flag("--watch") else None
    return script(call, verb)


def without_verb(call: Call) -> Row | None:
    """`yarn` alone installs."""
    if call.program != "yarn" or call.has_flag("-v", "--version", "-h", "--help"):
        return None
    return INSTALLS


def only_lockfile(call: Call, row: Row) -> Row:
    if row is INSTALLS and call.has_flag("--package-lock-only", "--lockfile-only"):
        return "suggest", "install", "resolves packages"
    return row


def script(call: Call, name: Word) -> Row | None:
    """`npm run NAME`, `pnpm NAME`: a file, a program of the project, or a task known by its name."""
    from hookwright.shell.programs.names import script as file, task

    args = after(call, name)
    if call.program in {"bun", "deno"} and name.endswith(SOURCES):
        if call.has_flag("--watch", "--hot"):
            return WATCHES
        from hookwright.shell.programs.scripts import is_application

        return SERVES if is_application(call, name, "node") else file(name, language="node")
    row = task(name, tier="force")
    if family_of(name) and (row is None or name in RUNNERS):
        return row_of(within(call, [name, *args]))
    return narrowed(row, args)


def narrowed(row: Row | None, args: Sequence[Word]) -> Row | None:
    """A script with words for it: `--watch` makes it stay, a file or a pattern makes a suite a single test."""
    if not args:
        return row
    from hookwright.shell.programs.tests import limited, watching

    if watching(args) and (row is None or row[1] in {"test", "build"}):
        return WATCHES
    if row is not None and row[1] == "test" and (limited(args) or filtered(args)):
        return ONE
    return None if row is not None and row[1] == "check" and limited(args) else row


def tested(call: Call) -> Row | None:
    if call.program == "npm":  # its own options stand before the `--`
        return narrowed(TESTS, behind(call, "--"))
    return narrowed(TESTS, after(call, call.operands("--filter", "-F", "--cwd", "-C", "--dir")[0]))


def filtered(args: Sequence[Word]) -> bool:
    """A word behind the runner's options that chooses among the tests: `npm test -- cart`."""
    from hookwright.shell.programs.tests import WHOLE

    words = [word for index, word in enumerate(args) if word[:1] != "-" and (index == 0 or args[index - 1][:2] != "--")]
    return bool(words) and all(not word.glob and word.rstrip("/").removeprefix("./") not in WHOLE for word in words)


def after(call: Call, name: Word) -> Sequence[Word]:
    """The arguments behind the script's name."""
    words = call.words
    for index in range(1, len(words)):
        if words[index] is name:
            return [word for word in words[index + 1 :] if word != "--"]
    return ()


def deno(call: Call) -> Row | None:
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
        from hookwright.shell.programs.tests import limited

        return ONE if limited(call.args) else ("suggest", "test", "runs a test suite")
    operands = call.operands()
    if verb == "run" and len(operands) > 1 and operands[1].startswith("npm:"):
        package = Word(operands[1][4:].partition("@")[0])
        return row_of(within(call, [package, *behind(call, operands[1])]))
    if verb in {"task", "run"} and len(operands) > 1:
        return script(call, operands[1])
    return None


def monorepo(call: Call) -> Row | None:
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
    from hookwright.shell.programs.names import task

    best: Row | None = None
    for name in names:
        for one in name.split(","):
            row = task(one, tier="force")
            if row is not None and (best is None or row[0] == "force"):
                best = row
    return best


def together(call: Call) -> Row | None:
    """concurrently, npm-run-all: the longest of the scripts that they name."""
    from hookwright.shell.programs.names import task

    best = None
    for word in call.operands("-n", "--names", "-c", "--prefix-colors", "-p", "--prefix", "-k"):
        name = word.rpartition("npm run ")[2] if "npm run " in word else word.removeprefix("npm:")
        row = task(name.partition(" ")[0] if "npm" in word else name, tier="force")
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


def scoped(call: Call) -> Row | None:
    """`npx @angular/cli serve` is `ng serve`."""
    program = SCOPED.get(call.words[0])
    return row_of(within(call, [Word(program), *call.args])) if program else None


def version_manager(call: Call) -> Row | None:
    if call.verb in {"install", "i"}:
        return "suggest", "install", "downloads a version of Node"
    return None


PROGRAMS: dict[str, Handler] = {
    **each("npm pnpm yarn bun", manager),
    "deno": deno,
    **each("nx turbo lerna rush", monorepo),
    **each("npm-run-all npm-run-all2 run-p run-s concurrently", together),
    **each("ni nci", INSTALLS),
    **each(
        "create-react-app create-next-app create-vite create-vue create-svelte create-remix create-astro "
        "create-expo-app create-t3-app create-nuxt-app create-react-native-app create-turbo create-docusaurus "
        "create-strapi-app create-medusa-app create-solid create-electron-vite",
        CREATES,
    ),
    **each("nvm fnm n volta", version_manager),
    "cli": scoped,
    **each("degit tiged giget", ("suggest", "vcs", "downloads a template")),
    "node-gyp": ("suggest", "build", "compiles a native module"),
}
