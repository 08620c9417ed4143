"""Asks when a backtick or `$(…)` in a double-quoted message would run as a command.

Why: the shell executes them inside double quotes: a message that mentions `npm install` runs it and contains its
output. In single quotes, or with a backslash before each backtick, it stays text.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.rule_api import ask, format_call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call

ID = "message-substitution"
EXAMPLES = {
    'git commit -m "use `npm install` first"': "ask",
    'gh pr create --title x --body "see `make all`"': "ask",
    'git commit -m "run $(make all) first"': "ask",
    'git commit «--message|-m» "run `make test` first"': "ask",
    'gh pr create «-b|--body|-t|--title|-d» "run `make test` first"': "ask",
    'gh release create v1 «--notes|-n» "run `make test` first"': "ask",
    'glab mr create «--description|--subject» "run `make test` first"': "ask",
    'git commit -m "see `«ls|node|grep|npm»` for it"': "ask",
    'git commit -m "built $(make version) today"': "ask",
    "git commit -m 'use `npm install` first'": None,
    'git commit -m "use \\`npm install\\` first"': None,
    'git commit -m "release $(date +%F)"': None,
    'git commit -m "version `cat VERSION`"': None,
    "git commit -m \"$(cat <<'EOF'\nuse `npm install` first\nEOF\n)\"": None,
    'git tag -a v1 -m "built from $(git rev-parse --short HEAD)"': None,
    'git push origin "$(git branch --show-current)"': None,
    'git commit -m "at $(«gdate|echo x|printf x|hostname|whoami|id|pwd|basename x|dirname x|head x|tail x»)"': None,
    'git commit -m "at $(wc x)"': None,
    'git commit -m "at $(«uname|jq . x|yq . x|cut x|tr a b|sort x|uniq x|expr 1|seq 2|realpath x»)"': None,
    'git commit -m "at $(«readlink x|mktemp»)"': None,
    'git commit -m "at `«date|gdate|echo x|printf x|hostname|whoami|id|pwd|basename x|dirname x|head x»`"': None,
    'git commit -m "at `tail x`"': None,
    'git commit -m "at `«wc x|uname|jq . x|yq . x|cut x|tr a b|sort x|uniq x|expr 1|seq 2|realpath x»`"': None,
    'git commit -m "at `«readlink x|mktemp»`"': None,
    'git commit -m "at `«sha256sum|md5sum|shasum» x`"': None,
    'git commit -m "at $(«sed p x|awk 1 x|gawk 1 x|node -v|python -V|python3 -V|ruby -v|perl -v|npm -v»)"': None,
    'git commit -m "at $(«cargo -V|grep x»)"': None,
    'git commit -m "at $(«rg x|ls|test x|[ x ]|true|:|gh pr list|tee x|column x|fold x|fmt x|xargs|env»)"': None,
    'git commit -m "at $(printenv)"': None,
    'git commit -m "at $(«openssl version|curl x.example|find .»)"': None,
    'git commit -m "$(make changelog)"': None,
}

# Programs that are substituted on purpose in either form, and those that are so only as `$(…)`.
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
    if deliberate or not any(has_substitution(call, text) for text in owner.options(*TEXTS)):
        return None
    written = f"$({format_call(call)})" if call.substitution == "$(" else f"`{format_call(call)}`"
    return ask(
        f"the message holds {written} in double quotes: the shell runs it and puts its output there; write the message "
        "in single quotes, or with a backslash before each backtick",
        "git commit -F message.txt" if owner.program == "git" else f"{owner.program} {owner.verb} --help",
    )


def has_substitution(call: Call, text: str) -> bool:
    """Whether the text contains this substitution among other words, and is not the substitution alone."""
    alone = call.substitution == "$(" and text[:2] == "$(" and text[-1:] == ")"
    return call.substitution in text and not alone
