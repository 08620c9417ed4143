"""A fast parser for plain lists: words joined by `&&`, `;`, `|` and newlines, with plain redirections.

command.py → [parse_plain, if nothing is quoted or expanded] → Command.calls
Half of all commands look like this, and parsing them here costs a fraction of loading parser.py and evaluator.py.
So do the texts of most project tasks: `make build` stays here if what the Makefile runs for it is plain too.
Whatever is not surely plain is left to these. Both give the same calls; tests/shell/test_fast_parser.py compares them.
"""

from __future__ import annotations

from hookwright.shell.call import (
    HARD,
    KEYWORDS,
    SCRIPTED,
    TOP,
    Call,
    CallContext,
    Word,
    join_path,
    make_nested_context,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from hookwright.shell.command import Command
    from hookwright.shell.redirects import Redirect

# Left to the grammar: other operators, here-documents, rare redirections.
RARE = ("||", "|&", "<<", ">|", "<>", "&>>", ";;", "<&")
WRITERS = frozenset(("echo", "printf", "cat", "tee"))
FOLDERS = frozenset(("pushd", "popd"))
MAX_CALLS = 1000  # before a project task: for longer lists the evaluator has a budget


def parse_plain(command: Command) -> list[Call] | None:
    """The calls of a plain list; None when the text needs the full parser."""
    return parse_list(command, command.text, command.cwd, TOP, written=False)


def parse_list(command: Command, text: str, cwd: str, place: CallContext, *, written: bool) -> list[Call] | None:
    """The calls of a plain text. `place` is theirs; `written`: a file that they may run was written before."""
    for mark in RARE:
        if mark in text:
            return None
    if "&" in text:
        if "&" in text.replace("&&", "").replace(">&", "").replace("&>", ""):
            return None
        text = text.replace("&&", " && ")
    text = text.replace("|", " | ").replace(";", " ; ").replace("\n", " \n ").replace("\t", " ")
    calls: list[Call] = []
    words: list[Word] = []
    env: dict[str, Word] = {}
    redirects: list[Redirect] = []
    pipe: list[list[Call]] | None = None
    joiner = ""
    opened: Redirect | None = None  # its target is the next word
    ends = True  # after `;` or a newline an empty line may follow
    for piece in [*text.split(" "), "\n"]:
        if not piece:
            continue
        if piece in {"&&", ";", "|", "\n"}:
            if opened is not None:
                return None
            if not words:
                if redirects or env or not ends or piece != "\n":
                    return None
                continue
            call = Call(words, place, cwd)
            if words[0] in KEYWORDS or call.program in FOLDERS or call.wraps(None):
                return None
            if redirects and call.program in WRITERS:
                written = True
            elif written and "/" in words[0]:
                return None  # it may run the file that was just written
            if piece == "|" or pipe is not None:
                if pipe is None:
                    pipe = []
                call.place = CallContext(place)
                call.place.pipe = pipe
                call.place.stage = len(pipe)
                pipe.append([call])
            elif call.program == "cd":
                if len(words) > 2 or words[-1] == "-" or words[-1][:1] == "+":
                    return None
                cwd = "~" if len(words) == 1 else join_path(cwd, words[1])
            if env:
                call.env = env
                env = {}
            if redirects:
                call.redirects = tuple(redirects)
                redirects = []
            call.joiner = joiner
            calls.append(call)
            if command.scripts is not None and call.program in SCRIPTED:
                inner = parse_task(command, call, written=written) if len(calls) <= MAX_CALLS else None
                if inner is None:
                    return None
                call.inner = inner
                calls += inner
                written = written or any(call.redirects and call.program in WRITERS for call in inner)
            words = []
            ends = piece == ";" or piece == "\n"
            if piece != "|":
                pipe = None
                joiner = "&&" if piece == "&&" else ""
        elif opened is not None:
            if ">" in piece or "<" in piece:
                return None
            opened.target = Word(piece)
            opened = None
        elif ">" in piece or "<" in piece:
            redirect = parse_redirection(piece)
            if redirect is None:
                return None
            redirects.append(redirect)
            if not redirect.target:
                opened = redirect
        elif "=" in piece and not words:
            name, _, value = piece.partition("=")
            if not name.isidentifier() or not name.isascii():
                return None
            env[name] = Word(value)
        else:
            words.append(Word(piece))
    return calls


def parse_task(command: Command, call: Call, *, written: bool) -> list[Call] | None:
    """The calls that a project task runs, none if the project does not know it; None if they need the full parser."""
    if call.place.outer is not None or command.scripts is None:
        return None  # a task that runs a task: the evaluator ends the recursion
    found: list[Call] = []
    place = make_nested_context(call)
    for text, folder in command.scripts.resolve_task(call, command.home):
        calls = parse_list(command, text, folder, place, written=written) if HARD.isdisjoint(text) else None
        if calls is None:
            return None
        found += calls
    return found


def parse_redirection(piece: str) -> Redirect | None:
    """`2>file`, `>>`, `2>&1`, `&>file`, `<file`; None for a word that only contains one."""
    at = piece.find("<")
    if at < 0:
        at = piece.find(">")
    before = piece[:at]
    op = piece[at]
    rest = piece[at + 1 :]
    if op == ">" and rest[:1] in {">", "&"}:
        op += rest[0]
        rest = rest[1:]
    if before == "&" and op == ">":
        op = "&>"
        before = ""
    if (before and not before.isdigit()) or "<" in rest or ">" in rest or "&" in rest:
        return None
    from hookwright.shell.redirects import Redirect

    return Redirect(op, before, Word(rest), None)
