"""Linters and type checkers: over a project they may take a while, over one file they do not.

suggest  mypy src
none     mypy src/cart.py
suggest  npx eslint .
none     npx eslint src/cart.ts
suggest  golangci-lint run
none     ruff check .
none     shellcheck deploy.sh
"""

from __future__ import annotations

from hookwright.shell.programs import each, table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Call
    from hookwright.shell.programs import Handler, Row

CHECKS: Row = ("suggest", "check", "checks a whole project")
FILES: Row = ("none", "check", "checks a few files")
WATCHES: Row = ("force", "watch", "watches for changes")

FEW = 4  # files


def over(call: Call) -> Row | None:
    """Named files are quick; folders, or nothing, are the project."""
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


def verbs(call: Call) -> Row | None:
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


def daemon(call: Call) -> Row | None:
    return CHECKS if call.verb in {"run", "check"} else None


def ruff(call: Call) -> Row | None:
    return WATCHES if call.has_flag("--watch") else None


PROGRAMS: dict[str, Handler] = {
    **each(
        "mypy pyright basedpyright pytype pylint prospector eslint tslint xo standard stylelint staticcheck revive "
        "gosec rubocop brakeman reek phpcs phpmd swiftlint ktlint detekt checkstyle clang-tidy cppcheck "
        "svelte-check knip depcheck madge hlint steep bandit vulture",
        over,
    ),
    **each("golangci-lint phpstan psalm rector sorbet srb", verbs),
    "dmypy": daemon,
    "ruff": ruff,
    "pyre": table({CHECKS: "check, , analyze", ("force", "server", "stays"): "server"}),
}
