"""Linters and type checkers: over a project they may take a while, over one file they do not.

The programs and their tables are in checks.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs.checks_table import CHECKS, FILES, WATCHES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


FEW = 4  # files


def classify_linter(call: Call) -> Row | None:
    """A few named files are quick; folders, or no operand, mean the whole project."""
    if call.has_flag("--watch", "-w") and call.program not in {"eslint", "golangci-lint", "rubocop", "phpcs"}:
        return WATCHES
    if call.has_flag("--print-config", "--init", "--show-config", "--generate-config", "--clear-cache"):
        return None
    if any(word.startswith(("--list", "--generate", "--print", "--env-info")) for word in call.args):
        return None
    operands = call.operands(
        "-c", "--config", "--ext", "--format", "-f", "-p", "--project", "--rcfile", "--level", "-o"
    )
    files = [word for word in operands if "*" not in word and "." in word.rpartition("/")[2].strip(".")]
    if files and len(files) == len(operands) <= FEW:
        return FILES
    return CHECKS


def classify_verb_linter(call: Call) -> Row | None:
    """Tools with verbs: `golangci-lint run`, `phpstan analyse`, `psalm`, `biome ci`."""
    verb = call.verb
    if verb in {
        "help",
        "version",
        "linters",
        "cache",
        "config",
        "completion",
        "init",
        "clear-result-cache",
        "list",
        "login",
    }:
        return None
    files = [
        word for word in call.operands("-c", "--config", "-l", "--level") if "." in word.rpartition("/")[2].strip(".")
    ]
    return FILES if files and not any("..." in word or word.glob for word in call.args) else CHECKS
