"""Judges Grep and Glob: lines of a secret file in the output, and paths that the user has protected."""

from __future__ import annotations

from hookwright.hooks.command_guard.file_access import ls_command
from hookwright.hooks.command_guard.protected_paths import SECRET
from hookwright.hooks.command_guard.rule_api import Finding
from hookwright.hooks.command_guard.secret_paths import is_secret_folder, is_secret_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import ToolSettings

NAMES_ONLY = ("files_with_matches", "count")  # output modes of Grep that print no line


def check(settings: ToolSettings, tool: str, given: Mapping[str, Any], cwd: str, mode: str) -> list[Finding]:
    path, pattern = given.get("path"), given.get("glob" if tool == "Grep" else "pattern")
    path = path if isinstance(path, str) else ""
    pattern = pattern if isinstance(pattern, str) else ""
    findings = check_listed(settings, tool, path, pattern, cwd)
    if tool == "Grep" and given.get("output_mode") not in NAMES_ONLY:
        findings += check_secrets(settings, path, pattern, cwd)
    return findings


def check_secrets(settings: ToolSettings, path: str, pattern: str, cwd: str) -> list[Finding]:
    from hookwright.hooks.command_guard.file_access import evaluate_file_access

    if path:
        found = evaluate_file_access(settings, path, cwd, "Grep", writes=False)
        if found:
            return [finding for finding in found if finding.rule == "protected-" + SECRET]
    if settings.secrets == "off":
        return []
    if path and is_secret_folder(path):
        return [build_finding(settings, path)]
    for part in expand_braces(pattern):
        name = part.rstrip("*").replace("*", "x") or part
        if part[:1] != "!" and is_secret_path(name):
            return [build_finding(settings, part)]
    return []


def build_finding(settings: ToolSettings, name: str) -> Finding:
    found = Finding(settings.secrets, f"Grep would show lines of {name}: it holds secrets", ls_command(name))
    found.rule = "protected-" + SECRET
    return found


def expand_braces(pattern: str) -> list[str]:
    """`*.{pem,key}` → `*.pem`, `*.key`; one pair of braces."""
    head, brace, rest = pattern.partition("{")
    inside, closed, tail = rest.partition("}")
    return [head + part + tail for part in inside.split(",")] if brace and closed else [pattern] if pattern else []


def check_listed(settings: ToolSettings, tool: str, path: str, pattern: str, cwd: str) -> list[Finding]:
    """Paths in `deny_paths` and `ask_paths` that the search names."""
    if not (settings.deny_paths or settings.ask_paths):
        return []
    from hookwright.hooks.command_guard.file_access import list_path_variants
    from hookwright.hooks.command_guard.user_rules import PATHS, path_matches

    world = settings.world
    home, inside = world.home or "", (world.project or cwd, cwd)
    named = [word for word in (path, f"{path}/{pattern}" if path and pattern else pattern) if word]
    found = []
    for level, patterns in (("deny", settings.deny_paths), ("ask", settings.ask_paths)):
        for word in named:
            variants = list_path_variants(word, cwd, home)
            if any(path_matches(one, protected, inside, home) for one in variants for protected in patterns):
                found.append(Finding(level, f"{tool} touches {word}, which you have protected", ls_command(word)))
                found[-1].rule = PATHS
                break
    return found
