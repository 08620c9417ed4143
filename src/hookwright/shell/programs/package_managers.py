"""Package managers of systems and of other languages: brew, apt, dnf, gem, bundle, composer, …

The programs and their tables are in package_managers.toml; here are those that need code.
"""

from __future__ import annotations

from hookwright.shell.programs import look_up_verb, short_flags
from hookwright.shell.programs.package_managers_table import (
    BUNDLE,
    COMPOSER,
    COMPOSES,
    FETCHES,
    INSTALLS,
    QUIET,
    SIMULATES,
    SYSTEM,
    VERSIONS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.programs import Row


def classify_system_manager(call: Call) -> Row | None:
    """apt, dnf, brew, …: by the verb; a simulation is quick."""
    row = look_up_verb(call, SYSTEM)
    return QUIET if row is not None and not SIMULATES.isdisjoint(call.args) and call.program != "pkg" else row


def classify_nix_env(call: Call) -> Row | None:
    return (
        FETCHES if short_flags(call, "fp") & {"i", "u"} or call.has_flag("--install", "--upgrade", "--update") else None
    )


def classify_version_manager(call: Call) -> Row | None:
    """asdf, mise, rbenv, sdk, rvm: installing a version downloads or compiles it."""
    row = look_up_verb(call, VERSIONS)
    if row is FETCHES and call.program in {"rbenv", "asdf"} and call.verb == "install":
        row = ("force", "install", "compiles or downloads a version")
    return None if row is not None and call.has_flag("-l", "--list") else row


def classify_mise(call: Call) -> Row | None:
    """`mise run build`: a task of the project; else a manager of versions."""
    operands = call.operands("-C", "--cd", "-j", "--jobs")
    if len(operands) > 1 and operands[0] in {"run", "r"}:
        from hookwright.shell.programs.name_hints import classify_task_name

        return classify_task_name(operands[1])
    return classify_version_manager(call)


def classify_composer(call: Call) -> Row | None:
    operands = call.operands("-d", "--working-dir", "--timeout")
    row = look_up_verb(call, COMPOSER)
    if row is not None or not operands:
        return row
    if operands[0] in {"run", "run-script"}:
        operands = operands[1:]
    elif operands[0] in COMPOSES:
        return None
    from hookwright.shell.programs.name_hints import classify_task_name

    return classify_task_name(operands[0]) if operands and not call.has_flag("-l", "--list") else None


def classify_pacman(call: Call) -> Row | None:
    """`-S…` installs, `-Q…` and `-Ss` only query."""
    for word in call.args:
        if word[:2] in {"-S", "-U"} and word[1:2] != "-":
            return None if set(word[2:]) & set("silgp") and "y" not in word and "u" not in word else INSTALLS
    return None if call.args or call.program == "pacman" else INSTALLS


def classify_bundler(call: Call) -> Row | None:
    """`bundle` alone installs."""
    return BUNDLE.get(call.verb or "install") if call.verb or not call.has_flag("-v", "--version") else None


def classify_pre_commit(call: Call) -> Row | None:
    verb = call.verb
    if verb == "run":
        if call.has_flag("-a", "--all-files") or not (call.has_flag("--files") or len(call.operands()) > 1):
            return "suggest", "check", "runs all hooks"
        return None
    if verb in {"install-hooks", "autoupdate"} or call.has_flag("--install-hooks"):
        return FETCHES
    return None


def classify_softwareupdate(call: Call) -> Row | None:
    return INSTALLS if short_flags(call) & {"i", "d"} or call.has_flag("--install", "--download") else None
