"""Resolve what a command handler would start: argv, program and script.

handler → [resolve_invocation] → Invocation → engine, check, fingerprint, verify
Exec form (`args` present) starts the program directly; without `args` the client passes the text to `/bin/sh -c`.
Of shell text only the first simple command is read; what cannot be read is None.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hookwright.proc.safe_read import read_head

PLACEHOLDER = re.compile(r"\$\{(CLAUDE_PROJECT_DIR|CLAUDE_PLUGIN_ROOT|CLAUDE_PLUGIN_DATA)\}")
VARIABLE = re.compile(r"\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))")
ASSIGNMENT = re.compile(r"[A-Za-z_]\w*=")
SHIMS = re.compile(r"/shims/|/\.(?:volta|proto)/bin/")
# Interpreters whose first plain argument is a script, with the options that take a value or replace the script.
INTERPRETERS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "python": (frozenset(("-W", "-X", "--check-hash-based-pycs")), frozenset(("-c", "-m"))),
    "bash": (frozenset(("-O", "-o", "--rcfile", "--init-file")), frozenset(("-c", "-s"))),
    "sh": (frozenset(("-o",)), frozenset(("-c", "-s"))),
    "dash": (frozenset(("-o",)), frozenset(("-c", "-s"))),
    "zsh": (frozenset(("-o",)), frozenset(("-c", "-s"))),
    "node": (frozenset(("-r", "--require", "--import", "--loader")), frozenset(("-e", "-p", "--eval", "--print"))),
    "bun": (frozenset(), frozenset(("-e", "x"))),
    "deno": (frozenset(), frozenset(("eval",))),
    "ruby": (frozenset(("-I", "-r")), frozenset(("-e",))),
    "perl": (frozenset(("-I", "-M")), frozenset(("-e", "-E"))),
}
RUN_WORDS = {"bun": "run", "deno": "run"}
WRAPPERS = frozenset(("exec", "command", "nohup", "time", "nice", "env"))
SHELL_WORDS = frozenset(("if", "for", "while", "until", "case", "{", "(", "[", "[[", "!", "function", "test", "cd"))
BUILTINS = frozenset(
    (":", ".", "echo", "eval", "exit", "export", "false", "printf", "read", "set", "source", "trap", "true")
)


@dataclass(frozen=True)
class LaunchContext:
    """The project, environment and plugin in which a command handler is started."""

    project: str
    environment: Mapping[str, str] = field(default_factory=dict)
    plugin_root: str = ""
    plugin_data: str = ""

    @property
    def variables(self) -> dict[str, str]:
        own = {"CLAUDE_PROJECT_DIR": self.project}
        if self.plugin_root:
            own["CLAUDE_PLUGIN_ROOT"] = self.plugin_root
        if self.plugin_data:
            own["CLAUDE_PLUGIN_DATA"] = self.plugin_data
        return {**self.environment, **own}


@dataclass(frozen=True)
class Invocation:
    """A resolved command. `words` are those of the first simple command; None if the shell text is too complex."""

    argv: Sequence[str]
    words: Sequence[str] | None
    program: str | None  # resolved, absolute
    script: str | None  # absolute, whether it exists or not
    uses_shell: bool

    @property
    def program_name(self) -> str:
        """The program as written in the settings."""
        return self.words[0] if self.words else ""


def resolve_invocation(handler: Mapping[str, Any], context: LaunchContext) -> Invocation:
    """Resolve how the client would start this command handler."""
    command = str(handler["command"])
    args = handler.get("args")
    if isinstance(args, list):
        argv = [_fill_placeholders(word, context) for word in (command, *args)]
        return _build_invocation(argv, argv, context, uses_shell=False)
    argv = ["/bin/sh", "-c", _fill_placeholders(command, context)]
    return _build_invocation(argv, _first_command(argv[2], context), context, uses_shell=True)


def _fill_placeholders(word: str, context: LaunchContext) -> str:
    variables = context.variables
    return PLACEHOLDER.sub(lambda found: variables.get(found[1], found[0]), word)


def _first_command(text: str, context: LaunchContext) -> list[str] | None:
    """Words of the first simple command with variables and ~ expanded; None if it is not a plain command."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars=";&|()<>\n")
    lexer.whitespace = " \t\r"
    lexer.whitespace_split = True
    lexer.commenters = ""
    words: list[str] = []
    try:
        for word in lexer:
            if word and all(char in ";&|()<>\n" for char in word):
                if "(" in word:  # a subshell or a substitution
                    return None
                break
            words.append(word)
    except ValueError:
        return None
    while words and (ASSIGNMENT.match(words[0]) or os.path.basename(words[0]) in WRAPPERS):
        words.pop(0)
        while words and words[0].startswith("-"):
            words.pop(0)
    filled = [_expand_word(word, context) for word in words]
    if not filled or None in filled or filled[0] in SHELL_WORDS:
        return None
    return [word for word in filled if word is not None]


def _expand_word(word: str, context: LaunchContext) -> str | None:
    """Expand variables and ~; None if a part is known only at run time."""
    if "$(" in word or "`" in word:
        return None
    variables = context.variables
    if any(found[1] not in variables and found[2] not in variables for found in VARIABLE.finditer(word)):
        return None
    word = VARIABLE.sub(lambda found: variables[found[1] or found[2]], word)
    home = variables.get("HOME")
    return home + word[1:] if home and (word == "~" or word.startswith("~/")) else word


def _build_invocation(
    argv: list[str], words: list[str] | None, context: LaunchContext, *, uses_shell: bool
) -> Invocation:
    if not words:
        return Invocation(argv, words, None, None, uses_shell)
    program = locate_program(words[0], context)
    script = script_of(words)
    if script is not None:
        script = os.path.normpath(os.path.join(context.project, script))
    return Invocation(argv, words, program, script, uses_shell)


def locate_program(name: str, context: LaunchContext) -> str | None:
    """The file that a program name refers to, executable or not; None if there is none."""
    if "/" in name:
        path = os.path.join(context.project, name)
        return os.path.normpath(path) if os.path.exists(path) else None
    return shutil.which(name, path=context.environment.get("PATH", os.defpath))


def script_of(words: Sequence[str]) -> str | None:
    """The script argument of an interpreter."""
    family = re.sub(r"[\d.]+$", "", os.path.basename(words[0]))
    if family not in INTERPRETERS:
        return None
    with_value, no_script = INTERPRETERS[family]
    rest = list(words[1:])
    if rest and rest[0] == RUN_WORDS.get(family):
        rest.pop(0)
    while rest:
        word = rest.pop(0)
        if word in no_script or (family in ("bash", "sh", "dash", "zsh") and re.fullmatch(r"-[a-z]*c[a-z]*", word)):
            return None
        if word in with_value and rest:
            rest.pop(0)
        elif not word.startswith("-"):
            return word
    return None


def describe_handler(handler: Mapping[str, Any]) -> str:
    """What a handler of any type runs, in one line."""
    match handler["type"]:
        case "command":
            args = handler.get("args")
            return " ".join([str(handler["command"]), *map(str, args if isinstance(args, list) else ())])
        case "mcp_tool":
            return f"{handler['server']}/{handler['tool']}"
    return str(handler.get("url") or handler.get("prompt"))


def is_shim(path: str) -> bool:
    """True for a version manager's shim: slow to start, and it runs another program in another directory."""
    return SHIMS.search(path) is not None


def read_shebang(path: str) -> list[str] | None:
    """The words of a script's `#!` line, a trailing carriage return included; None if it has none."""
    try:
        first = read_head(path, 256).partition(b"\n")[0]
    except OSError:
        return None
    if not first.startswith(b"#!"):
        return None
    return first[2:].decode("utf-8", "replace").strip(" \t").split(" ")
