"""Asks before Mercurial, Subversion or Jujutsu throw away work that is not committed, or commits.

Why: as with git, work that was never committed has no other copy.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
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
    "hg «update|up|checkout» «-C|--clean»": "ask",
    "hg revert «-a|--all»": "ask",
    "hg push «-f|--force»": "ask",
    "hg «strip|rollback»": "ask",
    "svn cleanup --remove-ignored": "ask",
    "svn delete --force a": "ask",
    "jj restore": "ask",
    "hg status": None,
    "hg update tip": None,
    "svn update": None,
    "jj log": None,
    "hg purge «-n|--dry-run»": None,
}

# Subcommand → the options with which it discards something; (): it always does.
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
SAFER = {"hg": "hg status", "svn": "svn status", "jj": "jj st"}


def check(call: Call, scene: Scene) -> Finding | None:
    options = LOSES[call.program].get(call.verb)
    if options is None or call.has_flag("-n", "--dry-run") or (options and not call.has_flag(*options)):
        return None
    return ask(f"`{format_call(call)}` throws away work that may be nowhere else", SAFER[call.program])
