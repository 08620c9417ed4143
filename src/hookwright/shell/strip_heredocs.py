"""Removes here-documents that `cat` writes into an ordinary file: they are data, not commands.

cat > src/x.py <<'EOF' … EOF; make  →  [strip_heredocs]  →  make
Agents write files this way, often twenty kilobytes at once. Only the plain form is removed, only for paths that no rule
protects, and only if nothing in the body is expanded and nothing after it names the file. All else stays.
"""

from __future__ import annotations

_NAME = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./")
_ORDINARY = (
    ".c", ".cc", ".cfg", ".cpp", ".cs", ".css", ".csv", ".go", ".h", ".hpp", ".html", ".ini", ".ipynb", ".java", ".js",
    ".json", ".jsx", ".kt", ".lua", ".md", ".mjs", ".php", ".proto", ".py", ".pyi", ".rb", ".rs", ".rst", ".scala",
    ".scss", ".sh", ".sql", ".svelte", ".svg", ".swift", ".tex", ".toml", ".ts", ".tsx", ".txt", ".vue", ".xml",
    ".yaml", ".yml",
)  # fmt: skip
_SENSITIVE = (
    "secret",
    "credential",
    "passw",
    "token",
    "key",
    "cert",
    "auth",
    "settings",
    "config",
    "hook",
    "lock",
    "id_",
)


def strip_heredocs(text: str) -> str:
    """The command without the here-documents that it only writes to files."""
    while True:
        line, newline, rest = text.partition("\n")
        name, word, quoted = _parse_heredoc_line(line)
        if not word or not newline:
            return text
        body, end, after = f"\n{rest}\n".partition(f"\n{word}\n")
        if not end or not (quoted or ("$" not in body and "`" not in body and "\\" not in body)):
            return text
        text, whole = after.strip("\n"), text
        if name[name.rfind("/") + 1 :].partition(".")[0] in text:
            return whole  # the file may be run by what follows


def _parse_heredoc_line(line: str) -> tuple[str, str, bool]:
    """File and delimiter of `cat > FILE <<WORD`, and whether it is quoted; empty for any other line."""
    words = line.replace(">>", ">").replace(">", " > ").split()
    if len(words) != 4 or words[0] != "cat" or ">" not in words:
        return "", "", False
    at = words.index(">")
    if at == 3 or not _is_ordinary(words[at + 1]):
        return "", "", False
    [given] = [word for place, word in enumerate(words) if place not in (0, at, at + 1)]
    if not given.startswith("<<") or given.startswith(("<<<", "<<-")):
        return "", "", False
    word = given[2:]
    if len(word) > 2 and word[0] in "'\"" and word[-1] == word[0]:
        return (words[at + 1], word[1:-1], True) if word[1:-1].isalnum() else ("", "", False)
    return (words[at + 1], word, False) if word.replace("_", "").isalnum() else ("", "", False)


def _is_ordinary(path: str) -> bool:
    """Whether a path is inside the project and of no type or name that a rule protects."""
    lowered = path.lower()
    return (
        _NAME.issuperset(path)
        and path[0] not in "/-."
        and "/." not in path
        and lowered.endswith(_ORDINARY)
        and not any(mark in lowered for mark in _SENSITIVE)
    )
