"""Build tools, task runners, bundlers and documentation generators: make, cmake, tsc, webpack, sphinx, …

The programs and their tables are in builds.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs.builds_table import (
    BUILDS,
    CHECKS,
    CONFIGURES,
    INSTALLS,
    MAYBE,
    SERVES,
    SYSTEMS,
    TIDIES,
    WATCHES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row, Table


def classify_make(call: Call) -> Row | None:
    if call.has_flag("-n", "--just-print", "--dry-run", "--recon", "-q", "--question", "-p", "--print-data-base", "-t"):
        return "none", "build", "only asks what it would do"
    targets = [word for word in call.operands("-C", "-f", "-I", "-o", "-W", "-l", "-O") if "=" not in word]
    jobs = [word for word in call.args if word[:2] == "-j" or word.startswith("--jobs")]
    if jobs and targets and targets[0].isdigit():
        targets = targets[1:]  # `-j 8`
    if targets and all(target in TIDIES for target in targets):
        return None
    from hookwright.shell.programs.name_hints import classify_task_name

    best: Row | None = None
    for target in targets:
        row = BUILDS if target in SYSTEMS else classify_task_name(target)
        if row is not None and (best is None or row[0] == "force"):
            best = row
    if best is not None and best[0] == "force":
        return best
    if jobs:
        return BUILDS
    if best is not None:
        return best
    if targets and are_targets_quiet(targets):
        return None
    return MAYBE


def are_targets_quiet(targets: Sequence[str]) -> bool:
    from hookwright.shell.programs.name_hints import QUIET, holds_any, split_name

    return all(holds_any(QUIET, split_name(target)) for target in targets)


def classify_task_runner(call: Call) -> Row | None:
    """just, task, rake, invoke, poe: classified by the names of the tasks."""
    if call.has_flag(
        "-l", "--list", "--summary", "-T", "--tasks", "-n", "--dry-run", "-P", "--show", "--evaluate", "-s"
    ):
        return None
    names = [
        word for word in call.operands("-f", "-d", "--justfile", "--working-directory", "-t", "-C") if "=" not in word
    ]
    if call.has_flag("-w", "--watch"):
        return WATCHES
    from hookwright.shell.programs.name_hints import classify_task_name

    rails: Table = {}
    if call.program == "rake":
        from hookwright.shell.programs.servers_table import RAILS

        rails = RAILS
    best: Row | None = None
    for name in names[:1] if call.program in {"just", "poe"} else names:
        row = (rails.get(name) if rails else None) or classify_task_name(name)
        if row is not None and (best is None or row[0] == "force"):
            best = row
    if not names and call.program in {"rake", "doit", "just"}:
        return MAYBE if call.program != "just" else None
    if best is None and call.program == "rake" and names and names[0].startswith("db:"):
        return None
    return best


def classify_cmake(call: Call) -> Row | None:
    if call.has_flag("--build"):
        if "clean" in call.options("--target", "-t"):
            return None
        return BUILDS
    if call.has_flag("--install", "--workflow"):
        return MAYBE
    if call.has_flag("-E", "-P", "--open", "--find-package", "-N") or not call.args:
        return None
    return CONFIGURES


def classify_ninja(call: Call) -> Row | None:
    if call.has_flag("-n", "-t"):
        return None
    return None if "clean" in call.operands("-C", "-f", "-j", "-k", "-l") else BUILDS


def classify_typescript(call: Call) -> Row | None:
    if call.has_flag("-w", "--watch"):
        return WATCHES
    if call.has_flag("--init", "--showConfig", "--listFilesOnly", "--all", "-v", "--clean"):
        return None
    if any(word.endswith((".ts", ".tsx")) and not word.glob for word in call.operands("-p", "--project", "--outDir")):
        return None
    return CHECKS if call.has_flag("--noEmit") else ("suggest", "build", "compiles the whole project")


def classify_bundler(call: Call) -> Row | None:
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


def classify_quick_bundler(call: Call) -> Row | None:
    """esbuild, swc, sass, tailwind: quick, unless they watch or serve."""
    if call.has_flag("-w", "--watch", "--poll") or any(word.startswith("--watch=") for word in call.args):
        return None if "--watch=false" in call.args else WATCHES
    return SERVES if any(word.startswith(("--serve", "--servedir")) for word in call.args) else None


def classify_gulp(call: Call) -> Row | None:
    from hookwright.shell.programs.name_hints import classify_task_name

    if call.has_flag("--tasks", "-T", "--tasks-simple"):
        return None
    names = call.operands("-f", "--gulpfile", "--cwd", "--gruntfile")
    for name in names:
        row = classify_task_name(name)
        if row is not None:
            return row
    return MAYBE if not names else None


def classify_docs(call: Call) -> Row | None:
    """Site and documentation generators: serve does not end, build may take a while."""
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


def classify_xcodebuild(call: Call) -> Row | None:
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


def classify_nix(call: Call) -> Row | None:
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


def classify_setup_py(call: Call) -> Row | None:
    verb = call.verb
    if verb in {"install", "develop"}:
        return INSTALLS
    if verb == "test":
        return "suggest", "test", "runs a test suite"
    return MAYBE if verb.startswith(("build", "sdist", "bdist")) else None


def classify_eas(call: Call) -> Row | None:
    return {"build": BUILDS, "submit": MAYBE, "update": MAYBE}.get(call.verb.partition(":")[0])
