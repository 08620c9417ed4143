"""Build tools, task runners, bundlers and documentation generators: make, cmake, tsc, webpack, sphinx, …

suggest  make
force    make -j8
none     make clean
none     make -n all
force    make dev
force    cmake --build build
suggest  cmake -B build -S .
suggest  npx tsc --noEmit
force    npx tsc --watch
force    npx webpack --mode production
force    mkdocs serve
suggest  just test
"""

from __future__ import annotations

from hookwright.shell.programs import each, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

BUILDS: Row = ("force", "build", "builds")
MAYBE: Row = ("suggest", "build", "may build much")
WATCHES: Row = ("force", "watch", "watches for changes")
SERVES: Row = ("force", "server", "starts a server that does not end")
CHECKS: Row = ("suggest", "check", "checks the types of the whole project")
PUBLISHES: Row = ("force", "build", "builds and publishes")
INSTALLS: Row = ("force", "install", "builds and installs")
CONFIGURES: Row = ("suggest", "build", "configures a build")

# Targets that the first authors of this hook excluded by name, and their plain variants.
TIDIES = frozenset(
    "clean distclean mrproper help format fmt check style fix tidy defconfig oldconfig tags "
    "print-version uninstall stop down kill list".split()
)

# Targets that build a kernel or a whole system.
SYSTEMS = frozenset("bzImage zImage vmlinux vmlinuz modules bindeb-pkg deb-pkg rpm-pkg buildworld buildkernel".split())


def make(call: Call) -> Row | None:
    if call.has_flag("-n", "--just-print", "--dry-run", "--recon", "-q", "--question", "-p", "--print-data-base", "-t"):
        return "none", "build", "only asks what it would do"
    targets = [word for word in call.operands("-C", "-f", "-I", "-o", "-W", "-l", "-O") if "=" not in word]
    jobs = [word for word in call.args if word[:2] == "-j" or word.startswith("--jobs")]
    if jobs and targets and targets[0].isdigit():
        targets = targets[1:]  # `-j 8`
    if targets and all(target in TIDIES for target in targets):
        return None
    from hookwright.shell.programs.names import task

    best: Row | None = None
    for target in targets:
        row = BUILDS if target in SYSTEMS else task(target)
        if row is not None and (best is None or row[0] == "force"):
            best = row
    if best is not None and best[0] == "force":
        return best
    if jobs:
        return BUILDS
    if best is not None:
        return best
    if targets and task_is_quiet(targets):
        return None
    return MAYBE


def task_is_quiet(targets: Sequence[str]) -> bool:
    from hookwright.shell.programs.names import QUIET, parts

    return all(not QUIET.isdisjoint(parts(target)) for target in targets)


def runner(call: Call) -> Row | None:
    """just, task, rake, invoke, poe: only the names tell."""
    if call.has_flag(
        "-l", "--list", "--summary", "-T", "--tasks", "-n", "--dry-run", "-P", "--show", "--evaluate", "-s"
    ):
        return None
    names = [
        word for word in call.operands("-f", "-d", "--justfile", "--working-directory", "-t", "-C") if "=" not in word
    ]
    if call.has_flag("-w", "--watch"):
        return WATCHES
    from hookwright.shell.programs.names import task

    rails: dict[str, Row] = {}
    if call.program == "rake":
        from hookwright.shell.programs.servers import RAILS

        rails = RAILS
    best: Row | None = None
    for name in names[:1] if call.program in {"just", "poe"} else names:
        row = (rails.get(name) if rails else None) or task(name)
        if row is not None and (best is None or row[0] == "force"):
            best = row
    if not names and call.program in {"rake", "doit", "just"}:
        return MAYBE if call.program != "just" else None
    if best is None and call.program == "rake" and names and names[0].startswith("db:"):
        return None
    return best


def cmake(call: Call) -> Row | None:
    if call.has_flag("--build"):
        if "clean" in call.options("--target", "-t"):
            return None
        return BUILDS
    if call.has_flag("--install", "--workflow"):
        return MAYBE
    if call.has_flag("-E", "-P", "--open", "--find-package", "-N") or not call.args:
        return None
    return CONFIGURES


def ninja(call: Call) -> Row | None:
    if call.has_flag("-n", "-t"):
        return None
    return None if "clean" in call.operands("-C", "-f", "-j", "-k", "-l") else BUILDS


def meson(call: Call) -> Row | None:
    return {
        "compile": BUILDS,
        "test": ("suggest", "test", "runs a test suite"),
        "setup": CONFIGURES,
        "install": MAYBE,
        "dist": MAYBE,
    }.get(call.verb)


def typescript(call: Call) -> Row | None:
    if call.has_flag("-w", "--watch"):
        return WATCHES
    if call.has_flag("--init", "--showConfig", "--listFilesOnly", "--all", "-v", "--clean"):
        return None
    if any(word.endswith((".ts", ".tsx")) and not word.glob for word in call.operands("-p", "--project", "--outDir")):
        return None
    return CHECKS if call.has_flag("--noEmit") else ("suggest", "build", "compiles the whole project")


def bundler(call: Call) -> Row | None:
    """webpack, rollup, parcel, tsup: build, watch or serve."""
    verb = call.verb
    if call.has_flag("-w", "--watch", "--poll"):
        return WATCHES
    if verb in {"serve", "s", "dev", "start"} or call.has_flag("--serve", "--servedir"):
        return SERVES
    if verb == "watch" or (call.program == "parcel" and verb not in {"build", "help"}):
        return WATCHES
    if verb in {"init", "info", "configtest", "help"}:
        return None
    if call.program == "webpack" or (call.program == "parcel" and verb == "build"):
        return BUILDS
    return MAYBE


def quick_bundler(call: Call) -> Row | None:
    """esbuild, swc, sass, tailwind: done in a moment, unless they stay."""
    if call.has_flag("-w", "--watch", "--poll") or any(word.startswith("--watch=") for word in call.args):
        return None if "--watch=false" in call.args else WATCHES
    return SERVES if any(word.startswith(("--serve", "--servedir")) for word in call.args) else None


def gulp(call: Call) -> Row | None:
    from hookwright.shell.programs.names import task

    if call.has_flag("--tasks", "-T", "--tasks-simple"):
        return None
    names = call.operands("-f", "--gulpfile", "--cwd", "--gruntfile")
    for name in names:
        row = task(name)
        if row is not None:
            return row
    return MAYBE if not names else None


def docs(call: Call) -> Row | None:
    """Site and documentation generators: serve stays, build may take a while."""
    verb = call.verb
    if verb in {"serve", "s", "server", "dev", "start", "watch", "preview", "swizzle-start"}:
        return SERVES
    if call.has_flag("-w", "--watch", "--serve", "-s", "--livereload") and call.program not in {"hugo", "latexmk"}:
        return SERVES
    if call.program in {"hugo", "zola", "redocly", "docsify", "mint", "mintlify"}:
        return WATCHES if call.has_flag("-w", "--watch") else None
    if call.program == "latexmk" and call.has_flag("-pvc"):
        return WATCHES
    if call.program in {"mkdocs", "mdbook", "quarto", "gitbook"}:
        return {
            "build": ("suggest", "build", "builds a site"),
            "render": ("suggest", "build", "renders documents"),
            "gh-deploy": MAYBE,
            "publish": MAYBE,
            "test": MAYBE,
        }.get(verb)
    if verb in {"new", "clean", "doctor", "init", "clear", "write-translations", "deploy-docs", "help"}:
        return None
    return "suggest", "build", "builds documents"


def xcodebuild(call: Call) -> Row | None:
    if call.has_flag(
        "-list", "-version", "-showsdks", "-showBuildSettings", "-showdestinations", "-checkFirstLaunchStatus"
    ):
        return None
    if "test" in call.words or "test-without-building" in call.words:
        if call.has_flag("-only-testing") or any(word.startswith("-only-testing:") for word in call.args):
            return "suggest", "test", "builds and runs some tests"
        return "force", "test", "builds and runs a test suite"
    return (
        None
        if call.operands("-scheme", "-project", "-workspace", "-configuration", "-sdk")[-1:] == ["clean"]
        else BUILDS
    )


def nix(call: Call) -> Row | None:
    verb = call.verb
    if verb in {"build", "develop", "shell", "run", "profile", "bundle"}:
        if verb == "develop" and not call.has_flag("-c", "--command"):
            return "force", "terminal", "starts a shell that waits for a person"
        return BUILDS
    if call.has_flag("--dry-run"):
        return None
    return (
        ("suggest", "build", "evaluates and may build")
        if verb in {"flake", "store"} and "check" in call.words
        else None
    )


def rebuild(call: Call) -> Row | None:
    return BUILDS if call.verb in {"switch", "build", "boot", "test", "build-vm", "upgrade"} else None


def words(call: Call) -> Row | None:
    """Build tools of one language or another: the verb tells."""
    if call.has_flag("-w", "--watch"):
        return WATCHES
    return WORDS.get(call.verb)


WORDS: dict[str, Row] = {
    **dict.fromkeys("build compile release bundle bind ci exe all".split(), BUILDS),
    **dict.fromkeys("watch test-watch".split(), WATCHES),
    **dict.fromkeys("dev serve server run start".split(), SERVES),
    **dict.fromkeys("test check coverage".split(), ("suggest", "test", "runs a test suite")),
    **dict.fromkeys("install bootstrap update get".split(), ("suggest", "install", "may install packages")),
    "": MAYBE,
}


def setup_py(call: Call) -> Row | None:
    verb = call.verb
    if verb in {"install", "develop"}:
        return INSTALLS
    if verb == "test":
        return "suggest", "test", "runs a test suite"
    return MAYBE if verb.startswith(("build", "sdist", "bdist")) else None


def fastlane(call: Call) -> Row | None:
    return None if call.verb in {"lanes", "list", "actions", "action", "env", "init"} else BUILDS


def eas(call: Call) -> Row | None:
    return {"build": BUILDS, "submit": MAYBE, "update": MAYBE}.get(call.verb.partition(":")[0])


def earthly(call: Call) -> Row | None:
    return BUILDS if call.operands() and call.verb not in {"ls", "doc", "config", "prune"} else None


def electron(call: Call) -> Row | None:
    verb = call.verb
    if call.program == "electron-forge" and verb == "start":
        return SERVES
    return None if verb in {"install-app-deps", "init", "import"} else BUILDS


def generator(call: Call) -> Row | None:
    """Code generators are quick; with --watch they stay."""
    return WATCHES if call.has_flag("-w", "--watch") else None


PROGRAMS: dict[str, Handler] = {
    **each("make gmake", make),
    **each("just task rake invoke inv doit poe fab tusk", runner),
    "cmake": cmake,
    **each("ninja samu", ninja),
    "meson": meson,
    **each("scons waf", BUILDS),
    **each("configure autogen.sh autoreconf bootstrap.sh", CONFIGURES),
    **each("tsc vue-tsc", typescript),
    **each("webpack rollup parcel tsup ncc microbundle unbuild pkgroll ng-packagr svelte-package", bundler),
    **each("esbuild swc babel sass tailwindcss postcss lightningcss stylus lessc", quick_bundler),
    **each("gulp grunt", gulp),
    **each("electron-builder electron-packager electron-forge", electron),
    **each(
        "sphinx-build mkdocs jekyll hugo eleventy docusaurus vuepress vitepress mdbook latexmk gitbook antora quarto "
        "zola docsify honkit mintlify mint jupyter-book myst redocly",
        docs,
    ),
    "sphinx-autobuild": SERVES,
    **each("pdflatex xelatex lualatex tectonic", ("suggest", "build", "builds documents")),
    **each("doxygen typedoc jsdoc javadoc", ("suggest", "build", "builds documents")),
    "xcodebuild": xcodebuild,
    "fastlane": fastlane,
    "eas": eas,
    "earthly": earthly,
    "nix": nix,
    **each("nixos-rebuild home-manager darwin-rebuild", rebuild),
    "nix-build": BUILDS,
    **each(
        "bitbake kas buildozer snapcraft flatpak-builder dpkg-buildpackage debuild rpmbuild makepkg cibuildwheel",
        BUILDS,
    ),
    **each("pyinstaller nuitka nuitka3 briefcase emmake", MAYBE),
    "goreleaser": table({PUBLISHES: "release, build"}),
    "ko": table({BUILDS: "build, apply, resolve, create, run"}),
    "setup.py": setup_py,
    "catkin_make": BUILDS,
    **each("colcon catkin xmake plz lake spago rescript shadow-cljs tinygo wails gomobile melos moon dx", words),
    **each("graphql-codegen buf openapi-generator-cli", generator),
    **each("lhci lighthouse-ci", ("force", "check", "measures a site several times")),
    **each("lighthouse pa11y-ci", ("suggest", "check", "measures a site")),
    **each("pyproject-build size-limit", MAYBE),
    **each("semantic-release release-it", ("suggest", "build", "builds and publishes")),
}
