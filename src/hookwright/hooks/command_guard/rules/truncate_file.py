"""Asks before a file is emptied or overwritten as a whole: `> file` alone, `truncate`, `shred`, `dd of=file`.

Why: the old content is lost, and a file that is not committed has no other copy.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.delete_searches import FINDERS, check_search
from hookwright.hooks.command_guard.path_kinds import FREE, classify_word
from hookwright.hooks.command_guard.rule_api import ask, format_call, quote_word, quote_words
from hookwright.hooks.command_guard.secret_paths import is_secret_path
from hookwright.shell.call import slice_from

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene
    from hookwright.shell.command import Call, Word
    from hookwright.shell.redirects import Redirect

ID = "truncate-file"
EXAMPLES = {
    "> src/main.py": "ask",
    ": > config.yml": "ask",
    "echo '' > src/index.js": "ask",
    "echo -n > package.json": "ask",
    "truncate -s 0 data.db": "ask",
    "shred -u notes.txt": "ask",
    "find ~ -type f -exec truncate -s 0 {} +": "deny",
    "cp /dev/null src/app.py": "ask",
    "cat /dev/null > src/app.py": "ask",
    "dd if=/dev/urandom of=data.bin bs=1M count=10": "ask",
    '«shred|srm|wipe» "$FILE"': "ask",
    "«srm|wipe» notes.txt": "ask",
    "shred «-n|-s|--iterations|--size» 3 notes.txt": "ask",
    "true > src/app.py": "ask",
    "printf '' > src/app.py": "ask",
    ": >| src/app.py": "ask",
    ": &> src/app.py": "ask",
    ": 1> src/app.py": "ask",
    "truncate --size 0 src/app.py": "ask",
    "gdd if=/dev/zero of=src/app.py": "ask",
    "> app.log": None,
    "> out.txt; for i in 1 2; do echo $i >> out.txt; done": None,
    ": > /tmp/out.txt": None,
    "truncate -s 0 /tmp/x": None,
    "echo hi > notes.txt": None,
    "echo -n hi > notes.txt": None,
    "dd if=/dev/zero of=/tmp/test.img bs=1M count=10": None,
    "cp a.txt b.txt": None,
    "printf x > src/app.py": None,
    ": 2> src/app.py": None,
    "truncate -s «+1|<1|>1|%1|/1» /tmp/a": None,
    "truncate --size=+1K src/app.py": None,
    "truncate «-r|--reference» src/app.py /tmp/a": None,
    "shred «-n|-s|--iterations|--size» 3 /tmp/a": None,
}


def check(call: Call, scene: Scene) -> Finding | None:
    if call.program in ("shred", "srm", "wipe") and not call.literal:
        return ask(f"`{format_call(call)}` destroys files that are only known when it runs", "git status --short")
    outer = call.outer
    if outer is not None and outer.program in FINDERS and any("{}" in word for word in emptied_files(call)):
        finding = check_search(outer, format_call(outer), scene)
        if finding is not None:
            finding.reason = finding.reason.replace("delete", "empty", 1)
        return finding
    for word in emptied_files(call):
        if any(redirect.op == ">>" and redirect.target == word for redirect in later_redirects(call, scene)):
            continue  # `> out.txt; for …; do … >> out.txt; done`
        if word.literal and word[:5] != "/dev/" and classify_word(call, word, scene) not in FREE:
            return ask(f"`{format_call(call) or '> ' + word}` loses what is in {word}", keep_command(call, word))
    return None


def keep_command(call: Call, word: Word) -> str:
    """A copy beside the file, where that is one file and no secret; else a look at all of them."""
    files = emptied_files(call)
    if len(files) > 1 or is_secret_path(word) or word.startswith(("/etc/", ".git/")):
        return "ls -la " + quote_words(files)
    return f"cp -p {quote_word(word)} {quote_word(word)}.bak"


def later_redirects(call: Call, scene: Scene) -> list[Redirect]:
    """The redirections of the calls after this one."""
    calls = scene.command.calls
    after = calls[calls.index(call) + 1 :] if call in calls else []
    return [redirect for other in after for redirect in other.redirects]


def emptied_files(call: Call) -> list[Word]:
    """The files that the call empties or overwrites."""
    program = call.program
    if program in ("echo", "printf") and any(word not in ("", "-n") for word in call.args):
        return []
    if program in ("", ":", "true", "echo", "printf") or (program == "cat" and list(call.args) == ["/dev/null"]):
        return [
            redirect.target
            for redirect in call.redirects
            if redirect.writes and redirect.op in (">", ">|", "&>") and redirect.fd in ("", "1")
        ]
    if program == "truncate":
        sizes = call.options("-s", "--size")
        return [] if any(size[:1] in "+<>%/" for size in sizes) else call.operands("-s", "--size", "-r", "--reference")
    if program in ("shred", "srm", "wipe"):
        return call.operands("-n", "-s", "--iterations", "--size")
    if program in ("dd", "gdd"):
        return [slice_from(word, 3) for word in call.args if word.startswith("of=") and not word.startswith("of=/dev/")]
    if program == "cp":
        operands = call.operands()
        return operands[1:] if operands[:1] == ["/dev/null"] else []
    return []
