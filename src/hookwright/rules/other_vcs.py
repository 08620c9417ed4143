"""Asks before Mercurial, Subversion or Jujutsu throw away work that is not committed, or commits.

Why: as with git, what was never committed is nowhere else.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "other-vcs"
EXAMPLES = {
    "hg update -C": "ask",
    "hg revert --all": "ask",
    "hg purge": "ask",
    "hg push -f": "ask",
    "svn revert -R .": "ask",
    "svn cleanup --remove-unversioned": "ask",
    "jj abandon @-": "ask",
    "hg status": None,
    "hg update tip": None,
    "svn update": None,
    "jj log": None,
}

# Verb → the options without which it is harmless; none: it always loses something.
LOSES: dict[str, dict[str, tuple[str, ...]]] = {
    "hg": {
        "update": ("-C", "--clean"),
        "up": ("-C", "--clean"),
        "checkout": ("-C", "--clean"),
        "revert": ("-a", "--all"),
        "push": ("-f", "--force"),
        "purge": (),
        "strip": (),
        "rollback": (),
    },
    "svn": {"revert": (), "cleanup": ("--remove-unversioned", "--remove-ignored"), "delete": ("--force",)},
    "jj": {"abandon": (), "restore": ()},
}
LOOKS = {"hg": "hg status", "svn": "svn status", "jj": "jj st"}


def check(call: Call, scene: Scene) -> Finding | None:
    options = LOSES[call.program].get(call.verb)
    if options is None or call.has_flag("--help", "-n", "--dry-run") or (options and not call.has_flag(*options)):
        return None
    return ask(f"`{shown(call)}` throws away work that may be nowhere else", LOOKS[call.program])
