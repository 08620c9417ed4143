"""Everything that commands print goes through cli/output.py, which escapes it: a rule for the source, and an attack."""

import ast
import json
import os
import pty
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

import hookwright
from hookwright.cli import main

ROOT = Path(hookwright.__file__).parent
# Packages whose words reach a terminal through a command.
PRINTING = (
    *("cli", "page", "verify", "testing", "settings", "config", "engine", "replay.py", "recipes.py", "errors.py"),
    "store",
)
ALLOWED = {
    "cli/output.py": "the one place",
    "cli/progress.py": "a bar of rich, with an escaped label",
    "engine/handlers/agent_tools.py": "a child process that answers its parent on stdout",
}
CLICK = {"echo", "secho", "prompt", "confirm", "pause", "echo_via_pager", "edit"}
STREAMS = {"stdout", "stderr", "__stdout__", "__stderr__"}


def outputs(tree):
    """Calls and imports that write to a terminal by themselves."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            function = node.func
            if isinstance(function, ast.Name) and function.id in ("print", "pprint"):
                yield node.lineno, function.id
            if isinstance(function, ast.Attribute):
                owner = function.value
                if getattr(owner, "id", "") == "click" and function.attr in CLICK:
                    yield node.lineno, f"click.{function.attr}"
                if function.attr in ("write", "writelines") and getattr(owner, "attr", "") in STREAMS:
                    yield node.lineno, f"sys.{owner.attr}.{function.attr}"
                if function.attr == "show" and getattr(owner, "id", "") == "error":
                    yield node.lineno, "error.show"
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "rich":
            yield node.lineno, "rich"
        if isinstance(node, ast.Attribute) and node.attr == "write" and getattr(node.value, "attr", "") in STREAMS:
            yield node.lineno, "sys stream"


def test_no_module_of_the_commands_prints_past_the_one_place():
    files = [path for name in PRINTING for path in ([ROOT / name] if "." in name else (ROOT / name).rglob("*.py"))]
    found = []
    for path in files:
        name = str(path.relative_to(ROOT))
        if name not in ALLOWED:
            found += [f"{name}:{line}: {what}" for line, what in outputs(ast.parse(path.read_text()))]
    assert found == []
    assert len(files) > 100


def test_the_rule_sees_every_way_to_print():
    source = "print(1); click.echo(2); sys.stdout.write(3); w = sys.stderr.write; error.show()\nfrom rich import print"
    assert {what for _, what in outputs(ast.parse(source))} == {
        *("print", "click.echo", "sys.stdout.write", "sys stream", "error.show", "rich")
    }


def test_every_command_is_played():
    assert set(main.COMMANDS) - {"hook"} <= {words[0] for words in COMMANDS}  # `hook` answers Claude Code


# --- the attack
# Conceal, a title, a C1 introducer, delete, direction marks, separators of lines, a mark of order, invisible tags.
HOSTILE = "\x1b[8m\x1b]0;owned\x07\x9b8m\x7f\u202e\u2066\u2028\u2029\x85\u200e\ufeff\U000e0041\r\x08evil"
NAME = "\x1b[8m\x9b8m\u202e\u2028evil"  # as a part of a file name
OUR_CODES = re.compile(r"\x1b\[(?:\d+(?:;\d+)*)?m")  # colours
FORBIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]|\U000e0041"
)
OUR_STYLES = {"0", "1", "2", "31", "32", "33", "36", "1;31"}

COMMANDS = [
    ["trust"],
    ["trust", "--json"],
    ["allow", "last"],
    ["allow", HOSTILE],
    ["on", HOSTILE],
    ["off", "notify", "--here"],
    ["shadow", "notify", "--json"],
    ["config", "show"],
    ["config", "path"],
    ["config", "check"],
    ["config", "check", "--json"],
    ["status"],
    ["status", "--json"],
    ["verify"],
    ["verify", "--json"],
    ["install", "--dry-run"],
    ["uninstall", "--dry-run"],
    ["undo"],
    ["policy", "show"],
    ["policy", "check"],
    ["policy", "check", HOSTILE],
    ["log"],
    ["log", "--json"],
    ["why", HOSTILE],
    ["why"],
    ["stats"],
    ["statusline"],
    ["gain", "--ids"],
    ["gain", "--json"],
    ["gain", "--badge"],
    ["background", "list", "--all"],
    ["background", "list", "--all", "--json"],
    ["background", "end", HOSTILE],
    ["stats", "--json"],
    ["open", "--public-url", HOSTILE],
    ["explain", f"rm -rf {HOSTILE} && ls"],
    ["explain", "--json", f"rm -rf '{HOSTILE}'"],
    ["explain", "--cwd", HOSTILE, "ls"],
    ["run", "PreToolUse", "--command", f"ls {HOSTILE}"],
    ["run", HOSTILE],
    ["questions", "list"],
    ["questions", "log"],
    ["questions", "log", "--json"],
    ["questions", "set", "--question", HOSTILE, "--answer", HOSTILE],
    ["replay"],
    ["learn"],
    ["test"],
    ["new", "rule", HOSTILE],
    [HOSTILE],
    ["log", HOSTILE],
    ["log", "--since", HOSTILE],
]


@pytest.fixture(scope="module")
def hostile_home(tmp_path_factory, built_bundle):
    """A home and a repository full of names, keys and contents that would control a terminal."""
    base = tmp_path_factory.mktemp("hostile")
    home, project = base / "home", base / f"work {NAME}"
    hooks = project / ".hookwright" / "hooks"
    hooks.mkdir(parents=True)
    (hooks / f"a{NAME}x.py").write_text(f"# {HOSTILE}\n", newline="")
    key = json.dumps("k" + HOSTILE.replace("\U000e0041", ""))  # TOML has no pairs of surrogates
    (project / ".hookwright.toml").write_text(f"[guard]\n{key} = 1\n[{key}]\nx = 2\n")
    settings = {
        "hooks": {"PreToolUse": [{"matcher": HOSTILE, "hooks": [{"type": "command", "command": f"true {HOSTILE}"}]}]}
    }
    settings["hooks"][HOSTILE] = [{"hooks": [{"type": HOSTILE}]}]
    for folder in (home / ".claude", project / ".claude"):
        folder.mkdir(parents=True)
        (folder / "settings.json").write_text(json.dumps(settings))
    env = {"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", "TERM": "xterm", "COLUMNS": "100"}
    env["PYTHONPATH"] = os.pathsep.join(sys.path)

    def run(*words, data):
        program = [sys.executable, "-m", "hookwright", *words]
        subprocess.run(program, input=data, env=env, cwd=project, capture_output=True, timeout=120, check=False)

    common = {"session_id": f"s{HOSTILE}", "cwd": str(project), "tool_use_id": f"t{HOSTILE}"}
    question = {"question": f"Which {HOSTILE}?", "header": HOSTILE, "options": [{"label": HOSTILE}, {"label": "b"}]}
    asked = {"tool_name": "AskUserQuestion", "tool_input": {"questions": [question]}}
    bash = {"tool_name": "Bash", "tool_input": {"command": f"rm -rf / {HOSTILE}"}}
    answer = {"tool_response": {"answers": {question["question"]: HOSTILE}}}
    for event in (
        {**common, **bash, "hook_event_name": "PreToolUse"},
        {**common, **bash, "hook_event_name": "PostToolUse", "tool_response": {"stdout": HOSTILE}},
        {**common, **asked, "hook_event_name": "PreToolUse"},
        {**common, **asked, **answer, "hook_event_name": "PostToolUse"},
    ):
        run("hook", data=json.dumps(event).encode())
    return env, project


def on_a_terminal(words, env, project):
    """What a terminal gets of stdout and stderr; every question is answered with no."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "hookwright", *words],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env=env,
        cwd=project,
        start_new_session=True,
    )
    os.close(theirs)
    shown = b""
    asked = False
    try:
        while True:
            readable, _, _ = select.select([ours], [], [], 120)
            chunk = os.read(ours, 1 << 16) if readable else b""
            if not chunk:
                break
            shown += chunk
            if not asked and shown.rstrip().endswith((b"[y/N]:", b"[Y/n]:")):
                asked = True
                os.write(ours, b"n\n")
    except OSError:  # the other side is closed
        pass
    finally:
        process.kill()
        process.wait()
        os.close(ours)
    return shown.decode("utf-8", "surrogateescape").replace("\r\n", "\n").replace("n\r\n", "\n")


def assert_clean(shown):
    styles = {code[2:-1] for code in OUR_CODES.findall(shown)}
    assert styles <= OUR_STYLES, shown
    found = FORBIDDEN.search(OUR_CODES.sub("", shown))
    assert found is None, (hex(ord(found[0])), shown[max(0, found.start() - 80) : found.end() + 80])


def label(words):
    return "-".join("hostile" if "\x1b" in word else word for word in words) or "none"


@pytest.mark.slow
@pytest.mark.parametrize("words", COMMANDS, ids=label)
def test_nothing_hostile_reaches_a_terminal_or_a_pipe(hostile_home, words):
    env, project = hostile_home
    done = subprocess.run(
        [sys.executable, "-m", "hookwright", *words],
        env=env,
        cwd=project,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )
    assert done.returncode != 3, done.stderr
    piped = (done.stdout + done.stderr).decode("utf-8", "surrogateescape")
    assert "\x1b" not in piped
    assert_clean(piped)
    assert_clean(on_a_terminal(words, env, project))


@pytest.mark.slow
def test_trust_shows_names_and_contents_with_their_escapes(hostile_home):
    env, project = hostile_home
    shown = on_a_terminal(["trust"], env, project)
    assert "a\\u001b[8m\\u009b8m\\u202e\\u2028evilx.py" in shown
    assert "# \\u001b[8m\\u001b]0;owned\\u0007" in shown


def test_json_stays_json(capsys):
    from hookwright.cli.output import print_json  # noqa: PLC0415

    value = {"a" + HOSTILE: [HOSTILE, "\ud83d", "é😀"]}
    print_json(value)
    shown = capsys.readouterr().out
    assert_clean(shown)
    assert "é😀" in shown
    assert json.loads(shown) == value
