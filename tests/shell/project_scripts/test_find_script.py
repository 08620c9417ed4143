"""What project files say a command runs."""

import json
import os
from textwrap import dedent

import pytest

from hookwright.shell.command import Command
from hookwright.shell.project_scripts import find_script as project_module
from hookwright.shell.project_scripts.find_script import MAX_BYTES, Project, read_file


@pytest.fixture
def tree(tmp_path):
    """Writes files under the temporary folder, and reads a command there."""

    def calls(command, **files):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(dedent(text) if isinstance(text, str) else json.dumps(text))
        read = Command(command, cwd=str(tmp_path), scripts=Project())
        found = [(call.text, os.path.relpath(call.cwd, tmp_path)) for call in read.calls if call.outer is not None]
        assert read.problem is None
        return found

    return calls


def here(*texts):
    return [(text, ".") for text in texts]


PACKAGE = {
    "name": "root",
    "workspaces": ["packages/*", "apps/web"],
    "scripts": {
        "build": "tsc -p . && vite build",
        "prebuild": "rm -rf dist",
        "test": "vitest run",
        "dev": "run-p dev:*",
        "dev:api": "node api.js",
        "dev:web": "vite",
        "start": "node server.js",
        "again": "npm run again && npm run again",
        "install": "node-gyp rebuild",
        "all": "concurrently 'npm:dev:api' \"vite --port 1\"",
    },
}
FILES = {
    "package.json": PACKAGE,
    "packages/a/package.json": {"name": "@x/a", "scripts": {"build": "tsc -b", "clean": "rm -rf ../../.git"}},
    "packages/b/package.json": {"name": "@x/b", "scripts": {"build": "rollup -c"}},
    "apps/web/package.json": {"name": "web", "scripts": {"dev": "next dev"}},
}


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("npm run build", here("rm -rf dist", "tsc -p .", "vite build")),
        ("npm run-script build", here("rm -rf dist", "tsc -p .", "vite build")),
        ("pnpm build", here("tsc -p .", "vite build")),
        ("npm test", here("vitest run")),
        ("npm t", here("vitest run")),
        ("npm test -- --watch 'a b'", here("vitest run --watch a b")),
        ("yarn test --watch", here("vitest run --watch")),
        ("bun run test", here("vitest run")),
        ("npm start", here("node server.js")),
        ("npm run dev", here("run-p dev:*", "node api.js", "vite")),
        ("npm run all", here("concurrently npm:dev:api vite --port 1", "node api.js", "vite --port 1")),
        ("npm run", []),
        ("npm run nothing", []),
        ("npm install", []),
        ("yarn install", []),
        ("npm run $X", []),
        ("npm run again", here("npm run again", "npm run again")),
        ("npm -C packages/a run build", [("tsc -b", "packages/a")]),
        ("npm --prefix packages/a run build", [("tsc -b", "packages/a")]),
        ("npm run build --prefix packages/a", [("tsc -b", "packages/a")]),
        ("cd packages/b && npm run build", [("rollup -c", "packages/b")]),
        ("(cd packages && pnpm -C b build)", [("rollup -c", "packages/b")]),
        ("yarn --cwd packages/a build", [("tsc -b", "packages/a")]),
        ("bun --cwd packages/a run build", [("tsc -b", "packages/a")]),
        ("npm run build -w @x/a", [("tsc -b", "packages/a")]),
        ("npm run build --workspace=packages/b", [("rollup -c", "packages/b")]),
        ("npm run build --workspaces", [("tsc -b", "packages/a"), ("rollup -c", "packages/b")]),
        ("pnpm --filter @x/a build", [("tsc -b", "packages/a")]),
        ("pnpm --filter '@x/*' build", [("tsc -b", "packages/a"), ("rollup -c", "packages/b")]),
        ("pnpm -r build", [("tsc -b", "packages/a"), ("rollup -c", "packages/b")]),
        ("yarn workspace web dev", [("next dev", "apps/web")]),
        ("yarn workspace web run dev", [("next dev", "apps/web")]),
        ("yarn workspaces foreach -A run build", [("tsc -b", "packages/a"), ("rollup -c", "packages/b")]),
        ("mkdir -p src && cd src && npm test", here("vitest run")),
        ("sudo npm run test", here("vitest run")),
    ],
)
def test_package_scripts(tree, command, calls):
    assert tree(command, **FILES) == calls


def test_a_script_of_another_machine_is_not_looked_up_here(tmp_path):
    (tmp_path / "package.json").write_text(json.dumps(PACKAGE))
    read = Command("ssh host npm test", cwd=str(tmp_path), scripts=Project())
    assert [call.text for call in read.calls] == ["ssh host npm test", "npm test"]


def test_pnpm_lists_its_workspaces_in_a_file_of_its_own(tree):
    files = {
        "package.json": {"name": "root"},
        "pnpm-workspace.yaml": "packages:\n  - 'libs/*'\n  - \"!libs/old\"\n",
        "libs/a/package.json": {"name": "a", "scripts": {"dev": "vite"}},
    }
    assert tree("pnpm --filter a dev", **files) == [("vite", "libs/a")]


@pytest.mark.parametrize(
    ("command", "name", "text", "calls"),
    [
        ("deno task dev", "deno.json", {"tasks": {"dev": "deno run -A main.ts"}}, here("deno run -A main.ts")),
        ("deno task x", "deno.json", {"tasks": {"x": {"command": "echo hi"}}}, here("echo hi")),
        (
            "composer run check",
            "composer.json",
            {"scripts": {"check": ["phpstan", "phpunit"]}},
            here("phpstan", "phpunit"),
        ),
    ],
)
def test_other_manifests(tree, command, name, text, calls):
    assert tree(command, **{name: text}) == calls


MAKEFILE = """\
SHELL := /bin/bash
BIN ?= bin
FLAGS = -O2 $(EXTRA)
EXTRA := -g
-include local.mk

.PHONY: all clean test deploy

all: build test

build: $(BIN)/app  # the binary

$(BIN)/app: main.c util.c
\t@mkdir -p $(BIN)
\t$(CC) $(FLAGS) -o $@ $^

%.o: %.c
\tcc -c $< -o $@

test: build
\t-pytest \\
\t  -q $(ARGS)

clean:
\trm -rf $(BIN) $$HOME/.cache/app
\t$(RM) *.o

deploy: export STAGE=prod
deploy: ; ./deploy.sh --to $(TARGET)

sub:
\t$(MAKE) -C lib clean

ifdef CI
ci: test
\techo ci
endif

loop: loop2
loop2: loop
\techo looped

when:
\techo $(shell date) $(wildcard *.c)
"""


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("make", here("mkdir -p bin", "cc -O2 -g -o bin/app main.c util.c", "pytest -q $ARGS")),
        ("make build", here("mkdir -p bin", "cc -O2 -g -o bin/app main.c util.c")),
        ("make clean", here("rm -rf bin ~/.cache/app", "rm -f *.o")),
        ("make BIN=/ clean", here("rm -rf / ~/.cache/app", "rm -f *.o")),
        ("make util.o", here("cc -c util.c -o util.o")),
        ("make deploy TARGET=live", here("./deploy.sh --to live")),
        ("make -n clean", []),
        ("make nothing", []),
        ("make $TARGET", []),
        ("make sub", [("make -C lib clean", "."), ("rm -f lib.a", "lib")]),
        ("make -C lib clean", [("rm -f lib.a", "lib")]),
        ("make -j4 -C lib", [("rm -f lib.a", "lib")]),
        ("cd lib && make", [("rm -f lib.a", "lib")]),
        ("make -f other.mk x", here("echo other")),
        ("make loop", here("echo looped")),
        ("make ci ARGS=-x", here("mkdir -p bin", "cc -O2 -g -o bin/app main.c util.c", "pytest -q -x", "echo ci")),
        ("make when", here("date", "echo $(date) $MAKE_WILDCARD")),
        ("make local", here("echo local")),
    ],
)
def test_makefile_targets(tree, command, calls):
    files = {
        "Makefile": MAKEFILE,
        "lib/makefile": "clean:\n\trm -f lib.a\n",
        "other.mk": "x: ; echo other\n",
        "local.mk": "local:\n\techo local\n",
    }
    assert tree(command, **files) == calls


JUSTFILE = """\
set shell := ["bash", "-c"]
version := "1.2"
now := `date`
alias b := build

# builds
default: build

build target="all" *flags: clean
    cargo build --target {{target}} {{flags}}

clean:
    @rm -rf target/{{version}}

greet name:
    echo hello {{name}} {{now}} {{ uppercase(name) }}

both: (greet "ann") && clean
    echo both

script:
    #!/usr/bin/env bash
    set -e
    cd /tmp
    rm -rf x

py:
    #!/usr/bin/env python3
    print("x")
"""


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("just", here("rm -rf target/1.2", "cargo build --target all")),
        ("just build", here("rm -rf target/1.2", "cargo build --target all")),
        ("just b arm --release -v", here("rm -rf target/1.2", "cargo build --target arm --release -v")),
        ("just clean greet bob", here("rm -rf target/1.2", "date", "echo hello bob $(date) $JUST_VALUE")),
        ("just version=9 clean", here("rm -rf target/9")),
        ("just --list", []),
        ("just nothing", []),
        ("mkdir -p sub && cd sub && just clean", here("rm -rf target/1.2")),
        ("just py", here("python3")),
    ],
)
def test_justfile_recipes(tree, command, calls):
    assert tree(command, justfile=JUSTFILE) == calls


def test_a_recipe_that_is_a_script_is_read_as_one(tmp_path):
    (tmp_path / "justfile").write_text(JUSTFILE)
    read = Command("just script", cwd=str(tmp_path), scripts=Project())
    assert [(call.text, call.cwd) for call in read.calls[-2:]] == [("cd /tmp", str(tmp_path)), ("rm -rf x", "/tmp")]


PYPROJECT = """\
[tool.poe.tasks]
test = "pytest -q"
lint = { cmd = "ruff check ." }
sh = { shell = "rm -rf build && python -m build" }
all = ["lint", "test"]
seq = { sequence = ["lint", { cmd = "mypy" }] }
again = { ref = "test" }
deep = { deps = ["lint"], cmd = "echo deep" }

[tool.pdm.scripts]
start = "flask run"
both = { composite = ["start", "echo x"] }
list = { cmd = ["pytest", "-x"] }

[tool.hatch.envs.default.scripts]
cov = ["pytest --cov", "coverage html"]
[tool.hatch.envs.docs.scripts]
serve = "mkdocs serve"

[tool.rye.scripts]
dev = "uvicorn app:app"

[tool.pixi.tasks]
train = { cmd = "python train.py", depends-on = ["prep"] }
prep = "python prep.py"

[tool.taskipy.tasks]
fmt = "black ."
"""


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("poe test", here("pytest -q")),
        ("poe test -x", here("pytest -q -x")),
        ("poetry run poe lint", here("ruff check .")),
        ("uv run poe sh", here("rm -rf build", "build")),
        ("poe all", here("ruff check .", "pytest -q")),
        ("poe seq", here("ruff check .", "mypy")),
        ("poe again", here("pytest -q")),
        ("poe deep", here("ruff check .", "echo deep")),
        ("poe nothing", []),
        ("pdm run start", here("flask run")),
        ("pdm run both", here("flask run", "echo x")),
        ("pdm run list", here("pytest -x")),
        ("hatch run cov", here("pytest --cov", "coverage html")),
        ("hatch run docs:serve", here("mkdocs serve")),
        ("rye run dev", here("uvicorn app:app")),
        ("pixi run train", here("python prep.py", "python train.py")),
        ("task fmt", here("black .")),
        ("pdm install", []),
    ],
)
def test_tasks_in_pyproject(tree, command, calls):
    assert tree(command, **{"pyproject.toml": PYPROJECT}) == calls


def test_a_runner_without_such_a_task_runs_the_program(tmp_path):
    (tmp_path / "pyproject.toml").write_text(PYPROJECT)
    read = Command("pdm run pytest -x && hatch run docs:mkdocs build", cwd=str(tmp_path), scripts=Project())
    assert [call.text for call in read.calls] == ["pytest -x", "mkdocs build"]


def test_pipenv_scripts(tree):
    assert tree("pipenv run serve", Pipfile='[scripts]\nserve = "flask run"\n') == here("flask run")


TOX = """\
[tox]
envlist = py311, lint

[testenv]
deps = pytest
commands =
    pytest {posargs:tests} \\
        -q
    - coverage report

[testenv:lint]
commands = ruff check {toxinidir}

[testenv:all]
commands =
    {[testenv:lint]commands}
    {envpython} -m mypy
"""


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("tox", here("pytest tests -q", "coverage report", "ruff check .")),
        ("tox -e lint", here("ruff check .")),
        ("tox -e py311 -- -k x", here("pytest -k x -q", "coverage report")),
        ("tox run -e all", here("ruff check .", "$TOX_ENVPYTHON -m mypy")),
        ("tox -l", []),
    ],
)
def test_tox_environments(tree, command, calls):
    assert tree(command, **{"tox.ini": TOX}) == calls


NOX = """\
import nox

@nox.session(python=["3.11"])
def tests(session):
    session.install("-e", ".", "pytest")
    if session.posargs:
        session.run("pytest", *session.posargs)
    else:
        session.run("pytest", "-q", "a b")

@nox.session(name="docs-build")
def docs(session):
    with session.chdir("docs"):
        session.run("make", "html", external=True)

def helper(session):
    session.run("never")
"""


@pytest.mark.parametrize(
    ("command", "calls"),
    [
        ("nox -s tests", here("pip install -e . pytest", "pytest", "pytest -q a b")),
        ("nox -s tests-3.11 -- -x", here("pip install -e . pytest", "pytest -x", "pytest -q a b")),
        ("nox -s docs-build", here("make html")),
        ("nox -l", []),
        ("nox", here("pip install -e . pytest", "pytest", "pytest -q a b", "make html")),
    ],
)
def test_nox_sessions(tree, command, calls):
    assert tree(command, **{"noxfile.py": NOX}) == calls


@pytest.mark.parametrize(
    "files",
    [
        {},
        {"package.json": "not json", "Makefile": "\0\0:::\n\t\n=", "justfile": ":::\n  x", "pyproject.toml": "[[["},
        {"package.json": "[]", "Makefile": "test: test\n\t", "noxfile.py": "def ((", "tox.ini": "[x\n= ="},
        {"package.json": '{"scripts": {"test": 3}}', "Makefile": "define x\n", "justfile": "test:"},
        {"package.json": '{"scripts": []}', "Makefile": "test:\n\t$(\n\t${\n\t$", "tox.ini": "[testenv]\ncommands={{{"},
    ],
)
@pytest.mark.parametrize("command", ["npm test", "make test", "just test", "poe test", "tox", "nox", "yarn -r test"])
def test_files_that_are_missing_or_broken_leave_the_call_as_it_is(tmp_path, files, command):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    read = Command(command, cwd=str(tmp_path), scripts=Project())
    assert read.calls[0].text == command


def test_large_files_folders_and_pipes_are_not_read(tmp_path):
    (tmp_path / "large").write_text("x" * (MAX_BYTES + 1))
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    assert [read_file(str(tmp_path / name)) for name in ("large", "folder", "pipe", "none", "a\0b")] == [None] * 5


def test_a_file_is_read_again_when_it_changes(tmp_path):
    path = tmp_path / "x"
    path.write_text("one")
    assert (read_file(str(path)), read_file(str(path))) == ("one", "one")
    path.write_text("another")
    assert read_file(str(path)) == "another"


def test_a_file_is_parsed_once(tmp_path):
    times = []

    def parse(text):
        times.append(text)
        return {}

    (tmp_path / "x").write_text("one")
    project = Project()
    assert project.parse_file(str(tmp_path / "x"), parse) == project.parse_file(str(tmp_path / "x"), parse) == {}
    assert times == ["one"]
    project_module._parsed.clear()


def test_files_may_come_from_elsewhere():
    files = {"/p/package.json": json.dumps(PACKAGE)}
    read = Command("npm test", cwd="/p", scripts=Project(read=files.get, names=lambda _: []))
    assert [call.text for call in read.calls] == ["npm test", "vitest run"]


def test_scripts_that_call_each_other_come_to_an_end():
    scripts = {f"s{n}": " && ".join([f"npm run s{n + 1}"] * 9) for n in range(30)}
    files = {"/p/package.json": json.dumps({"scripts": scripts})}
    read = Command("npm run s0", cwd="/p", scripts=Project(read=files.get))
    assert 0 < len(read.calls) < 50_000
    assert "nested" in (read.problem or "")
