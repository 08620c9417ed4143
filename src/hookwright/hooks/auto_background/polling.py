"""Finds commands that wait for something by asking again and again.

auto_background → [find_polling, for a command that waits] → "", "loop", "read", or the call that finds itself
A loop around a sleep whose condition is something else's state; a sleep before a look at a background command's output;
and `pgrep -f X` as the condition of a loop: the loop's own shell has X in its command line, so it never ends.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.call import Call
    from hookwright.shell.redirects import Loop

TASK_OUTPUT = "/tasks/"  # in the path of the file that the client writes a background command's output to
OUTPUT_END = ".output"
# A pattern with one of these does not match its own text: `[n]pm run dev`, `npm ru[n]`, `^npm`.
_TRICKS = "[^$"

POLLING = (
    "It is a polling loop: you are notified when it ends, so do not wait for it and do not start a second one. A "
    "command that you started in the background needs no loop at all: you are notified when it ends."
)
READING = (
    "It sleeps and then reads the output of a background command: that needs no sleeping, you are notified when the "
    "command ends."
)
SELF = (
    "It never ends: `{call}` finds the shell that runs this very loop, because its command line holds the same words. "
    "A command that you started in the background needs no loop: you are notified when it ends. Stop this one."
)


def may_poll(command: str) -> bool:
    """A first look at the text."""
    if "sleep" not in command:
        return False
    return "while" in command or "until" in command or (TASK_OUTPUT in command and OUTPUT_END in command)


def find_polling(command: str, cwd: str, home: str = "") -> str:
    """What the command polls: "" nothing, "loop", "read" (a task's output after a sleep), or the self-matching call."""
    if not may_poll(command):
        return ""
    from hookwright.shell.command import parse_cached  # noqa: PLC0415
    from hookwright.shell.sleeps_and_loops import enclosing_loops, estimate_iterations  # noqa: PLC0415

    calls = parse_cached(command, cwd, home).calls
    loops: dict[int, Loop] = {}
    sleeps = False
    for call in calls:
        if call.program in {"sleep", "gsleep"} and not call.place.background:
            sleeps = True
            for loop in enclosing_loops(call):
                loops[id(loop)] = loop
    found = ""
    for loop in loops.values():
        for test in loop.condition:
            if matches_itself(test):
                return " ".join(test.text.split())[:60]
        if loop.kind in {"while", "until"} and (loop.endless or estimate_iterations(loop) is None):
            found = "loop"
    if not found and sleeps and any(reads_task_output(call) for call in calls):
        found = "read"
    return found


def matches_itself(call: Call) -> bool:
    """`pgrep -f X`, `pkill -0 -f X`, and `ps … | grep X`: X is in the command line of the shell that asks."""
    if call.program in {"pgrep", "pkill"}:
        full = any(word[:1] == "-" and word[:2] != "--" and "f" in word for word in call.args) or "--full" in call.args
        patterns = call.operands("-u", "-U", "-t", "-g", "-P", "-s", "-G", "--signal")
        return full and bool(patterns) and has_plain_text(patterns[0])
    if call.program in {"grep", "egrep", "rg"} and any(before.program == "ps" for before in call.producers):
        operands = call.operands()
        inverted = any("grep" in " ".join(after.words[1:]) and "-v" in after.words for after in call.consumers)
        return bool(operands) and has_plain_text(operands[0]) and not inverted and not call.has_flag("-v")
    return False


def has_plain_text(pattern: str) -> bool:
    return not any(mark in pattern for mark in _TRICKS)


def reads_task_output(call: Call) -> bool:
    return any(TASK_OUTPUT in word and word.endswith(OUTPUT_END) for word in call.args)


def format_polling(polling: str) -> str:
    """What find_polling found, as advice."""
    if polling == "loop":
        return POLLING
    return READING if polling == "read" else SELF.format(call=polling)
