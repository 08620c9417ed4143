"""The known formatters: their files, how a project selects them, and their command lines.

file → [select_formatter] → program from the project's own environment, or from PATH, and its arguments
A program in the project, and a configuration that can name one, are code of the project: only if it is trusted.
All of them read stdin and write to stdout, so that the file is written once, as a whole, and only if it changed.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from hookwright.hooks.file_patterns import matches_patterns
from hookwright.proc.find_program import find_program
from hookwright.proc.safe_read import decode_text, read_head

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

_MOST_CONFIG = 1 << 20
_PYTHON_FOLDERS = (".venv/bin", "venv/bin", "env/bin")
_NODE_FOLDERS = ("node_modules/.bin",)
SHIMS = "/shims/"  # of a version manager, which reads from the project which program to run


class Formatter:
    """One formatter: `selects` tests a directory for its configuration, `arguments` builds its command line."""

    __slots__ = ("arguments", "code_files", "files", "folders", "list_arguments", "name", "programs", "selects")

    def __init__(
        self,
        name: str,
        files: str,
        selects: Callable[[str], bool],
        arguments: Callable[[str, str], list[str]],
        *,
        programs: Sequence[str] = (),
        folders: Sequence[str] = (),
        list_arguments: Callable[[str], list[str]] | None = None,
        code_files: Sequence[str] = (),
    ) -> None:
        self.name = name
        self.files = files.split()
        self.selects = selects  # directory → True if its configuration selects this formatter
        self.arguments = arguments  # path, directory of the configuration → arguments
        self.programs = programs or (name,)
        self.folders = folders
        self.list_arguments = list_arguments  # path → arguments of a call that tells whether the file is excluded
        self.code_files = code_files  # files of the project that can make it run code; "": its configuration can


class SelectedFormatter:
    """A formatter for one file, with its program. `command` reads stdin or, with `in_place`, changes the file."""

    __slots__ = ("command", "folder", "in_place", "list_command", "name", "refused")

    def __init__(
        self,
        name: str,
        command: str | list[str],
        folder: str,
        *,
        list_command: list[str] | None = None,
        in_place: bool = False,
        refused: bool = False,
    ) -> None:
        self.name = name
        self.refused = refused  # it would run code of a project that is not trusted
        self.command = command
        self.folder = folder
        self.list_command = list_command
        self.in_place = in_place


def select_formatter(
    path: str, root: str, allowed: Sequence[str], search_path: str, *, trusted: bool
) -> SelectedFormatter | None:
    """The formatter that the project selects for this file, if its program is installed."""
    relative = os.path.relpath(path, root)
    for formatter in FORMATTERS:
        if formatter.name not in allowed or not matches_patterns(formatter.files, relative):
            continue
        folder = next(
            (folder for folder in _parent_dirs(os.path.dirname(path), root) if formatter.selects(folder)), None
        )
        if folder is None:
            continue
        program = find_formatter(formatter, path, root, search_path, trusted=trusted)
        if not program and not trusted and find_formatter(formatter, path, root, search_path, trusted=True):
            return SelectedFormatter(formatter.name, [], folder, refused=True)
        if program:
            listing = [program, *formatter.list_arguments(path)] if formatter.list_arguments else None
            command = [program, *formatter.arguments(path, folder)]
            return SelectedFormatter(formatter.name, command, folder, list_command=listing)
    return None


def find_formatter(formatter: Formatter, path: str, root: str, search_path: str, *, trusted: bool) -> str:
    """Search the environments of the project, from the file upwards, then PATH; "" if not found.

    If the project is not trusted: only PATH outside of it, and no program that would run the project's code.
    """
    parents = list(_parent_dirs(os.path.dirname(path), root))
    if not trusted and any(os.path.exists(os.path.join(up, name)) for up in parents for name in formatter.code_files):
        return ""
    if trusted:
        own = ":".join(os.path.join(up, folder) for up in parents for folder in formatter.folders)
        search_path = f"{own}:{search_path}"
    for program in formatter.programs:
        found = find_program(program, search_path, () if trusted else (root,))
        if found and (trusted or SHIMS not in found):
            return found
    return ""


def _parent_dirs(folder: str, root: str) -> Iterator[str]:
    while folder.startswith(root):
        yield folder
        if folder == root:
            return
        folder = os.path.dirname(folder)


def _has_file(*names: str) -> Callable[[str], bool]:
    return lambda folder: any(os.path.isfile(os.path.join(folder, name)) for name in names)


def _has_line(name: str, pattern: str) -> Callable[[str], bool]:
    """Test for a file with a line that matches the pattern."""
    compiled = re.compile(pattern, re.MULTILINE)
    return lambda folder: compiled.search(_read_config(os.path.join(folder, name))) is not None


def _any_of(*tests: Callable[[str], bool]) -> Callable[[str], bool]:
    return lambda folder: any(test(folder) for test in tests)


def _read_config(path: str) -> str:
    try:
        return decode_text(read_head(path, _MOST_CONFIG), errors="replace")
    except OSError:
        return ""


def _rust_edition(folder: str) -> str:
    found = re.search(r'^\s*edition\s*=\s*"(\d{4})"', _read_config(os.path.join(folder, "Cargo.toml")), re.MULTILINE)
    return found[1] if found else "2021"


_SCRIPTS = "*.{js,jsx,mjs,cjs,ts,tsx,mts,cts}"
_PRETTIER = (
    ".prettierrc",
    *(f".prettierrc.{end}" for end in ("json", "json5", "yaml", "yml", "toml", "js", "cjs", "mjs", "ts", "cts", "mts")),
    *(f"prettier.config.{end}" for end in ("js", "cjs", "mjs", "ts", "cts", "mts")),
)

# The first that matches wins: a project that configures black means it, whatever else it configures.
FORMATTERS = (
    Formatter(
        "black",
        "*.py *.pyi",
        _has_line("pyproject.toml", r"^\[tool\.black\b"),
        lambda path, _: ["--quiet", "--stdin-filename", path, "-"],
        folders=_PYTHON_FOLDERS,
    ),
    Formatter(
        "ruff",
        "*.py *.pyi *.ipynb",
        _any_of(_has_file("ruff.toml", ".ruff.toml"), _has_line("pyproject.toml", r"^\[tool\.ruff\b")),
        lambda path, _: ["format", "--force-exclude", "--stdin-filename", path, "-"],
        folders=_PYTHON_FOLDERS,
    ),
    Formatter(
        "biome",
        f"{_SCRIPTS} *.json *.jsonc *.css *.graphql",
        _has_file("biome.json", "biome.jsonc"),
        lambda path, folder: ["format", f"--stdin-file-path={os.path.relpath(path, folder)}"],
        folders=_NODE_FOLDERS,
        list_arguments=lambda path: ["format", path],
    ),
    Formatter(
        "prettier",
        f"{_SCRIPTS} *.css *.scss *.less *.html *.vue *.json *.jsonc *.json5 *.md *.mdx *.yaml *.yml *.graphql",
        _any_of(_has_file(*_PRETTIER), _has_line("package.json", r'^\s*"prettier"\s*:\s*["{]\s*(?![\^~\d])')),
        lambda path, _: ["--stdin-filepath", path],
        folders=_NODE_FOLDERS,
        code_files=("",),  # plugins, shared configurations, configuration in JavaScript
    ),
    Formatter("gofmt", "*.go", _has_file("go.mod"), lambda _, __: []),
    Formatter(
        "rustfmt",
        "*.rs",
        _has_file("Cargo.toml"),
        lambda _, folder: ["--edition", _rust_edition(folder), "--emit", "stdout"],
        code_files=("rust-toolchain", "rust-toolchain.toml"),  # may name a toolchain in the project
    ),
    Formatter(
        "clang-format",
        "*.{c,h,cc,hh,cpp,hpp,cxx,hxx,m,mm,proto,cu,cuh}",
        _has_file(".clang-format", "_clang-format"),
        lambda path, _: [f"--assume-filename={path}", "--style=file"],
        folders=_PYTHON_FOLDERS,
    ),
    Formatter(
        "shfmt",
        "*.sh *.bash",
        _has_line(".editorconfig", r"^\[.*\b(sh|bash)\b.*\]|^\s*shell_variant"),
        lambda path, _: ["--filename", path, "-"],
        folders=_PYTHON_FOLDERS,
    ),
    # Terraform has one style and no configuration: having .tf files selects it.
    Formatter("terraform", "*.tf", lambda _: True, lambda _, __: ["fmt", "-"], programs=("terraform", "tofu")),
)
