"""Web and app frameworks with verbs of their own: vite, next, nuxt, astro, ng, expo, storybook, …

force    npx vite
force    npx vite build
force    next dev -p 3001
force    next build
force    ng serve
force    npx expo start
force    npx storybook dev -p 6006
suggest  ng lint
none     next info
none     ng generate component cart
"""

from __future__ import annotations

from hookwright.shell.programs import each, looked_up, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

SERVES: Row = ("force", "server", "starts a server that does not end")
BUILDS: Row = ("force", "build", "builds the site or app")
WATCHES: Row = ("force", "watch", "watches for changes")
TESTS: Row = ("suggest", "test", "runs a test suite")
BROWSER: Row = ("force", "test", "runs end-to-end tests")
CREATES: Row = ("force", "install", "makes a project and installs its packages")
ADDS: Row = ("suggest", "install", "may install packages")
CHECKS: Row = ("suggest", "check", "checks a whole project")

VERBS = table(
    {
        SERVES: (
            "dev, develop, serve, s, start, preview, server, studio, emulate, run-ios, run-android, run:ios, "
            "run:android, run ios, run android, open, console, dev-server, tauri dev, tauri android dev"
        ),
        BUILDS: "build, export, generate, prerender, archive, build:client, bundle, package, pack, make, "
        "prebuild, compile",
        WATCHES: "watch, build:watch, test:watch",
        TESTS: "test, test:unit, t",
        BROWSER: "e2e, test:e2e, ng e2e",
        CREATES: "create, new, init",
        ADDS: "add, install, upgrade, update, sync, migrate, eject, i",
        CHECKS: "lint, check, type-check, typecheck, analyze, optimize",
    }
)
# Where a bare call means something else than help.
BARE = {
    "electron": SERVES,
    "vite": SERVES,
    "nuxt": SERVES,
    "start-storybook": SERVES,
    "build-storybook": BUILDS,
    "slidev": SERVES,
}
# Exceptions to the verbs above.
OWN: dict[str, Row | None] = {
    "vite optimize": ADDS,
    "next info": None,
    "next lint": CHECKS,
    "nuxt generate": BUILDS,
    "nuxi generate": BUILDS,
    "ng generate": None,
    "ng test": ("force", "test", "runs the tests and stays to watch"),
    "ng analytics": None,
    "nest generate": None,
    "nest new": CREATES,
    "cap open": None,
    "cap sync": ADDS,
    "cap run": SERVES,
    "ionic generate": None,
    "ember generate": None,
    "ember test": TESTS,
    "rw generate": None,
    "redwood generate": None,
    "strapi generate": None,
    "sanity deploy": BUILDS,
    "react-scripts test": ("force", "test", "runs the tests and stays to watch"),
    "react-scripts eject": None,
    "react-native bundle": BUILDS,
    "react-native init": CREATES,
    "expo install": ADDS,
    "expo export": BUILDS,
    "astro add": ADDS,
    "astro sync": None,
    "payload generate:types": None,
    "remix init": ADDS,
    "directus start": SERVES,
    "directus bootstrap": ADDS,
}


def framework(call: Call) -> Row | None:
    program = call.program
    operands = call.operands("-p", "--port", "-H", "--host", "--hostname", "-c", "--config", "--mode", "-m", "--base")
    if call.has_flag("--watch", "-w"):
        return WATCHES
    if not operands:
        return BARE.get(program)
    verb = operands[0]
    key = program + " " + verb
    if key in OWN:
        row = OWN[key]
        if row is not None and row[0] == "force" and row[1] == "test" and stays_not(call):
            return TESTS
        return row
    if program == "cap" and operands[-1].partition(":")[0] == "deploy":
        return "force", "infra", "deploys"  # Capistrano's, not Capacitor's
    if program in BARE and verb not in VERBS:
        return BARE[program]  # `vite ./site`: a folder
    row = looked_up(call, VERBS) or VERBS.get(verb.rpartition(":")[2])
    if row is TESTS:
        from hookwright.shell.programs.tests import limited

        return ("none", "test", "runs one test or file") if limited(operands[1:]) or limited(call.args) else row
    return row


def stays_not(call: Call) -> bool:
    """`--watch=false`, `--no-watch`, `--watchAll=false`, CI."""
    return "CI" in call.env or any(
        word in {"--watch=false", "--no-watch", "--watchAll=false", "--run", "--single-run"} for word in call.args
    )


PROGRAMS: dict[str, Handler] = each(
    "vite next nuxt nuxi astro ng vue-cli-service react-scripts gatsby remix react-router svelte-kit ember preact "
    "craco umi rspack rsbuild waku redwood rw strapi medusa keystone sanity payload directus blitz nest expo "
    "react-native ionic cap cordova tauri storybook start-storybook build-storybook quasar wasp solid-start qwik "
    "vinxi nitropack nitro slidev sb vue electron-vite electron",
    framework,
)
