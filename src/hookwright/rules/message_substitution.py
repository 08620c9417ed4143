"""Asks when a backtick or `$(…)` in a double-quoted message would run as a command.

Why: inside double quotes the shell still executes them: a message that speaks of `npm install` installs, and its output
stands in the message. In single quotes, or with a backslash before each backtick, it stays text.
"""

from __future__ import annotations

from hookwright.rules.kit import ask, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "message-substitution"
EXAMPLES = {
    'git commit -m "use `npm install` first"': "ask",
    'gh pr create --title x --body "see `make all`"': "ask",
    'git commit -m "run $(make all) first"': "ask",
    "git commit -m 'use `npm install` first'": None,
    'git commit -m "use \\`npm install\\` first"': None,
    'git commit -m "release $(date +%F)"': None,
    'git commit -m "version `cat VERSION`"': None,
    "git commit -m \"$(cat <<'EOF'\nuse `npm install` first\nEOF\n)\"": None,
    'git tag -a v1 -m "built from $(git rev-parse --short HEAD)"': None,
    'git push origin "$(git branch --show-current)"': None,
}

# Programs that one substitutes on purpose, in either form; and those that only `$(…)` shows to be meant.
PRINTERS = frozenset(
    (
        "cat date gdate git echo printf hostname whoami id pwd basename dirname head tail wc uname jq yq cut tr sort "
        "uniq expr seq realpath readlink mktemp sha256sum md5sum shasum"
    ).split()
)
OTHERS = frozenset(
    (
        "sed awk gawk node python python3 ruby perl npm cargo grep rg ls test [ true : gh tee column fold fmt xargs "
        "env printenv openssl curl find"
    ).split()
)
TEXTS = ("-m", "--message", "-b", "--body", "-t", "--title", "--notes", "-n", "--subject", "--description", "-d")


def check(call: Call, scene: Scene) -> Finding | None:
    owner = call.owner
    if owner is None or call.outer is not None or call.depth > 1:
        return None
    deliberate = call.program in PRINTERS or (call.program in OTHERS and call.substitution == "$(")
    if deliberate or not any(marked(call, text) for text in owner.options(*TEXTS)):
        return None
    written = f"$({shown(call)})" if call.substitution == "$(" else f"`{shown(call)}`"
    return ask(
        f"the message holds {written} in double quotes: the shell runs it and puts its output there; write the message "
        "in single quotes, or with a backslash before each backtick",
        "git commit -F message.txt" if owner.program == "git" else f"{owner.program} {owner.verb} --help",
    )


def marked(call: Call, text: str) -> bool:
    """Whether the text is prose with a substitution in it, not the substitution alone."""
    alone = call.substitution == "$(" and text[:2] == "$(" and text[-1:] == ")"
    return call.substitution in text and not alone
