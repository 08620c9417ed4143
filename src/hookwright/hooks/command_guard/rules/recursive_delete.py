"""Stops `rm` unless the target is a directory that a build recreates.

Why: `rm` has no confirmation and no undo. Root, home, system, `.git` and keys are denied; other directories are asked
about, since uncommitted work is lost with them; `node_modules`, `dist`, `/tmp/…` and single files pass.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.delete_targets import check_target
from hookwright.hooks.command_guard.rule_api import ask
from hookwright.shell.command import Call, Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.rule_api import Finding, Scene

ID = "recursive-delete"
EXAMPLES = {
    "rm -rf /": "deny",
    "sudo rm -rf /*": "deny",
    'cd ~ && rm -rf "$PWD"': "deny",
    "X=/; rm -rf $X": "deny",
    "rm -rf ~/.ssh": "deny",
    "rm -rf /home/$USER": "deny",
    "rm -rf /var/lib/postgresql": "deny",
    "rm -rf .git": "deny",
    "rm ~/.claude/settings.json": "deny",
    "ssh web 'rm -rf /srv/app'": "deny",
    "docker run -v /:/host alpine rm -rf /host/home": "deny",
    "rm -rf src": "ask",
    "rm -rf ../other": "ask",
    'rm -rf "$DIR"': "ask",
    "rm -rf *": "ask",
    "rm .env": "ask",
    "rm -f *.sqlite3": "ask",
    "rm src/*.py": "ask",
    'for f in *.md; do rm "$f"; done': "ask",
    "rm .git/hooks/pre-commit": "ask",
    "rm -f .git/hooks/*": "deny",
    "ls / | xargs -I{} sudo rm -rf /{}": "deny",
    "cat <<EOF | ssh web bash\nrm -rf /srv/app\nEOF": "deny",
    "«$(which rm)|$(command -v rm)|$(type -p rm)|`which rm`» -rf /": "deny",
    "«rm${IFS}-rf|rm$IFS-rf» /": "deny",
    "rm «-R|--recursive» ~": "deny",
    "rimraf ~": "deny",
    "del-cli ~": "deny",
    "rm -rf src ~": "deny",
    "sudo rm «/etc/shadow|/etc/group|/etc/fstab|/etc/sudoers|/etc/hosts|/etc/resolv.conf|/boot/vmlinuz»": "deny",
    "ls / | xargs -I{} sudo rm -rf «/{}/|~/{}|$HOME/{}»": "deny",
    "rm ~/*": "deny",
    "rm ~/.ssh/id_rsa": "deny",
    "rm .git/HEAD": "deny",
    "rm .git/config": "deny",
    "git clone --depth 1 https://x.example/shop && rm -rf other/.git": "deny",
    "rm -rf env": "ask",
    "rm -rf bin": "ask",
    "rm -rf deps": "ask",
    "while read -r f; do rm -rf \"$f\"; done <<< 'src'": "ask",
    'for d in a b; do rm -rf "$d" src; done': "ask",
    "rm *.sqlite": "ask",
    "rm a«.sqlite|.sqlite3|.db|.dump|.rdb|.tfstate|.pem|.key|.p12|.kdbx|.env»": "ask",
    "rm «package.json|pyproject.toml|Cargo.toml|go.mod|pom.xml|Gemfile|composer.json»": "ask",
    "rm /etc/nginx/nginx.conf": "ask",
    "rm *": "ask",
    "rm ../notes.txt": "ask",
    "ssh web 'rm -rf app'": "ask",
    "docker exec web rm -rf /srv/app": "ask",
    "rm -rf v1.2": "ask",
    "rm .env.production": "ask",
    "git clone https://x.example/shop.git && rm -rf other": "ask",
    "git init && rm -rf src": "ask",
    "mkdir a && rm -rf b": "ask",
    "rm -rf venv env": None,
    "rm -rf _build deps": None,
    "rm -rf node_modules dist": None,
    "mkdir demo && cd demo && npm init -y && cd .. && rm -rf demo": None,
    "rm -rf packages/*/build": None,
    "rm -rf /tmp/work": None,
    'rm -rf "$(mktemp -d)"': None,
    "rm -f .git/index.lock": None,
    "rm -f *.log build/*.js": None,
    'for f in *.log; do rm "$f"; done': None,
    "rm -rf $(find . -name __pycache__)": None,
    "rm notes.txt": None,
    "echo rm -rf /": None,
    "git commit -m 'never rm -rf /'": None,
    "rm -rf «bin|bin/» «obj|obj/»": None,
    "rm -rf .venv env/": None,
    "mix deps.clean && rm -rf deps": None,
    "while read -r f; do rm -rf \"$f\"; done <<< 'build dist'": None,
    "rm .git/«MERGE_MSG|FETCH_HEAD»": None,
    "rm .env.«example|sample»": None,
    "rm -rf notes.txt": None,
    "git clone «-b|--branch|--depth» 1 https://x.example/shop.git && rm -rf shop": None,
    "git clone https://x.example/shop.git web && rm -rf web": None,
    "git init demo && rm -rf demo": None,
    "mkdir «-m|--mode» 755 demo && rm -rf demo": None,
    "git worktree add ../wt && rm -rf ../wt": None,
    "unzip a.zip -d demo && rm -rf demo": None,
    "cd build || true; rm -rf *": "ask",
    "cd /tmp/nope; rm -rf *": "ask",
    "cd /tmp/nope && rm -rf *": None,
    "set -e; cd /tmp/nope; rm -rf *": None,
    "create-react-app demo && rm -rf demo": None,
    "«cargo|rails|django-admin» new demo && rm -rf demo": None,
    "cp -r src copy && rm -rf copy": None,
    "git clone «--depth|-b|--branch|-o|--origin|-c|--config» x https://x.example/shop.git && rm -rf shop/.git": None,
    "git clone https://x.example/shop.git web && rm -rf «web/.git|./web/.git»": None,
}

ALWAYS = frozenset(("rimraf", "del-cli", "trash-empty"))
FED = ("xargs", "parallel")
SEARCHES = ("find", "gfind", "fd", "fdfind")


def check(call: Call, scene: Scene) -> Finding | None:
    """The strictest finding over all targets."""
    if call.has_flag("--version"):
        return None
    if has_found_targets(call):
        from hookwright.hooks.command_guard.delete_searches import check_found_targets

        return check_found_targets(call, scene)
    recursive = call.program in ALWAYS or call.has_flag("-r", "-R", "--recursive")
    first = None
    targets = call.operands()
    if "obj" in targets or "obj/" in targets:
        targets = [word for word in targets if word not in ("bin", "bin/")]  # build output of .NET
    if not {"venv", ".venv"}.isdisjoint(targets):
        targets = [word for word in targets if word not in ("env", "env/")]  # a virtual environment, too
    if "deps" in targets and ("mix" in scene.command.programs or "_build" in targets):
        targets = [word for word in targets if word != "deps"]  # fetched by mix
    other = call_without_cd(call, scene)
    for word in expand_loop_targets(call, targets):
        finding = check_target(call, word, scene, recursive=recursive)
        if finding is None and other is not None and word[:1] not in ("/", "~"):
            finding = check_target(other, word, scene, recursive=recursive)
            if finding is not None:
                finding = ask(f"if the `cd` before it fails, {finding.reason}", "pwd")
        if finding is not None:
            if finding.verdict == "deny":
                return finding
            first = first or finding
    return first


def call_without_cd(call: Call, scene: Scene) -> Call | None:
    """The call as it runs where it starts if a `cd` before it fails; None if it then does not run, or is no other."""
    start = scene.command.cwd
    if call.cwd == start or call.remote is not None or "set -e" in scene.command.text:
        return None
    calls = scene.command.calls
    for index in range(calls.index(call) if call in calls else 0):
        if calls[index].program in ("cd", "pushd") and calls[index + 1].joiner != "&&":
            if folder_exists(calls[index]):
                continue
            other = Call(call.words, call.place, start)
            other.redirects = call.redirects
            return other
    return None


def folder_exists(cd: Call) -> bool:
    """Whether the directory that it changes to is there; not known for a relative path without a start."""
    path = cd.path(cd.operands()[0]) if cd.operands() else "~"
    if path is None or path[:1] != "/":
        return path == "~"
    import posix

    try:
        return posix.access(path, posix.X_OK)
    except (OSError, ValueError):
        return False


def has_found_targets(call: Call) -> bool:
    """Whether its targets come from a search: `find -exec rm {}`, `… | xargs rm`."""
    last = call.words[-1]
    outer = call.outer
    if outer is not None and outer.program in SEARCHES:
        return not last.literal or not call.operands()
    if outer is not None and outer.program == "parallel" and not last.literal and outer.producers:
        return True
    if reads_names(call) and (call.stdin_text is None or not call.stdin_text.literal):
        return True
    return last == "{}" and not last.literal and any(wrapper.program in FED for wrapper in call.wrappers)


def reads_names(call: Call) -> bool:
    """`while read f; do rm "$f"; done`."""
    loop = call.loop
    if loop is None or loop.kind != "while" or not loop.condition:
        return False
    read = loop.condition[-1]
    return read.program == "read" and not call.words[-1].literal and call.words[-1].strip("${}") in read.words


def expand_loop_targets(call: Call, targets: list[Word]) -> list[Word]:
    """The targets, with a loop's variable replaced by its values: `for f in *.md; do rm "$f"; done`."""
    if reads_names(call) and call.stdin_text is not None:
        return [*targets[:-1], *map(Word, call.stdin_text.split())]
    found: list[Word] = []
    for word in targets:
        values: tuple[Word, ...] = (word,)
        loop = None if word.literal else call.loop
        while loop is not None:
            if loop.variable and word in (f"${loop.variable}", f"${{{loop.variable}}}"):
                values = loop.values or values
            loop = loop.outer
        found += values
    return found
