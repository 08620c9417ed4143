# ruff: noqa: E501  commands as people write them
"""Settings files in the shapes in which people publish them: written by us, after reading many.

HEALTHY: files in which nothing is wrong, look-alikes of every defect among them. DEFECTS: files with one planted defect
and the code of the finding that has to name it. `render` writes them in the spacing and with the other keys of real files.
"""

import json
from dataclasses import dataclass, field
from typing import Any

SCRIPT = '#!/bin/bash\ninput=$(cat)\nfile=$(echo "$input" | jq -r \'.tool_input.file_path // empty\')\n[ -n "$file" ] || exit 0\nexit 0\n'
PYTHON = (
    "#!/usr/bin/env python3\nimport json, sys\n\ndata = json.load(sys.stdin)\n"
    "command = data.get('tool_input', {}).get('command', '')\nif 'rm -rf /' in command:\n"
    "    print('refused', file=sys.stderr)\n    sys.exit(2)\n"
)
PROJECT = '"$CLAUDE_PROJECT_DIR"/'


@dataclass
class Published:
    """A settings file, the scripts beside it, and the findings that it must have (none: it is healthy)."""

    name: str
    hooks: dict[str, Any]
    scripts: dict[str, str] = field(default_factory=dict)
    code: str = ""
    others: dict[str, Any] = field(default_factory=dict)
    scope: str = "project"
    style: int = 0


def command(text, **more):
    return {"type": "command", "command": text, **more}


def group(matcher, *handlers):
    return {"matcher": matcher, "hooks": list(handlers)} if matcher is not None else {"hooks": list(handlers)}


def on(event, matcher, *handlers):
    return {event: [group(matcher, *handlers)]}


def jq(program, rest):
    return f"jq -r '{program}' | {rest}"


# --- handlers as they are found: event, matcher, command
FORMATTERS = {
    "prettier": '{ read -r f; [ -f "$f" ] && echo prettier --write "$f"; true; }',
    "black": 'while read -r f; do case "$f" in *.py) echo black "$f";; esac; done',
    "gofmt": "grep -E '\\.go$' | xargs -r echo gofmt -w",
    "rustfmt": "xargs -I{} sh -c 'echo rustfmt \"{}\"'",
    "ruff": "grep -E '\\.pyi?$' | xargs -r echo ruff format",
    "eslint": "xargs -r echo eslint --fix",
    "biome": "xargs -r -n1 echo biome format --write",
    "terraform": "grep -E '\\.tf$' | xargs -r echo terraform fmt",
    "shfmt": "grep -E '\\.sh$' | xargs -r echo shfmt -w",
    "clang-format": "grep -E '\\.(c|h|cpp)$' | xargs -r echo clang-format -i",
}
EDITS = ("Edit|Write", "Write|Edit|MultiEdit", "Edit|MultiEdit|Write|NotebookEdit", "Write|Edit", "^(Edit|Write)$")
GUARDS = {
    "no rm -rf": 'cmd=$(jq -r .tool_input.command); case "$cmd" in *"rm -rf"*) echo no >&2; exit 2;; esac',
    "no force push": "jq -e '.tool_input.command | test(\"push.*--force\") | not' > /dev/null || exit 2",
    "no curl pipe": "if jq -r '.tool_input.command // \"\"' | grep -qE 'curl.*[|] *(ba)?sh'; then echo no >&2; exit 2; fi",
    "log it": 'jq -r \'"\\(.tool_input.command) - \\(.tool_input.description // "No description")"\' >> "$HOME/bash.log"',
    "whole payload": 'cat >> "$HOME/.claude/payloads.jsonl"',
    "grep": 'grep -q "git commit --no-verify" && { echo "run the checks" >&2; exit 2; }; exit 0',
    "python inline": "python3 -c \"import json, sys; d = json.load(sys.stdin); sys.exit(2 if 'sudo' in d.get('tool_input', {}).get('command', '') else 0)\"",
}
NOTICES = {
    "osascript": "command -v osascript > /dev/null && osascript -e 'display notification \"Claude\"' || true",
    "notify-send": "command -v notify-send > /dev/null && notify-send 'Claude Code' 'Waiting' || true",
    "bell": "printf '\\a' > /dev/tty 2> /dev/null || true",
    "message": 'jq -r .message | head -c 200 >> "$HOME/notices.log"',
    "ntfy": 'curl -s -d "$(jq -r .message)" https://ntfy.example.com/claude || true',
}
STARTS = {
    "git log": "git log --oneline -5 2> /dev/null; git status --short 2> /dev/null; true",
    "todo file": f"cat {PROJECT}TODO.md 2> /dev/null || true",
    "env file": '[ -n "$CLAUDE_ENV_FILE" ] && echo \'export NODE_ENV=development\' >> "$CLAUDE_ENV_FILE"; true',
    "date": "date +%F",
    "context json": 'printf \'{"hookSpecificOutput": {"hookEventName": "SessionStart", "additionalContext": "use pnpm"}}\'',
}


def healthy():
    """Files in which nothing is wrong."""
    for number, (name, rest) in enumerate(FORMATTERS.items()):
        matcher = EDITS[number % len(EDITS)]
        yield Published(f"format with {name}", on("PostToolUse", matcher, command(jq(".tool_input.file_path", rest))))
        yield Published(
            f"format with {name}, timeout",
            on("PostToolUse", matcher, command(jq(".tool_input.file_path // empty", rest), timeout=30)),
        )
    for name, text in GUARDS.items():
        yield Published(f"guard: {name}", on("PreToolUse", "Bash", command(text)))
        yield Published(f"guard with if: {name}", on("PreToolUse", "Bash", command(text, **{"if": "Bash(git *)"})))
    for name, text in NOTICES.items():
        for matcher in ("", "permission_prompt", "idle_prompt|permission_prompt"):
            yield Published(f"notify: {name} {matcher}", on("Notification", matcher, command(text)))
    for name, text in NOTICES.items():
        yield Published(f"on stop: {name}", on("Stop", None, command(text.replace(".message", ".session_id"))))
    for name, text in STARTS.items():
        for matcher in ("startup", "startup|resume", "*", None):
            yield Published(f"start: {name} {matcher}", on("SessionStart", matcher, command(text)))
    yield from healthy_scripts()
    yield from look_alikes()
    yield from whole_files()


def healthy_scripts():
    places = {
        f"{PROJECT}.claude/hooks/check.sh": {".claude/hooks/check.sh": SCRIPT},
        "$CLAUDE_PROJECT_DIR/.claude/hooks/check.sh": {".claude/hooks/check.sh": SCRIPT},
        f"bash {PROJECT}scripts/check.sh": {"scripts/check.sh": SCRIPT},
        f"python3 {PROJECT}.claude/hooks/guard.py": {".claude/hooks/guard.py": PYTHON},
        f"cd {PROJECT} && bash scripts/check.sh": {"scripts/check.sh": SCRIPT},
        f"{PROJECT}.claude/hooks/guard.py": {".claude/hooks/guard.py": PYTHON},
        "bash -c 'cat > /dev/null; exit 0'": {},
        f"/bin/sh {PROJECT}scripts/check.sh --strict src": {
            "scripts/check.sh": "#!/bin/sh\nmode=$1\nshift\ncat > /dev/null\nexit 0\n"
        },
    }
    for number, (text, scripts) in enumerate(places.items()):
        yield Published(f"script {number}", on("PreToolUse", "Edit|Write|Bash", command(text)), scripts)
        yield Published(f"script {number} after", on("PostToolUse", "Edit|Write", command(text, timeout=10)), scripts)
    exec_form = {"type": "command", "command": "python3", "args": ["${CLAUDE_PROJECT_DIR}/.claude/hooks/guard.py"]}
    yield Published("exec form", on("PreToolUse", "Bash", exec_form), {".claude/hooks/guard.py": PYTHON})
    yield Published("prompt handler", on("Stop", None, {"type": "prompt", "prompt": "All tests pass. $ARGUMENTS"}))
    yield Published(
        "http handler", on("PostToolUse", "*", {"type": "http", "url": "http://127.0.0.1:9/hook", "timeout": 5})
    )
    yield Published("two events", {**on("Stop", None, command("true")), **on("SubagentStop", None, command("true"))})
    yield Published(
        "compact", {**on("PreCompact", "manual", command("true")), **on("PostCompact", "auto|manual", command("true"))}
    )
    yield Published("session end", on("SessionEnd", "clear|logout", command("true")))
    yield Published("prompt", on("UserPromptSubmit", None, command('jq -r .prompt >> "$HOME/prompts.log"')))
    yield Published("mcp", on("PreToolUse", "mcp__github__.*", command("cat > /dev/null")))
    yield Published("mcp exact", on("PreToolUse", "mcp__github__create_issue|mcp__slack__post", command("true")))
    yield Published("all tools", on("PostToolUse", ".*", command("cat > /dev/null")))
    yield Published(
        "agents", on("PreToolUse", "Task", command('jq -r .tool_input.subagent_type >> "$HOME/agents.log"'))
    )
    yield Published("subagent", on("SubagentStop", "general-purpose", command("true")))


def look_alikes():
    """Each looks like one of the defects below and is sound."""
    shell = "Bash"
    sound = {
        "own variable": on("PreToolUse", shell, command('CLAUDE_TOOL_NAME=$(jq -r .tool_name); echo "$CLAUDE_TOOL_NAME" > /dev/null')),
        "variable with a default": on("PostToolUse", "Edit", command('f="${CLAUDE_FILE_PATH:-$(jq -r .tool_input.file_path)}"; test -n "$f"')),
        "variable of the client": on("PreToolUse", shell, command('echo "$CLAUDE_CODE_SESSION_ID $CLAUDE_PROJECT_DIR" > /dev/null')),
        "variable of settings": on("PreToolUse", shell, command('echo "$CLAUDE_SESSION_ID" > /dev/null')),
        "config folder": on("Stop", None, command('ls "$CLAUDE_CONFIG_DIR" > /dev/null 2>&1 || true')),
        "former tools beside others": on("PreToolUse", "Edit|MultiEdit|Write|LS", command("true")),
        "lower case in an expression": on("PreToolUse", "(?:Edit|Write)", command("true")),
        "empty matcher": on("PreToolUse", "", command("true")),
        "star": on("PreToolUse", "*", command("true")),
        "every value": on("SessionStart", "startup|resume|clear|compact", command("true")),
        "value by expression": on("SessionStart", "^start", command("true")),
        "agent types are free": on("SubagentStart", "my-reviewer", command("true")),
        "if of a file": on("PreToolUse", "Edit|Write", command("true", **{"if": "Edit(*.py)"})),
        "if without argument": on("PreToolUse", "Bash", command("true", **{"if": "Bash"})),
        "if of a domain tool": on("PreToolUse", "WebFetch", command("true", **{"if": "WebFetch"})),
        "if for all tools": on("PreToolUse", None, command("true", **{"if": "Bash(npm test)"})),
        "awk's own $1": on("PreToolUse", shell, command("jq -r .tool_input.command | awk '{print $1}' > /dev/null")),
        "sh -c with $1": on("PreToolUse", shell, command("sh -c 'echo $1 > /dev/null' sh word")),
        "jq of a file": on("PreToolUse", shell, command("jq -r .cmd settings.json 2> /dev/null || true")),
        "jq of a program": on("PreToolUse", shell, command("git log -1 --format='{\"cmd\": 1}' 2> /dev/null | jq -r .cmd || true")),
        "keys of several tools": on("PreToolUse", "Bash|Edit", command("jq -r '.tool_input.command // .tool_input.file_path' > /dev/null")),
        "key of an MCP tool": on("PreToolUse", "mcp__db__query", command("jq -r .tool_input.sql > /dev/null")),
        "key of any tool": on("PreToolUse", None, command("jq -r '.tool_input.pattern // .tool_input.url' > /dev/null")),
        "result of a tool": on("PostToolUse", shell, command("jq -r .tool_response.stdout > /dev/null")),
        "relative argument": on("PostToolUse", "Edit", command("ls src/ > /dev/null 2>&1 || true")),
        "long timeout": on("Stop", None, command("true", timeout=600)),
        "async logger": on("PostToolUse", "*", command("cat > /dev/null", **{"async": True})),
        "quiet exit": on("PreToolUse", shell, command("exit 0")),
        "heredoc": on("SessionStart", None, command("cat << 'EOF'\nuse $1 and $CLAUDE_TOOL_NAME with care\nEOF")),
    }  # fmt: skip
    del sound["heredoc"]  # it really reads both; a text in a heredoc is not told apart
    for name, hooks in sound.items():
        others = {"env": {"CLAUDE_SESSION_ID": "mine"}} if name == "variable of settings" else {}
        yield Published(f"look-alike: {name}", hooks, others=others)
    scripts = {
        "functions with arguments": '#!/bin/bash\nlog() {\n  echo "$1" >&2\n}\nlog "$(cat)"\n',
        "reads stdin by read": '#!/bin/bash\nread -r line\nset -- $line\necho "$1" > /dev/null\n',
        "a part of the event": '#!/bin/bash\nINPUT=$(cat)\nTOOL_INPUT=$(echo "$INPUT" | jq -r \'.tool_input // {}\')\necho "$TOOL_INPUT" | jq -r \'.command // "none"\'\n',
        "names of its own": '#!/bin/bash\nraw="$(cat 2>/dev/null || true)"\nTOOL_NAME=$(printf \'%s\' "$raw" | jq -r \'.tool_name\')\necho "$TOOL_NAME" "${1:-}"\n',
        "an answer made by jq": "#!/bin/bash\ncat > /dev/null\njq -cn --arg r no '{hookSpecificOutput: {hookEventName: \"PreToolUse\", reason: .command}}'\n",
        "comments": "#!/bin/bash\n# $CLAUDE_TOOL_NAME and $1 are empty; jq .tool_input.cmd is null\ncat > /dev/null\n",
        "python with a default": "import sys, json\nraw = sys.stdin.read()\nname = sys.argv[1] if len(sys.argv) > 1 else ''\n",
    }
    for name, text in scripts.items():
        file = "guard.py" if "python" in name else "guard.sh"
        run = f"python3 {PROJECT}{file}" if "python" in name else f"bash {PROJECT}{file}"
        yield Published(f"look-alike: {name}", on("PreToolUse", "Bash", command(run)), {file: text})


def whole_files():
    """Files with everything that people keep in them."""
    permissions = {"allow": ["Bash(npm run *)", "Read(**)"], "deny": ["Read(.env)"], "defaultMode": "acceptEdits"}
    extras = (
        {"$schema": "https://json.schemastore.org/claude-code-settings.json", "permissions": permissions},
        {"env": {"BASH_DEFAULT_TIMEOUT_MS": "60000"}, "model": "opus", "includeCoAuthoredBy": False},
        {"statusLine": {"type": "command", "command": "echo ready"}, "cleanupPeriodDays": 30},
        {"enabledPlugins": {"tools@market": True}, "outputStyle": "Explanatory", "alwaysThinkingEnabled": True},
        {
            "enableAllProjectMcpServers": True,
            "enabledMcpjsonServers": ["github"],
            "permissions": {"ask": ["Bash(git push *)"]},
        },
    )
    everything = {
        **on("SessionStart", "startup", command(STARTS["git log"])),
        **on("UserPromptSubmit", None, command("jq -r .prompt > /dev/null")),
        "PreToolUse": [
            group("Bash", command(GUARDS["no rm -rf"]), command(GUARDS["whole payload"])),
            group(
                "Edit|Write", command("jq -e '.tool_input.file_path | test(\"\\\\.env$\") | not' > /dev/null || exit 2")
            ),
        ],
        "PostToolUse": [group("Edit|Write", command(jq(".tool_input.file_path", FORMATTERS["prettier"])))],
        **on("Notification", "", command(NOTICES["notify-send"])),
        **on("Stop", None, command(NOTICES["bell"])),
    }
    for number, others in enumerate(extras):
        for scope in ("project", "local", "user"):
            yield Published(f"whole file {number} {scope}", everything, others=others, scope=scope)


# --- one defect each
def defects():
    edit, shell = "Edit|Write", "Bash"
    reads = '#!/bin/bash\nif [[ "$1" == *.env ]]; then\n  echo no >&2\n  exit 2\nfi\n'
    variables = {
        "tool file path": ("PostToolUse", edit, 'prettier --write "$CLAUDE_TOOL_FILE_PATH" || true'),
        "file paths": ("PostToolUse", edit, "for f in $CLAUDE_FILE_PATHS; do echo $f; done"),
        "file path": ("PostToolUse", edit, 'echo black "${CLAUDE_FILE_PATH}"'),
        "tool name": ("PreToolUse", "*", 'echo "$(date): $CLAUDE_TOOL_NAME" >> "$HOME/tools.log"'),
        "tool input": ("PreToolUse", shell, 'echo "$CLAUDE_TOOL_INPUT" | grep -q "rm -rf" && exit 2; exit 0'),
        "tool command": ("PreToolUse", shell, 'case "$CLAUDE_TOOL_COMMAND" in *sudo*) exit 2;; esac'),
        "tool input file path": ("PostToolUse", edit, "[[ $CLAUDE_TOOL_INPUT_FILE_PATH == *.ts ]] && echo tsc || true"),
        "tool output": ("PostToolUse", shell, 'echo "$CLAUDE_TOOL_OUTPUT" > /dev/null'),
        "notification": ("Notification", "", 'echo "$CLAUDE_NOTIFICATION" > /dev/null'),
        "prompt": ("UserPromptSubmit", None, 'echo "$CLAUDE_USER_PROMPT" > /dev/null'),
        "bare tool input": ("PreToolUse", shell, 'echo "$TOOL_INPUT" > /dev/null'),
        "env file on a tool": ("PreToolUse", shell, 'echo "export A=1" >> "$CLAUDE_ENV_FILE"'),
        "plugin root in settings": ("PreToolUse", shell, 'ls "$CLAUDE_PLUGIN_ROOT" > /dev/null'),
        "python environ": ("PreToolUse", shell, "python3 -c \"import os; print(os.environ.get('CLAUDE_TOOL_NAME'))\""),
    }
    for name, (event, matcher, text) in variables.items():
        yield Published(f"dead variable: {name}", on(event, matcher, command(text)), code="variable-never-set")
    yield Published(
        "dead variable in a script",
        on("PostToolUse", edit, command(f"bash {PROJECT}fmt.sh")),
        {"fmt.sh": '#!/bin/bash\necho "$CLAUDE_TOOL_FILE_PATH"\n'},
        "variable-never-set",
    )
    for name in (
        "bash",
        "edit|write",
        "Shell",
        "BASH",
        "Bsah",
        "^bash$",
        "web_fetch",
        "todowrite",
        "EditFile|Bash",
        "write.*",
    ):
        code = "tool-unknown" if name == "EditFile|Bash" else "tool-misspelt"
        yield Published(f"matcher {name}", on("PreToolUse", name, command("true")), code=code)
    yield Published("former tool alone", on("PreToolUse", "MultiEdit", command("true")), code="tool-removed")
    values = {
        "SessionStart": ("start", "Startup", "new|resume"),
        "Notification": ("permission-prompt", "permission"),
        "PreCompact": ("automatic",),
        "SessionEnd": ("exit",),
    }
    for event, matchers in values.items():
        for matcher in matchers:
            yield Published(f"{event} {matcher}", on(event, matcher, command("true")), code="matcher-value-unknown")
    rules = {
        ("Bash", "bash(git *)"): "", ("Bash", "Edit(*.py)"): "", ("WebFetch", "WebFetch(domain:example.com)"): "",
        (None, "Bash(git *) || Bash(npm *)"): "", (None, "git push"): "", (None, "Bash(git push"): "",
        (None, "Bash(*:*)"): "", (None, "mcp__github__*"): "", ("Edit|Write", "Write(!src/**)"): "",
        (None, "Shell(git *)"): "", ("Task", "Agent(general-purpose)"): "",
    }  # fmt: skip
    for matcher, rule in rules:
        yield Published(
            f"if {rule}", on("PreToolUse", matcher, command("true", **{"if": rule})), code="rule-never-fits"
        )
    yield Published(
        "if on Stop", on("Stop", None, command("true", **{"if": "Bash(git *)"})), code="condition-on-other-event"
    )
    keys = {
        "cmd": ("PreToolUse", shell, "jq -r .tool_input.cmd | grep -q sudo && exit 2; exit 0"),
        "path": ("PostToolUse", edit, "jq -r '.tool_input.path // empty' | xargs -r echo"),
        "filePath": ("PostToolUse", edit, "cat | jq -r '.tool_input.filePath' | xargs -r echo"),
        "top level command": ("PreToolUse", shell, "jq -r .command > /dev/null"),
        "toolName": ("PreToolUse", "*", "jq -r '.toolName' >> \"$HOME/tools.log\""),
        "tool_output": ("PostToolUse", shell, "jq -r .tool_output > /dev/null"),
        "user_prompt": ("UserPromptSubmit", None, "jq -r .user_prompt > /dev/null"),
        "file_path of Bash": ("PreToolUse", shell, "jq -r .tool_input.file_path > /dev/null"),
    }
    for name, (event, matcher, text) in keys.items():
        yield Published(f"key {name}", on(event, matcher, command(text)), code="payload-key-unknown")
    wrong_key = PYTHON.replace("get('command'", "get('cmd'")
    yield Published(
        "key in Python",
        on("PreToolUse", shell, command(f"python3 {PROJECT}guard.py")),
        {"guard.py": wrong_key},
        "payload-key-unknown",
    )
    yield Published(
        "script reads $1",
        on("PreToolUse", edit, command(f"bash {PROJECT}guard.sh")),
        {"guard.sh": reads},
        "reads-arguments",
    )
    yield Published(
        "script reads argv",
        on("PreToolUse", edit, command(f"python3 {PROJECT}guard.py")),
        {"guard.py": "import sys\npath = sys.argv[1]\n"},
        "reads-arguments",
    )
    yield Published("command reads $1", on("PostToolUse", edit, command('echo prettier "$1"')), code="reads-arguments")
    for text in (
        "./scripts/check.sh",
        ".claude/hooks/check.sh",
        "bash scripts/check.sh",
        "python3 .claude/hooks/guard.py",
    ):
        scripts = {"scripts/check.sh": SCRIPT, ".claude/hooks/check.sh": SCRIPT, ".claude/hooks/guard.py": PYTHON}
        yield Published(f"relative: {text}", on("PreToolUse", edit, command(text)), scripts, "path-relative")
    yield Published(
        "milliseconds", on("PreToolUse", shell, command("true", timeout=30000)), code="timeout-milliseconds"
    )
    yield Published("rule as matcher", on("PreToolUse", "Bash(git *)", command("true")), code="matcher-is-rule")
    yield Published("server as matcher", on("PreToolUse", "mcp__github", command("true")), code="matcher-names-server")
    yield Published("missing script", on("PreToolUse", shell, command(f"bash {PROJECT}gone.sh")), code="script-missing")
    yield Published("misspelt event", {"PreToolUze": [group("Bash", command("true"))]}, code="event-unknown")
    yield Published("matcher on Stop", on("Stop", "Bash", command("true")), code="matcher-ignored")
    yield Published("broken expression", on("PreToolUse", "Edit|Write)", command("true")), code="matcher-invalid")


def render(published, style=0):
    """The bytes of the file, in one of the spacings of real files."""
    data = (
        {**published.others, "hooks": published.hooks} if style % 2 else {"hooks": published.hooks, **published.others}
    )
    indent = (2, 2, 4, "\t", None, 2)[style % 6]
    text = json.dumps(data, indent=indent, ensure_ascii=style % 5 == 0) + ("\n" if style % 3 else "")
    if style % 7 == 6:
        text = text.replace("\n", "\r\n")
    return (b"\xef\xbb\xbf" if style % 11 == 10 else b"") + text.encode()


HEALTHY = [*healthy()]
DEFECTS = [*defects()]
