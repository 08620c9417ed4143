"""Asks before an unseen list of files is edited in place.

Why: `sed -i` over `$(git ls-files)` or through xargs changes every file in the list, binary files and files
with uncommitted work included; there is no backup.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, edits_in_place, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "in-place-edit"
EXAMPLES = {
    "sed -i 's/foo/bar/g' $(git ls-files)": "ask",
    "git ls-files | xargs sed -i 's/foo/bar/g'": "ask",
    "perl -pi -e 's/foo/bar/' $(grep -rl foo .)": "ask",
    "sed -i 's/foo/bar/' **/*.py": "ask",
    "sed -i 's/foo/bar/g' `git ls-files`": "ask",
    "find . -name '*.py' | xargs -I{} sed -i 's/foo/bar/' {}": "ask",
    "sed -i 's/.*//' src/*.py": "ask",
    "sed -i 's/foo/bar/' src/app.py": None,
    "sed -i.bak 's/foo/bar/' *.md": None,
    'sed -i "s/foo/$NEW/" src/app.py': None,
    "sed -n '1,20p' $(git ls-files | head -1)": None,
    "perl -pe 's/a/b/' file": None,
    "sed -i 's/foo/bar/' a.py -e \"$EXTRA\"": None,
}


EMPTYING = ("s/.*//", "s/.*//g", "d", "1,$d", "s/^.*$//", "s|.*||")  # programs for sed that leave nothing


def check(call: Call, scene: Scene) -> Finding | None:
    if not edits_in_place(call):
        return None
    last = call.words[-1]
    if any(word in EMPTYING for word in call.args) and (last.glob or not last.literal):
        return ask(f"`{format_call(call)}` empties every file that matches", "git stash -u")
    if last.glob and "**" in last:
        return ask(f"`{format_call(call)}` changes every file that matches, in all folders", "git stash -u")
    if last.literal or last[:1] == "-" or not ("$(" in last or "`" in last or last == "{}"):
        return None
    return ask(f"`{format_call(call)}` changes every file that the list turns out to hold", "git stash -u")
