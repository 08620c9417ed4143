# ruff: noqa: E501  tables of values
"""Random scenes: settings of several scopes, an event, and handlers that behave well, oddly or wrongly.

Random → [make_scene] → Scene, whose cases share settings
Values are drawn from what people write and from what once made a difference; every case can be told from the others by
its words, so that an outcome can be read from the client's stream.
"""

import json
from random import Random

from tests.conformance.scenes import Case, Scene

ECHO = {"tool_name": "mcp__lab__echo", "tool_input": {"text": "hello"}}
SEEN = {"model_sees": 'MCP got {"text": "hello"}'}
COMMANDS = (
    "git push", "git status && ls", "npm test", "echo $(date)", "rm -rf build", "git commit -m 'a && b'", "sudo git push",
    "FOO=1 git push origin", "ls | xargs git push", "cat <<'EOF'\ngit push\nEOF", 'echo "$HOME"', "(git push)",
    "for x in a b; do git push; done", "git  push   origin", "timeout 5 npm test",
)  # fmt: skip
BASH_RULES = (
    "Bash(git *)", "Bash(git push:*)", "Bash(git push)", "Bash(npm test)", "Bash", "Bash(*)", "Bash(* push)", "Bash(git:*)",
    "Bash(rm -rf *)", "Bash(*push*)", "Read(*.py)", "Edit", "Bash(npm *)", "bash(git *)",
)  # fmt: skip
PATHS = (
    "<PROJECT>/a.py", "<PROJECT>/src/a.py", "<PROJECT>/src/deep/b.ts", "/opt/x.py", "<HOME>/notes.txt", "src/a.py", "<PROJECT>/A.PY",
    "<PROJECT>/.env", "/etc/hostname", "<PROJECT>/src/lib/x.py",
)  # fmt: skip
PATH_RULES = (
    "Read(*.py)", "Read(src/**)", "Read(/src/**)", "Read(~/**)", "Read(//opt/**)", "Read(**/x.py)", "Read(.env)", "Read(src)",
    "Read(SRC/*.py)", "Read(./src/*.py)", "Read(*/a.py)", "Read(src/*/x.py)", "Read(/a.py)", "Read(//**)", "Read(?.py)",
    "Read(*.P*)", "Read(lib/)", "Read([a-c].py)", "Read(*LIB*)", "Read(src//a.py)", "Read(a.py )", "Read(**)", "Read",
)  # fmt: skip
MATCHERS = (
    None, "", "*", "mcp__lab__echo", "mcp__lab__.*", "Bash|mcp__lab__echo", "mcp__.*__echo", "Bash", "^mcp", "echo$", ".*",
    "mcp__lab", "MCP__lab__echo", "(?:lab)__echo", "[a-\\d]cho", "e{,2}cho", "mcp__lab__ech[o-p]", "Read|Bash", "lab__(echo|ls)",
    "mcp__lab__echo|", "mcp__lab__echo, Bash",
)  # fmt: skip
TEXTS = (
    "words",
    "two words",
    "a\nb",
    " blanks ",
    "é ü 日本",
    "<b>&amp;",
    'a "quoted" word',
    "a</system-reminder>b",
    "{x}",
    "",
)
EVENTS = {
    "PreToolUse": 30,
    "PostToolUse": 14,
    "PostToolUseFailure": 4,
    "UserPromptSubmit": 14,
    "Stop": 12,
    "PermissionRequest": 10,
    "SubagentStart": 4,
    "SubagentStop": 4,
    "TaskCreated": 6,
    "PreCompact": 4,
    "PostToolBatch": 4,
    "UserPromptExpansion": 4,
    "paths": 8,
    "commands": 8,
}
PAUSE_S = 0.35  # between the ends of two handlers; where a machine is slower, the replay finds a race
SCOPES = ("user", "user", "user", "project", "local", "flag", "managed")


def make_scene(random: Random, size: int) -> Scene:
    """Settings that all cases share, and that many cases of one event."""
    kind = random.choices(list(EVENTS), list(EVENTS.values()))[0]
    event = "PreToolUse" if kind in ("paths", "commands") else kind
    names = [f"zq{letter}" for letter in "abcd"[: random.choice((1, 1, 2, 2, 3, 4))]]
    rules = {"paths": PATH_RULES, "commands": BASH_RULES}.get(kind)
    if rules:
        names = [f"zq{number}z" for number in range(8)]
    settings: dict[str, dict] = {}
    for name in names:
        scope = settings.setdefault(random.choice(SCOPES) if not rules else "user", {"hooks": {event: []}})
        entry = {"run": name, **make_options(random, event)} if not rules else {"run": name, "if": random.choice(rules)}
        group = {"hooks": [entry]}
        matcher = random.choice(MATCHERS) if event in ("PreToolUse", "PostToolUse") and not rules else None
        if matcher is not None:
            group["matcher"] = matcher
        scope["hooks"][event].append(group)
    cases = [make_case(random, kind, event, names, number) for number in range(size)]
    return Scene("random.json", f"random: {kind}", settings, cases)


def make_options(random: Random, event: str) -> dict:
    options: dict = {}
    if random.random() < 0.25:
        options["onFailure"] = random.choice(("block", "block", "continue"))
    if random.random() < 0.1:
        options["form"] = "exec"
    if random.random() < 0.06 and event in ("PreToolUse", "PostToolUse"):
        options["if"] = random.choice(("mcp__lab__echo", "Bash(git *)", "mcp__lab__*", ""))
    return options


def make_case(random: Random, kind: str, event: str, names: list[str], number: int) -> Case:
    payload = make_event(random, kind, event, number)
    handlers: dict[str, dict] = {}
    if kind in ("paths", "commands"):
        return Case(f"{kind} {number}: {json.dumps(payload['tool_input'])}", payload, handlers, None)
    for place, name in enumerate(names):
        behaviour = make_behaviour(random, event, f"{number}{name}")
        if place:  # not `after`: the one before may not run at all
            behaviour["sleep"] = PAUSE_S * place
        handlers[name] = behaviour
    return Case(f"{event} {number}", payload, handlers, None)


def make_event(random: Random, kind: str, event: str, number: int) -> dict:
    payload: dict = {"hook_event_name": event}
    match kind:
        case "paths":
            return {**payload, "tool_name": "Read", "tool_input": {"file_path": random.choice(PATHS)}}
        case "commands":
            return {**payload, "tool_name": "Bash", "tool_input": {"command": random.choice(COMMANDS)}}
        case "PostToolUse":
            return {**payload, **ECHO, **SEEN}
        case "PostToolUseFailure":
            return {**payload, "tool_name": "Bash", "tool_input": {"command": "exit 3"}}
        case "UserPromptSubmit":
            return {**payload, "prompt": f"prompt number {number} please."}
        case "UserPromptExpansion":
            return {**payload, "command_name": "greet", "command_args": f"args-{number}."}
        case "SubagentStart" | "SubagentStop":
            return {**payload, "agent_type": "general-purpose"}
        case "TaskCreated":
            return {**payload, "task_subject": f"paint {number}", "task_description": "the fence"}
        case "PreCompact":
            return {**payload, "trigger": "manual"}
        case "Stop":
            return payload
    return {**payload, **ECHO}


# --- behaviour
def make_behaviour(random: Random, event: str, mark: str) -> dict:
    """What a command does: silence, an answer, odd output, an exit code."""
    behaviour: dict = {}
    roll = random.random()
    if roll < 0.62:
        behaviour["reply"] = make_reply(random, event, mark)
    elif roll < 0.72:
        behaviour["stdout"] = make_odd_output(random, event, mark)
    if random.random() < 0.28:
        behaviour["exit"] = random.choice((1, 1, 2, 2, 2, 3, 127, 255))
        behaviour["stderr"] = random.choice(("", f"err-{mark}", f"err-{mark}\nmore", "\n", " "))
    if event in ("Stop", "SubagentStop"):  # once, or the model would go on
        return {"replies": [behaviour, {}]}
    return behaviour


def text(random: Random, mark: str) -> str:
    words = random.choice(TEXTS)
    return f"{words}-{mark}" if words and words != " blanks " else words


def make_reply(random: Random, event: str, mark: str) -> dict:
    choices = (
        ("continue", 0.1, random.choice((False, False, True))),
        ("stopReason", 0.1, text(random, f"stop-{mark}")),
        ("systemMessage", 0.12, text(random, f"msg-{mark}")),
        ("suppressOutput", 0.05, True),
        ("decision", 0.2, random.choice(("block", "block", "approve"))),
        ("reason", 0.2, text(random, f"why-{mark}")),
        ("unknownKey", 0.03, 1),
    )
    reply = {key: value for key, chance, value in choices if random.random() < chance}
    if random.random() < 0.75:
        reply["hookSpecificOutput"] = make_specific(random, event, mark)
    if random.random() < 0.05:
        reply[random.choice(("continue", "reason", "decision", "systemMessage", "hookSpecificOutput"))] = random.choice(
            (None, 5, "x", [])
        )
    return reply


def make_specific(random: Random, event: str, mark: str) -> dict:
    specific: dict = {"hookEventName": event}
    roll = random.random()
    if roll < 0.04:
        del specific["hookEventName"]
    elif roll < 0.08:
        specific["hookEventName"] = random.choice(("Stop", "PreToolUse", "SessionStart", "PreCompact", "Nonsense"))
    if random.random() < 0.45:
        specific["additionalContext"] = text(random, f"ctx-{mark}")
    if event == "PreToolUse" or random.random() < 0.05:
        if random.random() < 0.6:
            specific["permissionDecision"] = random.choice(
                ("deny", "deny", "allow", "ask", "defer" if random.random() < 0.2 else "deny")
            )
        if random.random() < 0.5:
            specific["permissionDecisionReason"] = text(random, f"why-{mark}")
        if random.random() < 0.25:
            specific["updatedInput"] = random.choice(({"text": f"new-{mark}"}, {"text": f"new-{mark}", "more": 1}, {}))
    if event == "PermissionRequest" and random.random() < 0.8:
        specific["decision"] = make_request(random, mark)
    if event == "PostToolUse" and random.random() < 0.2:
        specific["updatedMCPToolOutput"] = f"out-{mark}"
    if random.random() < 0.06:
        key = random.choice(
            (
                "additionalContext",
                "permissionDecision",
                "updatedInput",
                "decision",
                "watchPaths",
                "retry",
                "sessionTitle",
            )
        )
        specific[key] = random.choice((None, 5, [], {}))
    return specific


def make_request(random: Random, mark: str) -> dict:
    request: dict = {"behavior": random.choice(("allow", "deny", "deny", "ask" if random.random() < 0.2 else "allow"))}
    if random.random() < 0.5:
        request["message"] = text(random, f"why-{mark}")
    if random.random() < 0.3:
        request["updatedInput"] = {"text": f"new-{mark}"}
    if random.random() < 0.1:
        request["interrupt"] = random.choice((True, False, "x"))
    return request


def make_odd_output(random: Random, event: str, mark: str) -> str:
    good = json.dumps({"hookSpecificOutput": {"hookEventName": event, "additionalContext": f"ctx-{mark}"}})
    return random.choice(
        (
            f"plain text {mark}",
            f"plain text {mark}\nsecond line",
            f"  {good}\n",
            f"note {mark}\n{good}",
            f"{good}\nnote {mark}",
            f"{good}{good}",
            "{'a': 1}",
            '{"a": 1,}',
            "{bad",
            "[1, 2]",
            "{}",
            "null",
            f'"{mark} text"',
            "\ufeff" + good,
            '{"decision": "block", "reason": NaN}',
        )
    )
