"""Judges scripts that this session wrote earlier and is about to run.

Why: `Write clean.py` and `python3 clean.py` are two harmless calls that together do whatever clean.py says. What the
agent wrote itself is read before it runs; what was there before belongs to the project (option `scripts`).
"""

from __future__ import annotations

from hookwright.hooks.command_guard.policy import evaluate_command
from hookwright.hooks.command_guard.rule_api import Finding, quote_word, sort_findings
from hookwright.hooks.command_guard.session.knowledge import normalize
from hookwright.proc.safe_read import read_file
from hookwright.store.session_marks import read_scripts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.hooks.command_guard.guard_settings import ToolSettings
    from hookwright.shell.command import Call

MAX_SCRIPT = 256 << 10
MAX_SCRIPTS = 8  # in one command
SHELLS = ("sh", "bash", "zsh", "dash", "ash", "ksh", "source", ".")
ENDS = {".py": "python3", ".js": "node", ".mjs": "node", ".cjs": "node", ".ts": "node", ".rb": "ruby", ".pl": "perl"}


def evaluate_scripts(settings: ToolSettings, session: str, text: str, cwd: str) -> list[Finding]:
    """The findings on scripts of this session that the command runs."""
    world = settings.world
    if world.state is None:
        return []
    written = [path for path in read_scripts(world.state, session) if path[path.rfind("/") + 1 :] in text]
    if not written:
        return []
    from hookwright.shell.command import parse_cached

    command = parse_cached(text, cwd or ".", world.home or "", scripts=False)
    findings: list[Finding] = []
    seen: set[str] = set()
    for call in command.calls:
        if call.place.remote is not None:
            continue
        for word in (call.words[0], *call.operands()[:2]):
            path = call.path(word)
            path = normalize(path, cwd, world.home or "") if path else ""
            if path in written and path not in seen and runs_script(call, word) and len(seen) < MAX_SCRIPTS:
                seen.add(path)
                findings += judge_script(settings, path, call, cwd)
    return sort_findings(findings)


def runs_script(call: Call, word: str) -> bool:
    """Whether the call runs the file that this word names: as program, or as an interpreter's first operand."""
    if word == call.words[0]:
        return "/" in word
    program = call.program.rstrip("0123456789.")
    known = program in SHELLS or program in ("python", "node", "nodejs", "ruby", "perl", "deno", "bun", "tsx", "pypy")
    if program in ("deno", "bun") and call.operands()[:1] == ["run"]:
        return word in call.operands()[1:2]
    return (known or call.program == ".") and word in call.operands()[:1]


def judge_script(settings: ToolSettings, path: str, call: Call, cwd: str) -> list[Finding]:
    name = path[path.rfind("/") + 1 :]
    try:
        text = read_file(path, MAX_SCRIPT).decode("utf-8", "replace")
    except OSError:
        found = Finding(
            "ask", f"{name}, which this session wrote, cannot be read before it runs", f"less {quote_word(path)}"
        )
        found.rule = "carried-command"
        return [found]
    interpreter = find_interpreter(call, path, text)
    if interpreter:
        findings = evaluate_command(
            settings, f"{interpreter} {'-c' if interpreter == 'python3' else '-e'} {quote_word(text)}", cwd
        )
    else:
        findings = evaluate_command(settings, text, cwd)
    reworded = []
    for finding in findings:
        if finding.rule == "unreadable":
            continue  # perhaps in another language
        found = Finding(
            finding.verdict, f"{name}, written in this session, would run this: {finding.reason}", finding.instead
        )
        found.rule = finding.rule
        reworded.append(found)
    return reworded


def find_interpreter(call: Call, path: str, text: str) -> str:
    """The interpreter that reads the file; "" for a shell."""
    program = call.program.rstrip("0123456789.")
    if program in SHELLS:
        return ""
    if program in ("python", "pypy", "node", "nodejs", "ruby", "perl", "deno", "bun", "tsx"):
        return {"python": "python3", "pypy": "python3", "ruby": "ruby", "perl": "perl"}.get(program, "node")
    head = text.split("\n", 1)[0] if text[:2] == "#!" else ""
    for mark, name in (("python", "python3"), ("node", "node"), ("ruby", "ruby"), ("perl", "perl")):
        if mark in head:
            return name
    return "" if head else ENDS.get(path[path.rfind(".") :] if "." in path else "", "")
