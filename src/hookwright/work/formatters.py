"""The formatters we know: for which files, by which sign the project has chosen them, and how they read stdin.

file → [chosen_for] → the program in the project's own environment, and its words
All of them write the result to stdout, so the file itself is only touched by us, whole, and only when it changed.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from hookwright.work.patterns import matches

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_MOST_CONFIG = 1 << 20
_PYTHON_FOLDERS = (".venv/bin", "venv/bin", "env/bin")
_NODE_FOLDERS = ("node_modules/.bin",)


class Formatter:
    """One program: `sign` finds the folder whose configuration chooses it, `words` are its arguments."""

    __slots__ = ("asks", "files", "folders", "name", "programs", "sign", "words")

    def __init__(
        self,
        name: str,
        files: str,
        sign: Callable[[str], bool],
        words: Callable[[str, str], list[str]],
        *,
        programs: Sequence[str] = (),
        folders: Sequence[str] = (),
        asks: Callable[[str], list[str]] | None = None,
    ) -> None:
        self.name = name
        self.files = files.split()
        self.sign = sign  # folder → is it chosen here?
        self.words = words  # path, folder of the sign → arguments
        self.programs = programs or (name,)
        self.folders = folders
        self.asks = asks  # path → arguments of a question that names the path only if the file is left out


class Chosen:
    """A formatter for one file, with its program found. `command` reads stdin, or changes the file itself."""

    __slots__ = ("asks", "command", "folder", "in_place", "name")

    def __init__(
        self,
        name: str,
        command: str | list[str],
        folder: str,
        *,
        asks: list[str] | None = None,
        in_place: bool = False,
    ) -> None:
        self.name = name
        self.command = command
        self.folder = folder
        self.asks = asks
        self.in_place = in_place


def chosen_for(path: str, root: str, allowed: Sequence[str], search_path: str) -> Chosen | None:
    """The formatter that the project has chosen for this file, if its program is there."""
    relative = os.path.relpath(path, root)
    for formatter in FORMATTERS:
        if formatter.name not in allowed or not matches(formatter.files, relative):
            continue
        folder = next((folder for folder in _up(os.path.dirname(path), root) if formatter.sign(folder)), None)
        if folder is None:
            continue
        program = find_program(formatter, path, root, search_path)
        if program:
            asks = [program, *formatter.asks(path)] if formatter.asks else None
            return Chosen(formatter.name, [program, *formatter.words(path, folder)], folder, asks=asks)
    return None


def find_program(formatter: Formatter, path: str, root: str, search_path: str) -> str:
    """In the environments of the project, from the file upwards; then on PATH; "" if nowhere."""
    places = [os.path.join(up, folder) for up in _up(os.path.dirname(path), root) for folder in formatter.folders]
    places += [folder for folder in search_path.split(os.pathsep) if folder.startswith("/")]
    for place in places:
        for program in formatter.programs:
            candidate = os.path.join(place, program)
            if os.access(candidate, os.X_OK) and os.path.isfile(candidate):
                return candidate
    return ""


def _up(folder: str, root: str) -> Iterator[str]:
    while folder.startswith(root):
        yield folder
        if folder == root:
            return
        folder = os.path.dirname(folder)


def _has(*names: str) -> Callable[[str], bool]:
    return lambda folder: any(os.path.isfile(os.path.join(folder, name)) for name in names)


def _says(name: str, pattern: str) -> Callable[[str], bool]:
    """A file in which a line begins with this."""
    compiled = re.compile(pattern, re.MULTILINE)
    return lambda folder: compiled.search(_text(os.path.join(folder, name))) is not None


def _either(*signs: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda folder: any(sign(folder) for sign in signs)


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(_MOST_CONFIG)
    except OSError:
        return ""


def _edition(folder: str) -> str:
    found = re.search(r'^\s*edition\s*=\s*"(\d{4})"', _text(os.path.join(folder, "Cargo.toml")), re.MULTILINE)
    return found[1] if found else "2021"


_SCRIPTS = "*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}"
_PRETTIER = (
    ".prettierrc",
    *(f".prettierrc.{end}" for end in ("json", "json5", "yaml", "yml", "toml", "js", "cjs", "mjs", "ts", "cts", "mts")),
    *(f"prettier.config.{end}" for end in ("js", "cjs", "mjs", "ts", "cts", "mts")),
)

# The first that fits wins: who says "black" in pyproject.toml means it, whatever else stands there.
FORMATTERS = (
    Formatter(
        "black",
        "*.py *.pyi",
        _says("pyproject.toml", r"^\[tool\.black\b"),
        lambda path, _: ["--quiet", "--stdin-filename", path, "-"],
        folders=_PYTHON_FOLDERS,
    ),
    Formatter(
        "ruff",
        "*.py *.pyi *.ipynb",
        _either(_has("ruff.toml", ".ruff.toml"), _says("pyproject.toml", r"^\[tool\.ruff\b")),
        lambda path, _: ["format", "--force-exclude", "--stdin-filename", path, "-"],
        folders=_PYTHON_FOLDERS,
    ),
    Formatter(
        "biome",
        f"{_SCRIPTS} *.json *.jsonc *.css *.graphql",
        _has("biome.json", "biome.jsonc"),
        lambda path, folder: ["format", f"--stdin-file-path={os.path.relpath(path, folder)}"],
        folders=_NODE_FOLDERS,
        asks=lambda path: ["format", path],
    ),
    Formatter(
        "prettier",
        f"{_SCRIPTS} *.css *.scss *.less *.html *.vue *.json *.jsonc *.json5 *.md *.mdx *.yaml *.yml *.graphql",
        _either(_has(*_PRETTIER), _says("package.json", r'^\s*"prettier"\s*:\s*["{]\s*(?![\^~\d])')),
        lambda path, _: ["--stdin-filepath", path],
        folders=_NODE_FOLDERS,
    ),
    Formatter("gofmt", "*.go", _has("go.mod"), lambda _, __: []),
    Formatter(
        "rustfmt",
        "*.rs",
        _has("Cargo.toml"),
        lambda _, folder: ["--edition", _edition(folder), "--emit", "stdout"],
    ),
    Formatter(
        "clang-format",
        "*.{c,h,cc,hh,cpp,hpp,cxx,hxx,m,mm,proto,cu,cuh}",
        _has(".clang-format", "_clang-format"),
        lambda path, _: [f"--assume-filename={path}", "--style=file"],
        folders=_PYTHON_FOLDERS,
    ),
    Formatter(
        "shfmt",
        "*.sh *.bash",
        _says(".editorconfig", r"^\[.*\b(sh|bash)\b.*\]|^\s*shell_variant"),
        lambda path, _: ["--filename", path, "-"],
        folders=_PYTHON_FOLDERS,
    ),
    # Terraform has one style and no configuration: to use it is to choose it.
    Formatter("terraform", "*.tf", lambda _: True, lambda _, __: ["fmt", "-"], programs=("terraform", "tofu")),
)
