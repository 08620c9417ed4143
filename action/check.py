"""The GitHub Action's one step: verify a repository's hooks and settings, and compare them with another commit.

PROJECT, BASE, FAIL_ON_CHANGE → [main] → annotations on stdout, GITHUB_STEP_SUMMARY, GITHUB_OUTPUT, exit code
No hook of the repository is started: `hookwright verify` starts only its own, and the comparison only reads files. HOME
is an empty directory, so that nothing but the repository counts.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from typing import Any

from hookwright.settings.find import SearchPaths, find_sources
from hookwright.settings.fingerprint import Row, compute_fingerprint, diff_snapshots, take_snapshot
from hookwright.settings.load import load_sources

COMMANDS = (["verify", "--json"], ["config", "check", "--json"])
NEEDS_TRUST = "hookwright trust"  # each person's own step, nothing that the repository can do


def main() -> int:
    project = os.path.abspath(os.environ.get("PROJECT") or ".")
    base = os.environ.get("BASE", "")
    with tempfile.TemporaryDirectory() as home:
        findings = find_problems(project, home)
        rows = list_hooks(project, home)
        changes = compare(project, base, rows, home) if base else None
    for finding in findings:
        annotate("error", finding["what"], finding["where"], finding["try"])
    for change in changes or ():
        annotate("warning", f"hooks differ from {base[:12]}: {change}")
    fingerprint = compute_fingerprint(rows)
    append("GITHUB_OUTPUT", f"fingerprint={fingerprint}\nchanged={str(bool(changes)).lower()}\n")
    append("GITHUB_STEP_SUMMARY", format_summary(findings, rows, changes, fingerprint))
    print(f"{count_words(findings, rows)}, fingerprint {fingerprint}")
    return 1 if findings or (changes and os.environ.get("FAIL_ON_CHANGE") == "true") else 0


def find_problems(project: str, home: str) -> list[dict[str, str]]:
    """What hookwright finds wrong with the settings and the configuration of this project."""
    found: list[dict[str, str]] = []
    for words in COMMANDS:
        argv = [sys.executable, "-m", "hookwright", *words]
        done = subprocess.run(argv, cwd=project, env=build_env(home), capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1):
            raise SystemExit(f"hookwright {' '.join(words)} failed:\n{done.stderr}")
        report: dict[str, Any] = json.loads(done.stdout)
        for part in (report, *report.get("handlers", ())):
            found += [finding for finding in part["findings"] if finding["try"] != NEEDS_TRUST]
    return found


def list_hooks(project: str, home: str) -> list[Row]:
    """A row for each hook that the project's files register, with paths as the repository has them."""
    places = SearchPaths.from_environment({"HOME": home}, project, managed=home)
    rows = take_snapshot(load_sources(find_sources(places)).entries, project, build_env(home))
    return [{**row, "file": os.path.relpath(row["file"], project)} for row in rows]


def compare(project: str, base: str, rows: list[Row], home: str) -> list[str] | None:
    """What changed since that commit; None if it is not in this checkout."""
    top = run_git(project, "rev-parse", "--show-toplevel")
    with tempfile.TemporaryDirectory() as folder:
        other = os.path.join(folder, "base")
        if top is None or run_git(project, "worktree", "add", "--quiet", "--detach", other, base) is None:
            annotate("notice", f"commit {base[:12]} is not here, so nothing is compared", fix="fetch-depth: 0")
            return None
        try:
            before = os.path.join(other, os.path.relpath(os.path.realpath(project), os.path.realpath(top)))
            return diff_snapshots(list_hooks(before, home) if os.path.isdir(before) else [], rows)
        finally:
            run_git(project, "worktree", "remove", "--force", other)


def run_git(project: str, *words: str) -> str | None:
    """What git prints, without the repository's own hooks; None if it fails."""
    git = ["git", "-c", "core.hooksPath=/dev/null", "-C", project, *words]
    done = subprocess.run(git, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def build_env(home: str) -> dict[str, str]:
    return {"HOME": home, "PATH": os.environ.get("PATH", os.defpath), "LANG": "C.UTF-8"}


def annotate(level: str, what: str, where: str = "", fix: str = "") -> None:
    """One annotation; GitHub shows it at its line of the pull request."""
    file, line = split_place(where)
    place = f" file={file}" + (f",line={line}" if line else "") if file else ""
    text = what + (f". Try: {fix}" if fix else "")
    print(f"::{level}{place}::" + text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def split_place(where: str) -> tuple[str, str]:
    """The file as the repository has it, and the line; "" for what is not said."""
    file, _, line = where.rpartition(":")
    file, line = (file, line) if line.isdigit() else (where, "")
    return os.path.relpath(file, os.getcwd()) if file.startswith("/") else file, line


def count_words(findings: list[dict[str, str]], rows: list[Row]) -> str:
    words = ((len(rows), "hook"), (len(findings), "problem"))
    return ", ".join(f"{number} {word}{'' if number == 1 else 's'}" for number, word in words)


def format_summary(findings: list[dict[str, str]], rows: list[Row], changes: list[str] | None, fingerprint: str) -> str:
    lines = [f"### hookwright: {count_words(findings, rows)}", "", f"Fingerprint `{fingerprint}`", ""]
    if changes is not None:
        lines += [*(f"- {escape(change)}" for change in changes or ["no hook differs from the base"]), ""]
    if findings:
        lines += ["| problem | where | try |", "|---|---|---|"]
        for row in findings:
            file, line = split_place(row["where"])
            lines.append(f"| {escape(row['what'])} | {escape(f'{file}:{line}')} | {escape(row['try'])} |")
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    """As code in Markdown: what a repository says must not become a picture, a link or a row."""
    plain = " ".join(text.split()).replace("`", "'").replace("|", "¦")
    return f"`{plain}`" if plain else ""


def append(variable: str, text: str) -> None:
    path = os.environ.get(variable)
    if path:
        with open(path, "a", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    sys.exit(main())
