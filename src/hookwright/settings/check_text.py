"""Find commands and scripts that look for the event in the wrong place: variables, arguments, keys that do not exist.

Entry, Invocation → [CHECKS] → findings
A hook gets its event as JSON on stdin. Text is read, nothing is run; what cannot be read for sure is not reported.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from functools import cache

from hookwright.proc.safe_read import read_file
from hookwright.protocol.catalogue import load_protocol, payload_keys, tool_input_keys
from hookwright.protocol.tool_names import TOOL_EVENTS
from hookwright.settings import matcher_syntax
from hookwright.settings.client_validation import Entry
from hookwright.settings.findings import Finding
from hookwright.settings.handler_command import Invocation, LaunchContext

LARGEST_SCRIPT = 1_000_000
# Variables that people expect and no client sets → where the value is.
INSTEAD = {
    "FILE_PATH": ".tool_input.file_path",
    "FILE_PATHS": ".tool_input.file_path",
    "FILE": ".tool_input.file_path",
    "EDITED_FILE": ".tool_input.file_path",
    "NOTEBOOK_PATH": ".tool_input.notebook_path",
    "COMMAND": ".tool_input.command",
    "BASH_COMMAND": ".tool_input.command",
    "TOOL_NAME": ".tool_name",
    "TOOL": ".tool_name",
    "NAME": ".tool_name",
    "INPUT": ".tool_input",
    "ARGS": ".tool_input",
    "PARAMS": ".tool_input",
    "OUTPUT": ".tool_response",
    "RESULT": ".tool_response",
    "RESPONSE": ".tool_response",
    "PROMPT": ".prompt",
    "MESSAGE": ".message",
    "NOTIFICATION": ".message",
    "NOTIFICATION_MESSAGE": ".message",
    "NOTIFICATION_TYPE": ".notification_type",
    "SESSION_ID": ".session_id",
    "TRANSCRIPT_PATH": ".transcript_path",
    "TRANSCRIPT": ".transcript_path",
    "CWD": ".cwd",
    "WORKING_DIR": ".cwd",
    "EVENT": ".hook_event_name",
    "EVENT_NAME": ".hook_event_name",
    "HOOK_EVENT": ".hook_event_name",
    "HOOK_EVENT_NAME": ".hook_event_name",
    "MODEL": ".model",
}
OTHER_DEAD = {"TOOL_INPUT": ".tool_input", "TOOL_NAME": ".tool_name", "TOOL_OUTPUT": ".tool_response"}
SHELL_VARIABLE = re.compile(r"\$(?:\{(?P<braced>[A-Z][A-Z0-9_]*)(?P<rest>[^}]*)\}|(?P<plain>[A-Z][A-Z0-9_]*))")
CODE_VARIABLE = re.compile(
    r"""(?:environ(?:\.get)?[\[(]|getenv\(|ENV(?:\.fetch)?[\[(]|process\.env[.\[])\s*["'`]?(?P<name>(?:CLAUDE_)?[A-Z][A-Z0-9_]*)"""
)
READS_STDIN = re.compile(
    r"\bjq\b|\bstdin\b|/dev/(?:stdin|fd/0)|\bcat\b\s*(?:$|[|);&>]|2>|-\s)|\bread\b|input\(|readFileSync\(0|<&0|\$\(<",
    re.MULTILINE,
)
SHELL_ARGUMENT = re.compile(r"(?<![\\\w])\$(?:1\b|\{1\b|@|\*)|\$\{1[:}]")
CODE_ARGUMENT = re.compile(r"sys\.argv\[[1-9]|process\.argv\[[2-9]|process\.argv\.slice\(2|ARGV\[0")
FUNCTION = re.compile(r"^[ \t]*(?:function\s+)?[\w-]+\s*(?:\(\s*\))?\s*\{.*?^[ \t]*\}", re.MULTILINE | re.DOTALL)
JQ_PROGRAM = re.compile(
    r"""\bjq\b(?:\s+-[-\w]+(?:\s+\w+\s+"?\$\w+"?)?)*\s+(?:'(?P<single>[^']*)'|"(?P<double>(?:\\.|[^"\\])*)"|(?P<bare>\.[\w.\[\]]+))"""
)
JQ_FROM_ELSEWHERE = re.compile(
    r"\s*(?:[\w./~$\"{}-]+\.json\b|\"?\$\{?\w*(?:FILE|PATH|CONFIG|file|path|config)\w*\}?\"?\s*(?:[;|)&\n]|$))"
)
JQ_PATH = re.compile(r"(?<![\w\])?\"'.])\.(?P<first>[A-Za-z_]\w*)(?:\?)?(?:\.(?P<second>[A-Za-z_]\w*))?")
NO_INPUT = re.compile(r"\s-[a-zA-Z]*n[a-zA-Z]*\b|--null-input|--slurpfile")
JQ_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
CODE_PATH = re.compile(
    r"""(?:\[\s*["']tool_input["']\s*\]|\.get\(\s*["']tool_input["'][^)]*\)|\btool_input)\s*(?:\?\.|\.)?(?:get\(\s*["'](?P<got>\w+)["']|\[\s*["'](?P<key>\w+)["']\s*\])"""
)
# Keys by other names.
OTHER_KEYS = {
    "cmd": "command",
    "bash_command": "command",
    "shell": "command",
    "path": "file_path",
    "file": "file_path",
    "filename": "file_path",
    "filePath": "file_path",
    "filepath": "file_path",
    "file_paths": "file_path",
    "text": "content",
    "contents": "content",
    "body": "content",
    "new_str": "new_string",
    "old_str": "old_string",
    "newString": "new_string",
    "oldString": "old_string",
    "tool": "tool_name",
    "toolName": "tool_name",
    "name": "tool_name",
    "toolInput": "tool_input",
    "input": "tool_input",
    "params": "tool_input",
    "parameters": "tool_input",
    "arguments": "tool_input",
    "args": "tool_input",
    "output": "tool_response",
    "tool_output": "tool_response",
    "tool_result": "tool_response",
    "result": "tool_response",
    "response": "tool_response",
    "event": "hook_event_name",
    "hookEventName": "hook_event_name",
    "sessionId": "session_id",
    "user_prompt": "prompt",
    "transcript": "transcript_path",
    "directory": "cwd",
}


@cache
def read_script(path: str) -> str:
    """The text of a script; "" for binaries, unreadable files and whatever is no script."""
    try:
        raw = read_file(path, LARGEST_SCRIPT)
    except OSError:
        return ""
    return "" if b"\0" in raw[:4096] else raw.decode("utf-8", "replace")


def list_texts(entry: Entry, invocation: Invocation) -> Iterator[tuple[str, str]]:
    """The texts that a handler runs: its command, and its script. Each with the path, "" for the command."""
    yield "", " ".join([str(entry.handler["command"]), *map(str, entry.handler.get("args") or ())])
    script = invocation.script or invocation.program
    if script and (invocation.script or _is_script(script)):
        yield (
            script,
            "\n".join(line for line in read_script(script).splitlines() if not line.lstrip().startswith(("#", "//"))),
        )


def _is_script(path: str) -> bool:
    return read_script(path).startswith("#!")


# --- variables
def variable_never_set(entry: Entry, invocation: Invocation, context: LaunchContext) -> Iterator[Finding]:
    """`$CLAUDE_TOOL_FILE_PATH` and its kin are empty: the hook runs and does nothing."""
    seen: set[str] = set()
    for path, text in list_texts(entry, invocation):
        for name in _list_variables(text):
            if name == "CLAUDE_ENV_FILE" and path:
                continue  # a script that several events share may ask whether it is set
            if name in seen or name in context.environment or not _is_dead(name, entry, context):
                continue
            seen.add(name)
            yield _describe_variable(name, path, entry)


def _list_variables(text: str) -> Iterator[str]:
    assigned = set(
        re.findall(r"(?:^|[\s;&|(])(?:export\s+|local\s+|readonly\s+|declare\s+(?:-\w+\s+)*)?([A-Z][A-Z0-9_]*)=", text)
    )
    assigned |= set(re.findall(r"\bread\s+(?:-\w+\s+)*([A-Z][A-Z0-9_]*)", text))
    assigned |= set(re.findall(r"\bfor\s+([A-Z][A-Z0-9_]*)\s+in\b", text))
    for found in SHELL_VARIABLE.finditer(text):
        name = found["braced"] or found["plain"]
        has_default = bool(found["rest"]) and found["rest"][:2] in (":-", ":=", ":+", ":?") and len(found["rest"]) > 2
        if name not in assigned and not has_default:
            yield name
    for found in CODE_VARIABLE.finditer(text):
        yield found["name"]


def _is_dead(name: str, entry: Entry, context: LaunchContext) -> bool:
    """True if no client gives this variable to a hook of this event."""
    if name in ("CLAUDE_PLUGIN_ROOT", "CLAUDE_PLUGIN_DATA"):
        return not context.plugin_root
    if name == "CLAUDE_ENV_FILE":
        return entry.event not in load_protocol()["env"]["conditional"][name]
    if name in OTHER_DEAD:
        return True
    if not name.startswith("CLAUDE_") or name.startswith(("CLAUDE_CODE_", "CLAUDE_PLUGIN_OPTION_", "CLAUDE_AUTO")):
        return False
    known = load_protocol()["env"]
    given = {word.partition("=")[0] for word in known["all_command_hooks"]} | known["conditional"].keys()
    return name not in given and (name in known["never"] or _shorten(name) in INSTEAD)


def _shorten(name: str) -> str:
    """`CLAUDE_TOOL_INPUT_FILE_PATH` → `FILE_PATH`."""
    rest = name.removeprefix("CLAUDE_").removeprefix("HOOK_")
    for prefix in ("TOOL_INPUT_", "TOOL_", "INPUT_", "USER_", "CURRENT_", "LAST_"):
        if rest.startswith(prefix) and rest.removeprefix(prefix) in INSTEAD:
            return rest.removeprefix(prefix)
    return rest


def _describe_variable(name: str, path: str, entry: Entry) -> Finding:
    where = f" in {path}" if path else ""
    if name == "CLAUDE_ENV_FILE":
        events = ", ".join(load_protocol()["env"]["conditional"][name])
        what = f"${name}{where} is empty on {entry.event}; Claude Code sets it on {events} only"
        return Finding("variable-never-set", what, entry.where, "write the variables on one of these events")
    if name.startswith("CLAUDE_PLUGIN_"):
        what = f"${name}{where} is empty outside of a plugin's own hooks"
        return Finding("variable-never-set", what, entry.where, '"$CLAUDE_PROJECT_DIR"/…, or an absolute path')
    key = OTHER_DEAD.get(name) or INSTEAD.get(_shorten(name), "")
    if key == ".tool_input.file_path" and matcher_syntax.exact_names(entry.matcher) == frozenset(("Bash",)):
        key = ".tool_input.command"
    what = f"no version of Claude Code sets ${name}{where}; it is always empty"
    return Finding("variable-never-set", what, entry.where, f"read the event on stdin: jq -r '{key or '.'}'")


# --- arguments
def reads_arguments(entry: Entry, invocation: Invocation, _context: LaunchContext) -> Iterator[Finding]:
    """A script that looks for its input in `$1` gets nothing."""
    for path, text in list_texts(entry, invocation):
        code = FUNCTION.sub("", text) if path else text
        pattern = CODE_ARGUMENT if path.endswith((".py", ".js", ".ts", ".mjs", ".cjs", ".rb")) else SHELL_ARGUMENT
        found = pattern.search(code)
        if found is None or READS_STDIN.search(text) or (path and _has_arguments(entry, invocation)):
            continue
        if not path and re.search(r"-c\s|\bset\s+--|\bawk\b|\bperl\b|\bsed\b|\bxargs\b", text):
            continue  # another program's own
        where = f"{path} reads" if path else "the command reads"
        what = f"{where} {found[0]}, and Claude Code passes no arguments: the event is JSON on stdin"
        yield Finding("reads-arguments", what, entry.where, "file=$(jq -r '.tool_input.file_path')")


def _has_arguments(entry: Entry, invocation: Invocation) -> bool:
    """True if the settings give the script arguments of their own."""
    words = list(invocation.words or ())
    if not words:
        return True  # too complex to know
    last = invocation.script or invocation.program or ""
    name = os.path.basename(last)
    at = next((place for place, word in enumerate(words) if os.path.basename(word) == name), len(words) - 1)
    return len(words) > at + 1 or bool(entry.handler.get("args") and len(entry.handler["args"]) > at)


# --- keys of the event
def key_unknown(entry: Entry, invocation: Invocation, _context: LaunchContext) -> Iterator[Finding]:
    """`jq .tool_input.cmd` is null on every call."""
    seen: set[str] = set()
    for path, text in list_texts(entry, invocation):
        for key in (*_list_jq_keys(text), *_list_code_keys(path, text)):
            problem = _find_key_problem(key, entry, own=not path)
            if problem is None or key in seen:
                continue
            seen.add(key)
            what, meant = problem
            yield Finding(
                "payload-key-unknown",
                what + (f" ({path})" if path else ""),
                entry.where,
                f"{meant}" if meant else "hookwright run " + entry.event + " --json",
            )


def _list_jq_keys(text: str) -> Iterator[str]:
    """Paths of jq programs that read the event: `tool_input.cmd`, `toolName`."""
    for found in JQ_PROGRAM.finditer(text):
        program = found["single"] or found["double"] or found["bare"] or ""
        reads_event = _reads_event(text, found.start(), found.end()) and not NO_INPUT.search(found[0])
        for path in JQ_PATH.finditer(JQ_STRING.sub('""', program)):
            before = program[: path.start()].rstrip()
            if path["first"] == "tool_input" and path["second"]:
                yield f"tool_input.{path['second']}"
            elif reads_event and (not before or before.endswith(("//", ","))) and "|" not in before:
                yield path["first"]


def _reads_event(text: str, start: int, end: int) -> bool:
    """True if this jq gets the event itself: stdin, or a variable that holds all of it."""
    if JQ_FROM_ELSEWHERE.match(text, end):
        return False
    piped = re.search(r"([^|\n;&(]*)\|\s*$", text[:start])
    given = re.match(r"\s*<<<\s*([^|\n;&)]*)", text[end:])
    source = (piped or given)[1].strip() if piped or given else ""  # type: ignore[index]
    if not piped and not given:
        # Only the first reader gets stdin; the others read what somebody else left.
        return not re.search(r"\bjq\b|\bcat\b|\bread\b", text[:start])
    if source in ("cat", "cat -", "tee /dev/stderr"):
        return True
    variable = re.search(r"\$\{?(\w+)\}?", source)
    return bool(variable and re.search(rf"\b{variable[1]}=\"?\$\((?:cat\b|<)", text))


def _list_code_keys(path: str, text: str) -> Iterator[str]:
    if path.endswith((".py", ".js", ".ts", ".mjs", ".cjs", ".rb")) or "python" in text[:200] or "node" in text[:200]:
        for found in CODE_PATH.finditer(text):
            yield f"tool_input.{found['got'] or found['key']}"


def _find_key_problem(key: str, entry: Entry, *, own: bool) -> tuple[str, str] | None:
    if key.startswith("tool_input."):
        return _find_input_problem(key.removeprefix("tool_input."), entry, own=own)
    known = payload_keys(entry.event)
    if key in known:
        return None
    meant = OTHER_KEYS.get(key, "")
    if meant not in known:
        close = get_close_matches(key, known, n=1, cutoff=0.8)
        meant = close[0] if close else ""
    inner = next((name for name in (key, OTHER_KEYS.get(key, "")) if name in _input_keys(entry)), "")
    if inner and entry.event in TOOL_EVENTS:
        meant = f"tool_input.{inner}"
    if not meant:
        return None
    return f"the payload of {entry.event} has no .{key}, so it is always null", f".{meant}"


def _find_input_problem(key: str, entry: Entry, *, own: bool) -> tuple[str, str] | None:
    """`own`: the command itself; a script may serve other tools and events as well."""
    if entry.event not in TOOL_EVENTS:
        return (f"the payload of {entry.event} has no .tool_input", "") if own else None
    keys = _input_keys(entry)
    if keys and not own:
        keys |= tool_input_keys(None)
    if not keys or key in keys:
        return None
    meant = OTHER_KEYS.get(key, "")
    if meant not in keys:
        close = get_close_matches(key, keys, n=1, cutoff=0.75)
        meant = close[0] if close else ""
    tools = entry.matcher if not matcher_syntax.matches_all(entry.matcher) else "any tool"
    what = f"the input of {tools} has no .{key}, so .tool_input.{key} is always null"
    return what, f".tool_input.{meant}" if meant else ""


def _input_keys(entry: Entry) -> frozenset[str]:
    """The keys of all inputs that this handler may see; empty if one of the tools is not known."""
    names = matcher_syntax.exact_names(entry.matcher)
    if names is None and not matcher_syntax.matches_all(entry.matcher):
        return frozenset()
    return tool_input_keys(None if names is None else tuple(sorted(names)))


# --- paths
def path_relative(entry: Entry, invocation: Invocation, _context: LaunchContext) -> Iterator[Finding]:
    """A relative path is looked up in the session's current directory, which `cd` changes."""
    handler = entry.handler
    written = [str(handler["command"]), *map(str, handler.get("args") or ())]
    if not os.path.exists(invocation.script or invocation.program or "") or written[0].lstrip().startswith("cd "):
        return
    for word in invocation.words or ():
        is_program = word == invocation.program_name and "/" in word
        is_script = bool(invocation.script) and str(invocation.script).endswith("/" + word.removeprefix("./"))
        if (is_program or is_script) and not word.startswith(("/", "~")) and any(word in text for text in written):
            what = f"{word} is found only while Claude's current directory is the project's; after a cd the hook fails"
            fix = f'"$CLAUDE_PROJECT_DIR"/{word.removeprefix("./")}'
            yield Finding("path-relative", what, entry.where, fix)
            return


CHECKS: tuple[Callable[[Entry, Invocation, LaunchContext], Iterable[Finding]], ...] = (
    variable_never_set,
    reads_arguments,
    key_unknown,
    path_relative,
)
