"""Stricter rules after content from outside has entered the session (option `taint`: off, shadow, on).

sources: WebFetch, WebSearch, MCP results, downloads that are printed, fetched files that are read → [list_sources]
tainted session: a finding → [apply_taint] → one step up; a call that sends, runs or settles something → asked about
Why: a page, an issue or a file can hold instructions for the model. Which call follows them nobody can tell; but what
an attacker wants is known: run code, read secrets, send something away, change what later sessions obey.
Deterministic: the same calls in the same order give the same answers, and each reason names the source.
"""

from __future__ import annotations

from hookwright.hooks.command_guard.own_network import host_of, is_own_network
from hookwright.hooks.command_guard.policy import apply_adjustments
from hookwright.hooks.command_guard.rule_api import Finding, format_call, sort_findings
from hookwright.hooks.command_guard.session.knowledge import normalize
from hookwright.store import session_marks

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from hookwright.hooks.command_guard.guard_settings import Guard
    from hookwright.protocol.events.tool import PreToolUse
    from hookwright.shell.command import Call, Command

RUN_ID = "taint-run"
SEND_ID = "taint-send"
SETTINGS_ID = "taint-settings"
# Rules that go one step up: code from the network, secrets, writes elsewhere, settings.
RAISED = frozenset(
    (
        "network-code dynamic-program carried-command reverse-shell inline-code "
        "secret-read protected-secrets mcp-secret mcp-key-sent secret-in-url written-key credentials-sent "
        "remote-write publish deploy github-change mcp-send mcp-change mcp-destroy git-force-push "
        "protected-settings protected-profiles protected-git protected-write guard-off global-config git-hooks-off "
        "crontab services shell-environment agent-permissions sandbox-off permissions accounts root-shell"
    ).split()
)
# MCP servers that work on this machine: what they return was here before.
LOCAL_SERVERS = ("filesystem", "memory", "sequential", "time", "ide", "serena", "desktop", "git_local", "sqlite")
BROWSERS = ("browser", "puppeteer", "playwright", "chrome", "devtools")
FETCHERS = frozenset("curl wget http https xh aria2c lynx w3m links".split())
LOOKUPS = frozenset("dig nslookup host ping drill".split())
# Files that later sessions, other people or machines obey.
OBEYED = ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".mcp.json", ".cursorrules",
          ".pre-commit-config.yaml",
          ".gitattributes", ".gitmodules", "lefthook.yml", ".windsurfrules", "copilot-instructions.md")  # fmt: skip
OBEYED_DIRS = ("/.claude/", "/.github/workflows/", "/.husky/", "/.vscode/", "/.cursor/", "/.devcontainer/", "/.git/",
               "/.circleci/", "/.gitlab/")  # fmt: skip
CI_FILES = (".gitlab-ci.yml", "Jenkinsfile", "azure-pipelines.yml", ".travis.yml", "bitbucket-pipelines.yml")
LONG_VALUE = 40  # characters of one value in a URL: a question has shorter words
MAKES = ("create", "add", "update", "post", "send", "push", "upload", "comment", "reply", "write", "edit", "publish",
         "insert", "append", "share", "invite", "fork", "submit", "transition", "move")  # fmt: skip


def list_sources(guard: Guard, event: PreToolUse) -> list[tuple[str, ...]]:
    """Rows for the session's record: where content comes from that this call brings in."""
    tool, given = event.tool_name, event.tool_input
    now = f"{guard.world.now:.3f}"
    source = ""
    if tool == "WebFetch":
        host = host_of(str(given.get("url") or ""))
        source = f"WebFetch {host}" if not is_own_network(host) else ""
    elif tool == "WebSearch":
        source = "WebSearch"
    elif tool[:5] == "mcp__":
        server = tool[5:].partition("__")[0]
        source = "" if any(name in server.lower() for name in LOCAL_SERVERS) else f"MCP server {server}"
    elif tool in ("Bash", "Monitor"):
        return [*fetched_by(guard, event, now), *read_fetched(guard, event, now)]
    else:
        return read_fetched(guard, event, now)
    return [(session_marks.OUTSIDE, now, source)] if source else []


def fetched_by(guard: Guard, event: PreToolUse, now: str) -> Iterator[tuple[str, ...]]:
    """Downloads of a command: printed, or into a file that counts once it is read."""
    for call in parse(guard, event).calls:
        program = call.program
        if program == "gh" and call.verb in ("issue", "pr", "api", "gist", "release", "run") and not creates(call):
            yield session_marks.OUTSIDE, now, f"gh {call.verb}"
        elif program == "git" and call.verb == "clone":
            from hookwright.hooks.command_guard.delete_targets import created_folders

            for word in created_folders(call):
                path = call.path(word)
                if path:
                    yield session_marks.FETCHED, "git clone", place(guard, event, path)
        elif program in FETCHERS:
            hosts = [host_of(word) for word in call.args if "://" in word]
            if hosts and all(map(is_own_network, hosts)):
                continue
            source = f"{program} {hosts[0] if hosts else ''}".strip()
            files = [
                call.path(word) for word in (*call.options("-o", "--output", "-O", "--output-document"), *call.writes)
            ]
            named = [path for path in files if path and path != "-" and "://" not in path]
            if program == "wget" and not named:
                own = (call.path(type(word)(word.rpartition("/")[2])) for word in call.args if "://" in word)
                named = [path for path in own if path]
            for path in named:
                yield session_marks.FETCHED, source, place(guard, event, path)
            if not named and not call.has_flag("-O", "--remote-name", "-I", "--head"):
                yield session_marks.OUTSIDE, now, source


def read_fetched(guard: Guard, event: PreToolUse, now: str) -> list[tuple[str, ...]]:
    """A file that was fetched before and is named by this call."""
    fetched = session_marks.read_marks(guard.world.state, event.session_id).fetched
    if not fetched:
        return []
    for path in named_paths(guard, event):
        for file, source in fetched.items():
            if path == file or path.startswith(file + "/"):
                return [(session_marks.OUTSIDE, now, f"{path.rpartition('/')[2]}, fetched by {source}")]
    return []


def named_paths(guard: Guard, event: PreToolUse) -> list[str]:
    given = event.tool_input
    if event.tool_name in ("Bash", "Monitor"):
        calls = parse(guard, event).calls
        found = [call.path(word) for call in calls for word in (*call.words, *(r.target for r in call.redirects))]
        return [place(guard, event, path) for path in found if path]
    names = ("file_path", "notebook_path", "path")
    return [place(guard, event, str(given[name])) for name in names if isinstance(given.get(name), str)]


def apply_taint(guard: Guard, event: PreToolUse, findings: list[Finding]) -> list[Finding]:
    """The findings as they are in a tainted session; in shadow mode as they were, with a note in the journal."""
    marks = session_marks.read_marks(guard.world.state, event.session_id)
    if not marks.outside:
        return findings
    time, source = marks.outside[0]
    latest = marks.outside[-1][1]
    why = f"content from outside entered this session ({source}{f', then {latest}' if latest != source else ''})"
    raised = [raise_finding(guard, finding, why) for finding in findings]
    added = [] if any(finding.verdict == "deny" for finding in raised) else find_more(guard, event, marks)
    for finding in added:
        finding.reason += f"; asked about because {why}"
    text = event.tool_input.get("command")
    result = sort_findings(raised + apply_adjustments(guard, added, text if isinstance(text, str) else event.tool_name))
    if [(one.rule, one.verdict) for one in result] == [(one.rule, one.verdict) for one in findings]:
        return findings
    guard.world.facts["taint"] = {
        "source": source,
        "since": int(guard.world.now - time),
        "verdict": result[0].verdict,
        "rules": [finding.rule for finding in result],
        "mode": guard.taint,
    }
    return result if guard.taint == "on" else findings


def raise_finding(guard: Guard, finding: Finding, why: str) -> Finding:
    if finding.verdict != "ask" or finding.rule not in RAISED or finding.rule in guard.ask:
        return finding
    found = Finding("deny", f"{finding.reason}; denied because {why}", finding.instead)
    found.rule = finding.rule
    found.call = finding.call
    return found


def find_more(guard: Guard, event: PreToolUse, marks: session_marks.Marks) -> list[Finding]:
    """What is silent otherwise: sends something, runs what was fetched, changes what others obey."""
    tool, given = event.tool_name, event.tool_input
    if tool in ("Bash", "Monitor"):
        return [*check_calls(guard, event, marks)]
    if tool in ("Write", "Edit", "NotebookEdit"):
        path = given.get("notebook_path" if tool == "NotebookEdit" else "file_path")
        return [build(SETTINGS_ID, f"{tool} changes {path}, which others obey")] if is_obeyed(str(path)) else []
    if tool == "WebFetch":
        url = str(given.get("url") or "")
        return [build(SEND_ID, f"WebFetch sends data to {host_of(url)}, in the URL")] if sends_value(url) else []
    return check_mcp(tool, given) if tool[:5] == "mcp__" else []


def check_mcp(tool: str, given: Mapping[str, Any]) -> list[Finding]:
    from hookwright.hooks.command_guard.tools.mcp_verbs import split_words

    server, _, name = tool[5:].partition("__")
    local = any(part in server.lower() for part in LOCAL_SERVERS)
    for value in given.values():
        if isinstance(value, str) and "://" in value[:12] and sends_value(value):
            return [build(SEND_ID, f"{server}'s {name} sends data to {host_of(value)}, in the URL")]
        if (
            local
            and isinstance(value, str)
            and len(value) < 4096
            and is_obeyed(value)
            and set(split_words(name)) & set(MAKES)
        ):
            return [build(SETTINGS_ID, f"{server}'s {name} changes {value}, which others obey")]
    if not local and not any(part in server.lower() for part in BROWSERS) and set(split_words(name)) & set(MAKES):
        return [build(SEND_ID, f"{server}'s {name} writes to another system")]
    return []


def check_calls(guard: Guard, event: PreToolUse, marks: session_marks.Marks) -> Iterator[Finding]:
    for call in parse(guard, event).calls:
        if call.place.remote is not None:
            continue
        shown = f"`{format_call(call)}`"
        if runs_fetched(guard, event, call, marks):
            yield build(RUN_ID, f"{shown} runs what was fetched")
        if sends_something(call):
            yield build(SEND_ID, f"{shown} sends something to another system")
        for word in (*call.writes, *written_operands(call)):
            path = call.path(word)
            if path and is_obeyed(path):
                yield build(SETTINGS_ID, f"{shown} changes {word}, which others obey")


def runs_fetched(guard: Guard, event: PreToolUse, call: Call, marks: session_marks.Marks) -> bool:
    from hookwright.hooks.command_guard.session.scripts import runs_script

    for word in (call.words[0], *call.operands()[:2]):
        path = call.path(word)
        if path and runs_script(call, word):
            path = place(guard, event, path)
            if any(path == file or path.startswith(file + "/") for file in marks.fetched):
                return True
    return False


def sends_something(call: Call) -> bool:
    program = call.program
    if program == "git":
        return call.verb == "push" or (call.verb == "remote" and bool({"add", "set-url"} & set(call.words)))
    if program in ("gh", "glab"):
        return creates(call)
    if program in LOOKUPS:
        return any(not word.literal or len(word.split(".")[0]) >= LONG_VALUE for word in call.args)
    if program in FETCHERS:
        urls = [word for word in call.args if "://" in word or "." in word.partition("/")[0]]
        outside = [word for word in urls if not is_own_network(host_of(word))]
        return any(not word.literal or sends_value(word) for word in outside) or (
            bool(outside)
            and any(not word.literal or "@" in word[:2] for word in call.options("-d", "--data", "-F", "-T", "-H"))
        )
    return program in ("ssh", "scp", "sftp", "nc", "ncat", "netcat", "socat", "telnet", "rclone", "ftp")


def creates(call: Call) -> bool:
    verbs = {"create", "comment", "edit", "close", "merge", "review", "upload", "delete", "set", "fork", "reopen"}
    flags = ("-f", "-F", "--field", "--raw-field", "-X", "--method", "--input")
    return bool(verbs & set(call.operands()[1:3])) or (call.verb == "api" and call.has_flag(*flags))


def sends_value(url: str) -> bool:
    """A value in the query, a part of the path or of the host's name that is as long as data is."""
    if is_own_network(host_of(url)):
        return False
    rest = url.partition("://")[2] or url
    path, _, query = rest.partition("#")[0].partition("?")
    values = [part.partition("=")[2] for part in query.split("&")]
    parts = [part for part in (*path.split("/")[1:], *host_of(url).split(".")) if "-" not in part and "_" not in part]
    return any(len(value) >= LONG_VALUE for value in (*values, *parts)) or "$" in query or "`" in query


def written_operands(call: Call) -> list[Any]:
    if call.program in ("tee", "touch", "sponge"):
        return call.operands()
    if call.program in ("cp", "mv", "install", "ln", "rsync"):
        return call.operands()[-1:]
    in_place = any(word.startswith(("-i", "--in-place", "-pi")) for word in call.args)
    return call.operands()[1:] if call.program in ("sed", "gsed", "perl") and in_place else []


def is_obeyed(path: str) -> bool:
    name = path.replace("\\", "/").rpartition("/")[2]
    whole = path if path[:1] == "/" else "/" + path
    return name in OBEYED or name in CI_FILES or any(folder in whole for folder in OBEYED_DIRS)


def parse(guard: Guard, event: PreToolUse) -> Command:
    from hookwright.shell.command import parse_cached

    text = event.tool_input.get("command")
    return parse_cached(text if isinstance(text, str) else "", event.cwd or ".", guard.world.home or "", scripts=False)


def place(guard: Guard, event: PreToolUse, path: str) -> str:
    return normalize(path, event.cwd, guard.world.home or "")


def build(rule: str, reason: str) -> Finding:
    found = Finding("ask", reason, "")
    found.rule = rule
    return found
