"""A commit that would carry a secret does not happen.

Looks at what `git commit` would take: the staged lines, with -a the changed ones, and after a `git add` in the same
command the new files too. A line that only looks like a secret says so: `pragma: allowlist secret`.
"""

from hookwright import Decision, Hook, PreToolUse, calls, deny
from hookwright.store.redact import mask

GUESSED = {"assignment", "flag"}  # known by a name beside them only; in source code too often wrong
NAMED = (".env", ".ini", ".cfg", ".conf", ".properties", ".tfvars")  # where a name is enough
FINE = "pragma: allowlist secret"
LARGEST = 1 << 20  # characters of a new file that are looked at


class SecretsInDiff(Hook):
    """Refuse to commit secrets."""

    on = (PreToolUse, "Bash")
    failure = "ask"
    deadline_s = 20.0

    def decide(self, event: PreToolUse) -> Decision | None:
        found = list(calls(event))
        for commit in found:
            if not commit.is_("git", "commit"):
                continue
            folder = commit.option("-C") or commit.cwd or event.cwd
            everything = any(call.is_("git", "add") for call in found)
            spots = secrets(added_lines(folder, unstaged=everything or commit.has_flag("-a", "--all"), new=everything))
            if spots:
                return deny(
                    "this commit would carry what looks like a secret: " + "; ".join(spots[:5]) + ". Take it out (git "
                    f"restore --staged FILE), read it from the environment, or mark the line `{FINE}` if it is none."
                )
        return None


def secrets(lines: list[tuple[str, int, str]]) -> list[str]:
    """Where a secret was added, without saying it."""
    spots = []
    for file, number, text in lines:
        kinds = set(mask(text)[1])
        certain = kinds if file.endswith(NAMED) or "/.env" in f"/{file}" else kinds - GUESSED
        if certain and FINE not in text:
            spots.append(f"{file}:{number} ({', '.join(sorted(certain))})")
    return spots


def added_lines(folder: str, *, unstaged: bool, new: bool) -> list[tuple[str, int, str]]:
    """(file, line number, text) of every line that the commit would add."""
    found, file, number = [], "", 0
    shown = ("--unified=0", "--no-color", "--no-ext-diff", "--no-prefix")
    staged = git(folder, "diff", "--cached", *shown)
    for line in staged + git(folder, "diff", *shown) if unstaged else staged:
        if line.startswith("+++ "):
            file = line[4:]
        elif line.startswith("@@ "):
            number = int(line.split("+")[1].split(" ")[0].split(",")[0]) - 1
        elif line.startswith("+"):
            number += 1
            found.append((file, number, line[1:]))
    for file in git(folder, "ls-files", "--others", "--exclude-standard") if new else ():
        with open(f"{folder}/{file}", encoding="utf-8", errors="replace") as opened:
            found += [(file, *line) for line in enumerate(opened.read(LARGEST).splitlines(), 1)]
    return found


def git(folder: str, *words: str) -> list[str]:
    import subprocess

    said = subprocess.run(["git", "-C", folder, "-c", "core.quotePath=off", *words], capture_output=True, check=False)
    return said.stdout.decode("utf-8", "replace").splitlines()
