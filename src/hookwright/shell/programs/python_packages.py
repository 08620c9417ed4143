"""Python's package managers: pip, uv, poetry, pdm, pipenv, conda and their kin.

force    pip install -r requirements.txt
force    uv sync
force    poetry install
force    conda env create -f environment.yml
suggest  uv lock
suggest  pipx install black
none     pip list
none     pip install --dry-run flask
none     poetry show --tree
none     python -m venv .venv
"""

from __future__ import annotations

from hookwright.shell.programs import each, looked_up, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

INSTALLS: Row = ("force", "install", "installs packages")
RESOLVES: Row = ("suggest", "install", "resolves packages")
FETCHES: Row = ("suggest", "install", "may install or download packages")
BUILDS: Row = ("suggest", "build", "builds a package")
TESTS: Row = ("suggest", "test", "runs a test suite")
STARTS: Row = ("force", "terminal", "starts a shell that waits for a person")

PIP = table({INSTALLS: "install", FETCHES: "download", BUILDS: "wheel"})
UV = table(
    {
        INSTALLS: "sync, add, pip install, pip sync",
        RESOLVES: "lock, pip compile, export, remove",
        FETCHES: "tool install, tool upgrade, python install, self update",
        BUILDS: "build, publish",
    }
)
PROJECT = table(
    {
        INSTALLS: "install, update, sync, add, upgrade, self update, env create",
        RESOLVES: "lock, remove, uninstall, relock",
        BUILDS: "build, publish, dep build",
        STARTS: "shell",
        TESTS: "test, tests",
    }
)
CONDA = table(
    {
        INSTALLS: "install, update, upgrade, create, env create, env update, global install",
        RESOLVES: "lock, render, remove, uninstall, clean",
        BUILDS: "build, mambabuild",
    }
)


def conda(call: Call) -> Row | None:
    row = looked_up(call, CONDA, "-n", "--name", "-p", "--prefix", "-f", "--file", "-c", "--channel")
    if row is RESOLVES and call.verb == "clean":
        return None
    return row


def pyenv(call: Call) -> Row | None:
    return INSTALLS if call.verb == "install" and not call.has_flag("-l", "--list") else None


def pipenv(call: Call) -> Row | None:
    """`pipenv uninstall` locks anew; the others are as in every project tool."""
    return looked_up(call, PROJECT, "--python")


PROGRAMS: dict[str, Handler] = {
    **each("pip pip2 pip3 pip3.9 pip3.10 pip3.11 pip3.12 pip3.13", PIP),
    "uv": UV,
    **each("poetry pdm rye hatch", PROJECT),
    "pipenv": pipenv,
    **each("conda mamba micromamba pixi", conda),
    "conda-lock": RESOLVES,
    "pipx": table({FETCHES: "install, upgrade, upgrade-all, inject, reinstall-all"}),
    **each("pip-compile", RESOLVES),
    **each("pip-sync", INSTALLS),
    "pyenv": pyenv,
    "flit": table({BUILDS: "build, publish", INSTALLS: "install"}),
    "build": BUILDS,
}
