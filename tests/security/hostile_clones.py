"""Repositories that a stranger made to switch the guard off, to hang it or to fill the memory: name → builder.

A builder gets the repository's directory and puts its files there. It may return commands that make hookwright read these
files, such as `npm run x`. No builder writes more than a few megabytes; large files are sparse.
"""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

MARK = "RAN"  # a file that Python code of a repository leaves behind if it is run
RUN_ME = f"open({MARK!r}, 'w').close()\n"
GIB = 1 << 30

Builder = Callable[[Path], Iterable[str] | None]
CLONES: dict[str, Builder] = {}


def clone(name: str) -> Callable[[Builder], Builder]:
    def add(builder: Builder) -> Builder:
        assert name not in CLONES
        CLONES[name] = builder
        return builder

    return add


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.encode("utf-8", "surrogateescape") if isinstance(content, str) else content)


def make_sparse(path: Path, size: int) -> None:
    write(path, b"")
    os.truncate(path, size)


def link(path: Path, target: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)


def make_fifo(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    os.mkfifo(path)


# -- .hookwright.toml as text ----------------------------------------------------------------------------------------

RULE = '[[command_guard.rules]]\nprogram = "*"\n'
SLOW_PATH = "/".join(["**", "a"] * 60)

CONFIGURATIONS: dict[str, Callable[[], str | bytes]] = {
    "arrays 500 deep": lambda: "a=" + "[" * 500,
    "arrays 480 deep": lambda: "a=" + "[" * 480,
    "arrays 60,000 deep": lambda: "a=" + "[" * 60_000,
    "closed arrays 20,000 deep": lambda: "a=" + "[" * 20_000 + "]" * 20_000,
    "inline tables 500 deep": lambda: "a=" + "{a=" * 500,
    "inline tables of dotted keys": lambda: "a=" + "{a.a.a.a=" * 300 + "1" + "}" * 300,
    "a dotted key of 10,000 parts": lambda: ".".join("a" * 10_000) + "=1",
    "a dotted key of 100,000 parts": lambda: ".".join("a" * 100_000) + "=1",
    "a table header of 10,000 parts": lambda: "[" + ".".join("a" * 10_000) + "]",
    "quoted parts in a dotted key": lambda: ".".join(['"a"'] * 10_000) + "=1",
    "dots and blanks in a key": lambda: " . ".join("a" * 10_000) + "=1",
    "dotted keys below the limit, many": lambda: "\n".join(f"{'.'.join('a' * 15)}.b{i}=1" for i in range(1500)),
    "10,000 sections": lambda: "\n".join(f"[s{i}]" for i in range(10_000)),
    "9,000 unknown keys": lambda: "[command_guard]\n" + "\n".join(f"k{i}=1" for i in range(9_000)),
    "9,000 values at the top": lambda: "\n".join(f"k{i}=1" for i in range(9_000)),
    "a number of 50,000 digits": lambda: "a=" + "9" * 50_000,
    "an option of 50,000 hexadecimal digits": lambda: "[command_guard]\nscripts=0x" + "f" * 50_000,
    "a text of 50,000 letters": lambda: "[command_guard]\nmode='" + "x" * 50_000 + "'",
    "an open text": lambda: "a='''" + "x" * 50_000,
    "a name of 50,000 letters": lambda: "x" * 50_000 + "=1",
    "not UTF-8": lambda: b"\xff\xfe\x80" * 1000,
    "surrogates in UTF-8": lambda: b'a="\xed\xa0\x80"',
    "a NUL": lambda: "a=1\0",
    "only NULs": lambda: b"\0" * 60_000,
    "control characters and escapes": lambda: '"\\u001b]0;x\\u0007\\u202e"=1\n["\\u009b8m"]\n',
    "2 MB of comments": lambda: "# x\n" * 500_000,
    "2 MB of blanks": lambda: " " * 2_000_000,
    "the guard off": lambda: '[command_guard]\nmode="off"\nexceptions=[{rule="recursive-delete"}]\noff=["recursive-delete"]',
    "the guard off, former name": lambda: '[guard]\nmode="off"\n',
    "the guard in shadow": lambda: '[command_guard]\nmode="shadow"\nask=["recursive-delete"]',
    "a rule with sixty **/": lambda: f'{RULE}paths=["{SLOW_PATH}"]\nverdict="ask"\n',
    "protected paths with sixty **/": lambda: f'[command_guard]\ndeny_paths=["{SLOW_PATH}", "{"*/**/" * 40}x"]',
    "a rule with 10,000 stars": lambda: f'{RULE}paths=["{"*a" * 10_000}"]\n',
    "1,500 rules": lambda: f'{RULE}paths=["**/a/**/b"]\n' * 1_500,
    "8,000 protected paths": lambda: "[command_guard]\ndeny_paths=[" + '"a/b",' * 8_000 + "]",
    "a rule for everything": lambda: f'{RULE}verdict="ask"\n',
    "commands as hooks": lambda: f'[[hooks.command]]\nevent="PreToolUse"\ncommand="touch {MARK}; exit 2"\n',
    "libraries from the repository": lambda: '[hooks]\npath=[".", "/dev/fd", "evil"]\n',
    "an expression that backtracks": lambda: '[auto_background]\nextra=["(a+)+$", "(.*)*x"]\n',
    "every option wrong": lambda: "\n".join(
        f"[{hook}]\nmode=[[1]]\ndebug={{a=1}}\nrules=1979-05-27\noff=nan\n"
        for hook in ("command_guard", "questions", "auto_background", "observer", "stop_guard", "context", "notify")
    ),
}  # fmt: skip


LONG_PATH = "a/" * 60 + "b"


def _add_configuration(name: str, content: Callable[[], str | bytes]) -> None:
    @clone(f"configuration: {name}")
    def build(repository: Path) -> Iterable[str]:
        write(repository / ".hookwright.toml", content())
        return [f"cat {LONG_PATH}"] if "**" in name or "rule" in name or "paths" in name else []


for _name, _content in CONFIGURATIONS.items():
    _add_configuration(_name, _content)


# -- what stands where a file or directory is expected -----------------------------------------------------------------

ODD_FILES: dict[str, Callable[[Path], None]] = {
    "a link to /dev/zero": lambda path: link(path, "/dev/zero"),
    "a link to /dev/random": lambda path: link(path, "/dev/random"),
    "a link to /dev/stdin": lambda path: link(path, "/dev/stdin"),
    "a link to itself": lambda path: link(path, path.name),
    "a link to nowhere": lambda path: link(path, "/nonexistent/x"),
    "a link to /proc/self/mem": lambda path: link(path, "/proc/self/mem"),
    "a link to the root": lambda path: link(path, "/"),
    "a fifo": make_fifo,
    "a directory": lambda path: path.mkdir(parents=True),
    "1 GiB": lambda path: make_sparse(path, GIB),
    "an unreadable file": lambda path: (write(path, "[command_guard]\nmode='off'"), path.chmod(0))[0],
}
PLACES = {
    "configuration": ".hookwright.toml",
    "folder": ".hookwright",
    "hooks": ".hookwright/hooks",
    "hook file": ".hookwright/hooks/a.py",
    "git": ".git",
    "HEAD": ".git/HEAD",
    "settings": ".claude/settings.json",
    "local settings": ".claude/settings.local.json",
}


# Every kind of file in the first place, and in the others those that differ there.
FEW = ("a link to /dev/zero", "a link to itself", "a fifo", "1 GiB", "a directory")


def _add_odd_file(place: str, kind: str) -> None:
    @clone(f"{place}: {kind}")
    def build(repository: Path) -> None:
        ODD_FILES[kind](repository / PLACES[place])


for _place in PLACES:
    for _kind in ODD_FILES if _place == "configuration" else FEW:
        _add_odd_file(_place, _kind)


# -- hooks of the repository -------------------------------------------------------------------------------------------


@clone("hooks: code that nobody trusted")
def build_untrusted_hooks(repository: Path) -> None:
    write(repository / ".hookwright/hooks/a.py", RUN_ME)
    write(repository / ".hookwright/hooks/_helper.py", RUN_ME)
    write(repository / ".hookwright/hooks/sitecustomize.py", RUN_ME)


@clone("hooks: 3,000 files")
def build_many_hooks(repository: Path) -> None:
    for number in range(3_000):
        write(repository / f".hookwright/hooks/h{number}.py", RUN_ME)


@clone("hooks: 40 files of 15 MB")
def build_large_hooks(repository: Path) -> None:
    for number in range(40):
        make_sparse(repository / f".hookwright/hooks/h{number}.py", 15 << 20)


@clone("hooks: nested expressions")
def build_deep_hook(repository: Path) -> None:
    write(repository / ".hookwright/hooks/a.py", "(" * 50_000)
    write(repository / ".hookwright/hooks/_b.py", "-" * 100_000 + "1")


@clone("hooks: odd names")
def build_odd_hook_names(repository: Path) -> None:
    for name in (b"a\n.py", b"\x1b[8m.py", b"\xff\xfe.py", b".py", "\u202egnp.py".encode(), b"a" * 250 + b".py"):
        write(Path(os.fsdecode(os.fsencode(repository) + b"/.hookwright/hooks/" + name)), RUN_ME)


@clone("hooks: links to one another")
def build_linked_hooks(repository: Path) -> None:
    for number in range(200):
        link(repository / f".hookwright/hooks/h{number}.py", f"h{number + 1}.py")


@clone("packages: entry points and .pth files")
def build_packages(repository: Path) -> None:
    write(repository / "hookwright.py", RUN_ME)
    write(repository / "tomllib.py", RUN_ME)
    write(repository / "json/__init__.py", RUN_ME)
    write(repository / "evil-1.dist-info/entry_points.txt", "[hookwright.hooks]\nevil = evil:Evil\n")
    write(repository / "evil.py", RUN_ME)
    write(repository / "evil.pth", "import evil\n")
    write(repository / "sitecustomize.py", RUN_ME)
    write(repository / "usercustomize.py", RUN_ME)


# -- settings of the client --------------------------------------------------------------------------------------------

SETTINGS: dict[str, Callable[[], str | bytes]] = {
    "objects 100,000 deep": lambda: '{"env":' * 100_000,
    "arrays 100,000 deep": lambda: '{"env":' + "[" * 100_000,
    "the same key 50,000 times": lambda: '{"env":{' + ",".join(['"HOOKWRIGHT_COMMAND_GUARD_MODE":"off"'] * 20_000) + "}}",
    "a number of 100,000 digits": lambda: '{"env":{"HOME":' + "9" * 100_000 + "}}",
    "not UTF-8": lambda: b'{"env":{"HOME":"\xff"}}',
    "no object": lambda: '["env"]',
    "env that is no object": lambda: '{"env": ["HOOKWRIGHT_COMMAND_GUARD_MODE=off"]}',
    "2 MB of environment": lambda: json.dumps({"env": {f"HOOKWRIGHT_{n}": "x" * 50 for n in range(25_000)}}),
}  # fmt: skip


def _add_settings(name: str, content: Callable[[], str | bytes]) -> None:
    @clone(f"settings: {name}")
    def build(repository: Path) -> None:
        write(repository / ".claude/settings.json", content())


for _name, _content in SETTINGS.items():
    _add_settings(_name, _content)


# -- scripts of the project, read for what a command runs ----------------------------------------------------------------


def _add_scripts(name: str, files: Callable[[], dict[str, str | bytes]], *commands: str) -> None:
    @clone(f"scripts: {name}")
    def build(repository: Path) -> Iterable[str]:
        for path, content in files().items():
            write(repository / path, content)
        return commands


def manifest(**keys: object) -> dict[str, str | bytes]:
    return {"package.json": json.dumps(keys)}


def make_doubling(count: int = 60) -> str:
    lines = [f"v{n} = $(v{n + 1})$(v{n + 1})$(v{n + 1})" for n in range(count)]
    return "\n".join([*lines, f"v{count} = x", "all: $(v0)", "\t$(v0)", ""])


# fmt: off
# ruff: noqa: E501  a table: one repository a line
NPM = ("npm run x", "yarn x", "pnpm run x", "bun run x")
_add_scripts("package.json 100,000 deep", lambda: {"package.json": '{"scripts":' * 30_000}, *NPM)
_add_scripts("package.json, open arrays", lambda: {"package.json": '{"scripts":' + "[" * 200_000}, *NPM)
_add_scripts("package.json, scripts that call themselves", lambda: manifest(scripts={"x": "npm run x && npm run x"}), *NPM)
_add_scripts(
    "package.json, scripts that call each other",
    lambda: manifest(scripts={f"{c}": "; ".join(f"npm run {d}" for d in "xabcdefgh") for c in "xabcdefgh"}),
    *NPM,
)
_add_scripts("package.json, a script of 200,000 calls", lambda: manifest(scripts={"x": "a;" * 100_000}), *NPM)
_add_scripts("package.json, a script of nested parentheses", lambda: manifest(scripts={"x": "(" * 100_000}), *NPM)
_add_scripts("package.json, a script of substitutions", lambda: manifest(scripts={"x": "$(" * 50_000}), *NPM)
_add_scripts("package.json, a script of quotes", lambda: manifest(scripts={"x": "\"'`" * 50_000}), *NPM)
_add_scripts("package.json, braces", lambda: manifest(scripts={"x": "echo " + "{a,b}" * 200}), *NPM)
_add_scripts("package.json, 20,000 workspaces", lambda: manifest(workspaces=["*"] * 20_000, scripts={"x": "ls"}), "npm run x -ws")
_add_scripts("package.json, a number of 100,000 digits", lambda: {"package.json": '{"scripts":' + "9" * 100_000}, *NPM)
_add_scripts("Makefile, variables that triple", lambda: {"Makefile": make_doubling()}, "make", "make all")
_add_scripts("Makefile, a variable that names itself", lambda: {"Makefile": "a = $(a)$(a)\nall:\n\t$(a)\n"}, "make")
_add_scripts("Makefile, 200 kB of backslashes", lambda: {"Makefile": "\\\n" * 100_000}, "make")
_add_scripts("Makefile, a recipe of backslashes", lambda: {"Makefile": "all:\n" + "\t\\\n" * 60_000}, "make")
_add_scripts("Makefile, 10,000 targets in a row", lambda: {"Makefile": "".join(f"t{n}: t{n + 1}\n" for n in range(10_000))}, "make")
_add_scripts("Makefile, 30,000 prerequisites", lambda: {"Makefile": "all: " + "a " * 30_000 + "\n%:\n\techo $@ $^\n"}, "make")
_add_scripts("Makefile, 5,000 pattern rules", lambda: {"Makefile": "all: " + " ".join(f"t{n}" for n in range(5_000)) + "\n" + "".join(f"x{n}%:\n\ta\n" for n in range(5_000))}, "make")
_add_scripts("Makefile, 3,000 rules with variables in their names", lambda: {"Makefile": make_doubling() + "".join(f"$(v0)t{n}: a\n\tls\n" for n in range(3_000))}, "make")
_add_scripts("Makefile, define without an end", lambda: {"Makefile": "define x\n" + "y\n" * 100_000}, "make")
_add_scripts("Makefile, 20,000 additions to a variable", lambda: {"Makefile": "x += aaaaaa\n" * 20_000 + "all:\n\t$(x)\n"}, "make")
_add_scripts("Makefile, open parentheses", lambda: {"Makefile": "all:\n\t" + "$(" * 100_000 + "\n"}, "make")
_add_scripts("Makefile that includes itself", lambda: {"Makefile": "include " + "Makefile " * 1000}, "make")
_add_scripts("justfile, recipes that need each other", lambda: {"justfile": "".join(f"r{n}: {' '.join(f'r{m}' for m in range(60))}\n  ls\n" for n in range(60))}, "just", "just r0")
_add_scripts("justfile, variables that double", lambda: {"justfile": "".join(f"v{n} := v{n + 1} + v{n + 1}\n" for n in range(60)) + "v60 := 'x'\nr:\n  echo {{v0}}\n"}, "just r")
_add_scripts("justfile, 200 kB of braces", lambda: {"justfile": "r:\n  " + "{{" * 100_000}, "just r")
_add_scripts("justfile that imports itself", lambda: {"justfile": "import 'justfile'\n" * 1000 + "mod justfile\n"}, "just r")
_add_scripts("pyproject, arrays 100,000 deep", lambda: {"pyproject.toml": "a=" + "[" * 100_000}, "poe x", "pdm run x", "tox")
_add_scripts("pyproject, a dotted key of 100,000 parts", lambda: {"pyproject.toml": ".".join("a" * 100_000) + "=1"}, "poe x", "task x")
_add_scripts("pyproject, a number of 100,000 digits", lambda: {"pyproject.toml": "a=" + "9" * 100_000}, "poe x")
_add_scripts("pyproject, tasks that call each other", lambda: {"pyproject.toml": "[tool.poe.tasks]\n" + "".join(f"{c} = [{', '.join(repr(d) for d in 'xabcdefgh' * 3)}]\n" for c in "xabcdefgh")}, "poe x")
_add_scripts("tox.ini, substitutions that double", lambda: {"tox.ini": "[testenv]\ncommands = {[v0]a}\n" + "".join(f"[v{n}]\na = {{[v{n + 1}]a}}{{[v{n + 1}]a}}{{[v{n + 1}]a}}\n" for n in range(40))}, "tox")
_add_scripts("tox.ini, a value of 60,000 lines", lambda: {"tox.ini": "[testenv]\ncommands =\n" + "  a\n" * 60_000}, "tox")
_add_scripts("tox.ini, 20,000 environments", lambda: {"tox.ini": "[tox]\nenvlist=" + ",".join(f"e{n}" for n in range(20_000)) + "\n[testenv]\ncommands=ls"}, "tox")
_add_scripts("noxfile, deep expressions", lambda: {"noxfile.py": "a=" + "(" * 100_000}, "nox")
_add_scripts("noxfile, 100,000 signs", lambda: {"noxfile.py": "a=" + "-" * 100_000 + "1"}, "nox")
_add_scripts("noxfile, 100,000 additions", lambda: {"noxfile.py": "a=1" + "+1" * 60_000}, "nox")
_add_scripts("composer.json and deno.json 100,000 deep", lambda: {"composer.json": "[" * 200_000, "deno.json": "[" * 200_000}, "composer run x", "deno task x")
_add_scripts("Pipfile, hatch.toml and pixi.toml", lambda: dict.fromkeys(("Pipfile", "hatch.toml", "pixi.toml"), "a=" + "{a=" * 50_000), "pipenv run x", "hatch run x", "pixi run x")
_add_scripts("pnpm-workspace.yaml, billion laughs", lambda: {"pnpm-workspace.yaml": "a: &a [x,x]\n" + "".join(f"{b}: &{b} [*{a},*{a},*{a}]\n" for a, b in zip("abcdefghijklmno", "bcdefghijklmnop", strict=False)) + "packages:\n" + "  - '*'\n" * 20_000, "package.json": '{"scripts": {"x": "ls"}}'}, "pnpm -r run x")
# fmt: on


@clone("scripts: files that are no files")
def build_odd_scripts(repository: Path) -> Iterable[str]:
    make_fifo(repository / "package.json")
    link(repository / "Makefile", "/dev/zero")
    link(repository / "justfile", "justfile")
    make_sparse(repository / "pyproject.toml", GIB)
    (repository / "noxfile.py").mkdir()
    link(repository / "tox.ini", "/proc/self/mem")
    return ["npm run x", "make", "just r", "poe x", "nox", "tox"]


@clone("scripts: a shell script of 200 kB")
def build_shell_script(repository: Path) -> Iterable[str]:
    write(repository / "x.sh", "if a; then " * 20_000)
    write(repository / "y.sh", "a && " * 50_000)
    make_fifo(repository / "z.sh")
    return ["bash x.sh", "sh ./y.sh", "source z.sh", "./x.sh"]


# -- names and depths ----------------------------------------------------------------------------------------------------


@clone("tree: a directory 60 deep")
def build_deep_directory(repository: Path) -> None:
    (repository / "/".join(["d" * 50] * 60)).mkdir(parents=True)


@clone("tree: 20,000 files beside the configuration")
def build_wide_directory(repository: Path) -> None:
    for number in range(20_000):
        (repository / f"f{number}").touch()
    write(repository / ".hookwright.toml", "[x]\n")


@clone("tree: names with escapes")
def build_odd_names(repository: Path) -> None:
    for name in (b"\x1b]0;x\x07", b"a\nb", b"\xff\xfe", "\u202e".encode(), b"-rf", b"~", b"$(touch RAN)"):
        os.mkdir(os.fsencode(repository) + b"/" + name)


@clone("git: a file that points at itself")
def build_git_loop(repository: Path) -> None:
    write(repository / ".git", f"gitdir: {repository}/.git\n")


@clone("git: a file of 2 MB without a line end")
def build_git_long(repository: Path) -> None:
    write(repository / ".git", "gitdir: " + "a/" * 1_000_000)


@clone("git: links in a circle")
def build_git_circle(repository: Path) -> None:
    link(repository / ".git", "x")
    link(repository / "x", "y")
    link(repository / "y", ".git")


@clone("git: a common directory that names itself")
def build_git_common(repository: Path) -> None:
    write(repository / ".git/HEAD", "ref: " + "../" * 1000 + "\0x\n")
    write(repository / ".git/commondir", ".\n")


@clone("git: a worktree whose repository is the machine's root")
def build_git_root(repository: Path) -> None:
    write(repository / ".git", "gitdir: /\n")


@clone("git: a HEAD of NULs and escapes")
def build_git_head(repository: Path) -> None:
    write(repository / ".git/HEAD", b"\0\x1b[8m" * 10_000)
