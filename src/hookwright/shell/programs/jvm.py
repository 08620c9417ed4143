"""Java's and Bazel's build tools: mvn, gradle, ant, bazel, java.

The programs and their tables are in jvm.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import args_after
from hookwright.shell.programs.jvm_table import (
    BAZEL,
    BUILDS,
    CHECKS,
    COMPILES,
    DEPLOYS,
    MAVEN,
    ONE,
    QUIET,
    SERVES,
    TESTS,
    WATCHES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_maven(call: Call) -> Row | None:
    goals = call.operands("-f", "-pl", "-P", "-s", "-T", "-gs", "-rf", "-D", "-l", "-t")
    best: Row | None = None
    for goal in goals:
        row = MAVEN.get(goal) or (MAVEN.get(goal.rpartition(":")[2]) if ":" in goal else None)
        if row is TESTS and any(word.startswith(("-Dtest=", "-Dit.test=")) for word in call.args):
            row = ONE
        if row is not None and (best is None or rank_verdict(row) > rank_verdict(best)):
            best = row
    if best is not None and best[0] == "force" and any(word.startswith("-Dtest=") for word in call.args):
        return "suggest", "build", "compiles and runs one test class"
    return best


def rank_verdict(row: Row) -> int:
    return ("none", "suggest", "force").index(str(row[0]))


def classify_gradle(call: Call) -> Row | None:
    if call.has_flag("--stop", "--status", "-v", "--version", "-m"):
        return None
    if call.has_flag("-t", "--continuous"):
        return WATCHES
    tasks = [
        word
        for word in call.operands(
            "-p",
            "-b",
            "-c",
            "-I",
            "-g",
            "-x",
            "--exclude-task",
            "--tests",
            "--project-dir",
            "-D",
            "--configuration",
            "--dependency",
        )
        if word not in call.options("-x", "--exclude-task", "--tests")
    ]
    best: Row | None = None
    for path in tasks:
        row = classify_gradle_task(path.rpartition(":")[2])
        if row is TESTS and call.has_flag("--tests"):
            row = ONE
        if row is not None and (best is None or rank_verdict(row) > rank_verdict(best)):
            best = row
    return best


# Prefix of a task's name → row; the first that matches counts.
GRADLE: tuple[tuple[Row, tuple[str, ...]], ...] = (
    (SERVES, ("bootrun", "run", "quarkusdev", "jettyrun", "apprun", "desktoprun", "serve")),
    (("force", "test", "runs benchmarks"), ("jmh", "benchmark", "gatling")),
    (TESTS, ("test", "connected", "alltests", "integration", "e2e", "pitest", "managed")),
    (BUILDS, ("assemble", "build", "bundle", "package", "install", "jar", "shadow", "dist", "compose", "native")),
    (DEPLOYS, ("publish", "upload", "release", "deploy", "jib", "docker", "sign")),
    (COMPILES, ("compile", "classes", "generate", "ksp", "kapt", "javadoc", "dokka", "jacoco", "process")),
    (CHECKS, ("lint", "detekt", "spotbugs", "checkstyle", "pmd", "ktlint", "sonar", "verif")),
)


def classify_gradle_task(task: str) -> Row | None:
    """Tasks are named after what they do: assembleDebug, connectedAndroidTest, publishToMavenLocal."""
    if task in QUIET:
        return None
    name = task.lower()
    if name in {"check", "dev"}:
        return TESTS if name == "check" else SERVES
    for row, beginnings in GRADLE:
        if name.startswith(beginnings):
            return row
    if name.endswith(("test", "tests")):
        return TESTS
    if name.endswith("check"):
        return CHECKS
    from hookwright.shell.programs.name_hints import QUIET as QUIET_NAMES, holds_any, split_name

    words = set(split_name(task))
    return (
        COMPILES
        if not holds_any(QUIET_NAMES, words) and not name.startswith(("apply", "print", "show", "spotless"))
        else None
    )


def classify_bazel(call: Call) -> Row | None:
    operands = call.operands("-c", "--config")
    row = BAZEL.get(operands[0]) if operands else None
    if operands[:1] == ["run"] and "server" in operands[-1]:
        return SERVES
    if row is TESTS and (call.has_flag("--test_filter") or not any("..." in word or "::" in word for word in operands)):
        return "suggest", "test", "builds and runs some tests"
    return row


def classify_ant(call: Call) -> Row | None:
    from hookwright.shell.programs.name_hints import classify_task_name

    for name in call.operands("-f", "-buildfile", "-file", "-lib", "-logger"):
        if name == "clean":
            continue
        return classify_task_name(name) or COMPILES
    return (
        COMPILES
        if not call.has_flag("-p", "-projecthelp", "-version", "-diagnostics") and "clean" not in call.words
        else None
    )


def classify_java(call: Call) -> Row | None:
    """A jar named like a server is one; of others the duration is unknown."""
    jar = call.option("-jar")
    if jar is None:
        operands = call.operands("-cp", "-classpath", "--class-path", "-p", "--module-path", "-m", "--module")
        name = operands[0].rpartition(".")[2] if operands else call.option("-m", "--module") or ""
    else:
        name = jar.rpartition("/")[2].removesuffix(".jar")
    if not name:
        return None
    from hookwright.shell.programs.name_hints import split_name

    serving = {"server", "service", "api", "worker", "gateway", "app", "application", "backend", "selenium", "wiremock"}
    rest = args_after(call, jar) if jar is not None else ()
    if not serving.isdisjoint(split_name(name)) and all(word[:1] == "-" for word in rest):
        return SERVES
    return ("suggest", "script", "runs a program whose length is unknown") if jar is not None else None


def classify_javac(call: Call) -> Row | None:
    if call.program != "javac" and not call.args:
        return "force", "terminal", "waits for a person"
    return COMPILES if any(word[:1] == "@" or word.glob for word in call.args) else None
