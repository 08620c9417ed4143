"""What the guard stops: one pattern a file, reached by the name of the program that is called.

text → [worth.py: may it matter?] → Command → [judge: index.py → rules] → findings, strictest first
Deny is for what the literal words prove, ask for what is dynamic or uncertain; nothing here ever approves.

A rule is a module with `ID`, `EXAMPLES` (command → "deny", "ask" or None; they are its tests and its page in the docs)
and `check(call, scene)`, which looks at one call. `kit.py` is what rules are written with, `paths.py` tells what a path
is, `protected.py` which files matter, `own.py` is what users add, `guard.py` what the hook makes of it all.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import Any

    from hookwright.rules.kit import Finding
    from hookwright.shell.command import Call, Command

# Branches that others build on; a forced push to one of them erases their work.
SHARED = ("main", "master", "trunk", "develop", "development", "production", "release", "staging")


def judge(  # rare
    command: Command,
    project: str = "",
    branches: Sequence[str] = SHARED,
    off: Collection[str] = (),
    looked: list[tuple[str, Call]] | None = None,
) -> list[Finding]:
    """What the rules say about a command, strictest first, each rule once; empty when there is nothing to say.

    `project`: its folder; `branches`: those that others build on; `off`: rules that are switched off; `looked`: gathers
    the rules that looked at a call and let it pass.
    """
    from hookwright.rules import judging

    return judging.judge(command, project, branches, off, looked)


def load(name: str) -> Any:  # rare
    """A rule by the name of its file."""
    return __import__("hookwright.rules." + name, None, None, ("check",))
