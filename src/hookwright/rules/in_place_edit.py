"""Asks before an unseen list of files is edited in place.

Why: `sed -i` over `$(git ls-files)` or through xargs changes every file that happens to be named, binary ones and those
with uncommitted work included; there is no second copy.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "in-place-edit"
EXAMPLES = {
    "sed -i 's/foo/bar/g' $(git ls-files)": "ask",
    "git ls-files | xargs sed -i 's/foo/bar/g'": "ask",
    "perl -pi -e 's/foo/bar/' $(grep -rl foo .)": "ask",
    "sed -i 's/foo/bar/' **/*.py": "ask",
    "sed -i 's/foo/bar/' src/app.py": None,
    "sed -i.bak 's/foo/bar/' *.md": None,
    'sed -i "s/foo/$NEW/" src/app.py': None,
    "sed -n '1,20p' $(git ls-files | head -1)": None,
    "perl -pe 's/a/b/' file": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    from hookwright.rules.protected_write import edits_in_place

    if not edits_in_place(call):
        return None
    last = call.words[-1]
    if last.glob and "**" in last:
        return ask(f"`{shown(call)}` changes every file that matches, in all folders", "git stash -u")
    if last.literal or last[:1] == "-" or not ("$(" in last or "`" in last or last == "{}"):
        return None
    return ask(f"`{shown(call)}` changes every file that the list turns out to hold", "git stash -u")
