"""Java's and Bazel's build tools: mvn, gradle, ant, bazel, java.

force    mvn clean install -DskipTests
force    ./gradlew build
force    ./gradlew bootRun
suggest  mvn test -Dtest=CartTest
suggest  ./gradlew test --tests 'com.acme.CartTest'
none     ./gradlew tasks
force    bazel test //...
none     bazel query 'deps(//app)'
force    java -jar build/libs/server.jar
"""

from __future__ import annotations

from hookwright.shell.programs import behind, each, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

BUILDS: Row = ("force", "build", "builds")
COMPILES: Row = ("suggest", "build", "compiles")
TESTS: Row = ("force", "test", "compiles and runs a test suite")
ONE: Row = ("suggest", "test", "compiles and runs one test class")
SERVES: Row = ("force", "server", "runs the application and does not end")
WATCHES: Row = ("force", "watch", "builds again with every change")
FETCHES: Row = ("suggest", "install", "downloads packages")
CHECKS: Row = ("suggest", "check", "checks the code")
DEPLOYS: Row = ("force", "build", "builds and publishes")

# Goals and tasks that are long; a goal with a plugin's name is found by its last part.
MAVEN = table(
    {
        BUILDS: "install, package, verify, site, jar, war, native-image, build-image, build, dockerBuild, jib, dist",
        DEPLOYS: "deploy, release, perform, prepare, publish",
        COMPILES: "compile, test-compile, process-classes, generate-sources, generate-resources, javadoc",
        ("suggest", "script", "compiles and runs a program"): "exec:java, java",
        FETCHES: "resolve, go-offline, copy-dependencies, sources, generate",
        SERVES: "spring-boot:run, quarkus:dev, jetty:run, tomcat7:run, run, dev, javafx:run, liberty:dev",
        TESTS: "test, integration-test, surefire:test, failsafe:integration-test, it",
        CHECKS: "check, spotbugs, checkstyle, pmd, report, analyze",
    }
)


def maven(call: Call) -> Row | None:
    goals = call.operands("-f", "-pl", "-P", "-s", "-T", "-gs", "-rf", "-D", "-l", "-t")
    best: Row | None = None
    for goal in goals:
        row = MAVEN.get(goal) or (MAVEN.get(goal.rpartition(":")[2]) if ":" in goal else None)
        if row is TESTS and any(word.startswith(("-Dtest=", "-Dit.test=")) for word in call.args):
            row = ONE
        if row is not None and (best is None or rank(row) > rank(best)):
            best = row
    if best is not None and best[0] == "force" and any(word.startswith("-Dtest=") for word in call.args):
        return "suggest", "build", "compiles and runs one test class"
    return best


def rank(row: Row) -> int:
    return ("none", "suggest", "force").index(str(row[0]))


QUIET = frozenset(
    "tasks projects properties help clean dependencies dependencyInsight buildEnvironment components wrapper model "
    "outgoingVariants javaToolchains init printVersion version --status --stop spotlessApply signingReport".split()
)


def gradle(call: Call) -> Row | None:
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
        row = gradle_task(path.rpartition(":")[2])
        if row is TESTS and call.has_flag("--tests"):
            row = ONE
        if row is not None and (best is None or rank(row) > rank(best)):
            best = row
    return best


# What a task does, by the beginning of its name; the first that fits counts.
GRADLE: tuple[tuple[Row, tuple[str, ...]], ...] = (
    (SERVES, ("bootrun", "run", "quarkusdev", "jettyrun", "apprun", "desktoprun", "serve")),
    (("force", "test", "runs benchmarks"), ("jmh", "benchmark", "gatling")),
    (TESTS, ("test", "connected", "alltests", "integration", "e2e", "pitest", "managed")),
    (BUILDS, ("assemble", "build", "bundle", "package", "install", "jar", "shadow", "dist", "compose", "native")),
    (DEPLOYS, ("publish", "upload", "release", "deploy", "jib", "docker", "sign")),
    (COMPILES, ("compile", "classes", "generate", "ksp", "kapt", "javadoc", "dokka", "jacoco", "process")),
    (CHECKS, ("lint", "detekt", "spotbugs", "checkstyle", "pmd", "ktlint", "sonar", "verif")),
)


def gradle_task(task: str) -> Row | None:
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
    from hookwright.shell.programs.names import QUIET as TELLING, parts

    words = set(parts(task))
    return (
        COMPILES if TELLING.isdisjoint(words) and not name.startswith(("apply", "print", "show", "spotless")) else None
    )


BAZEL = table(
    {
        BUILDS: "build, mobile-install, package, publish",
        TESTS: "test, coverage",
        ("suggest", "script", "builds and runs a program"): "run",
        FETCHES: "fetch, sync, vendor",
        CHECKS: "lint, check, fix",
        ("force", "terminal", "waits for a person"): "repl",
    }
)


def bazel(call: Call) -> Row | None:
    operands = call.operands("-c", "--config")
    row = BAZEL.get(operands[0]) if operands else None
    if operands[:1] == ["run"] and "server" in operands[-1]:
        return SERVES
    if row is TESTS and (call.has_flag("--test_filter") or not any("..." in word or "::" in word for word in operands)):
        return "suggest", "test", "builds and runs some tests"
    return row


def ant(call: Call) -> Row | None:
    from hookwright.shell.programs.names import task

    for name in call.operands("-f", "-buildfile", "-file", "-lib", "-logger"):
        if name == "clean":
            continue
        return task(name) or COMPILES
    return (
        COMPILES
        if not call.has_flag("-p", "-projecthelp", "-version", "-diagnostics") and "clean" not in call.words
        else None
    )


def java(call: Call) -> Row | None:
    """A jar whose name says server is one; others may be."""
    jar = call.option("-jar")
    if jar is None:
        operands = call.operands("-cp", "-classpath", "--class-path", "-p", "--module-path", "-m", "--module")
        name = operands[0].rpartition(".")[2] if operands else call.option("-m", "--module") or ""
    else:
        name = jar.rpartition("/")[2].removesuffix(".jar")
    if not name:
        return None
    from hookwright.shell.programs.names import parts

    serving = {"server", "service", "api", "worker", "gateway", "app", "application", "backend", "selenium", "wiremock"}
    rest = behind(call, jar) if jar is not None else ()
    if not serving.isdisjoint(parts(name)) and all(word[:1] == "-" for word in rest):
        return SERVES
    return ("suggest", "script", "runs a program whose length is unknown") if jar is not None else None


def javac(call: Call) -> Row | None:
    if call.program != "javac" and not call.args:
        return "force", "terminal", "waits for a person"
    return COMPILES if any(word[:1] == "@" or word.glob for word in call.args) else None


def framework(call: Call) -> Row | None:
    """quarkus, spring, mn, grails, jbang."""
    return {
        "dev": WATCHES,
        "run": SERVES,
        "run-app": SERVES,
        "build": BUILDS,
        "test": TESTS,
        "test-app": TESTS,
        "create": FETCHES,
    }.get(call.verb)


PROGRAMS: dict[str, Handler] = {
    **each("mvn mvnw mvnd", maven),
    **each("gradle gradlew", gradle),
    **each("bazel bazelisk buck buck2 pants", bazel),
    "ant": ant,
    "java": java,
    **each("javac kotlinc scalac", javac),
    **each("quarkus spring mn grails", framework),
}
