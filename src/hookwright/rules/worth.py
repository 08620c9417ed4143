"""Is a command worth reading for the guard? A look at its words, before anything is parsed.

text → [may_matter] → Command → judge
Errs on the side of reading: whatever a rule could speak of is worth it (tests/rules/test_worth.py holds it to that).
"""

from __future__ import annotations

from hookwright.rules.names import HINTS, NAMES, PLAIN_WORDS, SECRETS, SUBJECTS, TABLES

LONGEST = 2000  # characters; a longer text is read without a look
JOINTS = "|&;()<>\n"
GAPS = ",={}!/"


def may_matter(text: str) -> bool:
    """Whether a rule could have anything to say; costs a fraction of reading."""
    if "<<" in text:
        from hookwright.shell.written import without_written

        text = without_written(text)
    if len(text) > LONGEST or "`" in text or (">" in text and writes(text)):
        return True
    if text.count("'") & 1 or text.count('"') & 1:
        return True  # a quote that nobody closed, or one inside the other kind: only reading can tell
    if "(" in text and ("$(" in text or "<(" in text or "()" in text or "( )" in text):
        return True  # substitutions and functions can make a name that does not stand in the text
    if "$" in text:
        for mark in ("=", "$'", " -r", " -R", " -f", "IFS", "PWD"):
            if mark in text:
                return True  # a variable may be the program, or what it is let loose on
    if "@" in text or " -S" in text or ("done" in text and "&" in text):
        return True  # npx tool@version, env -S, loops that start something in the background
    return names_program(plain_words(text), text)


def writes(text: str) -> bool:
    """Whether a redirection goes anywhere but to nothing or to another descriptor."""
    for harmless in (">&1", ">&2", "> /dev/null", ">/dev/null"):
        text = text.replace(harmless, "")
    return ">" in text


def plain_words(text: str) -> list[str]:
    """The words as the shell joins them, paths in their parts, `;` for everything that begins a new call."""
    if "\\" in text:
        text = text.replace("\\\n", " ").replace("\\", "")
    text = text.replace("'", "").replace('"', "")
    for gap in GAPS:
        text = text.replace(gap, " ")
    for joint in JOINTS:
        text = text.replace(joint, " ; ")
    return text.split()


def names_program(words: list[str], text: str) -> bool:
    """Whether one of the words is a program that rules look at, with what has to stand beside it."""
    reads = False
    for index, word in enumerate(words):
        row = NAMES.get(word[0])
        if row is None:
            continue
        name = word.rstrip("0123456789.") + "#" if word[-1].isdigit() else word  # python3.12, pip3
        if f" {name}" not in row:
            continue
        if f" {name}% " in row:
            reads = True
        elif matters(name, row, words, index, text):
            return True
    if reads:
        for mark in SECRETS.split():
            if mark in text:
                return True
    return False


def matters(name: str, row: str, words: list[str], index: int, text: str) -> bool:
    if f" {name} " in row:
        return f" {name} " not in PLAIN_WORDS or index == 0 or f" {words[index - 1]} " not in SUBJECTS
    if f" {name}+ " in row and follows(words, index + 1, name) and (name != "git" or tells(words[index + 1 :], text)):
        return True
    return f" {name}? " in row and any(mark in text for mark in HINTS[name].split())


def follows(words: list[str], index: int, name: str) -> bool:
    """Whether what follows a program is one of its operands that matter; `-`: an option, or nothing."""
    start = TABLES.find(f"\n{name} ")
    row = TABLES[start : TABLES.find("\n", start + 1)]
    word = words[index] if index < len(words) else ";"
    if word == ";":
        return " - " in row
    if word[0] == "-":
        return " - " in row or any(f" {other} " in row or f" {other}/" in row for other in words[index:])
    if f" {word}/" in row:
        after = words[index + 1] if index + 1 < len(words) else ";"
        return after[0] == "-" or f" {word}/{after} " in row
    return f" {word} " in row


# Verbs of git that are everyday work without one of these: letters of short options, then marks in the text.
TELLS = {
    "push": ("fdn", "force delete mirror verify prune + : heroku dokku prod live HUSKY LEFTHOOK SKIP"),
    "commit": ("n", "verify HUSKY LEFTHOOK SKIP"),
    "config": ("", "global system ooks"),
    "branch": ("Df", "force delete"),
    "tag": ("df", "force delete"),
    "checkout": ("fB", "force -- . * :"),
    "switch": ("fC", "force discard"),
    "stash": ("", "drop clear"),
    "rebase": ("x", "exec"),
    "reset": ("", "hard merge"),
    "remote": ("", "remove rm"),
}


def tells(words: list[str], text: str) -> bool:  # rare
    """Whether a call of git has anything beside its verb that a rule would speak of."""
    verb = words[0]
    if verb not in TELLS:
        return True
    if verb == "checkout":
        own = words[1 : words.index(";")] if ";" in words else words[1:]
        if "-b" not in own and sum(word[0] != "-" or word == "-" for word in own) > 1:
            return True  # a commit, then files
    letters, marks = TELLS[verb]
    text = text.replace("\\\n", "").replace("\\", "").replace("'", "").replace('"', "")
    for mark in marks.split():
        if mark in text:
            return True
    if verb == "checkout" and not all(word.strip(GAPS) for word in text.split()):
        return True  # a file whose name is no word here: `git checkout HEAD {`
    return any(word[0] == "-" and word[1:2] != "-" and any(c in word for c in letters) for word in words)
