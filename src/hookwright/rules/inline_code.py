"""Stops one-liners of Python, Perl, Ruby, Node and PHP that delete, overwrite or start what a shell may not.

Why: `python -c "shutil.rmtree('/')"` does what `rm -rf /` does. The strings in the code are judged as the paths and
commands that they are; a text that is only printed is not.
"""

from __future__ import annotations

from hookwright.rules import protected_write, recursive_delete
from hookwright.rules.judging import judge_text
from hookwright.rules.kit import ask, deny, shown
from hookwright.shell.command import Word

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.rules.kit import Finding, Scene
    from hookwright.shell.command import Call

ID = "inline-code"
EXAMPLES = {
    "python3 -c \"import shutil; shutil.rmtree('/')\"": "deny",
    "python -c \"import os; os.system('rm -rf ~')\"": "deny",
    'python3 -c \'import subprocess; subprocess.run(["rm", "-rf", "/etc"])\'': "deny",
    "python3 - <<'EOF'\nimport shutil, os\nshutil.rmtree(os.path.expanduser('~'))\nEOF": "deny",
    "node -e \"require('fs').rmSync('/', {recursive: true})\"": "deny",
    "node -e \"require('child_process').execSync('git push -f origin main')\"": "deny",
    "perl -e 'system(\"rm -rf /\")'": "deny",
    'ruby -e \'require "fileutils"; FileUtils.rm_rf("/usr")\'': "deny",
    "php -r 'system(\"rm -rf /\");'": "deny",
    "awk 'BEGIN { system(\"rm -rf /\") }'": "deny",
    "perl -e 'fork while fork'": "deny",
    "ruby -e '`rm -rf /`'": "deny",
    "python3 -c \"open('/etc/passwd', 'w')\"": "deny",
    "python3 -c \"p = '.claude/settings.json'; open(p, 'w').write('{}')\"": "deny",
    "python3 -c \"from pathlib import Path; (Path.home() / '.claude/settings.json').write_text('{}')\"": "deny",
    "python -c \"import shutil; shutil.rmtree('data')\"": "ask",
    'python3 -c "import shutil, sys; shutil.rmtree(sys.argv[1])" src': "ask",
    "python3 -c \"print('rm -rf /')\"": None,
    "python3 -c \"import shutil; shutil.rmtree('build', ignore_errors=True)\"": None,
    "node -e \"console.log('git clean -fdx')\"": None,
    "python3 -c \"print(open('/etc/hosts').read())\"": None,
    "python3 -c \"import os; os.remove('out.txt')\"": None,
    "python3 - <<'EOF'\nimport shutil, tempfile\ntmp = tempfile.mkdtemp()\nshutil.rmtree(tmp)\nEOF": None,
    "python3 script.py 'rm -rf /'": None,
    "python3 -c \"from pathlib import Path; Path('/etc/passwd').unlink()\"": "deny",
    "python3 -c \"import os, glob; [os.remove(f) for f in glob.glob('data/*.csv')]\"": "ask",
    "python3 -c \"import os, glob; [os.remove(f) for f in glob.glob('build/*.js')]\"": None,
    "python3 -c \"from pathlib import Path; Path('out.txt').unlink()\"": None,
}

DELETES = ("rmtree(", "rmSync(", "rm_rf(", "rm_r(", "remove_dir_all(", "rimraf(", "rimraf.sync(",
           "removeSync(", "rmdirSync(", "remove_entry_secure(", "fs.rm(", "rm_rf ", "remove_tree(",
           "rmdir_recursive(")  # fmt: skip
FILES = ("os.remove(", "os.unlink(", "unlinkSync(", "unlink(", "File.delete(")
LISTS = ("glob(", "iglob(", "rglob(", "listdir(", "scandir(", "os.walk(", "readdirSync(", "globSync(",
         "Dir.glob(", "Dir[", "Dir.children(")  # fmt: skip
RUNS = ("os.system(", "popen(", "subprocess.run(", "subprocess.call(", "check_call(", "check_output(",
        "Popen(", "execSync(", "spawnSync(", "spawn(", "exec(", "system(", "shell_exec(", "passthru(",
        "proc_open(", "system ", "exec ", "getoutput(")  # fmt: skip
WRITES = ("open(", "writeFileSync(", "appendFileSync(", "writeFile(", "File.write(", "file_put_contents(")
METHODS = ("write_text(", "write_bytes(")  # of a Path
BOMBS = (
    "fork while fork",
    "fork while 1",
    "while True: os.fork",
    "while 1: os.fork",
    "while True:os.fork",
    "loop{fork",
    "loop { fork",
)
SCRATCH = ("tmp", "temp", "cache", "build", "dist")  # what a variable for a passing folder is called
MOST = 40  # places in one text that are looked at


def check(call: Call, scene: Scene) -> Finding | None:
    first = None
    for code in codes(call):
        for finding in opinions(call, code, scene):
            if not code.literal:
                finding.verdict = "ask"
            if finding.verdict == "deny":
                return finding
            first = first or finding
    return first


def codes(call: Call) -> list[Word]:
    """The program texts that the call brings along."""
    if call.program in ("awk", "gawk", "mawk", "nawk"):
        return call.operands("-F", "-v", "-f")[:1]
    found = call.options("-c", "-e", "-r", "-E", "--eval", "-p", "--print", "-pe", "-ne")
    if call.program in ("deno", "bun") and call.verb == "eval":
        found += call.operands()[1:2]
    text = call.stdin_text if not found else None
    return [*found, text] if text is not None else found


def opinions(call: Call, code: str, scene: Scene) -> list[Finding]:
    found = []
    if any(bomb in code for bomb in BOMBS):
        found.append(deny(f"`{shown(call)}` starts itself again and again until the machine stops", "ulimit -u"))
    if "socket" in code and ("dup2" in code or "pty.spawn" in code):
        found.append(deny(f"`{shown(call)}` hands a shell on this machine to another one", "ss -tn"))
    for needles, recursive in ((DELETES, True), (FILES, False)):
        for strings, argument in places(code, needles):
            found += deleted(call, strings, argument, scene, recursive=recursive)
    if any(needle in code for needle in FILES):
        found += listed(call, code, scene)
    for strings, argument in places(code, RUNS):
        found += started(call, strings, argument, scene)
    for strings, argument in places(code, WRITES):
        found += written(call, strings, argument, scene)
    for strings, argument in places(code, METHODS, of_owner=True):
        found += written(call, [*strings[:1], "w"], argument, scene)
    if call.program in ("ruby", "perl", "php"):
        for text in code.split("`")[1::2]:
            found += started(call, [text], text, scene)
    return found


def written(call: Call, strings: list[str], argument: str, scene: Scene) -> list[Finding]:
    """A file that is opened for writing, judged as a redirection to it."""
    if len(strings) < 2 or strings[1][:1] == "r":
        return []  # opened for reading
    finding = protected_write.written(call, word_of(strings[0]), scene, appends="a" in strings[1:2])
    return [finding] if finding is not None else []


def deleted(call: Call, strings: list[str], argument: str, scene: Scene, *, recursive: bool) -> list[Finding]:
    names = argument
    for text in strings:
        names = names.replace(text, "")
    if any(name in names.lower() for name in SCRATCH):
        return []
    if not strings:
        return [ask(f"`{shown(call)}` deletes a folder that is only known when it runs", "ls -la")] if recursive else []
    word = word_of(strings[0])
    finding = recursive_delete.target(call, word, scene, recursive=recursive)
    return [finding] if finding is not None else []


def listed(call: Call, code: str, scene: Scene) -> list[Finding]:
    """Files that the code finds by itself and then deletes: judged as the pattern or the folder that it searches."""
    found = []
    for strings, _argument in places(code, LISTS):
        word = word_of(strings[0] if strings else ".")
        if "*" not in word:
            word = word_of(word + "/*")
        word.glob = True
        finding = recursive_delete.target(call, word, scene, recursive=False)
        if finding is not None:
            found.append(finding)
    return found


def started(call: Call, strings: list[str], argument: str, scene: Scene) -> list[Finding]:
    """A shell text, or the words of one call."""
    if not strings:
        return []
    listed = argument.lstrip()[:1] == "[" or (
        "," in argument.partition("{")[0].replace(strings[0], "", 1) and len(strings) > 1
    )
    text = " ".join(strings if listed else strings[:1])
    finding = judge_text(text, call.cwd, scene)
    if finding is None:
        return []
    finding.reason = f"{call.program} runs it: {finding.reason}"
    finding.rule = ID
    finding.call = call
    return [finding]


def places(code: str, needles: tuple[str, ...], *, of_owner: bool = False) -> list[tuple[list[str], str]]:
    """For every place where one of these is called: the strings among its arguments, and the arguments' text.

    `of_owner`: instead of the arguments, what the method is called on.
    """
    found: list[tuple[list[str], str]] = []
    for needle in needles:
        start = code.find(needle)
        while start >= 0 and len(found) < MOST:
            before = code[start - 1 : start]
            if not (before.isalnum() or before == "_"):
                end = argument_end(code, start + len(needle))
                argument = code[start + len(needle) : end]
                if of_owner or (before == "." and not argument.strip()):
                    argument = owner(code, start - 1)
                found.append((resolved(code, argument), argument))
            start = code.find(needle, start + len(needle))
    return found


def owner(code: str, dot: int) -> str:
    """What a method is called on: `Path('x').unlink()`, `p.write_text(…)`."""
    line = code[max(0, code.rfind("\n", 0, dot) + 1, code.rfind(";", 0, dot) + 1) : dot].strip()
    if line.endswith(")") and "Path" in line:
        return line[line.find("Path") :]
    return line if line.isidentifier() else ""


def resolved(code: str, argument: str) -> list[str]:
    """The strings of an argument; before them that of a variable which stands first, if the code says what it is."""
    strings = strings_in(argument)
    name = argument.partition(",")[0].partition(".")[0].strip()
    if "Path.home()" in argument and strings:
        return ["~/" + "/".join(strings)]
    if not name.isidentifier():
        return strings
    start = code.find(f"{name}=")
    start = start if start >= 0 else code.find(f"{name} = ")
    if start < 0 or code[start + len(name) :].lstrip()[:2] == "==" or (start and code[start - 1] not in " \n;\t"):
        return strings
    ends = [end for end in (code.find("\n", start), code.find(";", start)) if end >= 0]
    return [*strings_in(code[start : min(ends, default=len(code))])[:1], *strings]


def argument_end(code: str, start: int) -> int:
    """Where the closing parenthesis stands, or the statement ends."""
    depth = 0
    quote = ""
    for index in range(start, min(len(code), start + 400)):
        c = code[index]
        if quote:
            if c == quote and code[index - 1] != "\\":
                quote = ""
        elif c in "'\"`":
            quote = c
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
            if depth < 0:
                return index
        elif c in ";\n" and depth <= 0:
            return index
    return min(len(code), start + 400)


def strings_in(argument: str) -> list[str]:
    """The string literals in a piece of code."""
    found = []
    index = 0
    while index < len(argument):
        c = argument[index]
        if c in "'\"`":
            end = index + 1
            while end < len(argument) and argument[end] != c:
                end += 2 if argument[end] == "\\" else 1
            found.append(argument[index + 1 : end])
            index = end
        index += 1
    return found


def word_of(text: str) -> Word:
    word = Word(text)
    if text[:1] == "~":
        word.home = True
    return word
